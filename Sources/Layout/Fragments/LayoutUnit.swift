// Fixed-point lengths, edges and rectangles of layout: 1/64 CSS pixel in 32 bits, saturating: the grid of browsers (LayoutUnit).
// Two layouts agree only with the same grid and rounding at each step. Text advances are floating point until placed.

import FancyTextBasics
import FancyTextCSS
import FancyTextTypography

/// A length or position in 1/64 CSS pixel. Arithmetic saturates, so that no input can overflow it.
package struct LayoutUnit: Hashable, Comparable, Sendable {
    package var raw: Int32

    @inlinable package init(raw: Int32) { self.raw = raw }

    /// Rounded towards zero, like a CSS length that becomes a layout length.
    @inlinable package init(_ value: Float) { raw = LayoutUnit.clamp(value * 64) }
    @inlinable package init(_ value: Int) {
        raw = Int32(clamping: Int(clamping: value).multipliedReportingOverflow(by: 64).partialValue)
    }

    @inlinable package static func ceil(_ value: Float) -> Self { Self(raw: clamp((value * 64).rounded(.up))) }
    @inlinable package static func floor(_ value: Float) -> Self { Self(raw: clamp((value * 64).rounded(.down))) }
    @inlinable package static func round(_ value: Float) -> LayoutUnit {
        LayoutUnit(raw: clamp((value * 64).rounded(.toNearestOrAwayFromZero)))
    }

    @usableFromInline static func clamp(_ value: Float) -> Int32 { Int32(bounded: value, by: 2_147_483_648) }

    package static let zero = LayoutUnit(raw: 0)
    /// "No limit": very large, but small enough that sums keep their order.
    package static let unlimited = LayoutUnit(raw: .max / 2)
    package static let epsilon = LayoutUnit(raw: 1)
    /// A cell of a terminal: one pixel in the unit in which text is then measured.
    package static let cell = LayoutUnit(raw: 64)

    @inlinable package var float: Float { Float(raw) / 64 }
    /// Whole pixels, rounded down; the next ones round to the nearest and up.
    @inlinable package var floor: Int { Int(raw >> 6) }
    @inlinable package var rounded: Int { (Int(raw) + 32) >> 6 }
    @inlinable package var ceil: Int { (Int(raw) + 63) >> 6 }
    @inlinable package var nonNegative: LayoutUnit { raw < 0 ? .zero : self }
    @inlinable package var isUnlimited: Bool { raw >= .max / 2 }

    @inlinable package static func < (a: LayoutUnit, b: LayoutUnit) -> Bool { a.raw < b.raw }
    @inlinable package static func + (a: LayoutUnit, b: LayoutUnit) -> LayoutUnit {
        let (sum, overflow) = a.raw.addingReportingOverflow(b.raw)
        return LayoutUnit(raw: overflow ? (b.raw > 0 ? .max : .min) : sum)
    }
    @inlinable package static func - (a: LayoutUnit, b: LayoutUnit) -> LayoutUnit {
        let (difference, overflow) = a.raw.subtractingReportingOverflow(b.raw)
        return LayoutUnit(raw: overflow ? (b.raw < 0 ? .max : .min) : difference)
    }
    @inlinable package static prefix func - (a: LayoutUnit) -> LayoutUnit { .zero - a }
    @inlinable package static func += (a: inout LayoutUnit, b: LayoutUnit) { a = a + b }
    @inlinable package static func -= (a: inout LayoutUnit, b: LayoutUnit) { a = a - b }
    @inlinable package static func / (a: LayoutUnit, b: Int32) -> LayoutUnit { LayoutUnit(raw: b == 0 ? 0 : a.raw / b) }
    @inlinable package static func * (a: Self, b: Int) -> Self { Self(raw: Int32(clamping: Int(a.raw) &* b)) }
    /// `a * numerator / denominator` without an intermediate loss.
    @inlinable package func scaled(by numerator: LayoutUnit, over denominator: LayoutUnit) -> LayoutUnit {
        denominator.raw == 0
            ? .zero : LayoutUnit(raw: Int32(clamping: Int(raw) * Int(numerator.raw) / Int(denominator.raw)))
    }
}

/// The grid of used lengths: every 1/64 pixel, or whole cells. Percentages and shared space give lengths between grid points.
/// They are rounded where they arise, so that all later sums are exact.
package struct LayoutGrid: Hashable, Sendable {
    private let half: LayoutUnit
    private let mask: Int32

    package static let fine = LayoutGrid(half: .zero, mask: -1)
    package static let cells = LayoutGrid(half: LayoutUnit(raw: 32), mask: ~63)

    /// Whether lengths are whole cells: the files named after cells then have rules of their own.
    @inline(__always) var isOfCells: Bool { mask != -1 }
    /// The distance that keeps neighbours apart: a cell, or nothing where letters have side bearings.
    @inline(__always) var leastDistance: LayoutUnit { isOfCells ? .cell : .zero }
    /// A length that browsers have of their own, in CSS pixels: too little for a cell.
    @inline(__always) func pixels(_ length: Int) -> LayoutUnit { isOfCells ? .zero : LayoutUnit(length) }

    @inline(__always) func round(_ length: LayoutUnit) -> LayoutUnit { LayoutUnit(raw: (length + half).raw & mask) }
    @inline(__always) func floor(_ length: LayoutUnit) -> LayoutUnit { LayoutUnit(raw: length.raw & mask) }
    @inline(__always) func ceil(_ length: LayoutUnit) -> LayoutUnit {
        mask == -1 ? length : LayoutUnit(raw: (length + LayoutUnit(raw: 63)).raw & mask)
    }

    /// Divides a length among takers in turn: each gets an equal part of what is left, unless that is above its limit.
    func share(
        _ left: inout LayoutUnit, among takers: [Int],
        atMost limit: (Int) -> LayoutUnit = { _ in LayoutUnit(raw: .max) },
        _ give: (_ taker: Int, _ part: LayoutUnit) -> Void
    ) {
        for (rank, taker) in takers.enumerated() {
            let part = min(floor(left / Int32(takers.count - rank)), limit(taker))
            give(taker, part)
            left -= part
        }
    }

    /// Rounds the ends of consecutive lengths, so that their sum does not change.
    func rounded(_ lengths: [LayoutUnit]) -> [LayoutUnit] {
        guard isOfCells else { return lengths }
        var end = LayoutUnit.zero
        return lengths.map { length in
            let start = round(end)
            end += length
            return round(end) - start
        }
    }
}

extension Comparable {
    /// Makes the value at least, and next, at most another one.
    @inline(__always) mutating func raise(to least: Self) { self = max(self, least) }
    @inline(__always) mutating func lower(to most: Self) { self = min(self, most) }
}

extension Array {
    /// Appends changed copies of elements; returns their range.
    mutating func appendCopies(of range: Range<Int>, _ change: (inout Element) -> Void) -> Range<Int> {
        let first = count
        for index in range {
            append(self[index])
            change(&self[count - 1])
        }
        return first..<count
    }
}

extension [LayoutUnit] {
    /// Adds an amount to the lengths at some indices: a part to each, and to the last one the rest.
    mutating func add(_ amount: LayoutUnit, at indices: [Int], part: (_ index: Int, _ length: LayoutUnit) -> LayoutUnit)
    {
        var rest = amount
        for index in indices {
            let share = index == indices.last ? rest : part(index, self[index])
            self[index] += share
            rest -= share
        }
    }
}

/// A border, a padding, a margin.
package typealias Edges = Sides<LayoutUnit>

extension Edges {
    package init() { self.init(.zero) }
    package var horizontal: LayoutUnit { left + right }
    package var vertical: LayoutUnit { top + bottom }
    package static func + (a: Edges, b: Edges) -> Edges {
        Edges(top: a.top + b.top, right: a.right + b.right, bottom: a.bottom + b.bottom, left: a.left + b.left)
    }
}

struct BoxEdges {
    var margin = Edges(), border = Edges(), padding = Edges()

    var frame: Edges { border + padding }
    var total: Edges { margin + border + padding }

    func map(_ change: (Edges) -> Edges) -> BoxEdges {
        BoxEdges(margin: change(margin), border: change(border), padding: change(padding))
    }
}

extension BoxEdges {
    init(_ style: ComputedStyle, percentageBase: LayoutUnit, grid: LayoutGrid, deviceScale: Float) {
        margin = style.box.margin.map { $0.map { resolve($0, percentageBase, grid: grid) } ?? .zero }
        border = resolvedBorders(style.box.border, deviceScale: deviceScale)
        padding = resolvedPadding(style.box.padding, base: percentageBase, grid: grid)
    }
}

/// A computed length on the layout grid; percentages are of `base`.
@inline(__always) func resolve(_ value: LengthPercentage, _ base: LayoutUnit, grid: LayoutGrid) -> LayoutUnit {
    if !value.isRelative { return LayoutUnit(value.px) }
    return grid.round(LayoutUnit(value.resolved(against: base.float)))
}

/// A computed length; nil for a percentage of an unknown length.
func resolve(_ value: LengthPercentage, ofKnown base: LayoutUnit?, grid: LayoutGrid) -> LayoutUnit? {
    value.isRelative && base == nil ? nil : resolve(value, base ?? .zero, grid: grid)
}

/// Widths snapped to whole device pixels, at least one if there is any (CSS Backgrounds 3 §3.3).
package func resolvedBorders(_ border: Sides<BorderSide>, deviceScale: Float) -> Edges {
    border.map { resolvedBorder($0, deviceScale: deviceScale) }
}

func resolvedBorder(_ side: BorderSide, deviceScale: Float) -> LayoutUnit {
    switch side.style {
    case .none, .hidden: .zero
    case .dotted, .dashed, .solid, .double, .groove, .ridge, .inset, .outset:
        side.width > 0 ? .round(max(1, (side.width * deviceScale).rounded(.down)) / deviceScale) : .zero
    }
}

package func resolvedPadding(_ padding: Sides<LengthPercentage>, base: LayoutUnit, grid: LayoutGrid = .fine) -> Edges {
    padding.map { resolve($0, base, grid: grid).nonNegative }
}

/// A rectangle on the layout grid.
package struct LayoutRect: Hashable, Sendable {
    package var x, y, width, height: LayoutUnit

    @inlinable package init(
        x: LayoutUnit = .zero, y: LayoutUnit = .zero, width: LayoutUnit = .zero, height: LayoutUnit = .zero
    ) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }
    var origin: LayoutPoint {
        @inline(__always) get { LayoutPoint(x: x, y: y) }
        @inline(__always) set { (x, y) = (newValue.x, newValue.y) }
    }
    var size: (width: LayoutUnit, height: LayoutUnit) {
        @inline(__always) get { (width, height) }
        @inline(__always) set { (width, height) = newValue }
    }
    func moved(by distance: LayoutPoint) -> LayoutRect {
        LayoutRect(x: x + distance.x, y: y + distance.y, width: width, height: height)
    }
    /// Makes the height the width, and the other way round.
    mutating func turnSize() { (width, height) = (height, width) }
    @inlinable package var maxX: LayoutUnit { x + width }
    func united(with other: LayoutRect) -> LayoutRect {
        let (left, top) = (min(x, other.x), min(y, other.y))
        return LayoutRect(x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
    }
    @inlinable package var maxY: LayoutUnit { y + height }
    @inlinable package func inset(by edges: Edges) -> LayoutRect {
        LayoutRect(
            x: x + edges.left, y: y + edges.top, width: (width - edges.horizontal).nonNegative,
            height: (height - edges.vertical).nonNegative)
    }
    /// The part on a page: the outer half of a border would be on the page before or after it.
    func cut(to page: LayoutPage) -> LayoutRect {
        let (top, bottom) = (max(y, page.top), min(maxY, page.top + page.height))
        return LayoutRect(x: x, y: top, width: width, height: (bottom - top).nonNegative)
    }
    package var rect: Rect { Rect(x: x.float, y: y.float, width: width.float, height: height.float) }
}

/// A point, or a distance in both directions.
struct LayoutPoint: Hashable {
    var x = LayoutUnit.zero, y = LayoutUnit.zero

    static func + (a: LayoutPoint, b: LayoutPoint) -> LayoutPoint { LayoutPoint(x: a.x + b.x, y: a.y + b.y) }
    static func - (a: LayoutPoint, b: LayoutPoint) -> LayoutPoint { LayoutPoint(x: a.x - b.x, y: a.y - b.y) }
    static func += (a: inout LayoutPoint, b: LayoutPoint) { a = a + b }
    static func -= (a: inout LayoutPoint, b: LayoutPoint) { a = a - b }
}

/// The heights above and below a baseline (LayoutNG's FontHeight) of a font, an inline box or a line.
struct FontHeight: Hashable {
    var ascent, descent: LayoutUnit

    /// The empty height, which does not change a union.
    static let empty = FontHeight(ascent: LayoutUnit(raw: .min / 2), descent: LayoutUnit(raw: .min / 2))
    var isEmpty: Bool { ascent.raw == .min / 2 && descent.raw == .min / 2 }
    var height: LayoutUnit { isEmpty ? .zero : ascent + descent }

    mutating func move(_ shift: LayoutUnit) {
        guard !isEmpty else { return }
        ascent -= shift
        descent += shift
    }

    /// Moves the baseline to the middle.
    mutating func center() { (ascent, descent) = (height / 2, height - height / 2) }

    mutating func unite(_ other: FontHeight) {
        ascent.raise(to: other.ascent)
        descent.raise(to: other.descent)
    }

    /// Splits the leading: the half above is rounded down to device pixels (CSS 2.1 §10.8.1; LayoutNG's rounding).
    mutating func setLineHeight(_ lineHeight: LayoutUnit, deviceScale: Float) {
        let half = (lineHeight - height) / 2
        var above = LayoutUnit(half.floor)
        if deviceScale != 1 {
            // The fraction lost on the layout grid is ignored.
            above = .ceil((half.float * deviceScale + 1 / 32).rounded(.down) / deviceScale)
        }
        let below = lineHeight - height - above
        ascent += above
        descent += below
    }
}

extension FontHeight {
    /// The em box around the baseline, in whole pixels as in Blink.
    init(emBoxOf metrics: FontMetrics, isCentral: Bool = false) {
        let descent = isCentral ? metrics.size / 2 : metrics.emDescent
        self.ascent = LayoutUnit(LayoutUnit.round(metrics.size - descent).ceil)
        self.descent = LayoutUnit(LayoutUnit.round(descent).ceil)
    }
}
