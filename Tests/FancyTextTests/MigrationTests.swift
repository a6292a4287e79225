// The pages on migrating: each row of their tables has a check here, and each check has a row.

import FancyTextTestSupport
import Foundation
import FancyTextWriting
import Testing

@testable import FancyText
@testable import FancyTextCSS
@testable import FancyTextStyling

/// A row by its first cell, and a check of its second cell.
private struct RowCheck: Sendable {
    var row: String
    var holds: @Sendable () async throws -> Bool

    init(_ row: String, _ holds: @escaping @Sendable () async throws -> Bool) {
        self.row = row
        self.holds = holds
    }
}

private let plain = MarkupParser()
private let red = MarkupStyle(foregroundColor: Color(css: "red"))
private let blue = MarkupStyle(foregroundColor: Color(css: "blue"))

/// The style of the run that `text` begins with, or of the first run that contains `part`.
private func style(_ parser: MarkupParser, _ html: String, _ part: String = "") -> MarkupStyle {
    let text = parser.render(html)
    return text.runs.first { part.isEmpty || text.text(of: $0).contains(part) }?.style ?? MarkupStyle()
}

/// The style of text after a style given in code for its tag went through the cascade.
private func through(_ change: (inout MarkupStyle) -> Void) -> MarkupStyle {
    var given = MarkupStyle()
    change(&given)
    return style(MarkupParserBuilder.default().add("p", style: given).build(), "<p>x")
}

private func gs(_ css: String, _ html: String) -> MarkupStyle {
    style(MarkupParserBuilder.default().add(css: css).set(dialect: .gsfancytext).build(), html, "x")
}

private func options(width: Float) -> RenderOptions {
    var options = RenderOptions()
    options.width = .pixels(width)
    options.padding = 0
    return options
}

private func json(_ html: String, _ options: RenderOptions, parser: MarkupParser = plain) throws -> String {
    var document = parser.parse(html)
    let bytes = try Renderer().json(&document, options, content: JSONContent(hasLayout: true))
    return String(decoding: bytes, as: UTF8.self)
}

private func edited(_ html: String, _ change: (inout Document) -> Void) -> String {
    var document = plain.parse(html)
    change(&document)
    return document.html()
}

private let fromZMarkupParser: [RowCheck] = [
    // Building a parser.
    RowCheck("`ZHTMLParserBuilder.initWithDefault()`") {
        style(MarkupParserBuilder.default().build(), "<b>x</b>").font.weight == 700
    },
    RowCheck("`ZHTMLParserBuilder()`") {
        let parser = MarkupParserBuilder().add("b").build()
        return parser.parse("<b style='color:red'>x</b><i>y</i>").html() == "<b style=\"color:red\">x</b>y"
            && style(parser, "<b style='color:red'>x</b>").foregroundColor == .black
    },
    RowCheck("`.set(rootStyle:)`") {
        let root = MarkupStyle(font: .init(size: 13))
        return style(MarkupParserBuilder.default().set(rootStyle: root).build(), "x").font.size == 13
            && style(MarkupParserBuilder.default().set(rootStyle: "font-size:13px").build(), "x").font.size == 13
    },
    RowCheck("`.add(B_HTMLTagName(), withCustomStyle:)`") {
        let custom = MarkupStyle(font: .init(size: 18, weight: .semibold))
        let style = style(MarkupParserBuilder.default().add("b", style: custom).build(), "<B>x</B>")
        return style.font.size == 18 && style.font.weight == 600
    },
    RowCheck("`.add(B_HTMLTagName())`") {
        style(MarkupParserBuilder().add("b").build(), "<b>x</b>").font.weight == 700
    },
    RowCheck("the same tag added again") {
        let twice = MarkupParserBuilder.default().add("b", style: MarkupStyle(font: .init(size: 40))).add(
            "b", style: red)
        let style = style(twice.build(), "<b>x</b>")
        return style.font.size == 16 && style.foregroundColor == red.foregroundColor
    },
    RowCheck("`.add(ExtendTagName(\"zhgchgli\"), withCustomStyle:)`") {
        let aquamarine = MarkupStyle(backgroundColor: Color(css: "aquamarine"))
        let parser = MarkupParserBuilder.default().add("zhgchgli", style: aquamarine).build()
        return style(parser, "<zhgchgli>x</zhgchgli>").backgroundColor == Color(css: "aquamarine")
    },
    RowCheck("`.add(OL_HTMLTagName(), withCustomStyle: … textListStyleType: .circle …)`") {
        var list = MarkupStyle()
        list.paragraphStyle.listStyle = "circle"
        var document = MarkupParserBuilder.default().add("ol", style: list).build().parse("<ol><li>x</ol>")
        return document.styledText().runs.contains { $0.style.paragraphStyle.listStyle == "circle" }
            && document.plainText().contains("◦ x")
    },
    RowCheck("`.add(ColorHTMLTagStyleAttribute())`") {
        let parser = MarkupParserBuilder().add("b").add(styleAttribute: "color").build()
        let style = style(parser, "<b style='color:red;font-size:40px'>x</b>")
        return style.foregroundColor == red.foregroundColor && style.font.size == 16
    },
    RowCheck("`ExtendHTMLTagStyleAttribute(styleName:render:)`") {
        let parser = MarkupParserBuilder.default().add(styleAttribute: "text-decoration") { value in
            var style = MarkupStyle()
            if value == "underline" { style.underlineStyle = .wavy }
            return style
        }.build()
        return style(parser, "<b style='text-decoration: underline'>x</b>").underlineStyle == .wavy
    },
    RowCheck("`HTMLTagClassAttribute(className:render:)`") {
        let parser = MarkupParserBuilder.default().add(class: "text-red", style: red)
            .add(class: "text-small", style: MarkupStyle(font: .init(size: 6))).build()
        let style = style(parser, "<span class='text-red text-small'>x</span>")
        return style.foregroundColor == red.foregroundColor && style.font.size == 6
    },
    RowCheck("`HTMLTagIdAttribute(idName:render:)`") {
        let parser = MarkupParserBuilder.default().add(id: "header", style: MarkupStyle(font: .init(size: 36))).build()
        return style(parser, "<span id=header>x</span>").font.size == 36
    },
    RowCheck("`.set(policy: .respectMarkupStyleFromHTMLStyleAttribute)`") {
        let builder = MarkupParserBuilder.default().add("b", style: blue)
        return [builder, builder.set(policy: .html)].allSatisfy {
            style($0.build(), "<b style='color:red'>x</b>").foregroundColor == red.foregroundColor
        }
    },
    RowCheck("`.set(policy: .respectMarkupStyleFromCode)`") {
        let parser = MarkupParserBuilder.default().add("b", style: blue).set(policy: .code).build()
        let style = style(parser, "<b style='color:red;font-size:30px'>x</b>")
        return style.foregroundColor == blue.foregroundColor && style.font.size == 30
    },
    RowCheck("`IMG_HTMLTagName(handler:)`") {
        let svg = Array("<svg xmlns='http://www.w3.org/2000/svg' width='30' height='20'/>".utf8)
        let parser = MarkupParserBuilder.default().set(imageLoader: { $0 == "app:a" ? svg : nil }).build()
        var ahead = plain.parse("<img src=app:a>")
        await ahead.loadImages(with: { _ in svg })
        for var document in [parser.parse("<img src=app:a>"), ahead] {
            let layout = try Renderer().json(&document, options(width: 100), content: JSONContent(hasLayout: true))
            guard String(decoding: layout, as: UTF8.self).contains("\"width\":30"), document.diagnostics.entries.isEmpty
            else { return false }
        }
        return true
    },
    RowCheck("`TD_HTMLTagName(fixedMaxLength:spacing:)`") {
        let table = "<table><tr><td>a long cell<td>b<tr><td>c<td>d</table>"
        let cut = MarkupParserBuilder.default().set(tables: .padded(spacing: 2, fixedMaxLength: 6)).build()
        guard cut.render(table).text == "a long... b\nc       d" else { return false }
        let text = plain.parse(table).plainText()
        return text == "a long cell  b\nc            d\n" || text == "a long cell  b\nc            d"
    },
    RowCheck("`.build()`") { MarkupParserBuilder.default().build().diagnostics.entries.isEmpty },
    RowCheck("–") {
        var document = plain.parse("<p id=a>x")
        let isSet = document.setText("y", ofID: "a")
        let parser = MarkupParserBuilder.default().add(css: "p > b { color: red }").build()
        return isSet && document.html() == "<p id=\"a\">y</p>"
            && style(parser, "<p><b>x</b>").foregroundColor == red.foregroundColor
    },
    // Using it.
    RowCheck("`parser.render(html)`") { plain.render("<a>Li<b>nk</a>Bold</b>").text == "LinkBold" },
    RowCheck("`parser.render(html, forceDecodeHTMLEntities: false)`") {
        MarkupParserBuilder.default().set(decodesEntities: false).build().render("a &amp; b").text == "a &amp; b"
    },
    RowCheck("`parser.stripper(html)`") {
        plain.strip("Test<a href=\"https://zhgchg.li\">Qoo</a>DDD") == "TestQooDDD"
            && plain.parse("a<br>b").plainText().hasPrefix("a\nb")
    },
    RowCheck("`parser.selector(html)`") {
        let matched = try plain.selection(in: "<a>1</a><a class=x>2</a>", matching: "a.x")
        return plain.selection("<a>1</a><b>2</b>").texts == ["1", "2"] && matched.texts == ["2"]
    },
    RowCheck("`selector.first(\"a\")?.first(\"b\")`") {
        plain.selection("<a><b>Test</b>Link</a>").filter("a").first?.children("b").first?.texts == ["Test"]
    },
    RowCheck("`selector.filter(\"a\")`") {
        let top = plain.selection("<a>1<a>2</a></a><b><a>3</a></b>")
        return top.filter("a").texts == ["1", "2"] && top.filter("b").children("a").texts == ["3"]
    },
    RowCheck("`selector.get()`, `.attributedString`") {
        let found = plain.selection("<a x=1>q<b>r</b></a>")
        return found.html == ["<a x=1>q<b>r</b></a>"] && found.texts == ["qr"]
    },
    RowCheck("`parser.render(selector)`") {
        let found = plain.selection("<a href=u>1<b>2</b></a>").filter("a").children("b")
        let run = plain.render(found).runs.first
        return run?.style.font.weight == 700 && run?.style.link == "u"
    },
    RowCheck("`parser.render(html) { … }`, `stripper`, `selector`") {
        await plain.background { $0.render("<b>x</b>") }.text == "x"
    },
    RowCheck("`<a>` without `href` in the style of links") {
        let parser = MarkupParserBuilder.default().set(showsAnchorsAsLinks: true).build()
        return parser.render("<a>x</a>").runs.first?.style.underlineStyle == .solid
    },
    RowCheck("`parser.render(attributedString)`, `stripper`, `selector`") {
        let source = StyledText("<b>x</b>")
        let selected = try plain.select(in: source, matching: "b")
        return plain.render(source).text == "x" && plain.strip(source).text == "x" && selected.map(\.text) == ["x"]
    },
    RowCheck("`parser.linkTextAttributes`") {
        let parser = MarkupParserBuilder.default().add("a", style: red).build()
        return parser.linkTextAttributes.foregroundColor == red.foregroundColor
            && parser.linkTextAttributes.underlineStyle == .solid
    },
    RowCheck("`label.setHtmlString(html)`") {
        var document = plain.parse("<b>x</b>")
        let renderer = Renderer()
        let png = try renderer.png(&document)
        let json = try renderer.json(&document)
        return png.starts(with: [0x89, 0x50, 0x4E, 0x47]) && !renderer.ansi(&document).isEmpty && json.first == 0x7B
    },
    RowCheck("`MarkupVisitor`, internal") {
        struct Counter: MarkupVisitor {
            mutating func defaultVisit(_ node: MarkupNode, contents: [Int]) -> Int { contents.reduce(1, +) }
        }
        var counter = Counter()
        return plain.parse("<b>x</b>y").visit(&counter) == 4
    },
    // Styles.
    RowCheck("`MarkupStyle(font:backgroundColor:)`") {
        let made = MarkupStyle(font: .init(size: 13), backgroundColor: Color(css: "aquamarine"))
        return made.css == "font-size:13px;background-color:#7fffd4ff"
    },
    RowCheck("`MarkupStyleFont(size:weight:bold:italic:familyName:)`") {
        let font = MarkupStyle.Font(family: [.named("Georgia")], size: 20, weight: 700, italic: true)
        return through { $0.font = font }.font.family == [.named("Georgia")]
            && through { $0.font = font }.font.italic == true && through { $0.font = font }.font.weight == 700
    },
    RowCheck("`.style(.semibold)`, `.rawValue(600)`") {
        MarkupStyle.Font(weight: .semibold) == MarkupStyle.Font(weight: 600)
    },
    RowCheck("`fontCase: .uppercase`") {
        let parser = MarkupParserBuilder.default().add("b", style: with { $0.textTransform = .uppercase }).build()
        return parser.render("<b>x</b>").text == "X"
    },
    RowCheck("`MarkupStyleColor(name:)`, `(string:)`, `(color:)`") {
        Color(css: "aquamarine") == Color(css: "#7fffd4")
            && Color(css: "rgb(1, 2, 3)") == Color(red: 1, green: 2, blue: 3)
    },
    RowCheck(
        "`foregroundColor`, `backgroundColor`, `ligature`, `kern`, `tracking`, `strokeColor`, `shadow`, `textEffect`, "
            + "`attachment`, `link`, `baselineOffset`, `underlineColor`, `strikethroughColor`, `obliqueness`, `expansion`, "
            + "`writingDirection`"
    ) {
        let color = Color(red: 1, green: 2, blue: 3)
        let style = style(
            MarkupParserBuilder.default().add(
                "b",
                style: with {
                    $0.foregroundColor = color
                    $0.backgroundColor = color
                    $0.ligature = 2
                    $0.kern = 2
                    $0.strokeColor = color
                    $0.strokeWidth = 1
                    $0.shadow = [Shadow(x: 1, y: 2, blur: 3, color: color)]
                    $0.textEffect = "glow"
                    $0.link = "u"
                    $0.baselineOffset = 3
                    $0.underlineStyle = .solid
                    $0.underlineColor = color
                    $0.obliqueness = 0.5
                    $0.expansion = 0.25
                    $0.writingDirection = .rtl
                }
            ).build(), "<b>x</b>")
        let struck = through {
            $0.strikethroughStyle = .solid
            $0.strikethroughColor = color
            $0.tracking = 100
        }
        return style.foregroundColor == color && style.backgroundColor == color && style.ligature == 2
            && style.kern == 2
            && style.strokeColor == color && style.shadow?.first?.blur == 3 && style.textEffect == "glow"
            && style.link == "u" && style.baselineOffset == 3 && style.underlineColor == color
            && style.obliqueness == 0.5 && style.expansion == 0.25 && style.writingDirection == .rtl
            && struck.strikethroughColor == color && struck.tracking == 100
    },
    RowCheck("`underlineStyle`, `strikethroughStyle`") {
        [DecorationStyle.solid, .double, .dotted, .dashed, .wavy].allSatisfy { line in
            through { $0.underlineStyle = line }.underlineStyle == line
                && through { $0.strikethroughStyle = line }.strikethroughStyle == line
        }
    },
    RowCheck("`strokeWidth`") { through { $0.strokeWidth = 2 }.strokeWidth == 2 },
    RowCheck("`verticalGlyphForm`") {
        through { $0.verticalGlyphForm = true }.verticalGlyphForm == true
    },
    RowCheck(
        "`lineSpacing`, `paragraphSpacing`, `paragraphSpacingBefore`, `alignment`, `headIndent`, `tailIndent`, "
            + "`firstLineHeadIndent`, `minimumLineHeight`, `maximumLineHeight`, `lineHeightMultiple`, `lineBreakMode`, "
            + "`tabStops`, `defaultTabInterval`"
    ) {
        var given = MarkupStyle.Paragraph()
        given.lineSpacing = 1
        given.paragraphSpacing = 2
        given.paragraphSpacingBefore = 3
        given.alignment = .center
        given.headIndent = 4
        given.tailIndent = 5
        given.firstLineHeadIndent = 6
        given.minimumLineHeight = 7
        given.maximumLineHeight = 80
        given.lineHeightMultiple = 1.5
        given.lineBreakMode = .byTruncatingMiddle
        given.tabStops = [9]
        given.defaultTabInterval = 10
        let got = through { $0.paragraphStyle = given }.paragraphStyle
        return got.lineSpacing == 1 && got.paragraphSpacing == 2 && got.paragraphSpacingBefore == 3
            && got.alignment == .center && got.headIndent == 4 && got.tailIndent == 5 && got.firstLineHeadIndent == 6
            && got.minimumLineHeight == 7 && got.maximumLineHeight == 80 && got.lineHeightMultiple == 1.5
            && got.lineBreakMode == .byTruncatingMiddle && got.tabStops == [9] && got.defaultTabInterval == 10
    },
    RowCheck("`baseWritingDirection`, `hyphenationFactor`, `lineBreakStrategy`") {
        let got = through {
            $0.paragraphStyle.baseWritingDirection = .rtl
            $0.paragraphStyle.hyphenationFactor = 0.5
            $0.paragraphStyle.lineBreakStrategy = .pushOut
        }.paragraphStyle
        return got.baseWritingDirection == .rtl && got.hyphenationFactor == 0.5 && got.lineBreakStrategy == .pushOut
    },
    RowCheck("`allowsDefaultTighteningForTruncation`") {
        through { $0.paragraphStyle.allowsDefaultTighteningForTruncation = true }.paragraphStyle
            .allowsDefaultTighteningForTruncation == true
    },
    RowCheck("`usesDefaultHyphenation`") {
        through { $0.paragraphStyle.hyphenation = true }.paragraphStyle.hyphenation == true
    },
    RowCheck("`textListStyleType`, `textListHeadIndent`, `textListIndent`") {
        var document = MarkupParserBuilder.default().add(
            "ul",
            style: with {
                $0.paragraphStyle.listStyle = "lower-roman"
                $0.paragraphStyle.headIndent = 12
            }
        ).build().parse("<ul><li>x</ul>")
        return document.plainText().contains("i. x")
            && document.styledText().runs.contains { $0.style.paragraphStyle.listStyle == "lower-roman" }
    },
    RowCheck("`fillIfNil(from:)`") {
        var child = red
        child.fillIfNil(from: MarkupStyle(font: .init(size: 9), foregroundColor: blue.foregroundColor))
        return child.foregroundColor == red.foregroundColor && child.font.size == 9
    },
    RowCheck("vendor and sponsor colours") { Color(css: "#0a62b3") == Color(red: 0x0A, green: 0x62, blue: 0xB3) },
]

private func with(_ change: (inout MarkupStyle) -> Void) -> MarkupStyle {
    var style = MarkupStyle()
    change(&style)
    return style
}

private let fromGSFancyText: [RowCheck] = [
    // Text and sheets.
    RowCheck("`[GSFancyText parseStyleAndSetGlobal:sheet]`") {
        let style = gs(".green {color:#00ff00; font-weight:bold}", "<span class=green>x</span> Plus")
        return style.foregroundColor == Color(css: "lime") && style.font.weight == 700
    },
    RowCheck("`[[GSFancyText alloc] initWithMarkupText:text]`") { plain.parse("<em>x</em>").rawText == "x" },
    RowCheck("`initWithMarkupText:styleDict:width:maxHeight:`") {
        var limited = options(width: 60)
        limited.maximumHeight = 45
        let layout = try json("one two three four five six seven eight", limited)
        return layout.contains("\"size\":{\"width\":60,") && layout.contains("\"truncated\":{")
    },
    RowCheck("`appendStyleSheet:`") {
        var document = plain.parse("<b class=cyan>x</b>")
        document.append("<style>.cyan { color: cyan }</style>")
        return document.styledText().runs.first?.style.foregroundColor == Color(css: "cyan")
    },
    RowCheck("`[fancyText drawInRect:rect]`, `GSFancyTextView`") {
        var document = plain.parse("x")
        return try Renderer().png(&document, options(width: 20)).starts(with: [0x89, 0x50, 0x4E, 0x47])
    },
    RowCheck("`matchFrameWidthToContent`, `matchFrameHeightToContent`") {
        var fitting = options(width: 1)
        fitting.width = .auto
        return try json("<b>Hello</b>", fitting).contains(
            "\"size\":{\"width\":41,\"height\":20}")
    },
    RowCheck("`contentWidth`, `contentHeight`, `lines`") {
        let layout = try json("a<br>b", options(width: 100))
        return layout.contains("\"size\":{\"width\":100,\"height\":40}")
            && layout.contains("\"lines\":[{\"start\":0,\"end\":2")
    },
    RowCheck("`[fancyText copy]`") {
        let first = plain.parse("<p id=a>x")
        var second = first
        let isSet = second.setText("y", ofID: "a")
        return isSet && first.rawText == "x" && second.rawText == "y"
    },
    RowCheck("`pureText`, `updateAccessibilityLabel`") {
        var speech = PlainTextOptions()
        speech.mode = .speech
        let html = "<span>Hello</span>! <a>How</a> <dog>are</dog> you doing? <lambda id=x alt='Read me if you can'>"
        return plain.parse(html).plainText(speech).hasPrefix("Hello! How are you doing? Read me if you can")
    },
    RowCheck("`defineLambdaID:withBlock:`") {
        var drawn = options(width: 100)
        drawn.lambdas["tv"] = .drawing(width: 40, height: 30) { canvas in
            canvas.fill(.rectangle(x: 0, y: 0, width: canvas.width, height: canvas.height), with: .color(.black))
        }
        return try json("<p style='margin:0;line-height:0'><lambda id=tv></p>", drawn).contains("\"height\":30")
    },
    RowCheck("“Block undefined. A blank space will be created.”") {
        var document = plain.parse("<lambda id=tv width=4 height=4>")
        _ = try Renderer().png(&document, options(width: 20))
        return document.diagnostics.entries.map(\.code) == [.unfilledLambda]
    },
    // Changes.
    RowCheck("`nodeWithID:`, `nodesWithClass:`") {
        let document = plain.parse("<p id=a class=c>1</p><p class='b c'>2</p>")
        return document.element(withID: "a").flatMap { document.text(of: $0) } == "1"
            && document.elements(withClass: "c").compactMap { document.text(of: $0) } == ["1", "2"]
    },
    RowCheck("`changeNodeToText:forID:`") {
        edited("<p id=1>a<b>b</b></p>") { $0.setText("1 < 2", ofID: "1") } == "<p id=\"1\">1 &lt; 2</p>"
    },
    RowCheck("`changeNodeToStyledText:forID:`") {
        edited("<p id=1>a</p>") { $0.setHTML("<strong>B</strong>lah", ofID: "1") }
            == "<p id=\"1\"><strong>B</strong>lah</p>"
    },
    RowCheck("`appendStyledText:toID:`") {
        edited("<p id=1>a</p>") { $0.append("<strong>B</strong>lah", toID: "1") }
            == "<p id=\"1\">a<strong>B</strong>lah</p>"
    },
    RowCheck("`removeID:`") { edited("<p id=1>a</p><p>b</p>") { $0.remove(id: "1") } == "<p>b</p>" },
    RowCheck("`changeAttribute:to:on:withName:`, `addStyles:on:withName:`") {
        var document = plain.parse("<p id=1>a</p><p class=c>b</p>")
        let isSet = document.setStyle(red, ofID: "1")
        for element in document.elements(withClass: "c") { document.setStyle(red, of: element) }
        return isSet
            && document.styledText().runs.allSatisfy {
                $0.style.foregroundColor == red.foregroundColor || $0.tag == nil
            }
    },
    RowCheck("`applyClass:on:withName:`") {
        edited("<p id=1 class=a>x</p><p class=b>y</p>") { document in
            document.addClass("n", toID: "1")
            for element in document.elements(withClass: "b") { document.addClass("n", to: element) }
        } == "<p id=\"1\" class=\"a n\">x</p><p class=\"b n\">y</p>"
    },
    RowCheck("`changeStylesToClass:on:withName:`") {
        edited("<p id=1 class=a>x</p>") { document in
            document.removeClass("a", fromID: "1")
            document.addClass("n", toID: "1")
        } == "<p id=\"1\" class=\"n\">x</p>"
    },
    // The dialect.
    RowCheck("`.default {…}`") {
        gs(".default{color: #ffffff}", "x").foregroundColor == .white
            && style(MarkupParserBuilder.default().add(css: ".default{color:red}").set(dialect: .css).build(), "x")
                .foregroundColor != red.foregroundColor
    },
    RowCheck("`.name {…}`, `span.name {…}`, `class='a b'`") {
        let sheet = "span.a{color: red} .b{font-size: 30}"
        return gs(sheet, "<span class='a b'>x</span>").foregroundColor == red.foregroundColor
            && gs(sheet, "<p class='a b'>x").foregroundColor == .black && gs(sheet, "<p class='a b'>x").font.size == 30
    },
    RowCheck("`color: #00ff00`, `rgb(…)`, `rgba(…)`") {
        ["#00ff00", "'rgb(0, 255, 0)'", "RgB(0,  255,0)", "rgba(0,255,0,255)"].allSatisfy {
            gs("b{color: \($0)}", "<b>x</b>").foregroundColor == Color(css: "lime")
        }
    },
    RowCheck("`color: green`, `orange`, `brown`") {
        gs("b{color: green}", "<b>x</b>").foregroundColor == Color(css: "lime")
            && gs("b{color: orange}", "<b>x</b>").foregroundColor == Color(css: "#ff8000")
            && gs("b{color: brown}", "<b>x</b>").foregroundColor == Color(css: "#996633")
            && style(MarkupParserBuilder.default().add(css: "b{color:green}").build(), "<b>x</b>").foregroundColor
                == Color(css: "#008000")
    },
    RowCheck("`color: clear`") { gs("b{color: clear}", "<b>x</b>").foregroundColor == .transparent },
    RowCheck("`font-family`, `font-weight`, `font-style`") {
        let font = gs("b{font-family: 'Georgia'; font-weight: 'normal'; font-style:'italic'}", "<b>x</b>").font
        return font.family == [.named("Georgia")] && font.weight == 400 && font.italic == true
    },
    RowCheck("`font-size: 11`, `14px`, `'14px'`, `20.f`") {
        [("11", 11), ("14px", 14), ("'14px'", 14), ("20.f", 20)].allSatisfy {
            gs("b{font-size: \($0.0)}", "<b>x</b>").font.size == $0.1
        }
    },
    RowCheck("`text-align`, `text-shadow`") {
        let style = gs("p{text-align: right; text-shadow: 1 2 3 yellow}", "<p>x")
        return style.paragraphStyle.alignment == .right
            && style.shadow == [Shadow(x: 1, y: 2, blur: 3, color: Color(css: "yellow")!)]
    },
    RowCheck("`line-height: 40`, `200%`") {
        gs("p{line-height: 40}", "<p>x").paragraphStyle.lineHeight == 40
            && gs("p{line-height: 200%}", "<p>x").paragraphStyle.lineHeight == 32
    },
    RowCheck("`margin-left: 40`, `10%`") {
        try gs("p{margin-left: 40}", "<p>x").paragraphStyle.headIndent == 40
            && (json(
                "<p>x", options(width: 200),
                parser: MarkupParserBuilder.default().add(css: "p{margin-left: 10%;line-count:9}").build()
            )
            .contains("\"x\":20"))
    },
    RowCheck("`margin-top: 10`, `50%`") {
        gs("p{margin-top: 10}", "<p>x").paragraphStyle.paragraphSpacingBefore == 10
            && gs("p{margin-top: 50%; line-height: 30}", "<p>x").paragraphStyle.paragraphSpacingBefore == 15
    },
    RowCheck("`vertical-align` of spans and lambdas") {
        ["baseline", "top", "middle", "bottom"].allSatisfy {
            var document = MarkupParserBuilder.default().add(css: "span{vertical-align: \($0)}").build()
                .parse("<span>x</span><lambda width=3 vertical-align=\($0) alt=y>")
            _ = document.styledText()
            return document.diagnostics.entries.isEmpty
        }
    },
    RowCheck("`line-count`, `truncate-mode: tail`, `head`, `middle`, `clip`") {
        let long = "<p>Really a lot of a lot of a lot of a lot of a lot of a lot of a lot of"
        return try ["tail", "head", "middle", "clip", "word"].allSatisfy { mode in
            let sheet = "p{line-count: 2; truncate-mode: \(mode)}"
            let layout = try json(
                long, options(width: 150), parser: MarkupParserBuilder.default().add(css: sheet).build())
            return layout.contains("\"truncated\":{") && layout.components(separatedBy: "\"baseline\"").count == 3
        }
    },
    RowCheck("`min-width` of a segment") {
        let parser = MarkupParserBuilder.default().add(css: ".w{min-width: 50%}").set(dialect: .gsfancytext).build()
        return try json("<p style='margin:0'><b class=w>b</b>c", options(width: 200), parser: parser).contains(
            "\"x\":100")
    },
    RowCheck("`<p>`, `<span>`, `<strong>`, `<em>`, `<lambda>`") {
        let parser = MarkupParserBuilder.default().set(dialect: .gsfancytext).build()
        return style(parser, "<p>x").paragraphStyle.paragraphSpacing == nil
            && style(plain, "<p>x").paragraphStyle.paragraphSpacing == 16
            && style(parser, "<strong>x</strong>").font.weight == 700
            && style(parser, "<em>x</em>").font.italic == true
    },
    RowCheck("`<lambda id=tv width=40 height=40 vertical-align=middle alt=\"TV\">`") {
        let html = "<lambda id=tv width=40 height=40 vertical-align=middle alt=\"TV\">"
        return try plain.parse(html).plainText().hasPrefix("TV")
            && (json(html, options(width: 90)).contains("\"height\":4"))
    },
]

@Suite struct MigrationTests {
    /// The first cells of the rows of a page's tables.
    private static func rows(_ page: String) throws -> [String] {
        let url = TestPaths.package.appendingPathComponent("Sources/FancyText/FancyText.docc/\(page).md")
        let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
        return lines.filter { $0.hasPrefix("| ") }.compactMap { line in
            let cell = line.dropFirst(2).split(separator: " | ").first.map(String.init) ?? ""
            return cell == "ZMarkupParser" || cell == "GSFancyText" ? nil : cell
        }
    }

    @Test func everyRowHasItsCheck() throws {
        #expect(Set(try Self.rows("MigratingFromZMarkupParser")) == Set(fromZMarkupParser.map(\.row)))
        #expect(try Self.rows("MigratingFromGSFancyText") == fromGSFancyText.map(\.row))
    }

    @Test(arguments: fromZMarkupParser.map(\.row)) func rowsOfZMarkupParserHold(_ row: String) async throws {
        let check = try #require(fromZMarkupParser.first { $0.row == row })
        #expect(try await check.holds())
    }

    @Test(arguments: fromGSFancyText.map(\.row)) func rowsOfGSFancyTextHold(_ row: String) async throws {
        let check = try #require(fromGSFancyText.first { $0.row == row })
        #expect(try await check.holds())
    }

    /// The differences that the pages list.
    @Test func differencesAreThoseThatArePointedOut() throws {
        func color(_ builder: MarkupParserBuilder, _ html: String) -> Color? {
            style(builder.build(), html, "x").foregroundColor
        }
        let builder = MarkupParserBuilder.default()
        #expect(plain.strip("&lt;b&gt;x") == "<b>x")
        #expect(style(builder.add("b", style: red).build(), "<b>x</b>").font.weight == 700)
        let font = builder.add("font", style: blue)
        #expect(color(font, "<font color=red>x</font>") == red.foregroundColor)
        #expect(color(font.set(policy: .code), "<font color=red>x</font>") == blue.foregroundColor)
        let all = builder.add("b", style: blue).add(id: "i", style: red).add(class: "c", style: blue)
        for policy in StylePolicy.allCases {
            #expect(color(all.set(policy: policy), "<b id=i class=c>x</b>") == red.foregroundColor)
        }
        let important = builder.add("b", style: blue).set(policy: .code)
        #expect(color(important, "<b style='color:red!important'>x</b>") == blue.foregroundColor)
        #expect(
            gs("span.green{color: green} .cyan{color: cyan}", "<span class='green cyan'>x</span>").foregroundColor
                == Color(css: "lime"))
        #expect(plain.render("a\n  b").text == "a b")
        #expect(style(plain, "x").font.size == 16 && style(plain, "x").font.family?.first == .named("Inter"))
    }
}
