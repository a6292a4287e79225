// The messages that a full log keeps.

import Testing

@testable import FancyTextBasics

@Suite struct DiagnosticLogTests {
    @Test func noNumberOfWarningsHidesAnError() {
        var log = DiagnosticLog()
        for number in 0..<5000 { log.report(Diagnostic(.warning, .failure, "warning \(number)")) }
        #expect(log.isFull && log.count == 1001)
        #expect(log.entries.last?.code == .furtherMessages)
        for _ in 0..<2 { log.report(Diagnostic(.error, .failure, "error")) }
        #expect(log.count == 1002 && log.worst == .error)
        for number in 0..<5000 { log.report(Diagnostic(.error, .failure, "error \(number)")) }
        #expect(log.count == 2001)
    }

    private final class Text: PlacedText {
        let name: String
        let start: Int
        init(_ name: String, _ start: Int) { (self.name, self.start) = (name, start) }
        var lineIndex: LineIndex {
            Issue.record("nobody asked for a line")
            return LineIndex()
        }
        func withFile<Result>(
            at offset: Int, _ body: (UnsafeBufferPointer<UInt8>, _ offset: Int) -> Result
        ) -> Result {
            body(UnsafeBufferPointer(start: nil, count: 0), 0)
        }
    }

    private final class WholeText: PlacedText {
        let name = ""
        let start = 0
        private let text: String
        let lineIndex = LineIndex()
        init(_ text: String) { self.text = text }
        func withFile<Result>(
            at offset: Int, _ body: (UnsafeBufferPointer<UInt8>, _ offset: Int) -> Result
        ) -> Result {
            Array(text.utf8).withUnsafeBufferPointer { body($0, offset) }
        }
    }

    @Test func whatIsTheSameIsKeptOnce() {
        var log = DiagnosticLog()
        func report(_ severity: Diagnostic.Severity, _ message: String, _ text: Text, _ offset: Int) -> Int {
            log.report(Diagnostic(severity, .failure, message, at: TextPlace(text, offset)))
            return log.count
        }
        #expect(report(.note, "a", Text("file", 3), 7) == 1)
        #expect(report(.note, "a", Text("file", 3), 7) == 1)
        #expect(report(.note, "a", Text("file", 3), 8) == 2)
        // The same byte offset, but in another text.
        #expect(report(.note, "a", Text("file", 4), 6) == 3)
        #expect(report(.note, "a", Text("other", 3), 7) == 4)
        #expect(report(.note, "b", Text("file", 3), 7) == 5)
        #expect(report(.warning, "a", Text("file", 3), 7) == 6)
        for _ in 0..<2 { log.report(Diagnostic(.note, .failure, "a")) }
        #expect(log.count == 7)
    }

    @Test func mergingKeepsErrors() {
        var (log, other) = (DiagnosticLog(), DiagnosticLog())
        for number in 0..<1500 { log.report(Diagnostic(.note, .failure, "note \(number)")) }
        other.report(Diagnostic(.error, .failure, "error"))
        log.merge(other)
        #expect(log.worst == .error)
    }

    @Test func anExcerptIsTheLineAroundAPlace() {
        let pieces = [
            "a", "letters ", "é", "\u{E001}", "\u{1F600}", "\t", "\u{7F}", "\n", "long text without any break; ",
        ]
        var state: UInt64 = 5
        for _ in 0..<400 {
            var text = ""
            for _ in 0..<20 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                text += pieces[Int(state >> 33) % pieces.count]
            }
            let scalars = Array(text.unicodeScalars)
            var offset = 0
            for place in 0...scalars.count {
                let before = scalars[..<place].reversed().prefix { $0 != "\n" }.prefix(60)
                let after = scalars[place...].prefix { $0 != "\n" }.prefix(40)
                let excerpt = Array(text.utf8).withUnsafeBufferPointer { Diagnostic.Excerpt(offset: offset, in: $0) }
                #expect(excerpt.indent == before.count)
                #expect(Array(excerpt.text.unicodeScalars) == before.reversed() + after)
                let message = Diagnostic(.note, .failure, "", at: TextPlace(WholeText(text), offset))
                #expect(message.excerpt == excerpt)
                if place < scalars.count { offset += UTF8.width(scalars[place]) }
            }
        }
    }
}
