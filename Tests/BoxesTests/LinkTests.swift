// The links of runs and boxes.

import Testing

@Suite struct LinkTests {
    /// Each run with its text and link target.
    private func links(_ html: String) -> [String] {
        let text = boxes(html)
        return text.runs.filter { text.text[$0.range] != [0x0A] }.map { run in
            let words = String(decoding: text.text[run.range], as: UTF8.self)
            return run.link < 0 ? words : "\(words)→\(text.links[run.link].target)"
        }
    }

    @Test func textLeadsWhereTheInnermostAnchorDoes() {
        #expect(links("a<a href=1>b<i>c</i></a><a name=x>d</a>") == ["a", "b→1", "c→1", "d"])
    }

    @Test func depthDoesNotMatter() {
        let depth = 400
        let spans = String(repeating: "<span>", count: depth)
        #expect(links("<a href=1>\(spans)deep</a>").last == "deep→1")
    }

    @Test func aLinkByStyleWinsUntilAnAnchorInsideIt() {
        let page = "<a href=1><b style='-ft-link:\"2\"'>a<i>b</i><a href=3>c</a></b><b style='-ft-link:none'>d</b></a>"
        #expect(links("<div style='-ft-link:\"0\"'>z</div>") == ["z→0"])
        #expect(links(page).prefix(2) == ["a→2", "b→2"])
        #expect(links(page).contains("c→3"))
        let text = boxes("<p style='-ft-link:\"2\"'>a<i>b</i></p>")
        #expect(text.links.all.map(\.target) == ["2"])
    }

    @Test func generatedContentMayLeadElsewhere() {
        let page = "<style>p::after{content:'go';-ft-link:'2'}</style><p>a</p><p>b</p>"
        #expect(links(page) == ["a", "go→2", "b", "go→2"])
        #expect(boxes(page).links.all.count == 2)
    }

    @Test func picturesAreInTheirLink() throws {
        let text = boxes("<a href=1 title=t><img src=x></a><img src=y>")
        #expect(text.boxes.filter { $0.kind == .image }.map(\.link) == [0, -1])
        #expect(text.links.all.first?.title == "t")
    }
}
