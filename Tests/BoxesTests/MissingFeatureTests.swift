// Features without effect give a warning if a shown element uses them, and nothing otherwise.

import FancyTextBasics
import FancyTextCSS
import FancyTextMarkup
import FancyTextStyling
import Testing

@testable import FancyTextGeneration

@Suite struct MissingFeatureTests {
    /// Messages of at least a severity, each as `line:column message`.
    private func messages(
        _ html: String, _ severity: Diagnostic.Severity = .warning, on media: String = "screen"
    ) -> [String] {
        var log = DiagnosticLog()
        var options = StyleOptions()
        options.media.type = media
        let styled = MarkupStyleResolver(options: options).resolve(MarkupTree.parse(html), log: &log)
        _ = BoxGenerator.generate(styled, isForLayout: true, log: &log)
        return log.filter { $0.severity >= severity }.map {
            "\($0.location?.line ?? 0):\($0.location?.column ?? 0) \($0.message)"
        }
    }

    @Test func aWarningNamesThePlaceInTheDocument() {
        #expect(
            messages("<style>\np{\n -webkit-box-reflect : below}</style><p>x<p>y") == [
                "3:2 '-webkit-box-reflect' has no effect here"
            ])
        #expect(
            messages("<p>a\n<p style='color:red; -webkit-box-reflect:below'>x") == [
                "2:22 '-webkit-box-reflect' has no effect here"
            ])
        #expect(
            messages("<p style='--z:below;-webkit-box-reflect:var(--z)'>x") == [
                "1:21 '-webkit-box-reflect' has no effect here"
            ])
    }

    @Test(arguments: [
        "p{hanging-punctuation:first}", "p{shape-outside:path('M0 0h9v9z');float:left}",
        "body{-webkit-text-security:disc}",
        "p{-webkit-mask-box-image:linear-gradient(red,blue) 10}",
        "p{animation-timeline:scroll()}",
        "p::before{content:'x';-webkit-box-reflect:below}",
        "@scope{p{color:red}}", "p{@scope{color:red}}", "@media screen{@scope{p{color:red}}}",
        "p{@media screen{-webkit-box-reflect:below}}",
        "p{content:linear-gradient(red,blue)}", "math{math-style:compact}", "mi{math-depth:2}",
    ])
    func whatAShownElementLacksIsAWarning(_ css: String) {
        #expect(messages("<style>\(css)</style><p>x<math><mi>a").count == 1)
    }

    @Test(arguments: [
        // No shown element.
        "b{-webkit-box-reflect:below}", "p{-webkit-box-reflect:below;display:none}", "@scope (b){p{color:red}}",
        "@scope (p){:scope{color:red}}",
        // Another declaration wins, or the value is the initial one.
        "p{-webkit-box-reflect:below;-webkit-box-reflect:none}",
        "p{-webkit-box-reflect:below;-webkit-box-reflect:initial}",
        "p{writing-mode:vertical-rl}",
        "p{-webkit-box-reflect:below}p{-webkit-box-reflect:none !important}",
        // Names that nothing uses, and that shown elements do not use.
        "@counter-style c{symbols:a}p{display:list-item;list-style-type:c}",
        "p::before{content:linear-gradient(red,blue)}",
        "@property --a{syntax:'*';inherits:true}",
        "@property --a{syntax:'<length>';inherits:true;initial-value:0px}body{--a:2em}",
        "@property --a{syntax:'<length>';inherits:false;initial-value:1px}p{margin:var(--a)}",
        // These change nothing in this context.
        "p{shape-outside:circle(1px)}", "p{appearance:none}", "p{perspective:9px;rotate:y 9deg}",
        "p{ruby-align:start}", "body{background:red fixed}", "p{transform:translateZ(0);backface-visibility:visible}",
        "p{transform:perspective(90px) rotateX(9deg)}", "p{transform-style:preserve-3d;transform:rotateX(9deg)}",
        // A still picture does not use these.
        "p{cursor:pointer;transition:all 1s;will-change:transform}", "@starting-style{p{color:red}}",
        "@page{margin:1cm}", "@view-transition{navigation:auto}",
    ])
    func nothingElseIs(_ css: String) {
        #expect(messages("<style>\(css)</style><p>x") == [])
    }

    @Test(arguments: [
        ("", 0), ("size: auto;", 0), ("marks:none;bleed:auto", 0), ("size:A4 landscape;margin:1cm", 0),
        ("@top-left{content:'x' counter(page) string(a, first-except)}", 0), ("marks:crop", 1), ("size:A4 B4", 1),
        ("@top-left{content:element(head)}", 1), ("@top{content:'x'}", 1), ("colour:red;@top-left{margn:0}", 2),
        ("@footnote{padding:1px}", 1),
    ])
    func pagesWarnOnPaperOfWhatHasNoEffect(_ contents: String, _ count: Int) {
        #expect(messages("<style>@page :first{\(contents)}</style><p>x", on: "print").count == count)
        #expect(messages("<style>@page{\(contents)}</style><p>x") == [])
    }

    @Test(arguments: [
        ("word-break:auto-phrase", 1), ("word-break:break-all", 0), ("text-spacing-trim:trim-both", 1),
        ("text-spacing-trim:trim-start", 0),
        ("text-spacing-trim:space-all", 0), ("background-clip:border-area", 1), ("background-clip:text", 0),
    ])
    func someValuesHaveNoEffect(_ declaration: String, _ count: Int) {
        #expect(messages("<p style='\(declaration)'>x").count == count)
    }

    @Test(arguments: [
        ("<text style='clip-path:circle(9px)'>x</text>", "this 'clip-path' has"),
        ("<svg><foreignObject><p>x</p></foreignObject></svg>", "this 'foreignObject' has"),
        ("<g style='filter:blur(1px)'><foreignObject /></g>", "an effect around 'foreignObject' has"),
        ("<rect><animate attributeName=x /></rect>", "animation has"),
        ("<path d='M0 0h9' vector-effect=non-scaling-stroke />", "'vector-effect' has"),
        ("<path d='M0 0h9' style='vector-effect:non-scaling-stroke'/>", "'vector-effect' has"),
        ("<text style='text-decoration:underline wavy'>x</text>", "this style of 'text-decoration' has"),
        ("<text style='text-decoration:underline;word-spacing:9px'>x y</text>", "one by one has"),
        ("<rect style='outline:1px solid'/>", "'outline' has"),
        ("<text style='transform:rotate(9deg);transform-box:fill-box'>x</text>", "'transform-box' has"),
    ])
    func inlinePicturesLackParts(_ content: String, _ message: String) {
        let found = messages("<svg width=9 height=9>\(content)</svg>")
        #expect(found.count == 1 && found[0].contains(message))
    }

    @Test func inlinePicturesOfPlainPartsLackNothing() {
        #expect(
            messages(
                "<svg width=9 height=9><path id=p /><text dx='5 9' rotate=9 textLength=50>x<textPath href='#p'>y</textPath></text><rect style='transform:rotate(9deg)' transform-origin=center /></svg>"
            )
                == [])
    }

    @Test func controlsThatLookOtherwiseAreToldOf() {
        for name in ["video", "canvas"] {
            #expect(messages("<\(name)></\(name)>") == ["1:1 '\(name)' is an empty box here"])
        }
        #expect(messages("<select multiple><option>b<hr><option>c</select>").count == 1)
        #expect(messages("<input autofocus>").count == 1)
        #expect(
            messages("<input><select multiple><optgroup label=a><option>b</select><input type=number>")
                == [])
    }

    @Test func variablesReachInlinePictures() {
        var log = DiagnosticLog()
        let html =
            "<svg style='--c:lime'><rect fill='var(--c,red)' stroke='var(--d)' /><use href='#s' /></svg>"
            + "<svg style='--c:blue' hidden><path id=s fill='var(--c)' /></svg>"
        let styled = MarkupStyleResolver(options: StyleOptions()).resolve(MarkupTree.parse(html), log: &log)
        let text = BoxGenerator.generate(styled, log: &log)
        let sources = text.replaced.map(\.source)
        // A hidden svg is shown, as in browsers, whose rule is for elements of HTML.
        #expect(sources.count == 2)
        #expect(sources[0].contains(" style=\"fill:#00ff00ff;\"></rect>"))
        #expect(sources[0].contains("<path id=\"s\" fill=\"var(--c)\" style=\"fill:#0000ffff;fill:lime;\">"))
        #expect(sources[1].contains("style=\"fill:#0000ffff;\""))
    }

    @Test(arguments: [
        ("::placeholder{color:red}", "<input placeholder=p>", 0),
        ("details::details-content{color:red}", "<details open>x</details>", 0),
        ("p::details-content{color:red}", "<details open>x</details>", 0),
        ("::-webkit-color-swatch{color:red}", "<input type=color>", 1),
        ("::-webkit-color-swatch{color:red}", "<input>", 0),
        ("::selection{color:red}", "<input placeholder=p>", 0),
    ])
    func partsOfControls(_ css: String, _ html: String, _ count: Int) {
        #expect(messages("<style>\(css)</style>\(html)").count == count)
    }

    @Test func controlsHaveALookOfTheSystems() {
        #expect(messages("<style>*{appearance:none}</style><p>x<input type=checkbox>") == [])
        #expect(messages("<style>*{appearance:base-select}</style><p>x<select>").count == 1)
    }

    @Test func whatAStillPictureNeedsNoneOfIsANote() {
        #expect(messages("<p style='cursor:grab'>x", .note) == ["1:11 'cursor' has no effect here"])
    }
    @Test(arguments: [
        ("<p style='clip-path:url(#nope)'>x", ["1:1 there is no 'clipPath' element '#nope' in the document"]),
        ("<p style='filter:blur(1px) url(#f)'>x", ["1:1 there is no 'filter' element '#f' in the document"]),
        ("<svg><filter id=f></filter></svg><p style='filter:url(#f)'>x", []),
        ("<svg><rekt/></svg>", ["1:6 'rekt' is no element of SVG"]),
        ("<svg><rect fill=rde /></svg>", ["1:6 invalid value for 'fill': rde"]),
        ("<svg><path d='M0 0 L x 50'/></svg>", ["1:6 the path is drawn up to the mistake in its 'd'"]),
        ("<svg><rect mask='url(#no)'/></svg>", ["1:6 there is no element '#no' in the document"]),
        ("<svg><use href='#no'/></svg>", ["1:6 there is no element '#no' in the document"]),
        (
            "<svg><g id=a fill='url(#a)' stroke=none><use xlink:href='#a'/><foreignObject><p>x</p></foreignObject></g></svg>",
            []
        ),
    ])
    func referencesToNothingAndMistakesInPicturesAreReported(html: String, expected: [String]) {
        #expect(messages(html) == expected)
    }

    @Test(arguments: [
        ("<mrow>lost<mi>a</mi></mrow>", ["1:13 text in 'mrow' is shown only in 'mtext', 'mi', 'mn', 'mo' or 'ms'"]),
        ("<msqrt>2</msqrt>", ["1:14 text in 'msqrt' is shown only in 'mtext', 'mi', 'mn', 'mo' or 'ms'"]),
        ("<mfrac><mi>a</mi></mfrac>", ["1:7 'mfrac' needs 2 elements"]),
        ("<mrow> <mi>a</mi> <mtext>kept</mtext></mrow>", []), ("<mtable><mtr><mtd>kept</mtd></mtr></mtable>", []),
    ])
    func textThatAFormulaDoesNotShowIsReported(formula: String, expected: [String]) {
        var log = DiagnosticLog()
        let styled = MarkupStyleResolver(options: StyleOptions()).resolve(
            MarkupTree.parse("<math>\(formula)</math>"), log: &log)
        let boxes = BoxGenerator.generate(styled, isForLayout: true, log: &log)
        #expect(log.map { "\($0.location?.line ?? 0):\($0.location?.column ?? 0) \($0.message)" } == expected)
        #expect(String(decoding: boxes.text, as: UTF8.self).contains("kept") == formula.contains("kept"))
    }

    /// Invalid at computed-value time (CSS Variables 1 §3.1).
    @Test(arguments: [
        ("--a:rde;color:var(--a)", ["1:19 invalid with its variables replaced: 'color: var(--a)'"], 0),
        ("--a:1px;margin:var(--a) x", ["1:19 invalid with its variables replaced: 'margin: var(--a) x'"], 0),
        ("color:var(--nope)", [], 1), ("--a:;transform:var(--a) var(--b,)", [], 0), ("color:var(--a,red)", [], 0),
    ])
    func variablesThatMakeADeclarationInvalidAreReported(style: String, warnings: [String], notes: Int) {
        let html = "<p style='\(style)'>x"
        #expect(messages(html) == warnings)
        #expect(messages(html, .note).count == warnings.count + notes)
    }
}
