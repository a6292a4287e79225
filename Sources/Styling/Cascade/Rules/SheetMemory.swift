// The parsed `<style>` elements of a resolver's latest documents, and the indexes of their rules. In: the text of an element. Out:
// its sheet. Similar cards repeat the same sheet; parsing and indexing it took a quarter of the time to style one.

import FancyTextBasics
import FancyTextCSS

/// A parsed `<style>` element. Immutable and shared by documents.
final class EmbeddedSheet: Sendable {
    let source: RuleIndex.Source
    /// True if the element is in a whole document, to which other dialect rules apply.
    let isInDocument: Bool
    let log: DiagnosticLog

    var text: CSSSource { source.text }

    init(_ source: RuleIndex.Source, isInDocument: Bool, log: DiagnosticLog) {
        (self.source, self.isInDocument, self.log) = (source, isInDocument, log)
    }
}

/// A cache of a few sheets and rule indexes, the latest first. Thread-safe.
final class SheetMemory: Sendable {
    private struct Known {
        var sheets: [EmbeddedSheet] = []
        var indexes: [(sheets: [EmbeddedSheet], index: RuleIndex)] = []
    }

    private let known = Guarded(Known())
    private static let mostSheets = 8
    private static let mostIndexes = 4
    /// The maximum size of a cached sheet in bytes: a card has short sheets, and a page takes long in comparison.
    private static let longest = 32 << 10

    func sheet(of text: [UInt8], name: String, base: String, isInDocument: Bool) -> EmbeddedSheet? {
        known.withLock { known in
            known.sheets.first {
                $0.isInDocument == isInDocument && $0.text.bytes == text && $0.text.name == name && $0.text.base == base
            }
        }
    }

    /// Caches a sheet. The sheet must not import others, whose text may change.
    func insert(_ sheet: EmbeddedSheet) {
        guard sheet.text.bytes.count <= Self.longest else { return }
        known.withLock { known in
            known.sheets.insert(sheet, at: 0)
            if known.sheets.count > Self.mostSheets { known.sheets.removeLast() }
        }
    }

    /// Returns the cached index of these sheets; `make` creates it if it is not cached.
    func index(of sheets: [EmbeddedSheet], _ make: () -> RuleIndex) -> RuleIndex {
        guard sheets.allSatisfy({ $0.text.bytes.count <= Self.longest }) else { return make() }
        let found = known.withLock { known in known.indexes.first { $0.sheets.elementsEqual(sheets, by: ===) }?.index }
        if let found { return found }
        let made = make()
        known.withLock { known in
            known.indexes.insert((sheets, made), at: 0)
            if known.indexes.count > Self.mostIndexes { known.indexes.removeLast() }
        }
        return made
    }
}
