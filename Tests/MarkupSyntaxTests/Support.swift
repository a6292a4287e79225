// What the tests of this module share: short ways to a tree, its HTML and its text; random documents.

import Testing

@testable import MarkupSyntax

func parse(_ html: String, _ change: (inout SyntaxOptions) -> Void = { _ in }) -> MarkupTree {
    var options = SyntaxOptions()
    change(&options)
    return MarkupTree.parse(html, options: options)
}

func html(_ source: String) -> String {
    let tree = parse(source)
    return String(decoding: tree.html(tree.root, outer: true), as: UTF8.self)
}

func text(_ source: String, _ change: (inout TextOptions) -> Void = { _ in }) -> String {
    var options = TextOptions()
    change(&options)
    return String(decoding: parse(source).plainText(options), as: UTF8.self)
}

func select(_ selector: String, _ source: String) throws -> [String] {
    let tree = parse(source)
    var matcher = SelectorMatcher(tree)
    return try matcher.select(SelectorList.parse(selector)).map { tree.outerHTML($0) }
}

/// A generator whose numbers depend on the seed alone.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 29
    }
}

/// Tag soup: known, unknown, misnested and broken markup.
func randomDocument(_ generator: inout SeededGenerator, pieces: Int) -> String {
    let names = [
        "a", "b", "i", "p", "div", "table", "tr", "td", "ul", "li", "x-y", "foo", "select", "option", "svg", "h1",
        "nobr", "font", "button", "ruby", "rt", "form", "template",
    ]
    let others = [
        "text", " ", "&amp;", "&lt", "<", "<!-- c -->", "<!x>", "<br>", "<p a=1 b='2' c=\"3\" d>", "<a href=x/>",
        "<b\nclass=\"y\" id='q'>", "</", "<foo/>", "&#x41;",
        "<script>1<2</script>", "<title>t</title>", "<td colspan=2>", "\u{0}", "é", "<a b=\"c", "<img alt=x>",
        "<body class=z>", "</p>", "<INPUT disabled>",
    ]
    var out = ""
    for _ in 0..<pieces {
        switch Int.random(in: 0..<5, using: &generator) {
        case 0, 1: out += "<\(names.randomElement(using: &generator) ?? "a")>"
        case 2, 3: out += "</\(names.randomElement(using: &generator) ?? "a")>"
        default: out += others.randomElement(using: &generator) ?? ""
        }
    }
    return out
}

enum TreeShape {
    /// Parents come before their children, subtrees nest, and children tile their parent.
    static func check(_ tree: MarkupTree, _ source: String) {
        var open: [UInt32] = []
        for i in 0..<UInt32(tree.count) {
            let node = NodeID(index: i)
            while let last = open.last, tree.subtreeEnd(NodeID(index: last)).index <= i { open.removeLast() }
            let end = tree.subtreeEnd(node).index
            let isInside = end > i && open.last.map { end <= tree.subtreeEnd(NodeID(index: $0)).index } ?? true
            let hasParent = i == 0 || tree.parent(node)?.index == open.last
            let isLeaf = tree.kind(node) != .root && tree.kind(node) != .element
            if !isInside || !hasParent || (isLeaf && end != i + 1) {
                Issue.record("node \(i) does not fit: \(source.prefix(300))")
                return
            }
            if !isLeaf { open.append(i) }
        }
        #expect(Int(tree.subtreeEnd(tree.root).index) == tree.count, "\(source.prefix(300))")
    }
}
