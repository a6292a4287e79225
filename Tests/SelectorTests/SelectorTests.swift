import FancyTextTestSupport
import Testing

@testable import FancyTextMarkup
@testable import FancyTextSelectors

@Suite struct SelectorTests {
    @Test(arguments: [
        ("a > b", "<a>x<b>y</b></a><b>z</b>", ["<b>y</b>"]),
        ("i, b", "<b>1</b><i>2</i><b>3</b>", ["<b>1</b>", "<i>2</i>", "<b>3</b>"]),
        ("b:not(.x, #y)", "<b class=x>1</b><b id=y>2</b><b>3</b>", ["<b>3</b>"]),
        ("#a\\:b", "<b id=\"a:b\">x</b>", ["<b id=\"a:b\">x</b>"]),
        (".\\31 x", "<b class=1x>x</b>", ["<b class=1x>x</b>"]),
        ("[data-a=FOO i]", "<b data-a=foo>x</b>", ["<b data-a=foo>x</b>"]),
        ("p:has(> b + i)", "<p><b></b><i></i></p><p><i></i></p>", ["<p><b></b><i></i></p>"]),
        (
            "li:nth-child(2n + 1 of .k)", "<li class=k>1</li><li>2</li><li class=k>3</li><li class=k>4</li>",
            ["<li class=k>1</li>", "<li class=k>4</li>"]
        ),
        (
            "b:nth-child(-n+3)", "<b>1</b><b>2</b><b>3</b><b>4</b>", ["<b>1</b>", "<b>2</b>", "<b>3</b>"]
        ),
        ("b:nth-child( -2n + 3 )", "<b>1</b><b>2</b><b>3</b><b>4</b>", ["<b>1</b>", "<b>3</b>"]),
        ("b:nth-last-child(-n+1)", "<b>1</b><b>2</b>", ["<b>2</b>"]),
        ("b:nth-child(-n-1)", "<b>1</b>", []),
        ("b ~ i", "<b></b><u></u><i>1</i><i>2</i>", ["<i>1</i>", "<i>2</i>"]),
        ("p:contains('B' i)", "<p>abc</p><p>x</p>", ["<p>abc</p>"]),
        (":is(b, :nope, i)", "<b>1</b><u>2</u>", ["<b>1</b>"]),
        ("b:empty", "<b><!-- --></b><b> </b>", ["<b><!-- --></b>"]),
        ("[lang|=en]", "<b lang=en-GB>x</b><b lang=english>y</b>", ["<b lang=en-GB>x</b>"]),
        ("p:lang(de)", "<p lang=de-AT>x</p>", ["<p lang=de-AT>x</p>"]),
    ])
    func selects(selector: String, source: String, found: [String]) throws {
        #expect(try select(selector, source) == found)
    }

    @Test(arguments: [
        ("div,", 4), ("[", 1), ("p:nope", 2), ("a b >", 5), ("é$", 2), (":nth-child(x)", 12), ("..a", 2),
        (":has(:has(a))", 6), ("", 1), ("a::before b", 10), ("::foo(", 6), ("é::é(", 5), ("a,é>", 4), (":é", 1),
    ])
    func refusesWithColumn(selector: String, column: Int) {
        do {
            _ = try SelectorList.parse(selector)
            Issue.record("accepted \(selector)")
        } catch {
            #expect(error.column == column, "\(error.message)")
        }
    }

    @Test func specificityFollowsTheStandard() throws {
        func specificity(_ text: String) throws -> Specificity { try SelectorList.parse(text).selectors[0].specificity }
        #expect(try specificity("ul li.a#b") == Specificity(ids: 1, classes: 1, types: 2))
        #expect(try specificity(":is(#a, b) c::before") == Specificity(ids: 1, classes: 0, types: 2))
        #expect(try specificity(":where(#a) :not(.x)") == Specificity(ids: 0, classes: 1, types: 0))
        #expect(try specificity(":nth-child(1 of #a)") == Specificity(ids: 1, classes: 1, types: 0))
    }

    @Test func dynamicStatesAreValidAndMatchNothing() throws {
        #expect(try select("a:hover, a:visited, a:focus-within", "<a href=x>y</a>").isEmpty)
    }

    @Test func deepTreesAndLongSelectorsStayLinear() throws {
        let source = String(repeating: "<div>", count: 50_000)
        #expect(try select("p div div span div", source).isEmpty)
        #expect(try select("div:has(p) div", source).isEmpty)
    }

    @Test func nestingOfFunctionsIsBounded() {
        #expect(throws: SelectorError.self) { try SelectorList.parse(String(repeating: ":not(", count: 5000)) }
    }

    /// More siblings are visited than there are nodes, so that the previous siblings of all elements are computed at once.
    @Test(arguments: [
        ".a div .b", ".a > div div b", "i ~ b", "p + b", ".a i ~ div b + b", ":not(.a div) > b", "b + b + b",
    ])
    func cachedSiblingsMatchAsVisitedOnes(text: String) throws {
        let siblings = String(
            repeating: "<b></b><!-- --><i><u><s></s></u></i><p></p><b class=b></b>x<b></b>", count: 40)
        let depth = 90
        let tree = parse(
            "<!doctype html><div class=a>" + String(repeating: "<div>" + (siblings.prefix(80)), count: depth) + siblings
                + String(repeating: "</div>", count: depth) + siblings)
        let selector = try SelectorList.parse(text).selectors[0]
        var caching = SelectorMatcher(tree)
        for index in 0..<tree.count {
            // A new matcher has nothing cached.
            var visiting = SelectorMatcher(tree)
            let isMatch = visiting.matches(selector, NodeID(index))
            #expect(caching.matches(selector, NodeID(index)) == isMatch, "\(text) at node \(index)")
        }
    }
}
