// Limits on the memory of every input, and on subtrees of any size.

import FancyTextTestSupport
import Testing

@testable import FancyTextOutputs
@testable import FancyTextWriting

@testable import FancyTextMarkup

@Suite struct BoundTests {
    @Test func nodesAndAttributesAreSmall() {
        #expect(MemoryLayout<Node>.stride == 20)
        #expect(MemoryLayout<Attribute>.stride == 16)
        // A hundred thousand elements may be open.
        #expect(MemoryLayout<OpenElement>.stride == 20)
        #expect(MemoryLayout<MarkupTree.OpenNode>.stride == 8)
        #expect(MemoryLayout<FancyTextWriting.Frame>.stride == 48)
    }

    /// Nodes, attributes and joined text, as multiples of the input; each piece is repeated to 60 KB.
    @Test(arguments: [
        ("<div>", 4.1), ("<b>", 6.8), ("<p>", 6.8), ("x<p>", 10.1), ("<a><b></a></b>", 3.0), ("<b><p></b></p>", 4.4),
        ("<b><div>x</b>", 6.3), ("<div><b></div>", 7.3), ("<table><b>x", 11.0), ("<x-a><x-b></x-a></x-b>", 2.0),
        ("<!-- ", 0.1), ("<a b=\"", 0.1), ("<a ", 0.1), ("<![CDATA[", 0.1), ("&", 0.1), ("</x>", 0.1), ("<p a>", 7.3),
        ("<body a=1>", 0.1), ("<template>", 2.1), ("<svg>", 4.1), ("<font size=1><p>", 7.4),
        ("<form><div></form>", 2.3),
    ])
    func whatIsKeptIsLinear(piece: String, most: Double) {
        let source = String(repeating: piece, count: 60_000 / piece.utf8.count)
        let storage = parse(source).storage
        let kept = 20 * storage.nodes.count + 16 * storage.attributes.items.count + storage.edited.count
        #expect(Double(kept) <= most * Double(source.utf8.count) + 2_000, "\(kept) bytes")
        TreeShape.check(MarkupTree(storage: storage), piece)
    }

    @Test func textThrownOutOfATableIsOneText() {
        let tree = parse("<table>a&amp;<tr>b<tr>c<td>d</table>")
        #expect(tree.children(tree.root).map { tree.kind($0) } == [.text, .element])
        #expect(tree.text(NodeID(1)) == "a&bc")
        #expect(html("<table>a<b>x</b>b<tr>c") == "a<b>x</b>bc<table><tbody><tr></tr></tbody></table>")
    }

    /// Neighbours move together.
    @Test(arguments: [
        (
            "<table><i>a</i><i>b</i><p>c<tr>d<td>e",
            "<i>a</i><i>b</i><p>c</p>d<table><tbody><tr><td>e</td></tr></tbody></table>"
        ),
        (
            "<table><a>x<a>y<a>z<td>t",
            "<a>x</a><a>y</a><a>z</a><table><tbody><tr><td>t</td></tr></tbody></table>"
        ),
        (
            "<table><b>x<p>y</b>z<i>v</i><td>t",
            "<b>x</b><p><b>y</b>z<i>v</i></p><table><tbody><tr><td>t</td></tr></tbody></table>"
        ),
        (
            "<table><tr><i>1</i><td>2<tr><i>3</i>4<td>5",
            "<i>1</i><i>3</i>4<table><tbody><tr><td>2</td></tr><tr><td>5</td></tr></tbody></table>"
        ),
        (
            "<table><u></u>x<tr>y<b></b>z<td>5",
            "<u></u>xy<b></b>z<table><tbody><tr><td>5</td></tr></tbody></table>"
        ),
    ])
    func whatIsThrownOutOfATableKeepsItsOrder(_ source: String, _ expected: String) {
        #expect(html(source) == expected)
        TreeShape.check(parse(source), source)
    }

    @Test func commentsMayBeLeftOut() {
        let tree = parse("a<!-- x -->b<p><!-- y --></p>") { $0.dropsComments = true }
        #expect(tree.subtree(tree.root).allSatisfy { tree.kind($0) != .comment })
    }

    @Test func namesBeyondTheTableAreKnownByTheirSpelling() throws {
        let names = (0..<70_000).map { "<n\($0) a=1>" }.joined()
        let tree = parse(names)
        #expect(tree.name(NodeID(1)) == "n0")
        #expect(tree.name(NodeID(tree.count - 1)) == "n69999")
    }

    @Test func runsOfTagsAreClosedFromTheInside() {
        var runs = TagRuns()
        for _ in 0..<3 { runs.append(.div) }
        runs.append(.span)
        let closesOther = runs.close(.p)
        let closesInner = runs.close(.div)
        #expect(!closesOther && closesInner)
        runs.removeLast()
        runs.removeLast()
        #expect(runs.isEmpty)
    }
}

/// Subtrees with more nodes than a node can record.
@Suite struct LargeTreeTests {
    /// A div of 280,000 nodes between two others.
    private func large() -> MarkupTree {
        parse("<i>1</i><div id=d>" + String(repeating: "x<br>", count: 140_000) + "<p>last</p></div><u>2</u>")
    }

    @Test func endsAndParentsAreFound() {
        let tree = large()
        let division = NodeID(3)
        let behind = tree.subtreeEnd(division)
        #expect(tree.name(behind) == "u")
        #expect(tree.parent(behind) == tree.root)
        let last = NodeID(Int(behind.index) - 1)
        #expect(tree.text(last) == "last")
        #expect(tree.parent(last).flatMap { tree.parent($0) } == division)
        #expect(tree.nextSibling(division) == behind)
        TreeShape.check(tree, "large")
    }

    @Test func editsKeepThem() {
        var tree = large()
        tree.append("<b>new</b>", to: NodeID(3))
        tree.setText(NodeID(1), "")
        TreeShape.check(tree, "append, setText")
        tree.remove([NodeID(4), NodeID(5)])
        TreeShape.check(tree, "remove")
        #expect(tree.nodes(withID: "d").count == 1)
        #expect(tree.name(NodeID(tree.count - 2)) == "u")
    }

    @Test func misnestingInsideKeepsThem() {
        let tree = parse("<b>" + String(repeating: "x<br>", count: 140_000) + "<p>y</b>z</p>")
        TreeShape.check(tree, "misnested")
        #expect(tree.children(tree.root).map { tree.name($0) } == ["b", "p"])
    }
}

/// Moved content leaves the arena when it is inserted, in rows of many thousand nodes.
@Suite struct MovedContentTests {
    private static let count = 30_000

    @Test func contentOfATableGoesBeforeIt() {
        let numbers = (0..<Self.count).map { "\($0) " }
        let tree = parse("<table>" + numbers.map { "<p>" + $0 }.joined() + "<tr><td>c</table>d")
        TreeShape.check(tree, "p in table")
        let children = Array(tree.children(tree.root))
        #expect(children.map { tree.name($0) } == numbers.map { _ in "p" } + ["table", "#text"])
        #expect(zip(children, numbers).allSatisfy { String(decoding: tree.textContent($0), as: UTF8.self) == $1 })
    }

    /// Moved content between rows, which stay, is not adjacent.
    @Test func contentBetweenRowsGoesBeforeTheTable() {
        let tree = parse("<table>" + (0..<Self.count).map { "<p>\($0)</p><tr><td>\(-$0)</tr>" }.joined())
        TreeShape.check(tree, "p between tr")
        let text = String(decoding: tree.textContent(tree.root), as: UTF8.self)
        let isRight = text == ((0..<Self.count).map { "\($0)" } + (0..<Self.count).map { "\(-$0)" }).joined()
        #expect(isRight)
    }

    /// Blocks that split a formatting element, and end with its copy.
    @Test func splitContentOfATableGoesBeforeIt() {
        let numbers = (0..<Self.count).map { "\($0) " }
        let tree = parse("<table>" + numbers.map { "<a>\($0)<p>x</a>y</p>" }.joined() + "<tr><td>c</table>d")
        TreeShape.check(tree, "a, p in table")
        let text = String(decoding: tree.textContent(tree.root), as: UTF8.self)
        let isRight = text == numbers.map { $0 + "xy" }.joined() + "cd"
        #expect(isRight)
    }
}

/// Fragments and unknown names, compared with a browser's parser.
@Suite struct PageTests {
    private func page(_ source: String) -> MarkupTree {
        parse(source) {
            $0.isAlwaysDocument = true
        }
    }

    @Test func fragmentsHaveABody() {
        let tree = page("<p>x")
        #expect(
            String(decoding: tree.html(tree.root, outer: true), as: UTF8.self)
                == "<html><head></head><body><p>x</p></body></html>")
    }

    @Test func unknownNamesOfPagesAreElements() {
        let tree = page("<body><p>I saw a <ufo>x</p>")
        #expect(
            String(decoding: tree.html(tree.root, outer: true), as: UTF8.self)
                == "<html><head></head><body><p>I saw a <ufo>x</ufo></p></body></html>")
    }

    /// A fragment has the same words whether or not it is read as a page.
    @Test(arguments: [
        ("<p>Buy <Congratulation!> now</p>", "Buy <Congratulation!> now"), ("<Hot>x", "<Hot>x"),
        ("<p>a <Big Sale> b</p>", "a <Big Sale> b"), ("<p>I saw a <ufo>x</p>", "I saw a <ufo>x"),
        ("<x-a>b</x-a><ufo c=d>e", "be"), ("<li>a<x-b>c</x-b><li>d <e>", "acd <e>"),
    ])
    func fragmentsKeepWordsThatLookLikeTags(_ source: String, _ words: String) {
        for tree in [page(source), parse(source)] {
            #expect(String(decoding: tree.textContent(tree.root), as: UTF8.self) == words)
        }
    }

    @Test func templatesEndWithTheInput() {
        let tree = page("<template><p>x")
        #expect(
            String(decoding: tree.html(tree.root, outer: true), as: UTF8.self)
                == "<html><head><template><p>x</p></template></head><body></body></html>")
    }

    /// Beyond the maximum depth, an element becomes a sibling, while text stays in its position.
    @Test func elementsTooDeepAreSiblings() {
        func page(_ source: String) -> String {
            let tree = parse(source) {
                $0.isAlwaysDocument = true
                $0.siblingDepth = 4
            }
            TreeShape.check(tree, source)
            return String(decoding: tree.html(tree.root, outer: true), as: UTF8.self)
        }
        #expect(
            page("<div><div><div>a<p>b</p>c<i>d</i>e</div>f</div>")
                == "<html><head></head><body><div><div><div>ace</div><p>b</p><i>d</i>f</div></div></body></html>")
        #expect(
            page("<div><div><div>a<br>b<!--c-->d<b><br><u>x</u>y")
                == "<html><head></head><body><div><div><div>a<br>b<!--c-->d</div><b>y</b><br><u>x</u></div></div></body></html>"
        )
        #expect(
            page("<div><div><div><b><i></div>x")
                == "<html><head></head><body><div><div><div></div><b></b><i></i><b></b><i>x</i></div></div></body></html>"
        )
        #expect(
            page("<div><table><p><b>x<i>y")
                == "<html><head></head><body><div><p></p><table></table><b>x</b><i>y</i></div></body></html>")
    }

    @Test func aNULBehindALessThanSignIsShown() {
        let tree = page("a<\0b\0c")
        #expect(String(decoding: tree.textContent(tree.root), as: UTF8.self) == "a<\u{FFFD}bc")
    }

    @Test func aTitleInTheBodyIsNoText() {
        let tree = page("<head><noscript><img></noscript><title>t</title></head>x")
        let text = String(decoding: tree.textContent(tree.root), as: UTF8.self)
        #expect(text == "x")
    }
}
