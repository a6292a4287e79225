// `fancytext batch`: the protocol, equal bytes, bad requests, killed workers.

import Foundation
import FancyTextTestSupport
import Testing

@Suite("Batch", whenBuilt)
struct BatchTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func batch(_ requests: [String], _ arguments: String...) throws -> (ProgramResult, [[String: Any]]) {
        let result = try #require(program).run(
            ["batch"] + arguments, input: Data((requests.joined(separator: "\n") + "\n").utf8), folder: scratch.url)
        return (result, try records(result.text))
    }

    private func records(_ text: String) throws -> [[String: Any]] {
        try text.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    private func oneShot(_ arguments: [String], _ html: String) throws -> Data {
        let result = try #require(program).run(arguments + ["--no-config"], input: Data(html.utf8), folder: scratch.url)
        #expect(result.status == 0, "\(result.errors)")
        return result.output
    }

    /// One worker gets requests of several commands.
    @Test func optionsAreThoseOfTheRequestsCommand() throws {
        let (_, results) = try batch(
            [
                #"{"html":"<p>x","format":"text","scale":2}"#, #"{"html":"<p>x","command":"strip","scale":2}"#,
                #"{"html":"<p>x","command":"strip","links":"none"}"#, #"{"html":"<p>x","format":"text","main":true}"#,
                #"{"html":"<p>x","format":"text","scale":2}"#,
            ], "--jobs", "1")
        #expect(results.map { $0["text"] as? String } == ["x\n", nil, "x\n", nil, "x\n"])
        #expect(results[1]["error"] as? String == "a request for strip has no 'scale'")
        #expect(results[3]["error"] as? String == "a request for render has no 'main'")
    }

    @Test func wrongMembersAreNamed() throws {
        let cases = [
            (#"{"html":"<p>x","widht":2}"#, "a request for render has no 'widht'; did you mean 'width'?"),
            (#"{"html":"<p>x","width":2,"width":3}"#, "'width' is given twice"),
            (#"{"html":"<p>{{a}}","row":{"a":1}}"#, "'row' is for 'template'"),
            (
                #"{"html":"<p>x","command":"strip","raw":true,"width":3}"#,
                "--width requires readable output: the output is --raw."
            ),
        ]
        let (_, results) = try batch(cases.map(\.0), "--jobs", "1")
        #expect(results.map { $0["error"] as? String } == cases.map(\.1))
    }

    /// File names of the system end at a NUL.
    @Test func namesHaveNoNUL() throws {
        let (_, results) = try batch(
            [
                #"{"html":"<p>x","output":"a.png\u0000.txt"}"#, #"{"file":"a.html\u0000.txt"}"#,
                #"{"html":"<p>x","css":"a.css\u0000"}"#, #"{"html":"<p>a\u0000b","format":"text"}"#,
            ], "--jobs", "1")
        #expect(
            results.prefix(3).map { $0["error"] as? String }
                == ["output", "file", "css"].map { "'\($0)' must not contain a NUL character" })
        #expect(results[3]["error"] == nil)
        #expect(!FileManager.default.fileExists(atPath: scratch.path("a.png")))
    }

    @Test(arguments: ["1", "3"])
    func resultsAreThoseOfTheCommandsInTheirOrder(_ jobs: String) throws {
        let html = "<h1 class=t>Hé</h1><p>one <b>two</b></p>"
        let json = String(
            decoding: try JSONSerialization.data(withJSONObject: html, options: .fragmentsAllowed), as: UTF8.self)
        let cases: [(members: String, arguments: [String])] = [
            (
                #""format":"png","width":200,"no-system-fonts":true"#,
                ["render", "--format", "png", "--width", "200", "--no-system-fonts"]
            ),
            (#""format":"webp","no-system-fonts":true"#, ["render", "--format", "webp", "--no-system-fonts"]),
            (#""format":"svg","no-system-fonts":true"#, ["render", "--format", "svg", "--no-system-fonts"]),
            (
                #""format":"json","layout":true,"no-system-fonts":true"#,
                ["render", "--format", "json", "--layout", "--no-system-fonts"]
            ),
            (#""format":"markdown""#, ["render", "--format", "markdown"]),
            (
                #""format":"html","set":[".t=x","b=y"]"#,
                ["render", "--format", "html", "--set", ".t=x", "--set", "b=y"]
            ),
            (#""command":"strip""#, ["strip"]),
            (#""command":"select","selector":"b","text":true"#, ["select", "b", "--text"]),
            (#""command":"dump","stage":"tree""#, ["dump", "--stage", "tree"]),
        ]
        let requests = cases.enumerated().map { #"{"id":\#($0),"html":\#(json),\#($1.members)}"# }
        let (result, records) = try batch(requests + requests, "--jobs", jobs)
        #expect(result.status == 0, "\(result.errors) \(result.text.suffix(500))")
        #expect(records.count == 2 * cases.count)
        for (index, record) in records.enumerated() {
            let test = cases[index % cases.count]
            #expect(record["id"] as? Int == index % cases.count)
            #expect(record["status"] as? Int == 0)
            let bytes =
                (record["data"] as? String).flatMap { Data(base64Encoded: $0) }
                ?? (record["text"] as? String).map { Data($0.utf8) }
            #expect(try bytes == oneShot(test.arguments, html), "\(test.arguments)")
        }
    }

    @Test func outputsAreFiles() throws {
        let (result, records) = try batch([
            #"{"id":"a","html":"<p>a","output":"a.png"}"#,
            #"{"id":"b","html":"<p>b","command":"strip","output":"b.txt"}"#,
            #"{"id":"c","html":"<p>c","output":"c.zip"}"#,
        ])
        #expect(result.status == 2)
        #expect(records.map { $0["output"] as? String } == ["a.png", "b.txt", nil])
        #expect(try Data(contentsOf: URL(fileURLWithPath: scratch.path("a.png"))).starts(with: pngSignature))
        #expect(try String(contentsOfFile: scratch.path("b.txt"), encoding: .utf8) == "b\n")
    }

    @Test(arguments: ["1", "2", "5"])
    func noRequestIsLostHoweverManyComeAtOnce(_ jobs: String) throws {
        let requests = (0..<600).map { #"{"id":\#($0),"html":"x\#($0)","format":"text"}"# }
        let (result, records) = try batch(requests, "--jobs", jobs)
        #expect(result.status == 0)
        #expect(records.map { $0["text"] as? String } == (0..<600).map { "x\($0)\n" })
    }

    @Test func wrongRequestsAreRecordsOfTheirOwn() throws {
        let good = #"{"id":"good","html":"<p>x","format":"text"}"#
        let wrong: [(request: String, error: String)] = [
            ("nonsense", "not valid JSON"), ("[1]", "not a JSON object"), (#"{"id":1}"#, "one of 'html'"),
            (#"{"html":"x","file":"y"}"#, "one of 'html'"), (#"{"html":1}"#, "'html' must be text"),
            (#"{"html":"x","command":"batch"}"#, "'batch' is no command"), (#"{"html":"x","widht":3}"#, "no 'widht'"),
            (#"{"html":"x","jobs":3}"#, "no 'jobs'"), (#"{"html":"x","width":"wide"}"#, "'wide' is invalid"),
            (#"{"html":"x","command":"select"}"#, "needs 'selector'"),
            (#"{"html":"x","command":"select","selector":"a >> b"}"#, ""),
            (#"{"file":"none.html"}"#, "No such file"), (#"{"template":"none"}"#, "no template 'none'"),
            (#"{"template":"none","row":5}"#, "'row' must be an object"),
            (#"{"html":"x","layout":"yes"}"#, "must be true or false"),
            (#"{"html":"x","css":5}"#, "'css' must be text"),
            (#"{"define":"t","html":"{{#a}}"}"#, "not closed"),
            (#"{"html":"x","set":"b=y"}"#, "nothing matches"), (#"{"html":"x","timeout":-1}"#, "'timeout'"),
            (#"{"html":"<p style='colr:red'>x","strict":true}"#, ""),
        ]
        let (result, records) = try batch(wrong.flatMap { [$0.request, good] }, "--jobs", "2")
        #expect(result.status == 2)
        #expect(records.count == 2 * wrong.count)
        for (index, record) in records.enumerated() {
            if index % 2 == 1 {
                #expect(record["id"] as? String == "good" && (record["text"] as? String) == "x\n", "\(record)")
            } else {
                #expect(record["status"] as? Int == 2)
                let error = try #require(record["error"] as? String, "\(wrong[index / 2].request)")
                #expect(wrong[index / 2].error.isEmpty || error.contains(wrong[index / 2].error), "\(error)")
            }
        }
    }

    @Test func templatesAreSentOnce() throws {
        let rows = (0..<20).map { #"{"id":\#($0),"template":"card","row":{"name":"<N\#($0)>"},"format":"text"}"# }
        let (result, records) = try batch(
            [#"{"define":"card","html":"<h1>{{name}}</h1>"}"#] + rows + [#"{"template":"card","row":{}}"#]
                + [
                    #"{"define":"card","html":"<h1>new {{name}}</h1>"}"#, rows[3],
                    #"{"template":"card","row":{"name":"s"},"command":"strip"}"#,
                ],
            "--jobs", "2")
        #expect(result.status == 2)
        #expect(records[0]["defined"] as? String == "card")
        for row in 0..<20 { #expect(records[row + 1]["text"] as? String == "<N\(row)>\n") }
        #expect((records[21]["error"] as? String)?.hasPrefix("there is no 'name' (card:1:5)") == true)
        #expect(records[23]["text"] as? String == "new <N3>\n")
        #expect(records[24]["text"] as? String == "new s\n")
    }

    @Test func everyWorkerKnowsTheTemplates() throws {
        let uses = (0..<20).map { #"{"id":\#($0),"template":"t","row":{"a":"x\#($0)"},"format":"text"}"# }
        let definitions = [#"{"\u0064efine":"t","html":"{{a}}"}"#, #"{"define":"t","html":"{{#a}}"}"#]
        let (result, records) = try batch(definitions + uses, "--jobs", "4")
        #expect(result.status == 2)
        #expect(records.dropFirst(2).map { $0["text"] as? String } == (0..<20).map { "x\($0)\n" })
    }

    /// Requests that need more memory than a worker may have end it; the other requests are answered as usual.
    @Test func whatKillsAWorkerCostsItsRequest() throws {
        let requests = (0..<100).map { index in
            index % 10 == 7
                ? #"{"id":\#(index),"html":"<p style='filter:blur(1px)'>x","width":7700,"height":7700,"format":"png"}"#
                : #"{"id":\#(index),"html":"<p>n\#(index)","format":"png","width":100,"height":50,"no-system-fonts":true}"#
        }
        try Data((requests.joined(separator: "\n") + "\n").utf8).write(
            to: URL(fileURLWithPath: scratch.path("requests.ndjson")))
        let binary = try #require(program).url.path
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [
            "-c", "ulimit -c 0; ulimit -v 300000; exec '\(binary)' batch --jobs 2 requests.ndjson 2>errors.txt",
        ]
        process.currentDirectoryURL = scratch.url
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 2)
        let records = try records(text)
        #expect(records.map { $0["id"] as? Int } == Array(0..<100))
        for (index, record) in records.enumerated() {
            if index % 10 == 7 {
                // The message comes from the worker, or from the exit status of its process.
                let error = record["error"] as? String ?? ""
                #expect(error.contains("memory") || error.contains("worker"), "\(record)")
            } else {
                #expect(record["data"] as? String != nil, "\(record)")
            }
        }
        let alone = try oneShot(
            ["render", "--format", "png", "--width", "100", "--height", "50", "--no-system-fonts"], "<p>n42")
        #expect(records[42]["data"] as? String == alone.base64EncodedString())
    }

    @Test func requestsThatTakeTooLongAreGivenUp() throws {
        let deep = String(repeating: "<table><tr><td>", count: 3000)
        let (result, records) = try batch(
            [
                #"{"id":1,"html":"\#(deep)x","format":"png","timeout":0.001}"#,
                #"{"id":2,"html":"<p>x","format":"text"}"#,
            ],
            "--jobs", "1")
        #expect(result.status == 2)
        #expect(records[0]["error"] as? String == "it took longer than its timeout")
        #expect(records[1]["text"] as? String == "x\n")
    }

    /// Results are written as soon as they are complete, so a caller may wait for one before it sends the next request.
    @Test func resultsDoNotWaitForFurtherRequests() throws {
        let process = Process()
        process.executableURL = try #require(program).url
        process.arguments = ["batch", "--jobs", "2"]
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        for number in 0..<5 {
            try input.fileHandleForWriting.write(
                contentsOf: Data("{\"id\":\(number),\"html\":\"x\",\"format\":\"text\"}\n".utf8))
            let line = output.fileHandleForReading.availableData
            #expect(String(decoding: line, as: UTF8.self) == "{\"id\":\(number),\"status\":0,\"text\":\"x\\n\"}\n")
        }
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    /// Tiles of 900 gradients over 25 million pixels would take many seconds.
    @Test func strangersRequestsHaveTheFencesOfTheCommandLine() throws {
        let layers = String(repeating: "linear-gradient(red,blue) 0 0/3px 3px,", count: 900) + "red"
        let page = "<div style='background:\(layers);width:5000px;height:5000px'>".replacingOccurrences(
            of: "'", with: "\\u0027")
        let (_, results) = try batch(
            [
                #"{"html":"\#(page)","untrusted":true,"format":"png"}"#,
                #"{"html":"<p>x","max-memory":1048576,"format":"png","no-system-fonts":true}"#,
                #"{"html":"<p>x","format":"text"}"#,
            ], "--jobs", "1")
        #expect(results.map { $0["status"] as? Int } == [2, 2, 0])
        #expect(results[2]["text"] as? String == "x\n")
    }

    @Test func namesOfFilesHaveOnlyPages() throws {
        let (_, results) = try batch([
            #"{"html":"x","output":"p-{page}.png"}"#, #"{"html":"x","output":"{stem}.png"}"#,
            #"{"html":"x","command":"strip","output":"{page}.txt"}"#,
        ])
        #expect(results.map { $0["status"] as? Int } == [0, 2, 2])
        #expect(results[1]["error"] as? String == "{stem}.png: '{stem}' has no value here")
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path) == ["p-1.png"])
    }
}
