// Style sheets repeated in documents of one resolver: parsed once, with the effects and messages of each.

import Synchronization
import Testing

@testable import FancyTextBasics
@testable import FancyTextCSS
@testable import FancyTextMarkup
@testable import FancyTextStyling

@Suite struct SheetMemoryTests {
    private func style(_ resolver: MarkupStyleResolver, _ html: String) -> (styled: StyledTree, log: DiagnosticLog) {
        var log = DiagnosticLog()
        return (resolver.resolve(MarkupTree.parse(html), log: &log), log)
    }

    private func color(_ tag: TagID, _ styled: StyledTree) -> Color? {
        styled.tree.subtree(styled.tree.root).first { styled.tree.tag($0) == tag }.map {
            styled.computed($0).text.color
        }
    }

    @Test func equalSheetsShareTheirRules() {
        let resolver = MarkupStyleResolver(options: StyleOptions())
        let first = style(resolver, "<style>p{color:#f00}</style><p>a").styled
        let second = style(resolver, "<b>x</b><style>p{color:#f00}</style><p>b").styled
        #expect(first.index === second.index)
        #expect(color(.p, second) == Color(red: 255, green: 0, blue: 0))
        // Whole documents and snippets may parse a sheet differently.
        let document = style(resolver, "<!doctype html><style>p{color:#f00}</style><p>a").styled
        let other = style(resolver, "<style>p{color:#0f0}</style><p>a").styled
        #expect(document.index !== first.index && other.index !== first.index)
        #expect(color(.p, other) == Color(red: 0, green: 255, blue: 0))
        let both = style(resolver, "<style>p{color:#f00}</style><style>p{color:#0f0}</style><p>a").styled
        #expect(color(.p, both) == Color(red: 0, green: 255, blue: 0))
    }

    @Test func messagesHaveThePlacesOfTheirDocument() {
        let resolver = MarkupStyleResolver(options: StyleOptions())
        let sheet = "<style>p{colour:red}\nq:nosuch{color:red}</style>"
        let first = style(resolver, sheet).log
        let second = style(resolver, "\n\n" + sheet).log
        #expect(first.count == 2)
        #expect(first.map(\.message) == second.map(\.message))
        #expect(first.map { $0.location?.line } == [1, 2])
        #expect(second.map { $0.location?.line } == [3, 4])
    }

    @Test func whatIsImportedIsReadEachTime() {
        let count = ImportedSheet()
        var options = StyleOptions()
        options.importLoader = { _ in { url, _ in .success((count.next(), url)) } }
        let resolver = MarkupStyleResolver(options: options)
        let html = "<style>@import 'a.css';</style><p>a"
        #expect(color(.p, style(resolver, html).styled) == Color(red: 1, green: 0, blue: 0))
        #expect(color(.p, style(resolver, html).styled) == Color(red: 2, green: 0, blue: 0))
    }

    @Test func importedSheetsAreDecoded() {
        var options = StyleOptions()
        options.importLoader = { _ in
            { url, _ in
                .success((Array("@charset \"\(url)\";.".utf8) + [0xE9] + Array("{color:#010000}".utf8), url))
            }
        }
        let wide = "\u{FEFF}.é{color:#010000}".utf16
        let sheets = [
            wide.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }, wide.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
        ]
        for sheet in sheets {
            var options = StyleOptions()
            options.importLoader = { _ in { url, _ in .success((sheet, url)) } }
            let styled = style(MarkupStyleResolver(options: options), "<style>@import 'a';</style><p class='é'>a")
                .styled
            #expect(color(.p, styled) == Color(red: 1, green: 0, blue: 0))
        }
        for (label, isRead) in [("iso-8859-1", true), ("koi8-r", false), ("utf-8", false)] {
            let resolver = MarkupStyleResolver(options: options)
            let styled = style(resolver, "<style>@import '\(label)';</style><p class='é'>a").styled
            #expect((color(.p, styled) == Color(red: 1, green: 0, blue: 0)) == isRead, "\(label)")
        }
    }

    @Test func sheetsThatComeAgainLaterMeanTheSame() {
        let resolver = MarkupStyleResolver(options: StyleOptions())
        for _ in 0..<3 {
            for red in 0..<20 {
                let styled = style(resolver, "<style>p{color:rgb(\(red),0,0)}</style><p>a").styled
                #expect(color(.p, styled) == Color(red: UInt8(red), green: 0, blue: 0))
            }
        }
    }

    /// Documents of one resolver share the default styles, but number their own ones.
    @Test func defaultStylesAreThoseOfAFreshResolver() {
        let pages = ["<h1>a<ul><li>b<ol><li>c", "<ol><li>a</ol><div>b</div><section>c</section>", "<xyz>a</xyz><b>c"]
        let resolver = MarkupStyleResolver(options: StyleOptions())
        for page in pages + pages.reversed() {
            let own = style(resolver, page).styled
            let fresh = style(MarkupStyleResolver(options: StyleOptions()), page).styled
            let nodes = own.tree.subtree(own.tree.root)
            #expect(
                nodes.allSatisfy { own.computed($0) == fresh.computed($0) && own.style(of: $0) == fresh.style(of: $0) })
        }
        let styled = style(resolver, "<div>b</div><section>c</section>").styled
        let names = styled.tree.subtree(styled.tree.root).filter { styled.tree.kind($0) == .element }
        #expect(Set(names.map { styled.style(of: $0) }).count == 1)
    }
}

/// A sheet whose contents change each time it is loaded.
private final class ImportedSheet: Sendable {
    private let reads = Mutex(0)

    func next() -> [UInt8] {
        let number = reads.withLock { reads in
            reads += 1
            return reads
        }
        return Array("p{color:rgb(\(number),0,0)}".utf8)
    }
}
