// Sizes of the tracks of one axis (CSS Grid 2 §12), by the contributions of items and the container's space. With n
// items: O(n log n + tracks spanned); items of one track cost O(1).

import FancyTextCSS

/// The contribution of an item to the tracks that it spans (CSS Grid 2 §12.5): sizes of its margin box.
struct TrackItem: Equatable {
    /// The indices in ``TrackSizing/tracks``.
    var range: Range<Int>
    var minimum = LayoutUnit.zero, minContent = LayoutUnit.zero, maxContent = LayoutUnit.zero
    /// The maximum, limited by the fixed maximums of tracks, but at least the minimum; set only for ``Aim/maxContent``.
    fileprivate(set) var limitedMaxContent = LayoutUnit.zero
}

struct TrackSizing {
    /// The purpose of sizing the container (CSS Sizing 3 §2.2); `layout` sizes it for its final layout.
    enum Aim { case layout, minContent, maxContent }

    private(set) var tracks: [GridTrack]
    let gap: LayoutUnit
    let space: GridSpace
    let aim: Aim
    private let grid: LayoutGrid
    /// For each track, the number of intrinsic ones before it; the next ones count other kinds.
    private let intrinsicBefore, flexibleBefore, shownBefore, freeMaximumBefore: [Int32]
    private let automaticMinimumBefore: [Int32]
    /// For each track, the planned increase of the current step; −1 if the step does not affect it.
    private var planned: [LayoutUnit]

    init(_ tracks: [GridTrack], gap: LayoutUnit, space: GridSpace, aim: Aim = .layout, grid: LayoutGrid = .fine) {
        (self.tracks, self.gap, self.space, self.aim) = (tracks, gap, space, aim)
        self.grid = grid
        func counts(_ isCounted: (GridTrack) -> Bool) -> [Int32] {
            var result: [Int32] = [0]
            result.reserveCapacity(tracks.count + 1)
            for track in tracks { result.append(result[result.count - 1] + (isCounted(track) ? 1 : 0)) }
            return result
        }
        intrinsicBefore = counts { $0.isIntrinsic || $0.isFlexible }
        flexibleBefore = counts(\.isFlexible)
        shownBefore = counts { !$0.isCollapsed }
        freeMaximumBefore = counts { $0.fixedMaximum == nil }
        automaticMinimumBefore = counts { $0.minimum == .auto }
        planned = Array(repeating: Self.untouched, count: tracks.count)
    }

    private static let untouched = LayoutUnit(raw: -1)

    private func count(_ before: [Int32], _ range: Range<Int>) -> Int {
        Int(before[range.upperBound] - before[range.lowerBound])
    }

    /// Returns whether the size of a track in the range depends on an item's contents.
    func dependsOnContents(_ range: Range<Int>) -> Bool { count(intrinsicBefore, range) > 0 }
    /// Returns whether an item has a content-based automatic minimum size; otherwise it is 0 (CSS Grid 2 §6.6).
    func hasContentMinimum(_ range: Range<Int>) -> Bool {
        count(automaticMinimumBefore, range) > 0 && (range.count == 1 || count(flexibleBefore, range) == 0)
    }
    func gaps(in range: Range<Int>) -> LayoutUnit { gap * max(0, count(shownBefore, range) - 1) }
    /// The largest size of an area whose tracks do not depend on contents.
    func fixedMaximum(of range: Range<Int>) -> LayoutUnit? {
        guard count(freeMaximumBefore, range) == 0 else { return nil }
        return range.reduce(gaps(in: range)) { $0 + (tracks[$1].fixedMaximum ?? .zero) }
    }
    /// The size of all tracks, including the gaps between them.
    var total: LayoutUnit { size(of: 0..<tracks.count) }
    func size(of range: Range<Int>) -> LayoutUnit { range.reduce(gaps(in: range)) { $0 + tracks[$1].base } }

    /// Sizes the tracks. `auto` ones stretch if the container's content alignment `stretches`.
    mutating func size(_ items: [TrackItem], stretches: Bool) {
        let items = Self.merged(items)
        resolveIntrinsicSizes(items)
        maximize()
        expandFlexibleTracks(items)
        guard stretches, aim == .layout else { return }
        // `auto` tracks fill the remaining space (§12.8).
        var free = (space.definite ?? space.minimum) - total
        guard free > .zero else { return }
        grid.share(&free, among: tracks.indices.filter { tracks[$0].maximum == .auto }) { tracks[$0].base += $1 }
    }

    /// Merges the items that span the same tracks into one: only the largest contribution counts.
    private static func merged(_ items: [TrackItem]) -> [TrackItem] {
        var result: [TrackItem] = []
        var positions: [Range<Int>: Int] = [:]
        for item in items {
            guard let known = positions[item.range] else {
                positions[item.range] = result.count
                result.append(item)
                continue
            }
            result[known].minimum.raise(to: item.minimum)
            result[known].minContent.raise(to: item.minContent)
            result[known].maxContent.raise(to: item.maxContent)
        }
        return result
    }

    // MARK: Intrinsic sizes (§12.5)

    private mutating func resolveIntrinsicSizes(_ items: [TrackItem]) {
        var rigid: [TrackItem] = []
        var flexible: [TrackItem] = []
        for var item in items where dependsOnContents(item.range) {
            if aim == .maxContent {
                let most = min(item.maxContent, fixedMaximum(of: item.range) ?? .unlimited)
                item.limitedMaxContent = max(item.minimum, most)
            }
            if count(flexibleBefore, item.range) > 0 { flexible.append(item) } else { rigid.append(item) }
        }
        rigid = rigid.indices.sorted { (rigid[$0].range.count, $0) < (rigid[$1].range.count, $1) }.map { rigid[$0] }
        for run in rigid.indices.runs({ rigid[$0].range.count == rigid[$1].range.count }) {
            fit(rigid[run], isFlexible: false)
        }
        if !flexible.isEmpty { fit(flexible[...], isFlexible: true) }
        for index in tracks.indices where tracks[index].limit.isUnlimited { tracks[index].limit = tracks[index].base }
    }

    /// Grows tracks for items of one span, or for those that span flexible tracks, of which only these grow.
    private mutating func fit(_ items: ArraySlice<TrackItem>, isFlexible: Bool) {
        func mayGrow(_ track: GridTrack) -> Bool { !isFlexible || track.isFlexible }
        // As in browsers, minimum contributions also under a min-content constraint.
        growBases(items, to: \.minimum) { mayGrow($0) && $0.minimum.isIntrinsic }
        growBases(items, to: \.minContent) { mayGrow($0) && ($0.minimum == .minContent || $0.minimum == .maxContent) }
        if aim == .maxContent {
            growBases(items, to: \.limitedMaxContent, isForMaxContent: true) {
                mayGrow($0) && ($0.minimum == .auto || $0.minimum == .maxContent)
            }
        }
        growBases(items, to: \.maxContent, isForMaxContent: true) { mayGrow($0) && $0.minimum == .maxContent }
        for item in items {
            for index in item.range { tracks[index].limit.raise(to: tracks[index].base) }
        }
        guard !isFlexible else { return }
        growLimits(items, to: \.minContent, opens: true) { $0.maximum.isIntrinsic }
        growLimits(items, to: \.maxContent, opens: false) { $0.maximum.isIntrinsic && $0.maximum != .minContent }
        for item in items {
            for index in item.range { tracks[index].hasOpenLimit = false }
        }
    }

    /// Grows the base sizes of the tracks selected by `isAffected`.
    private mutating func growBases(
        _ items: ArraySlice<TrackItem>, to contribution: (TrackItem) -> LayoutUnit, isForMaxContent: Bool = false,
        where isAffected: (GridTrack) -> Bool
    ) {
        plan(
            items, to: contribution, where: isAffected,
            ceiling: { track in
                guard case .fitContent(let limit) = track.maximum else { return track.limit }
                return min(track.limit, max(limit, track.base))
            },
            beyond: { track in
                switch track.maximum {
                case .auto, .maxContent: true
                case .minContent: !isForMaxContent
                case .fitContent(let limit): track.base < limit
                case .fixed, .flex: false
                }
            }, mayExceed: true, size: \.base)
        commit(items) { $0.base += $1 }
    }

    /// Grows the limits of the affected tracks. If it `opens`, those that were infinite may grow in the next step.
    private mutating func growLimits(
        _ items: ArraySlice<TrackItem>, to contribution: (TrackItem) -> LayoutUnit, opens: Bool,
        where isAffected: (GridTrack) -> Bool
    ) {
        func size(_ track: GridTrack) -> LayoutUnit { track.limit.isUnlimited ? track.base : track.limit }
        plan(
            items, to: contribution, where: isAffected,
            ceiling: { track in
                if case .fitContent(let limit) = track.maximum { return max(limit, size(track)) }
                return track.hasOpenLimit || track.limit.isUnlimited ? .unlimited : track.limit
            }, beyond: { if case .fitContent = $0.maximum { false } else { true } }, mayExceed: false, size: size)
        commit(items) { track, growth in
            if opens, track.limit.isUnlimited { track.hasOpenLimit = true }
            track.limit = size(track) + growth
        }
    }

    /// Plans the growth of the affected tracks of each item from their sizes to its contribution.
    private mutating func plan(
        _ items: ArraySlice<TrackItem>, to contribution: (TrackItem) -> LayoutUnit,
        where isAffected: (GridTrack) -> Bool,
        ceiling: (GridTrack) -> LayoutUnit, beyond: (GridTrack) -> Bool, mayExceed: Bool,
        size: (GridTrack) -> LayoutUnit
    ) {
        for item in items {
            let affected = item.range.filter { isAffected(tracks[$0]) }
            guard !affected.isEmpty else { continue }
            let extra = item.range.reduce(contribution(item) - gaps(in: item.range)) { $0 - size(tracks[$1]) }
            distribute(extra, over: affected, ceiling: ceiling, beyond: beyond, mayExceed: mayExceed, size: size)
        }
    }

    /// Distributes extra space among the tracks of one item (§12.5.1): by flex factors if there are any, or else
    /// equally up to their ceilings, then beyond. If `beyond` selects none, all may exceed theirs with `mayExceed`.
    private mutating func distribute(
        _ extra: LayoutUnit, over affected: [Int], ceiling: (GridTrack) -> LayoutUnit, beyond: (GridTrack) -> Bool,
        mayExceed: Bool, size: (GridTrack) -> LayoutUnit
    ) {
        for index in affected where planned[index] == Self.untouched { planned[index] = .zero }
        guard extra > .zero else { return }
        if affected.count == 1 {
            let track = tracks[affected[0]]
            let growth = mayExceed || beyond(track) ? extra : min(extra, (ceiling(track) - size(track)).nonNegative)
            planned[affected[0]] = max(planned[affected[0]], growth)
            return
        }
        var shares = Array(repeating: LayoutUnit.zero, count: affected.count)
        var left = extra
        let factors = affected.reduce(Float(0)) { $0 + tracks[$1].flexFactor }
        if factors > 0 {
            for (position, index) in affected.enumerated() {
                shares[position] = grid.floor(LayoutUnit(extra.float * (tracks[index].flexFactor / factors)))
                left -= shares[position]
            }
            if let last = affected.indices.last(where: { tracks[affected[$0]].flexFactor > 0 }) { shares[last] += left }
        } else {
            let room = affected.map { (ceiling(tracks[$0]) - size(tracks[$0])).nonNegative }
            let order = affected.indices.sorted { (room[$0], $0) < (room[$1], $1) }
            grid.share(&left, among: order, atMost: { room[$0] }) { shares[$0] += $1 }
            if left > .zero {
                var takers = affected.indices.filter { beyond(tracks[affected[$0]]) }
                if takers.isEmpty, mayExceed { takers = Array(affected.indices) }
                grid.share(&left, among: takers) { shares[$0] += $1 }
            }
        }
        for (position, index) in affected.enumerated() { planned[index].raise(to: shares[position]) }
    }

    /// Applies the planned increases, each track once.
    private mutating func commit(_ items: ArraySlice<TrackItem>, _ add: (inout GridTrack, LayoutUnit) -> Void) {
        for item in items {
            for index in item.range where planned[index] != Self.untouched {
                add(&tracks[index], planned[index])
                planned[index] = Self.untouched
            }
        }
    }

    // MARK: Filling the container

    /// Grows tracks up to their limits (§12.6).
    private mutating func maximize() {
        switch aim {
        case .minContent: return
        case .maxContent: growToLimits(.unlimited)
        case .layout:
            if let definite = space.definite { return growToLimits(definite - total) }
            let bases = tracks
            growToLimits(.unlimited)
            if let most = space.maximum, total > most {
                tracks = bases
                growToLimits(most - total)
            }
        }
    }

    private mutating func growToLimits(_ free: LayoutUnit) {
        guard free > .zero else { return }
        if free.isUnlimited {
            for index in tracks.indices { tracks[index].base.raise(to: tracks[index].limit) }
            return
        }
        var free = free
        let growing = tracks.indices.filter { tracks[$0].limit > tracks[$0].base }
            .sorted { (tracks[$0].limit - tracks[$0].base, $0) < (tracks[$1].limit - tracks[$1].base, $1) }
        grid.share(&free, among: growing, atMost: { tracks[$0].limit - tracks[$0].base }) { tracks[$0].base += $1 }
    }

    /// Sizes flexible tracks by their shares (§12.7).
    private mutating func expandFlexibleTracks(_ items: [TrackItem]) {
        guard flexibleBefore[tracks.count] > 0, aim != .minContent else { return }
        let all = 0..<tracks.count
        var fraction: Float
        if let definite = space.definite, aim == .layout {
            fraction = flexFraction(of: all, filling: definite)
        } else {
            fraction = 0
            for track in tracks where track.isFlexible {
                fraction.raise(to: track.base.float / max(1, track.flexFactor))
            }
            for item in items where count(flexibleBefore, item.range) > 0 {
                fraction.raise(to: flexFraction(of: item.range, filling: item.maxContent))
            }
            let total = tracks.reduce(gaps(in: all).float) { $0 + max($1.base.float, fraction * $1.flexFactor) }
            if aim == .layout {
                if let most = space.maximum, total > most.float {
                    fraction = flexFraction(of: all, filling: most)
                } else if total < space.minimum.float {
                    fraction = flexFraction(of: all, filling: space.minimum)
                }
            }
        }
        // The fraction removed by rounding a track is added to the next one.
        var rest: Float = 0
        for index in tracks.indices where tracks[index].isFlexible {
            let exact = fraction * tracks[index].flexFactor + rest
            let size = grid.floor(LayoutUnit(exact + 1 / 256))
            guard size >= tracks[index].base else { continue }
            tracks[index].base = size
            rest = max(0, exact - size.float)
        }
    }

    /// The size of `1fr` with which the tracks fill the space (§12.7.1).
    private func flexFraction(of range: Range<Int>, filling space: LayoutUnit) -> Float {
        var left = Double((space - gaps(in: range)).float)
        var factors = 0.0
        var flexible: [Int] = []
        for index in range {
            if tracks[index].isFlexible, tracks[index].flexFactor > 0 {
                flexible.append(index)
                factors += Double(tracks[index].flexFactor)
            } else {
                left -= Double(tracks[index].base.float)
            }
        }
        // Tracks whose base size exceeds their share are treated as inflexible.
        func ratio(_ index: Int) -> Float { tracks[index].base.float / tracks[index].flexFactor }
        flexible.sort { ratio($0) > ratio($1) }
        for index in flexible {
            let share = left / max(1, factors)
            guard Double(tracks[index].base.float) > share * Double(tracks[index].flexFactor) else { break }
            left -= Double(tracks[index].base.float)
            factors -= Double(tracks[index].flexFactor)
        }
        return Float(max(0, left / max(1, factors)))
    }

    /// Shrinks tracks until they fit: in proportion those that are wider than an equal share of what narrower ones leave.
    mutating func shrink(to space: LayoutUnit) {
        let gaps = gaps(in: 0..<tracks.count)
        var (room, sizes) = ((space - gaps).nonNegative, total - gaps)
        guard sizes > room else { return }
        var wide = tracks.indices.sorted { tracks[$0].base < tracks[$1].base }[...]
        while let first = wide.first, case let base = tracks[first].base, base * wide.count <= room {
            (room, sizes) = (room - base, sizes - base)
            wide.removeFirst()
        }
        wide.sort()
        let bases = grid.rounded(wide.map { tracks[$0].base.scaled(by: room, over: sizes) })
        for (index, base) in zip(wide, bases) { tracks[index].base = base }
    }
}
