// Messages about CSS text within a document, with positions in the document instead of the CSS text.

import FancyTextBasics
import FancyTextMarkup

extension DiagnosticLog {
    /// Reports the messages about `css` at its `place` in the document, or about the node; imported sheets keep their places.
    mutating func report(
        _ own: DiagnosticLog, about css: CSSSource, at place: EmbeddedText?, within tree: MarkupTree, _ node: NodeID
    ) {
        for entry in own.entries where entries.count <= limit {
            guard let found = entry.textPlace, found.text === css else {
                report(entry)
                continue
            }
            if let place {
                report(Diagnostic(entry.severity, entry.code, entry.message, at: TextPlace(place, found.offset)))
            } else {
                report(
                    Diagnostic(
                        entry.severity, entry.code, entry.message, at: tree.location(node), excerpt: entry.excerpt))
            }
        }
    }
}
