// `fancytext preview`: a local page that shows the picture, and draws it again when a file changes.
//
// A separate program serves the page; it is built from the package in the folder Preview. This program needs no HTTP server.

import ArgumentParser
import FancyTextBasics
import FancyTextPlatform

struct PreviewCommand: Command {
    static let name = "preview"
    /// The program that serves the page.
    private static let server = "fancytext-preview"
    static let abstract = "Show a picture in a browser, and draw it again when a file changes."
    static let discussion = """
        EXAMPLES
          fancytext preview card.html --width 1200 --height 630
          fancytext preview card.html --port 8017 --css house.css

        The page is served to this machine only, at the address that is printed, until
        the command is ended (Ctrl-C). It has the picture, the boxes under the
        pointer, messages, and a form of the template's keys. Files below the
        document's folder are watched.
        """

    @Operand("file", "The document or template.") var file
    let port = Setting("port", "Port of the page (default: any that is free).", value: "n")
    let width = Setting("width", "Width in CSS pixels, or auto.", short: "w", value: "n|auto", traits: .look)
    let height = Setting("height", "Height in CSS pixels, or auto.", short: "H", value: "n|auto", traits: .look)
    let scale = Setting("scale", "Device pixels for each CSS pixel, 1 to 16.", traits: .look)
    @Group("Style options") var styles: StyleArguments
    @Group("Font options") var fonts: FontArguments

    func validate() throws {
        if file.isEmpty { throw ValidationError("Missing expected argument '<file>'.") }
        if file == "-" || URLReference.isRemote(file) {
            throw ValidationError("preview needs a file: '\(file)' cannot be watched.")
        }
    }

    func run() throws {
        let port = try port.integer(in: 0...65535) ?? 0
        let program = PathText.program
        guard let slash = program.lastIndex(of: "/") else {
            throw CommandFailure("the program's own path is unknown, and with it that of \(Self.server): mount /proc")
        }
        let server = String(program[...slash]) + Self.server
        let options = String(decoding: json(program: program, port: port), as: UTF8.self)
        var words = [strdup(server), strdup(options), nil]
        defer { words.forEach { free($0) } }
        execv(server, &words)
        if errno == ENOENT {
            throw CommandFailure(
                "'\(server)' is not installed; it comes with the package fancytext-preview, or from make preview")
        }
        throw CommandFailure("the program that serves the page, \(server)", errno: errno)
    }

    /// The configuration for the server.
    private func json(program: String, port: Int) -> [UInt8] {
        let settings = [
            width, height, scale, styles.rootStyle, styles.policy, styles.dialect, styles.colorScheme, fonts.emoji,
            fonts.hinting,
        ]
        let lists = [("css", styles.css), ("style", styles.style), ("font", fonts.font), ("font-dir", fonts.fontDir)]
        let options =
            settings.filter(\.isGiven).map { JSONMember(name: $0.name, value: .string($0.text ?? "")) }
            + lists.filter { !$1.isEmpty }.map { JSONMember(name: $0, value: .array($1.map(JSONValue.string))) }
            + (fonts.noSystemFonts ? [JSONMember(name: "no-system-fonts", value: .bool(true))] : [])
        var json = JSONBuffer()
        json.object { json in
            json.member("program", program)
            json.member("file", file)
            json.member("port", port)
            json.member("options", .object(options))
            json.array("files", styles.css + fonts.font) { $0.string($1) }
        }
        return json.bytes
    }
}
