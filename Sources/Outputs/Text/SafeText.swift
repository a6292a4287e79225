// Text that may go to a terminal or a pipe: what could steer either is taken out.

package enum SafeText {
    /// A carriage return that a reference gave is a line end in the output.
    static func withoutReturns(_ text: [UInt8]) -> [UInt8] {
        text.contains(0x0D) ? text.map { $0 == 0x0D ? 0x0A : $0 } : text
    }

    /// No C0, C1 and bidi controls but tab and newline.
    package static func withoutControls(_ text: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(text.count)
        var i = 0
        while i < text.count {
            let byte = text[i]
            if byte == 0x0D {
                out.append(0x0A)
            } else if byte < 0x20 && byte != 0x0A && byte != 0x09 || byte == 0x7F {
                // Dropped.
            } else if byte == 0xC2, i + 1 < text.count, text[i + 1] < 0xA0 {
                i += 1
            } else if byte == 0xE2, i + 2 < text.count,
                text[i + 1] == 0x80 && (0xAA...0xAE).contains(text[i + 2])
                    || text[i + 1] == 0x81 && (0xA6...0xA9).contains(text[i + 2])
            {
                i += 2
            } else {
                out.append(byte)
            }
            i += 1
        }
        return out
    }
}
