// The property table as a whole.

import Foundation
import FancyTextTestSupport
import Testing

@testable import FancyTextCSS

@Suite struct PropertyTableTests {
    /// Rewrites the page if `FANCYTEXT_RECORD=1` is set. The grammar of a new property is then written there in place of `…`.
    @Test func theDocumentedTableIsTheOneInUse() throws {
        let page = PropertyTable.page
        if ProcessInfo.processInfo.environment["FANCYTEXT_RECORD"] != nil {
            try FileManager.default.createDirectory(
                at: page.deletingLastPathComponent(), withIntermediateDirectories: true)
            try PropertyTable.markdown.write(to: page, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: page, encoding: .utf8) == PropertyTable.markdown)
        #expect(!PropertyTable.markdown.contains("`…`"))
    }

    @Test func namesAreUniqueAndFoundInAnyCase() {
        let names = PropertyTable.shared.rows.map { $0.name.description }
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { PropertyTable.shared.find($0.uppercased())?.property.name.description == $0 })
    }

    @Test(arguments: [
        ("display", true), ("WHITE-Space", true), ("-webkit-margin-start", true), ("-moz-box-orient", true),
        ("--any", true), ("-ft-any", true), ("all", true), ("margin-inline-end", true), ("display-", false),
        ("displa", false), ("color", false), ("-webkit-color", false), ("font-family", false), ("", false),
        ("-", false),
        ("border-top-left-radius-of-more-than-thirty-two-bytes", false), ("é", false),
    ])
    func textDependsOnFewProperties(name: String, decides: Bool) {
        #expect(TextRelevance.isRelevant(name) == decides)
    }

    /// Keywords are the examples of their longhands: each must be accepted, and `initial` must restore the initial value.
    @Test func everyKeywordOfALonghandIsAccepted() {
        for row in PropertyTable.shared.rows {
            let syntax = PropertyTable.grammar(of: row)
            guard case .longhand = row.kind, !syntax.contains(where: { "<[(…".contains($0) }) else { continue }
            for word in syntax.split(separator: "|").flatMap({ $0.split(separator: " ") })
            where word != "||" && word != "&&" {
                let log = ValueConformanceTests.read(row.name.description, String(word)).1
                #expect((log.worst ?? .note) < .warning, "\(row.name): \(word)")
            }
        }
    }

    @Test func initialGivesBackTheInitialValue() {
        let changed = Styled(
            "<p style=\"all:initial\">x",
            css: "p{color:red;margin:1px;border:3px solid;font:italic 9px serif;letter-spacing:2px;background:red}"
        ).style("x")
        #expect(changed.box.margin.top == .zero)
        #expect(changed.box.border.top.width == 0)
        #expect(changed.font.size == 16)
        #expect(changed.text.letterSpacing == 0)
        #expect(changed.box.backgroundColor == .transparent)
    }

    @Test func flowRelativeNamesFollowTheDirection() {
        #expect(Styled("<p style=\"margin-inline-start:5px\">x").style("x").box.margin.left == LengthPercentage(px: 5))
        #expect(
            Styled("<p dir=rtl style=\"margin-inline-start:5px\">x").style("x").box.margin.right
                == LengthPercentage(px: 5))
        #expect(
            Styled("<p style=\"margin-inline-start:5px;margin-left:6px\">x").style("x").box.margin.left
                == LengthPercentage(px: 6))
    }

    @Test func mathMixesLengthsAndPercentages() {
        func width(_ css: String) -> SizeValue { Styled("<p style=\"width:\(css)\">x").style("x").box.width }
        #expect(width("calc(50% + 2 * (3px - 1px))") == .length(LengthPercentage(px: 4, fraction: 0.5)))
        #expect(width("min(10px, 1em)") == .length(LengthPercentage(px: 10)))
        #expect(width("clamp(1em, 5px, 2em)") == .length(LengthPercentage(px: 16)))
        #expect(width("max(10%, 20%)") == .length(LengthPercentage(fraction: 0.2)))
        #expect(width("calc(10px * sin(90deg))") == .length(LengthPercentage(px: 10)))
        #expect(width("round(up, 11px, 5px)") == .length(LengthPercentage(px: 15)))
        #expect(width("calc(1px+2px)") == .auto)
    }
}
