import Testing

@testable import FancyTextBasics
@testable import FancyTextCSS
@testable import FancyTextImages
@testable import FancyTextOutputs
@testable import FancyTextPainting

@Suite struct TerminalWriterTests {
    private let red = Color(red: 255, green: 0, blue: 0)

    @Test func paragraphsWrapAtTheWidth() {
        var doc = StyledTextBuilder()
        doc.paragraph([("one two three four", .root)])
        #expect(doc.ansi(width: 9) == "one two\nthree\nfour\n")
    }

    @Test func wideCharactersTakeTwoCells() {
        var doc = StyledTextBuilder()
        doc.paragraph([("日本語テキスト", .root)])
        #expect(doc.ansi(width: 6) == "日本語\nテキス\nト\n")
    }

    @Test func marginsBecomeBlankLinesAndCollapse() {
        var doc = StyledTextBuilder()
        let paragraph = doc.style { _, _, box in
            box.margin.top = LengthPercentage(px: 16)
            box.margin.bottom = LengthPercentage(px: 16)
        }
        doc.paragraph([("a", .root)], style: paragraph)
        doc.paragraph([("b", .root)], style: paragraph)
        doc.paragraph([("c", .root)])
        #expect(doc.ansi() == "a\n\nb\n\nc\n")
    }

    @Test func stylesChangeWithTheFewestCodes() {
        var doc = StyledTextBuilder()
        let bold = doc.style { font, _, _ in font.weight = 700 }
        let boldRed = doc.style { font, text, _ in
            font.weight = 700
            text.color = red
        }
        doc.paragraph([("a ", .root), ("b ", bold), ("c", boldRed), (" d", .root)])
        #expect(doc.ansi(colors: .truecolor) == "a ␛[1mb ␛[38;2;255;0;0mc␛[0m d\n")
        #expect(doc.ansi(colors: .indexed256) == "a ␛[1mb ␛[38;5;196mc␛[0m d\n")
        #expect(doc.ansi(colors: .ansi16) == "a ␛[1mb ␛[91mc␛[0m d\n")
        #expect(doc.ansi(colors: .monochrome) == "a ␛[1mb c␛[0m d\n")
        #expect(doc.ansi(colors: .plain) == "a b c d\n")
    }

    @Test func stylesEndWithTheirLine() {
        var doc = StyledTextBuilder()
        let italic = doc.style { font, _, _ in font.slant = .italic }
        doc.paragraph([("one two", italic)])
        #expect(doc.ansi(width: 4, colors: .truecolor) == "␛[3mone␛[0m\n␛[3mtwo␛[0m\n")
    }

    @Test func underlinesHaveStylesAndColours() {
        var doc = StyledTextBuilder()
        let wavy = doc.style { _, _, box in
            box.decorations = [TextDecoration(lines: .underline, style: .wavy, color: red, fontSize: 16)]
        }
        doc.paragraph([("a", wavy)])
        #expect(doc.ansi(colors: .truecolor) == "␛[4:3;58:2::255:0:0ma␛[0m\n")
        #expect(doc.ansi(colors: .ansi16) == "␛[4ma␛[0m\n")
    }

    @Test func alignmentMovesLines() {
        for (align, expected) in [(TextAlign.right, "    ab\n"), (.center, "  ab\n"), (.left, "ab\n")] {
            var doc = StyledTextBuilder()
            let style = doc.style { _, text, _ in text.align = align }
            doc.paragraph([("ab", .root)], style: style)
            #expect(doc.ansi(width: 6) == expected)
        }
    }

    @Test func markersHangInTheIndent() {
        var doc = StyledTextBuilder()
        let list = doc.style { _, _, box in box.padding.left = LengthPercentage(px: 40) }
        doc.box(.block, list) { doc, index in
            doc.paragraph([("first item wraps", .root)], marker: "• ", parent: index)
            doc.paragraph([("second", .root)], marker: "10. ", parent: index)
        }
        #expect(doc.ansi(width: 16) == "   • first item\n     wraps\n 10. second\n")
    }

    @Test func borderedTablesAreDrawnWithLines() {
        var doc = StyledTextBuilder()
        let cell = doc.style { _, _, box in
            var side = BorderSide()
            side.width = 1
            side.style = .solid
            box.border = Sides(side)
        }
        doc.table { doc, group in
            for row in [["a", "bb"], ["ccc", "d"]] {
                doc.box(.tableRow, parent: group) { doc, index in
                    for text in row { doc.paragraph([(text, .root)], .tableCell, style: cell, parent: index) }
                }
            }
        }
        #expect(doc.ansi() == "┌─────┬────┐\n│ a   │ bb │\n├─────┼────┤\n│ ccc │ d  │\n└─────┴────┘\n")
    }

    @Test func narrowTablesWrapTheirCells() {
        var doc = StyledTextBuilder()
        doc.table { doc, group in
            doc.box(.tableRow, parent: group) { doc, index in
                doc.paragraph([("one two three", .root)], .tableCell, parent: index)
                doc.paragraph([("x", .root)], .tableCell, parent: index)
            }
        }
        let lines = doc.ansi(width: 10).split(separator: "\n")
        #expect(lines.first == "one two  x")
        #expect(lines.allSatisfy { $0.count <= 10 })
    }

    @Test func emptyBorderedBlocksAreRules() {
        var doc = StyledTextBuilder()
        let rule = doc.style { _, _, box in
            box.border.top.width = 1
            box.border.top.style = .inset
        }
        doc.paragraph([("a", .root)])
        doc.box(.block, rule) { _, _ in }
        #expect(doc.ansi(width: 5) == "a\n─────\n")
    }

    @Test func backgroundsFillTheBlock() {
        var doc = StyledTextBuilder()
        let code = doc.style { _, text, box in
            box.backgroundColor = Color(red: 0, green: 0, blue: 255)
            text.wraps = false
            text.whiteSpaceCollapse = .preserve
        }
        doc.paragraph([("ab", code)], style: code)
        #expect(doc.ansi(width: 4, colors: .indexed256) == "␛[38;5;250;48;5;21mab␛[39m  ␛[0m\n")
    }

    @Test func controlCharactersNeverPass() {
        // Every control and bidirectional override, in text, in a marker and in alternative text.
        let harmful =
            (0..<0x20).map { UInt32($0) }.filter { $0 != 0x0A } + [0x7F] + Array(0x80..<0xA0) + Array(0x202A...0x202E)
            + Array(0x2066...0x2069)
        var hostile = String.UnicodeScalarView()
        for value in harmful { if let scalar = Unicode.Scalar(value) { hostile.append(scalar) } }
        let text = "a" + String(hostile) + "b"
        var doc = StyledTextBuilder()
        doc.paragraph([(text, .root)], marker: text)
        for colors in TerminalColors.allCases {
            var options = ANSIOptions()
            options.width = 30
            options.colors = colors
            var log = DiagnosticLog()
            var context = TerminalWriter.Context()
            var writer = TerminalWriter(doc.text, tree: nil, options: options)
            let bytes = writer.write(&context, log: &log)
            let output = String(decoding: bytes, as: UTF8.self)
            for scalar in output.unicodeScalars where scalar != "\n" {
                #expect(!harmful.contains(scalar.value), "U+\(String(scalar.value, radix: 16))")
            }
        }
    }

    @Test func linkTargetsCannotEndTheirSequence() {
        #expect(
            String(decoding: TerminalLooks.cleanedURL("https://e.x/\u{1B}\\\u{07}\u{9C} é\n"), as: UTF8.self)
                == "https://e.x/%1B\\%07%C2%9C%20%C3%A9")
    }

    @Test(arguments: [
        ("e\u{301}", 1), ("👨‍👩‍👧", 2), ("🇩🇪", 2), ("❤️", 2), ("한", 2), ("ｱ", 1), ("a\u{200B}", 1), ("é", 1), ("1️⃣", 2),
        ("✌️", 2), ("a\u{FE0F}", 1), ("✌🏽", 2), ("漢", 2), ("12345678\u{301}9 and more text", 23),
    ])
    func clustersHaveTheirDisplayWidth(text: String, cells: Int) {
        #expect(DisplayWidth.cells(text.utf8) == cells)
    }

    @Test func halfBlocksShowTwoPixelsACell() {
        let picture = Pixmap(width: 1, height: 2, pixels: [0xFF00_00FF, 0xFFFF_0000])
        var options = ANSIOptions()
        options.images = .halfBlocks
        guard case .halfBlocks(let cells) = TerminalImage.show(picture, columns: 1, rows: 1, options) else {
            Issue.record("no half blocks")
            return
        }
        #expect(cells.count == 1)
        #expect(cells[0].style.foreground == red)
        #expect(cells[0].style.background == Color(red: 0, green: 0, blue: 255))
    }
}
