// Several inputs: names of outputs, order, failures, jobs.

import Foundation
import TestSupport
import Testing

@Suite("Several files", whenBuilt)
struct SeveralFilesTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        for number in 1...12 {
            // Of different sizes, so that threads finish out of order.
            let text = String(repeating: "<p style='colr:red'>text \(number) ", count: number % 3 == 0 ? 400 : 1)
            try write("n\(number).html", "<h1 class=t>number \(number)</h1>" + text)
        }
    }

    private func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: scratch.path(name)))
    }

    private var inputs: [String] { (1...12).map { "n\($0).html" } }

    private func run(_ arguments: [String]) throws -> ProgramResult {
        try #require(program).run(arguments, folder: scratch.url)
    }

    @Test(arguments: [
        ["render", "--format", "json"], ["render", "--format", "ansi"], ["strip"], ["select", ".t"],
        ["select", "p", "--count"], ["select", ".t", "--field", "t=::text"],
    ])
    func resultsAndMessagesAreInTheOrderOfTheFiles(_ command: [String]) throws {
        let one = try run(command + inputs + ["--jobs", "1"])
        let many = try run(command + inputs + ["--jobs", "4"])
        #expect(one.status == 0)
        #expect(one.output == many.output)
        #expect(one.errors == many.errors)
        #expect(!one.output.isEmpty)
    }

    @Test func picturesAreTheSameWhateverTheNumberOfJobs() throws {
        for (folder, jobs) in [("one", "1"), ("many", "4")] {
            try FileManager.default.createDirectory(atPath: scratch.path(folder), withIntermediateDirectories: true)
            let result = try run(["render"] + inputs + ["-o", "\(folder)/{stem}.png", "--jobs", jobs, "--quiet"])
            #expect(result.status == 0, "\(result.errors)")
        }
        for input in inputs {
            let name = input.replacingOccurrences(of: ".html", with: ".png")
            let one = try Data(contentsOf: URL(fileURLWithPath: scratch.path("one/" + name)))
            #expect(one.starts(with: pngSignature))
            #expect(one == (try Data(contentsOf: URL(fileURLWithPath: scratch.path("many/" + name)))))
        }
    }

    @Test func stemNamesTheFilesOfEveryCommand() throws {
        for (arguments, ending) in [(["strip"], "txt"), (["select", ".t", "--text"], "sel"), (["render"], "json")] {
            let result = try run(arguments + ["n1.html", "n2.html", "-o", "{stem}-of-{stem}.\(ending)"])
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output.isEmpty)
            for number in 1...2 {
                let path = scratch.path("n\(number)-of-n\(number).\(ending)")
                #expect(try String(contentsOfFile: path, encoding: .utf8).contains("number \(number)"), "\(arguments)")
            }
        }
    }

    @Test func twoInputsNeverGoToOneFile() throws {
        try write("n1.htm", "x")
        for command in [["render"], ["strip"], ["select", "p"]] {
            let result = try run(command + ["n1.html", "n1.htm", "-o", "{stem}.txt"])
            #expect(result.status == 2)
            #expect(result.errors.contains("n1.txt"))
            #expect(!scratch.names.contains("n1.txt"))
        }
    }

    @Test func oneBadFileDoesNotStopTheOthersOnAnyCommand() throws {
        for command in [["render"], ["strip"], ["select", ".t"]] {
            for jobs in ["1", "3"] {
                let result = try run(command + ["n1.html", "none.html", "n2.html", "--jobs", jobs])
                #expect(result.status == 2)
                #expect(result.text.contains("number 1") && result.text.contains("number 2"), "\(command)")
                #expect(result.errors.contains("none.html: No such file"))
            }
        }
    }

    @Test func aCommonFileIsWholeOrNotThere() throws {
        let result = try run(["strip", "n1.html", "none.html", "-o", "all.txt"])
        #expect(result.status == 2)
        #expect(!scratch.names.contains("all.txt"))
    }

    @Test func severalPicturesDoNotShareAnOutput() throws {
        for command in [["render", "--format", "png"], ["select", "p", "--format", "png"]] {
            let result = try run(command + ["n1.html", "n2.html"])
            #expect(result.status == 2)
            #expect(result.errors.contains("{stem}"))
        }
    }

    @Test func strictFailsTheFileThatWarns() throws {
        try write("good.html", "<p>good</p>")
        let result = try run(["render", "n1.html", "good.html", "--strict", "-o", "{stem}.json"])
        #expect(result.status == 2)
        #expect(scratch.names.contains("good.json") && !scratch.names.contains("n1.json"))
    }

    @Test(arguments: ["0", "-1", "x", "1.5", "99999999"])
    func jobsIsACount(_ value: String) throws {
        let result = try run(["strip", "n1.html", "--jobs=\(value)"])
        #expect(result.status == 2)
        #expect(result.errors.contains("--jobs"))
    }

    @Test func standardErrorHasNoProgressBarInAPipe() throws {
        let result = try run(["strip"] + inputs)
        #expect(!result.errors.contains("files"))
    }
}

@Suite("Files that appear together", whenBuilt)
struct FilesTogetherTests {
    private let html = "<a href=x>x</a>"

    @Test func failingImageMapLeavesNoPicture() throws {
        let scratch = try Scratch()
        for map in ["/nonexistent/map.html", scratch.url.path] {
            let result = try run("render", "-o", scratch.path("a.png"), "--image-map", map, input: html)
            #expect(result.status == 2)
            #expect(scratch.names.isEmpty, "\(map)")
        }
    }

    @Test func pictureAndImageMapNeedNames() throws {
        let scratch = try Scratch()
        let path = scratch.path("a.png")
        let result = try run("render", "-o", path, "--image-map", path, input: html)
        #expect(result.status == 2)
        #expect(scratch.names.isEmpty)
    }

    @Test func missingPictureToCheckLeavesNothing() throws {
        let scratch = try Scratch()
        let result = try run("render", "-o", scratch.path("a.png"), "--check", scratch.path("none.png"), input: html)
        #expect(result.status == 2)
        #expect(result.errors.contains("none.png"))
        #expect(scratch.names.isEmpty)
    }

    @Test func fullDeviceIsAFailedWrite() throws {
        for arguments in [["strip"], ["render", "--format", "png"], ["select", "a"], ["dump", "--stage", "tree"]] {
            let result = try #require(program).run(arguments + ["-o", "/dev/full"], input: html)
            #expect(result.status == 2, "\(arguments)")
            #expect(result.errors.contains("No space left"), "\(arguments)")
        }
    }
}
