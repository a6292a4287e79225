// `data:` URIs (RFC 2397, with the Fetch standard's forgiving base64).

import FancyTextBasics
import FancyTextMarkup

package enum DataURI {
    package static func isDataURI(_ source: String) -> Bool {
        source.utf8.prefix(5).elementsEqual("data:".utf8) { $0 == $1 || $0 | 0x20 == $1 }
    }

    package static func decode(_ source: String) throws(ImageError) -> [UInt8] {
        guard isDataURI(source) else { throw .invalidDataURI }
        let rest = source.utf8.dropFirst(5)
        guard let comma = rest.firstIndex(of: UInt8(ascii: ",")) else { throw .invalidDataURI }
        let isBase64 = String(rest[..<comma])?.lowercased().hasSuffix(";base64") ?? false
        let body = percentDecoded(rest[rest.index(after: comma)...])
        return isBase64 ? try base64(body) : body
    }

    /// Decodes percent escapes such as `%41`; other percent signs are kept.
    package static func percentDecoded(_ text: some Sequence<UInt8>) -> [UInt8] {
        let bytes = Array(text)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = bytes[index + 1].hexValue,
                let low = bytes[index + 2].hexValue
            {
                result.append(UInt8(high << 4 | low))
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }

    /// The value of each character; 64 for characters without one. `-` and `_` stand for `+` and `/` (RFC 4648 §5).
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 64, count: 256)
        for (value, character) in Base64.alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        (values[0x2D], values[0x5F]) = (62, 63)
        return values
    }()

    /// Decodes base64. White space is skipped and padding may be missing; any other invalid character is an error.
    static func base64(_ text: [UInt8]) throws(ImageError) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count / 4 * 3)
        var bits: UInt32 = 0
        var (count, padding) = (0, 0)
        for byte in text {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0C, 0x0D: continue
            case UInt8(ascii: "="): padding += 1
            default:
                let value = values[Int(byte)]
                guard value < 64, padding == 0 else { throw .invalidDataURI }
                bits = bits << 6 | UInt32(value)
                count = (count + 1) % 4
                // All characters but the first of four complete a byte.
                if count != 1 { result.append(UInt8(truncatingIfNeeded: bits >> UInt32((4 - count) % 4 * 2))) }
            }
        }
        guard count != 1 else { throw .invalidDataURI }
        guard padding == 0 || (padding <= 2 && (count + padding) % 4 == 0) else { throw .invalidDataURI }
        return result
    }
}
