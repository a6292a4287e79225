// The options of `render`, evaluated once, and the rendering of documents with them.
// In: a document. Out: a result in each requested format, written together.

import FancyText
import FancyTextImages
import FancyTextPlatform

struct RenderTarget: Sendable {
    var format: RenderFormat
    /// The file, or the pattern of files; `nil` for standard output.
    var path: String?

    var hasPages: Bool { path.map(FileName.hasPages) ?? false }
}

struct RenderForm: Sendable {
    var target: RenderTarget
    var picture: PictureFormat?
    var page: PageSize?
    /// The pages of the result; nil for all.
    var pages: PageNumbers?
    var options: RenderOptions
    var json: JSONContent
    var terminal: ANSIOptions
    /// Queries the terminal about itself when it is known whether there may be pictures; `nil` if that was done before.
    var askTerminal: (@Sendable (_ hasPictures: Bool) throws -> ANSIOptions)?

    fileprivate func render(_ document: inout Document, _ renderer: Renderer) throws -> [UInt8] {
        let format = target.format
        if options.limitsText, [.markdown, .text, .html].contains(format) {
            // The document is truncated to the limits; other results contain all of it.
            var shown = try renderer.truncated(document, options)
            defer { document.diagnostics = shown.diagnostics }
            var unlimited = self
            (unlimited.options.maximumLines, unlimited.options.maximumHeight) = (0, 0)
            return try unlimited.render(&shown, renderer)
        }
        if format == .markdown || format == .text {
            document.setViewport(options.viewport(), scale: options.deviceScale, medium: options.medium)
        }
        switch format {
        case .png, .jpeg, .webp, .svg, .pdf:
            if format == .pdf, let pages { return try renderer.pdf(&document, page: page, pages: pages, options) }
            return try renderer.picture(&document, as: picture ?? .png, options)
        case .json: return try renderer.json(&document, options, content: json)
        case .ansi: return renderer.ansi(&document, options, terminal)
        case .markdown: return document.markdownBytes()
        case .html: return document.highlightedHTML()
        case .text: return document.readText()
        }
    }

    /// The results with their paths: one, or one for each page.
    fileprivate func results(
        _ document: inout Document, _ renderer: Renderer, to path: String?
    ) throws -> [(path: String?, bytes: [UInt8])] {
        guard let path, FileName.hasPages(path), let picture else { return [(path, try render(&document, renderer))] }
        FileAccess.makeFolder(for: path)
        return try renderer.pages(&document, as: picture, options, page: page ?? PageSize(), numbers: pages).map {
            (FileName(path).replacing("page", by: "\($0.number)"), $0.bytes)
        }
    }
}

struct Rendering: Sendable {
    /// The results of each document, in the order of their `-o`.
    var forms: [RenderForm]
    var parser: MarkupParser
    var fonts: FontOptions
    var edits: [Edit]
    var pictures: PictureArguments
    var input: InputArguments
    var cache: RenderCache?
    /// True if an option names a theme of source code.
    var isThemeRequested: Bool

    private typealias Output = (format: RenderFormat, path: String?, bytes: [UInt8])

    func edit(_ document: inout Document, named name: String) throws(CommandFailure) {
        for edit in edits { try edit.apply(to: &document, named: name) }
    }

    func render(_ file: String, _ renderer: Renderer, into result: FileResult) throws {
        let paths = forms.map { form in form.target.path.map { FileName.expand($0, for: file) } }
        for (form, path) in zip(forms, paths) where form.target.path != path {
            if let path { FileAccess.makeFolder(for: path) }
        }
        try render(file, to: paths, renderer, into: result)
    }

    func render(_ file: String, to paths: [String?], _ renderer: Renderer, into result: FileResult) throws {
        let source = try input.open(file)
        let key = cache?.key(Array(source.bytes.buffer), input.places(of: file))
        try render(of: file, at: source.url, to: paths, key: key, renderer, into: result) {
            var document = source.parse(by: parser)
            document.reportUnfilledTags()
            try edit(&document, named: source.name)
            return document
        }
    }

    /// Renders a document from a file or a template, perhaps fetched from a URL, unless the cache has results with its key.
    ///
    /// - Parameter paths: the file of each result; `nil` for the shared output.
    func render(
        of file: String, at url: String? = nil, to paths: [String?], key: [UInt8]?, _ renderer: Renderer,
        into result: FileResult, _ makeDocument: () throws -> Document
    ) throws {
        let keys = key.map { key in forms.map { SHA256.digest(key + Array($0.target.format.rawValue.utf8)) } }
        let known = pictures.imageMap.isGiven ? [] : (keys ?? []).compactMap { cache?.results.result($0) }
        if known.count == keys?.count {
            var log = DiagnosticLog()
            known.last?.messages.forEach { log.report($0) }
            try result.report(log)
            result.isCached = true
            return try write(
                known.indices.map { (forms[$0].target.format, paths[$0], known[$0].bytes) }, nil, of: file,
                showing: known.flatMap(\.reads), into: result)
        }
        let name = InputArguments.displayName(file)
        var document = try makeDocument()
        if forms.contains(where: { $0.target.format.isPicture }) { document.reportNothing() }
        document.reportScripts()
        document.reportMissingCode(isThemeRequested: isThemeRequested)
        var results: [Output] = []
        var map: (path: String, bytes: [UInt8])?
        let reads = FileReads()
        defer { for file in reads.files { forms.first?.options.reads?.note(file.path, identity: file.identity) } }
        renderer.lockedProcess = input.safety.untrusted ? LockedProcess() : nil
        for (form, path) in zip(forms, paths) {
            var form = form
            try pictures.validate(form.options.lambdas, for: document, named: name)
            form.options = input.placed(form.options, file, at: url)
            form.options.reads = reads
            if let askTerminal = form.askTerminal { form.terminal = try askTerminal(document.mayHavePictures) }
            // The base of the document's links, unless an option sets it.
            if form.target.format == .ansi { form.terminal.base = form.terminal.base ?? input.link(to: file) }
            results += try form.results(&document, renderer, to: path).map { (form.target.format, $0.path, $0.bytes) }
            if map == nil, form.target.format.isPicture, form.target.format != .pdf {
                map = try pictures.imageMap(of: &document, form.options, renderer: renderer, output: path, for: file)
            }
        }
        try result.report(document.diagnostics)
        if let keys, let cache {
            for (key, output) in zip(keys, results) {
                let kept = CachedResult(
                    bytes: output.bytes, messages: Array(document.diagnostics), reads: reads.files + cache.sheets.files)
                cache.results.keep(kept, key)
            }
        }
        try write(results, map, of: file, showing: reads.files, into: result)
    }

    /// Writes the results with their additional files, and compares the picture. No file that the document shows is replaced.
    private func write(
        _ results: [Output], _ map: (path: String, bytes: [UInt8])?, of file: String,
        showing reads: [(path: String, identity: String)], into result: FileResult
    ) throws {
        for path in results.compactMap(\.path) where access(path, F_OK) == 0 {
            let identity = FileReads.identity(of: path)
            guard !reads.contains(where: { $0.identity == identity })
            else { throw CommandFailure("\(path): the result would replace this file, which the document shows") }
        }
        // All files of a document appear together.
        var written: [(path: String, bytes: [UInt8])] = map.map { [$0] } ?? []
        let (keepsControls, limits) = (input.safety.keepControls, parser.syntax.limits)
        var message: String?
        for (format, path, bytes) in results {
            if let path {
                written.append((path, OutputSink.cleaned(bytes, format.content, keepsControls: keepsControls)))
            }
            guard format == .png,
                let difference = try pictures.difference(of: bytes, output: path, for: file, limits: limits)
            else { continue }
            written.append((difference.path, difference.png))
            message = difference.message
        }
        try FileAccess.write(written)
        if let message {
            result.report(Diagnostic(.error, .pictureDiffers, message))
            result.differs = true
        }
        for output in results where output.path == nil { result.sink.append(output.bytes) }
    }
}
