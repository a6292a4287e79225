// `details` without a `summary` (HTML §15.5.6).

import Testing

@testable import FancyTextMarkup

@Suite struct DetailsTests {
    @Test func oneIsAdded() {
        #expect(paragraphs("<details>a</details>") == ["▸ Details"])
        #expect(paragraphs("<details open>a</details>") == ["▾ Details", "a"])
        #expect(paragraphs("<details open><p>a</details>") == ["▾ Details", "a"])
    }

    @Test func oneThatIsThereIsEnough() {
        #expect(paragraphs("<details><summary>s</summary>a</details>").first?.hasSuffix(" s") == true)
        #expect(paragraphs("<details><p>x</p><summary>s</summary>a</details>").allSatisfy { !$0.contains("Details") })
    }
}
