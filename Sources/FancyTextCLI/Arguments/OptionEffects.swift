// The outputs that each option changes.
//
// An option that cannot change any of the requested outputs is an error, and the message names the outputs that it changes.
// Options of a configuration file are defaults for many runs, so they may have no effect; so may `--color`, a preference that
// scripts pass to every command.

import ArgumentParser

/// The outputs of `render` and `select`, as far as they differ in their options.
enum OutputKind: String, CaseIterable {
    case png, jpeg, webp, svg, pdf, ansi, json, markdown, html, text
    /// The values that `select` reads from matches: attributes and pseudo-elements, records, or their number.
    case values, records, count

    init(_ format: RenderFormat) {
        self =
            switch format {
            case .png: .png
            case .jpeg: .jpeg
            case .webp: .webp
            case .svg: .svg
            case .pdf: .pdf
            case .ansi: .ansi
            case .json: .json
            case .markdown: .markdown
            case .html: .html
            case .text: .text
            }
    }

    /// The name in messages.
    var title: String {
        switch self {
        case .png, .svg, .pdf, .json, .html: rawValue.uppercased()
        case .jpeg: "JPEG"
        case .webp: "WebP"
        case .ansi: "terminal text"
        case .markdown: "Markdown"
        case .text: "text"
        case .values: "values"
        case .records: "records"
        case .count: "the number of matches"
        }
    }
}

/// The outputs that an option changes.
struct OptionEffect {
    var kinds: Set<OutputKind>
    /// Outputs that it changes only if a limit truncates text, because layout decides where.
    var limited: Set<OutputKind> = []

    private static let bitmaps: Set<OutputKind> = [.png, .jpeg, .webp]
    private static let pictures: Set<OutputKind> = bitmaps.union([.svg, .pdf])
    private static let texts: Set<OutputKind> = [.text, .markdown, .html]

    private static let styles = OptionEffect(
        kinds: pictures.union([.ansi, .json, .text, .markdown]), limited: [.html])
    private static let layout = OptionEffect(kinds: pictures.union([.json]), limited: texts)
    private static let box = OptionEffect(kinds: pictures.union([.json, .ansi]), limited: texts)

    /// The options of `render` that do not change every output, by their long names.
    static let render: [String: OptionEffect] = [
        "quality": OptionEffect(kinds: [.jpeg, .webp]), "page": OptionEffect(kinds: [.pdf]),
        "no-metadata": OptionEffect(kinds: [.png]), "gamma": OptionEffect(kinds: bitmaps),
        "check": OptionEffect(kinds: [.png]), "image-map": OptionEffect(kinds: pictures),

        "debug-boxes": OptionEffect(kinds: pictures), "valign": OptionEffect(kinds: pictures.union([.json])),
        "background": OptionEffect(kinds: pictures.union([.ansi])),
        "layout": OptionEffect(kinds: [.json]), "glyphs": OptionEffect(kinds: [.json]),
        "boxes": OptionEffect(kinds: [.json]), "offsets": OptionEffect(kinds: [.json]),
        "theme": OptionEffect(kinds: [.ansi]),
        "hyperlinks": OptionEffect(kinds: [.ansi]), "links": OptionEffect(kinds: [.ansi]),
        "base": OptionEffect(kinds: [.ansi]), "images": OptionEffect(kinds: [.ansi]),
        "wide": OptionEffect(kinds: [.ansi]), "pager": OptionEffect(kinds: [.ansi]),
        "css": styles, "style": styles, "root-style": styles, "policy": styles, "dialect": styles,
        "color-scheme": styles, "width": styles, "scale": styles, "dpi": styles,
        "height": OptionEffect(kinds: pictures.union([.json, .text, .markdown]), limited: [.html]),
        "hinting": OptionEffect(kinds: bitmaps), "padding": box, "preset": box, "accent": box,
        "font": layout, "font-dir": layout, "emoji": layout, "lambda": layout,
        "fit-lines": layout, "min-size": layout, "max-size": layout,
    ]

    private static let markup: Set<OutputKind> = [.html, .json]
    private static let read: Set<OutputKind> = [.text, .values, .records]
    private static let lines: Set<OutputKind> = markup.union(read)
    /// The outputs that show matches with their styles.
    private static let shown: Set<OutputKind> = pictures.union([.ansi, .markdown])

    /// The options of `select` that do not change every output, by their long names.
    static let select: [String: OptionEffect] = [
        "tsv": OptionEffect(kinds: [.records]),
        "csv": OptionEffect(kinds: [.records]), "trim": OptionEffect(kinds: read),
        "pretty": OptionEffect(kinds: markup.union([.records])),
        "offsets": OptionEffect(kinds: [.json]),
        "with-filename": OptionEffect(kinds: lines), "no-filename": OptionEffect(kinds: lines),
        "separator": OptionEffect(kinds: lines), "": OptionEffect(kinds: lines),
        "width": OptionEffect(kinds: shown.union([.values, .records])),
        "scale": OptionEffect(kinds: pictures), "padding": OptionEffect(kinds: pictures.union([.ansi])),
        "background": OptionEffect(kinds: pictures.union([.ansi])),
        "css": OptionEffect(kinds: shown.union([.values, .records])),
        "style": OptionEffect(kinds: shown.union([.values, .records])),
        "root-style": OptionEffect(kinds: shown.union([.values, .records])),
        "policy": OptionEffect(kinds: shown.union([.values, .records])),
        "dialect": OptionEffect(kinds: shown.union([.values, .records])),
        "color-scheme": OptionEffect(kinds: shown.union([.values, .records])),
        "font": OptionEffect(kinds: pictures), "font-dir": OptionEffect(kinds: pictures),
        "emoji": OptionEffect(kinds: pictures), "hinting": OptionEffect(kinds: bitmaps),
    ]

    /// - Throws: an error for the first option that changes none of the outputs.
    static func check(
        _ options: [String], in table: [String: OptionEffect], on kinds: [OutputKind], isLimited: Bool = false
    ) throws {
        for option in options {
            guard let effect = table[option], !kinds.contains(where: effect.kinds.contains) else { continue }
            if isLimited, kinds.contains(where: effect.limited.contains) { continue }
            let known = OutputKind.allCases.filter(effect.kinds.contains).map(\.title)
            let list = known.dropLast().joined(separator: ", ") + (known.count > 1 ? " or " : "") + (known.last ?? "")
            let otherwise = kinds.contains(where: effect.limited.contains) ? ", or --max-lines or --max-height" : ""
            throw ValidationError("\(option.isEmpty ? "-0" : "--\(option)") requires \(list) output\(otherwise).")
        }
    }
}
