// The rule index finds the same rules for the elements of a tree, in document order, as matching each selector.

import Testing

@testable import FancyTextBasics
@testable import FancyTextCSS
@testable import FancyTextMarkup
@testable import FancyTextSelectors
@testable import FancyTextStyling

@Suite struct RuleMatcherTests {
    private static func index(_ selectors: [String], foldsNames: Bool = false) -> RuleIndex {
        let css = CSSSource(selectors.map { "\($0){color:red}" }.joined(separator: "\n"), name: "sheet")
        var log = DiagnosticLog()
        let sheet = StylesheetParser.parse(
            css, StylesheetEnvironment(media: MediaEnvironment(), context: ValueContext()), log: &log)
        let source = RuleIndex.Source(sheet, css, level: .author, log: &log)
        #expect(log.isEmpty && sheet.rules.count == selectors.count)
        return RuleIndex([source], foldsNames: foldsNames)
    }

    /// Compares the indexed rules of each element with those whose selectors match.
    private static func check(_ tree: MarkupTree, _ index: RuleIndex) {
        var rules = RuleMatcher(index, tree)
        var selectors = SelectorMatcher(tree)
        var ends: [NodeID] = []
        for number in 1..<tree.count where tree.kind(NodeID(number)) == .element {
            let node = NodeID(number)
            while let end = ends.last, end <= node {
                rules.close()
                ends.removeLast()
            }
            rules.enter(node, tree.tag(node), tree.names(ofAttributesOf: node))
            let matching = index.rules.entries.indices.filter {
                selectors.matches(index.rules.entries[$0].selector, node)
            }
            func numbers(_ isElement: Bool) -> [Int] {
                matching.filter { (index.rules.tests[$0].pseudo == .element) == isElement }
            }
            #expect(rules.matched.map(Int.init) == numbers(true), "node \(number)")
            #expect(rules.matchedPseudo.map(Int.init) == numbers(false), "node \(number)")
            rules.forgetPseudo()
            if tree.firstChild(node) == nil {
                rules.skip()
            } else {
                rules.open()
                ends.append(tree.subtreeEnd(node))
            }
        }
    }

    private static let selectors = [
        "p", "*", "li > *", ".a", "#m", ".a .b", ".a > .b", "div .a b", ":not(.a) > b", ".a :not(p) b", "b:not(.b, #m)",
        ":is(.a, #m) .b", ":where(ul, .a) > :not(li)", "p:first-child", ".a > p:last-child", "p + p", ".a ~ p b",
        "h2 ~ p",
        "[title]", "[data-k]", "[data-k] b", "[title=t]", "b[data-k='1']", ".a[title]", "p:not([title])", "b::before",
        ".a::after", "li:nth-child(2)::before", "x-y", "x-y > b", ":root .b", ":root", "p:has(b)", ".a p:not(:hover)",
        "div:has(+ p)", "li:empty", ".a .b .a .b", "div div .a > p b.b", "html:not(.js) .b", "p:first-child b",
        ".a p", "#m p", ".a > p", "div .a p", ".a div p", ".a p + p", ".a + p b", ".a [title]", "#m [data-k]", ".b > b",
        ".a p:first-child", ".a x-y b", ".a .b b", ".a b::before", ".js p",
    ]

    private static let part = """
        <div class=a><p>1<b class=b>2</b></p><p title=t class="b a"><b data-k=1>3</b></p><ul><li class=a><b>4</b>
        <li><p class=b>5</p></ul></div><h2>6</h2><p>7<x-y><b>8</b></x-y></p><div id=m data-k=2><div><p class=a><b
        class=b>9</b></p><b class="a b" title=u></b></div><li></li></div>
        """

    @Test func rulesAreThoseWhoseSelectorsMatch() {
        // The repeated parts have the same names, but different positions.
        let page = "<!doctype html><body class=a>" + String(repeating: Self.part, count: 3) + "<p>end<b>"
        Self.check(MarkupTree.parse(page), Self.index(Self.selectors))
    }

    @Test func namesAreFoldedInQuirksMode() {
        let part = "<div class=A><p CLASS=B><b class=b>x</b></p></div><div id=M><b class=a></b></div>"
        let tree = MarkupTree.parse("<html><body>" + part + part)
        #expect(tree.documentMode == .quirks)
        Self.check(tree, Self.index(Self.selectors, foldsNames: true))
    }

    @Test func elementsFarBelowTheirAncestorsAreMatchedToo() {
        let depth = 300
        let page =
            "<!doctype html><div class=a>" + String(repeating: "<div><b class=b></b>", count: depth)
            + "<p class=a><b class=b title>x</b></p><p><b>y</b></p>"
        Self.check(
            MarkupTree.parse(page),
            Self.index([
                ".a .b", "div > .b", ".a :not(p) > b", ".a b:first-child", "div .a b", ".a > div > b", "div + .b",
                ".a [title]",
            ]))
    }
    /// Rules with a class ancestor are found by the classes of the ancestors while these are few.
    @Test(arguments: [3, 100])
    func rulesBelowManyClassesAreMatched(depth: Int) {
        let selectors = (0..<depth + 5).flatMap { [".k\($0) b", ".k\($0) > b", ".k\($0) p b", ".k\($0) [title]"] }
        let open = (0..<depth).map { "<div class='k\($0) k\($0) k\($0 / 3)'><b>x</b>" }.joined()
        let close = (0..<depth).map { _ in "<b title>y</b></div><b>z</b>" }.joined()
        Self.check(
            MarkupTree.parse("<!doctype html>" + open + "<p><b>end</b></p>" + close + "<p><b>after</b></p>"),
            Self.index(selectors))
    }
}
