// Documents in quirks mode (Quirks Mode, HTML §15.3).

import Testing

@testable import FancyTextBasics
@testable import FancyTextCSS
@testable import FancyTextMarkup
@testable import FancyTextStyling

@Suite struct QuirksTests {
    private let html = "<html><body>"
    private let standard = "<!DOCTYPE html><html><body>"

    private func box(_ markup: String, css: String = "") -> BoxStyle { Styled(markup, css: css).style("x").box }

    @Test(arguments: [
        ("<!DOCTYPE html>", DocumentMode.noQuirks), ("<!doctype HTML>", .noQuirks), ("<html>", .quirks),
        ("", .noQuirks),
        ("<!DOCTYPE html SYSTEM 'about:legacy-compat'>", .noQuirks), ("<!DOCTYPE svg>", .quirks),
        ("<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 4.01//EN\" \"http://www.w3.org/TR/html4/strict.dtd\">", .noQuirks),
        ("<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\">", .quirks),
        (
            "<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\" \"http://www.w3.org/TR/html4/loose.dtd\">",
            .limitedQuirks
        ),
        ("<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Transitional//EN' 'x'>", .limitedQuirks),
        ("<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN' 'x'>", .noQuirks),
        ("<!DOCTYPE html PUBLIC '-//W3C//DTD HTML 3.2 Final//EN'>", .quirks), ("<!DOCTYPE>", .quirks),
        ("<!DOCTYPE html PUBLIC>", .quirks), ("<!DOCTYPE html nonsense>", .quirks),
        ("<!DOCTYPE html PUBLIC 'HTML'>", .quirks),
    ])
    func theDocumentTypeDecides(_ doctype: String, _ mode: DocumentMode) {
        #expect(MarkupTree.parse(doctype + "<p>x").documentMode == mode)
    }

    @Test func snippetsReadAsPagesHaveNoQuirks() {
        var options = SyntaxOptions()
        options.isAlwaysDocument = true
        #expect(MarkupTree.parse("<p>x", options: options).documentMode == .noQuirks)
        #expect(MarkupTree.parse("<body>x", options: options).documentMode == .quirks)
    }

    @Test func tablesForgetTheFontAroundThem() {
        let around = "<div style='font:italic bold 30px/50px serif;color:red;text-align:center;white-space:pre'>"
        let style = Styled(html + around + "<table><tr><td>x").style("x")
        #expect(style.font.size == 16 && style.font.weight == 400 && style.font.slant == .normal)
        #expect(style.text.lineHeight == .normal && style.text.align == .start && style.text.wraps)
        #expect(style.font.families == [.generic(.serif)])
        #expect(Styled(standard + around + "<table><tr><td>x").style("x").font.size == 30)
    }

    /// HTML §15.3.7.
    @Test(arguments: [
        ("<li>x", true), ("<ul><li>x", false), ("<li>a<ol><li>x", false),
        ("<div style='list-style-position:inside'><ul><li>x", true),
        ("<ul style='list-style-position:inside'><li>x", true), ("<li style='list-style-position:initial'>x", false),
    ])
    func itemsOutsideOfListsHaveTheirMarkersInside(_ markup: String, _ isInside: Bool) {
        #expect(Styled(html + markup).style("x").text.listStyleInside == isInside)
        if markup.hasPrefix("<li>") { #expect(!Styled(standard + markup).style("x").text.listStyleInside) }
    }

    @Test func tablesHaveTheColorOfTheBody() {
        let styled = Styled(
            "<html><body text=green><div style='color:red'>y<table><tr><td>x</table>"
                + "<table style='color:inherit'><tr><td>z")
        #expect(styled.color("x") == "0 128 0 255")
        #expect(styled.color("y") == "255 0 0 255")
        #expect(styled.color("z") == "255 0 0 255")
    }

    @Test(arguments: [
        ("width:50", true), ("margin:5 10", true), ("border-width:3", true), ("top:-1", true), ("font-size:30", true),
        ("padding:-5", false), ("border:3 solid", false), ("width:calc(50)", false), ("line-height:1", true),
        ("flex-basis:50", false), ("inset:5", false), ("column-gap:5", false), ("color:ff0000", true),
        ("background-color:123", true), ("border-color:1a2b3c abc", true), ("background:ff0000", false),
        ("color:ff00", false), ("color:1e3", false), ("outline-color:ff0000", false),
    ])
    func lengthsNeedNoUnitAndColorsNoHash(_ css: String, _ isValid: Bool) {
        func warns(_ start: String) -> Bool {
            Styled("\(start)<p style='\(css)'>x").log.entries.contains { $0.severity == .warning }
        }
        #expect(warns(html) != isValid)
        if isValid, css != "line-height:1" { #expect(warns(standard)) }
    }

    @Test func quirksOfValuesReachTheStyle() {
        let style = Styled(html + "<p style='margin:5 10;color:123;height:7'>x").style("x")
        #expect(style.box.margin.right == LengthPercentage(px: 10))
        #expect(style.box.height == .length(LengthPercentage(px: 7)))
        #expect(style.text.color == Color(red: 0, green: 1, blue: 0x23))
        #expect(box(html + "<p>x", css: "p{width:20}").width == .length(LengthPercentage(px: 20)))
        #expect(box(html + "<p style='--w:30;width:var(--w)'>x").width == .length(LengthPercentage(px: 30)))
        #expect(box(html + "<style>@supports (width:1){p{width:9px}}</style><p>x").width == .auto)
    }

    @Test func idsAndClassesMatchInAnyCase() {
        for css in [
            ".foo{order:2}", "#bar{order:2}", "div .foo{order:2}", "i + .foo{order:2}", ":not(.y).FOO{order:2}",
        ] {
            let body = "<div><i></i><p class=FOO id=Bar>x</p></div>"
            #expect(box(html + body, css: css).order == 2, "\(css)")
            #expect(box(standard + body, css: css).order == (css.contains("FOO") ? 2 : 0), "\(css)")
        }
    }

    @Test func defaultMarginsAreMarked() {
        #expect(box(html + "<p>x").quirks == [.marginTop, .marginBottom])
        #expect(box(html + "<h1>x").quirks == .marginTop)
        #expect(box(html + "<p style='margin-top:1em'>x").quirks == .marginBottom)
        #expect(box(html + "<figure>x").quirks == [])
        #expect(box(standard + "<p>x").quirks == [])
        #expect(box("<p>x").quirks == [])
    }

    @Test func heightsOfCellsHoldTheirPadding() {
        #expect(Styled(html + "<table><td height=50>x").style("x").sizesBorderBoxHeight)
        #expect(!box(html + "<table><td height=50>x").sizesBorderBox)
        #expect(!Styled(standard + "<table><td height=50>x").style("x").sizesBorderBoxHeight)
    }

    @Test func aBodyThatAlignsFillsTheCanvas() {
        let body = "<html><body style='display:flex;padding:5px'>x"
        #expect(Styled(body).style("x").box.minHeight == .length(LengthPercentage(px: -26, fraction: 1)))
        #expect(Styled("<!DOCTYPE html>" + body).style("x").box.minHeight == .auto)
        #expect(Styled("<html><body>x").style("x").box.minHeight == .auto)
        #expect(Styled("<html><body style='display:flex;height:9px'>x").style("x").box.minHeight == .auto)
    }
}
