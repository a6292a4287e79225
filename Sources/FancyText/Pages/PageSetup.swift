// The pages of a document: their sizes, margins and margin boxes, by `@page` rules and options (CSS Paged Media 3). In: rules
// and options. Out: the geometry of each kind of page.

import FancyTextLayout
import Synchronization

/// A kind of page: lengths in CSS pixels.
struct PageGeometry: Sendable {
    var paper: Size
    var margins: Sides<Float>
    /// The area of the contents on the sheet.
    var area: Rect
    /// True if the margins, borders and padding of the rules or options leave no area, so that standard margins are used.
    var lacksSpace = false
    /// The declarations of the `@page` rules that apply, which margin boxes inherit.
    var css = ""
    var counters: (resets: [CounterChange], increments: [CounterChange]) = ([], [])
    /// The boxes in the margins, each once.
    var boxes: [PageMarginRule] = []
}

final class PageSetup: Sendable {
    /// The sizes and margins that are set by options.
    let page: PageSize
    private let rules: [PageRule]
    private let names: Set<String>
    /// True if a rule is for pages by their numbers.
    private let numbered: Bool
    private let parser: MarkupParser
    private struct Known {
        var ofKind: [PageKind: PageGeometry] = [:]
        /// By the indices of the rules that match.
        var ofRules: [[Int]: PageGeometry] = [:]
    }

    private let known = Mutex(Known())
    /// The width that contents wider than the page are laid out in.
    private let wider = Mutex<Float?>(nil)

    init(_ page: PageSize, rules: [PageRule], parser: MarkupParser) {
        (self.page, self.rules) = (page, rules)
        names = Set(rules.compactMap(\.selector.name))
        numbered = rules.contains { $0.selector.pseudos.contains { if case .nth = $0 { true } else { false } } }
        self.parser = parser
    }

    /// The margin of pages for which neither the document nor an option sets one: 1 cm in whole pixels, as in Chromium.
    static let standardMargin: Float = 37

    /// The ratio of lengths on paper to those of the document.
    var zoom: Float {
        let width = geometry(.usual).area.width
        return (page.documentWidth ?? wider.withLock { $0 }).map { width / max(1, $0) } ?? 1
    }

    /// Shrinks contents that are wider than the page, as browsers do, to two thirds at most. Returns false if they fit.
    func widen(to width: Float) -> Bool {
        let available = geometry(.usual).area.width
        guard page.documentWidth == nil, width > available + 1 else { return false }
        wider.withLock { $0 = min(width, available * 1.5) }
        return true
    }

    /// The areas of pages in the document's pixels.
    var areas: PageAreas {
        let zoom = zoom
        return PageAreas { [self] kind in
            let area = geometry(kind).area
            return Size(width: area.width / zoom, height: area.height / zoom)
        }
    }

    func geometry(_ kind: PageKind) -> PageGeometry {
        // Rules see no more of a page than this.
        let kind = PageKind(
            number: kind.number == 0 || numbered ? kind.number : kind.number % 2 + 2,
            name: names.contains(kind.name) ? kind.name : "", isBlank: kind.isBlank)
        return known.withLock { known in
            if let found = known.ofKind[kind] { return found }
            let matching = rules.indices.filter { Self.matches(rules[$0].selector, kind) }
            let made = known.ofRules[matching] ?? makeGeometry(matching.map { rules[$0] })
            (known.ofKind[kind], known.ofRules[matching]) = (made, made)
            return made
        }
    }

    private static func matches(_ selector: PageSelector, _ kind: PageKind) -> Bool {
        if let name = selector.name, name != kind.name { return false }
        return selector.pseudos.allSatisfy { pseudo in
            switch pseudo {
            case .first: kind.number == 0
            case .blank: kind.isBlank
            case .right: kind.number % 2 == 0
            case .left: kind.number % 2 == 1
            case .nth(let nth): kind.number != PageKind.usual.number && nth.accepts(Int32(clamping: kind.number + 1))
            }
        }
    }

    /// The number of different geometries that were asked for.
    var kinds: Int { known.withLock(\.ofKind.count) }

    /// A Boolean value that indicates whether a page has standard margins because its own leave no area.
    var lacksSpace: Bool { known.withLock { $0.ofRules.values.contains(where: \.lacksSpace) } }

    private func makeGeometry(_ rules: [PageRule]) -> PageGeometry {
        let ofRules = rules.last { $0.size != nil }?.size ?? PaperSize()
        var size = page.paper
        if size.width == nil {
            (size.width, size.height) = (ofRules.width, ofRules.height)
            size.isLandscape = size.isLandscape ?? ofRules.isLandscape
        }
        let paper = size.resolved(PageSize.standard)
        let css = rules.map(\.css).joined()
        let style = css.isEmpty ? nil : computed(css, paper)
        let written = style?.margin ?? Sides(LengthPercentage(px: Self.standardMargin))
        var margins =
            page.margins?.sides
            ?? Sides { written[clockwise: $0]?.resolved(against: $0 % 2 == 0 ? paper.height : paper.width) ?? 0 }
        var frame = Sides { side -> Float in
            guard let style else { return 0 }
            let border = style.border[clockwise: side]
            return style.padding[clockwise: side].resolved(against: paper.width)
                + (border.style.isDrawn ? border.width : 0)
        }
        func area() -> Rect {
            let (left, top) = (margins.left + frame.left, margins.top + frame.top)
            return Rect(
                x: left, y: top, width: paper.width - left - margins.right - frame.right,
                height: paper.height - top - margins.bottom - frame.bottom)
        }
        let lacksSpace = min(area().width, area().height) < 1
        if lacksSpace {
            margins = Sides(min(Self.standardMargin, min(paper.width, paper.height) / 4))
            frame = Sides(0)
        }
        return PageGeometry(
            paper: paper, margins: margins, area: area(), lacksSpace: lacksSpace, css: css,
            counters: (style?.counterReset ?? [], style?.counterIncrement ?? []), boxes: Self.merged(rules))
    }

    /// The style of a page, whose margins are standard unless it sets them.
    private func computed(_ css: String, _ paper: Size) -> BoxStyle? {
        var document = parser.parse(
            "<ft-page style=\"all:initial;margin:\(Self.standardMargin)px;\(Notation.escaped(css))\"></ft-page>")
        document.setViewport(Viewport(width: paper.width, height: paper.height), scale: 1)
        let styled = document.styled()
        let tree = document.tree
        return tree.subtree(tree.root).first { tree.kind($0) == .element && tree.attribute($0, .style) != nil }
            .map { styled.styles[styled.style(of: $0)].box }
    }

    /// The margin boxes of rules in ascending order of precedence.
    private static func merged(_ rules: [PageRule]) -> [PageMarginRule] {
        var result: [PageMarginRule] = []
        for box in rules.flatMap(\.boxes) {
            guard let index = result.firstIndex(where: { $0.name == box.name }) else {
                result.append(box)
                continue
            }
            result[index].css += box.css
            result[index].content = box.content ?? result[index].content
            result[index].verticalAlign = box.verticalAlign ?? result[index].verticalAlign
        }
        return result.filter { !($0.content ?? []).isEmpty }
    }
}

/// The margins of a page in CSS pixels.
public struct PageMargins: Hashable, Sendable {
    /// The margin above the contents.
    public var top: Float
    /// The margin to the right of the contents.
    public var right: Float
    /// The margin below the contents.
    public var bottom: Float
    /// The margin to the left of the contents.
    public var left: Float

    /// Margins of these widths.
    public init(top: Float, right: Float, bottom: Float, left: Float) {
        (self.top, self.right, self.bottom, self.left) = (top, right, bottom, left)
    }

    /// The same margin on all sides.
    public init(_ all: Float) { self.init(top: all, right: all, bottom: all, left: all) }

    /// One to four lengths as in CSS's `margin`; nil for anything else.
    public init?(_ text: String) {
        let words = text.split(separator: " ")
        let known = words.compactMap { AbsoluteLength.pixels(String($0)) }.filter { $0 >= 0 }.map { Float($0) }
        guard (1...4).contains(words.count), known.count == words.count else { return nil }
        let right = known.count > 1 ? known[1] : known[0]
        self.init(
            top: known[0], right: right, bottom: known.count > 2 ? known[2] : known[0],
            left: known.count > 3 ? known[3] : right)
    }

    var sides: Sides<Float> { Sides(top: top, right: right, bottom: bottom, left: left) }
}

/// The size of printed pages, for documents that take several. Lengths are CSS pixels, 96 per inch.
public struct PageSize: Hashable, Sendable {
    /// The size; parts that are nil are those of the document's `@page` rules, or A4.
    var paper: PaperSize
    /// The margins; nil are those of the document's `@page` rules, or 1 cm.
    public var margins: PageMargins?
    /// The width that the document is laid out in, which is scaled to the page without its margins; nil does not scale.
    public var documentWidth: Float?

    /// Creates pages of the size that the document sets, else A4.
    public init() { paper = PaperSize() }

    /// Creates a page of any size.
    public init(width: Float, height: Float, margins: PageMargins? = nil) {
        paper = PaperSize(width: width, height: height)
        self.margins = margins
    }

    /// A4.
    static let standard = Size(width: 210 / 25.4 * 96, height: 297 / 25.4 * 96)

    /// False if the margins are larger than the page.
    package var hasSpace: Bool {
        guard let margins, paper.width != nil else { return true }
        let size = paper.resolved(Self.standard)
        return margins.left + margins.right < size.width && margins.top + margins.bottom < size.height
    }

    /// A name or lengths as in CSS's `size` (`A4 landscape`, `letter`, `10cm 15cm`, `landscape`), or `WIDTHxHEIGHT` in
    /// millimetres or with units, as in `4inx6in`; `nil` for anything else. Sides are from 10 to 5,000 mm.
    public init?(_ text: String) {
        // The unit px also contains an x.
        let cuts = text.indices.filter { text[$0] == "x" || text[$0] == "X" }
        let sizes = cuts.lazy.compactMap { cut -> PaperSize? in
            guard let width = Self.length(text[..<cut]), let height = Self.length(text[text.index(after: cut)...])
            else { return nil }
            return PaperSize(width: width, height: height)
        }
        guard let size = PaperSize(text) ?? sizes.first,
            [size.width, size.height].allSatisfy({ $0.map(Self.sides.contains) ?? true })
        else { return nil }
        paper = size
    }

    /// From 10 to 5,000 mm, with a tolerance for rounding.
    private static let sides: ClosedRange<Float> = 37.79...18_897.7

    /// A length in CSS pixels: a number of millimetres, or one with a unit.
    private static func length(_ text: Substring) -> Float? {
        let text = String(text)
        if let millimetres = Double(text) { return Float(millimetres / 25.4 * 96) }
        return AbsoluteLength.pixels(text).map { Float($0) }
    }
}
