// `fancytext preview`: a local page that shows the picture, and draws it again when a file changes.
//
// A separate program serves the page; it is built from the package in the folder Preview. This program needs no HTTP server.

import ArgumentParser
import FancyTextBasics
import FancyText
import FancyTextPlatform

struct PreviewCommand: ParsableCommand, DirectArguments {
    static let name = "preview"
    /// The program that serves the page.
    private static let server = "fancytext-preview"
    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Show a picture in a browser, and draw it again when a file changes.",
        discussion: """
            EXAMPLES
              fancytext preview card.html --width 1200 --height 630
              fancytext preview card.html --port 8017 --css house.css

            The page is served to this machine only, at the address that is printed, until the command is ended (Ctrl-C). It has the
            picture, the boxes under the pointer, messages, and a form of the template's keys. Files below the document's
            folder are watched.
            \(HelpSections.common)
            """)

    @Argument(help: "The document or template.", completion: .file())
    var file: String

    @Option(help: ArgumentHelp("Port of the page (default: any that is free).", valueName: "n"))
    var port: String?

    @Option(
        name: [.customShort("w"), .long], help: ArgumentHelp("Width in CSS pixels, or auto.", valueName: "n|auto"))
    var width: String?

    @Option(
        name: [.customShort("H"), .long], help: ArgumentHelp("Height in CSS pixels, or auto.", valueName: "n|auto"))
    var height: String?

    @Option(help: "Device pixels for each CSS pixel, 1 to 16.")
    var scale: String?

    @OptionGroup(title: "Style options") var styles: StyleArguments
    @OptionGroup(title: "Font options") var fonts: FontArguments
    @OptionGroup(title: "Configuration") var defaults: ConfigurationArguments

    mutating func bind(_ given: inout GivenArguments) {
        file = given.argument()
        port = given.option("port")
        width = given.option("width", short: "w")
        height = given.option("height", short: "H")
        scale = given.option("scale")
        styles = given.group(styles)
        fonts = given.group(fonts)
        defaults = given.group(defaults)
    }

    func validate() throws {
        if file.isEmpty { throw ValidationError("Missing expected argument '<file>'.") }
        if file == "-" || URLReference.isRemote(file) {
            throw ValidationError("preview needs a file: '\(file)' cannot be watched.")
        }
    }

    func run() throws {
        let port = try OptionText("--port", port).integer(in: 0...65535) ?? 0
        let program = PathText.program
        guard let slash = program.lastIndex(of: "/") else {
            throw CommandFailure("the program's own path is unknown, and with it that of \(Self.server): mount /proc")
        }
        let folder = program[...slash]
        let server = String(folder) + Self.server
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
        let texts = [
            ("width", width), ("height", height), ("scale", scale), ("root-style", styles.rootStyle),
            ("policy", styles.policy), ("dialect", styles.dialect), ("color-scheme", styles.colorScheme),
            ("emoji", fonts.emoji), ("hinting", fonts.hinting),
        ]
        let lists = [
            ("css", styles.css), ("style", styles.style), ("font", fonts.font), ("font-dir", fonts.fontDir),
        ]
        var json = JSONBuffer()
        json.beginObject()
        json.member("program", program)
        json.member("file", file)
        json.member("port", port)
        json.key("options")
        json.beginObject()
        for (name, text) in texts {
            guard let text else { continue }
            json.key(name)
            json.string(text)
        }
        for (name, list) in lists where !list.isEmpty {
            json.key(name)
            json.strings(list)
        }
        if fonts.noSystemFonts { json.member("no-system-fonts", true) }
        json.endObject()
        json.key("files")
        json.strings(styles.css + fonts.font)
        json.endObject()
        return json.bytes
    }
}

extension JSONBuffer {
    fileprivate mutating func strings(_ list: [String]) {
        beginArray()
        for text in list { string(text) }
        endArray()
    }
}
