// Compiled selectors match the same elements as uncompiled ones.

import FancyTextTestSupport
import Testing

@testable import FancyTextMarkup
@testable import FancyTextSelectors

@Suite struct SelectorProgramTests {
    private static let page = """
        <!doctype html><html lang=en><body id=top class="a b"><div class=a><p class="x y" title=T>one<b>two</b></p><p>3</p>
        <ul><li data-k=1>a<li class=x>b<li data-k=12>c</ul></div><my-tag href="/x"><p hidden><i class=X>d</i></my-tag>
        <div><div><div class=a><p><b>e</b><b class=y>f</b></p></div></div></div><a href="#n">g</a><form><input type=checkbox checked>
        """

    @Test(arguments: [
        "p", "*", "my-tag", ".a", "#top .x", "div > p", "p + p", "p ~ ul li", "li:first-child", "li:nth-child(2n+1)",
        "li:nth-last-of-type(1)", "b:only-child", "[hidden]", "[data-k]", "[data-k='1']", "[data-k^='1']",
        "a[href^='#']",
        "[title=t i]", "[type=checkbox]:checked", "[class~=y]", ":not(p, div) > b", ":is(.x, #top, p > b)",
        "div:has(> .y) b",
        "div div .a b:not(.y)", ":lang(en) i", "i:hover", ":root", "body > :nth-child(2 of div)", ".a .a b",
        "li ~ .x + li",
        ":where(ul, div) :is(li:not([data-k]), p + ul)", "b:contains('e')", "html .a > p:first-of-type b + b",
        "p:empty", "p:has(+ p)", "p:has(+ p + ul)", "p:has(+ ul, + my-tag)", "div:has(+ my-tag + div > div)",
        "li:nth-child(2)", "li:nth-last-child(3)", ":nth-child(1)", "body > :nth-last-child(2)", "p:has(~ ul)",
    ])
    func programsMatchWhatSelectorsMatch(text: String) throws {
        let tree = parse(Self.page)
        let list = try SelectorList.parse(text).selectors
        let program = SelectorProgram(list)
        var compiled = SelectorMatcher(tree)
        var plain = SelectorMatcher(tree)
        for index in 0..<tree.count {
            for (number, selector) in list.enumerated() {
                #expect(
                    compiled.matches(number, of: program, NodeID(index)) == plain.matches(selector, NodeID(index)),
                    "\(text) at node \(index)")
            }
        }
    }

    /// More ancestors and siblings than are examined again for each element, and more adjacent siblings than there are nodes.
    @Test(arguments: [
        ".a div .b", ".a > div div b", "i ~ b", "p + b", ".a i ~ div b + b", ":not(.a div) > b", "b + b + b",
    ])
    func programsMatchWhereMuchIsLookedAt(text: String) throws {
        let siblings = String(
            repeating: "<b></b><!-- --><i><u><s></s></u></i><p></p><b class=b></b>x<b></b>", count: 40)
        let depth = 90
        let tree = parse(
            "<!doctype html><div class=a>" + String(repeating: "<div>" + (siblings.prefix(80)), count: depth) + siblings
                + String(repeating: "</div>", count: depth) + siblings)
        let list = try SelectorList.parse(text).selectors
        let program = SelectorProgram(list)
        var compiled = SelectorMatcher(tree)
        var remembering = SelectorMatcher(tree)
        remembering.edgeCost = .max / 2
        for index in 0..<tree.count {
            #expect(
                compiled.matches(0, of: program, NodeID(index)) == remembering.matches(list[0], NodeID(index)),
                "\(text) at node \(index)")
        }
    }
}
