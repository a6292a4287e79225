// Helpers for the tests of syntax, selectors and plain text: trees, their HTML and text, and random documents.

import FancyTextBasics
import FancyTextCSS
import FancyTextMarkup
import FancyTextOutputs
import FancyTextSelectors
import FancyTextStyling
import FancyTextWriting

package func parse(_ html: String, _ change: (inout SyntaxOptions) -> Void = { _ in }) -> MarkupTree {
    var options = SyntaxOptions()
    change(&options)
    return MarkupTree.parse(html, options: options)
}

package func html(_ source: String) -> String {
    let tree = parse(source)
    return String(decoding: tree.html(tree.root, outer: true), as: UTF8.self)
}

package func text(_ source: String, _ change: (inout PlainTextOptions) -> Void = { _ in }) -> String {
    var options = PlainTextOptions()
    change(&options)
    return String(decoding: plainText(of: parse(source), options), as: UTF8.self)
}

/// The text of a tree, from its styles if possible, otherwise from its boxes.
package func plainText(of tree: MarkupTree, _ options: PlainTextOptions) -> [UInt8] {
    var log = DiagnosticLog()
    return PlainText.text(of: tree, options, resolver: MarkupStyleResolver(options: StyleOptions()), log: &log)
}

package func select(_ selector: String, _ source: String) throws -> [String] {
    let tree = parse(source)
    var matcher = SelectorMatcher(tree)
    return try matcher.select(SelectorList.parse(selector)).map { tree.outerHTML($0) }
}

/// A generator whose numbers depend only on the seed.
package struct SeededGenerator: RandomNumberGenerator {
    package var state: UInt64
    package init(state: UInt64) { self.state = state }

    package mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 29
    }
}

/// Tag soup: known, unknown, misnested and broken markup.
package func randomDocument(_ generator: inout SeededGenerator, pieces: Int) -> String {
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
