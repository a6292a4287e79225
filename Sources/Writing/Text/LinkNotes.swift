// Destinations of links, next to their text or in notes at the end: those that outputs may have, without control characters.

import FancyTextBoxes

/// Numbers the targets of links in the order in which they occur.
package struct LinkNotes {
    package private(set) var targets: [String] = []
    private var numbers: [String: Int] = [:]

    package init() {}

    /// The number of a target's note, from 1.
    package mutating func number(of target: String) -> Int {
        if let known = numbers[target] { return known }
        targets.append(target)
        numbers[target] = targets.count
        return targets.count
    }

    /// Writes the text after a link: its target, or the number of its note.
    ///
    /// - Parameter start: the position in the output before the link.
    mutating func write(_ target: String?, as links: LinkStyle, from start: Int, _ writer: inout TextWriter) {
        guard let target = target.flatMap(LinkDestination.offered), !target.isEmpty, !target.hasPrefix("#")
        else { return }
        let clean = String(decoding: SafeText.withoutControls(Array(target.utf8)), as: UTF8.self)
        switch links {
        case .none: break
        case .inline: writer.writeNote(" <\(clean)>", start)
        case .footnotes: writer.writeNote("[\(number(of: clean))]", start)
        }
    }

    func append(to text: inout [UInt8]) {
        for (index, target) in targets.enumerated() {
            text += "\(index == 0 ? "\n\n" : "\n")[\(index + 1)] \(target)".utf8
        }
    }
}
