// Pictures, queries and colours at a terminal: the output is decoded again and compared with the picture.

import Foundation
import FancyTextTestSupport
import Testing

@testable import FancyTextImages
@testable import FancyTextPainting

private let script = "/usr/bin/script"
private let withTerminal: ConditionTrait = .enabled(
    if: FileManager.default.isExecutableFile(atPath: script), "no \(script)")

@Suite("Terminal protocols", whenBuilt, withTerminal)
struct TerminalProtocolTests {
    /// The program's output on a terminal with this environment, which answers with `answer`.
    private func shown(
        _ arguments: String, folder: URL, environment: [String: String] = [:], answer: String = ""
    ) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: script)
        let path = try #require(program).url.path
        // The terminal must not echo the answer.
        process.arguments = ["-qefc", "stty -echo -opost; \(path) \(arguments) --no-config", "/dev/null"]
        process.environment = ["TERM": "xterm-256color", "COLORTERM": "truecolor", "PATH": "/usr/bin:/bin"]
            .merging(environment) { $1 }
        process.currentDirectoryURL = folder
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        input.fileHandleForWriting.write(Data(answer.utf8))
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Array(data)
    }

    private static let quadrants: [(red: Int, green: Int, blue: Int)] = [
        (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255),
    ]

    /// A folder with a page of one picture of four colours, two cells wide and two high.
    private func folder() throws -> Scratch {
        let scratch = try Scratch()
        let page = """
            <div style='position:relative'>\
            <div style='position:absolute;left:0;top:0;width:8px;height:18px;background:#f00'></div>\
            <div style='position:absolute;left:8px;top:0;width:8px;height:18px;background:#0f0'></div>\
            <div style='position:absolute;left:0;top:18px;width:8px;height:18px;background:#00f'></div>\
            <div style='position:absolute;left:8px;top:18px;width:8px;height:18px;background:#fff'></div></div>
            """
        let drawn = try #require(program).run(
            ["render", "-", "-o", scratch.path("q.png"), "--width", "16", "--height", "36", "--padding", "0"],
            input: page)
        #expect(drawn.status == 0)
        try Data("<img src=q.png alt=four>".utf8).write(to: URL(fileURLWithPath: scratch.path("page.html")))
        return scratch
    }

    /// Checks the colour in the middle of each quadrant.
    private func expectQuadrants(_ picture: Pixmap, within tolerance: Int = 0) {
        for (place, expected) in Self.quadrants.enumerated() {
            let x = picture.width / 4 + place % 2 * picture.width / 2
            let y = picture.height / 4 + place / 2 * picture.height / 2
            let color = Pixel.straight(picture[x, y])
            for (got, wanted) in [
                (color.red, expected.red), (color.green, expected.green), (color.blue, expected.blue),
            ] {
                #expect(abs(Int(got) - wanted) <= tolerance, "\(place): \(color)")
            }
        }
    }

    /// All texts between two markers.
    private func pieces(_ text: String, _ begin: String, _ end: String) -> [String] {
        text.components(separatedBy: begin).dropFirst().compactMap { $0.components(separatedBy: end).first }
    }

    /// The terminal is asked for its pictures only if there are some to show, and for nothing without colours.
    @Test func onlyWhatMattersIsAsked() throws {
        let folder = try folder()
        try Data("<b>no picture</b>".utf8).write(to: URL(fileURLWithPath: folder.path("plain.html")))
        func asked(_ page: String, _ environment: [String: String] = [:]) throws -> (pictures: Bool, any: Bool) {
            let text = String(
                decoding: try shown("render \(page)", folder: folder.url, environment: environment), as: UTF8.self)
            return (text.contains("a=q"), text.contains("\u{1B}[c"))
        }
        #expect(try asked("page.html") == (true, true))
        #expect(try asked("plain.html") == (false, true))
        #expect(try asked("page.html", ["NO_COLOR": "1"]) == (false, false))
        #expect(try asked("page.html plain.html").pictures)
    }

    @Test func kittyGetsAPNGInChunks() throws {
        let folder = try folder()
        let text = String(decoding: try shown("render page.html --images kitty", folder: folder.url), as: UTF8.self)
        let chunks = pieces(text, "\u{1B}_G", "\u{1B}\\").filter { !$0.contains("a=q") }
        let first = try #require(chunks.first)
        #expect(first.hasPrefix("a=T,f=100,c=2,r=2,m="))
        #expect(chunks.dropLast().allSatisfy { $0.contains("m=1;") && $0.utf8.count < 4200 })
        #expect(chunks.last?.contains("m=0;") == true)
        let base64 = chunks.map { $0.components(separatedBy: ";")[1] }.joined()
        let png = try #require(Data(base64Encoded: base64))
        expectQuadrants(try ImageDecoder.decode(Array(png), limit: 1_000_000))
    }

    @Test func iTermGetsAFile() throws {
        let folder = try folder()
        let text = String(decoding: try shown("render page.html --images iterm", folder: folder.url), as: UTF8.self)
        let file = try #require(pieces(text, "\u{1B}]1337;File=", "\u{07}").first)
        let parts = file.components(separatedBy: ":")
        #expect(parts[0].hasPrefix("inline=1;width=2;height=2;preserveAspectRatio=0;size="))
        let png = try #require(Data(base64Encoded: parts[1]))
        #expect(parts[0].hasSuffix("size=\(png.count)"))
        expectQuadrants(try ImageDecoder.decode(Array(png), limit: 1_000_000))
    }

    @Test func sixelsShowThePicture() throws {
        let folder = try folder()
        let text = String(decoding: try shown("render page.html --images sixel", folder: folder.url), as: UTF8.self)
        let picture = try #require(pieces(text, "\u{1B}P0;1q", "\u{1B}\\").first)
        expectQuadrants(try #require(Sixels(picture)?.picture), within: 26)
    }

    @Test func halfBlocksHaveTheColors() throws {
        let folder = try folder()
        let text = String(
            decoding: try shown("render page.html --images blocks --theme dark", folder: folder.url), as: UTF8.self)
        let rows = text.split(separator: "\n").map(String.init).filter { $0.contains("▀") || $0.contains("▄") }
        #expect(rows.count == 2)
        #expect(rows[0].contains("38;2;255;0;0;48;2;255;0;0m▀") && rows[0].contains("38;2;0;255;0;48;2;0;255;0m▀"))
        #expect(
            rows[1].contains("38;2;0;0;255;48;2;0;0;255m▀") && rows[1].contains("38;2;255;255;255;48;2;255;255;255m▀"))
    }

    @Test func withoutAnyTheAlternativeTextShows() throws {
        let folder = try folder()
        for options in ["--images none", "", "--images auto"] {
            let text = String(decoding: try shown("render page.html \(options)", folder: folder.url), as: UTF8.self)
            #expect(text.contains("four"))
            #expect(!text.contains("1337") && !text.contains("a=T") && !text.contains("\u{1B}P"))
        }
        // No picture data is written if no terminal shows it.
        let piped = try #require(program).run(
            ["render", "page.html"], environment: ["KITTY_WINDOW_ID": "1"], folder: folder.url)
        #expect(piped.text == "four\n")
    }

    @Test(arguments: [
        (["KITTY_WINDOW_ID": "1"], "", "\u{1B}_Ga=T"), (["TERM": "xterm-ghostty"], "", "\u{1B}_Ga=T"),
        (["TERM_PROGRAM": "iTerm.app"], "", "\u{1B}]1337;File="),
        (["TERM_PROGRAM": "WezTerm"], "", "\u{1B}]1337;File="),
        ([:], "\u{1B}[?62;4;22c", "\u{1B}P0;1q"), ([:], "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62c", "\u{1B}_Ga=T"),
        (["TMUX": "/tmp/x,1,0", "KITTY_WINDOW_ID": "1"], "", "\u{1B}Ptmux;\u{1B}\u{1B}_Ga=T"),
    ])
    func protocolsAreFound(_ environment: [String: String], _ answer: String, _ begin: String) throws {
        let folder = try folder()
        let text = String(
            decoding: try shown("render page.html", folder: folder.url, environment: environment, answer: answer),
            as: UTF8.self)
        #expect(text.contains(begin), "\(text.debugDescription)")
    }

    // MARK: Background and colours

    @Test(arguments: [
        (["--theme": "dark"], "", "122;176;255"), (["--theme": "light"], "", "11;87;208"),
        ([:], "\u{1B}]11;rgb:0000/0000/0000\u{1B}\\\u{1B}[?62c", "122;176;255"),
        ([:], "\u{1B}]11;rgb:ff/ff/ff\u{07}\u{1B}[?62c", "11;87;208"),
        (["COLORFGBG": "15;0"], "\u{1B}[?62c", "122;176;255"), (["COLORFGBG": "0;15"], "\u{1B}[?62c", "11;87;208"),
        ([:], "\u{1B}[?62c", "82;118;172"),
    ])
    func linksSuitTheBackground(_ given: [String: String], _ answer: String, _ color: String) throws {
        let scratch = try Scratch()
        try Data("<a href=https://e.x/>x</a>".utf8).write(to: URL(fileURLWithPath: scratch.path("a.html")))
        let options = given["--theme"].map { " --theme \($0)" } ?? ""
        let text = String(
            decoding: try shown(
                "render a.html" + options, folder: scratch.url, environment: given.filter { $0.key != "--theme" },
                answer: answer), as: UTF8.self)
        #expect(text.contains("38;2;\(color)m"), "\(text.debugDescription)")
    }

    /// The terminal's name and environment, and the first escape sequence of red bold text.
    @Test(arguments: [
        (["TERM": "xterm-kitty", "COLORTERM": ""], "1;38;2"), (["TERM": "xterm-ghostty", "COLORTERM": ""], "1;38;2"),
        (["TERM": "alacritty", "COLORTERM": ""], "1;38;2"), (["TERM": "foot", "COLORTERM": ""], "1;38;2"),
        (["TERM": "foot-extra", "COLORTERM": ""], "1;38;2"), (["TERM": "wezterm", "COLORTERM": ""], "1;38;2"),
        (["TERM": "xterm-direct", "COLORTERM": ""], "1;38;2"),
        (["TERM": "xterm-256color", "COLORTERM": ""], "1;38;5"), (["TERM": "xterm", "COLORTERM": ""], "1;91m"),
        (["TERM": "vt100", "COLORTERM": ""], "1mx"), (["TERM": "vt220", "COLORTERM": ""], "1mx"),
        (["NO_COLOR": "1"], "1mx"), (["FORCE_COLOR": "0"], "1mx"), (["CLICOLOR": "0"], "1mx"),
        (["FORCE_COLOR": "1"], "1;91m"), (["FORCE_COLOR": "2"], "1;38;5"),
        (["FORCE_COLOR": "3", "TERM": "dumb"], "1;38;2"),
        (["CLICOLOR": "0", "CLICOLOR_FORCE": "1"], "1;38;2"), (["NO_COLOR": "1", "FORCE_COLOR": "3"], "1mx"),
        (["TERM_PROGRAM": "vscode", "COLORTERM": ""], "1;38;2"),
    ])
    func colorsAreThoseOfTheTerminal(_ environment: [String: String], _ expected: String) throws {
        let scratch = try Scratch()
        try Data("<b style='color:#f33'>x</b>".utf8).write(to: URL(fileURLWithPath: scratch.path("a.html")))
        let text = String(
            decoding: try shown(
                "render a.html --theme dark --images none", folder: scratch.url, environment: environment),
            as: UTF8.self)
        #expect(text.contains("\u{1B}[" + expected), "\(text.debugDescription)")
    }

    @Test(arguments: ["xterm", "linux", "screen", "dumb"])
    func colorsThatAreAskedForAreWritten(_ term: String) throws {
        let result = try #require(program).run(
            ["render", "--from", "markdown", "--color", "always", "--no-config"], input: Data("# a".utf8),
            environment: ["TERM": term])
        #expect(result.text.contains("38;5;"), "\(result.text.debugDescription)")
    }

    @Test func dumbTerminalsGetText() throws {
        let scratch = try Scratch()
        try Data("<b>x</b>".utf8).write(to: URL(fileURLWithPath: scratch.path("a.html")))
        #expect(try shown("render a.html", folder: scratch.url, environment: ["TERM": "dumb"]) == Array("x\n".utf8))
    }

    // MARK: Mail readers

    /// Mail readers hang on unknown sequences, or print them: joined attributes, `4:2`, `38;2;…` (NeoMutt 20220429, mutt 2.2.12).
    @Test(arguments: ["", "xterm", "xterm-256color", "xterm-kitty", "alacritty"])
    func sequencesInAPipeHaveOneAttribute(_ term: String) throws {
        let page =
            "<h1 style='color:#a1b2c3'>T</h1><b style='color:#123456;background:#fedcba'>b<u>u</u></b>"
            + "<u style='text-decoration:underline wavy #ff1234'>w</u><pre><code class=language-c>int x; // y</code></pre>"
        func sequences(_ colorTerm: String) throws -> [Substring] {
            let result = try #require(program).run(
                ["render", "--color", "always", "--theme", "dark"], input: Data(page.utf8),
                environment: ["TERM": term, "COLORTERM": colorTerm])
            return result.text.split(separator: "\u{1B}[").dropFirst().map { $0.prefix { $0 != "m" } }
        }
        let known = /[01234589]|[349][0-7]|10[0-7]|[34]8;5;\d+/
        for sequence in try sequences("") { #expect(sequence.wholeMatch(of: known) != nil, "\(sequence)") }
        #expect(try sequences("truecolor").contains { $0.hasPrefix("38;2;") })
    }

    @Test func filesKeepWhatTheirTerminalsKnow() throws {
        let scratch = try Scratch()
        let page = "<b style='color:#f33'>x</b> <u style='text-decoration:underline double'>y</u>"
        _ = try #require(program).run(
            ["render", "--theme", "dark", "-o", scratch.path("a.ans")], input: Data(page.utf8),
            environment: ["TERM": "xterm-kitty"])
        let text = try String(contentsOfFile: scratch.path("a.ans"), encoding: .utf8)
        #expect(text.contains("\u{1B}[1;38;2;") && text.contains("[4:2"), "\(text.debugDescription)")
    }

    // MARK: Width and pages

    @Test func theWidthIsTheTerminalsInAPipeToo() throws {
        let scratch = try Scratch()
        try Data(String(repeating: "word ", count: 40).utf8).write(to: URL(fileURLWithPath: scratch.path("a.html")))
        let path = try #require(program).url.path
        let process = Process()
        process.executableURL = URL(fileURLWithPath: script)
        process.arguments = ["-qefc", "stty cols 44; \(path) render a.html 2>/dev/null </dev/null | cat", "/dev/null"]
        process.environment = ["TERM": "xterm", "PATH": "/usr/bin:/bin", "COLUMNS": "70"]
        process.currentDirectoryURL = scratch.url
        let output = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let lines = text.split(whereSeparator: \.isNewline)
        #expect(lines.map(\.count).max() == 44)
    }

    @Test func severalFilesHaveHeads() throws {
        let scratch = try Scratch()
        for name in ["a.html", "b.html"] {
            try Data("<p>in \(name)".utf8).write(to: URL(fileURLWithPath: scratch.path(name)))
        }
        let text = String(decoding: try shown("render a.html b.html --theme dark", folder: scratch.url), as: UTF8.self)
        #expect(text.contains("── a.html ──\nin a.html\n\n── b.html ──\nin b.html\n"))
        #expect(
            try #require(program).run(["render", "a.html", "b.html"], folder: scratch.url).text
                == "in a.html\nin b.html\n")
    }

    @Test func aPagerGetsTheStyledText() throws {
        let scratch = try Scratch()
        try Data("<b>x</b>".utf8).write(to: URL(fileURLWithPath: scratch.path("a.html")))
        let text = String(
            decoding: try shown(
                "render a.html --pager --theme dark", folder: scratch.url,
                environment: ["PAGER": "sed 's/^/paged: /'"]), as: UTF8.self)
        #expect(text.contains("paged: \u{1B}[1mx"))
    }
}

/// A decoded picture in sixels (DEC STD 070).
private struct Sixels {
    private(set) var picture: Pixmap

    /// - Parameter text: the data after the introducer, starting with the raster attributes.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        var at = 0
        func number() -> Int {
            var value = 0
            while at < bytes.count, (0x30...0x39).contains(bytes[at]) {
                value = value * 10 + Int(bytes[at] - 0x30)
                at += 1
            }
            return value
        }
        func numbers() -> [Int] {
            var result = [number()]
            while at < bytes.count, bytes[at] == UInt8(ascii: ";") {
                at += 1
                result.append(number())
            }
            return result
        }
        guard bytes.first == UInt8(ascii: "\"") else { return nil }
        at = 1
        let raster = numbers()
        guard raster.count == 4 else { return nil }
        picture = Pixmap(width: raster[2], height: raster[3], fill: 0)
        var palette: [Int: UInt32] = [:]
        var color: UInt32 = 0
        var (x, band, count) = (0, 0, 1)
        while at < bytes.count {
            let byte = bytes[at]
            at += 1
            switch byte {
            case UInt8(ascii: "#"):
                let values = numbers()
                if values.count == 5 {
                    let channels = values[2...].map { UInt32($0 * 255 / 100) }
                    palette[values[0]] = 0xFF00_0000 | channels[2] << 16 | channels[1] << 8 | channels[0]
                } else {
                    color = palette[values[0]] ?? 0
                }
            case UInt8(ascii: "!"): count = number()
            case UInt8(ascii: "$"): x = 0
            case UInt8(ascii: "-"): (x, band) = (0, band + 6)
            case 0x3F...0x7E:
                for _ in 0..<count {
                    for row in 0..<6 where (byte - 63) >> UInt8(row) & 1 == 1 && band + row < picture.height {
                        if x < picture.width { picture.pixels[(band + row) * picture.width + x] = color }
                    }
                    x += 1
                }
                count = 1
            default: return nil
            }
        }
    }
}
