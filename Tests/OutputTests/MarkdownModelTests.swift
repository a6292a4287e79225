// Markdown of tables, lists and links, made from generated boxes.

import Testing

@testable import FancyTextBasics
@testable import FancyTextGeneration
@testable import FancyTextMarkup
@testable import FancyTextOutputs
@testable import FancyTextStyling
@testable import FancyTextWriting

@Suite struct MarkdownModelTests {
    private func markdown(_ html: String) -> String {
        var log = DiagnosticLog()
        let tree = MarkupTree.parse(html)
        let styled = MarkupStyleResolver(options: StyleOptions()).resolve(tree, log: &log)
        var writer = MarkdownWriter(BoxGenerator.generate(styled, log: &log), tree: tree)
        return String(decoding: writer.write(log: &log), as: UTF8.self)
    }

    @Test func spannedSlotsAreEmptyCells() {
        let table = "<table><tr><th rowspan=2>a<th colspan=2>b<tr><td>c<td>d<tr><td>e<td rowspan=9>f<td>g</table>"
        #expect(markdown(table) == "| a | b |  |\n|---|---|---|\n|  | c | d |\n| e | f | g |\n")
    }

    @Test func termsAreStrongAndDefinitionsAreItems() {
        #expect(
            markdown("<dl><dt>a<dt>b <code>c</code><dd>d<dd>e<dt>f<dd><p>g<p>h</dl>")
                == "**a**\n\n**b `c`**\n\n- d\n\n- e\n\n**f**\n\n- g\n\n  h\n")
        #expect(markdown("<dl><dd>a</dl>") == "a\n")
    }

    @Test func tablesInTablesKeepTheirRows() {
        let inner = "<table><tr><td>a<td>b<tr><td>c<td>d</table>"
        let lines = "| a | b |\n|---|---|\n| c | d |\n"
        #expect(
            markdown("<table><tr><td>e<td>f<tr><td colspan=2>\(inner)<tr><td>g<td>h</table>")
                == "| e | f |\n|---|---|\n\n\(lines)\n| g | h |\n|---|---|\n")
        #expect(markdown("<table><tr><th>e<td>\(inner)</table>") == "| e | a b<br>c d |\n|:---:|---|\n")
    }

    @Test func rowsWithoutTextAreLeftOut() {
        #expect(
            markdown("<table><tr><td>a<td>b<tr style='height:2px'><td colspan=2><tr><td>c<td>d</table>")
                == "| a | b |\n|---|---|\n| c | d |\n")
    }

    @Test func theHeadComesFirstAndTheFootLast() {
        let table = "<table><tfoot><tr><td>f<tbody><tr><td>b<thead><tr><td>h</table>"
        #expect(markdown(table) == "| h |\n|---|\n| b |\n| f |\n")
    }

    @Test func formulasInTextAreNotEscaped() {
        #expect(markdown("<p>$a_1*b*\\\\c~d$ $5_a_ $6") == "$a_1*b*\\\\c~d$ $5\\_a\\_ $6\n")
        #expect(markdown("<p>$$x_1 $$ $[a_b]$ $x_$y") == "$$x_1 $$ $\\[a\\_b\\]$ $x\\_$y\n")
    }

    @Test func scriptsInCodeAreMarked() {
        #expect(markdown("<pre>10<sup>6</sup> x<sub>max</sub> y<sub>Q</sub></pre>") == "```\n10⁶ xₘₐₓ y_Q\n```\n")
        #expect(markdown("<pre>a<sup> </sup>b</pre>") == "```\na b\n```\n")
        let inner = "<span style='display:inline-block'>y<sup>2</sup></span>"
        #expect(markdown("<pre>x<sup>1</sup>\(inner) z<sup>3</sup> end</pre>").hasSuffix("y²\n z³ end\n```\n"))
    }

    /// MathML Core §3.5.
    @Test func formulasAreTheirTeX() {
        func math(_ tex: String, _ attributes: String = "") -> String {
            "<math \(attributes)><semantics><mi>x</mi><annotation encoding='application/x-tex'>\(tex)</annotation></semantics></math>"
        }
        #expect(markdown("a \(math("\\frac{1} 2")) b") == "a $\\frac{1} 2$ b\n")
        #expect(markdown("<p>a<p>\(math("x_1*y", "display=block"))") == "a\n\n$$x_1*y$$\n")
        #expect(markdown("<math><mi>x</mi></math>") == "x\n")
        #expect(markdown("<math><mi>a</mi><mo>+</mo>\(math("x"))</math>") == "a + x\n")
        #expect(markdown(math("cost $5")) == "x\n")
        #expect(markdown(math("a&lt;img src=x>")) == "$a\\lt img src=x\\gt $\n")
        #expect(markdown(math("[a](javascript:b)")) == "$[a] (javascript:b)$\n")
        #expect(markdown("<table><tr><th>\(math("|a|"))</table>").hasPrefix("| $\\|a\\|$ |"))
    }

    @Test func columnsKeepTheirLogicalOrder() {
        #expect(markdown("<table dir=rtl><tr><td>a<td>b</table>") == "| a | b |\n|---|---|\n")
    }

    @Test func veryWideSpansAreNotRepeatedInEachRow() {
        let rows = String(repeating: "<tr><td>b", count: 2_000)
        #expect(markdown("<table><tr><td colspan=1000>a\(rows)</table>").utf8.count < 1_000_000)
    }

    @Test(arguments: [
        ("<ol start=3><li>a<li>b</ol>", "3. a\n4. b\n"), ("<ol reversed><li>a<li>b</ol>", "2. a\n1) b\n"),
        ("<ol><li value=7>a<li>b</ol>", "7. a\n8. b\n"), ("<ol><li>a<li value=7>b<li>c</ol>", "1. a\n7) b\n8) c\n"),
        ("<ol start=-1><li>a<li>b<li>c</ol>", "- -1.\n\n  a\n0. b\n1. c\n"),
        (
            "<table><tr><th>x<td><ol start=3><li>a<li value=9>b</ol></table>",
            "| x | <ol start=3><li>a</li><li value=9>b</li></ol> |\n|:---:|---|\n"
        ), ("<ol type=i><li>a<li>b</ol>", "1. a\n2. b\n"),
        ("<style>@counter-style s{system:cyclic;symbols:★}</style><ol style='list-style:s'><li>a</ol>", "- a\n"),
        ("<ol style='counter-reset:list-item 4'><li>a</ol>", "5. a\n"), ("<ul><li>a</ul>", "- a\n"),
        ("<ol><li style='list-style-type:\"1 \"'>a</ol>", "- a\n"),
        ("<style>li::marker{content:'12) '}</style><ul><li>a</ul>", "12. a\n"),
    ])
    func itemsHaveTheNumbersOfTheirMarkers(_ list: String, _ expected: String) {
        #expect(markdown(list) == expected)
    }

    @Test(arguments: [
        ("<style>p::first-letter{float:left}</style><p>A cat<p>Word", "A cat\n\nWord\n"),
        ("<ul><li><input type=checkbox checked> a<li><input type=checkbox>b</ul>", "- [x] a\n- [ ] b\n"),
        ("<p>a <input value=x> <input placeholder=y> <textarea>z</textarea> b", "a b\n"),
        (
            "<table><tr><th>a<td><input type=checkbox checked> b <input type=radio></table>",
            "| a | ☑ b ○ |\n|:---:|---|\n"
        ),
        ("<p><input type=submit value=Go> <button>Stop</button>", "Go Stop\n"),
        ("<pre>a<input type=checkbox>b</pre>", "```\nab\n```\n"),
        ("<pre><code style='display:inline-block'>a\n</code></pre>", "```\na\n```\n"),
        ("<pre style='display:table'>a\nb</pre>", "```\na\nb\n```\n"),
        ("<blockquote style='display:table'>a</blockquote>", "> a\n"),
        ("<a href='javascript:f()'>a</a> <a href=' JavaScript:f()'>b</a> <a href=c>c</a>", "a b [c](c)\n"),
        ("<button>Stop</button>Now<select><option>Two</select><label>No</label>", "Stop Now Two No\n"),
    ])
    func controlsAndScriptsAreNoText(source: String, expected: String) { #expect(markdown(source) == expected) }

    @Test(arguments: [
        ("<p><span style='float:right'>A0</span><b>#0</b>", "A0 **#0**\n"),
        ("<p style='position:relative'><i style='position:absolute'>1</i>Lorem", "_1_ Lorem\n"),
        ("<p>a<sup>2</sup><br><sup>1</sup>b", "a<sup>2</sup>\\\n<sup>1</sup>b\n"),
        ("<p><a href=u>one</a> <a href=u>two</a>", "[one](u) [two](u)\n"),
        (
            "<table><thead><tr><th>A<th>B</thead><tbody><tr><th colspan=2>C<tr><td>1<td>2</table>",
            "| A | B |\n|:---:|---|\n| C |  |\n| 1 | 2 |\n"
        ),
    ])
    func whatIsApartStaysApart(source: String, expected: String) { #expect(markdown(source) == expected) }

    /// Blocks out of the flow, in a line or in cells of a layout table stay blocks.
    @Test(arguments: [
        (
            "<div style='overflow:hidden'><div style='float:left'><h2>T</h2><ul><li>a<li>b</ul></div>c</div>",
            "## T\n\n- a\n- b\n\nc\n"
        ),
        ("<div>a<div style='position:absolute'><h1>T</h1><pre>x</pre></div>b</div>", "a\n\n# T\n\n```\nx\n```\n\nb\n"),
        ("<div>a <div style='display:inline-block'><p>b<p>c</div> d</div>", "a\n\nb\n\nc\n\nd\n"),
        ("<ul><li style='float:left'>a<li style='float:left'>b</ul>", "- a\n- b\n"),
        ("<ul><li style='display:inline-block'>a <li style='display:inline'>b</ul>", "- a\n- b\n"),
        ("<ul style='list-style:none'><li>a<li><li>b</ul>", "- a\n- b\n"),
        ("<div>a <h2 style='display:inline'>T</h2> b</div>", "a\n\n## T\n\nb\n"),
        ("<h2 style='display:list-item'>T</h2>", "- ## T\n"),
        ("<h2 style='display:table'>T</h2>", "## T\n"),
        (
            "<div>aa <span style='float:right'>bb</span> <span style='display:inline-block'>cc</span></div>",
            "aa bb cc\n"
        ),
        (
            "<ul><li style='display:inline' class=m>a <li style='display:inline'>b</ul><style>.m::before{content:'m '}</style>",
            "- m a\n- b\n"
        ),
        ("<ol style='list-style-position:inside'><li value=3>a<li><p>b</ol>", "3. a\n\n4. b\n"),
        ("<ul style='list-style-position:inside'><li>a<li style='list-style-type:lower-alpha'>b</ul>", "- a\n- b. b\n"),
        ("<div>a<div style='float:right'>b</div></div>", "a\n\nb\n"),
        ("<p>a <ruby>b<rt>c</ruby> d", "a b(c) d\n"),
        ("<ul><li>a<ol start=3><li>b</ol><li>c<ul><li></ul></ul>", "- a\n\n  3. b\n- c\n\n  -\n"),
        ("<div><ul><li>a</ul></div><div><ul><li>b</ul></div>", "- a\n\n<!-- -->\n\n- b\n"),
        ("<img src=a.png alt=b title=c>", "![b](a.png \"c\")\n"),
        ("<p>Hi!<a href=x>a</a>", "Hi\\![a](x)\n"),
        ("<p>→<i>see</i> →<b>'S'</b> <i>x</i>©", "→*see* →<strong>'S'</strong> *x*©\n"),
        ("<div style='white-space:pre'>if x:\n  y z</div>", "if x:\\\n\u{A0}\u{A0}y z\n"),
    ])
    func blocksKeepTheirStructure(_ source: String, _ expected: String) { #expect(markdown(source) == expected) }

    @Test(arguments: [
        ("<table><tr><td><h1>T</h1><p>a<p>b<td><ul><li>c</ul></table>", "# T\n\na\n\nb\n\n- c\n"),
        ("<table><tr><td><table><tr><td>a<tr><td>b</table><tr><td>c<td>d</table>", "a\n\nb\n\nc d\n"),
        ("<table role=presentation><tr><th>a<td>b</table>", "a b\n"),
        ("<table role=presentation><tr><td>a<br>b<td>c<br>d</table>", "a\\\nb\n\nc\\\nd\n"),
        (
            "<table><thead><tr><th rowspan=2>n<th colspan=2>p<tr><th>e<th>u</thead><tr><td>1<td>2<td>3</table>",
            "| n | p e | p u |\n|---|---|---|\n| 1 | 2 | 3 |\n"
        ),
        ("<table><tr><td>a</table>", "a\n"), ("<table><tr><th>a<tr><td>b</table>", "| a |\n|---|\n| b |\n"),
        ("<table><tr><td><p>a</p><td><p>b</p></table>", "| a | b |\n|---|---|\n"),
        ("<table><caption># c</caption><tr><th>a<td>b</table>", "\\# c\n\n| a | b |\n|:---:|---|\n"),
        (
            "<table><tr><th>a<td><ul><li>b <i>c</i><li>d</ul>e<h3>T</h3></table>",
            "| a | <ul><li>b _c_</li><li>d</li></ul>e<h3>T</h3> |\n|:---:|---|\n"
        ),
    ])
    func tablesOfLayoutAreBlocks(_ source: String, _ expected: String) { #expect(markdown(source) == expected) }

    @Test func adjacentLinksAreWords() {
        #expect(markdown("<a href=x>About</a><a href=y>Help</a>") == "[About](x) [Help](y)\n")
        #expect(markdown("<a href=x>D</a><a href=y>ata</a>") == "[D](x)[ata](y)\n")
    }

    @Test func linksReachAnyDepth() {
        let spans = String(repeating: "<span>", count: 100)
        #expect(markdown("<p><a href=x title=t>\(spans)deep</a>") == "[deep](x \"t\")\n")
    }
}
