// Contents that belong to a document, and those that do not: popovers, templates, shadow roots.

import Testing

@testable import FancyText

@Suite struct HiddenContentTests {
    private func text(_ html: String) -> String {
        var document = MarkupParser().parse(html)
        let text = document.plainText()
        // The boxes have the same text.
        #expect(document.markdown().filter { $0 != "\n" } == text.filter { $0 != "\n" })
        return text
    }

    @Test(arguments: [
        ("<svg><text y=20>in a <tspan>picture</tspan></text></svg>", "in a picture\n"),
        ("<svg><defs><text>no</text></defs><text aria-hidden=true>no</text><text>a<text>b</text></text></svg>", "ab\n"),
        ("<svg aria-hidden=true><text>no</text></svg>a", "a\n"), ("<dl><dt><p>T</p><dd>d</dl>", "**T**\n\n- d\n"),
        ("<svg><title>t</title></svg>", "t\n"), ("<svg><title>t</title><text>x</text></svg>", "x\n"),
        ("a<video>v</video>", "a\n"),
    ])
    func wordsOfPicturesAreWritten(_ html: String, _ expected: String) {
        var document = MarkupParser().parse(html)
        #expect(document.markdown() == expected)
    }

    @Test(arguments: [
        ("<div popover>a</div>b", "b\n"), ("<div popover=manual>a</div>b", "b\n"),
        ("<p>a<span POPOVER>b</span>c", "ac\n"),
        ("<style>p{color:red}</style><div popover>a</div><p>b", "b\n"),
        ("<dialog popover open>a</dialog>", "a\n"), ("<dialog popover>a</dialog>b", "b\n"),
        ("<style>[popover]{display:block}</style><div popover>a</div>b", "a\nb\n"),
    ])
    func closedPopoversAreHidden(_ html: String, _ expected: String) { #expect(text(html) == expected) }

    @Test(arguments: [
        "<template><style>p{display:none}</style></template><p>a",
        "<div><template><div><style>p{display:none}</style></div></template></div><p>a",
        "<template><template><style>p{display:none}</style></template></template><p>a",
    ])
    func sheetsOfTemplatesAreNone(_ html: String) { #expect(text(html) == "a\n") }

    @Test func sheetsAfterTemplatesCount() {
        #expect(text("<template>x</template><style>i{display:none}</style><p>a<i>b</i>") == "a\n")
    }

    @Test(arguments: ["open", "closed", "OPEN"])
    func shadowRootsAreShownWithoutTheirSheets(_ mode: String) {
        var document = MarkupParser().parse(
            "<x-a><template shadowrootmode=\(mode)><style>p{display:none}</style><p>shadow</p><slot></slot></template><b>light</b></x-a><p>c"
        )
        let text = document.plainText()
        #expect(text.split(whereSeparator: \.isWhitespace) == ["shadow", "light", "c"])
        _ = document.markdown()
        #expect(document.diagnostics.entries.contains { $0.code == .shadowRoot && $0.severity == .warning })
    }

    @Test func otherTemplatesStayHidden() {
        #expect(text("<x-a><template shadowrootmode=x>a</template>b</x-a>") == "b\n")
    }
}
