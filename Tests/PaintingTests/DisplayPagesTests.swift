// The part of a display list that a page needs is everything visible on it.

import FancyTextTestSupport
import Testing

@testable import FancyTextBasics
@testable import FancyTextCSS
@testable import FancyTextImages
@testable import FancyTextPainting
@testable import FancyTextTypography

/// Records its calls, one on each line; an empty group is not recorded.
private final class NotingSink: VectorSink {
    private(set) var lines: [String] = []
    private(set) var links: [String] = []
    private var starts: [Int] = []
    var drawsVectorFiles: Bool { true }
    var refusesLinks: Bool { false }

    private func push(_ line: String) {
        starts.append(lines.count)
        lines.append(line)
    }

    func fill(_ path: Path, isEvenOdd: Bool, with paint: VectorPaint) {
        lines.append("fill \(path.bounds().map { "\($0)" } ?? "") \(paint)")
    }
    func show(_ text: VectorText) { lines.append("show \(text.glyphs.map(\.y))") }
    func show(_ texts: String, in rect: Rect) { lines.append("show \(rect)") }
    func draw(_ picture: VectorPicture, in rect: Rect, isPixelated: Bool, of part: DocumentPart?) {
        lines.append("draw \(rect)")
    }
    func pushClip(_ path: Path, isEvenOdd: Bool) { push("clip \(path.bounds().map { "\($0)" } ?? "")") }
    func pushTransform(_ transform: Transform) { push("transform \(transform)") }
    func pushLayer(opacity: Float, blendMode: BlendMode) { push("layer \(opacity)") }
    func pop() {
        guard let start = starts.popLast() else { return }
        if start == lines.count - 1 { lines.removeLast() } else { lines.append("pop") }
    }
    func link(_ link: DisplayLink, boxes: [Rect], map: Transform) { links.append("\(link.target) \(boxes) \(map)") }
    func place(_ destination: DisplayDestination, map: Transform) {}
}

@Suite struct DisplayPagesTests {
    private static func randomList(_ generator: inout SeededGenerator, groups: Int) -> [DisplayItem] {
        var items: [DisplayItem] = []
        var open = 0
        func number(_ limit: Int) -> Float { Float.random(in: -5...Float(limit), using: &generator) }
        for _ in 0..<40 {
            let rect = Rect(x: number(50), y: number(700), width: number(40), height: abs(number(90)))
            switch Int.random(in: 0..<(6 + groups), using: &generator) {
            case 0, 1: items.append(.fill(RoundedRect(rect: rect), .color(.black)))
            case 2: items.append(.path(Path(RoundedRect(rect: rect)), .color(.white)))
            case 3:
                items.append(
                    .decoration(
                        DecorationItem(
                            x: rect.x, y: rect.y, width: 20, thickness: abs(number(6)), style: .wavy, color: .black)))
            case 4: items.append(.strokePath(Path(RoundedRect(rect: rect)), .black, width: 3))
            case 5:
                if open > 0 {
                    items.append(.pop)
                    open -= 1
                }
            case 6:
                items.append(.pushClip(RoundedRect(rect: rect)))
                open += 1
            case 7:
                items.append(.pushLayer(LayerItem(opacity: 0.5)))
                open += 1
            case 8:
                items.append(.pushTransform(Transform(scaleX: 1, scaleY: 1, x: 0, y: number(300))))
                open += 1
            default:
                items.append(.pushClipPath(Path(RoundedRect(rect: rect)), isEvenOdd: true))
                open += 1
            }
        }
        return items + Array(repeating: .pop, count: open)
    }

    @Test func aPageHasAllThatShowsOnIt() throws {
        let fonts = try FontContext()
        var painter = VectorPainter()
        let pictures = NoPictures()
        var generator = SeededGenerator(state: 5)
        for round in 0..<150 {
            var list = DisplayList(size: Size(width: 60, height: 700), background: .transparent)
            list.items = Self.randomList(&generator, groups: round % 5)
            let link = list.items.indices.randomElement(using: &generator) ?? 0
            list.links = [
                DisplayLink(target: "a", boxes: [Rect(x: 1, y: 330, width: 9, height: 60)], item: link, id: 0)
            ]
            let places: [Float] = [0] + (1...round % 20 + 1).map { 700 / Float(round % 20 + 2) * Float($0) } + [700]
            let pages = DisplayPages(list, places: places)
            for (number, (top, bottom)) in zip(places, places.dropFirst()).enumerated() {
                var lines: [[String]] = []
                for isPart in [false, true] {
                    var options = VectorPainter.Options()
                    options.page = Rect(x: 0, y: top, width: 60, height: bottom - top)
                    let sink = NotingSink()
                    var shown = list
                    if isPart {
                        (shown.items, shown.links) = ([], [])
                        pages.append(number, of: list, to: &shown)
                    }
                    painter.paint(shown, fonts: fonts, pictures: pictures, options: options, on: sink)
                    lines.append(sink.lines + sink.links)
                }
                #expect(lines[0] == lines[1], "round \(round), page \(number)")
            }
        }
    }

    /// The cost of a page depends on its contents, not on the length of the list.
    @Test func aPageLooksAtNothingElse() {
        var list = DisplayList(size: Size(width: 60, height: 100_000), background: .white)
        list.items = [.pushClip(RoundedRect(rect: Rect(x: 0, y: 0, width: 60, height: 100_000)))]
        for y in 0..<10_000 {
            list.items.append(
                .fill(RoundedRect(rect: Rect(x: 0, y: Float(y) * 10 + 5, width: 60, height: 0.5)), .color(.black)))
        }
        list.items.append(.pop)
        list.links = (0..<10_000).map { number in
            let box = Rect(x: 0, y: Float(number) * 10 + 2, width: 9, height: 5)
            return DisplayLink(target: "a", boxes: [box], item: number + 1, id: number)
        }
        let pages = DisplayPages(list, places: (0...1000).map { Float($0) * 100 })
        #expect(pages.items(of: 500) == [0] + (5001...5010) + [10_001])
        #expect((0..<1000).allSatisfy { pages.items(of: $0).count < 16 })
        #expect(pages.links(of: 500) == Array(5000..<5010))
    }
}
