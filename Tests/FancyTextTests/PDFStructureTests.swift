// The structure, the outline and the facts about the document in PDF files, read back from their objects.

import CFancyTextDeflate
import FancyText
import Foundation
import Testing

@Suite struct PDFStructureTests {
    /// The objects of a file as text, with those in compressed streams.
    private struct File {
        private var objects: [Int: String] = [:]
        private(set) var contents: [String] = []

        init(_ bytes: [UInt8]) throws {
            let (begin, digits) = (Array(" 0 obj\n".utf8), Array("0123456789".utf8))
            var start = 0
            while let label = bytes[start...].firstRange(of: begin) {
                start = label.upperBound
                let number = bytes[..<label.lowerBound].suffix(8).split { !digits.contains($0) }.last ?? []
                let end = try #require(bytes[start...].firstRange(of: Array("endobj".utf8)))
                let object = String(decoding: bytes[start..<end.lowerBound], as: Unicode.ASCII.self)
                objects[try #require(Int(String(decoding: number, as: UTF8.self)))] = object
                guard let stream = bytes[start..<end.lowerBound].firstRange(of: Array("stream\n".utf8)),
                    let inflated = Self.inflated(Array(bytes[stream.upperBound..<end.lowerBound]))
                else { continue }
                contents.append(inflated)
                guard object.hasPrefix("<</Type/ObjStm"), let first = object.firstMatch(of: /First (\d+)/) else {
                    continue
                }
                let offset = try #require(Int(first.1))
                let numbers = inflated.prefix(offset).split(separator: " ").compactMap { Int($0) }
                for at in stride(from: 0, to: numbers.count, by: 2) {
                    let end = at + 3 < numbers.count ? offset + numbers[at + 3] : inflated.utf8.count
                    objects[numbers[at]] = String(
                        decoding: Array(inflated.utf8)[offset + numbers[at + 1]..<end], as: UTF8.self)
                }
            }
        }

        private static func inflated(_ packed: [UInt8]) -> String? {
            guard let decompressor = libdeflate_alloc_decompressor() else { return nil }
            defer { libdeflate_free_decompressor(decompressor) }
            var text = [UInt8](repeating: 0, count: 1 << 20)
            var count = 0
            let status = libdeflate_zlib_decompress_ex(
                decompressor, packed, packed.count, &text, text.count, nil, &count)
            return status == LIBDEFLATE_SUCCESS ? String(decoding: text[..<count], as: UTF8.self) : nil
        }

        func object(_ number: some StringProtocol) -> String { Int(number).flatMap { objects[$0] } ?? "" }

        var all: [String] { objects.sorted { $0.key < $1.key }.map(\.value) }

        func first(_ prefix: String) -> String { all.first { $0.contains(prefix) } ?? "" }

        /// An element as its role with its kids in parentheses; `#` is content, `@` the box of a link.
        func outline(_ number: some StringProtocol) -> String {
            let text = object(number)
            guard let role = text.firstMatch(of: /\/S\/(\w+)/), let start = text.range(of: "/K[") else { return "?" }
            var kids: [String] = []
            var rest = text[start.upperBound...]
            while let match = rest.firstMatch(of: /^ ?(?:(\d+) 0 R|<<\/Type\/(\w+)[^>]*>>|\d+)/) {
                kids.append(match.1.map { outline($0) } ?? (match.2 == "OBJR" ? "@" : "#"))
                rest = rest[match.range.upperBound...]
            }
            return "\(role.1)(\(kids.joined(separator: " ")))"
        }

        var outline: String {
            first("/Type/StructTreeRoot").firstMatch(of: #/K\[(\d+) /#).map { outline($0.1) } ?? ""
        }
    }

    private func file(_ html: String, page: String? = nil, base: String? = nil) throws -> File {
        var (fonts, options) = (FontOptions(), RenderOptions())
        options.linkBase = base
        fonts.usesSystemFonts = false
        var document = MarkupParser().parse(html)
        return try File(
            Renderer(fonts: fonts).picture(&document, as: .pdf(page: page.flatMap { PageSize($0) }), options))
    }

    @Test(arguments: [
        ("<h1>A</h1><p>b <b>c</b></p>", "H1(#) P(#)"),
        ("<section><h2>A</h2>text</section>", "Sect(H2(#) P(#))"),
        ("<div>a<div>b</div></div>", "P(#) P(#)"),
        ("<p>a <a href='http://x'>b</a> c</p>", "P(# Link(# @ #) #)"),
        ("<ol><li>a<li>b<ul><li>c</ul></ol>", "L(LI(Lbl(#) LBody(#)) LI(Lbl(#) LBody(P(#) L(LI(LBody(#))))))"),
        ("<dl><dt>a<dd>b</dl>", "L(LI(LBody(#)) LI(LBody(#)))"),
        ("<blockquote>a</blockquote>", "BlockQuote(P(#))"),
        (
            "<table><caption>a</caption><thead><tr><th>b<tbody><tr><td>c</table>",
            "Table(Caption(#) THead(TR(TH(#))) TBody(TR(TD(#))))"
        ),
        ("<table role=none><tr><td>a<td>b</table>", "P(#) P(#)"),
        ("<p>a <span style='display:inline-block'>b</span> c</p>", "P(# Span(#) #)"),
        // The order is the document's, though floats are painted first.
        ("<p>a</p><p style='float:right'>b</p><p>c</p>", "P(#) P(#) P(#)"),
        // A layer is one range of content.
        ("<div style='opacity:.5'><p>a</p><p>b</p></div><p style='opacity:.5'>c</p>", "P(#) P(#)"),
        ("<p>a<img width=9 height=9 alt='' src='\(picture)'></p>", "P(#)"),
        ("<p>a <a href='http://x'><img width=9 height=9 alt=x src='\(picture)'></a></p>", "P(# Link(Figure(#) @ #))"),
        ("<html lang=en><p>a <span lang=fr>b</span> <b lang=en>c</b>", "P(# Span(#) #)"),
        ("<p><svg aria-label=a><rect width=9 height=9></svg><svg><rect width=9 height=9></svg>", "P(Figure(#))"),
        ("<p>a <math><mfrac><mi>b</mi><mn>2</mn></mfrac></math>", "P(# Formula(Span(#) Span(#)))"),
        // librsvg tags the links of drawings.
        ("<p>a<svg width=9 height=9><a href='http://x'><rect width=9 height=9></a></svg><p>b", "P(#) P(#) Link(@ #)"),
    ])
    func elementsHaveTheRolesOfTheDocument(_ html: String, _ outline: String) throws {
        #expect(try file("<!DOCTYPE html>" + html).outline == "Document(\(outline))")
    }

    private static let picture =
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"

    @Test func aParagraphOnTwoPagesIsOneElement() throws {
        let html = "<p style='font-size:60px;orphans:1;widows:1'>" + String(repeating: "word ", count: 60)
        #expect(try file(html, page: "A5").outline.wholeMatch(of: /Document\(P\((# ?){2,}\)\)/) != nil)
    }

    /// The head of the table and the fixed box are on both pages.
    @Test func repeatedContentIsPartOfTheStructureOnce() throws {
        let rows = String(repeating: "<tr><td>a", count: 40)
        let html = "<p style='position:fixed;bottom:0'>f<table><thead><tr><th>h<tbody>\(rows)</table>"
        let outline = try file("<!DOCTYPE html>" + html, page: "A5").outline
        #expect(outline.contains("P(#)") && outline.contains("THead(TR(TH(#)))"), "\(outline)")
    }

    @Test func cellsTellTheirSpansAndPicturesTheirText() throws {
        let file = try file(
            """
            <table><tr><th rowspan=2>a<th scope=row>b<tr><td colspan=2>c</table>\
            <p lang=de><img width=9 height=9 alt='Ein (roter) Punkt' src='\(Self.picture)'>x
            """)
        #expect(!file.first("/S/TH").isEmpty && file.first("/RowSpan 2").contains("/Scope/Row"))
        #expect(file.first("/ColSpan 2").contains("/S/TD"))
        #expect(file.first("/S/Figure").contains("/Alt(Ein \\(roter\\) Punkt)"))
        #expect(file.all.contains { $0.contains("/S/P") && $0.contains("/Lang(de)") })
    }

    @Test func textInAnotherLanguageAndPicturesTellIt() throws {
        let file = try file(
            """
            <html lang=en><p>a <span lang=fr>b</span> <svg role=img aria-label=Disc><circle r=9></svg>\
            <math><mfrac><mi>b</mi><mn>2</mn></mfrac></math>
            """)
        #expect(file.first("/S/Span").contains("/Lang(fr)"))
        #expect(file.first("/S/Figure").contains("/Alt(Disc)") && file.first("/S/Formula").contains("/Alt(b/2)"))
    }

    /// `<base>` is relative to `--base`.
    @Test func linksAreRelativeToTheBase() throws {
        let file = try file("<base href='e/'><a href='../f?q'>a</a>", base: "https://h.example/d/")
        #expect(file.first("/Subtype /Link").contains("/URI (https://h.example/d/f?q)"))
    }

    /// HTML §7.4.6.4: the top of the document needs no element.
    @Test func linksToTheTopNeedNoElement() throws {
        let file = try file("<p>a <a href='#'>b</a> <a href='#TOP'>c</a> <a href='#none'>d</a>", page: "A5")
        #expect(file.all.count { $0.contains("/Subtype /Link") } == 2)
        #expect(file.all.contains { $0.contains("(d) [") && $0.contains("(d54-4f-50) [") }, "\(file.all)")
    }

    /// Everything on a page is part of the structure or an artifact.
    @Test(arguments: [
        "<a href='http://x/' style='display:block;background:red;height:20px'></a>",
        "<style>a::before{content:'';position:absolute;inset:0}</style><a href='http://x/'></a>",
        "<a href='http://x/'><img src=gone.png></a>", "<a href='http://x/' style='visibility:hidden'>b</a>",
    ])
    func linksWithoutTextSayWhereTheyLead(_ link: String) throws {
        let file = try file("<!DOCTYPE html><p>a</p>\(link)", page: "A5")
        #expect(file.first("/Subtype /Link").contains("/Contents(http://x/)"))
    }

    @Test(arguments: [
        ("<html lang=en><title>x</title><div lang=fr><p>mot</p></div>", 1, true),
        ("<html lang=en><title>x</title><body lang=fr><p>mot<p>mot", 1, true),
        ("<html lang=en><title>x</title><p>word", 0, true),
        ("<html lang=en><title>x</title><h1>a</h1><h4>b</h4>", 0, false),
    ])
    func languagesAreToldWhereTheyChange(_ html: String, _ count: Int, isAccessible: Bool) throws {
        let file = try file("<!DOCTYPE html>" + html, page: "A5")
        #expect(file.all.count { $0.contains("/Lang(fr)") } >= count)
        #expect(file.first("<x:xmpmeta").contains("pdfuaid:part>1") == isAccessible)
    }

    @Test func decorationIsAnArtifact() throws {
        let file = try file(
            """
            <!DOCTYPE html><style>@page{@top-left{content:'m'}}</style><h1 style='background:red'>T</h1>\
            <hr><p style='opacity:.5'>a<p>b <a href='http://x' title=about>c</a>
            """, page: "A5")
        let lines = try #require(file.contents.first { $0.contains(" BDC") }).split(separator: "\n")
        #expect(lines.contains { $0.contains("(m)") } && lines.contains { $0.hasSuffix(" f") })
        var open: Substring?
        for line in lines {
            let begins = line.hasSuffix(" BMC") || line.hasSuffix(" BDC")
            #expect(begins == (open == nil), "\(line)")
            if begins || line == "EMC" { open = begins ? line : nil }
            if line.contains("(m)") { #expect(open == "/Artifact BMC") }
            if line.hasSuffix(" f") { #expect(open == "/Artifact BMC", "\(line)") }
        }
        #expect(open == nil)
        #expect(file.first("/StructParents ").contains("/Tabs/S"))
        #expect(file.first("/Subtype /Link").contains("/Contents(about)"))
    }

    @Test(arguments: [
        ("<html lang=en><h2>B</h2><h1>A &amp; <i>c</i></h1><h1>D</h1>", "A &amp; c", false),
        ("<html lang=en><title>T</title><h1>A</h1>", "T", true), ("<title>T</title><p>a", "T", false),
    ])
    func metadataHasTheTitle(_ html: String, _ title: String, isAccessible: Bool) throws {
        let metadata = try file(html).first("<x:xmpmeta")
        #expect(metadata.contains("\"x-default\">\(title)</rdf:li>"), "\(metadata)")
        #expect(metadata.contains("<pdfuaid:part>1</pdfuaid:part>") == isAccessible)
    }

    /// Each number on a page has its element among the parents.
    @Test func contentLeadsToItsElement() throws {
        let file = try file("<h1>a</h1><p>b <a href='http://x'>c</a>", page: "A5")
        let parents = try #require(file.first("<</Nums[").firstMatch(of: /\d+ (\d+) 0 R \d+ \[([^\]]*)\]/))
        #expect(file.object(parents.1).contains("/S/Link"))
        let roles = parents.2.split(separator: " 0 R").map { number in
            file.object(number.filter { $0 != " " }).firstMatch(of: /\/S\/(\w+)/).map { String($0.1) } ?? ""
        }
        #expect(roles == ["H1", "P", "Link", "Link"])
        let contents = file.contents.first { $0.contains("BDC") } ?? ""
        #expect(contents.matches(of: /\/MCID (\d+)/).map { String($0.1) } == ["0", "1", "2", "3"])
    }

    @Test func factsAreThoseOfTheDocument() throws {
        let file = try file(
            """
            <!DOCTYPE html><html lang=de-AT><title>Bericht</title><meta name=Author content='Ada'>\
            <meta name=description content=About><meta name=keywords content='a, b'><p>x
            """)
        let facts = file.first("/Producer")
        for fact in ["/Title (Bericht)", "/Author (Ada)", "/Subject (About)", "/Keywords (a, b)"] {
            #expect(facts.contains(fact), "\(facts)")
        }
        #expect(!facts.contains("Date"))
        let catalog = file.first("/Type /Catalog")
        #expect(catalog.contains("/Lang(de-AT)") && catalog.contains("/DisplayDocTitle true"))
        #expect(catalog.contains("/MarkInfo<</Marked true>>"))
    }

    @Test func headingsAreBookmarks() throws {
        let file = try file(
            """
            <h1>One</h1><h3 style='bookmark-state:closed'>Deep <i>text</i></h3><h2 style='bookmark-level:none'>No</h2>\
            <p title=T style="counter-increment:c 7;bookmark-level:2;bookmark-label:counter(c) ' ' attr(title) content()">p
            """, page: "A5")
        let entries = file.all.filter { $0.contains("/Title") && $0.contains("/Dest") }
        #expect(
            entries.map { $0.firstMatch(of: /Title \(([^)]*)\)/).map { String($0.1) } ?? "" } == [
                "One", "Deep text", "7 Tp",
            ])
        // Both are below the first entry.
        #expect(entries[0].contains("/First") && !entries[1].contains("/First"))
        let parent = try #require(entries[1].firstMatch(of: /Parent (\d+)/)?.1)
        #expect(file.object(parent) == entries[0] && entries[2].contains("/Parent \(parent) 0 R"))
    }

    @Test func markersAreText() throws {
        let file = try file("<ol start=47><li>x</ol>")
        #expect(file.contents.contains { $0.contains("<0034>") } && file.contents.contains { $0.contains("<0037>") })
    }

    /// Poppler takes letters with equal gaps for words.
    @Test func gapsOfLettersFromTheRightDiffer() throws {
        let file = try file("<p style='font-family:monospace'>اااااا")
        let contents = file.contents.first { $0.contains("TJ") } ?? ""
        let gaps = Set(contents.matches(of: />(-?\d+)</).dropFirst().map { String($0.1) })
        #expect(gaps.count == 2, "\(contents)")
    }
}
