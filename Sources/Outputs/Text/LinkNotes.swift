// Destinations of links, next to their text or in notes at the end.

/// Numbers the targets of links in the order in which they occur.
struct LinkNotes {
    private var targets: [String] = []
    private var numbers: [String: Int] = [:]

    /// Writes the text after a link: its target, or the number of its note.
    ///
    /// - Parameter start: the position in the output before the link.
    mutating func write(
        _ target: String?, as links: LinkStyle, from start: Int, _ writer: inout TextWriter
    ) {
        guard let target, !target.isEmpty, !target.hasPrefix("#") else { return }
        let clean = String(decoding: SafeText.withoutControls(Array(target.utf8)), as: UTF8.self)
        switch links {
        case .none: break
        case .inline: writer.writeNote(" <\(clean)>", start)
        case .footnotes:
            let number = numbers[clean] ?? targets.count + 1
            if number > targets.count {
                targets.append(clean)
                numbers[clean] = number
            }
            writer.writeNote("[\(number)]", start)
        }
    }

    /// Appends the notes to the text that refers to them.
    func append(to text: inout [UInt8]) {
        for (index, target) in targets.enumerated() {
            text.append(contentsOf: (index == 0 ? "\n\n" : "\n").utf8)
            text.append(contentsOf: "[\(index + 1)] \(target)".utf8)
        }
    }
}
