// Inputs: reading, decoding and fetching.
// In: options as text, and names of inputs. Out: bytes and their properties.

import ArgumentParser
import FancyText
import FancyTextImages
import FancyTextMarkup
import FancyTextPlatform

enum OnOff: String, CaseIterable { case on, off }

enum InputFormat: String, CaseIterable { case html, markdown }

struct InputArguments: Arguments {
    let from = Setting(
        "from", "Format of the input (default: markdown for .md, else html).", choices: InputFormat.listed)

    let encoding = Setting(
        "encoding",
        "Character encoding of an input without a byte-order mark; else taken from <meta charset>, else UTF-8, or windows-1252 "
            + "if the input is not valid UTF-8.")

    let entities = Setting(
        "entities", "Decode character references such as &amp; (default: on).", choices: OnOff.listed)
    let maxInput = Setting("max-input", "Refuse inputs larger than this many bytes.", value: "bytes")

    let maxDepth = Setting(
        "max-depth",
        "Deepest nesting of elements that is kept (default: 100000). By default, select makes siblings of elements "
            + "deeper than 512, as browsers do.", value: "levels")

    let timeout = Setting("timeout", "Give an input up after this many seconds.", value: "seconds", traits: .run)

    let baseDir = Setting(
        "base-dir",
        "Folder that images and style sheets must be below; else the file's own, and none for standard input.",
        value: "folder", traits: .path)

    @Switch(
        "allow-net",
        "Fetch inputs, images, fonts and style sheets that http and https URLs name, from public addresses.")
    var allowNet

    @Settings("allow-host", "Fetch from this host, even if its address is private or this machine's.", value: "host")
    var allowHost

    @Group("Limits") var safety: SafetyArguments

    func validate() throws {
        _ = try from.choice(InputFormat.self)
        if let folder = baseDir.text {
            let status = fileStatus(at: folder)
            if status == nil { throw ValidationError("--base-dir: there is no folder '\(folder)'.") }
            if status?.isFolder == false { throw ValidationError("--base-dir: '\(folder)' is a file, not a folder.") }
        }
        if safety.untrusted, baseDir.isGiven { throw ValidationError("--untrusted and --base-dir cannot be combined.") }
        if safety.untrusted, usesNetwork {
            throw ValidationError("--untrusted and \(allowNet ? "--allow-net" : "--allow-host") cannot be combined.")
        }
        for host in allowHost where host.isEmpty || host.contains(where: "/*@ ".contains) {
            throw ValidationError(value: host, of: "--allow-host", "it must be a name or an address, as in example.org")
        }
    }

    var usesNetwork: Bool { allowNet || !allowHost.isEmpty }

    /// The options of a rendering, with what it may fetch.
    func renderOptions(width: Setting, scale: Setting? = nil, padding: Setting? = nil) throws -> RenderOptions {
        var options = RenderOptions()
        if let extent = try width.extent { options.width = extent }
        if let number = try scale?.number(in: 1...RenderOptions.largestScale) { options.scale = Float(number) }
        options.padding = try padding?.length(in: 0...100_000).map { Float($0) }
        options.allowsNetwork = allowNet
        options.allowedHosts = Set(allowHost)
        return options
    }

    var limits: Limits {
        get throws {
            var limits = try safety.limits
            if let bytes = try maxInput.integer(in: 1...(.max)) { limits.inputBytes = bytes }
            if let levels = try maxDepth.integer(in: 1...1_000_000_000) {
                limits.treeDepth = levels
                limits.layoutDepth = min(limits.layoutDepth, levels)
                limits.inlineDepth = min(limits.inlineDepth, levels)
            }
            if let seconds = try timeout.number(in: 0.001...1e9) { limits.seconds = seconds }
            return limits
        }
    }

    /// Sets the memory limit, and the time limit if there is a single input: of several, each worker has its own.
    ///
    /// - Parameter seconds: the default time limit of an input; 0 is no limit.
    /// - Returns: the time limit of an input.
    @discardableResult
    func enforceLimits(for inputs: Int = 1, usually seconds: Double = 0) throws -> Double {
        let asked = try limits.seconds
        let allowed = asked > 0 ? asked : seconds
        if inputs == 1, allowed > 0 { Watchdog.start(after: allowed, .asked) }
        try safety.limitMemory()
        return allowed
    }

    /// The folder that files named by a document must be below. Standard input has none, because its origin is unknown. A page of
    /// the network may not name files.
    func baseFolder(of file: String) -> String? {
        safety.untrusted || URLReference.isRemote(file) ? nil : baseDir.text ?? documentFolder(of: file)
    }

    /// The folder that relative names refer to.
    func documentFolder(of file: String) -> String? {
        if file == "-" { return baseDir.isGiven ? "." : nil }
        return URLReference.isRemote(file) ? nil : StyleSheetLoader.writtenFolder(of: file) ?? "."
    }

    /// Options with the folders and the URL that names in a document refer to.
    func placed(_ options: RenderOptions, _ file: String, at url: String?) -> RenderOptions {
        var options = options
        options.baseFolder = baseFolder(of: file)
        options.documentFolder = documentFolder(of: file)
        options.baseURL = url
        return options
    }

    /// The parts of a file's path that affect a result: messages contain the name, and links and pictures are relative to the
    /// folder.
    func places(of file: String) -> [String] {
        [file, baseFolder(of: file) ?? "", documentFolder(of: file) ?? "", link(to: file) ?? ""]
    }

    /// The URL of an input; nil for standard input.
    func link(to file: String) -> String? {
        if URLReference.isRemote(file) { return file }
        guard file != "-", !safety.untrusted, let path = file.withCString({ realpath($0, nil) }) else { return nil }
        defer { free(path) }
        var result = "file://"
        for byte in UnsafeBufferPointer(start: path, count: strlen(path)) {
            let byte = UInt8(bitPattern: byte)
            let isAllowed = byte.isASCIIAlphanumeric || "-./_~".utf8.contains(byte)
            result += isAllowed ? String(UnicodeScalar(byte)) : byte.percentEncoded
        }
        return result
    }

    /// Reads an input: a file, standard input for `-`, or a page of the network.
    func open(_ file: String) throws -> InputSource {
        if URLReference.isRemote(file) { return try fetch(file) }
        if file.contains("://"), access(file, F_OK) != 0 {
            let advice = file.hasPrefix("file:///") && !file.contains("%") ? "; write '\(file.dropFirst(7))'" : ""
            throw CommandFailure("\(file): inputs are files, and URLs of http and https\(advice)")
        }
        let isMarkdown = try isMarkdown(file)
        let source = SourceBytes(try FileAccess.read(file, limit: limits.inputBytes))
        return try InputSource(source, named: Self.displayName(file), isMarkdown: isMarkdown, encoding: encoding.text)
    }

    private func fetch(_ url: String) throws -> InputSource {
        guard usesNetwork else {
            throw CommandFailure(
                "'\(url)' is not fetched: use --allow-net, or a pipe such as curl -s \(url) | fancytext render")
        }
        let access = NetworkAccess(allowsPublicHosts: allowNet, hosts: Set(allowHost))
        let fetcher = NetworkFetcher(access, BudgetMeter(try limits))
        let page: FetchedFile
        do throws(ImageError) { page = try fetcher.file(url) } catch { throw CommandFailure("\(url): \(error)") }
        let isMarkdown = try isMarkdown(page.url) || (!from.isGiven && page.contentType.hasPrefix("text/markdown"))
        // A byte order mark takes precedence, then the option, then the server (HTML §13.2.3.2).
        let named = isMarkdown ? nil : page.charset.flatMap { InputEncoding.name(forLabel: $0) == nil ? nil : $0 }
        var source = try InputSource(
            SourceBytes(page.bytes), named: page.url, isMarkdown: isMarkdown, encoding: encoding.text ?? named)
        if !encoding.isGiven { source.encoding = named }
        source.url = page.url
        return source
    }

    private func isMarkdown(_ file: String) throws -> Bool {
        if let format = try from.choice(InputFormat.self) { return format == .markdown }
        let path = URLReference.isRemote(file) ? String(URLReference.path(of: file)) : file
        return FileEnding.format(of: path) == .markdown
    }

    /// The parser for inputs with style sheets; `configure` adds the command's own settings.
    func makeParser(
        _ styles: StyleArguments, _ configure: (inout MarkupParserBuilder) throws -> Void
    ) throws -> MarkupParser {
        let limits = try limits
        let decodesEntities = try entities.choice(OnOff.self) != .off
        let label = try encoding.value("it must be a label of an encoding, such as utf-8, windows-1252 or shift_jis") {
            InputEncoding.name(forLabel: $0) == nil ? nil : $0
        }
        var builder = MarkupParserBuilder.default()
            .set(limits: limits)
            .set(decodesEntities: decodesEntities)
            .set(encoding: label)
            .set(fetchesStyleSheets: allowNet, hosts: Set(allowHost))
            .set(policy: try styles.policy.choice() ?? .html)
            .set(dialect: try styles.dialect.choice() ?? .automatic)
            .set(colorScheme: try styles.colorScheme.choice() ?? .light)
        if !safety.untrusted {
            builder = builder.set(styleSheetFolder: baseDir.text.map(StyleSheetFolder.below) ?? .ofDocument)
        }
        try configure(&builder)
        for file in styles.css {
            if file.contains("{"), access(file, R_OK) != 0 {
                throw ValidationError("--css needs the name of a file, not '\(file)': --style takes rules.")
            }
            let bytes = try FileAccess.read(file, limit: limits.inputBytes)
            try bytes.withUnsafeBytes {
                try ForeignInput.check($0, named: file, encoding: nil, expected: "a style sheet")
            }
            builder = builder.add(css: bytes, name: file)
        }
        for rules in styles.style where !rules.contains("{") && rules.contains(":") && !rules.hasPrefix("@") {
            throw ValidationError(
                "--style needs rules, as in 'p{\(rules)}'; for all of the text use --root-style '\(rules)'.")
        }
        for (index, rules) in styles.style.enumerated() {
            builder = builder.add(css: rules, name: styles.style.count > 1 ? "--style \(index + 1)" : "--style")
        }
        if let rules = styles.rootStyle.text {
            if rules.contains("{") {
                throw ValidationError("--root-style needs declarations, not '\(rules)': --style takes rules.")
            }
            builder = builder.set(rootStyle: rules, name: "--root-style")
        }
        return builder.build()
    }

    static func displayName(_ file: String) -> String { file == "-" ? "<stdin>" : file }
}

struct InputSource {
    /// HTML; for a Markdown input, the HTML made from it.
    let bytes: SourceBytes
    /// The name in messages.
    let name: String
    /// The label of the encoding that the server names.
    var encoding: String?
    /// The URL that it was fetched from, after redirects; `nil` for files.
    var url: String?
    /// The Markdown that the bytes were made from; nil for HTML.
    let origin: DerivedText?
    /// A message about its front matter.
    private let problem: Diagnostic?

    /// - Parameter encoding: the label of the encoding in which the bytes are checked to be text.
    fileprivate init(_ bytes: SourceBytes, named name: String, isMarkdown: Bool, encoding: String?) throws {
        self.name = name
        try ForeignInput.check(UnsafeRawBufferPointer(bytes.buffer), named: name, encoding: encoding)
        let page = isMarkdown ? try MarkdownReader.read(Array(bytes.buffer), named: name) : nil
        self.bytes = page.map { SourceBytes($0.html) } ?? bytes
        (origin, problem) = (page?.origin, page?.problem)
    }

    /// A Boolean value that indicates whether the source begins as XML that is not XHTML.
    var isXML: Bool {
        let head = String(decoding: bytes.buffer.prefix(1024), as: UTF8.self)
        return head.hasPrefix("<?xml") && !head.contains("<html")
    }

    func parser(like parser: MarkupParser) -> MarkupParser { origin == nil ? parser : parser.forMarkdown }

    /// Parses the document, and resolves URLs in attributes if it came from the network.
    func parse(by parser: MarkupParser) -> Document {
        var document = self.parser(like: parser).parse(bytes, name: name, encoding: encoding, origin: origin)
        if let url { document.resolveURLs(against: url) }
        if let problem { document.diagnostics.report(problem) }
        return document
    }
}

extension MarkupParserBuilder {
    /// Sets the screen or paper of most renderings.
    mutating func setMedia(_ viewport: Viewport, _ medium: Medium = .screen, scale: Float = 1) {
        styles.media.type = medium.rawValue
        styles.media.resolution = Double(scale)
        (styles.media.width, styles.media.height) = (Double(viewport.width), Double(viewport.height))
    }
}

extension Viewport {
    /// The viewport of media queries if only text is needed: that of a desktop page, not of a phone.
    static let screen = Viewport(width: 1280, height: 800)
}

/// Inputs that are not text: pictures, archives and other bytes mistaken for documents.
enum ForeignInput {
    /// The first bytes of known kinds of files.
    private static let kinds: [(prefix: [UInt8], name: String)] = [
        ([0xFF, 0xD8, 0xFF], "a JPEG picture"), ([0x89, 0x50, 0x4E, 0x47], "a PNG picture"),
        (Array("GIF8".utf8), "a GIF picture"), (Array("%PDF-".utf8), "a PDF document"),
        ([0x50, 0x4B, 0x03, 0x04], "a ZIP archive"), ([0x1F, 0x8B, 0x08], "compressed by gzip"),
        ([0x7F, 0x45, 0x4C, 0x46], "a program"),
    ]

    /// Refuses bytes that begin like a known kind of file, or are not text in the encoding with the label.
    static func check(
        _ bytes: UnsafeRawBufferPointer, named name: String, encoding: String?, expected: String = "markup"
    ) throws(CommandFailure) {
        if bytes.isEmpty { return }
        var kind = kinds.first { bytes.starts(with: $0.prefix) }?.name
        if kind == nil, bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
            kind = "a WebP picture"
        }
        guard let kind else {
            guard !InputEncoding.isText(bytes.assumingMemoryBound(to: UInt8.self), label: encoding) else { return }
            throw CommandFailure("\(name): this is not text; if it is, name its encoding with --encoding")
        }
        let advice = kind.hasSuffix("picture") && expected == "markup" ? "; a document shows it with <img src>" : ""
        throw CommandFailure("\(name): this is \(kind), not \(expected)\(advice)")
    }
}
