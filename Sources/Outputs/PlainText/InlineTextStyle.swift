// Style attributes as far as text extraction reads them: the properties that can change text, in their plainest values.
//
// In: the attribute's value. Out: a changed box, which is `.unknown` wherever the cascade has to look.

import Basics
import Markup
import Styling

enum InlineTextStyle {
    /// The properties of a style attribute that are read here.
    private enum Name: Int {
        case display, visibility, whiteSpace, float, position, textTransform, direction, margin, marginAbove,
            marginBelow
    }

    private static let names: [(NameKey, Name)] = {
        let names: [(StaticString, Name)] = [
            ("display", .display), ("visibility", .visibility), ("white-space", .whiteSpace), ("float", .float),
            ("position", .position), ("text-transform", .textTransform), ("direction", .direction),
            ("margin", .margin), ("margin-top", .marginAbove), ("margin-bottom", .marginBelow),
        ]
        return names.map { (NameKey($0.0.bytes), $0.1) }
    }()

    static func apply(
        _ style: UnsafeBufferPointer<UInt8>, to box: inout TextBox, of tag: TagID, keepsDisplay: Bool
    ) {
        /// Properties that an important declaration has set.
        var important = 0
        let isReadable = TextRelevance.forEachDeclaration(in: style) { name, value in
            guard TextRelevance.isRelevant(UnsafeBufferPointer(rebasing: style[name])) else { return true }
            let key = NameKey(UnsafeBufferPointer(rebasing: style[name]))
            guard let property = names.first(where: { $0.0 == key })?.1 else {
                return isHarmless(key, tag)
            }
            var value = value
            let isImportant = value.contains { style[$0] == 0x21 }
            if isImportant { value = value.lowerBound..<(value.firstIndex { style[$0] == 0x21 } ?? value.upperBound) }
            while value.count > 1, style[value.upperBound - 1].isHTMLSpace {
                value = value.lowerBound..<value.upperBound - 1
            }
            if important & 1 << property.rawValue != 0, !isImportant { return true }
            if isImportant { important |= 1 << property.rawValue }
            return apply(property, UnsafeBufferPointer(rebasing: style[value]), to: &box, tag, keepsDisplay)
        }
        if !isReadable { box.display = .unknown }
    }

    /// Side margins only move what is no quotation.
    private static func isHarmless(_ name: NameKey, _ tag: TagID) -> Bool {
        guard tag != .blockquote, tag != .dd, tag != .figure else { return false }
        return name == NameKey("margin-left".utf8) || name == NameKey("margin-right".utf8)
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
            guard (1...4).contains(sides.count), isZero(sides[0]), sides.count < 3 || isZero(sides[2]),
                sides.allSatisfy(isLength)
            else { return false }
            box.hasMarginAbove = false
            box.hasMarginBelow = false
        case .marginAbove:
            guard isZero(bytes[...]) else { return false }
            box.hasMarginAbove = false
        case .marginBelow:
            guard isZero(bytes[...]) else { return false }
            box.hasMarginBelow = false
        }
        return true
    }

    private static func isZero(_ value: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        value.elementsEqual([0x30]) || value.elementsEqual("0px".utf8)
    }

    /// `0`, `auto`, or pixels.
    private static func isLength(_ value: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        if isZero(value) || value.elementsEqual("auto".utf8) { return true }
        let digits = value.dropLast(2)
        return value.suffix(2).elementsEqual("px".utf8) && !digits.isEmpty && digits.allSatisfy(\.isASCIIDigit)
    }

    private static let displays: [(NameKey, ExtractionDisplay)] = {
        let names: [(StaticString, ExtractionDisplay)] = [
            ("none", .none), ("inline", .inline), ("block", .block), ("inline-block", .inlineBlock), ("flex", .flex),
            ("grid", .flex), ("inline-flex", .inlineFlex), ("inline-grid", .inlineFlex), ("flow-root", .block),
        ]
        return names.map { (NameKey($0.0.bytes), $0.1) }
    }()

    private static func setDisplay(_ value: NameKey, to box: inout TextBox, _ keepsDisplay: Bool) -> Bool {
        guard let display = displays.first(where: { $0.0 == value })?.1 else { return false }
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
