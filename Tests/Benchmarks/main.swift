// Benchmarks: medians of repeated runs, over sizes, printed as a table. `make bench` runs them in release mode.
//
//     swift run -c release Benchmarks [FILTER] [--page FILE] [--runs N]
//
// --runs: the exact number of runs of each benchmark, for counting instructions rather than time.
// --page: an HTML file to measure syntax on, instead of one made here. Peers are measured beside it when they are installed:
// programs found in PATH, and Python packages by the Python that PEERS_PYTHON names.

import FancyText
import FancyTextBasics
import FancyTextCSS
import FancyTextStyling

private let options = BenchmarkOptions(CommandLine.arguments.dropFirst())
exactRuns = options.runs
private func wants(_ name: String) -> Bool { options.filter.isEmpty || name.contains(options.filter) }

if wants("syntax") { benchmarkSyntax(options) }

if wants("visit") {
    /// The walker of ``benchmarkVisitors()``, written as by a user.
    struct UserWalker: MarkupWalker {
        var elements = 0

        mutating func enterElement(_ element: ElementNode) -> MarkupDescent {
            elements += 1
            return .contents
        }
    }
    let document = MarkupParser().parse(benchmarkVisitors(), name: "page")
    var walker = UserWalker()
    report("  walker of a user", median { document.visit(&walker) })
    report(
        "  parse and style",
        median(least: 20) {
            var copy = MarkupParser().parse(makePage(100_000), name: "page")
            _ = copy.styled()
        })
}

private let card = """
    <!doctype html><html><head><style>body{margin:0;padding:60px;font-family:Inter}h1{font-size:64px;line-height:1.1;\
    margin:0 0 24px;font-weight:800}p{font-size:28px;line-height:1.5;margin:0 0 16px}mark{border-radius:6px;padding:0 6px}\
    </style></head><body><h1>Styled text, <span id=a>without a browser</span></h1><p>FreeType and HarfBuzz do the glyphs; \
    <b>fancytext</b> does the rest: <i>bold, italic</i>, <u>underline</u>, <mark>marks</mark> and <a href="#">links</a>.</p>\
    <p>The quick brown fox jumps over the lazy dog. Pack my box with five dozen liquor jugs. How vexingly quick daft zebras \
    jump! Sphinx of black quartz, judge my vow.</p></body></html>
    """

if wants("card") {
    print("card of 1200×630 pixels, warm")
    var options = RenderOptions()
    options.width = .pixels(1200)
    options.height = .pixels(630)
    let parser = MarkupParser()
    let renderer = Renderer()
    var size = 0
    report(
        "  parse to PNG",
        median {
            var document = parser.parse(card)
            size = (try? renderer.png(&document, options).count) ?? 0
        })
    print("    \(size) bytes of PNG")
    report(
        "  parse to painted pixels",
        median {
            var document = parser.parse(card)
            try? renderer.paint(&document, options)
        })
    report("  parse", median { _ = parser.parse(card) })
    report(
        "  parse and style",
        median {
            var document = parser.parse(card)
            _ = document.styledContents()
        })
    report(
        "  parse, style and lay out",
        median {
            var document = parser.parse(card)
            _ = try? renderer.displayList(&document, options)
        })
    var styled = parser.parse(card)
    _ = styled.styledContents()
    report("  lay out, styled before", median { _ = try? renderer.layoutTree(&styled, options) })
    report("  lay out and list, styled before", median { _ = try? renderer.displayList(&styled, options) })
    report("  lay out and paint, styled before", median { try? renderer.paint(&styled, options) })
}

if wants("edit") {
    print("edits")
    let parser = MarkupParser()
    let items = (0..<99).map { "<p id=i\($0)>Item <b>\($0)</b></p>" }.joined()
    var document = parser.parse("<div>\(items)<p id=t>x</p></div>")
    _ = document.styledContents()
    var count = 0
    report(
        "  set one text of 200 elements, restyle",
        median {
            count += 1
            document.setText("text \(count)", ofID: "t")
            _ = document.styledContents()
        })
    report(
        "  set one style of 200 elements, resolve",
        median {
            count += 1
            var style = MarkupStyle()
            style.kern = Float(count % 100)
            document.setStyle(style, ofID: "t")
            _ = document.styled()
        })
    report(
        "  append and remove an element, restyle",
        median {
            document.append("<i id=new>new</i>", toID: "t")
            document.remove(id: "new")
            _ = document.styledContents()
        })
    let before = document.tree.editStorage.bytes
    for number in 0..<100_000 { document.setText("text \(number)", ofID: "t") }
    print("    100,000 edits: \(before) bytes of edits before, \(document.tree.editStorage.bytes) after")
}

if wants("fancy cell") {
    print("cells, warm")
    let parser = MarkupParser()
    let renderer = Renderer()
    var options = RenderOptions()
    options.width = .pixels(320)
    options.height = .pixels(80)
    options.padding = 4
    options.verticalAlignment = .middle
    var cell = parser.parse(
        """
        <style>.default{font:14px/17px Inter;color:#222}.title{font-weight:700;line-clamp:2}.details{color:#888;\
        font-size:12px}.expiry{color:#c2410c;font-size:12px}</style><div class=title id=title>x</div><div class=details>\
        Season 1 : Ep. 1 (22:31)</div><div class=expiry>Expires in 3 days</div>
        """)
    var count = 0
    let title = "Family Guy: Death Has a Shadow and Everybody in Quahog Knows It Already, Episode "
    report(
        "  cell of 320×80: set a text, clamp, paint",
        median {
            count += 1
            cell.setText(title + String(count), ofID: "title")
            try? renderer.paint(&cell, options)
        })
    var limited = parser.parse("<p style='margin:0;font:14px/17px Inter'><b id=t>x</b> and <span>details</span></p>")
    options.maximumLines = 2
    report(
        "  cell of 320×80: set a text, --max-lines 2",
        median {
            count += 1
            limited.setText(title + String(count), ofID: "t")
            try? renderer.paint(&limited, options)
        })
}

if wants("fancy effects") {
    print("effects, warm")
    let parser = MarkupParser()
    let renderer = Renderer()
    var wide = RenderOptions()
    wide.width = .pixels(1200)
    wide.height = .pixels(630)
    var times: [Double] = []
    for (name, css) in [
        ("plain", ""), ("text-shadow 20px on h1", "h1{text-shadow:0 0 20px #00f8}"),
        ("text-shadow 20px on all", "body{text-shadow:0 0 20px #00f8}"),
        ("text-shadow 4px on all", "body{text-shadow:0 1px 4px #0008}"),
        ("box-shadow 20px", "mark,h1,p{box-shadow:0 4px 20px #0006}"),
    ] {
        let styled = MarkupParserBuilder.default().add(css: css).build()
        var document = styled.parse(card)
        times.append(median { try? renderer.paint(&document, wide) })
        report("  card, laid out and painted: \(name)", times[times.count - 1])
    }
    for (name, time) in zip(["h1", "all"], times.dropFirst()) {
        report("    of which the blur of 20px on \(name)", time - times[0])
    }
    let short =
        "<p>" + String(repeating: "Big news for everyone who likes good type. ", count: 6)
        + "<br>Short<br>and sweet</p>"
    for (name, fitted) in [("plain", nil), ("fitted", 12...90)] as [(String, ClosedRange<Float>?)] {
        var options = RenderOptions()
        options.width = .pixels(400)
        options.fitLines = fitted
        var document = parser.parse("<style>.default{font:16px Inter}</style>" + short)
        report("  lay out lines: \(name)", median { _ = try? renderer.layoutTree(&document, options) })
    }
}

/// A sheet of `count` typical rules, for ``styledPage(_:style:)``.
private func sheet(_ count: Int) -> String {
    (0..<count).map { index in
        let selector =
            switch index % 8 {
            case 0, 1: ".c\(index)"
            case 2: ".docblock .c\(index - 2)"
            case 3: ".method > .code-header a.c\(index - 3)"
            case 4: "#method-\(index)"
            case 5: "section.method .c\(index - 5):hover, .u\(index) > li"
            case 6: "ul li.c\(index - 6):first-child"
            default: ".m\(index) a[href^=\"x\"]"
            }
        let declarations = "color: #\(100 + index % 900); margin-left: \(index % 7)px; font-weight: \(index % 9 + 1)00"
        return "\(selector) { \(declarations) }\n"
    }.joined()
}

/// A page of about `size` bytes whose elements have ids and classes, some of which a sheet names.
private func styledPage(_ size: Int, style: String = "") -> String {
    var html = "<!doctype html><html lang=en><head><title>Page</title><style>\(style)</style></head><body>\n"
    var index = 0
    while html.utf8.count - style.utf8.count < size {
        html += """
            <section id="method-\(index)" class="method c\(index % 5000)"><h4 class="code-header">pub fn \
            <a href="#method" class="fn c\(index * 8 % 5000)">push</a>(&amp;mut self, ch: <a class="primitive">char</a>)</h4>\
            </section><div class="docblock"><p>Appends the <code class="c\(index * 3 % 5000)">char</code> to the \
            <em>end</em>.</p><ul><li class="item c\(index * 6 % 5000)">First<li class="item">Second with \
            <b class=note>inline</b> markup</ul></div>

            """
        index += 1
    }
    return html + "</body></html>\n"
}

if wants("rules") {
    print("rules, on a page of 1 MB")
    let html = styledPage(1_000_000)
    for count in [0, 50, 500, 5_000, 20_000] {
        let css = sheet(count)
        let parser = MarkupParserBuilder.default().add(css: css).build()
        let tree = parser.parse(html).tree
        var sample = Document(tree: tree, parser: parser, diagnostics: DiagnosticLog())
        let styles = sample.styled().styles.styles.count
        print("  \(count) rules: \(tree.count) nodes, \(styles) distinct styles")
        report(
            "    resolve",
            median {
                var document = Document(tree: tree, parser: parser, diagnostics: DiagnosticLog())
                _ = document.styled()
            }, bytes: html.utf8.count)
        let plain = MarkupParser()
        let withSheet = plain.parse(styledPage(1_000_000, style: css)).tree
        report(
            "    parse the sheet in <style> and resolve",
            median {
                var document = Document(tree: withSheet, parser: plain, diagnostics: DiagnosticLog())
                _ = document.styled()
            }, bytes: html.utf8.count)
    }
}

if wants("json") {
    print("JSON of styled text")
    let parser = MarkupParser()
    let renderer = Renderer()
    for size in [10_000, 100_000, 1_000_000] {
        var document = parser.parse(makePage(size), name: "page")
        _ = document.styledContents()
        report("  write \(size / 1000) KB", median(least: 3) { _ = try? renderer.json(&document) }, bytes: size)
    }
    for depth in [1_000, 10_000, 100_000] {
        var document = parser.parse(String(repeating: "<b>x", count: depth))
        _ = document.styledContents()
        report("  write \(depth) elements deep", median(least: 3) { _ = try? renderer.json(&document) })
    }
}

if wants("article") {
    print("layout of articles")
    let parser = MarkupParser()
    let renderer = Renderer()
    let sentence =
        "Typography is the craft of endowing human language with a <b>durable</b> visual form, and thus with an <i>independent</i> existence. "
    for size in [10_000, 100_000, 1_000_000, 10_000_000] {
        let paragraph = "<p>" + String(repeating: sentence, count: 5) + "</p>\n"
        let html = String(repeating: paragraph, count: max(1, size / paragraph.utf8.count))
        var document = parser.parse(html)
        _ = document.styledContents()
        report(
            "  lay out \(size / 1000) KB",
            median(least: 3) { _ = try? renderer.layoutTree(&document, RenderOptions()) }, bytes: html.utf8.count)
    }
}
