import FancyTextBasics
import Testing

@testable import FancyTextOutputs
@testable import FancyTextWriting

struct ImageMapTests {
    @Test func imageMapsEscapeTheirTargets() {
        let link = (target: "a?b&c=\"", boxes: [Rect(x: 1.2, y: 2, width: 3.5, height: 4)], text: "<x>")
        let html = String(
            decoding: ImageMapWriter.write([link], picture: "p.png", size: Size(width: 10, height: 20)), as: UTF8.self)
        #expect(html.contains("<area shape=\"rect\" coords=\"1,2,5,6\" href=\"a?b&amp;c=&quot;\" alt=\"&lt;x&gt;\">"))
        #expect(html.contains("usemap=\"#links\""))
    }

    @Test func imageMapsHaveNoControls() {
        let hostile = "a\u{1B}]0;b\u{7}\u{9B}31m\u{202E}c"
        let link = (target: hostile, boxes: [Rect(x: 0, y: 0, width: 1, height: 1)], text: hostile)
        let html = ImageMapWriter.write([link], picture: hostile, size: Size(width: 10, height: 20))
        #expect(html == SafeText.withoutControls(html))
    }
}
