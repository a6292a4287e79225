// `fancytext render --data`: renders a template for each row.
//
// Rows are read one after another and rendered by several processes; results and messages are in the rows' order. A bad row fails
// alone: its message names the file and the line, the other rows are rendered, and the status is 2.

import ArgumentParser
import FancyText

extension RenderCommand {
    func renderRows(of path: String, as targets: [RenderTarget], noting reads: FileReads?) throws {
        guard targets.count == 1 else { throw ValidationError("--data takes a single -o.") }
        let format = targets[0].format
        let rowFormat = try data.format(of: path)
        let file = files.first ?? "-"
        guard file != "-" || path != "-"
        else { throw ValidationError("the template and its rows cannot both come from standard input.") }
        if pictures.check.isGiven { throw ValidationError("--check and --data cannot be combined.") }
        if pictures.imageMap.isGiven { throw ValidationError("--image-map and --data cannot be combined.") }
        let names = targets[0].path.map { FileName(FileName.expand($0, for: file)) }
        if format.isPicture, names == nil {
            throw ValidationError(
                "pictures of rows require -o with a key of theirs, as in -o 'out/{id}.\(format.rawValue)'.")
        }
        if data.resume, names == nil { throw ValidationError("--resume requires -o.") }
        let seconds = try input.enforceLimits(for: 0, usually: Self.seconds)
        let limit = try input.limits.inputBytes
        let arguments = try Defaults(for: PathText.arguments).arguments
        let rendering = try makeRendering(targets, arguments, noting: reads)
        let template = try RowTemplate(input.sources(files, helpFor: Self.self)[0], rendering)
        let reader = try RowReader(path, named: InputArguments.displayName(path), format: rowFormat, limit: limit)
        let unused = template.unused(reader.header).filter { names?.keys.contains($0) != true }.map { "'\($0)'" }
        let columns = unused.joined(separator: ", ")
        let note = unused.isEmpty ? [] : ["no tag of the template names these columns: \(columns)"]
        let done = data.resume ? try DoneList(folder: names?.folder ?? "", run: runKey(template, arguments)) : nil
        let source = RowSource(
            reader, of: [file, path], names: names, done: done, needsDigests: rendering.cache != nil)
        let screen = OutputSink(.standardOutput, format.content, keepsControls: input.safety.keepControls)
        let run = InputRun(
            jobs: try jobs.count(for: .max), shared: names == nil ? screen : nil, messages: diagnostics,
            seconds: seconds, reads: reads, remarks: remarks() + note, isText: format.isForReading && names == nil)
        let total = try run.run(source, named: InputArguments.displayName(path)) {
            let renderer = Renderer(ofProgram: rendering.fonts)
            let documents = template.makeDocuments(namedBy: names?.keys ?? [])
            return { job, result in
                guard let row = try job.usedRow() else { return }
                if let target = job.path { FileAccess.makeFolder(for: target) }
                let key = rendering.cache?.key(template.source + job.digest, rendering.input.places(of: template.file))
                try rendering.render(
                    of: template.file, at: template.url, to: [job.path], key: key, renderer, into: result
                ) {
                    try documents.document(for: row, in: template.source, named: template.name)
                }
            }
        }
        try run.finish(total)
    }

    /// The part of the key that all rows of a run share.
    private func runKey(_ template: RowTemplate, _ arguments: [String]) throws -> [UInt8] {
        var key = RenderKey()
        try key.add(options: Self.table.decisiveValues(in: arguments))
        key.add("template", template.source)
        return key.digest
    }
}

extension DocumentTemplate {
    /// The document of a row. The template's text and its name are for messages.
    func document(for row: JSONValue, in source: [UInt8], named name: String) throws -> Document {
        do {
            return try document(for: row)
        } catch let error as TemplateError {
            throw RowMistake(error, in: source, named: name)
        }
    }
}

/// A template from which several threads make documents.
struct RowTemplate: Sendable {
    let file: String
    /// The name in messages.
    let name: String
    /// The URL that it was fetched from.
    let url: String?
    let source: [UInt8]
    private let template: MustacheTemplate
    private let rendering: Rendering
    private let parser: MarkupParser

    /// - Throws: ``CommandFailure`` if it cannot be read, or has an error that does not depend on the row.
    init(_ file: String, _ rendering: Rendering) throws {
        self.file = file
        name = InputArguments.displayName(file)
        self.rendering = rendering
        var log = DiagnosticLog()
        let input = try rendering.input.open(file)
        url = input.url
        parser = input.parser(like: rendering.parser)
        let source = parser.text(of: input.bytes, name: name, encoding: input.encoding, log: &log)
        self.source = source
        do {
            template = try MustacheTemplate(source)
            // Errors that do not depend on the row are reported once.
            try makeDocuments().check()
        } catch let error as TemplateError {
            throw CommandFailure(error.message, at: DocumentTemplate.location(of: error, in: source, named: name))
        }
    }

    /// The names, in their order, that neither tags nor ids of elements have.
    func unused(_ names: [String]) -> [String] {
        let missing = names.filter { !$0.isEmpty && !template.keys.contains($0) }
        if missing.isEmpty { return [] }
        let document = parser.parse(source, name: file, encoding: "utf-8")
        return missing.filter { document.node(withID: $0) == nil }
    }

    /// Makes the documents of rows, on one thread. The names of their files come from the members `keys`.
    func makeDocuments(namedBy keys: [String] = []) -> DocumentTemplate {
        let documents = DocumentTemplate(template, parser: parser, name: name) { [rendering, url, name] document in
            if let url { document.resolveURLs(against: url) }
            try rendering.edit(&document, named: name)
        }
        documents.otherKeys = Set(keys)
        return documents
    }
}

/// Options for rows of data that fill a template.
struct DataArguments: Arguments {
    let data = Setting(
        "data",
        "Render the file as a template, once for each row of this one; - is standard input. {{key}} is a row's value, "
            + "and -o takes {key}.", value: "file", traits: [.program, .once])

    let dataFormat = Setting(
        "data-format", "Format of the rows (default: by the ending of the file's name).", choices: RowFormat.listed,
        traits: .program)

    @Switch(
        "resume",
        "Skip rows whose files are there from an earlier run with --resume, with the same template and options.",
        traits: .program)
    var resume

    func validate() throws {
        if !data.isGiven, dataFormat.isGiven { throw ValidationError("--data-format requires --data.") }
        if !data.isGiven, resume { throw ValidationError("--resume requires --data.") }
        _ = try dataFormat.choice(RowFormat.self)
    }

    func format(of path: String) throws -> RowFormat {
        if let format = try dataFormat.choice(RowFormat.self) ?? .format(of: path) { return format }
        let advice = "give --data-format, one of \(RowFormat.listed)"
        throw ValidationError("The name '\(path)' does not tell what the rows are written in: \(advice).")
    }
}
