// Declarations that are parsed once, and values that elements share: each element's style is the same as without sharing.

import FancyTextBasics
import FancyTextMarkup
import FancyTextTestSupport
import Testing

@testable import FancyTextCSS

@Suite struct MatchedDeclarationsTests {
    /// Two parents that differ in everything that a child's values may depend on.
    private let first = "font:10px/2 serif;color:red;text-align:right;color-scheme:light"
    private let second =
        "font:bold 20px/3 monospace;color:blue;direction:rtl;text-align:center;color-scheme:dark;float:left"
        + ";-webkit-text-fill-color:lime;--x:7px;--color:navy;margin:9px;border:5px solid"

    /// Every keyword of a longhand, and lengths and colours that depend on the element.
    private var declarations: [String] {
        var result: [String] = []
        let lengths = ["1px", "2em", "3rem", "4ex", "5ch", "6lh", "7vw", "8%", "calc(1em + 2%)", "var(--x)", "inherit"]
        let colors = ["red", "currentcolor", "canvastext", "#123", "light-dark(red, blue)", "var(--color)", "inherit"]
        for row in PropertyTable.shared.rows {
            let name = row.name.description
            switch row.kind {
            case .ineffective, .alias: continue
            case .longhand, .logical, .shorthand: break
            }
            result += PropertyTable.grammar(of: row).split { " |&[]{},?*+#()".contains($0) }.filter {
                $0.allSatisfy { $0.isLetter || $0 == "-" }
            }.map { "\(name):\($0)" }
            result += (lengths + colors).map { "\(name):\($0)" }
        }
        return result + [
            "text-shadow:1px 1px;font-weight:bolder", "box-shadow:1px 1px", "border:1px solid", "border-top:1em dotted",
            "outline:1px solid", "text-decoration:underline", "text-decoration:underline;font-size:2em",
            "columns:2", "display:block;columns:2", "direction:ltr;margin-inline-start:1px", "margin-inline:1px 2px",
            "float:inline-start", "background:currentcolor", "border-radius:1em;width:2em",
            "font:1.5em/2 serif;width:1em",
            "border-style:solid;border-color:inherit", "all:inherit", "all:unset", "all:revert",
        ]
    }

    @Test func anElementsStyleIsThatOfTheElementAlone() {
        let declarations = declarations
        func part(_ style: String, _ name: String) -> String {
            "<div style='\(style)'>"
                + declarations.enumerated().map { "<p style='\($1)'>\(name)\($0)</p>" }.joined() + "</div>"
        }
        let alone = Styled(part(second, "b"))
        let beside = Styled(part(first, "a") + part(second, "b"))
        func styles(_ styled: Styled) -> [String: ComputedStyle] {
            let tree = styled.tree.tree
            var result: [String: ComputedStyle] = [:]
            for index in 0..<tree.count where tree.kind(NodeID(index)) == .text {
                result[tree.text(NodeID(index))] = styled.tree.computed(NodeID(index))
            }
            return result
        }
        let (own, shared) = (styles(alone), styles(beside))
        #expect(own.count == declarations.count && shared.count == 2 * declarations.count)
        let different = declarations.indices.filter { index in
            guard let one = own["b\(index)"], let other = shared["b\(index)"] else { return true }
            return !(one == other)
        }
        #expect(different.isEmpty, "\(different.map { declarations[$0] })")
    }

    @Test func fontsAreSharedWithTheRoot() {
        let styled = Styled("<div class=a><p>x</p></div>", css: "p{padding:1rem}.a{color:red}")
        #expect(styled.style("x").groups.font.isShared(with: styled.tree.rootStyle.groups.font))
    }

    @Test func boxesCountInTheirOwnFont() {
        let styled = Styled(
            "<div class=a><p>x</p></div><div class=b><p>y</p></div>",
            css: "p{margin:1em}.a{font-size:10px}.b{font-size:20px}")
        #expect(styled.style("x").box.margin.top == LengthPercentage(px: 10))
        #expect(styled.style("y").box.margin.top == LengthPercentage(px: 20))
    }

    /// Properties that are not inherited are computed last, in a separate step, so no inherited value may depend on them.
    @Test func whatIsNotInheritedChangesNothingInherited() {
        for (index, row) in PropertyTable.shared.rows.enumerated() {
            guard case .longhand(_, let copy) = row.kind, !row.inherited else { continue }
            // `zoom` multiplies the inherited lengths, so it is computed before all others.
            let isFirst = row.name.description == "zoom"
            #expect(PropertyTable.shared.ranks[index].stage == (isFirst ? .fonts : .own), "\(row.name)")
            var changed = StyleValues()
            changed.font.size = 99
            changed.text.color = Color(red: 1, green: 2, blue: 3)
            changed.inherited.weightSteps = 5
            var values = StyleValues.initial
            copy(&values, changed)
            #expect(values.font == StyleValues.initial.font && values.text == StyleValues.initial.text, "\(row.name)")
            #expect(values.groups.inherited.isShared(with: StyleValues.initial.groups.inherited), "\(row.name)")
        }
    }
}
