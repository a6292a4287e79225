// Pictures that `content` generates (CSS Content 3 §2).

import Testing

@testable import FancyTextMarkup

@Suite struct ContentImageTests {
    private func sources(_ html: String) -> [String] { boxes(html).replaced.map(\.source) }

    @Test(arguments: ["inline", "block", "inline-block"])
    func generatedContentHasPicturesBetweenText(_ display: String) {
        let text = boxes(
            "<style>p::before{content:'[' url(a.png) ']' url(b.png);display:\(display)}</style><p>x</p>")
        #expect(text.replaced.map(\.source) == ["a.png", "b.png"])
        #expect(text.boxes.count { $0.kind == .image && !$0.isAnonymous } == 2)
        #expect(String(decoding: text.text, as: UTF8.self).contains("["))
    }

    @Test func aPictureTakesTheElementsPlace() {
        let text = boxes("<style>b{content:url(a.png)}</style><p><b>hidden<i>too</i></b>!</p>")
        #expect(text.replaced.map(\.source) == ["a.png"])
        #expect(!String(decoding: text.text, as: UTF8.self).contains("hidden"))
        #expect(sources("<style>img{content:url(a.png)}</style><img src=b.png>") == ["a.png"])
    }

    @Test func elementsHaveNoGeneratedText() {
        #expect(sources("<style>b{content:'x' url(a.png)}</style><b>y</b>").isEmpty)
        #expect(sources("<style>b::before{content:none}b{content:'x'}</style><b>y</b>").isEmpty)
    }
}
