// The progress of a run over several inputs, and the names of its results.

import Testing

@testable import FancyTextCLI

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
