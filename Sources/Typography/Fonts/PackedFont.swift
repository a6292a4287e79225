// The unpacked size of a font file, from its header (WOFF 1 §3–4, WOFF 2 §4).

package enum PackedFont {
    /// The size in bytes of a file's unpacked tables; that of the file itself if it is not compressed.
    package static func size(of file: [UInt8]) -> Int {
        let whole = FontTable(file: file, range: 0..<file.count)
        func number(_ at: Int, _ bytes: Int) -> Int { whole.number(at, bytes) ?? 0 }
        let tables = number(12, 2)
        if file.starts(with: Array("wOFF".utf8)) {
            return (0..<tables).reduce(number(16, 4)) { $0 + number(44 + $1 * 20 + 12, 4) }
        }
        guard file.starts(with: Array("wOF2".utf8)) else { return file.count }
        var at = 48
        var sum = number(16, 4)
        /// Reads a UIntBase128.
        func length() -> Int {
            var value = 0
            for _ in 0..<5 {
                let byte = number(at, 1)
                at += 1
                value = value << 7 | byte & 0x7F
                if byte & 0x80 == 0 { break }
            }
            return value
        }
        for _ in 0..<tables where at < file.count {
            let flags = number(at, 1)
            at += 1
            let tag = flags & 0x3F
            // 0x3F is followed by an arbitrary tag of four bytes.
            if tag == 0x3F { at += 4 }
            sum += length()
            let version = flags >> 6
            // glyf and loca (10, 11) are transformed in version 0, other tables in all other versions.
            let isTransformed = tag == 10 || tag == 11 ? version == 0 : version != 0
            if isTransformed { sum += length() }
        }
        return sum
    }
}
