// Base64 (RFC 4648 §4). In: bytes. Out: text, padded.

package enum Base64 {
    package static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Linear.
    package static func encode(_ data: [UInt8]) -> [UInt8] {
        let size = (data.count + 2) / 3 * 4
        return [UInt8](unsafeUninitializedCapacity: size) { out, count in
            alphabet.withUnsafeBufferPointer { alphabet in
                data.withUnsafeBufferPointer { data in
                    var to = 0
                    var from = 0
                    while from + 3 <= data.count {
                        let bits = Int(data[from]) << 16 | Int(data[from + 1]) << 8 | Int(data[from + 2])
                        out[to] = alphabet[bits >> 18]
                        out[to + 1] = alphabet[bits >> 12 & 63]
                        out[to + 2] = alphabet[bits >> 6 & 63]
                        out[to + 3] = alphabet[bits & 63]
                        from += 3
                        to += 4
                    }
                    let rest = data.count - from
                    guard rest > 0 else { return }
                    let bits = Int(data[from]) << 16 | (rest > 1 ? Int(data[from + 1]) << 8 : 0)
                    out[to] = alphabet[bits >> 18]
                    out[to + 1] = alphabet[bits >> 12 & 63]
                    out[to + 2] = rest > 1 ? alphabet[bits >> 6 & 63] : UInt8(ascii: "=")
                    out[to + 3] = UInt8(ascii: "=")
                }
            }
            count = size
        }
    }
}
