// Visitors, walkers and rewriters of users, with only the public interface.

import FancyText
import Testing

@Suite struct VisitorTests {
    private func html(_ document: Document) -> String { document.html() }

    // MARK: Visitors

    /// A list of links to the headings, to which it adds ids.
    private struct TableOfContents: MarkupWalker {
        var entries: [(level: Int, title: String, element: ElementHandle)] = []

        mutating func enterElement(_ element: ElementNode) -> MarkupDescent {
            guard element.name.count == 2, element.name.first == "h", let level = Int(element.name.dropFirst()) else {
                return element.name == "aside" ? .skip : .contents
            }
            entries.append((level, element.text, element.handle))
            return .skip
        }
    }

    @Test func aWalkerCollectsATableOfContents() {
        var document = MarkupParser().parse("<h1>One</h1><h2>Two <i>a</i></h2><aside><h2>No</h2></aside><h2>&lt;3</h2>")
        var contents = TableOfContents()
        document.visit(&contents)
        #expect(contents.entries.map { "\($0.level) \($0.title)" } == ["1 One", "2 Two a", "2 <3"])
        document.append("<hr>")
        for entry in contents.entries.reversed() { document.setText("\(entry.level)", of: entry.element) }
        #expect(html(document) == "<h1>1</h1><h2>2</h2><aside><h2>No</h2></aside><h2>2</h2><hr>")
    }

    /// Finds links to fragments that no element has as id.
    private struct LinkChecker: MarkupWalker {
        var ids: Set<String> = []
        var links: [(target: String, place: Diagnostic.Location)] = []
        var broken: [String] {
            links.filter { !ids.contains($0.target) }.map { "\($0.place.line):\($0.place.column) #\($0.target)" }
        }

        mutating func enterElement(_ element: ElementNode) -> MarkupDescent {
            if let id = element.attribute("id") { ids.insert(id) }
            if let target = element.attribute("href"), target.hasPrefix("#") {
                links.append((String(target.dropFirst()), element.location))
            }
            return .contents
        }
    }

    @Test func aWalkerChecksLinks() {
        var checker = LinkChecker()
        MarkupParser().parse("<a href=#b>1</a>\n<a HREF='#c'>2</a> <p id=b>\n<a href=x>3</a>").visit(&checker)
        #expect(checker.broken == ["2:1 #c"])
    }

    /// A document as an expression.
    private struct Outliner: MarkupVisitor {
        mutating func defaultVisit(_ node: MarkupNode, contents: [String]) -> String {
            "\(node.kind)(" + (node.kind == .root ? contents.joined(separator: " ") : node.text) + ")"
        }

        mutating func visitElement(_ element: ElementNode, contents: [String]) -> String {
            let attributes = element.attributes.map { " \($0.name)=\($0.value)" }.joined()
            return "\(element.name)\(attributes)[" + contents.joined(separator: " ") + "]"
        }
    }

    @Test func resultsAreMadeOfTheResultsOfContents() throws {
        let document = MarkupParser().parse("<!doctype html><p A=1>a<b>c<br></b><!--d--></p><?e?>")
        var outliner = Outliner()
        let body = try #require(document.select("p").first)
        #expect(document.visit(body, with: &outliner) == "p a=1[text(a) b[text(c) br[]] comment(d)]")
        #expect(document.visit(&outliner).hasPrefix("root(doctype( html) html[head[] body[p a=1["))
        var copy = document
        copy.remove(body)
        #expect(copy.visit(body, with: &outliner) == nil)
    }

    @Test func aCustomTagsStyleIsThatOfTheBuilder() throws {
        var mark = MarkupStyle(backgroundColor: Color(css: "aquamarine"))
        mark.font.size = 30
        var document = MarkupParserBuilder.default().add("zhg", style: mark).build().parse("<p>a <zhg>b</zhg> <i>c</i>")
        struct Finder: MarkupWalker {
            var found: [ElementHandle] = []

            mutating func enterElement(_ element: ElementNode) -> MarkupDescent {
                if element.name == "zhg", element.parent?.name == "p" { found.append(element.handle) }
                return .contents
            }
        }
        var finder = Finder()
        document.visit(&finder)
        let style = try #require(finder.found.first.flatMap { document.style(of: $0) })
        #expect(finder.found.count == 1 && style.font.size == 30)
        #expect(style.backgroundColor == Color(red: 0x7F, green: 0xFF, blue: 0xD4))
        document.remove(finder.found[0])
        #expect(document.style(of: finder.found[0]) == nil)
    }

    @Test func nodesOutliveTheirDocument() throws {
        struct Keeper: MarkupWalker {
            var kept: [MarkupNode] = []

            mutating func visitText(_ text: MarkupNode) { kept.append(text) }
        }
        var keeper = Keeper()
        var document = MarkupParser().parse("<p>one</p><p>two</p>")
        document.visit(&keeper)
        for paragraph in try document.select("p") { document.remove(paragraph) }
        #expect(keeper.kept.map(\.text) == ["one", "two"] && keeper.kept.first?.parent?.html == "<p>one</p>")
        #expect(keeper.kept.first?.parent.map { document.contains($0.handle) } == false)
    }

    @Test func everyElementIsLeftAndSkippedOnesToo() {
        struct Nesting: MarkupWalker {
            var events = ""

            mutating func enterElement(_ element: ElementNode) -> MarkupDescent {
                events += "<\(element.name)"
                return element.name == "b" ? .skip : .contents
            }

            mutating func leaveElement(_ element: ElementNode) { events += "\(element.name)>" }

            mutating func visitText(_ text: MarkupNode) { events += text.text }
        }
        var nesting = Nesting()
        MarkupParser().parse("<p>1<b>2<i>3</i></b><br>4</p>").visit(&nesting)
        #expect(nesting.events == "<p1<bb><brbr>4p>")
    }

    // MARK: Rewriters

    private struct FontsToSpans: MarkupRewriter {
        mutating func rewriteElement(_ element: ElementNode) -> ElementRewrite {
            guard element.name == "font", let color = element.attribute("color") else { return .keep }
            return .edit(name: "span", attributes: ["style": "color: \(color)", "color": nil])
        }
    }

    @Test func aRewriterMakesSpansOfFonts() throws {
        var document = MarkupParser().parse(
            "<p><font color=red size=2>a <font color=\"#00f\">b</font></font> <font>c</font>")
        let inner = try #require(document.select("font font").first)
        var rewriter = FontsToSpans()
        document.rewrite(&rewriter)
        let spans = "<span size=\"2\" style=\"color: red\">a <span style=\"color: #00f\">b</span></span>"
        #expect(html(document) == "<p>\(spans) <font>c</font></p>")
        #expect(document.text(of: inner) == "b")
        #expect(document.style(of: inner)?.foregroundColor == Color(css: "#00f"))
        #expect(try document.select("span").count == 2 && document.select("font").count == 1)
    }

    /// Decides by an attribute what becomes of an element.
    private struct Obeyer: MarkupRewriter {
        mutating func rewriteElement(_ element: ElementNode) -> ElementRewrite {
            switch element.attribute("do") {
            case "remove": .remove
            case "unwrap": .unwrap
            case "replace": .replace(html: "<u>\(element.text)</u>!<br>")
            case "rename": .edit(name: "my-tag")
            case "spoil": .edit(name: "a b", attributes: ["on\"x": "1", "title": "\"<"])
            default: .keep
            }
        }

        mutating func rewriteText(_ text: MarkupNode) -> TextRewrite {
            switch text.text {
            case "upper": .text("<UPPER>")
            case "gone": .remove
            case "html": .replace(html: "<em>html</em>")
            default: .keep
            }
        }

        mutating func rewriteComment(_ comment: MarkupNode) -> TextRewrite { .text("(\(comment.text))") }
    }

    private func obeyed(_ text: String) -> String {
        var obeyer = Obeyer()
        return html(MarkupParser().parse(text).rewritten(by: &obeyer))
    }

    @Test(arguments: [
        ("a<b do=remove>b<i do=replace>c</i></b>d", "ad"),
        ("<p>a<b do=unwrap>b<i do=unwrap>c</i>d</b>e</p>", "<p>abcde</p>"),
        ("<b do=unwrap><i do=replace>x</i><i>y</i></b><i>z</i>", "<u>x</u>!<br><i>y</i><i>z</i>"),
        ("<p><b do=rename>x<i>y</i></b></p>", "<p><my-tag do=\"rename\">x<i>y</i></my-tag></p>"),
        ("<b do=spoil>x</b>", "<b do=\"spoil\" title=\"&quot;<\">x</b>"),
        ("<b>upper</b><b>gone</b><b>html</b><!--c-->", "<b>&lt;UPPER&gt;</b><b></b><b><em>html</em></b>(c)"),
        ("<b do=unwrap></b>", ""),
    ])
    func nodesBecomeWhatTheRewriterSays(_ text: String, _ expected: String) { #expect(obeyed(text) == expected) }

    @Test func handlesOfWhatStaysStay() throws {
        var document = MarkupParser().parse("<b do=unwrap id=a><i id=b>1</i></b><b do=replace id=c>2</b><i id=d>3</i>")
        let handles = ["a", "b", "c", "d"].map { document.element(withID: $0) }
        var obeyer = Obeyer()
        document.rewrite(&obeyer)
        #expect(handles.map { $0.flatMap { document.text(of: $0) } } == [nil, "1", nil, "3"])
    }

    @Test func aRewrittenCopyLeavesTheDocument() {
        let document = MarkupParser().parse("<b do=remove>x</b>y")
        var obeyer = Obeyer()
        #expect(html(document.rewritten(by: &obeyer)) == "y" && html(document) == "<b do=\"remove\">x</b>y")
    }

    @Test func styleSheetsThatComeOrGoCount() throws {
        struct Inserter: MarkupRewriter {
            mutating func rewriteElement(_ element: ElementNode) -> ElementRewrite {
                element.name == "hr" ? .replace(html: "<style>p { color: red }</style>") : .keep
            }
        }
        var document = MarkupParser().parse("<hr><p>x</p>")
        let paragraph = try #require(document.select("p").first)
        #expect(document.style(of: paragraph)?.foregroundColor == Color(css: "black"))
        var inserter = Inserter()
        document.rewrite(&inserter)
        #expect(document.style(of: paragraph)?.foregroundColor == Color(css: "red"))
    }

    @Test func depthTakesNoStack() throws {
        let depth = 100_000
        var limits = Limits()
        limits.treeDepth = depth + 10
        let parser = MarkupParserBuilder.default().set(limits: limits).build()
        var document = parser.parse(String(repeating: "<b do=unwrap><i>", count: depth / 2) + "x")
        struct Depth: MarkupVisitor {
            mutating func defaultVisit(_ node: MarkupNode, contents: [Int]) -> Int { (contents.max() ?? 0) + 1 }
        }
        var visitor = Depth()
        #expect(document.visit(&visitor) == depth + 2)
        var obeyer = Obeyer()
        document.rewrite(&obeyer)
        #expect(document.visit(&visitor) == depth / 2 + 2)
        #expect(try document.select("i").count == depth / 2)
    }

    @Test func handlesOfAllElementsAreCheap() {
        struct Collector: MarkupWalker {
            var handles: [ElementHandle] = []

            mutating func enterElement(_ element: ElementNode) -> MarkupDescent {
                handles.append(element.handle)
                return .contents
            }
        }
        let document = MarkupParser().parse(String(repeating: "<p>x</p>", count: 100_000))
        var collector = Collector()
        document.visit(&collector)
        #expect(collector.handles.count == 100_000 && document.text(of: collector.handles[99_999]) == "x")
    }

    /// Many changes of a large document take one pass, and the bounds of its large subtrees stay correct.
    @Test func manyChangesAreOnePass() throws {
        let count = 100_000
        var document = MarkupParser().parse(
            "<div>" + String(repeating: "<p><b do=unwrap>x</b><i do=remove>y</i>z</p>", count: count) + "</div><hr>")
        var obeyer = Obeyer()
        document.rewrite(&obeyer)
        #expect(html(document) == "<div>" + String(repeating: "<p>xz</p>", count: count) + "</div><hr>")
        #expect(try document.select("div > p:last-child, :root > hr, div + hr").count == 2)
        document.append("<hr>")
        #expect(try document.select("div ~ hr").count == 2)
    }
}
