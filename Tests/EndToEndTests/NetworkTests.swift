// Pictures from the network, which need an option, with a server on this machine.

import FancyTextPlatform
import Foundation
import Synchronization
import FancyTextTestSupport
import Testing

/// Serves requests on a port of this machine, until it is released.
private final class TinyServer: @unchecked Sendable {
    let port: UInt16
    private let socket: Int32
    private let lock = NSLock()
    private var served = 0
    /// The number of requests.
    var requests: Int { lock.withLock { served } }

    /// Answers every request with the same bytes.
    convenience init?(answer: Data, status: String = "200 OK") {
        let head = "HTTP/1.1 \(status)\r\nContent-Length: \(answer.count)\r\nConnection: close\r\n\r\n"
        let bytes = Array(Data(head.utf8) + answer)
        self.init { client in _ = send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }
    }

    /// Answers with the page of the requested path, or with 404; a page that begins with `/` is a redirect.
    convenience init?(pages: [String: (type: String, body: Data)]) {
        self.init(answers: { path in
            guard let page = pages[path] else {
                return Data("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".utf8)
            }
            if page.body.first == 0x2F {
                return Data("HTTP/1.1 302 Found\r\nLocation: ".utf8) + page.body
                    + Data("\r\nContent-Length: 0\r\n\r\n".utf8)
            }
            let head = "HTTP/1.1 200 OK\r\nContent-Type: \(page.type)\r\nContent-Length: \(page.body.count)\r\n\r\n"
            return Data(head.utf8) + page.body
        })
    }

    private convenience init?(answers: @escaping @Sendable (_ path: String) -> Data) {
        self.init(serveRequests: { client, request in
            let bytes = Array(answers(String(request.split(separator: " ").dropFirst().first ?? "")))
            _ = send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        })
    }

    /// - Parameter serve: gets each client's socket on a separate thread, after the request was read.
    convenience init?(serve: @escaping @Sendable (_ client: Int32) -> Void) {
        self.init(serveRequests: { client, _ in serve(client) })
    }

    private init?(serveRequests serve: @escaping @Sendable (_ client: Int32, _ request: String) -> Void) {
        let listening = FancyTextPlatform.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listening, $0, length) == 0 && listen(listening, 64) == 0
                    && getsockname(listening, $0, &length) == 0
            }
        }
        socket = listening
        port = UInt16(bigEndian: address.sin_port)
        guard isListening else { return nil }
        Thread.detachNewThread { [weak self] in
            while true {
                let client = accept(listening, nil, nil)
                guard client >= 0 else { return }
                if let self { self.lock.withLock { self.served += 1 } }
                Thread.detachNewThread {
                    var request = [UInt8](repeating: 0, count: 4096)
                    let count = max(0, read(client, &request, request.count))
                    serve(client, String(decoding: request[..<count], as: UTF8.self))
                    close(client)
                }
            }
        }
    }

    deinit {
        shutdown(socket, Int32(SHUT_RDWR))
        close(socket)
    }
}

@Suite("Network", whenBuilt)
struct NetworkTests {
    private func render(_ port: UInt16, host: String = "127.0.0.1", _ options: String...) throws -> ProgramResult {
        let page = "<img src='http://\(host):\(port)/a.png' alt=Alt>"
        return try #require(program).run(
            ["render", "-o", "-", "--format", "png", "--width", "300"] + options, input: Data(page.utf8),
            environment: ["no_proxy": "*"])
    }

    private var picture: Data {
        get throws { try Data(contentsOf: TestPaths.fixtures.appendingPathComponent("demo/card.png")) }
    }

    @Test func nothingIsFetchedUnasked() throws {
        let server = try #require(TinyServer(answer: try picture))
        let result = try render(server.port)
        #expect(result.status == 0 && result.errors.contains("--allow-net"))
    }

    @Test func picturesAreFetchedWhenAsked() throws {
        let server = try #require(TinyServer(answer: try picture))
        let result = try render(server.port, "--allow-host", "127.0.0.1", "--width", "1300")
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        let unasked = try render(server.port)
        #expect(result.output.count > unasked.output.count)
    }

    @Test func anErrorOfTheServerIsSaid() throws {
        let server = try #require(TinyServer(answer: Data("no".utf8), status: "404 Not Found"))
        let result = try render(server.port, "--allow-host", "127.0.0.1")
        #expect(result.status == 0 && result.errors.contains("cannot be fetched"), "\(result.errors)")
    }

    @Test func noMoreThanTheLimitIsTaken() throws {
        let server = try #require(TinyServer(answer: try picture))
        let result = try render(server.port, "--allow-host", "127.0.0.1", "--max-input", "1000")
        #expect(result.errors.contains("more bytes than the limit"), "\(result.errors)")
    }

    @Test(arguments: ["127.0.0.1", "localhost", "127.1", "0x7f000001", "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]"])
    func thisMachineIsNotReached(_ host: String) throws {
        let server = try #require(TinyServer(answer: try picture))
        let result = try render(server.port, host: host, "--allow-net")
        #expect(result.status == 0 && result.errors.contains("cannot be fetched"), "\(result.errors)")
        #expect(server.requests == 0)
    }

    @Test func redirectsDoNotLeadToThisMachine() throws {
        let inner = try #require(TinyServer(answer: try picture))
        let outer = try #require(
            TinyServer(answer: Data("x".utf8), status: "302 Found\r\nLocation: http://localhost:\(inner.port)/"))
        let result = try render(outer.port, "--allow-net", "--allow-host", "127.0.0.1")
        #expect(result.errors.contains("public network"), "\(result.errors)")
        #expect(outer.requests == 1 && inner.requests == 0)
    }

    @Test func onlyNamedHostsAreAsked() throws {
        let server = try #require(TinyServer(answer: try picture))
        let result = try render(server.port, "--allow-host", "example.com")
        #expect(result.errors.contains("may not be asked") && server.requests == 0, "\(result.errors)")
    }

    @Test func requestsHaveABudget() throws {
        let server = try #require(TinyServer(answer: try picture))
        let page = (0..<9).map { "<img src='http://127.0.0.1:\(server.port)/\($0).png'>" }.joined()
        let result = try #require(program).run(
            [
                "render", "-o", "-", "--format", "png", "--allow-host", "127.0.0.1", "--limit", "requests=4",
                "--diagnostics", "json",
            ], input: Data(page.utf8))
        #expect(result.status == 2 && result.errors.contains("budget.requests"), "\(result.errors)")
        #expect(server.requests == 4)
    }

    @Test func bodiesCountUnpacked() throws {
        let folder = TestPaths.fixtures.appendingPathComponent("fuzz/zeros.gz")
        let server = try #require(
            TinyServer(answer: try Data(contentsOf: folder), status: "200 OK\r\nContent-Encoding: gzip"))
        let result = try render(server.port, "--allow-host", "127.0.0.1", "--limit", "fetched-bytes=1000000")
        #expect(result.errors.contains("fetched bytes"), "\(result.errors)")
    }

    // MARK: Malicious servers

    private func say(_ text: String, to client: Int32) -> Bool {
        let bytes = Array(text.utf8)
        return send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    /// The answers of these servers never end, so a byte limit must end them before the time limit.
    @Test func answersWithoutEndAreGivenUp() throws {
        let piece = String(repeating: "x", count: 1 << 16)
        let cases: [(head: String, piece: String)] = [
            ("HTTP/1.1 200 OK\r\n\r\n", piece),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "10000\r\n\(piece)\r\n"),
            ("HTTP/1.1 200 OK\r\n", "X-Header: \(piece.prefix(900))\r\n"),
            ("", "HTTP/1.1 100 Continue\r\nX: y\r\n\r\n"),
        ]
        for (head, piece) in cases {
            let server = try #require(
                TinyServer { client in
                    guard self.say(head, to: client) else { return }
                    while self.say(piece, to: client) {}
                })
            let result = try render(server.port, "--allow-host", "127.0.0.1", "--timeout", "9")
            let isBounded = ["more bytes than the limit", "fetched bytes"].contains { result.errors.contains($0) }
            #expect(isBounded, "\(head) \(result.errors)")
            #expect(!result.errors.contains("stopped after"))
        }
    }

    @Test func serversThatSayNothingAreNotWaitedForLongerThanTheRun() throws {
        let drip: @Sendable (Int32) -> Void = { client in
            while self.say("H", to: client) { usleep(100_000) }
        }
        let silence: @Sendable (Int32) -> Void = { _ in sleep(30) }
        for serve in [drip, silence] {
            let server = try #require(TinyServer(serve: serve))
            let begin = ContinuousClock.now
            let result = try render(server.port, "--allow-host", "127.0.0.1", "--timeout", "1")
            let isBounded = ["stopped after 1", "cannot be fetched"].contains { result.errors.contains($0) }
            #expect(isBounded, "\(result.errors)")
            #expect(ContinuousClock.now - begin < .seconds(10))
        }
    }

    @Test func redirectsEnd() throws {
        let location = Mutex("")
        let server = try #require(
            TinyServer { client in
                let url = location.withLock { $0 }
                _ = self.say("HTTP/1.1 302 Found\r\nLocation: \(url)\r\nContent-Length: 0\r\n\r\n", to: client)
            })
        for (url, requests) in [
            ("http://127.0.0.1:\(server.port)/", 6), ("file:///etc/passwd", 1), ("ftp://127.0.0.1/x", 1),
            ("gopher://127.0.0.1/", 1),
            ("data:text/plain,x", 1), ("http://[::1]:\(server.port)/", 1),
        ] {
            location.withLock { $0 = url }
            let before = server.requests
            let result = try render(server.port, "--allow-host", "127.0.0.1")
            #expect(result.status == 0 && result.errors.contains("cannot be fetched"), "\(url): \(result.errors)")
            #expect(server.requests - before == requests, "\(url)")
        }
    }

    /// Bytes count as they arrive, so concurrent requests share the remaining budget.
    @Test func requestsAtOneTimeShareABudget() throws {
        let zeros = Data(count: 300_000)
        let server = try #require(TinyServer(answer: zeros))
        let page = (0..<8).map { "<img src='http://127.0.0.1:\(server.port)/\($0).png'>" }.joined()
        let result = try #require(program).run(
            [
                "render", "-o", "-", "--format", "png", "--allow-host", "127.0.0.1", "--limit", "fetched-bytes=1000000",
                "--diagnostics", "json",
            ], input: Data(page.utf8))
        #expect(result.status == 2 && result.errors.contains("budget.fetched-bytes"), "\(result.errors)")
    }

    /// When the bytes are used up, only requests under way continue: eight run at a time.
    @Test func nothingIsAskedForAfterTheLastByte() throws {
        let server = try #require(TinyServer(answer: Data(count: 300_000)))
        let page = (0..<40).map { "<img src='http://127.0.0.1:\(server.port)/\($0).png'>" }.joined()
        let result = try #require(program).run(
            [
                "render", "-o", "-", "--format", "png", "--allow-host", "127.0.0.1", "--limit", "fetched-bytes=200000",
                "--diagnostics", "json",
            ], input: Data(page.utf8))
        #expect(result.status == 2 && result.errors.contains("budget.fetched-bytes"), "\(result.errors)")
        #expect(server.requests <= 8)
    }

    @Test func fontsAreNotAskedForAfterTheLastByte() throws {
        let server = try #require(TinyServer(answer: Data(count: 300_000)))
        let page = (0..<9).map {
            "<style>@font-face{font-family:F\($0);src:url(http://127.0.0.1:\(server.port)/\($0).ttf)}</style>"
                + "<p style='font-family:F\($0)'>a"
        }.joined()
        let result = try #require(program).run(
            [
                "render", "-o", "-", "--format", "png", "--allow-host", "127.0.0.1", "--limit", "fetched-bytes=400000",
                "--diagnostics", "json",
            ], input: Data(page.utf8))
        #expect(result.status == 2 && result.errors.contains("budget.fetched-bytes"), "\(result.errors)")
        #expect(server.requests == 2)
    }

    // MARK: Style sheets

    private func page(_ sheets: Int, _ port: UInt16) -> Data {
        Data((0..<sheets).map { "<link rel=stylesheet href='http://127.0.0.1:\(port)/\($0).css'>" }.joined().utf8)
    }

    @Test func styleSheetsCountAsRequests() throws {
        let server = try #require(TinyServer(answer: Data("p{color:red}".utf8)))
        let arguments = ["render", "-o", "-", "--format", "png", "--allow-host", "127.0.0.1", "--diagnostics", "json"]
        let result = try #require(program).run(
            arguments + ["--limit", "requests=4"], input: page(9, server.port) + Data("<p>text".utf8))
        #expect(result.status == 2 && result.errors.contains("budget.requests"), "\(result.errors)")
        #expect(server.requests == 4)
        let other = try #require(program).run(
            arguments + ["--limit", "fetched-bytes=30"], input: page(9, server.port) + Data("<p>text".utf8))
        // Twelve bytes each: the third answer exceeds the budget, and no request is sent after it.
        #expect(other.status == 2 && other.errors.contains("budget.fetched-bytes"), "\(other.errors)")
        #expect(server.requests == 4 + 3)
    }

    @Test func sheetsThatImportFurtherSheetsEnd() throws {
        let server = try #require(
            TinyServer { client in
                let css = (0..<20).map { _ in "@import url(/\(UInt64.random(in: 0...(.max))).css);" }.joined()
                _ = self.say("HTTP/1.1 200 OK\r\nContent-Length: \(css.utf8.count)\r\n\r\n\(css)", to: client)
            })
        let result = try #require(program).run(
            ["render", "-o", "-", "--format", "png", "--allow-host", "127.0.0.1", "--quiet"],
            input: page(1, server.port), timeout: 30)
        #expect(result.status == 2 && result.errors.contains("requests"), "\(result.errors)")
        #expect(server.requests <= 64)
    }

    /// Twenty seconds for all requests of a document together.
    @Test func sheetsThatNeverComeShareTheTime() throws {
        let server = try #require(TinyServer { _ in sleep(60) })
        let begin = ContinuousClock.now
        let result = try #require(program).run(
            ["render", "-o", "-", "--format", "png", "--allow-host", "127.0.0.1", "--timeout", "120"],
            input: page(30, server.port) + Data("<p>text".utf8), timeout: 90)
        #expect(result.status == 0 && result.errors.contains("cannot read the style sheet"), "\(result.errors)")
        #expect(ContinuousClock.now - begin < .seconds(60))
        #expect(server.requests <= 4)
    }

    // MARK: Inputs

    private func run(_ arguments: String, folder: URL? = nil) throws -> ProgramResult {
        try #require(program).run(
            arguments.split(separator: " ").map(String.init), environment: ["no_proxy": "*"], folder: folder)
    }

    /// A page with a style sheet, a picture in the page, one in the sheet and a link, all with relative URLs.
    private func site() throws -> TinyServer {
        let page = """
            <link rel=stylesheet href=css/main.css><p class=hidden>no<p>Gr\u{FC}\u{DF}e <a href=../next>on</a>
            <img src=img/a.png alt=picture><div></div>
            """
        return try #require(
            TinyServer(pages: [
                "/old": ("", Data("/docs/page.html".utf8)),
                "/docs/page.html": (
                    "text/html; charset=\"iso-8859-1\"", Data(page.unicodeScalars.map { UInt8($0.value) })
                ),
                "/docs/css/main.css": (
                    "text/css", Data(".hidden{display:none}div{height:9px;background:url(../img/b.png)}".utf8)
                ),
                "/docs/img/a.png": ("image/png", try picture), "/docs/img/b.png": ("image/png", try picture),
                "/note.md": ("text/plain", Data("# Title".utf8)),
                "/note.md?raw=true": ("text/plain", Data("# Title".utf8)),
                "/note": ("text/markdown", Data("# Title".utf8)),
            ]))
    }

    @Test(arguments: ["render", "render -o x.png", "strip", "select p", "dump --stage tree"])
    func aPageIsNotFetchedUnasked(_ command: String) throws {
        let server = try site()
        let scratch = try Scratch()
        let result = try run("\(command) http://127.0.0.1:\(server.port)/docs/page.html", folder: scratch.url)
        #expect(result.status == 2 && server.requests == 0)
        #expect(result.errors.contains("--allow-net") && result.errors.contains("curl -s http"), "\(result.errors)")
    }

    @Test(arguments: ["render", "strip", "select p"])
    func aPageOfThisMachineIsNotReached(_ command: String) throws {
        let server = try site()
        let result = try run("\(command) http://127.0.0.1:\(server.port)/docs/page.html --allow-net")
        #expect(result.status == 2 && server.requests == 0)
        #expect(result.errors.contains("not one of the public network"), "\(result.errors)")
    }

    @Test func aPageIsFetchedAsItsServerSays() throws {
        let server = try site()
        let url = "http://127.0.0.1:\(server.port)"
        #expect(try run("strip \(url)/old --allow-host 127.0.0.1").text.hasPrefix("Grüße on"))
        let links = try run("select a::attr(href) \(url)/old --allow-host 127.0.0.1")
        #expect(links.text == "\(url)/next\n")
        let markdown = try run("render \(url)/old --format markdown --allow-host 127.0.0.1")
        #expect(markdown.text.contains("[on](\(url)/next)"), "\(markdown.text)")
        // An explicit encoding takes precedence.
        #expect(try run("strip \(url)/old --encoding koi8-r --allow-host 127.0.0.1").text.hasPrefix("GrЭъe"))
    }

    @Test func picturesAndSheetsOfAPageCountFromTheirPlaces() throws {
        let server = try site()
        let url = "http://127.0.0.1:\(server.port)/old"
        let result = try run("render \(url) -o - --format png --width 1300 --allow-host 127.0.0.1")
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        // The redirect, the page, its sheet and two pictures.
        #expect(server.requests == 5)
        let chosen = try run("select img \(url) --format png --width 1300 --allow-host 127.0.0.1")
        #expect(chosen.status == 0 && chosen.errors.isEmpty && chosen.output.count > 1000, "\(chosen.errors)")
    }

    @Test(arguments: ["note.md", "note", "note.md?raw=true"]) func markdownOfTheNetworkIsMarkdown(_ name: String) throws
    {
        let server = try site()
        let result = try run("select h1 http://127.0.0.1:\(server.port)/\(name) --text --allow-host 127.0.0.1")
        #expect(result.text == "Title\n", "\(result.errors)")
    }

    @Test func severalPagesHaveNamesOfTheirOwn() throws {
        let server = try site()
        let scratch = try Scratch()
        let url = "http://127.0.0.1:\(server.port)"
        let result = try run(
            "strip \(url)/docs/page.html?x=1/2 \(url)/note.md -o {stem}.txt --allow-host 127.0.0.1", folder: scratch.url
        )
        #expect(result.status == 2 && result.errors.contains("404"), "\(result.errors)")
        #expect(try String(contentsOfFile: scratch.path("note.txt"), encoding: .utf8) == "Title\n")
    }

    @Test func aPageThatIsNotThereIsAnError() throws {
        let server = try site()
        let result = try run("render http://127.0.0.1:\(server.port)/none --allow-host 127.0.0.1")
        #expect(result.status == 2 && result.errors.contains("404"), "\(result.errors)")
    }

    @Test(arguments: ["--css", "--font", "--config"]) func otherFilesAreNotFetched(_ option: String) throws {
        let result = try run("render --allow-net \(option) https://example.com/x -o x.png README.md")
        #expect(result.status == 2 && result.errors.contains("download it first"), "\(result.errors)")
    }
}
