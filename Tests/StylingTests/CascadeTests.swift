// The cascade: the winning declarations, and inheritance.

import Testing

@testable import FancyTextBasics
@testable import FancyTextCSS
@testable import FancyTextMarkup
@testable import FancyTextStyling

/// Styles markup and gives the computed style around a text.
struct Styled {
    var tree: StyledTree
    var log: DiagnosticLog

    init(_ html: String, _ options: StyleOptions = StyleOptions()) {
        var log = DiagnosticLog()
        tree = MarkupStyleResolver(options: options).resolve(MarkupTree.parse(html), log: &log)
        self.log = log
    }

    init(_ html: String, css: String) {
        var options = StyleOptions()
        options.sheets = [.init(name: "--style", text: css)]
        self.init(html, options)
    }

    /// The style of the first text node that contains `text`.
    func style(_ text: String) -> ComputedStyle {
        for index in 0..<tree.tree.count where tree.tree.kind(NodeID(index)) == .text {
            if tree.tree.text(NodeID(index)).contains(text) { return tree.computed(NodeID(index)) }
        }
        Issue.record("no text \(text)")
        return tree.rootStyle
    }

    func color(_ text: String) -> String {
        let c = style(text).text.color
        return "\(c.red) \(c.green) \(c.blue) \(c.alpha)"
    }
}

@Suite struct CascadeTests {
    let red = "255 0 0 255"
    let blue = "0 0 255 255"
    let lime = "0 255 0 255"

    @Test func inlineStyleWinsOverRules() {
        #expect(Styled("<p style=\"color:red\">x</p>", css: "p{color:blue}").color("x") == red)
    }

    @Test func underPolicyCodeRulesWinAndInlineFillsIn() {
        var options = StyleOptions()
        options.policy = .code
        options.sheets = [.init(name: "--style", text: "p{color:blue}")]
        let styled = Styled("<p style=\"color:red;font-size:30px\">x</p>", options)
        #expect(styled.color("x") == blue)
        #expect(styled.style("x").font.size == 30)
    }

    /// A tag's style given in code; the document declares other values, and in the last case more properties.
    @Test(
        arguments: [
            "<b style='color:red'>x</b>", "<b style='color:red!important'>x</b>", "<style>b{color:red}</style><b>x</b>",
            "<style>b#i{color:red!important}</style><b id=i>x</b>", "<!doctype html><body><b style='color:red'>x</b>",
            "<b style='color:red;font-size:30px'>x</b>", "<zhg style='color:red'>x</zhg>", "<font color=red>x</font>",
        ]) func underPolicyCodeTagStylesWinOverAllTheDocumentSays(_ html: String)
    {
        var options = StyleOptions()
        options.customTags = ["b": "color:blue", "zhg": "color:blue", "font": "color:blue"]
        #expect(Styled(html, options).color("x") == red)
        options.policy = .code
        #expect(Styled(html, options).color("x") == blue)
        #expect(Styled(html, options).style("x").font.size == (html.contains("30px") ? 30 : 16))
    }

    @Test func underPolicyCodeDefaultStylesGiveWayToBoth() {
        var options = StyleOptions()
        options.policy = .code
        #expect(Styled("<b style='font-weight:400'>x</b>", options).style("x").font.weight == 400)
        options.customTags = ["b": "font-weight:600"]
        #expect(Styled("<b style='font-weight:400'>x</b>", options).style("x").font.weight == 600)
        #expect(Styled("<b>x</b>", options).style("x").font.weight == 600)
    }

    @Test func underPolicyCodeSheetsWinOverTagStylesAndImportantInlineStyles() {
        var options = StyleOptions()
        options.policy = .code
        options.customTags = ["b": "color:red;font-size:20px"]
        options.sheets = [.init(name: "--style", text: ".c{color:blue} i{color:blue}")]
        let styled = Styled("<b class=c>x</b><i style='color:red!important'>y</i>", options)
        #expect(styled.color("x") == blue && styled.color("y") == blue)
        #expect(styled.style("x").font.size == 20)
    }

    @Test func underPolicyCodeTheRootsStyleIsStillWhatDocumentsAreLaidOver() {
        var options = StyleOptions()
        options.policy = .code
        options.rootStyle = "color:red;margin:1px"
        let styled = Styled("<!doctype html><body style='color:blue;margin:2px'>x", options)
        #expect(styled.color("x") == blue)
        #expect(styled.style("x").box.margin.top == LengthPercentage(px: 2))
    }

    @Test func specificityDecidesBeforeOrder() {
        #expect(Styled("<p id=i class=c>x</p>", css: "#i{color:red} p.c{color:blue} .c{color:lime}").color("x") == red)
    }

    @Test func laterRulesWinAtEqualSpecificity() {
        #expect(Styled("<p>x", css: "p{color:red} p{color:blue}").color("x") == blue)
    }

    @Test func importantWinsOverInline() {
        #expect(Styled("<p style=\"color:red\">x", css: "p{color:blue !important}").color("x") == blue)
    }

    @Test func importantInlineWinsOverImportantRules() {
        #expect(Styled("<p style=\"color:red!important\">x", css: "p{color:blue !important}").color("x") == red)
    }

    @Test func unlayeredRulesWinOverLayers() {
        #expect(Styled("<p id=p>x", css: "@layer a{#p{color:red}} p{color:blue}").color("x") == blue)
    }

    @Test func laterLayersWinAndEarlierOnesWinWhenImportant() {
        #expect(Styled("<p>x", css: "@layer a,b; @layer b{p{color:blue}} @layer a{p{color:red}}").color("x") == blue)
        #expect(
            Styled("<p>x", css: "@layer a,b; @layer b{p{color:blue!important}} @layer a{p{color:red!important}}").color(
                "x") == red)
    }

    @Test func layersAreOrderedAcrossSheets() {
        let reversed = "<style>@layer a,b; @layer b{p{color:blue}}</style><style>@layer a{p{color:red}}</style><p>x"
        #expect(Styled(reversed).color("x") == blue)
        // The same text makes a layer of its own each time.
        for (suffix, color) in [("", blue), ("!important", blue)] {
            let sheet = "<style>@layer{p{color:blue\(suffix)}}</style>"
            #expect(
                Styled(sheet + "<style>@layer a{p{color:red\(suffix)}}</style>" + sheet + "<p>x").color("x") == color)
        }
    }

    @Test(arguments: [
        ("@namespace a url(u);a|p{order:1}", 1), ("@namespace a 'u';@namespace b 'v';b|p{order:1}", 1),
        ("a|p{order:1}", 0), ("p,a|i{order:1}", 0), ("*|p{order:1}", 1), ("p[lang|=en],p{order:1}", 1),
        ("i{}@namespace a 'u';a|p{order:1}", 0), ("@media all{}@namespace a 'u';a|p{order:1}", 0),
        ("@supports selector(a|b){p{order:1}}", 0), ("@supports (-moz-appearance:none){p{order:1}}", 0),
        ("@namespace a 'u';@supports selector(a|b){p{order:1}}", 1),
    ])
    func prefixesAreDeclaredBeforeAllOtherRules(_ css: String, _ expected: Int) {
        #expect(Styled("<p>x", css: css).style("x").box.order == expected)
    }

    @Test func theMarkerOfAPseudoElementIsNotThatOfTheItem() {
        #expect(Styled("<ul><li>x", css: "li::before::marker{color:red}").tree.pseudoStyles.isEmpty)
        #expect(!Styled("<ul><li>x", css: "li::marker{color:red}").tree.pseudoStyles.isEmpty)
    }

    /// HTML §15.3.7.
    @Test(arguments: [
        ("<ul type=i><li>x", "disc"), ("<ul type=SQUARE><li>x", "square"), ("<ul><li type=i>x", "lower-roman"),
        ("<ol type=A><li>x", "upper-alpha"), ("<ol type=square><li>x", "decimal"), ("<menu type=square><li>x", "disc"),
    ])
    func theTypeOfAListIsOneOfItsKind(_ html: String, _ expected: String) {
        #expect(Styled(html).style("x").text.listStyleType == .named(expected))
    }

    /// CSS Counter Styles 3 §3.1.7.
    @Test(arguments: [
        ("system:extends lower-roman;prefix:'('", "(0. (iv. (4000. "),
        ("system:extends simp-chinese-informal;range:1 4", "〇、四、四〇〇〇、"),
        ("system:extends square", "▪ ▪ ▪ "), ("system:extends a;pad:2 '0'", "00. 04. 4000. "),
        ("system:extends made-up", "0. 4. 4000. "),
        ("system:extends decimal;range:0 4;range:auto;prefix:'('", "(0. (4. (4000. "),
        (
            "system:extends decimal;pad:2 '0';pad:'x';pad:1 2;range:1 9;range:3 1;prefix:'(';prefix:1",
            "(0. (04. (4000. "
        ),
        (
            "system:extends b;prefix:'a'}@counter-style b{system:extends c;suffix:'b'}@counter-style c{system:extends b;pad:9 'c'",
            "a0ba4ba4000b"
        ),
    ])
    func counterStylesExtendOthers(_ rule: String, _ expected: String) {
        let styles = Styled("<p>x", css: "@counter-style a{\(rule)}").tree.index.counterStyles
        #expect([0, 4, 4000].map { styles.marker($0, style: "a") }.joined() == expected)
    }

    @Test func documentSheetsCount() {
        #expect(Styled("<style>.g{color:lime}</style><i class=g>x</i>").color("x") == lime)
    }

    @Test func outsideSheetsWinOverTheDocumentsAtEqualSpecificity() {
        #expect(Styled("<style>p{color:red}</style><p>x", css: "p{color:blue}").color("x") == blue)
    }

    @Test func defaultStylesTheRoot() {
        let styled = Styled(
            "<p class=blue>c</p><span class=blue>e</span>", css: ".default{color:red} span.blue{color:blue}")
        #expect(styled.color("c") == red)
        #expect(styled.color("e") == blue)
    }

    @Test func descendantAndChildSelectorsAreMatchedAgainstTheAncestors() {
        let html = "<div class=a><section><p><b>x</b></p></section></div><p><b>y</b></p>"
        #expect(Styled(html, css: ".a p > b{color:red}").color("x") == red)
        #expect(Styled(html, css: ".a p > b{color:red}").color("y") != red)
        #expect(Styled(html, css: ".a > p b{color:red}").color("x") != red)
        #expect(Styled(html, css: "div section > p b{color:red}").color("x") == red)
        #expect(Styled(html, css: "section div b{color:red}").color("x") != red)
    }

    @Test func complexSelectorsAreMatchedInTheTree() {
        #expect(Styled("<p>a</p><p>x</p>", css: "p:nth-child(2n){color:red}").color("x") == red)
        #expect(Styled("<p><b>y</b>x</p>", css: "p:has(b){color:red}").color("x") == red)
    }

    @Test func wideKeywordsSetBack() {
        #expect(Styled("<div style=\"color:red\"><a href=u style=\"color:inherit\">x</a></div>").color("x") == red)
        #expect(Styled("<div style=\"color:red\"><p style=\"color:initial\">x</p></div>").color("x") == "0 0 0 255")
        #expect(Styled("<h1 style=\"font-size:revert\">x</h1>", css: "h1{font-size:5px}").style("x").font.size == 32)
        #expect(
            Styled("<p>x", css: "@layer a{p{color:red}} @layer b{p{color:blue;color:revert-layer}}").color("x") == red)
        #expect(Styled("<h1 style=\"all:unset\">x</h1>").style("x").font.size == 16)
    }

    @Test func variablesInheritAndFallBack() {
        #expect(Styled("<div style=\"--c:red\"><p style=\"color:var(--c)\">x").color("x") == red)
        #expect(Styled("<p style=\"color:var(--none, lime)\">x").color("x") == lime)
        #expect(Styled("<p style=\"color:lime;color:var(--, red)\">x").color("x") == lime)
        #expect(Styled("<p style=\"-\\2d a:lime;color:var(--a)\">x").color("x") == lime)
        #expect(Styled("<p style=\"--a:var(--b);--b:var(--a);color:var(--a,blue)\">x").color("x") == blue)
        #expect(
            Styled("<p style=\"--w:2px solid red;border:var(--w)\">x").tree.styles.styles.contains {
                $0.box.border.left.width == 2
            })
    }

    @Test(arguments: [
        ("@property --n{syntax:'<integer>';inherits:false;initial-value:5}", "", "", 5),
        ("@property --n{syntax:'<integer>';inherits:false;initial-value:5}", "--n:7", "", 5),
        ("@property --n{syntax:'<integer>';inherits:true;initial-value:5}", "--n:7", "", 7),
        ("@property --n{syntax:'<integer>';inherits:false;initial-value:5}", "--n:7", "--n:inherit", 7),
        ("@property --n{syntax:'<integer>';inherits:true;initial-value:5}", "--n:7", "--n:initial", 5),
        ("@property --n{syntax:'<integer>';inherits:true;initial-value:5}", "--n:7", "--n:red", 7),
        ("@property --n{syntax:'<integer>|red';inherits:false;initial-value:5}", "", "--n:8.5", 5),
        ("@property --n{syntax:'*';inherits:false}", "--n:7", "", 3),
        ("@property --n{syntax:'*';inherits:false}", "--n:7", "--n:9", 9),
        (
            "@property --n{syntax:'*';inherits:true;initial-value:1}@property --n{syntax:'*';inherits:true;initial-value:2}",
            "", "", 2
        ),
        // Without what a registration needs, the name is a custom property like others.
        ("@property --n{syntax:'<integer>';inherits:true}", "", "", 3),
        ("@property --n{syntax:'<integer>';initial-value:5}", "", "", 3),
        ("@property --n{syntax:'<none>';inherits:true;initial-value:5}", "", "", 3),
        ("@property --n{syntax:'<integer>';inherits:true;initial-value:red}", "", "", 3),
    ])
    func registeredPropertiesHaveInitialValues(_ rule: String, _ outer: String, _ inner: String, _ value: Float) {
        let html = """
            <style>\(rule)p{font-weight:calc(var(--n,3) * 100)}</style><div style='\(outer)'><p style='\(inner)'>Word</div>
            """
        #expect(Styled(html).style("Word").font.weight == value * 100)
    }

    @Test func registeredLengthsAreInheritedInPixels() {
        let html = """
            <style>@property --n{syntax:'<length>';inherits:true;initial-value:0px}p{font-size:var(--n)}</style>
            <div style='font-size:20px;--n:calc(1em + 1px)'><p>Word</div>
            """
        #expect(Styled(html).style("Word").font.size == 21)
    }

    @Test func defaultSheetOfHeadingsAndLists() {
        #expect(Styled("<h1>x").style("x").font.size == 32)
        #expect(Styled("<h1>x").style("x").font.weight == 700)
        let nested = Styled("<ul><li>a<ul><li>b<ul><li>c</ul></ul></ul>")
        #expect(nested.style("a").text.listStyleType == .named("disc"))
        #expect(nested.style("b").text.listStyleType == .named("circle"))
        #expect(nested.style("c").text.listStyleType == .named("square"))
    }

    @Test func monospaceHasItsOwnDefaultSize() {
        #expect(Styled("<code>x").style("x").font.size == 13)
        #expect(Styled("<h1><code>x").style("x").font.size == 26)
        #expect(Styled("<code style=\"font-family:monospace,monospace\">x").style("x").font.size == 16)
    }

    @Test func rootStyleReachesTheText() {
        var options = StyleOptions()
        options.rootStyle = "font-size:13px;margin:0"
        let styled = Styled("a<b>b</b>", options)
        #expect(styled.style("b").font.size == 13)
        #expect(styled.style("b").font.weight == 700)
        #expect(styled.tree.rootStyle.box.margin.top == .zero)
    }

    @Test func aFragmentLiesInABodyWithMargins() {
        #expect(Styled("x").tree.rootStyle.box.margin.left == LengthPercentage(px: 8))
        #expect(Styled("x", css: "body{margin:0;color:red}").tree.rootStyle.box.margin.left == .zero)
        #expect(Styled("x", css: "body{margin:0;color:red}").color("x") == red)
    }

    @Test func presentationalAttributesCountLessThanRules() {
        #expect(Styled("<font color=red size=5>x</font>").color("x") == red)
        #expect(Styled("<font color=red size=5>x</font>").style("x").font.size == 24)
        #expect(Styled("<font color=red>x</font>", css: "font{color:blue}").color("x") == blue)
        #expect(Styled("<p align=right>x").style("x").text.align == .right)
        for (width, size) in [("33.3333333333333%", "33.333333333%"), ("20em", "20px"), ("2*", nil), ("+2", nil)] {
            #expect(PresentationalHints.length(width) == size)
        }
    }

    @Test func unknownPropertiesAndInvalidValuesAreReportedWithTheirPlace() {
        let log = Styled("<p>x", css: "p{\n  colr: red;\n  color: rad;\n}").log
        #expect(log.entries.map { "\($0.location?.line ?? 0):\($0.location?.column ?? 0)" } == ["2:3", "3:3"])
        #expect(log.worst == .warning)
    }

    @Test(arguments: [
        ("p{animation:fade 1s}", "there is no '@keyframes fade'"),
        ("@keyframes fade{to{color:red}} p{animation:fade 1s}", ""), ("i{animation:fade 1s}", ""),
        ("p{list-style-type:circl}", "there is no counter style 'circl': it counts as decimal"),
        ("p{list-style-type:Circle}", ""), ("@counter-style circl{symbols:a} p{list-style-type:circl}", ""),
        ("p::before{content:counter(x, circl)}", "there is no counter style 'circl': it counts as decimal"),
        ("p::before{content:counters(x, '.', circl)}", "there is no counter style 'circl': it counts as decimal"),
    ])
    func namesThatNoRuleDefinesAreReported(css: String, message: String) {
        var options = StyleOptions()
        for isText in [false, true] {
            options.readsTextOnly = isText
            let log = Styled("<style>\(css)</style><p>x<p>y", options).log
            #expect(log.map(\.message) == (message.isEmpty ? [] : [message]))
            #expect(log.allSatisfy { $0.location?.column == css.utf8.count + 16 })
        }
    }

    @Test func centerAlignsTheTablesInside() {
        let styled = Styled("<center><table><tr><td>x</table><p>y</center>").tree
        let table = (0..<styled.tree.count).map { NodeID($0) }.first { styled.tree.tag($0) == .table }
        #expect(table.map { styled.computed($0).box.margin.left } == .some(nil))
        #expect(Styled("<center><p>y</center>").style("y").box.margin.left == LengthPercentage.zero)
    }

    @Test func equalElementsShareOneStyle() {
        let styled = Styled("<ul>" + String(repeating: "<li class=a>x", count: 100) + "</ul>", css: ".a{color:red}")
        #expect(styled.tree.styles.styles.count < 6)
        // At any depth.
        for tags in ["<div>", "<b>", "<blockquote>", "<ul>", "<small>", "<ruby><rt>", "<b><i><em>"] {
            let nested = Styled(String(repeating: tags, count: 2_000) + "x", css: "p{color:red}")
            #expect(nested.tree.styles.styles.count < 1_000, "\(tags)")
        }
    }

    // MARK: Sizes of monospace

    @Test(arguments: [
        ("", 13), ("font-size:24px", 24), ("font-size:1.5em", 19.5), ("font-size:150%", 19.5), ("font-size:large", 16),
        ("font-size:calc(1em + 8px)", 24), ("font-size:2rem", 32), ("font-size:10vw", 80),
    ])
    func monospaceFollowsSizesThatAreNoLengths(_ css: String, _ size: Float) {
        #expect(Styled("<p style='\(css)'><code>x</code></p>").style("x").font.size == size)
    }

    @Test func shareOfALengthIsALength() {
        let html = "<div style='font-size:20px'><p style='font-size:120%'><code>x</code></p></div>"
        #expect(abs(Styled(html).style("x").font.size - 24) < 0.001)
    }

    // MARK: Presentational attributes of tables (HTML §15.3.9)

    private func border(_ table: String) -> Sides<BorderSide> {
        Styled(table + "<tr><td>x</table>").style("x").box.border
    }

    @Test func cellsTakeTheirBordersFromTheTable() {
        let inset = border("<table border=3>").top
        #expect(inset.style == .inset && inset.width == 1 && inset.color == .black)
        #expect(border("<table border=0>").top.style == .none)
        let solid = border("<table border=3 bordercolor=red>").left
        #expect(solid.style == .solid && solid.width == 1 && solid.color == Color(red: 255, green: 0, blue: 0))
    }

    @Test func rulesSayWhichEdgesOfCellsHaveLines() {
        let rows = border("<table rules=rows border>")
        #expect(rows.top.style == .solid && rows.bottom.style == .solid && rows.left.style == .none)
        let columns = border("<table rules=cols>")
        #expect(columns.top.style == .none && columns.left.style == .solid && columns.right.style == .solid)
        #expect(border("<table rules=none border=1>").top.style == .none)
    }

    @Test func rulesOfGroupsAreOnGroups() {
        let styled = Styled("<table rules=groups><tbody><tr><td>x</table>")
        let body = (0..<styled.tree.tree.count).map { NodeID($0) }.first { styled.tree.tree.tag($0) == .tbody }!
        #expect(styled.tree.computed(body).box.border.bottom.style == .solid)
        #expect(styled.tree.computed(body).box.border.left.style == .none)
    }

    @Test func underlinesOfVerticalTextDependOnTheLanguage() {
        for (language, isOver) in [
            ("ja", true), ("ko-KR", true), ("KO", true), ("kok", false), ("jam", false), ("zh", false),
        ] {
            let style = Styled("<p lang=\(language) style='writing-mode:vertical-rl'>x").style("x")
            #expect(style.underlinesOver == isOver, "\(language)")
        }
    }
}
