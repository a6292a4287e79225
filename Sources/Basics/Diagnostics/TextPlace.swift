// Places of messages: a byte of a text, alone or embedded in a document, whose line and column are found when the message is printed.

import Synchronization

package protocol PlacedText: AnyObject, Sendable {
    /// The name of the text's file in diagnostics.
    var name: String { get }
    /// The offset of the text's first byte in that file.
    var start: Int { get }
    var lineIndex: LineIndex { get }
    /// Calls `body` with the available part of the file and the offset in it of one of the text's bytes.
    func withFile<Result>(at offset: Int, _ body: (UnsafeBufferPointer<UInt8>, _ offset: Int) -> Result) -> Result
}

extension PlacedText {
    /// The location of a byte of the text. Constant, once the file has been scanned.
    package func location(at offset: Int) -> Diagnostic.Location {
        withFile(at: offset) { Diagnostic.Location(source: name, offset: $1, in: $0, lines: lineIndex) }
    }

    package func excerpt(at offset: Int) -> Diagnostic.Excerpt {
        withFile(at: offset) { Diagnostic.Excerpt(offset: $1, in: $0) }
    }
}

/// A text whose bytes come from another text, such as HTML made from Markdown: its places are those of the other.
package final class DerivedText: PlacedText {
    package let name: String
    package let start = 0
    package let lineIndex = LineIndex()
    private let file: [UInt8]
    private let origin: @Sendable (_ offset: Int) -> Int

    /// - Parameter origin: Returns the byte of `file` that a byte of the text comes from.
    package init(from file: [UInt8], name: String, origin: @escaping @Sendable (_ offset: Int) -> Int) {
        (self.file, self.name, self.origin) = (file, name, origin)
    }

    package func withFile<Result>(
        at offset: Int, _ body: (UnsafeBufferPointer<UInt8>, _ offset: Int) -> Result
    ) -> Result {
        file.withUnsafeBufferPointer { body($0, min($0.count, origin(offset))) }
    }
}

/// One byte of a text.
package struct TextPlace: Sendable {
    package var text: any PlacedText
    package var offset: Int

    package init(_ text: any PlacedText, _ offset: Int) { (self.text, self.offset) = (text, offset) }
}

package final class LineIndex: Sendable {
    /// The position of the text at a multiple of ``step``.
    private struct Mark {
        var line = 1
        var column = 1

        /// Continues counting over a part of a text.
        mutating func pass(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
            for index in range {
                let endsCR = text[index] == 0x0D && (index + 1 == text.count || text[index + 1] != 0x0A)
                if endsCR || text[index] == 0x0A {
                    line += 1
                    column = 1
                } else if text[index].isFirstOfCharacter {
                    column += 1
                }
            }
        }
    }

    private static let step = 256
    private let marks = Mutex([Mark()])

    package init() {}

    /// The line and column, both from 1, of a byte in UTF-8 `text`; columns count characters. Constant once the text was scanned.
    package func place(of offset: Int, in text: UnsafeBufferPointer<UInt8>) -> (line: Int, column: Int) {
        let offset = min(max(0, offset), text.count)
        let index = offset / Self.step
        return marks.withLock { marks in
            while marks.count <= index {
                var mark = marks[marks.count - 1]
                mark.pass(text, (marks.count - 1) * Self.step..<marks.count * Self.step)
                marks.append(mark)
            }
            var mark = marks[index]
            mark.pass(text, index * Self.step..<offset)
            return (mark.line, mark.column)
        }
    }
}
