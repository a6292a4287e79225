// The HTTP server of the preview page.
//
// `GET /` is the page. `GET /version?after=N` answers when files have changed since version N, or after some seconds.
// `POST /drawing` takes a row for the template and returns the picture, the boxes of its layout and the messages.

import FlyingFox
import Foundation

struct PreviewServer: Sendable {
    private let options: PreviewOptions
    private let batch: BatchProcess
    private let watch: FolderWatch

    private static let template = "preview"
    private static let patience = Duration.seconds(10)
    private static let largestRow = 1 << 20

    init(_ options: PreviewOptions) {
        self.options = options
        batch = BatchProcess(program: options.program)
        watch = FolderWatch(folder: Self.folder(of: options.file), files: [options.file] + options.files)
    }

    private static func folder(of file: String) -> String {
        file.lastIndex(of: "/").map { $0 == file.startIndex ? "/" : String(file[..<$0]) } ?? "."
    }

    /// Serves until the process ends.
    ///
    /// - Parameter listening: called with the page's address, once it can be requested.
    func run(listening: @escaping @Sendable (String) -> Void) async throws {
        let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: options.port), logger: .disabled)
        await server.appendRoute("GET /") { request in
            guarded(request) {
                HTTPResponse(statusCode: .ok, headers: Self.headers("text/html"), body: Data(page.utf8))
            }
        }
        await server.appendRoute("GET /version") { request in
            let known = request.query["after"].flatMap { Int($0) } ?? 0
            let version = await watch.version(after: known, patience: Self.patience)
            return guarded(request) { Self.json(["version": version]) }
        }
        await server.appendRoute("POST /drawing") { request in
            guard isForThisMachine(request) else { return HTTPResponse(statusCode: .forbidden) }
            guard let body = try await Self.body(of: request) else { return HTTPResponse(statusCode: .payloadTooLarge) }
            let row = try? JSONSerialization.jsonObject(with: body)
            return Self.json(await drawing(of: row as? [String: Any] ?? [:]))
        }
        // If the server cannot listen, `run` throws the reason, which ends the group.
        try await withThrowingTaskGroup { group in
            group.addTask { try await server.run() }
            group.addTask {
                try? await server.waitUntilListening(timeout: 5)
                if case .ip4(_, let port)? = await server.listeningAddress { listening("http://127.0.0.1:\(port)/") }
            }
            for try await _ in group {}
        }
    }

    // MARK: Safety

    /// Returns whether the request names this machine. Another site could let a domain of its own point here (DNS rebinding).
    private func isForThisMachine(_ request: HTTPRequest) -> Bool {
        guard let host = request.headers[.host]?.lowercased() else { return false }
        guard ["127.0.0.1", "localhost"].contains(where: { host == $0 || host.hasPrefix($0 + ":") }) else {
            return false
        }
        return request.headers[HTTPHeader("Origin")].map { $0 == "http://" + host } ?? true
    }

    /// The body of a request; nil when it is too large, or chunked, without a length.
    private static func body(of request: HTTPRequest) async throws -> Data? {
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > largestRow { return nil }
        var body = Data()
        for try await part in request.bodySequence {
            guard body.count + part.count <= largestRow else { return nil }
            body += part
        }
        return body
    }

    private func guarded(_ request: HTTPRequest, _ answer: () -> HTTPResponse) -> HTTPResponse {
        isForThisMachine(request) ? answer() : HTTPResponse(statusCode: .forbidden)
    }

    private static func headers(_ type: String) -> HTTPHeaders {
        [
            .contentType: type + "; charset=utf-8",
            HTTPHeader("Cache-Control"): "no-store",
            HTTPHeader("Content-Security-Policy"):
                "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'",
        ]
    }

    private static func json(_ object: [String: Any]) -> HTTPResponse {
        let body = (try? JSONSerialization.data(withJSONObject: object)) ?? Data("{}".utf8)
        return HTTPResponse(statusCode: .ok, headers: headers("application/json"), body: body)
    }

    // MARK: Drawing

    /// The data that the page shows: `picture` (a data URL), `layout` (the text that `fancytext render --format json --layout
    /// --boxes` prints), `messages`, `error`, and `template`, for whose keys the page shows fields.
    private func drawing(of row: [String: Any]) async -> [String: Any] {
        let version = await watch.version
        var result: [String: Any] = ["version": version, "file": options.file]
        guard let data = FileManager.default.contents(atPath: options.file) else {
            result["error"] = "\(options.file): cannot be read"
            return result
        }
        let source = String(decoding: data, as: UTF8.self)
        let isTemplate = source.contains("{{") && !options.file.hasSuffix(".md")
        if isTemplate { result["template"] = source }
        var requests: [[String: Any]] = isTemplate ? [["define": Self.template, "html": source]] : []
        for format in ["png", "json"] {
            var request = options.options.mapValues(\.object)
            request["format"] = format
            if format == "json" {
                // This option changes only pictures.
                request["hinting"] = nil
                request["layout"] = true
                request["boxes"] = true
            }
            if isTemplate {
                request["template"] = Self.template
                request["row"] = row
                if request["base-dir"] == nil { request["base-dir"] = Self.folder(of: options.file) }
            } else {
                request["file"] = options.file
            }
            requests.append(request)
        }
        do {
            let lines = try requests.map { try JSONSerialization.data(withJSONObject: $0) }
            let answers = try await batch.results(of: lines).map {
                try JSONSerialization.jsonObject(with: $0) as? [String: Any] ?? [:]
            }
            if let failed = answers.first(where: { $0["error"] != nil }) { result["error"] = failed["error"] }
            let drawn = answers[answers.count - 2]
            if let data = drawn["data"] as? String { result["picture"] = "data:image/png;base64," + data }
            result["messages"] = drawn["messages"] ?? []
            result["layout"] = answers[answers.count - 1]["text"]
        } catch {
            result["error"] = "the program that draws has ended"
        }
        return result
    }
}
