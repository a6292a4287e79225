// A part of a document that is decoded before it is read. In: offsets of the decoded text. Out: places of the file.

import FancyTextBasics
import Synchronization

/// A part of a document that is decoded before it is read: its offsets are those of the decoded text.
package final class EmbeddedText: PlacedText {
    package let name: String
    private let source: SourceBytes
    private let range: Range<Int>
    private let replaced: EmbeddedText?
    private let origin: DerivedText?
    private let mode: EntityDecoder.Mode
    package let lineIndex: LineIndex
    /// Computed on first use.
    private let offsets = Mutex<DecodedOffsets?>(nil)

    package var start: Int { range.lowerBound }

    /// A text that an edit puts in place of another: its parts are those of the other, except for inserted ones.
    ///
    /// - Parameter pieces: the lengths of the parts, and those of the replaced parts; nil for an unchanged part.
    package init(replacing text: EmbeddedText, by pieces: [(length: Int, replaced: Int?)]) {
        (name, source, range, mode) = (text.name, text.source, text.range, text.mode)
        (lineIndex, origin, replaced) = (text.lineIndex, text.origin, text)
        offsets.withLock { $0 = DecodedOffsets(pieces) }
    }

    init(_ range: Range<Int>, of storage: TreeStorage, mode: EntityDecoder.Mode) {
        name = storage.options.sourceName
        source = storage.source
        self.range = range
        self.mode = mode
        origin = storage.options.origin
        lineIndex = origin?.lineIndex ?? storage.lineIndex
        replaced = nil
    }

    /// The offset of the source byte from which a byte was decoded. First O(part), then O(log references).
    package func sourceOffset(of offset: Int) -> Int {
        offsets.withLock { offsets in
            let known = offsets ?? DecodedOffsets(UnsafeBufferPointer(rebasing: source.buffer[range]), mode: mode)
            offsets = known
            let offset = known.source(of: offset)
            return replaced?.sourceOffset(of: offset) ?? start + offset
        }
    }

    package func withFile<Result>(
        at offset: Int, _ body: (UnsafeBufferPointer<UInt8>, _ offset: Int) -> Result
    ) -> Result {
        let offset = sourceOffset(of: offset)
        return origin?.withFile(at: offset, body) ?? body(source.buffer, offset)
    }
}

/// Maps each byte of a decoded text to its source byte.
struct DecodedOffsets: Sendable {
    /// A mapping that is valid from `decoded` until the next step.
    private struct Step: BitwiseCopyable {
        var decoded: Int
        var source: Int
        /// True if bytes are copied from the source one by one; otherwise all of them come from the byte at `source`.
        var isCopied: Bool
    }

    private var steps = [Step(decoded: 0, source: 0, isCopied: true)]
    private let count: Int

    init(_ pieces: [(length: Int, replaced: Int?)]) {
        steps = []
        var (decoded, source) = (0, 0)
        for piece in pieces {
            steps.append(Step(decoded: decoded, source: source, isCopied: piece.replaced == nil))
            decoded += piece.length
            source += piece.replaced ?? piece.length
        }
        count = source
    }

    /// O(n).
    init(_ bytes: UnsafeBufferPointer<UInt8>, mode: EntityDecoder.Mode) {
        count = bytes.count
        guard let base = bytes.baseAddress, EntityDecoder.needsDecoding(bytes) else { return }
        var scratch: [UInt8] = []
        var decoded = 0
        var i = 0
        while true {
            // Most bytes are unchanged by decoding.
            let next = EntityDecoder.firstToDecode(base, from: i, to: bytes.count)
            decoded += next - i
            i = next
            guard i < bytes.count else { return }
            scratch.removeAll(keepingCapacity: true)
            let length = EntityDecoder.unit(base, at: i, end: bytes.count, mode: mode, into: &scratch)
            if length != 1 || scratch.count != 1 {
                if steps[steps.count - 1].decoded == decoded { steps.removeLast() }
                if !scratch.isEmpty { steps.append(Step(decoded: decoded, source: i, isCopied: false)) }
                steps.append(Step(decoded: decoded + scratch.count, source: i + length, isCopied: true))
            }
            i += length
            decoded += scratch.count
        }
    }

    /// O(log references).
    func source(of offset: Int) -> Int {
        let next = steps.partitioningIndex { $0.decoded > offset }
        guard next > 0 else { return 0 }
        let step = steps[next - 1]
        return min(count, step.isCopied ? step.source + offset - step.decoded : step.source)
    }
}
