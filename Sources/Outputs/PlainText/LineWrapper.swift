// Lines on a terminal: how many columns text takes, and where a line that is too long breaks.

import CByteScan

/// Breaks one line into pieces that fit a width.
enum LineWrapper {
    static func wrap(
        _ line: UnsafeBufferPointer<UInt8>, width: Int, indent: Int,
        opportunities: ((UnsafeBufferPointer<UInt8>) -> [Int])?,
        _ emit: (UnsafeBufferPointer<UInt8>, Bool, Int) -> Void
    ) {
        let breaks = opportunities?(line) ?? simpleOpportunities(line)
        var start = 0
        var last: Int?
        var columns = 0
        var lastColumns = 0
        var at = 0
        var next = 0
        var isFirst = true
        func put(_ from: Int, _ to: Int) {
            var end = to
            while end > from, line[end - 1] == 0x20 { end -= 1 }
            emit(UnsafeBufferPointer(rebasing: line[from..<end]), isFirst, indent)
            isFirst = false
        }
        while at < line.count {
            while next < breaks.count, breaks[next] <= at {
                if breaks[next] == at, at > start {
                    last = at
                    lastColumns = columns
                }
                next += 1
            }
            let (scalar, length) = TextColumns.scalar(line, at)
            let wide = TextColumns.of(scalar)
            let limit = isFirst ? width : width - indent
            if columns + wide > limit, line[at] != 0x20, let cut = last {
                put(start, cut)
                start = cut
                columns -= lastColumns
                last = nil
                continue
            }
            columns += wide
            at += length
        }
        put(start, line.count)
    }

    /// After spaces and hyphens, and between ideographs.
    static func simpleOpportunities(_ line: UnsafeBufferPointer<UInt8>) -> [Int] {
        var breaks: [Int] = []
        var at = 0
        var previous: UInt32 = 0
        while at < line.count {
            let (scalar, length) = TextColumns.scalar(line, at)
            if previous == 0x20, scalar != 0x20 {
                breaks.append(at)
            } else if previous == 0x2D, scalar != 0x2D, scalar != 0x20, !(0x30...0x39).contains(scalar) {
                breaks.append(at)
            } else if isIdeograph(previous) && !isClosing(scalar) && scalar != 0x20
                || isIdeograph(scalar) && previous != 0 && previous != 0x20 && !isOpening(previous)
            {
                if !isClosing(scalar), !isOpening(previous) { breaks.append(at) }
            }
            previous = scalar
            at += length
        }
        return breaks
    }

    private static func isIdeograph(_ scalar: UInt32) -> Bool {
        (0x3040...0x30FF).contains(scalar) || (0x3400...0x9FFF).contains(scalar) || (0xAC00...0xD7A3).contains(scalar)
            || (0xF900...0xFAFF).contains(scalar)
            || (0x2_0000...0x3_FFFD).contains(scalar) || isClosing(scalar) && scalar > 0x3000
    }

    private static func isClosing(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x3001, 0x3002, 0xFF0C, 0xFF0E, 0xFF1A, 0xFF1B, 0xFF1F, 0xFF01, 0x300D, 0x300F, 0x3011, 0x3009, 0x300B,
            0xFF09, 0x30FC, 0x2019, 0x201D, 0x29,
            0x2C, 0x2E, 0x3B, 0x3A, 0x21, 0x3F, 0x3041, 0x3043, 0x3045, 0x3047, 0x3049, 0x3063, 0x3083, 0x3085, 0x3087,
            0x30A1, 0x30A3, 0x30A5, 0x30A7,
            0x30A9, 0x30C3, 0x30E3, 0x30E5, 0x30E7, 0x3005:
            true
        default: false
        }
    }

    private static func isOpening(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x300C, 0x300E, 0x3010, 0x3008, 0x300A, 0xFF08, 0x28, 0x2018, 0x201C: true
        default: false
        }
    }
}

/// Columns that text takes on a terminal.
package enum TextColumns {
    /// The scalar at `at` and its length; a byte that starts none stands for itself.
    @inline(__always)
    static func scalar(_ text: UnsafeBufferPointer<UInt8>, _ at: Int) -> (UInt32, Int) {
        let first = text[at]
        if first < 0x80 { return (UInt32(first), 1) }
        let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard first >= 0xC2, at + length <= text.count else { return (0xFFFD, 1) }
        var value = UInt32(first) & (length == 2 ? 0x1F : length == 3 ? 0x0F : 0x07)
        for k in 1..<length { value = value << 6 | UInt32(text[at + k] & 0x3F) }
        return (value, length)
    }

    /// 0 for marks and format characters, 2 for East Asian wide and emoji, else 1.
    package static func of(_ scalar: UInt32) -> Int {
        if scalar < 0x300 { return scalar == 0xAD ? 0 : 1 }
        switch scalar {
        case 0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x23F0, 0x23F3, 0x25FD...0x25FE,
            0x2614...0x2615, 0x2648...0x2653, 0x267F,
            0x2693, 0x26A1, 0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5, 0x26CE, 0x26D4, 0x26EA, 0x26F2...0x26F3,
            0x26F5, 0x26FA, 0x26FD, 0x2705,
            0x270A...0x270B, 0x2728, 0x274C, 0x274E, 0x2753...0x2755, 0x2757, 0x2795...0x2797, 0x27B0, 0x27BF,
            0x2B1B...0x2B1C, 0x2B50, 0x2B55,
            0x2E80...0x303E, 0x3041...0x3098, 0x309B...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFE10...0xFE19,
            0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1_F004, 0x1_F0CF, 0x1_F18E, 0x1_F191...0x1_F19A,
            0x1_F200...0x1_F320,
            0x1_F32D...0x1_F335, 0x1_F337...0x1_F37C, 0x1_F37E...0x1_F393, 0x1_F3A0...0x1_F3CA, 0x1_F3CF...0x1_F3D3,
            0x1_F3E0...0x1_F3F0, 0x1_F3F4,
            0x1_F3F8...0x1_F43E, 0x1_F440, 0x1_F442...0x1_F4FC, 0x1_F4FF...0x1_F53D, 0x1_F54B...0x1_F567, 0x1_F57A,
            0x1_F595...0x1_F596, 0x1_F5A4,
            0x1_F5FB...0x1_F64F, 0x1_F680...0x1_F6C5, 0x1_F6CC, 0x1_F6D0...0x1_F6D7, 0x1_F6DC...0x1_F6DF,
            0x1_F6EB...0x1_F6EC, 0x1_F6F4...0x1_F6FC,
            0x1_F7E0...0x1_F7EB, 0x1_F90C...0x1_F93A, 0x1_F93C...0x1_F945, 0x1_F947...0x1_FAFF, 0x2_0000...0x3_FFFD:
            return 2
        case 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFE00...0xFE0F, 0xFEFF, 0x1160...0x11FF,
            0xE_0000...0xE_01EF:
            return 0
        default:
            guard let value = Unicode.Scalar(scalar) else { return 1 }
            switch value.properties.generalCategory {
            case .nonspacingMark, .enclosingMark: return 0
            default: return 1
            }
        }
    }

    package static func of(_ text: [UInt8]) -> Int { text.withUnsafeBufferPointer { of($0) } }

    static func of(_ text: UnsafeBufferPointer<UInt8>) -> Int {
        guard let base = text.baseAddress else { return 0 }
        var columns = 0
        var at = 0
        var joins = false
        while at < text.count {
            if text[at] < 0x80 {
                let high = cbytescan_high(base + at, base + text.count)
                let plain = min(high == 0 ? 16 : high.trailingZeroBitCount, text.count - at)
                columns += plain
                at += plain
                joins = false
            } else {
                let (scalar, length) = scalar(text, at)
                // What a zero-width joiner glues on takes no room of its own.
                if !joins { columns += of(scalar) }
                joins = scalar == 0x200D
                at += length
            }
        }
        return columns
    }
}
