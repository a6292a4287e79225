// What a log keeps when there is too much to say.

import Testing

@testable import Basics

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

    @Test func mergingKeepsErrors() {
        var (log, other) = (DiagnosticLog(), DiagnosticLog())
        for number in 0..<1500 { log.report(Diagnostic(.note, .failure, "note \(number)")) }
        other.report(Diagnostic(.error, .failure, "error"))
        log.merge(other)
        #expect(log.worst == .error)
    }
}
