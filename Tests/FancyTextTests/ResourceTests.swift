// The sources of style sheets, images and fonts.

import FancyTextBasics
import Foundation
import Synchronization
import Testing

@testable import FancyText
@testable import FancyTextImages
@testable import FancyTextLayout

@Suite struct ResourceTests {
    /// A folder with `pages`, `css` and `fonts` beside each other.
    private func site() throws -> String {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("fancytext-\(UUID().uuidString)")
        for (name, text) in [
            ("pages/own.css", "p{letter-spacing:1px}"), ("css/main.css", "@import 'more.css';p{letter-spacing:2px}"),
            ("css/more.css", "p{word-spacing:3px}"), ("base.css", "p{letter-spacing:4px}"),
            ("pages/both.txt", "own"), ("both.txt", "base"), ("top.txt", "top"),
        ] {
            let file = root.appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        return root.path
    }

    private func style(_ sheet: String, _ root: String, _ folder: StyleSheetFolder) -> TextStyleValues {
        let parser = MarkupParserBuilder.default().set(styleSheetFolder: folder).build()
        var document = parser.parse(
            Array("<link rel=stylesheet href='\(sheet)'><p>x".utf8), name: root + "/pages/a.html")
        let styled = document.styled()
        let node = styled.tree.subtree(styled.tree.root).first { styled.tree.name($0) == "p" }!
        let text = styled.computed(node).text
        return TextStyleValues(
            letters: text.letterSpacing, words: text.wordSpacing, warnings: document.diagnostics.entries.map(\.code))
    }

    private struct TextStyleValues: Equatable {
        var letters: Float = 0
        var words: Float = 0
        var warnings: [Diagnostic.Code] = []
    }

    @Test func aWiderFenceKeepsTheDocumentsFolder() throws {
        let root = try site()
        defer { try? FileManager.default.removeItem(atPath: root) }
        #expect(style("../css/main.css", root, .below(root)) == TextStyleValues(letters: 2, words: 3))
        #expect(style("own.css", root, .below(root)) == TextStyleValues(letters: 1))
        // A sheet that is not beside the document is looked up in the folder itself.
        #expect(style("base.css", root, .below(root)) == TextStyleValues(letters: 4))
        #expect(style("data:text/css,p%7Bletter-spacing:5px}", root, .ofDocument) == TextStyleValues(letters: 5))
        #expect(style("data:;base64,!", root, .ofDocument) == TextStyleValues(warnings: [.unreadableSheet]))
        #expect(style("nosuch.css", root, .below(root)) == TextStyleValues(warnings: [.unreadableSheet]))
        for outside in ["../css/main.css", root + "/css/main.css", "../../etc/passwd"] {
            #expect(style(outside, root, .ofDocument) == TextStyleValues(warnings: [.imageOutsideFolder]))
        }
        #expect(style("../../etc/passwd", root, .below(root)) == TextStyleValues(warnings: [.imageOutsideFolder]))
    }

    @Test func aFolderWithoutFontsIsReported() throws {
        let root = try site()
        defer { try? FileManager.default.removeItem(atPath: root) }
        var fonts = FontOptions()
        fonts.folders = [root, "/nowhere", root + "/css"]
        var document = MarkupParser().parse("<p>x")
        _ = try Renderer(fonts: fonts).png(&document)
        #expect(
            document.diagnostics.map(\.message) == [
                "the folder '\(root)' has no font files", "cannot read the font folder '/nowhere'",
                "the folder '\(root)/css' has no font files",
            ])
    }

    @Test func filesBeginAtTheDocumentsFolder() throws {
        let root = try site()
        defer { try? FileManager.default.removeItem(atPath: root) }
        var options = ImageStore.Options(baseDirectory: root)
        options.folder = root + "/pages"
        let store = ImageStore(options)
        #expect(try store.bytes(of: "both.txt") == Array("own".utf8))
        #expect(try store.bytes(of: "../top.txt") == Array("top".utf8))
        #expect(try store.bytes(of: "top.txt") == Array("top".utf8))
        #expect(try store.bytes(of: "more.css", from: root + "/css") == Array("p{word-spacing:3px}".utf8))
        #expect(throws: ImageError.self) { try store.bytes(of: "../../top.txt") }
    }

    @Test func sheetsOfTheNetworkNeedLeave() {
        var document = MarkupParser().parse("<link rel=stylesheet href='https://example.invalid/a.css'><p>x")
        _ = document.styled()
        let parser = MarkupParserBuilder.default().set(styleSheetFolder: .ofDocument).build()
        var other = parser.parse("<style>@import 'http://example.invalid/a.css';</style><p>x")
        _ = other.styled()
        #expect(other.diagnostics.entries.map(\.code) == [.networkNotAllowed])
    }

    @Test func remoteSheetsNameNoFiles() {
        #expect(StyleSheetLoader.resolve("b.css", against: "https://a.example/x/a.css") == "https://a.example/x/b.css")
        #expect(StyleSheetLoader.resolve("a b/ü?q=%20", against: "https://a.x/") == "https://a.x/a%20b/%C3%BC?q=%20")
        #expect(StyleSheetLoader.resolve("//c.example/b.css", against: "a.css") == "https://c.example/b.css")
        var loader = StyleSheetLoader()
        loader.folder = .below("/")
        let load = loader.loader(limit: 100)?(BudgetMeter())
        let sheet = load?("file:///etc/passwd", "https://a.example/a.css")
        #expect(throws: (any Error).self) { _ = try sheet?.get() }
        #expect(StyleSheetLoader().loader(limit: 100) == nil)
    }

    // MARK: Fonts by character

    @Test(arguments: [
        ("G", "small-caps", 1), ("G", "normal", 0), ("Inter", "small-caps", 0), ("Inter, G", "small-caps", 0),
        ("x, g", "small-caps", 1),
    ])
    func descriptorsWithoutEffectMatterWhereTextIsSetInTheirFace(
        _ family: String, _ value: String, _ count: Int
    ) throws {
        var fonts = FontOptions()
        fonts.usesSystemFonts = false
        var document = MarkupParser().parse(
            "<style>@font-face{font-family:G;src:local('Inter');font-variant:\(value)}</style>"
                + "<p style='font-family:\(family)'>x")
        _ = try Renderer(fonts: fonts).layoutTree(&document, RenderOptions())
        let told = document.diagnostics.filter { $0.severity == .warning && $0.message.contains("'font-variant'") }
        #expect(told.count == count)
        #expect(told.allSatisfy { $0.location?.column == 52 })
    }

    private func widths(_ html: String) throws -> [Float] {
        var fonts = FontOptions()
        fonts.usesSystemFonts = false
        var document = MarkupParser().parse(html)
        let tree = try Renderer(fonts: fonts).layoutTree(&document, RenderOptions())
        return tree.inlines.filter { $0.kind == .text }.map { $0.rect.width.float }
    }

    @Test func fontsForSomeCharactersComeBeforeTheOneThatHasTheSpace() throws {
        let rules =
            "<style>@font-face{font-family:G;src:local('Inter')}"
            + "@font-face{font-family:G;src:local('DejaVu Sans Mono');unicode-range:U+61-63}</style>"
        let mixed = try widths(rules + "<p style='font-family:G'>aaa</p><p style='font-family:G'>xxx</p>")
        let plain = try widths("<p style='font:16px DejaVu Sans Mono'>aaa</p><p style='font-family:Inter'>xxx</p>")
        #expect(mixed == plain)
        #expect(mixed.count == 2)
    }

    @Test(arguments: [
        "text-decoration:overline", "text-decoration:underline overline;writing-mode:vertical-rl",
        "writing-mode:vertical-rl;text-orientation:upright", "text-emphasis:dot",
    ])
    func textInFontsOfThePageIsPaintedByTheirMetrics(_ style: String) throws {
        var fonts = FontOptions()
        fonts.usesSystemFonts = false
        let renderer = Renderer(fonts: fonts)
        func picture(_ family: String, _ rules: String = "") throws -> [UInt8] {
            var document = MarkupParser().parse("\(rules)<p style=\"font:40px \(family);\(style)\">Ag")
            return try renderer.png(&document)
        }
        let own = try picture("G", "<style>@font-face{font-family:G;src:local('DejaVu Sans Mono')}</style>")
        #expect(try own == picture("'DejaVu Sans Mono'"))
        #expect(try picture("G") == picture("Inter"))
    }

    // MARK: The base of URLs

    @Test func urlsInThePagesStylesCountFromItsBase() throws {
        let asked = Mutex<[String]>([])
        let parser = MarkupParserBuilder.default().set(imageLoader: { source in
            asked.withLock { $0.append(source) }
            return nil
        }).build()
        var document = parser.parse(
            Array(
                """
                <base href=/b/><base href=/c/><style>@font-face{font-family:F;src:url(f.ttf)}p{background:url(a.png)}</style>
                <p style="background:url(b.png);font-family:F">x<p>y
                """.utf8), name: "https://a.example/x/page.html")
        let sheets = document.styled().fontFaces.map { $0.sheet }
        #expect(sheets == ["https://a.example/b/"])
        _ = try Renderer().displayList(&document, RenderOptions())
        #expect(
            Set(asked.withLock { $0 }).isSuperset(of: ["https://a.example/b/a.png", "https://a.example/b/b.png"]))
    }
}
