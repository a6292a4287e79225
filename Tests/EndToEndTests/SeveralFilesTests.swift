// Several inputs: names of outputs, order, failures, jobs.

import Foundation
import FancyTextTestSupport
import Testing

@Suite("Several files", whenBuilt)
struct SeveralFilesTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        for number in 1...12 {
            // The sizes differ, so that threads finish out of order.
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

/// An input that ends its worker process loses only its own result.
@Suite("Inputs that end their worker", whenBuilt)
struct LostWorkerTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: scratch.path(name)))
    }

    /// The fields of a process or thread in `/proc`, after its name: the state, then the number of its parent.
    private func status(of task: String) -> [Substring]? {
        guard let status = try? String(contentsOfFile: "/proc/\(task)/stat", encoding: .utf8),
            let end = status.lastIndex(of: ")")
        else { return nil }
        return status[end...].split(separator: " ").dropFirst().map { $0 }
    }

    /// The child processes of a process.
    private func children(of process: Int32) -> [Int32] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return all.compactMap { Int32($0) }.filter { status(of: "\($0)")?[1] == "\(process)" }
    }

    /// Returns whether a process has ended, even if its status was not collected.
    private func hasEnded(_ process: Int32) -> Bool { status(of: "\(process)").map { $0[0] == "Z" } ?? true }

    /// Returns whether all threads of a process are waiting, and not for a processor.
    private func sleeps(_ process: Int32) -> Bool {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        return threads.allSatisfy { status(of: "\(process)/task/\($0)").map { $0[0] == "S" } ?? true }
    }

    /// Runs the program, and kills its workers when none of them makes progress: one reads a pipe without a writer, and all
    /// others are idle. This does not depend on the speed of the machine.
    private func runKillingWorkers(
        _ arguments: [String], whenThereAre count: Int, in folder: String
    ) throws -> (status: Int32, errors: String) {
        let process = Process()
        process.executableURL = try #require(program).url
        process.arguments = arguments
        process.currentDirectoryURL = scratch.url
        let errors = Pipe()
        process.standardError = errors
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        func done() -> Int { ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).count }
        var quiet = 0
        for _ in 0..<12_000 where quiet < 50 && process.isRunning {
            usleep(10_000)
            let all = [process.processIdentifier] + children(of: process.processIdentifier)
            quiet = done() >= count && all.allSatisfy(sleeps) ? quiet + 1 : 0
        }
        // All at once for the program; otherwise it would pass the waiting inputs of the first worker to one that is killed next.
        kill(process.processIdentifier, SIGSTOP)
        let workers = children(of: process.processIdentifier)
        for worker in workers { kill(worker, SIGKILL) }
        while workers.contains(where: { !hasEnded($0) }) { usleep(1000) }
        kill(process.processIdentifier, SIGCONT)
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    @Test(arguments: ["1", "2"])
    func workerKilledFromOutsideCostsItsFile(_ jobs: String) throws {
        for number in 0..<20 { try write("n\(number).html", "<p>number \(number)") }
        #expect(mkfifo(scratch.path("n7.pipe"), 0o600) == 0)
        let inputs = (0..<20).map { $0 == 7 ? "n7.pipe" : "n\($0).html" }
        let result = try runKillingWorkers(
            ["render"] + inputs + ["--jobs", jobs, "-o", "out/{stem}.txt"], whenThereAre: 7, in: scratch.path("out"))
        #expect(result.status == 2)
        #expect(
            result.errors == "fancytext: error: n7.pipe: the worker was ended by signal 9 (Killed)\n",
            "\(result.errors)")
        for number in 0..<20 where number != 7 {
            #expect(
                try String(contentsOfFile: scratch.path("out/n\(number).txt"), encoding: .utf8) == "number \(number)\n")
        }
        #expect(!FileManager.default.fileExists(atPath: scratch.path("out/n7.txt")))
    }

    /// A document that takes many seconds to paint, much longer than any other that runs beside others.
    private var slow: String {
        let layer = "mix-blend-mode:multiply;position:absolute;width:1200px;height:3000px;background:#eee"
        return String(repeating: "<div style='\(layer)'></div>", count: 2000)
    }

    @Test func fileThatTakesTooLongCostsItself() throws {
        try write("slow.html", slow)
        try write("good.html", "<p>good")
        try write("last.html", "<p>last")
        let result = try #require(program).run(
            ["render", "good.html", "slow.html", "last.html", "-o", "{stem}.png", "--timeout", "5"]
                + ["--limit", "painted-pixels=1000000000000"], folder: scratch.url)
        #expect(result.status == 2)
        #expect(
            result.errors.hasSuffix("fancytext: error: slow.html: stopped after 5.0 seconds (--timeout)\n"),
            "\(result.errors)")
        #expect(
            ["good", "slow", "last"].map { FileManager.default.fileExists(atPath: scratch.path("\($0).png")) }
                == [true, false, true])
    }

    /// Runs the program with 300 MB of address space, too little for a layer of 7,700 × 7,700 pixels.
    private func runWithLittleMemory(_ arguments: String) throws -> (status: Int32, errors: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [
            "-c",
            "ulimit -c 0; ulimit -v 300000; exec '\(try #require(program).url.path)' \(arguments) 2>errors.txt",
        ]
        process.currentDirectoryURL = scratch.url
        try process.run()
        process.waitUntilExit()
        return (process.terminationStatus, try String(contentsOfFile: scratch.path("errors.txt"), encoding: .utf8))
    }

    private func box(_ size: Int, _ text: String) -> String {
        "<div style='width:\(size)px;height:\(size)px;filter:blur(1px)'>\(text)</div>"
    }

    /// Expects ninety pictures, including the bytes of one rendered alone, and ten messages with the end of their worker.
    private func expectNinetyPictures(
        _ result: (status: Int32, errors: String), alone: [String], messages: [String]
    ) throws {
        #expect(result.status == 2, "\(result.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path("out"))
        #expect(Set(names) == Set((0..<100).filter { $0 % 10 != 7 }.map { "r\($0).png" }))
        for message in messages { #expect(result.errors.contains(message), "\(message) in \(result.errors)") }
        let one = try #require(program).run(
            ["render"] + alone + ["-w", "auto", "--no-system-fonts", "-o", "alone.png"], folder: scratch.url)
        #expect(one.status == 0, "\(one.errors)")
        #expect(
            FileManager.default.contents(atPath: scratch.path("alone.png"))
                == FileManager.default.contents(atPath: scratch.path("out/r42.png")))
    }

    @Test(arguments: [1, 2])
    func tenOfAHundredFilesThatEndTheirWorkerCostThemselves(_ jobs: Int) throws {
        for number in 0..<100 { try write("r\(number).html", box(number % 10 == 7 ? 7700 : 50, "n\(number)")) }
        let files = (0..<100).map { "r\($0).html" }.joined(separator: " ")
        try expectNinetyPictures(
            try runWithLittleMemory(
                "render \(files) --jobs \(jobs) -w auto --no-system-fonts -o 'out/{stem}.png'"),
            alone: ["r42.html"], messages: (0..<10).map { "error: r\($0 * 10 + 7).html: " })
    }

    @Test(arguments: [1, 2])
    func tenOfAHundredRowsThatEndTheirWorkerCostThemselves(_ jobs: Int) throws {
        try write("card.html", "<div style='width:{{w}}px;height:{{w}}px;filter:blur(1px)'>n{{id}}</div>")
        try write(
            "rows.ndjson",
            (0..<100).map { "{\"id\":\($0),\"w\":\($0 % 10 == 7 ? 7700 : 50)}\n" }.joined())
        try write("r42.html", box(50, "n42"))
        try expectNinetyPictures(
            try runWithLittleMemory(
                "render card.html --data rows.ndjson --jobs \(jobs) -w auto --no-system-fonts -o 'out/r{id}.png'"),
            alone: ["r42.html"], messages: (0..<10).map { "rows.ndjson:\($0 * 10 + 8):1: error: row \($0 * 10 + 8): " })
    }

    @Test func rowThatTakesTooLongCostsItself() throws {
        try write("card.html", "<p>{{{a}}}")
        let rows = (0..<10).map { #"{"id":\#($0),"a":"\#($0 == 4 ? slow : "row")"}"# }
        try write("rows.ndjson", rows.joined(separator: "\n"))
        let result = try #require(program).run(
            ["render", "card.html", "--data", "rows.ndjson", "-o", "{id}.png", "--timeout", "5"]
                + ["--limit", "painted-pixels=1000000000000"], folder: scratch.url)
        #expect(result.status == 2)
        for number in 0..<10 {
            #expect(FileManager.default.fileExists(atPath: scratch.path("\(number).png")) == (number != 4))
        }
        #expect(
            result.errors.contains("rows.ndjson:5:1: error: row 5: stopped after 5.0 seconds (--timeout)"),
            "\(result.errors)")
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
