// The order of flex items (CSS Flexbox 1 §5.4).

import Testing

@Suite struct FlexFlowTests {
    @Test(arguments: [
        ("", "a b c d"), ("flex-direction:row-reverse", "d c b a"), ("direction:rtl", "d c b a"),
        ("direction:rtl;flex-direction:row-reverse", "a b c d"), ("flex-direction:column-reverse", "d c b a"),
        ("direction:rtl;flex-direction:column", "a b c d"),
    ])
    func theMainAxisDecides(_ style: String, _ expected: String) throws {
        #expect(try visual("<div style='display:flex;\(style)'>a<b>b</b><b>c</b>d</div>") == expected)
    }

    @Test func orderSortsAndKeepsTheTextInDocumentOrder() throws {
        let page = """
            <style>#f::before{content:'e';order:1} i{order:-1}</style>
            <div id=f style='display:flex'><b style='order:1'>a</b>b<i>c</i><i style='order:-2'>d</i></div>
            """
        #expect(try visual(page) == "d c b e a")
        let text = boxes(page)
        #expect(text.string(0) == "e\na\nb\nc\nd")
    }

    private func visual(_ html: String) throws -> String {
        let text = boxes(html)
        let box = try #require(text.boxes.firstIndex { $0.kind == .flex })
        let items = text.items(of: box).inFlow
        let isMirrored = text.styles[text.boxes[box].style].isFlexMirrored
        return (isMirrored ? items.reversed() : items).map(text.string).joined(separator: " ")
    }
}
