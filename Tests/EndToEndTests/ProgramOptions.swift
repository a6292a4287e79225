// The options of a command as listed in its help, with a value for each that takes one.

import FancyTextTestSupport
import Foundation
import Testing

struct ProgramOption: Sendable, CustomStringConvertible {
    var name: String
    /// The value; nil for a flag.
    var value: String?
    var argument: String { "--\(name)" + (value.map { "=\($0)" } ?? "") }
    var description: String { argument }

    /// The options of a command. A new option needs a value here, and then takes part in all tests of this kind.
    ///
    /// - Parameter scratch: the folder of files that values name.
    static func all(of command: String, _ scratch: Scratch) throws -> [ProgramOption] {
        func file(_ name: String, _ contents: String) throws -> String {
            let path = scratch.path(name)
            try contents.write(toFile: path, atomically: true, encoding: .utf8)
            return path
        }
        let fonts = TestPaths.fixtures.appendingPathComponent("fuzz/fonts").path
        let folder = scratch.path("emoji")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        _ = try file("emoji/1f600.svg", "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>")
        let values: [String: String] = [
            "accent": "#0a0", "add-class": "b=more", "allow-host": "example.invalid", "append": "p=<i>end</i>",
            "attr": "class", "background": "#eee", "base": "https://example.com/", "base-dir": folder,
            "cache": folder, "cache-max-size": "1000000", "check": scratch.path("none.png"), "color": "always",
            "color-scheme": "dark", "config": try file("config.json", "{}"),
            "css": try file("sheet.css", "b{font-size:30px}"), "data": try file("rows.ndjson", "{\"t\":\"row\"}\n"),
            "data-format": "ndjson", "details": "closed", "diagnostics": "json", "dialect": "css", "dpi": "192",
            "ellipsis": "~",
            "emoji": folder, "encoding": "windows-1252", "entities": "off", "field": "t=::text",
            "font": fonts + "/varying.otf", "font-dir": fonts, "from": "markdown", "gamma": "3", "height": "400",
            "highlight": "none", "hinting": "none", "hyperlinks": "always", "image-map": scratch.path("map.html"),
            "images": "none",
            "jobs": "1", "lambda": "l=" + (try file("lambda.html", "<b>L</b>")), "limit": "boxes=100000",
            "links": "inline", "max-depth": "100", "max-height": "30", "max-image-pixels": "100000",
            "max-input": "100000", "max-lines": "1", "max-memory": "4000000000", "max-pixels": "100000000",
            "max-size": "40", "min-size": "5", "nth": "1", "offsets": "utf16", "padding": "4", "page": "A5",
            "page-margin": "3cm", "pages": "1",
            "media": "print",
            "policy": "code", "preset": "neon", "quality": "50", "remove": "h1", "root-style": "font-size:20px",
            "scale": "2", "separator": "|", "set": "b=other", "set-attr": "b=class=more", "set-html": "b=<i>o</i>",
            "style": "b{font-size:30px}", "theme": "dark", "timeout": "20", "tolerance": "3", "valign": "bottom",
            "width": "200",
        ]
        var found: [ProgramOption] = []
        for match in try help(of: command).matches(of: /\n  (?:-\w, )?--([a-z-]+)( <[^>]*>)?/) {
            let name = String(match.1)
            // Tests vary the first two themselves; the others do not render.
            if ["format", "output", "help", "version"].contains(name) { continue }
            let value = match.2 == nil ? nil : values[name]
            #expect(match.2 == nil || value != nil, "no value for --\(name): add one to ProgramOption")
            found.append(ProgramOption(name: name, value: value))
        }
        try #require(found.count > 40)
        return found
    }

    /// The formats that a command writes.
    static func formats(of command: String) throws -> [String] {
        let list = try #require(try help(of: command).firstMatch(of: /--format <([a-z|]+)>/)?.1)
        return list.split(separator: "|").map(String.init)
    }

    private static func help(of command: String) throws -> String {
        try #require(program).run([command, "--help"], input: "").text
    }

    /// The value as a member of a request.
    var member: Any { value.map { value in Int(value).map { $0 as Any } ?? value } ?? true }
}

/// The results of a `batch`, in the order of the requests: one process for hundreds of results.
func answers(_ requests: [[String: Any]], _ arguments: String...) throws -> [[String: any Sendable]] {
    var lines = Data()
    for request in requests {
        lines += try JSONSerialization.data(withJSONObject: request, options: .sortedKeys) + [0x0A]
    }
    let result = try #require(program).run(["batch"] + arguments, input: lines, timeout: 600)
    let answers = try result.text.split(separator: "\n").map {
        try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: any Sendable])
    }
    try #require(answers.count == requests.count, "\(result.errors)")
    return answers
}

extension [String: any Sendable] {
    var status: Int { self["status"] as? Int ?? 2 }
    var error: String { self["error"] as? String ?? "" }
    /// The text, or other bytes in base64.
    var result: String { self["text"] as? String ?? self["data"] as? String ?? "" }
    /// True if the command has the option, but requests do not.
    var isRefused: Bool { error.contains(" has no '") }
}
