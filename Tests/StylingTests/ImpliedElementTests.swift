// Selectors match the elements of a fragment as they do in a whole page, where a body and a root element contain them.

import Testing

@Suite struct ImpliedElementTests {
    @Test(arguments: [
        "body p", "body > p", "html p", "html > p", ":root p", ":root > body > p", "* > p", "* * > p", "body:has(b) p",
        "body:has(i) p",
        "html:not(.js) p", "html body > p + p", "p + p", "p:first-child", "p:nth-child(2)",
        "p:only-child",
        "style + p", "style ~ p", "p:nth-last-child(1)", "p:first-of-type", "body:nth-child(2) > p",
        "body:first-child p", ":not(body) > p", ":is(body, main) > p", "body.dark p", "section p", "p:first-child b",
        "body b",
    ])
    func fragmentsMatchAsPagesDo(selector: String) {
        let html = "<style>\(selector) { order: 7 }</style> <!-- c --> <p>one</p><p>two <b>three</b></p>"
        let (fragment, page) = (Styled(html), Styled("<!doctype html>" + html))
        for text in ["one", "two ", "three"] {
            #expect(fragment.style(text).box.order == page.style(text).box.order, "\(text)")
        }
    }
}
