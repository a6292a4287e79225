// Sizes of tracks (CSS Grid 2 §12).

import FancyTextTestSupport
import Testing

@testable import FancyTextCSS
@testable import FancyTextLayout

@Suite struct TrackSizingTests {
    private func px(_ value: Float) -> LayoutUnit { LayoutUnit(value) }

    private func track(_ minimum: GridTrack.Breadth, _ maximum: GridTrack.Breadth) -> GridTrack {
        GridTrack(minimum: minimum, maximum: maximum)
    }
    private var auto: GridTrack { track(.auto, .auto) }
    private func fr(_ factor: Float) -> GridTrack { track(.auto, .flex(factor)) }
    private func fixed(_ size: Float) -> GridTrack { track(.fixed(px(size)), .fixed(px(size))) }

    private func item(_ range: Range<Int>, _ minContent: Float, _ maxContent: Float? = nil) -> TrackItem {
        TrackItem(
            range: range, minimum: px(minContent), minContent: px(minContent), maxContent: px(maxContent ?? minContent))
    }

    private func sizes(
        _ tracks: [GridTrack], _ items: [TrackItem] = [], in space: Float?, minimum: Float = 0, maximum: Float? = nil,
        gap: Float = 0, aim: TrackSizing.Aim = .layout, stretches: Bool = false
    ) -> [Float] {
        var sizing = TrackSizing(
            tracks, gap: px(gap),
            space: GridSpace(definite: space.map(px), minimum: px(minimum), maximum: maximum.map(px)), aim: aim)
        sizing.size(items, stretches: stretches)
        return sizing.tracks.map(\.base.float)
    }

    @Test func fractionsShareWhatIsLeft() {
        #expect(sizes([fixed(100), fr(1), fr(2)], in: 410, gap: 5) == [100, 100, 200])
        #expect(sizes([fr(0.2), fr(0.3)], in: 100) == [20, 30])
    }

    @Test func fractionsAreNoSmallerThanTheirContents() {
        #expect(sizes([fr(1), fr(1)], [item(0..<1, 150)], in: 200) == [150, 50])
        #expect(sizes([track(.fixed(.zero), .flex(1)), fr(1)], [item(0..<1, 150)], in: 200) == [100, 100])
    }

    @Test func contentsSizeTracks() {
        let items = [item(0..<1, 20, 80), item(1..<2, 30, 60)]
        #expect(sizes([auto, auto], items, in: 500) == [80, 60])
        #expect(sizes([auto, auto], items, in: 100) == [45, 55])
        #expect(sizes([track(.minContent, .minContent), track(.maxContent, .maxContent)], items, in: 500) == [20, 60])
        #expect(sizes([track(.auto, .fitContent(px(50))), auto], items, in: 500) == [50, 60])
        #expect(sizes([track(.fixed(px(10)), .fixed(px(40))), auto], items, in: 500) == [40, 60])
    }

    @Test func automaticTracksStretch() {
        #expect(sizes([auto, fixed(50), auto], [item(0..<1, 20)], in: 150, stretches: true) == [60, 50, 40])
        #expect(sizes([auto, auto], in: nil, minimum: 80, stretches: true) == [40, 40])
    }

    @Test func itemsOverSeveralTracksShareTheirExcess() {
        #expect(sizes([auto, auto], [item(0..<2, 100)], in: 500) == [50, 50])
        #expect(sizes([auto, auto], [item(0..<1, 30), item(0..<2, 100)], in: 500) == [30, 70])
        #expect(sizes([fixed(40), auto], [item(0..<2, 100)], in: 500, gap: 10) == [40, 50])
        // Only flexible tracks grow, in proportion.
        #expect(sizes([auto, fr(1), fr(2)], [item(0..<3, 90)], in: 50) == [0, 30, 60])
    }

    @Test func withoutRoomFractionsFollowTheirContents() {
        #expect(sizes([fr(1), fr(2)], [item(0..<1, 40), item(1..<2, 60)], in: nil) == [40, 80])
        #expect(sizes([fr(1), fr(1)], [item(0..<1, 40)], in: nil, minimum: 100) == [50, 50])
        #expect(sizes([fr(1), fr(1)], [item(0..<1, 40, 80)], in: nil, maximum: 100) == [50, 50])
    }

    @Test func intrinsicSizesOfAContainer() {
        let items = [item(0..<1, 20, 80), item(1..<2, 30, 60)]
        #expect(sizes([auto, fr(1)], items, in: nil, aim: .minContent) == [20, 30])
        #expect(sizes([auto, fr(1)], items, in: nil, aim: .maxContent) == [80, 60])
    }

    @Test func automaticRepetitionFillsTheRoom() {
        var list = TrackList()
        list.groups = [
            TrackList.Group(
                repetition: .autoFit, tracks: [TrackSize(.length(LengthPercentage(px: 100)), .flex(1))],
                lineNames: [[], []])
        ]
        func count(_ space: GridSpace) -> Int {
            GridTemplate(list, automatic: [.auto], space: space, gap: px(10), grid: .fine).tracks.count
        }
        #expect(count(GridSpace(definite: px(430))) == 4)
        #expect(count(GridSpace(definite: px(429))) == 3)
        #expect(count(GridSpace(definite: px(50))) == 1)
        #expect(count(GridSpace(minimum: px(250))) == 3)
        #expect(count(GridSpace()) == 1)
        let template = GridTemplate(
            list, automatic: [.auto], space: GridSpace(definite: px(430)), gap: px(10), grid: .fine)
        let tracks = template.tracks(0..<5, of: px(430), grid: .fine) { $0 == 1 || $0 == 4 }
        #expect(tracks.map(\.isCollapsed) == [true, false, true, true, false])
    }

    @Test func collapsedTracksHaveNoGaps() {
        var sizing = TrackSizing(
            [fixed(10), .collapsed, .collapsed, fixed(20)], gap: px(5), space: GridSpace(definite: px(100)))
        sizing.size([], stretches: false)
        #expect(sizing.total == px(35))
        let positions = TrackPositions(
            sizing, first: -1, space: px(100),
            alignment: ContentDistribution(alignment: .spaceBetween, isSafe: false), grid: .fine)
        #expect(positions.extent(of: -1..<0).start == .zero)
        #expect(positions.extent(of: 2..<3).start == px(80))
        #expect(positions.extent(of: -1..<3).size == px(100))
    }

    @Test func thousandsOfTracksAreQuicklySized() {
        let tracks = (0..<10_000).map { $0 % 3 == 0 ? fr(1) : auto }
        let items = (0..<20_000).map { item(($0 % 9_990)..<($0 % 9_990 + 1 + $0 % 5), Float($0 % 50), Float($0 % 90)) }
        var count = 0
        let time = processorTime { count = sizes(tracks, items, in: 5_000, stretches: true).count }
        #expect(count == 10_000)
        #expect(time < .seconds(20))
    }
}
