// The chunks of a PNG file (PNG specification, third edition), and its data besides the pixels.

import CFancyTextDeflate

package struct PNGMetadata: Sendable {
    /// The plain text of the picture, UTF-8: iTXt `Description`.
    package var text: [UInt8]
    /// BCP 47; empty if unknown.
    package var language: String
    /// Device pixels for each CSS pixel: pHYs.
    package var scale: Float

    package init(text: [UInt8], language: String, scale: Float) {
        (self.text, self.language, self.scale) = (text, language, scale)
    }
}

/// A compressor of libdeflate, created on first use.
package final class Compressor {
    private let level: Int32
    private var made: OpaquePointer?

    package init(level: Int32) { self.level = level }
    deinit { libdeflate_free_compressor(made) }

    var handle: OpaquePointer? {
        made = made ?? libdeflate_alloc_compressor(level)
        return made
    }

    package func packed(_ bytes: [UInt8]) -> [UInt8]? { bytes.withUnsafeBufferPointer(packed) }

    /// Bytes as a zlib stream; nil if there is not enough memory.
    func packed(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard let handle else { return nil }
        return Array(unsafeUninitializedCapacity: libdeflate_zlib_compress_bound(handle, bytes.count)) {
            $1 = libdeflate_zlib_compress(handle, bytes.baseAddress, bytes.count, $0.baseAddress, $0.count)
        }
    }
}

/// The bytes of a zlib stream; nil if it is damaged. Linear in their number.
package func unpacked(_ stream: ArraySlice<UInt8>) -> [UInt8]? {
    guard let handle = libdeflate_alloc_decompressor() else { return nil }
    defer { libdeflate_free_decompressor(handle) }
    var (size, status) = (8 * stream.count + 64, LIBDEFLATE_INSUFFICIENT_SPACE)
    var result: [UInt8] = []
    while status == LIBDEFLATE_INSUFFICIENT_SPACE, size < 1 << 31 {
        result = stream.withUnsafeBytes { stream in
            Array(unsafeUninitializedCapacity: size) { buffer, count in
                status = libdeflate_zlib_decompress_ex(
                    handle, stream.baseAddress, stream.count, buffer.baseAddress, size, nil, &count)
                if status != LIBDEFLATE_SUCCESS { count = 0 }
            }
        }
        size *= 4
    }
    return status == LIBDEFLATE_SUCCESS ? result : nil
}

/// A file under construction: signature and chunks (§5).
struct PNGFile {
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    mutating func header(width: Int, height: Int, depth: Int, colorType: UInt8) {
        chunk("IHDR", Self.big(UInt32(width)) + Self.big(UInt32(height)) + [UInt8(depth), colorType, 0, 0, 0])
    }

    mutating func append(_ metadata: PNGMetadata, _ compressor: Compressor) {
        // CSS pixels are 1/96 inch (CSS Values 4 §6.2).
        let perMetre = max(1, UInt32(bounded: (96 * metadata.scale / 0.0254).rounded(), by: 1e9))
        chunk("pHYs", Self.big(perMetre) + Self.big(perMetre) + [1])
        guard !metadata.text.isEmpty else { return }
        let zlib = metadata.text.count > 256 ? compressor.packed(metadata.text) : nil
        let packed = zlib.flatMap { $0.count < metadata.text.count ? $0 : nil }
        let language = metadata.language.utf8.filter { $0 < 0x80 && ($0 == UInt8(ascii: "-") || $0 >= 0x30) }
        chunk(
            "iTXt",
            Array("Description".utf8) + [0, packed == nil ? 0 : 1, 0] + language + [0, 0] + (packed ?? metadata.text))
    }

    mutating func chunk(_ type: StaticString, _ data: [UInt8]) {
        if bytes.capacity < bytes.count + data.count + 24 { bytes.reserveCapacity(bytes.count + data.count + 24) }
        bytes.append(contentsOf: Self.big(UInt32(data.count)))
        let start = bytes.count
        type.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: data)
        let check = bytes.withUnsafeBytes { libdeflate_crc32(0, $0.baseAddress.map { $0 + start }, $0.count - start) }
        bytes.append(contentsOf: Self.big(check))
    }

    /// Ends the file with the zlib stream of the rows; nil or an empty one is a failure.
    mutating func end(_ stream: [UInt8]?) throws(PNGError) -> [UInt8] {
        guard let stream, !stream.isEmpty else { throw .outOfMemory }
        chunk("IDAT", stream)
        chunk("IEND", [])
        return bytes
    }

    static func big(_ value: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
}
