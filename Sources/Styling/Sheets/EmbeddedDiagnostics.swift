// Messages about a CSS text that stands within a document, with the document's places instead of the text's own.

import FancyTextBasics
import FancyTextMarkup

extension DiagnosticLog {
    /// Reports what was found in `css`; what it imported keeps its own places. No line is looked up yet.
    ///
    /// - Parameters:
    ///   - place: where the text stands in the document; nil when its bytes are not those of the document.
    ///   - node: the node that the text belongs to.
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
