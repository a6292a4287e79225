// Numbers and characters as several outputs write them, and the removal of characters from text that could control a terminal or a
// program that reads a pipe.

import FancyTextBasics

package enum Notation {
    /// At most three decimals, without trailing zeros; 0 for infinities and NaN.
    package static func number(_ value: Float) -> String {
        guard value.isFinite else { return "0" }
        let thousandths = Int(bounded: (Double(value) * 1000).rounded(), by: 1e12)
        let (whole, rest) = abs(thousandths).quotientAndRemainder(dividingBy: 1000)
        var text = thousandths < 0 ? "-\(whole)" : "\(whole)"
        guard rest > 0 else { return text }
        var digits = "\(1000 + rest)".dropFirst()
        while digits.last == "0" { digits.removeLast() }
        text += "." + digits
        return text
    }

    /// The text with references for the characters that are markup in HTML and XML, in contents and in attributes.
    package static func escaped(_ text: some StringProtocol) -> String {
        text.escaped(\.markupReference)
    }
}

package enum SafeText {
    /// Removes C0, C1 and bidi controls except tab and newline. A carriage return becomes a newline.
    package static func withoutControls(_ text: [UInt8]) -> [UInt8] {
        var result = text
        filter(&result) { byte, _ in byte == 0x0D ? 0x0A : byte < 0x20 || byte == 0x7F ? nil : byte }
        return result
    }

    /// Removes only what could control a terminal from a whole text; a CR that ends a line and a NUL that ends a record are kept.
    ///
    /// - Parameter isForTerminal: Whether the text goes directly to a terminal; no control is kept then. Otherwise controls that
    ///   no terminal acts on are kept, for programs that need the unchanged text.
    package static func clean(_ text: inout [UInt8], isForTerminal: Bool = false) {
        filter(&text) { byte, next in
            switch byte {
            case 0x0D: next == 0x0A ? 0x0D : 0x0A
            // Transmission, the bell, cursor movement, another character set, flow control, an escape sequence.
            case 0x01..<0x09, 0x0B, 0x0C, 0x0E, 0x0F, 0x11, 0x13, 0x18, 0x1A, 0x1B: nil
            case 0x10..<0x20, 0x7F: isForTerminal ? nil : byte
            default: byte
            }
        }
    }

    /// Removes C1 and bidi controls, and replaces other bytes that may be controls.
    ///
    /// - Parameter replacement: Returns the byte for a suspect one, `nil` to remove it. Its second argument is the byte after it.
    private static func filter(_ text: inout [UInt8], _ replacement: (UInt8, UInt8) -> UInt8?) {
        guard text.contains(where: isSuspect) else { return }
        var kept = 0
        text.withUnsafeMutableBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            var index = 0
            while index < bytes.count {
                let byte = bytes[index]
                if byte >= 0x80, TextWriter.startsControl(base + index, bytes.count - index) {
                    index += byte == 0xC2 ? 2 : 3
                    continue
                }
                index += 1
                let next = index < bytes.count ? bytes[index] : 0
                guard let byte = isSuspect(byte) ? replacement(byte, next) : byte else { continue }
                bytes[kept] = byte
                kept += 1
            }
        }
        text.removeLast(text.count - kept)
    }

    /// Returns whether a byte is a control, or may be the first byte of one.
    package static func isSuspect(_ byte: UInt8) -> Bool {
        byte < 0x20 ? byte != 0x0A && byte != 0x09 && byte != 0 : byte == 0x7F || byte == 0xC2 || byte == 0xE2
    }

    /// The number of bytes at the end of a piece of text that may be the start of a sequence that ``clean(_:)`` changes.
    package static func pending(_ text: UnsafeBufferPointer<UInt8>) -> Int {
        for length in 1...2 where text.count >= length {
            let byte = text[text.count - length]
            if byte == 0xE2 || length == 1 && (byte == 0xC2 || byte == 0x0D) { return length }
        }
        return 0
    }
}
