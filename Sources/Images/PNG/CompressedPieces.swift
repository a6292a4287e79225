// Compressed pieces of the pictures before: pictures of one template have rows in common, and the same bytes compress alike.
//
// In: bytes to be compressed. Out: what they were compressed to, when the very same bytes were before.

import CDeflate
import Glibc

/// Remembers pieces that have come more than once. Bounded; one task owns it.
struct CompressedPieces {
    /// The bits of a stream's last block.
    typealias Bits = (start: Int, end: Int)

    private struct Piece {
        var digest: UInt64
        var compressor: OpaquePointer
        var input: [UInt8]
        var output: [UInt8]
        var lastBlock: Bits
        var lastUse: Int
    }

    private var pieces: [Piece] = []
    private var size = 0
    /// Digests of pieces that came lately.
    private var recent = [UInt64](repeating: 0, count: 64)
    private var uses = 0

    private static let mostPieces = 32
    /// Bytes of all inputs.
    private static let mostBytes = 1 << 21

    static func digest(_ input: UnsafeBufferPointer<UInt8>) -> UInt64 {
        UInt64(input.count) << 32 | UInt64(libdeflate_adler32(1, input.baseAddress, input.count))
    }

    /// Calls `body` with what the piece was compressed to, and with the place of its last block; nil if it is not known.
    mutating func withOutput<Result>(
        of input: UnsafeBufferPointer<UInt8>, _ digest: UInt64, _ compressor: OpaquePointer,
        _ body: (UnsafeBufferPointer<UInt8>, Bits) -> Result
    ) -> Result? {
        for index in pieces.indices where pieces[index].digest == digest && pieces[index].compressor == compressor {
            let isSame = pieces[index].input.withUnsafeBytes { known in
                guard let a = known.baseAddress, let b = input.baseAddress else { return false }
                return known.count == input.count && memcmp(a, b, input.count) == 0
            }
            guard isSame else { continue }
            uses += 1
            pieces[index].lastUse = uses
            let block = pieces[index].lastBlock
            return pieces[index].output.withUnsafeBufferPointer { body($0, block) }
        }
        return nil
    }

    /// Whether a piece came lately: then it is worth being kept. It counts as having come from here on.
    mutating func isKnown(_ digest: UInt64) -> Bool {
        if recent.contains(digest) { return true }
        uses += 1
        recent[uses & 63] = digest
        return false
    }

    /// Keeps a piece; those go that were not used for the longest time.
    mutating func keep(
        _ input: UnsafeBufferPointer<UInt8>, _ digest: UInt64, _ compressor: OpaquePointer,
        as output: UnsafeBufferPointer<UInt8>, _ lastBlock: Bits
    ) {
        guard input.count <= Self.mostBytes / 4 else { return }
        while pieces.count >= Self.mostPieces || size + input.count > Self.mostBytes,
            let oldest = pieces.indices.min(by: { pieces[$0].lastUse < pieces[$1].lastUse })
        {
            size -= pieces[oldest].input.count
            pieces.remove(at: oldest)
        }
        uses += 1
        size += input.count
        pieces.append(
            Piece(
                digest: digest, compressor: compressor, input: Array(input), output: Array(output),
                lastBlock: lastBlock,
                lastUse: uses))
    }
}
