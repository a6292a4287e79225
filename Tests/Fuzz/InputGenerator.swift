// Generated inputs: random bytes, random tags, and pages that are cut, spliced and mutated.

import FancyTextPlatform

/// A generator whose numbers depend only on the seed.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let mixed = (state ^ state >> 32) &* 0x9E37_79B9_7F4A_7C15
        return mixed ^ mixed >> 29
    }
}

struct InputGenerator {
    private var random: SeededGenerator
    private let seeds: [[UInt8]]
    var seedCount: Int { seeds.count }

    init(seed: UInt64, seeds: [[UInt8]]) {
        random = SeededGenerator(state: seed)
        self.seeds = seeds
    }

    mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

    mutating func next() -> [UInt8] {
        switch Int.random(in: 0..<(seeds.isEmpty ? 4 : 8), using: &random) {
        case 0: return randomBytes()
        case 1...3: return soup(pieces: Int.random(in: 1...120, using: &random))
        default: return mutated()
        }
    }

    private mutating func randomBytes() -> [UInt8] {
        let alphabet: [UInt8] = Array("<>/!?-=\"'& ab;#x[]\n\t\0".utf8) + [0xC2, 0xE2, 0x80, 0xFF]
        let isMarkup = Bool.random(using: &random)
        return (0..<Int.random(in: 0...400, using: &random)).map { _ in
            isMarkup
                ? alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
                : UInt8.random(in: 0...255, using: &random)
        }
    }

    private static let names = [
        "a", "b", "i", "u", "p", "div", "span", "table", "tbody", "tr", "td", "th", "caption", "col", "colgroup", "ul",
        "ol",
        "li", "dl", "dt", "dd", "x-y", "foo", "select", "option", "optgroup", "svg", "math", "mi", "title",
        "foreignObject",
        "h1", "h2", "nobr", "font", "button", "ruby", "rt", "rp", "form", "template", "pre", "textarea", "script",
        "style",
        "body", "html", "head", "br", "hr", "img", "input", "object", "marquee", "noscript", "iframe", "plaintext",
        "frameset",
        "blockquote", "center", "details", "summary", "q", "em", "code",
    ]
    private static let pieces = [
        "text", " ", "\n", "&amp;", "&lt", "&notit;", "&#x41;", "&#0;", "<", "<!-- c -->", "<!-->", "<!--", "-->",
        "--!>",
        "<!x>", "<!doctype html>", "<?php ?>", "</", "<a b=\"c", "é", "中", "\u{0}", "\u{1B}[1m", "\u{202E}", "\u{85}",
        "\r\n",
        "<p a=1 b='2' c=\"3\" d>", "<a href=x/>", "<p a a=2 A=3>", "<td colspan=2 rowspan=3>", "<td colspan=99999>",
        "<ol start=5 reversed>", "<li value=-3>", "<div hidden>", "<div style='display:none'>", "<font color=red>",
        "<div style=\"white-space:pre\">", "<input type=hidden>", "<img alt='x'>", "<body class=z>", "<html lang=en>",
        "<b class=c>", "<title>", "</title>", "</script>", "</style>", "</textarea>", "<foo/>", "<svg/>", "]]>",
    ]

    private mutating func soup(pieces count: Int) -> [UInt8] {
        var out: [UInt8] = []
        for _ in 0..<count {
            let name = Self.names[Int.random(in: 0..<Self.names.count, using: &random)]
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1: out += Array("<\(name)>".utf8)
            case 2: out += Array("</\(name)>".utf8)
            default: out += Array(Self.pieces[Int.random(in: 0..<Self.pieces.count, using: &random)].utf8)
            }
        }
        return out
    }

    /// A piece of a page, partly removed, doubled, replaced or mixed with another page.
    private mutating func mutated() -> [UInt8] {
        let page = seeds[Int.random(in: 0..<seeds.count, using: &random)]
        guard !page.isEmpty else { return [] }
        let length = min(page.count, Int.random(in: 1...20_000, using: &random))
        let start = Int.random(in: 0...(page.count - length), using: &random)
        var out = Array(page[start..<start + length])
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            let at = Int.random(in: 0...out.count, using: &random)
            let end = min(out.count, at + Int.random(in: 0...60, using: &random))
            switch Int.random(in: 0..<6, using: &random) {
            case 0: out.removeSubrange(at..<end)
            case 1: out.insert(contentsOf: out[at..<end], at: Int.random(in: 0...out.count, using: &random))
            case 2: out.insert(contentsOf: soup(pieces: 3), at: at)
            case 3: if at < out.count { out[at] = UInt8.random(in: 0...255, using: &random) }
            case 4: if at < out.count { out[at] = 0x3C }
            default:
                let other = seeds[Int.random(in: 0..<seeds.count, using: &random)]
                let from = Int.random(in: 0...other.count, using: &random)
                out.insert(contentsOf: other[from..<min(other.count, from + 80)], at: at)
            }
        }
        return out
    }
}

/// Pages to start from.
enum Seeds {
    static func all(in folder: String) -> [[UInt8]] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(".html") || name.hasSuffix(".htm") { names.append(name) }
        }
        return names.sorted().compactMap { read(folder + "/" + $0) }
    }

    static func read(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let got = fread(&buffer, 1, buffer.count, file)
            if got == 0 { return bytes }
            bytes += buffer[..<got]
        }
    }
}
