// `--cache`: changes that require a new result, the size limit, many processes and kills.

import Foundation
import FancyTextTestSupport
import Testing

@Suite("Cache", whenBuilt)
struct CacheTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try write(
            "card.html",
            "<link rel=stylesheet href=house.css><h1>Card</h1><p style='colr:red'>x<img src=dot.svg alt=dot>")
        try write("house.css", "h1{color:red}")
    }

    private func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: scratch.path(name)))
    }

    private func run(_ arguments: String...) throws -> ProgramResult {
        try #require(program).run(arguments + ["--no-config"], folder: scratch.url)
    }

    private func render(_ more: String...) throws -> (bytes: Data, isHit: Bool, errors: String) {
        let result = try #require(program).run(
            ["render", "card.html", "--format", "png", "--cache", "kept", "--no-system-fonts", "--no-config"] + more,
            folder: scratch.url)
        #expect(result.status == 0, "\(result.errors)")
        return (result.output, result.errors.contains("1 of 1 results came from the cache"), result.errors)
    }

    @Test func resultsAreTakenFromTheFolderWithTheirMessages() throws {
        let first = try render()
        let second = try render()
        #expect(!first.isHit && second.isHit)
        #expect(first.bytes == second.bytes)
        #expect(first.errors.contains("unknown property 'colr'") && first.errors.contains("dot.svg"))
        #expect(second.errors.hasPrefix(first.errors))
        #expect(
            try run("render", "card.html", "--format", "png", "--cache", "kept", "--no-system-fonts", "--strict").status
                == 2)
        #expect(try !render("--refresh").isHit)
        #expect(try !render("--no-cache").isHit)
        #expect(try render().isHit)
    }

    @Test func whateverDecidesTheBytesMakesAnotherResult() throws {
        _ = try render()
        #expect(try !render("--scale", "2").isHit)
        #expect(try !render("--style", "h1{margin:0}").isHit)
        try write("house.css", "h1{color:blue}")
        let blue = try render()
        #expect(!blue.isHit)
        #expect(try render().isHit)
        // This picture did not exist before.
        try write(
            "dot.svg", "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='9' height='9'/></svg>"
        )
        let dotted = try render()
        #expect(!dotted.isHit && dotted.bytes != blue.bytes)
        #expect(try render().isHit)
        try write("extra.css", "p{color:red}")
        #expect(try !render("--css", "extra.css").isHit)
        #expect(try render("--css", "extra.css").isHit)
        try write("extra.css", "p{color:green}")
        #expect(try !render("--css", "extra.css").isHit)
        try write("card.html", "<h1>Another</h1>")
        #expect(try !render().isHit)
    }

    @Test func rowsAndRequestsAreKept() throws {
        try write("row.html", "<p>{{a}}</p>")
        try write("rows.csv", "id,a\n1,x\n2,y\n")
        func rows() throws -> ProgramResult {
            try run(
                "render", "row.html", "--data", "rows.csv", "-o", "out/{id}.png", "--cache", "kept", "--no-system-fonts"
            )
        }
        #expect(try rows().errors.isEmpty)
        #expect(try rows().errors.contains("2 of 2 results came from the cache"))
        // The same fields in other columns.
        try write("rows.csv", "id,b,a\n1,x,x\n2,y,z\n")
        #expect(try !rows().errors.contains("cache"))
        let request = #"{"html":"<p>x","format":"png","no-system-fonts":true}"# + "\n"
        for isCached in [false, true] {
            let result = try #require(program).run(
                ["batch", "--cache", "kept"], input: Data(request.utf8), folder: scratch.url)
            #expect(result.text.contains("\"cached\":true") == isCached)
        }
    }

    @Test func damagedResultsAreMadeAnew() throws {
        let first = try render()
        let files = try #require(FileManager.default.enumerator(atPath: scratch.path("kept")))
        for case let name as String in files where name != ".fancytext-cache-size" {
            let url = URL(fileURLWithPath: scratch.path("kept/" + name))
            var data = try Data(contentsOf: url)
            data[data.count - 9] ^= 1
            try data.write(to: url)
        }
        let second = try render()
        #expect(!second.isHit && second.bytes == first.bytes)
    }

    @Test func theBoundHoldsAndTheLatestStay() throws {
        try write("row.html", "<p>{{a}}</p>")
        try write("rows.csv", "id,a\n" + (1...300).map { "\($0),text \($0)\n" }.joined())
        let arguments = [
            "render", "row.html", "--data", "rows.csv", "-o", "out/{id}.png", "--cache", "kept",
            "--cache-max-size", "100k", "--no-system-fonts", "--jobs", "4",
        ]
        #expect(try #require(program).run(arguments, folder: scratch.url).status == 0)
        let stats = try run("cache", "--cache", "kept", "--stats").text
        let numbers = stats.split { !$0.isNumber }.compactMap { Int($0) }
        #expect(numbers.count == 2 && numbers[0] > 20 && numbers[0] < 300 && numbers[1] <= 100_000, "\(stats)")
        // The last rows are cached.
        try write("rows.csv", "id,a\n300,text 300\n")
        #expect(try #require(program).run(arguments, folder: scratch.url).errors.contains("1 of 1 results"))
        #expect(try run("cache", "--cache", "kept", "--clear").text == "\(numbers[0]) results removed\n")
        #expect(try run("cache", "--cache", "kept", "--stats").text == "0 results, 0 bytes\n")
    }

    /// On file systems without unnamed temporary files, a killed process leaves one beside its results. It does not count as a
    /// result, is removed after a while, and does not evict results.
    @Test func filesOfKilledProcessesAreNoResults() throws {
        _ = try render()
        let results = try run("cache", "--cache", "kept", "--stats").text
        let (old, young) = (
            "kept/.\(String(repeating: "a", count: 64)).1.2", "kept/.\(String(repeating: "b", count: 64)).1.2"
        )
        for name in [old, young] { try write(name, String(repeating: "x", count: 90_000)) }
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: scratch.path(old))
        #expect(try run("cache", "--cache", "kept", "--stats").text == results)
        #expect(!FileManager.default.fileExists(atPath: scratch.path(old)))
        // It may belong to a process that is still running.
        #expect(FileManager.default.fileExists(atPath: scratch.path(young)))
        #expect(try render().isHit)

        // A size that was not stored completely is counted again.
        for size in ["", "abc", String(repeating: "\u{7F}", count: 8)] {
            try write("kept/.fancytext-cache-size", size)
            try write("row.html", "<p>{{a}}</p>")
            try write("rows.csv", "id,a\n" + (1...60).map { "\($0),\(size.utf8.count) \($0)\n" }.joined())
            let arguments = [
                "render", "row.html", "--data", "rows.csv", "-o", "out/{id}.png", "--cache", "kept",
                "--cache-max-size", "20k", "--no-system-fonts", "--no-config",
            ]
            #expect(try #require(program).run(arguments, folder: scratch.url).status == 0)
            let stats = try run("cache", "--cache", "kept", "--stats").text
            let numbers = stats.split { !$0.isNumber }.compactMap { Int($0) }
            #expect(numbers.count == 2 && numbers[0] > 2 && numbers[1] <= 20_000, "\(stats)")
        }
        #expect(try run("cache", "--cache", "kept", "--clear").status == 0)
        #expect(!FileManager.default.fileExists(atPath: scratch.path(young)))
    }

    @Test func foldersWithOtherFilesAreNoCaches() throws {
        try write("size", "my precious data")
        for arguments in [["cache", "--clear"], ["cache", "--stats"], ["render", "card.html", "-o", "card.png"]] {
            let result = try #require(program).run(
                arguments + ["--cache", ".", "--no-config"], folder: scratch.url)
            #expect(result.status == 2)
            #expect(result.errors.contains("error: .: the folder has other files and is no cache; name a new folder"))
        }
        let size = try String(contentsOf: URL(fileURLWithPath: scratch.path("size")), encoding: .utf8)
        #expect(size == "my precious data")
        try FileManager.default.createDirectory(atPath: scratch.path("empty"), withIntermediateDirectories: true)
        #expect(try run("cache", "--cache", "empty", "--clear").text == "0 results removed\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path("empty")).isEmpty)
    }

    /// An impossible size is counted again, and anything but a file in its place is replaced.
    @Test func filesInThePlaceOfTheSizeAreNotTrusted() throws {
        let size = URL(fileURLWithPath: scratch.path("kept/.fancytext-cache-size"))
        for number in [Int64.max, .max - 1000, .max / 2, .min] {
            _ = try render()
            try withUnsafeBytes(of: number.littleEndian) { try Data($0).write(to: size) }
            try write("row.html", "<p>{{a}}</p>")
            try write("rows.csv", "id,a\n1,\(number)\n")
            let arguments = [
                "render", "row.html", "--data", "rows.csv", "-o", "out/{id}.png", "--cache", "kept",
                "--no-system-fonts", "--no-config",
            ]
            #expect(try #require(program).run(arguments, folder: scratch.url).status == 0)
            #expect(try Data(contentsOf: size).withUnsafeBytes { $0.loadUnaligned(as: Int64.self) } < 1 << 30)
        }
        try write("other", "not a size")
        try FileManager.default.removeItem(at: size)
        symlink(scratch.path("other"), size.path)
        try write("row.html", "<p>new {{a}}</p>")
        let arguments = [
            "render", "row.html", "--data", "rows.csv", "-o", "out/{id}.png", "--cache", "kept", "--no-system-fonts",
            "--no-config",
        ]
        #expect(try #require(program).run(arguments, folder: scratch.url).status == 0)
        #expect(try String(contentsOf: URL(fileURLWithPath: scratch.path("other")), encoding: .utf8) == "not a size")
        #expect(try size.resourceValues(forKeys: [.isSymbolicLinkKey]).isSymbolicLink == false)
    }

    /// Processes that are killed while they write leave only complete results, within the size limit.
    @Test func killsLeaveWholeResults() throws {
        try write("row.html", "<h1>{{a}}</h1>")
        try write("rows.csv", "id,a\n" + (1...400).map { "\($0),text \($0)\n" }.joined())
        let arguments = [
            "render", "row.html", "--data", "rows.csv", "-o", "out/{id}.png", "--cache", "kept",
            "--cache-max-size", "200k", "--no-system-fonts", "--no-config", "--resume",
        ]
        for round in 0..<8 {
            let process = Process()
            process.executableURL = try #require(program).url
            process.arguments = arguments
            process.currentDirectoryURL = scratch.url
            process.standardError = FileHandle.nullDevice
            try process.run()
            usleep(UInt32(40_000 + round * 37_000))
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        let stats = try run("cache", "--cache", "kept", "--stats").text
        #expect(stats.split { !$0.isNumber }.compactMap { Int($0) }[1] <= 200_000, "\(stats)")
        #expect(try #require(program).run(arguments, folder: scratch.url).status == 0)
        for number in [1, 57, 199, 400] {
            try write("one.html", "<h1>text \(number)</h1>")
            let alone = try run("render", "one.html", "--format", "png", "--no-system-fonts")
            #expect(try Data(contentsOf: URL(fileURLWithPath: scratch.path("out/\(number).png"))) == alone.output)
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: scratch.path("out")).filter { $0.hasSuffix(".png") }
                .count == 400)
    }

    @Test(arguments: [
        (["render", "--refresh"], "--refresh requires --cache"), (["cache", "--stats"], "--cache FOLDER"),
        (["cache", "--cache", "x"], "one of --stats and --clear"),
        (["render", "--cache", "x", "--cache-max-size", "many"], "a number of bytes"),
        (["render", "card.html", "--format", "png", "--cache", "card.html"], "Not a directory"),
    ])
    func misuseIsNamed(_ arguments: [String], _ message: String) throws {
        let result = try #require(program).run(arguments, folder: scratch.url)
        #expect(result.status == 2)
        #expect(result.errors.contains(message), "\(result.errors)")
    }
}
