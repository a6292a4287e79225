// Source positions of decoded text.

import FancyTextTestSupport
import Testing

@testable import FancyTextBasics
@testable import FancyTextMarkup

@Suite struct TextPlaceTests {
    /// The source byte of each byte of a decoded text.
    private func offsets(_ source: String, _ mode: EntityDecoder.Mode) -> [Int] {
        let bytes = Array(source.utf8)
        return bytes.withUnsafeBufferPointer { bytes in
            var decoded: [UInt8] = []
            EntityDecoder.decode(bytes, mode: mode, into: &decoded)
            let offsets = DecodedOffsets(bytes, mode: mode)
            return (0...decoded.count).map { offsets.source(of: $0) }
        }
    }

    @Test func plainBytesStandWhereTheyAre() {
        #expect(offsets("a\nb", .references) == [0, 1, 2, 3])
        #expect(offsets("", .references) == [0])
    }

    @Test func allBytesOfAReferenceStandAtItsBeginning() {
        #expect(offsets("a&eacute;b&amp;", .references) == [0, 1, 1, 9, 10, 15])
        #expect(offsets("a&amp;", []) == [0, 1, 2, 3, 4, 5, 6])
    }

    @Test func lineEndsAreOneByteAndNULsNoneOrThree() {
        #expect(offsets("a\r\nb\rc", []) == [0, 1, 3, 4, 5, 6])
        #expect(offsets("a\0\0b", []) == [0, 3, 4])
        #expect(offsets("\0b", .keepsNUL) == [0, 0, 0, 1, 2])
    }

    /// Texts of all lengths, with a character reference at each of their bytes, or at none.
    @Test func whatIsDecodedIsFoundAtEveryByte() {
        for count in 0..<100 {
            var bytes = [UInt8](repeating: 0x61, count: count)
            #expect(!bytes.withUnsafeBufferPointer { EntityDecoder.needsDecoding($0) })
            for at in 0..<count {
                bytes[at] = [0x26, 0x0D, 0][at % 3]
                let found = bytes.withUnsafeBufferPointer { buffer in
                    buffer.baseAddress.map { EntityDecoder.firstToDecode($0, from: 0, to: buffer.count) }
                }
                #expect(found == at)
                bytes[at] = 0x61
            }
        }
    }

    @Test func aMessageIsFoundThroughTheReferencesOfAnAttribute() throws {
        let tree = parse("<p>\n<b style='a&quot;&#10;é;x'>")
        let node = try #require(tree.subtree(tree.root).first { tree.name($0) == "b" })
        let text = try #require(tree.embedded(.style, of: node))
        let message = Diagnostic(.warning, .failure, "m", at: TextPlace(text, Array("a\"\né;".utf8).count))
        #expect(message.location == Diagnostic.Location(source: "<stdin>", line: 2, column: 25))
        #expect(message == Diagnostic(.warning, .failure, "m", at: message.location, excerpt: message.excerpt))
    }

    @Test func theSameMessageAboutTheSameByteIsKeptOnce() throws {
        let tree = parse("<p title=abc>")
        let (a, b) = (tree.embedded(.title, of: NodeID(1)), tree.embedded(.title, of: NodeID(1)))
        var log = DiagnosticLog()
        for text in [a, b] {
            for offset in [0, 1] {
                log.report(Diagnostic(.note, .failure, "m", at: TextPlace(try #require(text), offset)))
            }
        }
        #expect(log.entries.count == 2)
    }
}
