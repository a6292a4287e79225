// The fuzzing targets: how the inputs of each are generated, and the rules for all of them.

import FancyText
import FancyTextBasics
import FancyTextCSS
import FancyTextImages
import FancyTextMarkup
import FancyTextOutputs
import FancyTextPainting
import FancyTextSelectors
import FancyTextWriting

enum Target: String, CaseIterable {
    /// Tokens, trees, edits, selection and text of markup.
    case syntax
    /// Plain text in each of its modes, at once and in pieces.
    case strip
    /// User-written selectors, on pages.
    case select
    /// Style sheets and declarations.
    case css
    /// Boxes, lines, floats, flex, grid, tables, columns and positions.
    case layout
    /// Pixels, with effects.
    case painting
    /// Every format that a document can be written in.
    case outputs
    case markdown
    /// Files of pictures.
    case images
    /// Files of fonts.
    case fonts
    /// JSON, as in configurations and rows of data.
    case json
    /// Templates and rows for them.
    case templates

    /// A description of the first rule that an input breaks.
    func broken(by bytes: [UInt8]) -> String? {
        switch self {
        case .syntax: Rules.firstBroken(by: bytes)
        case .strip: stripped(bytes)
        case .select: selection(bytes)
        case .css, .layout: laidOut(bytes)
        case .painting: painted(bytes)
        case .outputs: written(bytes)
        case .markdown: readAsMarkdown(bytes)
        case .images: decoded(bytes)
        case .fonts: drawnWithFont(bytes)
        case .json: readAsJSON(bytes)
        case .templates: filled(bytes)
        }
    }

    func input(_ generator: inout InputGenerator) -> [UInt8] {
        switch self {
        case .syntax: generator.next()
        case .strip: generator.chance(2) ? generator.next() : generator.styledPage()
        case .select: generator.selectorAndPage()
        case .css, .layout, .painting, .outputs: generator.chance(4) ? generator.next() : generator.styledPage()
        case .markdown: generator.markdown()
        case .images: generator.bent(FileSeeds.pictures)
        case .fonts: generator.bent(FileSeeds.fonts)
        case .json: generator.json()
        case .templates: generator.rowAndTemplate()
        }
    }

    // MARK: Rules

    private var parser: MarkupParser {
        var limits = Limits.strict
        limits.pixels = 1_000_000
        return MarkupParserBuilder.default().set(limits: limits).build()
    }

    private var renderer: Renderer {
        var fonts = FontOptions()
        fonts.usesSystemFonts = false
        return Renderer(fonts: fonts)
    }

    private func document(_ bytes: [UInt8]) -> Document { parser.parse(bytes, name: "fuzz") }

    private var options: RenderOptions {
        var options = RenderOptions()
        options.width = .pixels(300)
        options.height = .pixels(400)
        return options
    }

    private func laidOut(_ bytes: [UInt8]) -> String? {
        var document = document(bytes)
        let content = JSONContent(hasLayout: true, hasGlyphs: true, hasBoxes: true)
        guard let json = try? renderer.json(&document, options, content: content) else { return nil }
        var reader = JSONParser(json)
        return reader.parse() == nil ? "layout that is not JSON" : nil
    }

    private func painted(_ bytes: [UInt8]) -> String? {
        var document = document(bytes)
        guard let png = try? renderer.png(&document, options) else { return nil }
        guard let again = try? ImageDecoder.decode(png, limit: 1 << 24) else { return "a picture that cannot be read" }
        if again.width != 300 || again.height != 400 { return "a picture of another size" }
        var second = parser.parse(bytes, name: "fuzz")
        return (try? renderer.png(&second, options)) == png ? nil : "two pictures of one document differ"
    }

    private func written(_ bytes: [UInt8]) -> String? {
        var document = document(bytes)
        let renderer = renderer
        var texts: [(String, [UInt8])] = []
        _ = try? renderer.png(&document, options)
        if let svg = try? renderer.picture(&document, as: .svg, options) { texts.append(("SVG", svg)) }
        _ = try? renderer.picture(&document, as: .pdf(page: PageSize("A5")), options)
        _ = try? renderer.picture(&document, as: .jpeg(quality: 80), options)
        _ = try? renderer.picture(&document, as: .webp(quality: 50), options)
        _ = try? renderer.imageMap(&document, options, picture: "a.png")
        texts.append(("terminal text", renderer.ansi(&document, options)))
        texts.append(("Markdown", document.markdownBytes()))
        texts.append(("HTML", document.htmlBytes()))
        texts.append(("text", document.plainTextBytes()))
        let content = JSONContent(hasLayout: true, hasGlyphs: true, hasBoxes: true)
        if let json = try? renderer.json(&document, options, content: content) { texts.append(("JSON", json)) }
        for (name, text) in texts where String(validating: text, as: UTF8.self) == nil { return "\(name) is not UTF-8" }
        for (name, text) in texts where name != "HTML" && name != "terminal text" && name != "Markdown" && name != "SVG"
        {
            if text.contains(where: { $0 == 0x1B || $0 == 0x07 }) { return "\(name) holds an escape" }
        }
        return nil
    }

    /// The first line is a selector, the rest a page.
    private func selection(_ bytes: [UInt8]) -> String? {
        let end = bytes.firstIndex(of: 0x0A) ?? bytes.endIndex
        let text = String(decoding: bytes[..<end], as: UTF8.self)
        guard let list = try? SelectorList.parse(text) else { return nil }
        var log = DiagnosticLog()
        let tree = MarkupTree.parse(Array(bytes[end...]), options: SyntaxOptions(), log: &log)
        var matcher = SelectorMatcher(tree)
        let matches = matcher.select(list)
        return zip(matches, matches.dropFirst()).allSatisfy { $0 < $1 } ? nil : "matches out of order"
    }

    /// The input itself selects the options, so that it can be replayed.
    private func stripped(_ bytes: [UInt8]) -> String? {
        let dice = bytes.reduce(bytes.count) { $0 &* 31 &+ Int($1) }
        func pick<Choice>(_ choices: [Choice], _ shift: Int) -> Choice {
            choices[(dice >> shift & 0xFF) % choices.count]
        }
        var options = PlainTextOptions()
        options.mode = pick([.readable, .innerText, .raw, .speech], 0)
        options.width = pick([nil, nil, 1, 20, 80], 8)
        options.links = pick([.none, .inline, .footnotes], 16)
        options.tables = pick([.columns, .grid, .tsv, .none], 24)
        options.isMainOnly = dice >> 32 & 7 == 0
        let text = parser.plainText(of: SourceBytes(bytes), name: "fuzz", options: options).text
        if String(validating: text, as: UTF8.self) == nil { return "text that is not UTF-8" }
        return text.contains(0x1B) ? "an escape in the text (\(options.mode))" : nil
    }

    /// The first line is a row, the rest a template. No value becomes an element, unless the template uses raw values.
    private func filled(_ bytes: [UInt8]) -> String? {
        let end = bytes.firstIndex(of: 0x0A) ?? bytes.endIndex
        var reader = JSONParser(Array(bytes[..<end]))
        let source = Array(bytes[end...])
        guard let row = reader.parse(), case .object = row, let template = try? MustacheTemplate(source) else {
            return nil
        }
        let documents = DocumentTemplate(template, parser: parser, name: "fuzz")
        guard let hostile = try? documents.document(for: row) else { return nil }
        guard let harmless = try? documents.document(for: row.harmless) else { return nil }
        let isRaw = ["{{{", "{{&", "{{=", "{{ &"].contains { String(decoding: source, as: UTF8.self).contains($0) }
        if isRaw { return nil }
        let count = elements(harmless.htmlBytes())
        // Parsing written HTML does not always give the same tree (HTML §13.3). Inputs for which it does not are skipped.
        guard count == harmless.tree.subtree(harmless.tree.root).count(where: { harmless.tree.kind($0) == .element })
        else { return nil }
        return elements(hostile.htmlBytes()) == count ? nil : "a row brings elements along"
    }

    private func elements(_ html: [UInt8]) -> Int {
        let tree = parser.parse(html, name: "fuzz").tree
        return tree.subtree(tree.root).count { tree.kind($0) == .element }
    }

    private func readAsMarkdown(_ bytes: [UInt8]) -> String? {
        guard let html = try? MarkdownReader.html(bytes) else { return nil }
        var document = document(html)
        return String(validating: document.markdownBytes(), as: UTF8.self) == nil ? "Markdown is not UTF-8" : nil
    }

    private func decoded(_ bytes: [UInt8]) -> String? {
        guard let header = try? ImageHeader(bytes),
            let picture = try? ImageDecoder.decode(bytes, header, size: (40, 40), limit: 1 << 20)
        else { return nil }
        return picture.pixels.count == picture.width * picture.height ? nil : "a picture without some of its pixels"
    }

    private func drawnWithFont(_ bytes: [UInt8]) -> String? {
        let page =
            "<style>@font-face{font-family:F;src:url(data:font/ttf;base64,\(Base64.text(bytes)))}p{font:20px F}</style>"
            + "<p>Word AV fi 123 é"
        var document = document(Array(page.utf8))
        _ = try? renderer.png(&document, options)
        return nil
    }

    private func readAsJSON(_ bytes: [UInt8]) -> String? {
        var reader = JSONParser(bytes)
        _ = reader.parse()
        return reader.position <= bytes.count ? nil : "a place behind the end"
    }
}

extension JSONValue {
    /// The same value with a letter for each text.
    fileprivate var harmless: JSONValue {
        switch self {
        case .string(let text): .string(text.isEmpty ? "" : "x")
        case .array(let elements): .array(elements.map(\.harmless))
        case .object(let members):
            .object(members.map { JSONMember(name: $0.name, value: $0.value.harmless) })
        case .null, .bool, .number: self
        }
    }
}

/// RFC 4648 §4.
enum Base64 {
    static func text(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count / 3 * 4 + 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            let word = part.reduce(0) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - part.count))
            for index in 0..<4 {
                out.append(index <= part.count ? alphabet[Int(word >> UInt32(18 - 6 * index)) & 63] : 0x3D)
            }
        }
        return String(decoding: out, as: UTF8.self)
    }
}

/// Files to mutate.
enum FileSeeds {
    static let pictures: [[UInt8]] = {
        let picture = Pixmap(
            width: 24, height: 16, pixels: (0..<384).map { UInt32(truncatingIfNeeded: $0 &* 2_654_435) | 0xFF00_0000 })
        var files: [[UInt8]] = []
        if let png = try? PNGEncoder().encode(picture) { files.append(png) }
        picture.pixels.withUnsafeBufferPointer { pixels in
            if let jpeg = try? PictureEncoder.jpeg(pixels, width: 24, height: 16, quality: 80, scale: 1) {
                files.append(jpeg)
            }
            for quality in [nil, 50] {
                if let webp = try? PictureEncoder.webp(pixels, width: 24, height: 16, quality: quality) {
                    files.append(webp)
                }
            }
        }
        files.append([
            0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 3, 0, 1, 0, 0x91, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 0x21,
            0xF9, 4, 1, 0, 0, 1, 0, 0x2C, 0, 0, 0, 0, 3, 0, 1, 0, 0, 2, 2, 0x44, 0x54, 0, 0x3B,
        ])
        files.append(
            Array(
                ("<svg xmlns='http://www.w3.org/2000/svg' width='20' height='20'><defs><filter id='f'><feGaussianBlur "
                    + "stdDeviation='2'/><feTurbulence numOctaves='2'/></filter><mask id='m'><rect width='9' height='9'/></mask>"
                    + "</defs><g opacity='.5' mask='url(#m)'><path d='M0 0L9 9Z' filter='url(#f)'/><use href='#m'/></g></svg>")
                    .utf8))
        return files
    }()

    static let fonts: [[UInt8]] = {
        let names = ["plain.ttf", "cubic.otf", "varying.otf", "plain.woff"].map { "Fixtures/fuzz/fonts/" + $0 }
        return names.compactMap(Seeds.read).filter { !$0.isEmpty }
    }()
}
