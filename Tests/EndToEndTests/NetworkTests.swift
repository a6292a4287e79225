// Pictures from the network: only when asked for, with a server on this machine.

import Foundation
import TestSupport
import Testing

/// Answers every request on a port of this machine with the same bytes, until it is released.
private final class TinyServer: @unchecked Sendable {
    let port: UInt16
    private let socket: Int32
    private let lock = NSLock()
    private var served = 0
    /// How many were answered.
    var requests: Int { lock.withLock { served } }

    init?(answer: Data, status: String = "200 OK") {
        let listening = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listening, $0, length) == 0 && listen(listening, 8) == 0
                    && getsockname(listening, $0, &length) == 0
            }
        }
        socket = listening
        port = UInt16(bigEndian: address.sin_port)
        guard isListening else { return nil }
        let head = "HTTP/1.1 \(status)\r\nContent-Length: \(answer.count)\r\nConnection: close\r\n\r\n"
        let bytes = Array(Data(head.utf8) + answer)
        Thread.detachNewThread { [weak self] in
            while true {
                let client = accept(listening, nil, nil)
                guard client >= 0 else { return }
                if let self { self.lock.withLock { self.served += 1 } }
                var request = [UInt8](repeating: 0, count: 4096)
                _ = read(client, &request, request.count)
                _ = send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
                close(client)
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
        let result = try render(server.port, "--allow-host", "127.0.0.1")
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
        #expect(result.errors.contains("more bytes than the limit"), "\(result.errors)")
    }
}
