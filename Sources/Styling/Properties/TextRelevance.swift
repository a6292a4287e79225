// The properties that can change a document's plain text. All others only affect colour, size and position.
//
// In: a property's name. Out: whether it may change text. Text outputs read only such declarations.

import FancyTextMarkup

package enum TextRelevance {
    /// Names without vendor prefixes, in ascending order.
    private static let names: [StaticString] = [
        "all", "animation", "animation-delay", "animation-direction", "animation-duration", "animation-fill-mode",
        "animation-iteration-count", "animation-name", "animation-play-state", "animation-timing-function",
        "box-orient", "content", "counter-increment", "counter-reset", "counter-set", "direction", "display",
        "float", "line-clamp", "list-style", "list-style-image", "list-style-position", "list-style-type", "margin",
        "margin-after", "margin-before", "margin-block", "margin-block-end", "margin-block-start", "margin-bottom",
        "margin-end", "margin-inline", "margin-inline-end", "margin-inline-start", "margin-left", "margin-right",
        "margin-start", "margin-top", "position", "quotes", "text-transform", "text-wrap", "text-wrap-mode",
        "unicode-bidi", "visibility", "white-space", "white-space-collapse", "writing-mode",
    ]

    /// For each first letter, a bit set of the lengths of the names that begin with it. It rejects most other properties early.
    private static let lengths: [UInt32] = names.reduce(into: Array(repeating: 0, count: 26)) { lengths, name in
        guard let letter = letter(name.utf8Start[0]) else { return }
        lengths[letter] |= 1 << UInt32(name.utf8CodeUnitCount)
    }

    /// The index of a letter in the alphabet.
    @inline(__always)
    private static func letter(_ byte: UInt8) -> Int? {
        let place = (byte | 0x20) &- 0x61
        return place < 26 ? Int(place) : nil
    }

    /// Returns whether a declaration of the property may change text. The cascade ignores unknown names. This library's own
    /// properties (`-ft-…`) and custom properties, which others may refer to, always count. O(log properties).
    package static func isRelevant(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        var start = 0
        if name.count > 2, name[0] == 0x2D {
            if name[1] == 0x2D { return true }
            guard let dash = name[1...].firstIndex(of: 0x2D) else { return false }
            if dash == 3, name[1].asciiLowercased == 0x66, name[2].asciiLowercased == 0x74 { return true }
            start = dash + 1
        }
        let length = name.count - start
        guard 1..<32 ~= length, let letter = Self.letter(name[start]), lengths[letter] & 1 << UInt32(length) != 0 else {
            return false
        }
        var low = 0
        var high = names.count
        while low < high {
            let middle = (low + high) / 2
            switch order(name, from: start, names[middle]) {
            case 0: return true
            case ..<0: high = middle
            default: low = middle + 1
            }
        }
        return false
    }

    /// Returns whether the property sets the font size, to which margins may be relative.
    package static func sizesFont(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        order(name, from: 0, "font-size") == 0 || order(name, from: 0, "font") == 0
    }

    private static func order(_ name: UnsafeBufferPointer<UInt8>, from start: Int, _ other: StaticString) -> Int {
        let count = other.utf8CodeUnitCount
        for i in 0..<min(name.count - start, count) {
            let difference = Int(name[start + i].asciiLowercased) - Int(other.utf8Start[i])
            if difference != 0 { return difference }
        }
        return name.count - start - count
    }
}
