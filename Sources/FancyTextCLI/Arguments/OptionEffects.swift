// The outputs of commands, as far as they differ in their options, and the check for options without an effect.
//
// An option that cannot change any of the requested outputs is an error, and the message names the outputs that it changes.
// Options of a configuration file are defaults for many runs, so they may have no effect; so may `--color`, a preference that
// scripts pass to every command.

import ArgumentParser

struct Outputs: OptionSet, Sendable {
    let rawValue: UInt64

    static let png = Outputs(rawValue: 1)
    static let jpeg = Outputs(rawValue: 1 << 1)
    static let webp = Outputs(rawValue: 1 << 2)
    static let svg = Outputs(rawValue: 1 << 3)
    static let pdf = Outputs(rawValue: 1 << 4)
    static let ansi = Outputs(rawValue: 1 << 5)
    static let json = Outputs(rawValue: 1 << 6)
    static let markdown = Outputs(rawValue: 1 << 7)
    static let html = Outputs(rawValue: 1 << 8)
    static let text = Outputs(rawValue: 1 << 9)
    /// The matches of `select`, as HTML, as JSON, and their text.
    static let matchHTML = Outputs(rawValue: 1 << 10)
    static let matchJSON = Outputs(rawValue: 1 << 11)
    static let matchText = Outputs(rawValue: 1 << 12)
    /// The values that `select` reads from matches: attributes and pseudo-elements, records, or their number.
    static let values = Outputs(rawValue: 1 << 13)
    static let records = Outputs(rawValue: 1 << 14)
    static let count = Outputs(rawValue: 1 << 15)
    /// The text of `strip` without one of its other forms, and these.
    static let readable = Outputs(rawValue: 1 << 16)
    static let innerText = Outputs(rawValue: 1 << 17)
    static let raw = Outputs(rawValue: 1 << 18)
    static let speech = Outputs(rawValue: 1 << 19)
    /// The stages of `dump` that depend on a width, and the others.
    static let placedStage = Outputs(rawValue: 1 << 20)
    static let otherStage = Outputs(rawValue: 1 << 21)

    /// Pictures of pages, besides their format.
    static let pages = Outputs(rawValue: 1 << 22)
    /// The file of --image-map.
    static let maps = Outputs(rawValue: 1 << 23)

    static let bitmaps: Outputs = [.png, .jpeg, .webp]
    static let pictures: Outputs = [.bitmaps, .svg, .pdf]
    static let render: Outputs = [.pictures, .pages, .maps, .ansi, .json, .markdown, .html, .text]
    static let matches: Outputs = [.matchHTML, .matchJSON]
    static let extracts: Outputs = [.values, .records]
    static let readings: Outputs = [.matchText, .extracts]
    static let select: Outputs = [.pictures, .ansi, .markdown, .matches, .readings, .count]
    static let strip: Outputs = [.readable, .innerText, .raw, .speech]
    static let dump: Outputs = [.placedStage, .otherStage]
    static let all = Outputs(rawValue: .max)

    static let styled: Outputs = [
        .pictures, .ansi, .json, .text, .markdown, .limited(.html), .readable, .innerText, .speech, .dump,
    ]
    /// The outputs that depend on positions in pixels.
    static let placed: Outputs = [.pictures, .json, .limited([.text, .markdown, .html]), .placedStage]

    /// Outputs whose text is truncated by a limit: layout decides where.
    static func limited(_ outputs: Outputs) -> Outputs { Outputs(rawValue: outputs.rawValue << 32) }

    /// The names in messages.
    private static let titles: [(output: Outputs, title: String)] = [
        (.png, "PNG"), (.jpeg, "JPEG"), (.webp, "WebP"), (.svg, "SVG"), ([.pdf, .pages], "PDF"),
        (.ansi, "terminal text"), ([.json, .matchJSON], "JSON"), (.markdown, "Markdown"),
        ([.html, .matchHTML], "HTML"),
        ([.text, .matchText], "text"), (.values, "values"), (.records, "records"), (.count, "the number of matches"),
        (.maps, "--image-map"), (.readable, "readable"), (.innerText, "--inner-text"), (.raw, "--raw"),
        (.speech, "--speech"),
        (.placedStage, "layout or display"), (.otherStage, "a stage before layout"),
    ]

    /// A list of the outputs' names.
    var titles: String {
        let known = Self.titles.filter { !isDisjoint(with: $0.output) }.map(\.title)
        return known.dropLast().joined(separator: ", ") + (known.count > 1 ? " or " : "") + (known.last ?? "")
    }
}

extension Outputs {
    /// The first bits are in the order of the formats.
    init(_ format: RenderFormat) {
        rawValue = RenderFormat.allCases.firstIndex(of: format).map { 1 << UInt64($0) } ?? 0
    }
}

extension Command {
    /// Refuses an option that changes none of the outputs, unless a configuration file sets it.
    func checkEffects(of table: OptionTable, isDefault: (_ option: String) -> Bool) throws {
        let written = try writtenOutputs
        for option in table.options where option.isGiven && option.outputs.isDisjoint(with: written) {
            if isDefault(option.name) { continue }
            let limits = option.outputs.isDisjoint(with: .limited(written)) ? "" : ", or --max-lines or --max-height"
            let other = option.outputs == .pages ? ", or -o with {page}" : limits
            let required = option.outputs.intersection(Self.outputs).titles + " output" + other
            let found = written.subtracting([.pages, .maps]).titles
            throw ValidationError("\(option.writtenName) requires \(required): the output is \(found).")
        }
    }
}
