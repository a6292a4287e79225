// The Unicode Character Database's test files, from Debian's unicode-data package.

import FancyTextPlatform
import Testing

enum UnicodeData {
    static let folder = "/usr/share/unicode/"
    static var isInstalled: Bool { access(folder + "auxiliary/LineBreakTest.txt", R_OK) == 0 }

    /// The file's lines without comments and empty lines.
    static func lines(_ name: String) -> [Substring] {
        guard let file = fopen(folder + name, "r") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&chunk, 1, chunk.count, file)
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        return bytes.split(separator: 0x0A).compactMap { line in
            let content = line.prefix { $0 != UInt8(ascii: "#") }
            return content.isEmpty ? nil : Substring(String(decoding: content, as: UTF8.self))
        }
    }

    /// `÷ 0061 × 0308 ÷`: the text as UTF-8, and the byte offsets at `÷`.
    static func breakCase(_ line: Substring) -> (text: [UInt8], breaks: [Int]) {
        var text: [UInt8] = []
        var breaks: [Int] = []
        for field in line.split(whereSeparator: { $0 == " " || $0 == "\t" }) {
            if field == "÷" {
                breaks.append(text.count)
            } else if field != "×", let value = UInt32(field, radix: 16) {
                text += utf8(value)
            }
        }
        return (text, breaks)
    }

    static func utf8(_ value: UInt32) -> [UInt8] {
        guard let scalar = Unicode.Scalar(value) else { return [0xEF, 0xBF, 0xBD] }
        return Array(String(scalar).utf8)
    }
}
