// Sizes of pages.

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
        guard let margins, let width = paper.width, let height = paper.height else { return true }
        return margins.left + margins.right < min(width, height) && margins.top + margins.bottom < min(width, height)
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
