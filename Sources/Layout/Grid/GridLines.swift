// The lines of one axis of a grid, and the resolution of items' edges to lines (CSS Grid 2 §7.1, §8.3). Lines are
// numbered from the explicit grid's first, which is 0; those of implicit tracks before it are negative.

import FancyTextCSS

enum GridPosition: Hashable {
    case lines(Range<Int>)
    /// Spans this many tracks; placement finds the lines.
    case automatic(span: Int)

    var span: Int {
        switch self {
        case .lines(let lines): lines.count
        case .automatic(let span): span
        }
    }
}

struct GridLines {
    /// Numbers beyond are limited to this (CSS Grid 2 §5.4).
    static let limit = 1_000_000

    /// The number of tracks of the explicit grid.
    let trackCount: Int
    /// The lines of each name, ascending.
    private var named: [String: [Int]] = [:]

    /// `areas` with their tracks in this axis span `areaTracks`; a template has one more of `lineNames`.
    init(lineNames: [[String]], areas: [(name: String, tracks: Range<Int>)], areaTracks: Int) {
        trackCount = max(lineNames.count - 1, areaTracks)
        for (line, names) in lineNames.enumerated() {
            for name in names where named[name]?.last != line { named[name, default: []].append(line) }
        }
        for area in areas {
            insert(area.tracks.lowerBound, named: area.name + "-start")
            insert(area.tracks.upperBound, named: area.name + "-end")
        }
    }

    private mutating func insert(_ line: Int, named name: String) {
        let lines = named[name] ?? []
        let index = lines.partitioningIndex { $0 >= line }
        guard index == lines.count || lines[index] != line else { return }
        named[name, default: []].insert(line, at: index)
    }

    /// Resolves `grid-row-start` and `grid-row-end`, or those of columns, to lines.
    func position(start: GridLine, end: GridLine) -> GridPosition {
        let first = line(start, suffix: "-start")
        let last = line(end, suffix: "-end")
        switch (first, last) {
        case (let first?, let last?):
            // Lines in the wrong order are swapped; an empty area has one track (CSS Grid 2 §8.3.1).
            return clamped(min(first, last), first == last ? first + 1 : max(first, last))
        case (let first?, nil):
            guard case .span(let count, let name) = end else { return clamped(first, first + 1) }
            return clamped(first, name.map { self.last(count, named: $0, after: first) } ?? first + count)
        case (nil, let last?):
            guard case .span(let count, let name) = start else { return clamped(last - 1, last) }
            return clamped(name.map { self.first(count, named: $0, before: last) } ?? last - count, last)
        case (nil, nil):
            // If both are spans, the first counts; a span to a named line has no line to start from.
            if case .span(let count, let name) = start { return .automatic(span: name == nil ? count : 1) }
            if case .span(let count, let name) = end { return .automatic(span: name == nil ? count : 1) }
            return .automatic(span: 1)
        }
    }

    /// The lines of an absolutely positioned item; nil for `auto`, for a span to it, and for lines that do not exist (§9.1).
    func edges(start: GridLine, end: GridLine, in tracks: Range<Int>) -> (start: Int?, end: Int?) {
        func existing(_ line: Int?) -> Int? {
            line.flatMap { tracks.lowerBound <= $0 && $0 <= tracks.upperBound ? $0 : nil }
        }
        let first = existing(line(start, suffix: "-start"))
        let last = existing(line(end, suffix: "-end"))
        guard let first, let last else {
            func isSpan(_ line: GridLine) -> Bool { if case .span = line { true } else { false } }
            if isSpan(start) && last != nil || isSpan(end) && first != nil,
                case .lines(let lines) = position(start: start, end: end)
            {
                return (existing(lines.lowerBound), existing(lines.upperBound))
            }
            return (first, last)
        }
        return first == last ? (first, nil) : (min(first, last), max(first, last))
    }

    private func clamped(_ first: Int, _ last: Int) -> GridPosition {
        let start = max(-Self.limit, min(first, Self.limit - 1))
        return .lines(start..<max(start + 1, min(last, Self.limit)))
    }

    /// The number of a line; nil for `auto` and spans.
    private func line(_ line: GridLine, suffix: String) -> Int? {
        switch line {
        case .auto, .span: nil
        case .area(let name): named[name + suffix]?.first ?? self.line(1, named: name)
        case .line(let number, let name?): self.line(number, named: name)
        case .line(let number, nil): number > 0 ? number - 1 : trackCount + 1 + number
        }
    }

    /// The n-th line of a name, from the end if negative. All implicit lines have the name too.
    private func line(_ number: Int, named name: String) -> Int {
        let lines = named[name] ?? []
        if number > 0 { return number <= lines.count ? lines[number - 1] : trackCount + number - lines.count }
        return -number <= lines.count ? lines[lines.count + number] : lines.count + number
    }

    /// The n-th line of a name after `line`; all implicit lines after the grid have the name too.
    private func last(_ count: Int, named name: String, after line: Int) -> Int {
        let lines = named[name] ?? []
        let index = lines.partitioningIndex { $0 > line } + count - 1
        return index < lines.count ? lines[index] : max(line, trackCount) + index - lines.count + 1
    }

    /// The n-th line of a name before `line`, counted backwards.
    private func first(_ count: Int, named name: String, before line: Int) -> Int {
        let lines = named[name] ?? []
        let index = lines.partitioningIndex { $0 >= line } - count
        return index >= 0 ? lines[index] : min(line, 0) + index
    }
}
