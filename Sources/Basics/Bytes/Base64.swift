// Base64 (RFC 4648 §4). In: bytes. Out: text, padded.

package enum Base64 {
    package static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    package static func encode(_ data: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity((data.count + 2) / 3 * 4)
        for start in stride(from: 0, to: data.count, by: 3) {
            let count = min(3, data.count - start)
            let bits = (0..<3).reduce(0) { $0 << 8 | ($1 < count ? Int(data[start + $1]) : 0) }
            for place in 0..<4 {
                out.append(place > count ? UInt8(ascii: "=") : alphabet[bits >> (18 - 6 * place) & 63])
            }
        }
        return out
    }
}
