// The style values that layout uses: positions, grids, columns, alignment.

import Testing

@testable import FancyTextBasics
@testable import FancyTextCSS
@testable import FancyTextMarkup
@testable import FancyTextStyling

@Suite struct LayoutPropertyTests {
    private func box(_ css: String) -> BoxStyle { Styled("<div style='\(css)'>x").style("x").box }

    private func warnings(_ css: String) -> Int {
        Styled("<div style=\"\(css)\">x").log.entries.count { $0.severity == .warning }
    }

    // MARK: Positions

    @Test func insetsTakeLengthsPercentagesAndAuto() {
        let inset = box("position:absolute;inset:1px 2% auto;left:calc(100% - 10px)").positioned.inset
        #expect(inset.top == LengthPercentage(px: 1))
        #expect(inset.right == LengthPercentage(fraction: 0.02))
        #expect(inset.bottom == nil)
        #expect(inset.left == LengthPercentage(px: -10, fraction: 1))
        #expect(box("").positioned.inset == Sides(nil))
    }

    @Test func flowRelativeInsetsFollowTheDirection() {
        #expect(box("direction:rtl;inset-inline:1px 2px").positioned.inset.right == LengthPercentage(px: 1))
        #expect(box("inset-inline-start:1px").positioned.inset.left == LengthPercentage(px: 1))
        #expect(box("inset-block:3px 4px").positioned.inset.bottom == LengthPercentage(px: 4))
    }

    @Test(arguments: [
        ("horizontal-tb", "ltr", [1, 4, 2, 3]), ("horizontal-tb", "rtl", [1, 3, 2, 4]),
        ("vertical-rl", "ltr", [3, 1, 4, 2]), ("vertical-rl", "rtl", [4, 1, 3, 2]),
        ("vertical-lr", "ltr", [3, 2, 4, 1]), ("sideways-rl", "ltr", [3, 1, 4, 2]),
        ("sideways-lr", "ltr", [4, 2, 3, 1]), ("sideways-lr", "rtl", [3, 2, 4, 1]),
    ])
    func flowRelativeSidesFollowTheWritingMode(_ mode: String, _ direction: String, _ sides: [Float]) {
        let box = box(
            """
            margin-block:1px 2px;margin-inline:3px 4px;inline-size:5px;writing-mode:\(mode);direction:\(direction);\
            border-start-end-radius:6px
            """)
        #expect([box.margin.top, box.margin.right, box.margin.bottom, box.margin.left].map { $0?.px } == sides)
        #expect((mode == "horizontal-tb" ? box.width : box.height) == .length(LengthPercentage(px: 5)))
        let corners: [Float] = box.cornerRadii.map { $0.x.px }
        let (top, right) = (sides[0] == 1 || sides[0] == 4, sides[1] == 1 || sides[1] == 4)
        #expect(corners == [top && !right, top && right, !top && right, !top && !right].map { $0 ? 6 : 0 })
    }

    @Test func terminalsHaveHorizontalLines() {
        var options = StyleOptions()
        options.media.hasVerticalLines = false
        let style = Styled("<p style='writing-mode:vertical-rl;margin-block:1px'>x", options).style("x")
        #expect(style.text.writingMode == .horizontalTB)
        #expect(style.box.margin.top == LengthPercentage(px: 1))
    }

    @Test func positionsAreNotInherited() {
        let styled = Styled("<p style='position:absolute;z-index:3;top:1px'>a<b>x</b></p>")
        #expect(styled.style("a").box.positioned.zIndex == 3)
        #expect(styled.style("x").box.position == .static)
        #expect(styled.style("x").box.positioned == PositionStyle())
    }

    @Test(arguments: [
        ("span", "position:absolute", Display.block, true), ("div", "position:fixed", .block, false),
        ("span", "position:absolute;display:inline-flex", .flex, true),
        ("span", "position:fixed;display:inline-grid", .grid, true),
        ("span", "position:relative", .inline, false), ("div", "position:absolute;float:left", .block, false),
    ])
    func boxesOutOfTheFlowAreBlocks(_ tag: String, _ css: String, _ display: Display, _ isInLine: Bool) {
        let box = Styled("<\(tag) style='\(css)'>x").style("x").box
        #expect(box.display == display)
        #expect(box.hasInlineStaticPosition == isInLine)
        #expect(box.float == .none)
    }

    @Test func integersAloneAreLevels() {
        #expect(box("z-index:-2").positioned.zIndex == -2)
        #expect(box("z-index:auto").positioned.zIndex == nil)
        #expect(warnings("z-index:1.5") == 1)
    }

    @Test func clippingInOneDirectionScrollsInTheOther() {
        #expect(box("overflow-x:hidden").overflowY == .auto)
        #expect(box("overflow:clip visible").overflowY == .visible)
        #expect(box("overflow:clip scroll").overflowX == .hidden)
    }

    @Test func clipMarginsAndContainment() {
        let margin = box("overflow-clip-margin:content-box 5px").overflowClipMargin
        #expect(margin.box == .contentBox && margin.distance == 5)
        #expect(box("contain:layout size").contain == [.layout, .size])
        #expect(box("contain:strict").contain.contains(.size))
        #expect(warnings("contain:size size") == 1)
        #expect(warnings("overflow-clip-margin:-1px") == 1)
    }

    @Test func aRatioBesideAutoIsForBoxesThatHaveNone() {
        #expect(box("aspect-ratio:16/9").aspectRatio == Float(16) / 9)
        #expect(!box("aspect-ratio:16/9").prefersNaturalRatio)
        #expect(box("aspect-ratio:auto 2").prefersNaturalRatio)
        #expect(box("aspect-ratio:0/1").aspectRatio == nil)
    }

    // MARK: Grid

    private func columns(_ css: String) -> TrackList { box("grid-template-columns:\(css)").grid.columns }

    @Test func tracksHaveAMinimumAndAMaximum() {
        let tracks = columns("100px 1fr minmax(10%, 2fr) fit-content(5em) auto").expanded(repetitions: 0).tracks
        #expect(tracks[0] == TrackSize(.length(LengthPercentage(px: 100))))
        #expect(tracks[1] == TrackSize(.auto, .flex(1)))
        #expect(tracks[2] == TrackSize(.length(LengthPercentage(fraction: 0.1)), .flex(2)))
        #expect(tracks[3].fitLimit == LengthPercentage(px: 80) && tracks[3].maximum == .maxContent)
        #expect(tracks[4] == .auto)
    }

    @Test func namesOfLinesMeetBetweenRepetitions() {
        let list = columns("[a] 1px repeat(2, [b] 2px [c]) [d]").expanded(repetitions: 0)
        #expect(list.tracks.count == 3)
        #expect(list.lineNames == [["a"], ["b"], ["c", "b"], ["c", "d"]])
    }

    @Test func automaticRepetitionsAreCountedByLayout() {
        let list = columns("1px repeat(auto-fill, 10px 20px) 2px")
        #expect(list.automatic?.tracks.count == 2)
        #expect(list.expanded(repetitions: 3).tracks.count == 8)
    }

    @Test(arguments: [
        "repeat(auto-fill, 1fr)", "repeat(auto-fill, 1px) repeat(auto-fit, 1px)", "repeat(auto-fill, 1px) auto",
        "minmax(1fr, 2px)", "[a]", "[span] 1px", "repeat(0, 1px)", "repeat(2, repeat(2, 1px))", "[a] [b] 1px", "-1px",
        "-1fr", "subgrid 1px", "subgrid repeat(2, 1px)",
    ])
    func trackListsThatAreNone(_ css: String) { #expect(warnings("grid-template-columns:\(css)") == 1) }

    @Test func endlessRepetitionsAreCutOff() {
        #expect(columns("repeat(1000000000, 1px 2px)").expanded(repetitions: 0).tracks.count == TrackList.longest)
    }

    @Test func areasAreRectangles() {
        let areas = box("grid-template-areas:\"a a .\" \"b . ...\"").grid.areas
        #expect(areas.rowCount == 2 && areas.columnCount == 3)
        #expect(areas.areas.map(\.name) == ["a", "b"])
        #expect(areas.areas[0].columns == 0..<2 && areas.areas[1].rows == 1..<2)
        for bad in ["'a b' 'a'", "'a b a'", "'a b' 'b a'", "'a a' 'a b'", "''", "'a!'"] {
            #expect(warnings("grid-template-areas:\(bad)") == 1, "\(bad)")
        }
    }

    @Test func placementShorthandsRepeatNamesAlone() {
        #expect(box("grid-row:2 / span 3").gridItem.rowEnd == .span(3, name: nil))
        #expect(box("grid-row:2").gridItem.rowEnd == .auto)
        let area = box("grid-area:main").gridItem
        #expect(area.rowStart == .area("main") && area.columnEnd == .area("main"))
        #expect(box("grid-column:-1 foo / auto").gridItem.columnStart == .line(-1, name: "foo"))
        let three = box("grid-area:a / b / 3").gridItem
        #expect(three.columnEnd == .area("b") && three.rowEnd == .line(3, name: nil))
        for bad in ["0", "span 0", "span -1", "1 / ", "a b", "span"] {
            #expect(warnings("grid-row:\(bad)") == 1, "\(bad)")
        }
    }

    @Test func templateShorthands() {
        let areas = box("grid-template:[t] \"a b\" 20px [m] \"c c\" / 1fr 2fr").grid
        #expect(areas.areas.areas.count == 3)
        #expect(areas.rows.expanded(repetitions: 0).tracks[1] == .auto)
        #expect(areas.rows.expanded(repetitions: 0).lineNames == [["t"], ["m"], []])
        #expect(areas.columns.expanded(repetitions: 0).tracks.count == 2)
        let flow = box("grid:auto-flow dense 30px / 1fr 1fr").grid
        #expect(flow.isDense && !flow.flowsInColumns && flow.autoRows == [TrackSize(.length(LengthPercentage(px: 30)))])
        let columns = box("grid:10px / auto-flow").grid
        #expect(columns.flowsInColumns && columns.rows.groups.count == 1)
        #expect(box("grid-template-columns:1px;grid:none").grid == GridStyle())
        #expect(warnings("grid-template:1fr") == 1)
    }

    @Test func namesOfASubgridRepeatForTheLinesThatAreLeft() {
        let names = box("grid-template-columns:subgrid [a] repeat(auto-fill,[b] [c]) repeat(1,[d])").grid.columns
        #expect(names.names(ofLines: 7) == [["a"], ["b"], ["c"], ["b"], ["c"], ["d"]])
        #expect(names.names(ofLines: 2) == [["a"], ["d"]])
        #expect(names.names(ofLines: 1) == [["a"]])
    }

    // MARK: Alignment

    @Test func alignmentsKeepTheirSafety() {
        let style = box("align-items:safe center;justify-self:unsafe left;align-self:last baseline")
        #expect(style.alignItems == .center && style.safeAlignments[.alignItems] == true)
        #expect(style.safeAlignments[.justifySelf] == false && style.safeAlignments[.alignSelf] == nil)
        #expect(style.justifySelf == .left)
        #expect(style.alignSelf == .lastBaseline)
        #expect(box("align-items:safe center;align-items:center").safeAlignments == [])
    }

    @Test func placeShorthandsSetBothAxes() {
        let items = box("place-items:end;place-self:self-start stretch")
        #expect(items.alignItems == .end && items.justifyItems == .end)
        #expect(items.alignSelf == .selfStart && items.justifySelf == .stretch)
        let content = box("place-content:baseline")
        #expect(content.alignContent == .baseline && content.justifyContent == .start)
        #expect(box("justify-items:legacy center").justifyItems == .center)
    }

    @Test(arguments: [
        "align-items:left", "align-content:left", "justify-content:baseline", "align-items:safe stretch",
        "align-items:first", "justify-items:auto", "align-self:space-between", "justify-content:self-start",
    ])
    func alignmentsThatAreNone(_ css: String) { #expect(warnings(css) == 1) }

    // MARK: Columns

    @Test(arguments: [
        ("3", nil, 3), ("12em", Float(192), nil), ("auto 3", nil, 3), ("3 auto", nil, 3), ("auto 12em", 192, nil),
        ("10px 2", 10, 2), ("auto", nil, nil), ("auto auto", nil, nil),
    ])
    func columnsTakeAWidthAndACount(_ css: String, _ width: Float?, _ count: Int?) {
        let columns = box("columns:\(css)").columns
        #expect(columns.width == width && columns.count == count)
    }

    @Test func gapsOfColumnsAreOneEmByDefault() {
        #expect(box("columns:2;font-size:20px").columnGap == LengthPercentage(px: 20))
        #expect(box("columns:2;column-gap:0").columnGap == .zero)
        #expect(box("columns:2;display:flex").columnGap == .zero)
        #expect(box("column-rule:2px dotted red").columns.ruleWidth == 2)
    }

    @Test func breaksHaveOldNames() {
        #expect(box("page-break-inside:avoid").columns.breakInside == .avoid)
        #expect(box("-webkit-column-break-inside:avoid").columns.breakInside == .avoid)
        #expect(box("break-before:column").columns.breakBefore == .column)
        #expect(Styled("<div style='orphans:4'><p>x").style("x").text.orphans == 4)
    }

    @Test func groupsThatNobodySetTakeNoRoom() {
        let style = box("grid-auto-flow:row;z-index:auto")
        #expect(style.$grid && style.$positioned && style.$columns && style.$gridItem)
    }

    @Test(arguments: [
        ("position:sticky;inset:auto 5% calc(1px - 10%) 0", "position: sticky|inset: auto 5% calc(-10% + 1px) 0px"),
        (
            "grid-template:[a] \"x .\" 2fr / 10px;grid-auto-columns:repeat(1,2px) 1px minmax(0,1fr)",
            "grid-template-columns: 10px|grid-template-rows: [a] 2fr|grid-template-areas: \"x .\""
        ),
        (
            "place-self:safe self-end;grid-area:2 / span 3 n",
            "justify-self: safe self-end|align-self: safe self-end"
                + "|grid-area: 2 / span 3 n / auto / auto"
        ),
        (
            "columns:3;column-rule:thin solid;contain:content",
            "contain: layout paint style|row-gap: 16px|column-gap: 16px"
                + "|column-count: 3|column-rule: 1px solid currentcolor"
        ),
        (
            "aspect-ratio:auto 3/2;overflow:hidden;z-index:0",
            "z-index: 0|overflow: hidden hidden|aspect-ratio: auto 1.5"
        ),
        (
            "grid-template-columns:repeat(auto-fit, minmax(10px, 1fr)) [z]",
            "grid-template-columns: repeat(auto-fit, minmax(10px, 1fr)) [z]"
        ),
        ("z-index:auto;order:0;grid-auto-rows:auto", ""),
    ])
    func declarationsForLayoutAreWrittenAsCSS(_ css: String, _ written: String) {
        #expect(box(css).layoutDeclarations.map { "\($0.name): \($0.value)" }.joined(separator: "|") == written)
    }
}
