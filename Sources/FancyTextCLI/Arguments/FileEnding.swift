// The endings of output files' names and their formats, for all commands.
// In: names of files. Out: formats, or an error that names the endings of the command.

import ArgumentParser
import FancyText
import FancyTextPlatform

enum RenderFormat: String, CaseIterable {
    case png, jpeg, webp, svg, pdf, ansi, json, markdown, html, text

    var isPicture: Bool { picture() != nil }

    var content: OutputSink.Content { [.svg, .markdown, .html, .text].contains(self) ? .text : .safe }

    /// A Boolean value that indicates whether the text is for people to read, on a terminal or in a mail reader.
    var isForReading: Bool { self == .ansi || self == .text }

    func picture(quality: Int? = nil, page: PageSize? = nil) -> PictureFormat? {
        switch self {
        case .png: .png
        case .jpeg: quality.map { .jpeg(quality: $0) } ?? .jpeg()
        case .webp: .webp(quality: quality)
        case .svg: .svg
        case .pdf: .pdf(page: page)
        case .html, .text, .json, .markdown, .ansi: nil
        }
    }

    /// - Throws: if a picture would be written to a terminal, or several into one file.
    func checkPicture(isOnStandardOutput: Bool, isOneOfSeveral: Bool) throws {
        guard isPicture else { return }
        if isOnStandardOutput, isatty(STDOUT_FILENO) == 1 {
            throw CommandFailure(
                "\(rawValue.uppercased()) output is not written to a terminal; use -o FILE.\(rawValue)")
        }
        if isOneOfSeveral { throw ValidationError("several pictures require -o with {stem}.") }
    }
}

enum FileEnding {
    /// The endings of each format; messages list the first one.
    private static let endings: [(format: RenderFormat, endings: [String])] = [
        (.text, ["txt", "text"]), (.html, ["html", "htm"]), (.markdown, ["md", "markdown"]),
        (.json, ["json", "jsonl", "ndjson"]), (.png, ["png"]), (.jpeg, ["jpg", "jpeg", "jpe"]), (.webp, ["webp"]),
        (.svg, ["svg"]), (.pdf, ["pdf"]), (.ansi, ["ans", "ansi"]),
    ]

    /// Endings of documents and pictures that no command writes.
    private static let foreign: Set<String> = [
        "apng", "avif", "bmp", "doc", "docx", "eps", "epub", "gif", "heic", "ico", "jxl", "ods", "odt", "ps", "rtf",
        "svgz", "tif", "tiff", "xhtml", "xls", "xlsx",
    ]

    static func format(ofEnding ending: String) -> RenderFormat? {
        endings.first { $0.endings.contains(ending) }?.format
    }

    /// The format of a file name; nil if its ending is unknown.
    static func format(of path: String) -> RenderFormat? { PathText.ending(of: path).flatMap(format(ofEnding:)) }

    /// The format of an output's name; nil if it has no ending. The message about an unknown ending names those in `others` too.
    static func choice(of path: String?, and others: [String] = []) throws -> RenderFormat? {
        guard let path, let ending = PathText.ending(of: path) else { return nil }
        if let format = format(ofEnding: ending) { return format }
        let known = (endings.map { ".\($0.endings[0])" } + others).joined(separator: ", ")
        let advice = "Choose one of \(known), or give --format"
        throw ValidationError(value: path, of: "--output", ".\(ending) names no format that can be written. \(advice)")
    }

    /// The common format of the outputs' names; `nil` if none of them has an ending.
    static func choice(of paths: [String], and others: [String] = []) throws -> RenderFormat? {
        var chosen: (format: RenderFormat, path: String)?
        for path in paths {
            guard let format = try choice(of: path, and: others) else { continue }
            if let chosen, chosen.format != format {
                throw ValidationError("'\(chosen.path)' and '\(path)' ask for two formats: the command writes one.")
            }
            chosen = (format, path)
        }
        return chosen?.format
    }

    /// Refuses names whose ending means another format than `--format`.
    static func check(_ paths: [String], is format: String) throws {
        for path in paths where !agrees(path, with: format, allowsText: false) {
            throw ValidationError("--format \(format) and -o '\(path)' contradict each other.")
        }
    }

    /// Refuses names whose ending means another format than text; unknown endings are allowed.
    static func checkText(_ paths: [String], format: RenderFormat = .text) throws {
        for path in paths where !agrees(path, with: format.rawValue, allowsText: true) {
            let (kind, ending) = (format == .json ? "JSON" : "text", PathText.ending(of: path) ?? "")
            throw ValidationError(value: path, of: "--output", "what is written is \(kind), not .\(ending)")
        }
    }

    private static func agrees(_ path: String, with format: String, allowsText: Bool) -> Bool {
        guard let ending = PathText.ending(of: path) else { return true }
        guard let named = Self.format(ofEnding: ending)?.rawValue else { return !foreign.contains(ending) }
        // Plain text is also valid Markdown and terminal output.
        let texts = [RenderFormat.text, .markdown, .ansi].map(\.rawValue)
        return named == format || texts.contains(named) && (allowsText || texts.contains(format))
    }
}
