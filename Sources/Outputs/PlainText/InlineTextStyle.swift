// Style attributes as far as text extraction reads them: the properties that can change text, in their plainest values.
//
// In: the attribute's value. Out: a changed box, which is `.unknown` wherever the cascade has to look.

import FancyTextBasics
import FancyTextMarkup
import FancyTextStyling

enum InlineTextStyle {
    /// The properties of a style attribute that are read here.
    private enum Name: Int {
        case display, visibility, whiteSpace, float, position, textTransform, direction, margin, marginAbove,
            marginBelow, list, counter, fontSize
    }

    private static let names: [(NameKey, Name)] = {
        let names: [(StaticString, Name)] = [
            ("display", .display), ("visibility", .visibility), ("white-space", .whiteSpace), ("float", .float),
            ("position", .position), ("text-transform", .textTransform), ("direction", .direction),
            ("margin", .margin), ("margin-top", .marginAbove), ("margin-bottom", .marginBelow),
            ("list-style", .list), ("list-style-type", .list), ("counter-reset", .counter),
            ("counter-increment", .counter), ("counter-set", .counter), ("font-size", .fontSize), ("font", .fontSize),
        ]
        return names.map { (NameKey($0.0.bytes), $0.1) }
    }()

    static func apply(
        _ style: UnsafeBufferPointer<UInt8>, to box: inout TextBox, of tag: TagID, keepsDisplay: Bool
    ) {
        /// Properties that an important declaration has set.
        var important = 0
        let isReadable = TextRelevance.forEachDeclaration(in: style) { name, value in
            let name = UnsafeBufferPointer(rebasing: style[name])
            guard TextRelevance.isRelevant(name) || TextRelevance.sizesFont(name) else { return true }
            let key = NameKey(name)
            guard let property = names.first(where: { $0.0 == key })?.1 else { return isHarmless(key, tag) }
            var value = value
            let mark = value.firstIndex { style[$0] == 0x21 }
            if let mark {
                let word = style[(mark + 1)..<value.upperBound].drop(while: \.isHTMLSpace)
                // Anything else after the value makes the declaration invalid (CSS Syntax 3 §5.5.6).
                guard word.lazy.map(\.asciiLowercased).elementsEqual("important".utf8) else { return true }
                value = value.lowerBound..<mark
            }
            let isImportant = mark != nil
            while value.count > 1, style[value.upperBound - 1].isHTMLSpace {
                value = value.lowerBound..<value.upperBound - 1
            }
            if important & 1 << property.rawValue != 0, !isImportant { return true }
            if isImportant {
                if property == .list { return false }
                important |= 1 << property.rawValue
            }
            return apply(property, UnsafeBufferPointer(rebasing: style[value]), to: &box, tag, keepsDisplay)
        }
        if !isReadable { box.display = .unknown }
    }

    /// Side margins only move what is no quotation.
    private static func isHarmless(_ name: NameKey, _ tag: TagID) -> Bool {
        guard tag != .blockquote, tag != .dd, tag != .figure else { return false }
        return name == NameKey("margin-left")
            || name == NameKey("margin-right")
    }

    /// False when the value is one that is not understood.
    private static func apply(
        _ name: Name, _ bytes: UnsafeBufferPointer<UInt8>, to box: inout TextBox, _ tag: TagID, _ keepsDisplay: Bool
    ) -> Bool {
        let value = NameKey(bytes)
        func isValue(_ text: StaticString) -> Bool { value == NameKey(text.bytes) }
        switch name {
        case .display: return setDisplay(value, to: &box, keepsDisplay)
        case .visibility:
            if isValue("hidden") {
                box.isVisible = false
            } else if isValue("visible") {
                box.isVisible = true
            } else {
                return false
            }
        case .whiteSpace:
            if isValue("normal") {
                box.whiteSpace = .normal
            } else if isValue("nowrap") {
                box.whiteSpace = .nowrap
            } else if isValue("pre") {
                box.whiteSpace = .pre
            } else if isValue("pre-wrap") {
                box.whiteSpace = .preWrap
            } else {
                return false
            }
        case .float:
            switch box.display {
            case .row, .rowGroup, .cell, .caption, .column: return isValue("none")
            default: break
            }
            guard isValue("left") || isValue("right") else {
                // `none` after an attribute or a position has taken it out of the flow.
                return isValue("none") && !box.isOutOfFlow
            }
            box.isOutOfFlow = true
        case .position:
            if isValue("absolute") || isValue("fixed") {
                switch box.display {
                case .row, .rowGroup, .cell, .caption, .column: return false
                default: box.isOutOfFlow = true
                }
            } else {
                return !box.isOutOfFlow && (isValue("relative") || isValue("static") || isValue("sticky"))
            }
        case .textTransform:
            if isValue("uppercase") {
                box.transform = .uppercase
            } else if isValue("lowercase") {
                box.transform = .lowercase
            } else if isValue("none") {
                box.transform = .none
            } else {
                return false
            }
        case .direction:
            if isValue("rtl") {
                box.isRightToLeft = true
            } else if isValue("ltr") {
                box.isRightToLeft = false
            } else {
                return false
            }
        case .margin:
            guard tag != .blockquote, tag != .dd, tag != .figure else { return false }
            let sides = bytes.split(whereSeparator: \.isHTMLSpace)
            guard (1...4).contains(sides.count), sides.allSatisfy({ margin($0, box) != nil || isLength($0) }),
                let above = margin(sides[0], box), let below = margin(sides[sides.count > 2 ? 2 : 0], box)
            else { return false }
            box.hasMarginAbove = above
            box.hasMarginBelow = below
        case .marginAbove:
            guard let above = margin(bytes[...], box) else { return false }
            box.hasMarginAbove = above
        case .marginBelow:
            guard let below = margin(bytes[...], box) else { return false }
            box.hasMarginBelow = below
        case .list: return tag != .summary && listStyle(bytes) != nil
        // Without generated content only lists' own counters show.
        case .counter: return !bytes.contains(0x2D) || !String(decoding: bytes, as: UTF8.self).contains("list-item")
        case .fontSize: box.hasDefaultFontSize = false
        }
        return true
    }

    /// The counter style that a value of `list-style-type` or `list-style` names alone; nil for others.
    static func listStyle(_ value: UnsafeBufferPointer<UInt8>) -> String? {
        let name = String(decoding: value, as: UTF8.self).lowercased()
        return CounterText.isKnown(name) ? name : nil
    }

    /// The counter style that an element's style attribute gives its items; the attribute is one that
    /// ``apply(_:to:of:keepsDisplay:)`` has understood.
    static func listStyle(of element: NodeID, in tree: MarkupTree) -> String? {
        guard let style = tree.attribute(element, .style) else { return nil }
        var result: String?
        Array(style.utf8).withUnsafeBufferPointer { style in
            _ = TextRelevance.forEachDeclaration(in: style) { name, value in
                let key = NameKey(UnsafeBufferPointer(rebasing: style[name]))
                if names.contains(where: { $0.0 == key && $0.1 == .list }),
                    let found = listStyle(UnsafeBufferPointer(rebasing: style[value]))
                {
                    result = found
                }
                return true
            }
        }
        return result
    }

    /// Whether a margin is half a line or more; nil when that is not to be seen.
    private static func margin(_ value: Slice<UnsafeBufferPointer<UInt8>>, _ box: TextBox) -> Bool? {
        if value.elementsEqual("auto".utf8) { return false }
        guard let (number, unit) = number(value) else { return nil }
        if number == 0 && unit.isEmpty { return false }
        if unit.elementsEqual("em".utf8) { return number >= 0.5 }
        // Boxes do not tell what a percentage is of.
        if unit.elementsEqual("%".utf8) { return false }
        guard unit.elementsEqual("px".utf8) else { return nil }
        if number <= 0 { return false }
        return box.hasDefaultFontSize ? number >= 8 : nil
    }

    private static func isLength(_ value: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard let (_, unit) = number(value) else { return false }
        return ["px", "em", "pt", "rem", "ex"].contains { unit.elementsEqual($0.utf8) }
    }

    /// A number with digits before its point, and what follows it.
    private static func number(
        _ value: Slice<UnsafeBufferPointer<UInt8>>
    ) -> (Double, Slice<UnsafeBufferPointer<UInt8>>)? {
        let digits = value.prefix { $0.isASCIIDigit || $0 == 0x2E || $0 == 0x2D }
        guard let first = digits.first, digits.last != 0x2E, first != 0x2E,
            let number = Double(String(decoding: digits, as: UTF8.self))
        else { return nil }
        return (number, value[digits.endIndex...])
    }

    private static let displays: [(NameKey, ExtractionDisplay)] = {
        let names: [(StaticString, ExtractionDisplay)] = [
            ("none", .none), ("inline", .inline), ("block", .block), ("inline-block", .inlineBlock), ("flex", .flex),
            ("grid", .flex), ("inline-flex", .inlineFlex), ("inline-grid", .inlineFlex), ("flow-root", .block),
        ]
        return names.map { (NameKey($0.0.bytes), $0.1) }
    }()

    private static func setDisplay(_ value: NameKey, to box: inout TextBox, _ keepsDisplay: Bool) -> Bool {
        guard let display = displays.first(where: { $0.0 == value })?.1 else {
            // Other browsers' own values are none.
            return value.low & 0xFFFF_FFFF == 0x7A6F_6D2D || value.low & 0xFFFF_FFFF == 0x2D73_6D2D
        }
        if display == .none {
            box.display = .none
            return true
        }
        switch box.display {
        case .inline, .inlineBlock, .block, .flex, .inlineFlex, .listItem:
            guard !keepsDisplay else { return box.display == display }
            box.display = display
        case .replaced, .replacedBlock:
            guard !keepsDisplay else { return false }
            box.display = display == .inline || display == .inlineBlock ? .replaced : .replacedBlock
        case .none, .contents, .table, .inlineTable, .rowGroup, .row, .cell, .caption, .column, .ruby, .rubyText,
            .unknown:
            return false
        }
        return true
    }
}
