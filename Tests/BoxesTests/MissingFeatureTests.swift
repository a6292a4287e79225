// Features without effect: a warning where a shown element asks for one, nothing elsewhere.

import FancyTextBasics
import FancyTextMarkup
import FancyTextStyling
import Testing

@testable import FancyTextBoxes

@Suite struct MissingFeatureTests {
    /// Messages of at least a severity, each as `line:column message`.
    private func messages(_ html: String, _ severity: Diagnostic.Severity = .warning) -> [String] {
        var log = DiagnosticLog()
        let styled = MarkupStyleResolver(options: StyleOptions()).resolve(MarkupTree.parse(html), log: &log)
        _ = BoxGenerator.generate(styled, log: &log)
        return log.filter { $0.severity >= severity }.map {
            "\($0.location?.line ?? 0):\($0.location?.column ?? 0) \($0.message)"
        }
    }

    @Test func aWarningNamesThePlaceInTheDocument() {
        #expect(
            messages("<style>\np{\n zoom : 2}</style><p>x<p>y") == ["3:2 'zoom' has no effect here"])
        #expect(messages("<p>a\n<p style='color:red; zoom:2'>x") == ["2:22 'zoom' has no effect here"])
        #expect(messages("<p style='--z:2;zoom:var(--z)'>x") == ["1:17 'zoom' has no effect here"])
    }

    @Test(arguments: [
        "p{writing-mode:vertical-rl}", "p{shape-outside:circle(1px);float:left}", "body{-webkit-text-security:disc}",
        "p{container:c / inline-size}", "p{background:red fixed}", "p{background-attachment:fixed}",
        "p{perspective:9px;rotate:y 9deg}", "p{animation-timeline:scroll()}", "p::before{content:'x';zoom:2}",
        "@container (width > 1px){p{color:red}}", "@scope{p{color:red}}", "@scope (p){:scope{color:red}}",
        "p{@container (width > 1px){color:red}}", "@media screen{@container (width > 1px){p{color:red}}}",
        "p{@media screen{zoom:2}}",
    ])
    func whatAShownElementLacksIsAWarning(_ css: String) {
        #expect(messages("<style>\(css)</style><p>x").count == 1)
    }

    @Test(arguments: [
        // No shown element.
        "b{zoom:2}", "p{zoom:2;display:none}", "@container (width > 1px){b{color:red}}", "@scope (b){p{color:red}}",
        // Another declaration wins, or the value is the initial one.
        "p{zoom:2;zoom:1}", "p{zoom:2}p{zoom:normal}", "p{zoom:2;zoom:initial}", "p{writing-mode:horizontal-tb}",
        "p{zoom:2}p{zoom:1 !important}", "body{zoom:2;zoom:1}",
        // They change nothing where they are.
        "p{shape-outside:circle(1px)}", "p{appearance:none}", "p{perspective:9px}", "p{container-name:a}",
        "p{ruby-align:start}", "body{background:red fixed}", "p{transform:translateZ(0);backface-visibility:visible}",
        // A still picture has no use for them.
        "p{cursor:pointer;transition:all 1s;will-change:transform}", "@starting-style{p{color:red}}",
        "@page{margin:1cm}", "@view-transition{navigation:auto}",
    ])
    func nothingElseIs(_ css: String) {
        #expect(messages("<style>\(css)</style><p>x") == [])
    }

    @Test func controlsHaveALookOfTheSystems() {
        #expect(messages("<style>*{appearance:none}</style><p>x<input type=checkbox>").count == 1)
    }

    @Test func whatAStillPictureNeedsNoneOfIsANote() {
        #expect(messages("<p style='cursor:grab'>x", .note) == ["1:11 'cursor' has no effect here"])
    }
}
