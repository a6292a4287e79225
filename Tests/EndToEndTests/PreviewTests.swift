// `fancytext preview`: a page on this machine, requested as a browser does, and in Chromium if it is installed.

import Foundation
import FancyTextTestSupport
import Testing

private let whenServerBuilt: ConditionTrait = .enabled(
    if: program.map { access($0.url.path + "-preview", X_OK) == 0 } ?? false,
    "no program that serves the page: make preview")

@Suite("Preview", whenBuilt)
struct PreviewTests {
    private struct NoAnswer: Error {}

    /// A preview of a document.
    private final class Preview {
        let process = Process()
        let port: UInt16
        let greeting: String

        init(_ document: String, _ options: [String] = [], in scratch: Scratch) throws {
            try Data(document.utf8).write(to: URL(fileURLWithPath: scratch.path("card.html")))
            process.executableURL = try #require(program).url
            process.arguments =
                ["preview", "card.html", "-w", "300", "-H", "90", "--no-system-fonts", "--no-config"] + options
            process.currentDirectoryURL = scratch.url
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            greeting = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            port = try #require(greeting.split(separator: ":").last.flatMap { UInt16($0.prefix { $0.isNumber }) })
        }

        deinit {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }

        /// The status and the body of the response to a request.
        func ask(
            _ line: String, host: String? = nil, headers: String = "", body: String = "", isInChunks: Bool = false
        ) throws -> (status: Int, body: String) {
            let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(socket) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            let isConnected = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            guard isConnected else { throw NoAnswer() }
            let request =
                "\(line) HTTP/1.1\r\nHost: \(host ?? "127.0.0.1:\(port)")\r\n\(headers)Connection: close\r\n"
                + (isInChunks ? "Transfer-Encoding: chunked" : "Content-Length: \(body.utf8.count)") + "\r\n\r\n"
                + (isInChunks ? "\(String(body.utf8.count, radix: 16))\r\n\(body)\r\n0\r\n\r\n" : body)
            _ = request.withCString { send(socket, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
            var answer: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = read(socket, &buffer, buffer.count)
                guard count > 0 else { break }
                answer += buffer[..<count]
            }
            let text = String(decoding: answer, as: UTF8.self)
            guard let end = text.range(of: "\r\n\r\n"), let status = Int(text.dropFirst(9).prefix(3)) else {
                throw NoAnswer()
            }
            return (status, String(text[end.upperBound...]))
        }

        func drawing(of row: String = "{}") throws -> [String: Any] {
            let answer = try ask("POST /drawing", body: row)
            return try #require(JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any])
        }
    }

    @Test(whenServerBuilt) func drawsRowsOfATemplateAndTellsItsBoxes() throws {
        let scratch = try Scratch()
        let preview = try Preview("<h1 id=t style='widht:1px'>{{title}}</h1>", in: scratch)
        #expect(preview.greeting.hasPrefix("http://127.0.0.1:"))
        #expect(try preview.ask("GET /").body.contains("<title>fancytext preview</title>"))
        let drawing = try preview.drawing(of: #"{"title": "<b>Hello</b>"}"#)
        #expect((drawing["picture"] as? String)?.hasPrefix("data:image/png;base64,iVBOR") == true)
        #expect((drawing["layout"] as? String)?.contains(#""id":"t""#) == true)
        #expect((drawing["layout"] as? String)?.contains("<b>Hello</b>") == true)
        #expect(
            (drawing["messages"] as? [[String: Any]])?.first?["message"] as? String
                == "unknown property 'widht'; did you mean 'width'?")
        #expect(try (preview.drawing(of: "{}")["error"] as? String)?.contains("title") == true)
    }

    @Test(whenServerBuilt) func tellsWhenAFileChanges() throws {
        let scratch = try Scratch()
        let preview = try Preview("<link rel=stylesheet href=house.css><p>One", in: scratch)
        let before = try #require(preview.drawing()["picture"] as? String)
        let version = try #require(preview.drawing()["version"] as? Int)
        try Data("p { color: red }".utf8).write(to: URL(fileURLWithPath: scratch.path("house.css")))
        let answer = try preview.ask("GET /version?after=\(version)").body
        #expect(answer != #"{"version":\#(version)}"#)
        #expect(try preview.drawing()["picture"] as? String != before)
    }

    /// A page of another origin, under a name that resolves to this machine or under its own.
    @Test(whenServerBuilt) func answersThisMachineOnly() throws {
        let scratch = try Scratch()
        let preview = try Preview("<p>One", in: scratch)
        #expect(try preview.ask("GET /", host: "example.com").status == 403)
        #expect(try preview.ask("POST /drawing", headers: "Origin: http://example.com\r\n").status == 403)
        #expect(try preview.ask("GET /").status == 200)
        #expect(try preview.ask("GET /card.html").status == 404)
    }

    /// Without the program that serves the page, the error names its package.
    @Test func serverIsAskedFor() throws {
        let scratch = try Scratch()
        let alone = scratch.url.appendingPathComponent("fancytext")
        try FileManager.default.copyItem(at: try #require(program).url, to: alone)
        let result = try #require(Program(alone)).run(["preview", "card.html"])
        #expect(result.status == 2 && result.errors.contains("package fancytext-preview"), "\(result.errors)")
    }

    @Test(whenServerBuilt, arguments: [false, true])
    func rowsAreBounded(_ isInChunks: Bool) throws {
        let scratch = try Scratch()
        let preview = try Preview("<p>{{a}}", in: scratch)
        func status(_ count: Int) throws -> Int {
            let row = #"{"a":"\#(String(repeating: "x", count: count))"}"#
            return try preview.ask("POST /drawing", body: row, isInChunks: isInChunks).status
        }
        #expect(try status(1000) == 200)
        // The server may close the connection before it has read all of the row.
        #expect([413, nil].contains(try? status(2 << 20)))
    }

    @Test func standardInputCannotBePreviewed() throws {
        let result = try #require(program).run(["preview", "-"])
        #expect(result.status == 2 && result.errors.contains("preview needs a file"))
        #expect(try #require(program).run(["preview", "missing.html"]).status == 2)
    }

    /// Skipped without Chromium, or without Python to control it.
    @Test(whenServerBuilt, .enabled(if: PreviewTests.hasBrowser, "needs chromium and python3"))
    func chromiumShowsEdits() throws {
        let tool = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../Tools/preview_chromium.py").standardized.path
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", tool, "--program", try #require(program).url.path]
        let errors = Pipe()
        process.standardError = errors
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(said)")
    }

    private static let hasBrowser: Bool = {
        func isInstalled(_ name: String) -> Bool {
            ["/usr/bin/", "/usr/local/bin/"].contains { access($0 + name, X_OK) == 0 }
                || (getenv("PATH").map { String(cString: $0) } ?? "").split(separator: ":")
                    .contains { access("\($0)/\(name)", X_OK) == 0 }
        }
        return isInstalled("chromium") && isInstalled("python3")
    }()

    @Test(whenServerBuilt, .timeLimit(.minutes(1))) func aPortInUseIsNamedAtOnce() throws {
        let scratch = try Scratch()
        let first = try Preview("<p>One", in: scratch)
        let begin = ContinuousClock.now
        let second = try #require(program).run(
            ["preview", "card.html", "--port", "\(first.port)", "--no-config"], folder: scratch.url, timeout: 20)
        #expect(second.status == 2 && second.errors.contains("port \(first.port) is in use"), "\(second.errors)")
        #expect(ContinuousClock.now - begin < .seconds(4))
    }
}
