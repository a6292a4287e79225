// Presentational attributes (HTML Standard §15.3) such as `align`, `bgcolor` and `width`, translated to CSS.
//
// In: an element. Out: the text of declarations with lower precedence than all author rules; empty if there are no hints. Equal
// texts are parsed once, so the text is used as the key.

import FancyTextMarkup

/// The attributes of a table that affect its parts.
struct TableHints: Equatable, Sendable {
    enum Rules: Sendable { case none, groups, rows, cols, all }

    /// True if the table's `border` is not 0.
    var hasBorder = false
    var hasBorderColor = false
    var rules: Rules?
    var cellPadding: String?
}

struct PresentationalHints {
    let tree: MarkupTree
    private var css = ""

    init(_ tree: MarkupTree) { self.tree = tree }

    mutating func add(_ property: String, _ value: String) {
        if !css.isEmpty { css += ";" }
        css += property + ":" + value
    }

    /// - Parameter table: The hints of the nearest table ancestor, for its parts.
    mutating func css(_ n: NodeID, _ tag: TagID, table: TableHints?) -> String {
        css = ""
        common(n, tag)
        guard let kind = Self.kinds[tag] else { return css }
        if kind.contains(.textAlign) { textAlign(n) }
        if kind.contains(.size) { size(n, tag) }
        if kind.contains(.background) { background(n) }
        if kind.contains(.verticalAlign), let value = keyword(n, .valign) {
            if ["top", "middle", "bottom", "baseline"].contains(value) { add("vertical-align", value) }
        }
        if kind.contains(.replaced) { replaced(n) }
        if kind.contains(.list) { list(n, tag) }
        switch tag {
        case .body: body(n)
        case .font, .basefont: font(n)
        case .table: tableElement(n)
        case .td, .th: cell(n, table ?? TableHints())
        case .thead, .tbody, .tfoot: if table?.rules == .groups { lines(between: "block") }
        case .colgroup: if table?.rules == .groups { lines(between: "inline") }
        case .caption: if let value = keyword(n, .align), value == "bottom" { add("caption-side", "bottom") }
        case .hr: rule(n)
        case .legend:
            switch keyword(n, .align) {
            case "center": add("margin-inline", "auto")
            case "right": add("margin-left", "auto")
            default: break
            }
        case .br:
            switch keyword(n, .clear) {
            case "left": add("clear", "left")
            case "right": add("clear", "right")
            case "all", "both": add("clear", "both")
            default: break
            }
        case .pre: if tree.hasAttribute(n, .wrap) { add("white-space", "pre-wrap") }
        case .lambda: lambda(n)
        case .input, .button, .textarea, .select, .option: control(n, tag)
        case .svg: svg(n)
        case .template: if tree.isShadowRoot(n) { add("display", "contents") }
        case .math:
            if tree.attribute(n, "display")?.asciiLowercased() == "block" {
                add("display", "block")
                add("text-align", "center")
            }
        default: break
        }
        return css
    }

    /// Returns false if an element with these attributes certainly has no hints.
    ///
    /// - Parameter read: ``allRead`` or ``readForText``.
    static func mayHave(_ attributes: AttributeSet, _ tag: TagID, _ read: AttributeSet) -> Bool {
        tag == .body || tag == .table || tag == .lambda || tag == .option || tag == .math || tag == .template
            || isControl(tag)
            || !attributes.isDisjoint(with: read)
    }

    /// The attributes that hints are read from, except for those of bodies, tables and lambdas.
    static let allRead: AttributeSet = [
        .hidden, .popover, .lang, .xmlLang, .dir, .align, .valign, .width, .height, .bgcolor, .background, .color,
        .face, .size,
        .cellspacing, .border, .rules, .nowrap, .noshade, .hspace, .vspace, .clear, .wrap, .type, .text,
    ]

    /// The attributes without those that only affect sizes, colours and borders, on which plain text never depends.
    static let readForText: AttributeSet = [
        .hidden, .popover, .lang, .xmlLang, .dir, .align, .face, .size, .nowrap, .hspace, .vspace, .clear, .wrap, .type,
    ]

    /// Returns whether the element's hints depend on its table.
    static func readsTable(_ tag: TagID) -> Bool {
        tag == .td || tag == .th || tag == .tbody || tag == .thead || tag == .tfoot || tag == .colgroup
    }

    /// The hints of a table for its parts.
    func tableHints(_ n: NodeID) -> TableHints {
        var hints = TableHints()
        if let border = tree.attribute(n, .border) { hints.hasBorder = Self.tableBorder(border) > 0 }
        hints.hasBorderColor = !(tree.attribute(n, "bordercolor") ?? "").isEmpty
        hints.rules = rules(n)
        hints.cellPadding = tree.attribute(n, .cellpadding).flatMap { Self.length($0) }
        return hints
    }

    private struct Kind: OptionSet {
        let rawValue: UInt8
        static let textAlign = Kind(rawValue: 1)
        static let size = Kind(rawValue: 2)
        static let background = Kind(rawValue: 4)
        static let verticalAlign = Kind(rawValue: 8)
        static let replaced = Kind(rawValue: 16)
        static let list = Kind(rawValue: 32)
        static let other = Kind(rawValue: 64)
    }

    private static let kinds: [TagID: Kind] = [
        .p: .textAlign, .div: .textAlign, .h1: .textAlign, .h2: .textAlign, .h3: .textAlign, .h4: .textAlign,
        .h5: .textAlign,
        .h6: .textAlign, .body: .background, .font: .other, .basefont: .other, .table: [.size, .background],
        .thead: [.textAlign, .background, .verticalAlign], .tbody: [.textAlign, .background, .verticalAlign],
        .tfoot: [.textAlign, .background, .verticalAlign], .tr: [.textAlign, .background, .verticalAlign, .size],
        .td: [.textAlign, .background, .verticalAlign, .size], .th: [.textAlign, .background, .verticalAlign, .size],
        .col: [.background, .verticalAlign, .size], .colgroup: [.background, .verticalAlign, .size], .caption: .other,
        .hr: .other, .legend: .other,
        .br: .other, .pre: .other, .img: [.size, .replaced], .input: .replaced, .object: [.size, .replaced],
        .select: .other, .option: .other, .button: .other, .textarea: .other,
        .svg: .other, .math: .other, .template: .other,
        .embed: [.size, .replaced], .marquee: [.size, .background], .lambda: [.size], .ul: .list, .ol: .list,
        .li: .list, .menu: .list,
        .dir: .list,
    ]

    /// Adds the hints of attributes that every element has.
    private mutating func common(_ n: NodeID, _ tag: TagID) {
        let isHidden = tree.hasAttribute(n, .hidden) && tag != .svg || tree.isClosedPopover(n)
        if isHidden || (tag == .input && tree.inputType(n) == .hidden) {
            add("display", "none")
        }
        if let language = tree.attribute(n, .lang) ?? tree.attribute(n, .xmlLang) {
            add("-ft-lang", CSSWriter.quoted(language))
        }
        if let direction = keyword(n, .dir) {
            switch direction {
            case "ltr", "rtl":
                add("direction", direction)
                if tag != .bdo { add("unicode-bidi", "isolate") }
            case "auto": if tag != .bdo { add("unicode-bidi", "plaintext") }
            default: break
            }
        }
    }

    private func keyword(_ n: NodeID, _ id: AttributeID) -> String? {
        tree.attribute(n, id).map { Self.trimmed($0).asciiLowercased() }
    }

    private mutating func textAlign(_ n: NodeID) {
        switch keyword(n, .align) {
        case "left": add("text-align", "-webkit-left")
        case "right": add("text-align", "-webkit-right")
        case "center", "middle": add("text-align", "-webkit-center")
        case "justify": add("text-align", "justify")
        default: break
        }
    }

    private mutating func size(_ n: NodeID, _ tag: TagID) {
        // Zero is ignored on cells, and as a table's width (HTML §15.3.8).
        let isCell = tag == .td || tag == .th
        if let width = tree.attribute(n, .width).flatMap({ Self.length($0) }),
            !(isCell || tag == .table) || !Self.isZero(width)
        {
            add("width", width)
        }
        if let height = tree.attribute(n, .height).flatMap({ Self.length($0) }), !isCell || !Self.isZero(height) {
            add("height", height)
        }
    }

    /// Returns whether a length from ``length(_:)`` is 0 or 0%.
    private static func isZero(_ length: String) -> Bool { Double(length.prefix { $0 != "p" && $0 != "%" }) == 0 }

    /// The size attributes of an outer `svg` element are properties, whose numbers need no unit (SVG 2 §7.2, §8.2).
    private mutating func svg(_ n: NodeID) {
        for (attribute, property) in [(AttributeID.width, "width"), (.height, "height")] {
            guard let text = tree.attribute(n, attribute) else { continue }
            let value = text.drop { $0.isWhitespace }
            let number = value.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "+") }
            let unit = value.dropFirst(number.count).prefix { $0.isLetter || $0 == "%" }
            guard !number.isEmpty, number.count <= 12, unit.utf8.count <= 4 else { continue }
            add(property, String(number) + (unit.isEmpty ? "px" : String(unit)))
        }
    }

    private mutating func background(_ n: NodeID) {
        if let color = tree.attribute(n, .bgcolor).flatMap({ Self.legacyColor($0) }) { add("background-color", color) }
        if let url = tree.attribute(n, .background), !url.isEmpty {
            add("background-image", "url(\(CSSWriter.quoted(url)))")
        }
    }

    private mutating func body(_ n: NodeID) {
        if let color = tree.attribute(n, .text).flatMap({ Self.legacyColor($0) }) { add("color", color) }
        for (attribute, property) in [
            ("marginwidth", "margin-inline"), ("marginheight", "margin-block"), ("leftmargin", "margin-left"),
            ("topmargin", "margin-top"), ("rightmargin", "margin-right"), ("bottommargin", "margin-bottom"),
        ] {
            if let value = tree.attribute(n, attribute).flatMap({ Self.integer($0) }), value >= 0 {
                add(property, "\(value)px")
            }
        }
    }

    private mutating func font(_ n: NodeID) {
        if let color = tree.attribute(n, .color).flatMap({ Self.legacyColor($0) }) { add("color", color) }
        if let face = tree.attribute(n, .face) {
            add("font-family", face.filter { $0 != ";" && $0 != "{" && $0 != "}" && $0 != "!" })
        }
        if let size = tree.attribute(n, .size).flatMap({ Self.fontSize($0) }) { add("font-size", size) }
    }

    private mutating func tableElement(_ n: NodeID) {
        switch keyword(n, .align) {
        case "left": add("float", "left")
        case "right": add("float", "right")
        case "center", "middle": add("margin-inline", "auto")
        default: break
        }
        if let spacing = tree.attribute(n, .cellspacing).flatMap({ Self.integer($0) }), spacing >= 0 {
            add("border-spacing", "\(spacing)px")
        }
        let width = tree.attribute(n, .border).map { Self.tableBorder($0) }
        if let width { add("border-width", "\(width)px") }
        let color = tree.attribute(n, "bordercolor").flatMap { Self.legacyColor($0) }
        if let color { add("border-color", color) }
        let rules = rules(n)
        if rules != nil { add("border-collapse", "collapse") }
        if color != nil {
            add("border-style", "solid")
        } else if (width ?? 0) > 0 {
            add("border-style", "outset")
        } else if rules != nil {
            // `hidden` wins over the borders of the cells at the table's edge.
            add("border-style", "hidden")
        }
        if let sides = keyword(n, .frame).flatMap({ Self.frames[$0] }) {
            add("border-width", "thin")
            add("border-style", sides)
        }
    }

    /// The `border-style` that each value of a table's `frame` maps to: top, right, bottom, left.
    private static let frames = [
        "void": "hidden", "above": "solid hidden hidden", "below": "hidden hidden solid", "hsides": "solid hidden",
        "vsides": "hidden solid", "lhs": "hidden hidden hidden solid", "rhs": "hidden solid hidden hidden",
        "box": "solid", "border": "solid",
    ]

    private func rules(_ n: NodeID) -> TableHints.Rules? {
        switch keyword(n, .rules) {
        case "none": TableHints.Rules.none
        case "groups": .groups
        case "rows": .rows
        case "cols": .cols
        case "all": .all
        default: nil
        }
    }

    /// The pixels of a table's `border`; 1 if it is not a valid number.
    private static func tableBorder(_ text: String) -> Int { integer(text).flatMap { $0 < 0 ? nil : $0 } ?? 1 }

    /// Adds thin lines at the two edges of an axis, for `rules`.
    private mutating func lines(between axis: String) {
        add("border-\(axis)-width", "thin")
        add("border-\(axis)-style", "solid")
    }

    private mutating func cell(_ n: NodeID, _ table: TableHints) {
        switch table.rules {
        case nil:
            if table.hasBorder { add("border", "1px \(table.hasBorderColor ? "solid" : "inset");border-color:inherit") }
        case .none?, .groups?: break
        case .rows?: lines(between: "block")
        case .cols?: lines(between: "inline")
        case .all?: add("border", "1px solid;border-color:inherit")
        }
        if let padding = table.cellPadding { add("padding", padding) }
        if tree.hasAttribute(n, .nowrap) { add("white-space", "nowrap") }
    }

    private mutating func rule(_ n: NodeID) {
        switch keyword(n, .align) {
        case "left": add("margin-left", "0;margin-right:auto")
        case "right": add("margin-right", "0;margin-left:auto")
        case "center": add("margin-inline", "auto")
        default: break
        }
        let value = tree.attribute(n, .color)
        let isFlat = tree.hasAttribute(n, .noshade)
        if value != nil || isFlat { add("border-style", "solid") }
        if let color = value.map({ Self.legacyColor($0) }) ?? (isFlat ? "gray" : nil) {
            add("border-color", color)
            add("background-color", color)
        }
        if let size = tree.attribute(n, .size).flatMap({ Self.integer($0) }) {
            if size > 1 { add("height", "\(size - 2)px") } else { add("border-bottom-width", "0") }
        }
        if let width = tree.attribute(n, .width).flatMap({ Self.length($0) }) { add("width", width) }
    }

    private mutating func replaced(_ n: NodeID) {
        switch keyword(n, .align) {
        case "left": add("float", "left")
        case "right": add("float", "right")
        case "top": add("vertical-align", "top")
        case "middle", "center", "absmiddle", "abscenter": add("vertical-align", "middle")
        case "bottom": add("vertical-align", "baseline")
        case "texttop": add("vertical-align", "text-top")
        default: break
        }
        if tree.documentMode == .quirks, tree.tag(n) == .img {
            if keyword(n, .align) == "left" { add("margin-right", "3px") }
            if keyword(n, .align) == "right" { add("margin-left", "3px") }
        }
        if let space = tree.attribute(n, .hspace).flatMap({ Self.length($0) }) { add("margin-inline", space) }
        if let space = tree.attribute(n, .vspace).flatMap({ Self.length($0) }) { add("margin-block", space) }
        if let border = tree.attribute(n, .border).flatMap({ Self.integer($0) }), border > 0 {
            add("border", "\(border)px solid")
        }
    }

    /// Adds the hints of a lambda: its `vertical-align` is a CSS keyword, or a length in pixels or per cent.
    private mutating func lambda(_ n: NodeID) {
        guard let value = tree.attribute(n, "vertical-align").map({ Self.trimmed($0).asciiLowercased() }) else {
            return
        }
        switch value {
        case "baseline", "sub", "super", "top", "text-top", "middle", "bottom", "text-bottom":
            add("vertical-align", value)
        default:
            let isBelow = value.hasPrefix("-")
            guard let length = Self.length(isBelow ? String(value.dropFirst()) : value) else { return }
            add("vertical-align", isBelow ? "-" + length : length)
        }
    }

    private mutating func list(_ n: NodeID, _ tag: TagID) {
        guard let type = tree.attribute(n, .type) else { return }
        // `A` and `a` differ: this is the only attribute here with case-sensitive values (HTML §15.3.7).
        switch Self.trimmed(type) {
        case "1": add("list-style-type", "decimal")
        case "a": add("list-style-type", "lower-alpha")
        case "A": add("list-style-type", "upper-alpha")
        case "i": add("list-style-type", "lower-roman")
        case "I": add("list-style-type", "upper-roman")
        case let other:
            let name = other.asciiLowercased()
            if tag != .ol, ["none", "disc", "circle", "square"].contains(name) { add("list-style-type", name) }
        }
    }

    // MARK: Microsyntaxes

    private static func trimmed(_ text: String) -> String {
        var bytes = Array(text.utf8)[...]
        while let first = bytes.first, CSSTokenizer.isSpace(first) { bytes.removeFirst() }
        while let last = bytes.last, CSSTokenizer.isSpace(last) { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Parses an integer (HTML §2.3.4.1): leading white space, a sign, digits; the rest is ignored.
    static func integer(_ text: String) -> Int? {
        var bytes = Array(text.utf8)[...]
        while let first = bytes.first, CSSTokenizer.isSpace(first) { bytes.removeFirst() }
        var sign = 1
        if let first = bytes.first, first == 0x2D || first == 0x2B {
            sign = first == 0x2D ? -1 : 1
            bytes.removeFirst()
        }
        var value: Int?
        for byte in bytes {
            guard byte &- 0x30 < 10 else { break }
            value = min((value ?? 0) * 10 + Int(byte - 0x30), 1_000_000_000)
        }
        return value.map { $0 * sign }
    }

    /// Parses a dimension (HTML §2.3.4.4): pixels, or per cent.
    static func length(_ text: String) -> String? {
        var bytes = Array(text.utf8)[...]
        while let first = bytes.first, CSSTokenizer.isSpace(first) { bytes.removeFirst() }
        guard let first = bytes.first, first &- 0x30 < 10 else { return nil }
        var number: [UInt8] = []
        var hasPoint = false
        for byte in bytes {
            if byte == 0x2E, !hasPoint { hasPoint = true } else if byte &- 0x30 >= 10 { break }
            number.append(byte)
            if number.count > 12 { return nil }
        }
        let rest = bytes.dropFirst(number.count)
        if number.last == 0x2E { number.removeLast() }
        return String(decoding: number, as: UTF8.self) + (rest.first == 0x25 ? "%" : "px")
    }

    /// Parses `<font size>` (HTML §15.3.1 "rules for parsing a legacy font size").
    static func fontSize(_ text: String) -> String? {
        let trimmed = trimmed(text)
        guard let number = integer(trimmed) else { return nil }
        var size = number
        if trimmed.hasPrefix("+") || trimmed.hasPrefix("-") { size = 3 + number }
        return ["x-small", "small", "medium", "large", "x-large", "xx-large", "xxx-large"][max(1, min(7, size)) - 1]
    }

    /// Parses a colour (HTML §2.3.6 "rules for parsing a legacy color value"): any text except "transparent" and "" is a colour.
    static func legacyColor(_ text: String) -> String? {
        let text = trimmed(text)
        let lower = text.asciiLowercased()
        if lower.isEmpty || lower == "transparent" { return nil }
        if ColorNames.color(lower, isDark: false) != nil { return lower }
        var bytes = Array(text.utf8)
        if bytes.count == 4, bytes[0] == 0x23, bytes.dropFirst().allSatisfy({ CSSTokenizer.hexValue($0) != nil }) {
            return text
        }
        var scalars: [UInt8] = []
        for scalar in text.unicodeScalars.prefix(128) {
            if scalar.value > 0xFFFF {
                scalars += [0x30, 0x30]
            } else {
                scalars.append(scalar.isASCII ? UInt8(scalar.value) : 0x30)
            }
        }
        bytes = scalars
        if bytes.first == 0x23 { bytes.removeFirst() }
        bytes = bytes.map { CSSTokenizer.hexValue($0) != nil ? $0 : 0x30 }
        while bytes.isEmpty || bytes.count % 3 != 0 { bytes.append(0x30) }
        var length = bytes.count / 3
        var parts = (0..<3).map { Array(bytes[($0 * length)..<(($0 + 1) * length)]) }
        if length > 8 {
            parts = parts.map { Array($0.suffix(8)) }
            length = 8
        }
        while length > 2, parts.allSatisfy({ $0[0] == 0x30 }) {
            parts = parts.map { Array($0.dropFirst()) }
            length -= 1
        }
        let digits = parts.map { part -> String in
            let two = part.prefix(2)
            return two.count == 1 ? "0" + String(decoding: two, as: UTF8.self) : String(decoding: two, as: UTF8.self)
        }
        return "#" + digits.joined()
    }
}
