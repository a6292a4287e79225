// Presentational attributes (HTML Standard §15.3) such as `align`, `bgcolor` and `width`, translated to CSS. In: an element. Out:
// the text of declarations with lower precedence than all author rules, which is also a key: equal texts are parsed once.

import FancyTextCSS
import FancyTextMarkup

/// The attributes of a table that affect its parts.
struct TableHints: Equatable, Sendable {
    enum Rules: String, Sendable { case none, groups, rows, cols, all }

    /// True if the table's `border` is not 0.
    var hasBorder = false
    var hasBorderColor = false
    var rules: Rules?
    var cellPadding: String?
}

struct PresentationalHints {
    let tree: MarkupTree
    let isTextOnly: Bool
    var css = ""
    /// The colour of links that the body asks for.
    private(set) var linkColor: String?

    /// The style of a popover that a sheet shows (HTML §15.3.2).
    private static let popover =
        "position:fixed;inset:0;width:fit-content;height:fit-content;margin:auto;border:solid;padding:.25em;overflow:auto;background:canvas;color:canvastext"

    mutating func add(_ property: String, _ value: String?) { if let value { add(property + ":" + value) } }

    /// - Parameter table: The hints of the nearest table ancestor, for its parts.
    mutating func css(_ n: NodeID, _ tag: TagID, _ names: AttributeSet, table: TableHints?) -> String {
        css = ""
        if !names.isDisjoint(with: Self.commonNames) || tag == .input { common(n, tag) }
        if tree.isForeign(n) { foreign(n, isFormula: tag == .math) }
        switch tag {
        case .p, .div, .h1, .h2, .h3, .h4, .h5, .h6: add(n, .align, Self.textAligns)
        case .body:
            background(n)
            body(n)
        case .a: if tree.hasAttribute(n, .href) { add("color", linkColor) }
        case .font, .basefont: font(n)
        case .table:
            size(n, tag)
            background(n)
            tableElement(n)
        case .td, .th, .tr, .thead, .tbody, .tfoot, .col, .colgroup: tablePart(n, tag, table ?? TableHints())
        case .img, .object, .embed:
            size(n, tag)
            replaced(n)
        // Audio is shown with controls only (HTML §15.4.1).
        case .audio: if tree.hasAttribute(n, "controls") { add("display", "inline") }
        case .video, .iframe:
            size(n, tag)
            let hasFrame = tree.attribute(n, "frameborder").map { $0.htmlInteger != 0 && $0 != "no" } ?? true
            if !hasFrame { add("border", "0") }
        case .marquee:
            size(n, tag)
            background(n)
        case .ul, .ol, .li: list(n, tag)
        case .caption: add(n, .align, ["bottom": "caption-side:bottom"])
        case .hr: rule(n)
        case .legend: add(n, .align, ["center": "margin-inline:auto", "right": "margin-left:auto"])
        case .br:
            add(n, .clear, ["left": "clear:left", "right": "clear:right", "all": "clear:both", "both": "clear:both"])
        case .pre: if tree.hasAttribute(n, .wrap) { add("white-space", "pre-wrap") }
        case .lambda:
            size(n, tag)
            lambda(n)
        case .input:
            if tree.inputType(n) == .image { size(n, tag) }
            replaced(n)
            control(n, tag)
        case .button, .textarea, .select, .option, .optgroup: control(n, tag)
        case .svg: svg(n)
        case .template: if tree.isShadowRoot(n) { add("display", "contents") }
        case .math where tree.attribute(n, "display")?.asciiLowercased() == "block":
            add("display:block;text-align:center")
        default: break
        }
        return css
    }

    static func readsTable(_ tag: TagID) -> Bool {
        tag == .td || tag == .th || tag == .tbody || tag == .thead || tag == .tfoot || tag == .colgroup
    }

    func tableHints(_ n: NodeID) -> TableHints {
        var hints = TableHints()
        if let border = tree.attribute(n, .border) { hints.hasBorder = Self.tableBorder(border) > 0 }
        hints.hasBorderColor = !(tree.attribute(n, "bordercolor") ?? "").isEmpty
        hints.rules = rules(n)
        hints.cellPadding = length(n, .cellpadding)
        return hints
    }

    private static let commonNames: AttributeSet = [.popover, .hidden, .lang, .xmlLang, .dir]

    private mutating func common(_ n: NodeID, _ tag: TagID) {
        if tree.hasAttribute(n, .popover) { css = Self.popover }
        // Text that is only found by searching is not read either.
        let isFound = !isTextOnly && keyword(n, .hidden) == "until-found"
        if isFound { add("content-visibility", "hidden") }
        let isHidden = tree.hasAttribute(n, .hidden) && !isFound && tag != .svg || tree.isClosedPopover(n)
        if isHidden || tag == .input && tree.inputType(n) == .hidden { add("display", "none") }
        add("-ft-lang", (tree.attribute(n, .lang) ?? tree.attribute(n, .xmlLang)).map(CSSWriter.quoted))
        if let direction = keyword(n, .dir) {
            switch direction {
            case "ltr", "rtl":
                add("direction", direction)
                if tag != .bdo { add("unicode-bidi", "isolate") }
            case "auto":
                // Each paragraph of preformatted text and of a field has its own direction.
                let isPlain = tag == .pre || tag == .textarea || tag == .input
                if tag != .bdo { add("unicode-bidi", isPlain ? "plaintext" : "isolate") }
                if !isPlain { add("direction", tree.isRightToLeftByContent(n) ? "rtl" : "ltr") }
            default: break
            }
        }
    }

    private func length(_ n: NodeID, _ id: AttributeID) -> String? { tree.attribute(n, id).flatMap(Self.length) }

    private func integer(_ n: NodeID, _ id: AttributeID) -> Int? { tree.attribute(n, id).flatMap(\.htmlInteger) }

    private mutating func add(_ property: String, colorOf n: NodeID, _ id: AttributeID) {
        add(property, tree.attribute(n, id).flatMap(Self.legacyColor))
    }

    private func keyword(_ n: NodeID, _ id: AttributeID) -> String? {
        tree.attribute(n, id).map { Self.trimmed($0).asciiLowercased() }
    }

    private static let textAligns = [
        "left": "text-align:-webkit-left", "right": "text-align:-webkit-right", "justify": "text-align:justify",
        "center": "text-align:-webkit-center", "middle": "text-align:-webkit-center",
    ]

    private mutating func add(_ n: NodeID, _ id: AttributeID, _ declarations: @autoclosure () -> [String: String]) {
        if let word = keyword(n, id), let declaration = declarations()[word] { add(declaration) }
    }

    mutating func add(_ declaration: String) { css += (css.isEmpty ? "" : ";") + declaration }

    private static let sides = [(AttributeID.width, "width"), (.height, "height")]

    private mutating func size(_ n: NodeID, _ tag: TagID) {
        // Zero is ignored on cells, and as a table's width (HTML §15.3.8).
        for (attribute, property) in Self.sides {
            guard let length = length(n, attribute) else { continue }
            let ignoresZero = tag == .td || tag == .th || tag == .table && attribute == .width
            if !ignoresZero || !Self.isZero(length) { add(property, length) }
        }
        if tag == .video || tag == .img || tag == .input {
            let sides = Self.sides.compactMap { length(n, $0.0) }
            if sides.count == 2, sides.allSatisfy({ $0.hasSuffix("px") && !Self.isZero($0) }) {
                add("aspect-ratio", "auto \(sides[0].dropLast(2))/\(sides[1].dropLast(2))")
            }
        }
    }

    /// Returns whether a length from ``length(_:)`` is 0 or 0%.
    private static func isZero(_ length: String) -> Bool { Double(length.prefix { $0 != "p" && $0 != "%" }) == 0 }

    /// The size attributes of an outer `svg` element are properties, whose numbers need no unit (SVG 2 §7.2, §8.2).
    private mutating func svg(_ n: NodeID) {
        for (attribute, property) in Self.sides {
            guard let text = tree.attribute(n, attribute) else { continue }
            let value = text.drop { $0.isWhitespace }
            let number = value.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "+") }
            let unit = value.dropFirst(number.count).prefix { $0.isLetter || $0 == "%" }
            guard !number.isEmpty, number.count <= 12, unit.utf8.count <= 4 else { continue }
            add(property, String(number) + (unit.isEmpty ? "px" : String(unit)))
        }
    }

    /// The attributes of elements in an `svg` that are properties here, and the global ones of MathML. The library that draws the
    /// picture reads the others, unless their values have functions such as `var()`.
    private mutating func foreign(_ n: NodeID, isFormula: Bool) {
        let tree = tree
        tree.forEachAttribute(n) { attribute in
            let name = tree.attributeName(attribute)
            func value() -> String { tree.withValue(attribute) { String(decoding: $0, as: UTF8.self) } }
            if name.hasPrefix("math") { return formula(name, value()) }
            guard !isFormula else { return }
            if name == "xml:space", value() == "preserve" { return add("white-space-collapse:preserve-spaces") }
            // An outer picture and a foreign object are boxes here.
            let isStyled =
                PictureAttributes.styled.contains(name) || tree.tag(n) == .svg && name == "overflow"
                || tree.tag(n) == .foreignobject && ["clip-path", "filter", "mask"].contains(name)
            let hasFunction = tree.withValue(attribute) { $0.contains(UInt8(ascii: "(")) }
            guard isStyled || hasFunction && ComputedStyle.pictureNames.contains(name) else { return }
            var text = value()
            guard isStyled || !text.hasPrefix("url("), Self.isOneValue(text) else { return }
            if PictureAttributes.lengths.contains(name) {
                text = text.split { $0 == "," || $0.isWhitespace }
                    .map { Double($0) == nil ? String($0) : $0 + "px" }.joined(separator: " ")
            }
            add(name, text)
        }
    }

    /// Returns whether a text can end neither its declaration nor the block.
    private static func isOneValue(_ text: String) -> Bool { !text.utf8.contains { ";{}!".utf8.contains($0) } }

    /// Adds a global attribute of MathML (MathML Core §2.1.3).
    private mutating func formula(_ name: String, _ value: String) {
        let isSize =
            value.first.map { $0.isNumber || $0 == "." } == true
            && value.allSatisfy { $0.isLetter || $0.isNumber || ".%".contains($0) }
        switch name {
        case "mathcolor" where Self.isOneValue(value): add("color", value)
        case "mathbackground" where Self.isOneValue(value): add("background-color", value)
        case "mathsize" where isSize: add("font-size", value)
        default: return
        }
    }

    private mutating func background(_ n: NodeID) {
        add("background-color", colorOf: n, .bgcolor)
        let url = tree.attribute(n, .background) ?? ""
        if !url.isEmpty { add("background-image", "url(\(CSSWriter.quoted(url)))") }
    }

    private mutating func body(_ n: NodeID) {
        add("color", colorOf: n, .text)
        linkColor = tree.attribute(n, "link").flatMap(Self.legacyColor)
        for (attribute, property) in [
            ("marginwidth", "margin-inline"), ("marginheight", "margin-block"), ("leftmargin", "margin-left"),
            ("topmargin", "margin-top"), ("rightmargin", "margin-right"), ("bottommargin", "margin-bottom"),
        ] {
            if let value = tree.attribute(n, attribute).flatMap(\.htmlInteger), value >= 0 {
                add(property, "\(value)px")
            }
        }
    }

    private mutating func font(_ n: NodeID) {
        add("color", colorOf: n, .color)
        add("font-family", tree.attribute(n, .face)?.filter { !";{}!".contains($0) })
        add("font-size", tree.attribute(n, .size).flatMap(Self.fontSize))
    }

    private mutating func tableElement(_ n: NodeID) {
        let centered = "margin-inline:auto"
        add(n, .align, ["left": "float:left", "right": "float:right", "center": centered, "middle": centered])
        if let spacing = integer(n, .cellspacing), spacing >= 0 { add("border-spacing", "\(spacing)px") }
        let width = tree.attribute(n, .border).map { Self.tableBorder($0) }
        add("border-width", width.map { "\($0)px" })
        let color = tree.attribute(n, "bordercolor").flatMap(Self.legacyColor)
        add("border-color", color)
        let rules = rules(n)
        if rules != nil { add("border-collapse", "collapse") }
        if (width ?? 0) > 0 {
            add("border-style", color == nil ? "outset" : "solid")
        } else if rules != nil {
            // `hidden` wins over the borders of the cells at the table's edge.
            add("border-style", "hidden")
        }
        if let sides = keyword(n, .frame).flatMap({ Self.frames[$0] }) { add("border-width:thin;border-style", sides) }
    }

    /// The `border-style` that each value of a table's `frame` maps to: top, right, bottom, left.
    private static let frames = [
        "void": "hidden", "above": "solid hidden hidden", "below": "hidden hidden solid", "hsides": "solid hidden",
        "vsides": "hidden solid", "lhs": "hidden hidden hidden solid", "rhs": "hidden solid hidden hidden",
        "box": "solid", "border": "solid",
    ]

    private func rules(_ n: NodeID) -> TableHints.Rules? {
        keyword(n, .rules).flatMap { TableHints.Rules(rawValue: $0) }
    }

    /// The pixels of a table's `border`; 1 if it is not a valid number.
    private static func tableBorder(_ text: String) -> Int { text.htmlInteger.flatMap { $0 < 0 ? nil : $0 } ?? 1 }

    /// Adds thin lines at the two edges of an axis, for `rules`.
    private mutating func lines(between axis: String) { add("border-\(axis)-width:thin;border-\(axis)-style:solid") }

    private mutating func tablePart(_ n: NodeID, _ tag: TagID, _ table: TableHints) {
        let isCell = tag == .td || tag == .th
        let isColumn = tag == .col || tag == .colgroup
        if !isColumn { add(n, .align, Self.textAligns) }
        if isCell || isColumn || tag == .tr { size(n, tag) }
        background(n)
        if let value = keyword(n, .valign), ["top", "middle", "bottom", "baseline"].contains(value) {
            add("vertical-align", value)
        }
        if isCell { cell(n, table) }
        if table.rules == .groups, !isCell, tag != .tr, tag != .col { lines(between: isColumn ? "inline" : "block") }
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
        add("padding", table.cellPadding)
        if tree.hasAttribute(n, .nowrap) { add("white-space", "nowrap") }
    }

    private mutating func rule(_ n: NodeID) {
        let (left, right) = ("margin-left:0;margin-right:auto", "margin-right:0;margin-left:auto")
        add(n, .align, ["left": left, "right": right, "center": "margin-inline:auto"])
        let value = tree.attribute(n, .color)
        let isFlat = tree.hasAttribute(n, .noshade)
        if value != nil || isFlat { add("border-style", "solid") }
        if let color = value.map(Self.legacyColor) ?? (isFlat ? "gray" : nil) {
            add("border-color:\(color);background-color:\(color)")
        }
        if let size = integer(n, .size) {
            if size > 1 { add("height", "\(size - 2)px") } else { add("border-bottom-width", "0") }
        }
        add("width", length(n, .width))
    }

    private mutating func replaced(_ n: NodeID) {
        let middle = "vertical-align:middle"
        add(
            n, .align,
            [
                "left": "float:left", "right": "float:right", "top": "vertical-align:top", "middle": middle,
                "center": middle, "absmiddle": middle, "abscenter": middle, "bottom": "vertical-align:baseline",
                "texttop": "vertical-align:text-top",
            ])
        if tree.documentMode == .quirks, tree.tag(n) == .img {
            if keyword(n, .align) == "left" { add("margin-right", "3px") }
            if keyword(n, .align) == "right" { add("margin-left", "3px") }
        }
        add("margin-inline", length(n, .hspace))
        add("margin-block", length(n, .vspace))
        if let border = integer(n, .border), border > 0 { add("border", "\(border)px solid") }
    }

    /// Adds the hints of a lambda: its `vertical-align` is a CSS keyword, or a length in pixels or per cent.
    private mutating func lambda(_ n: NodeID) {
        guard let value = keyword(n, .verticalAlign) else { return }
        let keywords = ["baseline", "sub", "super", "top", "text-top", "middle", "bottom", "text-bottom"]
        let sign = value.hasPrefix("-") ? "-" : ""
        let length = Self.length(String(value.dropFirst(sign.count))).map { sign + $0 }
        add("vertical-align", keywords.contains(value) ? value : length)
    }

    private mutating func list(_ n: NodeID, _ tag: TagID) {
        guard let type = tree.attribute(n, .type) else { return }
        // `A` and `a` differ: this is the only attribute here with case-sensitive values (HTML §15.3.7).
        let names = ["1": "decimal", "a": "lower-alpha", "A": "upper-alpha", "i": "lower-roman", "I": "upper-roman"]
        let word = Self.trimmed(type)
        let name = word.asciiLowercased()
        if tag != .ul, let style = names[word] {
            add("list-style-type", style)
        } else if tag != .ol, ["none", "disc", "circle", "square"].contains(name) {
            add("list-style-type", name)
        }
    }

    // MARK: Microsyntaxes

    private static func trimmed(_ text: String) -> String {
        String(decoding: text.utf8.trimmed(\.isHTMLSpace), as: UTF8.self)
    }

    /// Parses a dimension (HTML §2.3.4.4): pixels, or per cent.
    static func length(_ text: String) -> String? {
        let bytes = text.utf8.drop(while: \.isHTMLSpace)
        guard let first = bytes.first, first &- 0x30 < 10 else { return nil }
        var hasPoint = false
        let written = bytes.prefix { byte in
            defer { hasPoint = hasPoint || byte == 0x2E }
            return byte == 0x2E && !hasPoint || byte &- 0x30 < 10
        }
        let rest = bytes.dropFirst(written.count)
        // A share of the rest, in HTML 4; browsers ignore it.
        if rest.first == UInt8(ascii: "*") { return nil }
        var number = written.prefix(12)
        if number.last == 0x2E { number.removeLast() }
        return String(decoding: number, as: UTF8.self) + (rest.first == 0x25 ? "%" : "px")
    }

    /// Parses `<font size>` (HTML §15.3.1 "rules for parsing a legacy font size").
    static func fontSize(_ text: String) -> String? {
        let trimmed = trimmed(text)
        guard let number = trimmed.htmlInteger else { return nil }
        let size = trimmed.hasPrefix("+") || trimmed.hasPrefix("-") ? 3 + number : number
        return ["x-small", "small", "medium", "large", "x-large", "xx-large", "xxx-large"][max(1, min(7, size)) - 1]
    }

    /// Parses a colour (HTML §2.3.6 "rules for parsing a legacy color value"): any text except "transparent" and "" is a colour.
    static func legacyColor(_ text: String) -> String? {
        let text = trimmed(text)
        let lower = text.asciiLowercased()
        if lower.isEmpty || lower == "transparent" { return nil }
        if ColorNames.color(lower, isDark: false) != nil { return lower }
        let isHex = { (byte: UInt8) in byte.hexValue != nil }
        if text.utf8.count == 4, text.utf8.first == 0x23, text.utf8.dropFirst().allSatisfy(isHex) { return text }
        var bytes = text.unicodeScalars.prefix(128).flatMap { scalar -> [UInt8] in
            scalar.value > 0xFFFF ? [0x30, 0x30] : [scalar.isASCII ? UInt8(scalar.value) : 0x30]
        }
        if bytes.first == 0x23 { bytes.removeFirst() }
        bytes = bytes.map { isHex($0) ? $0 : 0x30 }
        while bytes.isEmpty || bytes.count % 3 != 0 { bytes.append(0x30) }
        let length = bytes.count / 3
        var parts = (0..<3).map { bytes[$0 * length..<($0 + 1) * length].suffix(8) }
        while parts[0].count > 2, parts.allSatisfy({ $0.first == 0x30 }) { parts = parts.map { $0.dropFirst() } }
        let digits = parts.map { ($0.count == 1 ? "0" : "") + String(decoding: $0.prefix(2), as: UTF8.self) }
        return "#" + digits.joined()
    }

    static func isControl(_ tag: TagID) -> Bool {
        tag == .input || tag == .select || tag == .button || tag == .textarea
    }

    /// Adds what follows from the type and the state of a form control (HTML §15.5, with Chromium's values).
    mutating func control(_ n: NodeID, _ tag: TagID) {
        let isDisabled = tree.isDisabled(n)
        switch tag {
        case .input: input(n, isDisabled: isDisabled)
        case .button: if isDisabled { add(Self.disabledButton) }
        case .textarea:
            if tree.attribute(n, .wrap)?.asciiLowercased() == "off" { add("white-space:pre") }
            if isDisabled { add(Self.disabledField) }
        case .optgroup: if isDisabled { add("color:graytext") }
        case .select:
            if tree.isListBox(n) {
                add("border-radius:2px;background-color:field;color:fieldtext;vertical-align:text-bottom")
            }
            if isDisabled { add(Self.disabledField) }
        case .option:
            let isGrouped = tree.parent(n).map { tree.tag($0) == .optgroup } == true
            let list = isGrouped ? tree.parent(n).flatMap(tree.parent) : tree.parent(n)
            guard let list, tree.tag(list) == .select, tree.isListBox(list) else { return }
            add("padding", isGrouped ? "0 2px 1px 20px" : "0 2px 1px")
            add("font-weight:normal;min-height:1.2em")
            if isDisabled { add("color:graytext") }
            if tree.hasAttribute(n, "selected") { add("background-color:light-dark(#cecece,#545454)") }
        default: break
        }
    }

    private mutating func input(_ n: NodeID, isDisabled: Bool) {
        switch tree.inputType(n) {
        case .checkbox: symbol(margin: "3px 3px 3px 4px")
        case .radio: symbol(margin: "3px 3px 0 5px")
        case .range:
            symbol(margin: "2px")
            add("box-sizing:content-box;overflow:visible")
        case .color:
            add("box-sizing:border-box;width:50px;height:27px;background-color:buttonface")
            add("border:1px solid buttonborder;padding:1px 2px")
        case .image, .file: add("border:0;padding:0;background-color:transparent")
        case .submit, .reset, .button:
            add("box-sizing:border-box;text-align:center;background-color:buttonface")
            add("border:2px outset buttonborder;padding-block:1px;padding-inline:6px")
            if isDisabled { add(Self.disabledButton) }
        case .hidden: break
        case .text, .search, .url, .tel, .email, .password, .number, .date, .month, .week, .time, .localDateTime:
            if tree.inputType(n).isDateOrTime { add("font-family:monospace;padding:0;padding-inline-start:1px") }
            if tree.inputType(n) == .search { add("box-sizing:border-box") }
            if isDisabled { add(Self.disabledField) }
        }
    }

    private mutating func symbol(margin: String) {
        add("box-sizing:border-box;margin:\(margin);border:0;padding:0;background-color:transparent")
    }

    private static let disabledButton =
        "color:light-dark(rgb(16 16 16/.3),rgb(255 255 255/.3));border-color:light-dark(rgb(118 118 118/.3),rgb(195 195 195/.3))"
    private static let disabledField =
        "color:light-dark(#545454,#aaa);background-color:light-dark(#fafafa,#3b3b3b);border-color:rgb(118 118 118/.3)"
}

extension PseudoBox {
    func css(_ tag: TagID) -> String {
        switch self {
        case .placeholder: "color:#757575"
        case .detailsContent: "display:block"
        case .fileButton: DefaultStyles.css(.button, []) + ";font-size:inherit;margin-inline-end:4px"
        case .track:
            switch tag {
            case .progress: "display:block;background:gray;height:100%"
            case .meter: "display:block;background:#d4d4d4;height:100%"
            default: "display:block;box-sizing:border-box"
            }
        case .bar: "display:block;background:\(tag == .meter ? "#92bf56" : "green");height:100%"
        case .thumb: "display:block;appearance:auto;box-sizing:border-box;width:16px;height:16px"
        case .footnoteCall: "content:counter(footnote);font-size:smaller;vertical-align:super"
        case .footnoteMarker: "content:counter(footnote) '. '"
        case .footnoteArea:
            "display:block;box-decoration-break:clone;margin-top:1em;border-top:1px solid;padding-top:.5em"
        // CSS Lists 3 §3.1.1 without `white-space: pre`: an inside marker wraps in browsers.
        case .marker: "unicode-bidi:isolate;font-variant-numeric:tabular-nums;text-transform:none;text-indent:0"
        case .element, .before, .after, .firstLetter, .firstLine: ""
        }
    }
}
