// Inputs that are not text: pictures, archives and other bytes mistaken for documents.
//
// In: the bytes of a file. Out: an error with the kind of the file, if it is not text.

import FancyTextMarkup

enum ForeignInput {
    /// The first bytes of known kinds of files.
    private static let kinds: [(prefix: [UInt8], name: String)] = [
        ([0xFF, 0xD8, 0xFF], "a JPEG picture"), ([0x89, 0x50, 0x4E, 0x47], "a PNG picture"),
        (Array("GIF8".utf8), "a GIF picture"), (Array("%PDF-".utf8), "a PDF document"),
        ([0x50, 0x4B, 0x03, 0x04], "a ZIP archive"), ([0x1F, 0x8B, 0x08], "compressed by gzip"),
        ([0x7F, 0x45, 0x4C, 0x46], "a program"),
    ]

    /// - Parameters:
    ///   - encoding: the label of the declared encoding.
    ///   - expected: what the bytes should be.
    /// - Throws: if the bytes begin like a known kind of file, or are not text.
    static func check(
        _ bytes: UnsafeRawBufferPointer, named name: String, encoding: String?, expected: String = "markup"
    ) throws(CommandFailure) {
        guard let first = bytes.first else { return }
        var kind = first == 0x3C ? nil : kinds.first { bytes.starts(with: $0.prefix) }?.name
        if kind == nil, bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
            kind = "a WebP picture"
        }
        guard let kind else {
            guard !InputEncoding.isText(bytes.assumingMemoryBound(to: UInt8.self), label: encoding) else { return }
            throw CommandFailure("\(name): this is not text; if it is, name its encoding with --encoding")
        }
        let advice = kind.hasSuffix("picture") && expected == "markup" ? "; a document shows it with <img src>" : ""
        throw CommandFailure("\(name): this is \(kind), not \(expected)\(advice)")
    }
}
