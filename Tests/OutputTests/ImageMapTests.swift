import FancyTextBasics
import Testing

@testable import FancyTextOutputs

struct ImageMapTests {
    @Test func imageMapsEscapeTheirTargets() {
        let link = (target: "a?b&c=\"", boxes: [Rect(x: 1.2, y: 2, width: 3.5, height: 4)], text: "<x>")
        let html = String(
            decoding: ImageMapWriter.write([link], picture: "p.png", size: Size(width: 10, height: 20)), as: UTF8.self)
        #expect(html.contains("<area shape=\"rect\" coords=\"1,2,5,6\" href=\"a?b&amp;c=&quot;\" alt=\"&lt;x&gt;\">"))
        #expect(html.contains("usemap=\"#links\""))
    }
}
