// Decides whether bytes are text at all. Fuzzed markup has as many controls as random bytes, in which next to nothing begins a tag.

import FancyTextBasics

extension InputEncoding {
    private static let checkedBytes = 8192

    /// Returns whether the input can be read as text. At its beginning, less than a tenth of the characters must be invalid, and
    /// less than a twentieth controls. Input with as many tags as markup has is always text.
    package static func isText(_ source: UnsafeBufferPointer<UInt8>, label: String?) -> Bool {
        guard source.count >= leastBytes else { return true }
        let head = UnsafeBufferPointer(rebasing: source.prefix(checkedBytes))
        if !head.contains(where: { $0 >= 0x80 || isForeign($0) }) { return true }
        var ignored = DiagnosticLog()
        let text = decode(SourceBytes(Array(head)), label: label, sourceName: "", log: &ignored)
        let bytes = text.buffer
        var (characters, controls, invalid, tags) = (0, 0, 0, 0)
        for (index, byte) in bytes.enumerated() where byte & 0xC0 != 0x80 {
            characters += 1
            if isForeign(byte) { controls += 1 }
            let next = index + 1 < bytes.count ? bytes[index + 1] : 0
            // The lead byte of U+FFFD, which few other characters have.
            if byte == 0xEF, next == 0xBF, index + 2 < bytes.count, bytes[index + 2] == 0xBD { invalid += 1 }
            if byte == UInt8(ascii: "<"), next.isASCIILetter || next == 0x2F || next == 0x21 { tags += 1 }
        }
        if tags * 100 >= characters { return true }
        return (controls < fewest || controls * 20 < characters) && (invalid < fewest || invalid * 10 < characters)
    }

    /// Shorter inputs are always text, even if they are only controls.
    private static let leastBytes = 64
    /// Fewer controls or invalid bytes than this are ignored.
    private static let fewest = 4

    /// Returns whether a byte is a control that text does not contain; ISO-2022-JP has escapes.
    private static func isForeign(_ byte: UInt8) -> Bool {
        byte < 0x20 && ![0x09, 0x0A, 0x0C, 0x0D, 0x1B].contains(byte) || byte == 0x7F
    }
}
