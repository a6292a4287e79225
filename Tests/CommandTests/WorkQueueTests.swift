// Work on several threads: the order of results, and how far threads run ahead.

import Synchronization
import Testing

@testable import FancyTextCLI

@Suite struct WorkQueueTests {
    @Test(arguments: [1, 2, 7])
    func resultsComeInTheOrderOfTheInputs(_ threads: Int) {
        let inputs = Array(0..<200)
        let queue = WorkQueue(inputs, threads: threads) {
            { input in
                // Early inputs take longest.
                var value = input
                for _ in 0..<(200 - input) * 100 { value = value &* 31 &+ 1 }
                return (input, value)
            }
        }
        for input in inputs { #expect(queue.next {}?.0 == input) }
        queue.stop()
    }

    @Test func threadsDoNotRunFarAhead() {
        let started = Atomic(0)
        let inputs = Array(0..<1000)
        let queue = WorkQueue(inputs, threads: 2) {
            { input in
                started.add(1, ordering: .relaxed)
                return input
            }
        }
        for input in inputs.prefix(100) {
            _ = queue.next {}
            #expect(started.load(ordering: .relaxed) <= input + 1 + 6)
        }
        queue.stop()
    }

    @Test func whatIsNotReadIsNotStarted() {
        let started = Atomic(0)
        let queue = WorkQueue(Array(0..<1000), threads: 2) {
            { input in
                started.add(1, ordering: .relaxed)
                return input
            }
        }
        _ = queue.next {}
        queue.stop()
        #expect(started.load(ordering: .relaxed) < 20)
    }

    @Test func everyThreadMakesItsOwnWork() {
        let made = Atomic(0)
        let queue = WorkQueue(Array(0..<50), threads: 3) {
            made.add(1, ordering: .relaxed)
            return { $0 }
        }
        for _ in 0..<50 { _ = queue.next {} }
        queue.stop()
        #expect((1...3).contains(made.load(ordering: .relaxed)))
    }
}

@Suite struct ProgressBarTests {
    @Test func lineHasTheShareAndTheCount() {
        func line(_ done: Int, _ all: Int, _ columns: Int = 80) -> String {
            ProgressBar.line(done, of: all, seconds: 4, columns: columns)
        }
        #expect(line(0, 100) == "[" + String(repeating: "-", count: 30) + "]   0/100 files")
        #expect(
            line(50, 100)
                == "[" + String(repeating: "#", count: 15) + String(repeating: "-", count: 15)
                + "]  50/100 files  13/s  0:04 left")
        #expect(line(7, 7, 40) == "[#########] 7/7 files  1.8/s  0:00 left")
        #expect(line(1, 1000, 20) == "   1/1000 files")
        #expect(line(1, 1000, 6) == "   1/")
    }

    @Test func lineFitsEveryWidth() {
        for columns in 1...120 {
            for done in [0, 1, 999, 123_456] {
                let line = ProgressBar.line(done, of: 123_456, seconds: 61, columns: columns)
                #expect(line.count < max(2, columns))
            }
        }
    }
}

@Suite struct FileNameTests {
    @Test(arguments: [
        ("out/{stem}.png", "in/a.b.html", "out/a.b.png"), ("{stem}{stem}", "a.html", "aa"),
        ("x.png", "a.html", "x.png"),
        ("{stem}.txt", "-", "stdin.txt"), ("{stem}", "in/.hidden", ".hidden"),
        ("{stem}-{stem}", "{stem}.x", "{stem}-{stem}"),
    ])
    func stemIsTheNameWithoutFolderAndEnding(_ pattern: String, _ file: String, _ name: String) {
        #expect(FileName.expand(pattern, for: file) == name)
    }
}
