// Messages about a CSS text that stands within a document, with the document's places instead of the text's own.

import Basics
import Markup

extension DiagnosticLog {
    /// Reports what was found in `css`; what it imported keeps its own places.
    ///
    /// - Parameters:
    ///   - node: where the text stands, as near as is known when its bytes are not those of the document.
    ///   - sourceOffset: the document's byte that a byte of `css` comes from; nil when there is none.
    mutating func report(
        _ own: DiagnosticLog, about css: CSSSource, within tree: MarkupTree, at node: NodeID,
        sourceOffset: (Int) -> Int?
    ) {
        for entry in own.entries where entries.count <= limit {
            guard let location = entry.location, location.source == css.name else {
                report(entry)
                continue
            }
            let offset = css.bytes.withUnsafeBufferPointer { location.offset(in: $0) }
            if let offset = sourceOffset(offset) {
                report(
                    Diagnostic(
                        entry.severity, entry.message, at: tree.location(offset: offset),
                        excerpt: tree.excerpt(offset: offset)))
            } else {
                report(Diagnostic(entry.severity, entry.message, at: tree.location(node), excerpt: entry.excerpt))
            }
        }
    }
}
