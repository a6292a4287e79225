// The `<style>` elements of a resolver's latest documents, parsed, and the rules that they made.
//
// In: the text of an element. Out: its sheet. Cards of a kind repeat their style sheet from one to the next; reading it and
// ordering its rules took a quarter of styling one.

import FancyTextBasics

/// What a `<style>` element's text says. Immutable and shared by documents.
final class EmbeddedSheet: Sendable {
    let text: CSSSource
    let source: RuleIndex.Source
    let fontFaces: [FontFaceRule]
    /// The texts of what it imported.
    let imports: [CSSSource]
    /// Whether its text stands in a whole document, where other rules hold for the dialect.
    let isInDocument: Bool
    /// What parsing had to say, with places in the text.
    let log: DiagnosticLog

    init(
        _ text: CSSSource, _ source: RuleIndex.Source, isInDocument: Bool, log: DiagnosticLog
    ) {
        self.text = text
        self.source = source
        fontFaces = source.sheet.fontFaces
        imports = source.sheet.imports
        self.isInDocument = isInDocument
        self.log = log
    }
}

/// A few sheets and indexes of their rules, the latest first. Thread-safe.
final class SheetMemory: Sendable {
    private struct Known {
        var sheets: [EmbeddedSheet] = []
        var indexes: [(sheets: [EmbeddedSheet], index: RuleIndex)] = []
    }

    private let known = Guarded(Known())
    private static let mostSheets = 8
    private static let mostIndexes = 4
    /// Bytes of a sheet that is kept: a page's has its time, and a card's does not.
    private static let longest = 32 << 10

    /// The sheet of a text, if it was met lately. O(its length).
    func sheet(of text: [UInt8], name: String, isInDocument: Bool) -> EmbeddedSheet? {
        known.withLock { known in
            known.sheets.first {
                $0.isInDocument == isInDocument && $0.text.bytes == text && $0.text.name == name
            }
        }
    }

    /// Remembers a sheet that parsing alone has made: what it imports may be another text the next time.
    func insert(_ sheet: EmbeddedSheet) {
        guard sheet.text.bytes.count <= Self.longest else { return }
        known.withLock { known in
            known.sheets.insert(sheet, at: 0)
            if known.sheets.count > Self.mostSheets { known.sheets.removeLast() }
        }
    }

    /// The index of the rules of these sheets; `make` is called where they are not the same as lately.
    func index(of sheets: [EmbeddedSheet], _ make: () -> RuleIndex) -> RuleIndex {
        guard sheets.allSatisfy({ $0.text.bytes.count <= Self.longest }) else { return make() }
        let found = known.withLock { known in
            known.indexes.first { $0.sheets.elementsEqual(sheets, by: ===) }?.index
        }
        if let found { return found }
        let made = make()
        known.withLock { known in
            known.indexes.insert((sheets, made), at: 0)
            if known.indexes.count > Self.mostIndexes { known.indexes.removeLast() }
        }
        return made
    }
}
