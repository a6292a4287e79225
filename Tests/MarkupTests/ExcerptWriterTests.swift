import FancyTextTestSupport
import Testing

@testable import FancyTextMarkup

@Suite struct ExcerptWriterTests {
    /// The reference writes each element separately.
    private func check(_ source: String, skipped: Int = 0) {
        let tree = parse(source)
        let elements = Array(
            (0..<tree.count).map { NodeID($0) }.filter { tree.kind($0) == .element }.dropFirst(skipped))
        for isInner in [false, true] {
            var excerpts = ExcerptWriter(elements, of: tree, as: .html(inner: isInner))
            for (index, element) in elements.enumerated() {
                excerpts.withBytes(at: index) {
                    #expect(Array($0) == tree.html(element, outer: !isInner, fromSource: true), "\(source)")
                }
            }
        }
        var texts = ExcerptWriter(elements, of: tree, as: .text)
        for (index, element) in elements.enumerated() {
            texts.withBytes(at: index) { #expect(Array($0) == tree.textContent(element), "\(source)") }
        }
    }

    @Test func elementsInOthersAreTheSameAsAlone() {
        check("<div><p>a<b>b</b></p>c</div><p>d")
        check("<b><i>1</b>2</i><pre>\n\nx<em>y</pre>")
        check(
            "<p>a<script>s<\u{2F}script><style>t</style></p><template><b>u</b></template><noscript><b>v</b></noscript>")
        check("<svg><linearGradient/><title>t</title></svg><table><td>1<td>2")
        check("")
    }

    @Test func randomElementsInOthersAreTheSameAsAlone() {
        var generator = SeededGenerator(state: 77)
        for _ in 0..<300 { check(randomDocument(&generator, pieces: 30)) }
    }

    /// Another writer has already written the first elements.
    @Test(arguments: [1, 2, 5])
    func elementsInOthersThatAreNotWrittenAreTheSameAsAlone(skipped: Int) {
        check("<b><i>1</b>2</i><p>x<script>s</script><b>y<i>z</b><u>v</u>", skipped: skipped)
        var generator = SeededGenerator(state: 78)
        for _ in 0..<100 { check(randomDocument(&generator, pieces: 30), skipped: skipped) }
    }

    @Test func skippedElementsAreReadAlone() {
        let tree = parse("<div>a<script>b</script>c</div>")
        let elements = (0..<tree.count).map { NodeID($0) }.filter { tree.kind($0) == .element }
        var excerpts = ExcerptWriter(elements, of: tree, as: .text)
        var texts: [String] = []
        for index in elements.indices {
            excerpts.withBytes(at: index) { texts.append(String(decoding: $0, as: UTF8.self)) }
        }
        #expect(texts == ["ac", "b"])
    }
}
