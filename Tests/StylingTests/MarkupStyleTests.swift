// MarkupStyle: filling, conversion to CSS, and its fields in JSON.

import Testing

@testable import FancyTextBasics
@testable import FancyTextCSS
@testable import FancyTextMarkup
@testable import FancyTextStyling

@Suite struct MarkupStyleTests {
    @Test func theChildWinsAndTheParentFills() {
        var child = MarkupStyle(font: .init(size: 20), foregroundColor: .white)
        child.kern = 1
        var parent = MarkupStyle(font: .init(size: 10, weight: 700), foregroundColor: .black, backgroundColor: .black)
        parent.tracking = 50
        parent.paragraphStyle.alignment = .center
        child.fillIfNil(from: parent)
        #expect(child.font.size == 20)
        #expect(child.font.weight == 700)
        #expect(child.foregroundColor == .white)
        #expect(child.backgroundColor == .black)
        #expect(child.tracking == nil)
        #expect(child.paragraphStyle.alignment == .center)
    }

    @Test func theRestOfAParagraphsAttributesGoesThroughTheCascade() {
        var style = MarkupStyle(font: .init(size: 18, weight: .semibold))
        style.paragraphStyle.hyphenationFactor = 0.75
        style.paragraphStyle.baseWritingDirection = .rtl
        style.paragraphStyle.lineBreakStrategy = .standard
        style.paragraphStyle.allowsDefaultTighteningForTruncation = true
        var options = StyleOptions()
        options.customTags = ["zhg": style.css + ";display:block"]
        let styled = Styled("<zhg a>x</zhg>", options)
        #expect(styled.log.entries.isEmpty)
        let attributes = MarkupStyle(styled.style("x"))
        #expect(attributes.font.weight == 600)
        #expect(attributes.paragraphStyle.hyphenationFactor == 0.75 && attributes.paragraphStyle.hyphenation == true)
        #expect(attributes.paragraphStyle.baseWritingDirection == .rtl)
        #expect(attributes.paragraphStyle.lineBreakStrategy == .standard)
        #expect(attributes.paragraphStyle.allowsDefaultTighteningForTruncation == true)
        for strategy in MarkupStyle.LineBreakStrategy.allCases {
            style.paragraphStyle.lineBreakStrategy = strategy
            options.customTags["zhg"] = style.css
            #expect(
                MarkupStyle(Styled("<zhg>x</zhg>", options).style("x")).paragraphStyle.lineBreakStrategy == strategy)
        }
        style.paragraphStyle.hyphenationFactor = 0
        options.customTags["zhg"] = style.css
        #expect(Styled("<zhg>x</zhg>", options).style("x").text.hyphens == .manual)
    }

    @Test func namedWeightsAreThoseOfCSS() {
        #expect(MarkupStyle(font: .init(weight: .heavy)).css == "font-weight:800")
        #expect(MarkupStyle.Font.Weight.allCases.map(\.rawValue) == (1...9).map { Float($0) * 100 })
    }

    /// With every field set, all of its CSS must be valid and reach the computed style.
    @Test func everyFieldReachesTheComputedStyle() {
        var style = MarkupStyle(
            font: .init(
                family: [.named("A \"b\""), .generic(.serif)], size: 21.5, weight: 650, italic: true, stretch: 75,
                caps: .smallCaps,
                features: [feature("tnum")], variations: [FontVariation(tag: openTypeTag("GRAD"), value: 0.5)]),
            foregroundColor: Color(red: 1, green: 2, blue: 3, alpha: 200),
            backgroundColor: Color(red: 9, green: 8, blue: 7))
        style.ligature = 0
        style.kern = 1.5
        style.wordSpacing = 2
        style.underlineStyle = .wavy
        style.strikethroughStyle = .wavy
        style.underlineColor = .white
        style.underlineThickness = 3
        style.underlineOffset = 4
        style.strokeColor = .white
        style.strokeWidth = 0.5
        style.shadow = [Shadow(x: 1, y: -2, blur: 3, color: .white)]
        style.link = "https://x.example/?a=\"b\""
        style.baselineOffset = 5
        style.obliqueness = 0.25
        style.expansion = 0.125
        style.writingDirection = .rtl
        style.textTransform = .uppercase
        style.attachment = "a b.png"
        style.textEffect = "neon"
        style.paragraphStyle.alignment = .justify
        style.paragraphStyle.lineHeightMultiple = 1.5
        style.paragraphStyle.lineSpacing = 2
        style.paragraphStyle.paragraphSpacing = 10
        style.paragraphStyle.paragraphSpacingBefore = 11
        style.paragraphStyle.headIndent = 12
        style.paragraphStyle.firstLineHeadIndent = 20
        style.paragraphStyle.tailIndent = 13
        style.paragraphStyle.minimumLineHeight = 14
        style.paragraphStyle.maximumLineHeight = 40
        style.paragraphStyle.lineBreakMode = .byTruncatingMiddle
        style.paragraphStyle.hyphenation = true
        style.paragraphStyle.tabStops = [10, 30]
        style.paragraphStyle.defaultTabInterval = 24
        style.paragraphStyle.listStyle = "lower-roman"
        var options = StyleOptions()
        options.customTags = ["zhg": style.css]
        let styled = Styled("<zhg a>x</zhg>", options)
        #expect(styled.log.entries.isEmpty)
        let computed = styled.style("x")
        #expect(computed.font.families == [.named("A \"b\""), .generic(.serif)])
        #expect(computed.font.size == 21.5)
        #expect(computed.font.weight == 650)
        #expect(computed.font.slant == .italic)
        #expect(computed.font.stretch == 75)
        #expect(computed.font.caps == .smallCaps)
        #expect(computed.font.features.contains(feature("tnum")) && computed.font.features.contains(feature("liga", 0)))
        #expect(computed.font.variations.count == 1)
        #expect(computed.text.color.alpha == 200)
        #expect(computed.box.backgroundColor.red == 9)
        #expect(computed.text.letterSpacing == 1.5)
        #expect(computed.text.wordSpacing == 2)
        let lines = [TextDecoration.Lines.underline, .lineThrough].map { computed.box.decoration($0) }
        #expect(lines.map { $0?.thickness } == [.length(LengthPercentage(px: 3)), .auto])
        #expect(lines.map { $0?.color } == [.white, style.foregroundColor])
        #expect(computed.text.underlineOffset == LengthPercentage(px: 4))
        #expect(computed.text.strokeWidth == 0.5)
        #expect(computed.text.shadows == style.shadow)
        #expect(computed.text.link == style.link)
        #expect(computed.box.verticalAlign == .length(LengthPercentage(px: 5)))
        #expect(computed.text.obliqueness == 0.25)
        #expect(computed.text.expansion == 0.125)
        #expect(computed.text.direction == .rtl)
        #expect(computed.text.transform == .uppercase)
        #expect(computed.box.content == [.image(.url("a b.png"))])
        #expect(computed.text.textEffect == "neon")
        #expect(computed.text.align == .justify)
        #expect(computed.text.lineHeight == .number(1.5))
        #expect(computed.text.lineSpacing == 2)
        #expect(
            computed.box.margin
                == Sides<LengthPercentage?>(
                    top: LengthPercentage(px: 11), right: LengthPercentage(px: 12), bottom: LengthPercentage(px: 10),
                    left: LengthPercentage(px: 13)))
        #expect(computed.text.indent == LengthPercentage(px: 8))
        #expect(computed.text.minimumLineHeight == 14 && computed.text.maximumLineHeight == 40)
        #expect(computed.box.truncateMode == .middle)
        #expect(computed.text.hyphens == .auto)
        #expect(computed.text.tabStops == [10, 30])
        #expect(computed.text.tabSize == .length(24))
        #expect(computed.text.listStyleType == .named("lower-roman"))
    }

    private func fields(_ html: String, _ text: String = "x") -> MarkupStyleFields {
        let styled = Styled(html).tree
        for index in 0..<styled.tree.count
        where styled.tree.kind(NodeID(index)) == .text && styled.tree.text(NodeID(index)) == text {
            var walk = RunContextWalk(styled)
            let element = styled.tree.parent(NodeID(index)) ?? styled.tree.root
            return MarkupStyleFields(styled.computed(NodeID(index)), walk.surroundings(of: element))
        }
        return MarkupStyleFields(styled.rootStyle)
    }

    @Test func fieldsOfDecorationsAndLinks() {
        let fields = fields("<a href=u>a<b style=\"text-decoration:line-through wavy\">x</b></a>")
        #expect(fields["link"] == .string("u"))
        #expect(fields["underlineStyle"] == .string("single"))
        #expect(fields["strikethroughStyle"] == .string("wavy"))
        #expect(fields["foregroundColor"] == .string("#0000eeff"))
    }

    @Test func theBackgroundOfInlineAncestorsIsTheRuns() {
        #expect(
            fields("<p style=\"background:red\"><mark><b>x</b></mark></p>")["backgroundColor"] == .string("#ffff00ff"))
        #expect(fields("<p style=\"background:red\"><b>x</b></p>")["backgroundColor"] == nil)
    }

    @Test func theParagraphIsThatOfTheBlock() {
        guard case .object(let paragraph)? = fields("<p style=\"text-align:center\"><b>x</b></p>")["paragraphStyle"]
        else {
            Issue.record("no paragraph style")
            return
        }
        #expect(paragraph.first { $0.name == "alignment" }?.value == .string("center"))
        #expect(paragraph.first { $0.name == "paragraphSpacing" }?.value == .number("16"))
    }

    /// Every field that is set appears.
    @Test func everySetFieldAppearsByItsName() throws {
        let styled = Styled(
            """
            <p dir=rtl style="display:list-item;list-style-type:lower-roman;text-align:center;line-height:1.5;margin:4px 8px;\
            text-indent:3px;hyphens:auto;hyphenate-limit-zone:40%;text-wrap-style:pretty;-ft-tightening:allow;tab-size:20px;-ft-tab-stops:10px;-ft-line-spacing:2px;\
            -ft-minimum-line-height:3px;-ft-maximum-line-height:90px"><a href=u lang=de style="writing-mode:vertical-rl;width:10px;height:8px;font:italic 700 20px/1.5 Georgia;\
            font-stretch:75%;font-variant:small-caps no-common-ligatures;font-variation-settings:'wght' 650;color:red;\
            background:lime;letter-spacing:1px;word-spacing:2px;text-decoration:underline line-through overline 2px;\
            text-underline-offset:3px;-webkit-text-stroke:1px blue;text-shadow:1px 1px 2px red;vertical-align:4px;\
            -ft-obliqueness:.2;-ft-expansion:.1;text-transform:uppercase;content:url(x.png);-ft-text-effect:glow">x</a>
            """
        ).tree
        let node = try #require(
            (0..<styled.tree.count).map { NodeID($0) }.first { styled.tree.tag($0) == .a })
        var walk = RunContextWalk(styled)
        let surroundings = walk.surroundings(of: node)
        let attributes = MarkupStyle(styled.computed(node), surroundings)
        let fields = MarkupStyleFields(styled.computed(node), surroundings).fields
        func check(_ value: Any, _ fields: [JSONMember], _ path: String) {
            for child in Mirror(reflecting: value).children {
                let name = child.label ?? ""
                let isNil = Mirror(reflecting: child.value).displayStyle == .optional && "\(child.value)" == "nil"
                #expect(!isNil, "\(path)\(name) is not set: nothing is tested")
                let field = fields.first { $0.name == name }
                #expect(field != nil, "\(path)\(name)")
                if case .object(let inner) = field?.value,
                    child.value is MarkupStyle.Font || child.value is MarkupStyle.Paragraph
                {
                    check(child.value, inner, name + ".")
                }
            }
        }
        check(attributes, fields, "")
    }

    @Test func superscriptsAreRaised() {
        guard case .number(let offset)? = fields("<sup>x</sup>")["baselineOffset"] else {
            Issue.record("no offset")
            return
        }
        #expect(Double(offset) ?? 0 > 0)
    }
}
