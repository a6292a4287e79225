// Properties of Unicode scalars for itemization and line breaking.

import CFancyTextUnicode

@inlinable @inline(__always) package func unicodeRecord(_ scalar: UInt32) -> UnicodeRecord { unicode_record(scalar) }

extension UnicodeRecord {
    @inlinable @inline(__always) package func has(_ flag: Int) -> Bool { flags & UInt16(truncatingIfNeeded: flag) != 0 }
    @inlinable @inline(__always) package var isDefaultIgnorable: Bool { has(UnicodeFlagDefaultIgnorable) }
    @inlinable @inline(__always) package var isMark: Bool { has(UnicodeFlagMark) }
    @inlinable @inline(__always) package var isWide: Bool { has(UnicodeFlagWide) }
}

/// Returns whether a scalar is an "other space separator" (CSS Text 3 §1.4): not the space or the no-break space.
@inlinable package func isSpaceSeparator(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x1680, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: true
    default: false
    }
}

/// Returns whether the character at `index` hangs at the end of a line, as in browsers: a space, or an ideographic space.
@inlinable package func isHangingSpace(_ text: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
    if text[index] == 0x20 { return true }
    return text[index] == 0xE3 && index + 2 < text.count && text[index + 1] == 0x80 && text[index + 2] == 0x80
}

/// Returns whether a scalar is East Asian Wide or Fullwidth and not Hangul (CSS Text 3 §4.1.3).
package func isWideEastAsian(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF, 0xF900...0xFAFF,
        0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
        !(0x3130...0x318F).contains(scalar)
    default: false
    }
}
