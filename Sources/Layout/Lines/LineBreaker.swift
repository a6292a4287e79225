// Where a line ends.
//
// In: prepared inline content, the place where the line begins and the width it may take. Out: the place where the next line begins.
// One greedy walk over glyph clusters in logical order: the last opportunity before the first cluster that does not fit
// ends the line (CSS Text 3 §5). White space at the end never overflows. Each cluster is looked at at most twice, but for
// the word that moves to the next line.

import Styling

/// A place between two clusters.
struct LineCursor: Equatable {
    /// Index in ``Layouter/flat``.
    var item: Int
    /// In text: index of the run in ``Layouter/shaped``, and how many of the run's glyphs lie before, in logical order.
    var run = 0
    var glyph = 0
    /// Byte of the context's text.
    var offset: Int
}

struct LineEnd {
    /// Where the next line begins.
    var next: LineCursor
    /// The style of the hyphen to add.
    var hyphen: StyleID?
    /// By a line feed.
    var isForced = false
    /// Nothing follows.
    var isLast = false
    /// Right edge of the last thing that is not white space at the end.
    var width = LayoutUnit.zero
    /// Something is wider than the line.
    var overflows = false
}

/// What a line breaker asks when it meets a float: places it, or keeps it for later, and tells the width that the line has then.
typealias FloatHandler = (_ layouter: inout Layouter, _ item: Int, _ position: LayoutUnit) -> LayoutUnit

extension Layouter {
    /// The first place of `content`.
    func firstCursor(_ content: InlineContent) -> LineCursor { cursor(atItem: content.items.lowerBound) }

    /// The place at the start of item `index`.
    func cursor(atItem index: Int) -> LineCursor {
        guard index < flat.count else { return LineCursor(item: index, offset: Int(flat.last?.end ?? 0)) }
        return LineCursor(item: index, run: Int(flat[index].runs.lowerBound), glyph: 0, offset: Int(flat[index].start))
    }

    /// The place of byte `offset` in item `index`: the start of the cluster there.
    func cursor(_ content: InlineContent, atItem index: Int, offset: Int) -> LineCursor {
        var cursor = cursor(atItem: index)
        guard index < content.items.upperBound, flat[index].kind == .text, offset > Int(flat[index].start) else {
            return cursor
        }
        cursor.offset = offset
        for run in Int(flat[index].runs.lowerBound)..<Int(flat[index].runs.upperBound)
        where shaped.runs[run].text.contains(offset) {
            let glyphs = shaped.runs[run].glyphs
            cursor.run = run
            cursor.glyph =
                shaped.runs[run].level & 1 == 1
                ? glyphs.reversed().prefix { Int(shaped.glyphs[$0].cluster) < offset }.count
                : glyphs.prefix { Int(shaped.glyphs[$0].cluster) < offset }.count
            break
        }
        return cursor
    }

    /// Width of the hyphen that a break after a soft hyphen shows in `style`.
    mutating func hyphenWidth(_ style: StyleID) -> Float {
        let index = Int(style.rawValue)
        if inlineStyle(style).hyphenWidth >= 0 { return inlineStyles[index].hyphenWidth }
        let width = shapeGenerated(hyphenText(style), style: style, level: 0).width
        inlineStyles[index].hyphenWidth = width
        return width
    }

    mutating func hyphenText(_ style: StyleID) -> [UInt8] {
        if let text = text.styles[style].text.hyphenateCharacter { return Array(text.utf8) }
        return Array(metric.hyphen(inlineStyle(style).chain).utf8)
    }

    /// Finds the end of the line that begins at `start`.
    ///
    /// - Parameters:
    ///   - available: the width between floats, less the indent.
    ///   - indent: where the line's text begins, for tab stops.
    ///   - ignoresFit: lays the whole of each paragraph on one line.
    ///   - isMinContent: `overflow-wrap: break-word` does not count (CSS Text 3 §5.5).
    ///   - breaksWords: `overflow-wrap` counts at all.
    mutating func findLineEnd(
        _ content: InlineContent, from start: LineCursor, available: LayoutUnit, indent: LayoutUnit = .zero,
        percentageBase: LayoutUnit, ignoresFit: Bool = false, isMinContent: Bool = false, breaksWords: Bool = true,
        onFloat: FloatHandler? = nil
    ) -> LineEnd {
        var result = LineEnd(next: start)
        var limit = ignoresFit ? Float.infinity : available.float + 1 / 64
        var done = LayoutUnit.zero
        var ink: Float = 0
        var candidate: LineEnd?
        var mayWrap = false
        var hasContent = false
        var overflowing = false
        /// The first of the inline boxes that opened since the last content: a break goes before them.
        var pendingOpen: (cursor: LineCursor, done: LayoutUnit)?
        var item = start.item
        var isFirst = true
        if content.clonesEdges { done = clonedEdges(openAt: start, percentageBase: percentageBase) }
        done += .round(trimmedWidth(at: start, in: content))

        /// A line could end at `cursor`; returns true if it has to.
        func offer(_ cursor: LineCursor, ink: Float, hyphen: StyleID? = nil, hyphenWidth: Float = 0) -> Bool {
            if let hyphen, let last = candidate {
                if ink + hyphenWidth > limit { return false }
                // The last word may end the line when it leaves no more room than the zone (CSS Text 4 §6.3.4).
                let zone = text.styles[hyphen].text.hyphenateLimitZone
                if zone != .zero, last.hyphen == nil,
                    limit - last.width.float <= zone.resolved(against: available.float)
                {
                    return false
                }
            }
            var end = LineEnd(next: cursor)
            end.hyphen = hyphen
            end.width = LayoutUnit.ceil(ink + hyphenWidth)
            end.overflows = ink + hyphenWidth > limit
            candidate = end
            return overflowing
        }

        while item < content.items.upperBound {
            let current = flat[item]
            switch current.kind {
            case .open:
                if pendingOpen == nil { pendingOpen = (cursor(atItem: item), done) }
                if inlineStyle(current.style).hasEdges {
                    let edges = inlineEdges(current.style, percentageBase: percentageBase)
                    let isRightToLeft = inlineStyle(current.style).direction == .rtl
                    done +=
                        isRightToLeft
                        ? edges.margin.right + edges.border.right + edges.padding.right
                        : edges.margin.left + edges.border.left + edges.padding.left
                }
            case .close:
                if inlineStyle(current.style).hasEdges {
                    let edges = inlineEdges(current.style, percentageBase: percentageBase)
                    let isRightToLeft = inlineStyle(current.style).direction == .rtl
                    let width =
                        isRightToLeft
                        ? edges.margin.left + edges.border.left + edges.padding.left
                        : edges.margin.right + edges.border.right + edges.padding.right
                    done += width
                    if width.raw != 0 {
                        ink = done.float
                        if ink > limit, !overflowing {
                            if let candidate { return candidate }
                            overflowing = true
                        }
                    }
                }
                if enclosingStyleWraps(item, content) { mayWrap = hasContent }
                // What opened before this close has been closed again: a break may still go before it all.
                if let open = pendingOpen, open.cursor.item >= Int(current.link), open.cursor.item < item {
                    pendingOpen = open
                }
            case .float:
                if let onFloat {
                    let width = onFloat(&self, item, LayoutUnit.ceil(ink))
                    limit = ignoresFit ? .infinity : width.float + 1 / 64
                }
            case .wordBreak:
                if hasContent {
                    let place = pendingOpen?.cursor ?? cursor(atItem: item + 1)
                    if offer(place, ink: ink) { return candidate ?? result }
                }
            case .newline:
                // Inline boxes that end right after the break end on this line.
                var next = item + 1
                while next < content.items.upperBound, flat[next].kind == .close { next += 1 }
                result.next = cursor(atItem: next)
                result.isForced = true
                result.width = LayoutUnit.ceil(ink)
                result.overflows = ink > limit
                return result
            case .tab:
                let info = inlineStyle(current.style)
                let width = tabAdvance(current.style, in: content.style, position: indent.float + done.float)
                if breaks[content.textStart + Int(current.start)] != 0, mayWrap, hasContent {
                    if offer(pendingOpen?.cursor ?? cursor(atItem: item), ink: ink) { return candidate ?? result }
                }
                done += LayoutUnit.round(width)
                if info.breaksSpaces {
                    ink = done.float
                    if ink > limit, let candidate { return candidate }
                }
                hasContent = true
                mayWrap = info.wraps || wrapsAlways
                pendingOpen = nil
            case .atomic:
                let wraps = enclosingStyleWraps(item, content)
                let flag = breaks[content.textStart + Int(current.start)]
                if flag != 0, hasContent, mayWrap || wraps {
                    if offer(pendingOpen?.cursor ?? cursor(atItem: item), ink: ink) { return candidate ?? result }
                }
                done += atomicWidth(Int(current.link))
                if done.float > limit {
                    if let candidate { return candidate }
                    overflowing = true
                }
                ink = done.float
                hasContent = true
                mayWrap = wraps
                pendingOpen = nil
            case .text:
                let info = inlineStyle(current.style)
                let wraps = info.wraps || wrapsAlways
                let breaksWords = breaksWords && (isMinContent ? info.breaksWordsInMinContent : info.breaksWords)
                var run = isFirst ? start.run : Int(current.runs.lowerBound)
                var glyph = isFirst ? start.glyph : 0
                let lastRun = Int(current.runs.upperBound)
                var atStart = true
                var x: Float = 0
                while run < lastRun {
                    let glyphRun = shaped.runs[run]
                    var scan = ClusterScan(
                        lower: glyphRun.glyphs.lowerBound, count: glyphRun.glyphs.count,
                        isReversed: glyphRun.level & 1 == 1,
                        textStart: content.textStart, wraps: atStart ? mayWrap : wraps,
                        hangsSpaces: !info.breaksSpaces,
                        keepsSpaces: !info.collapsesSpaces, done: done.float, limit: limit, overflowing: overflowing,
                        glyph: glyph, x: x, ink: ink,
                        hasContent: hasContent)
                    var skipsFlag = false
                    walk: while true {
                        // The opportunity before an item's first cluster belongs to what surrounds the item.
                        if atStart, scan.glyph < scan.count {
                            let at =
                                scan.isReversed ? scan.lower + scan.count - 1 - scan.glyph : scan.lower + scan.glyph
                            let offset = Int(shaped.glyphs[at].cluster)
                            let flag = breaks[content.textStart + offset]
                            if flag != 0, mayWrap, hasContent {
                                let place =
                                    pendingOpen?.cursor
                                    ?? LineCursor(item: item, run: run, glyph: scan.glyph, offset: offset)
                                let isHyphen = flag == BreakFlag.hyphen
                                if !isHyphen || info.allowsSoftHyphens {
                                    let width = isHyphen ? hyphenWidth(current.style) : 0
                                    if offer(
                                        place, ink: ink, hyphen: isHyphen ? current.style : nil, hyphenWidth: width)
                                    {
                                        return candidate ?? result
                                    }
                                }
                            }
                            skipsFlag = true
                        }
                        scan.wraps = wraps
                        scan.overflowing = overflowing
                        let stop = shaped.glyphs.withUnsafeBufferPointer { glyphs in
                            breaks.withUnsafeBufferPointer { flags in
                                inlineText.withUnsafeBufferPointer { scan.run(glyphs, flags, $0, skipsFlag: skipsFlag) }
                            }
                        }
                        if scan.softGlyph >= 0 {
                            _ = offer(
                                LineCursor(item: item, run: run, glyph: scan.softGlyph, offset: scan.softOffset),
                                ink: scan.softInk)
                            scan.softGlyph = -1
                        }
                        let movedOn = !atStart || scan.clusterGlyph > glyph || stop == .end
                        ink = scan.ink
                        hasContent = scan.hasContent
                        skipsFlag = true
                        let place = LineCursor(
                            item: item, run: run, glyph: scan.clusterGlyph, offset: scan.clusterOffset)
                        switch stop {
                        case .end: break walk
                        case .mustEnd:
                            _ = offer(place, ink: ink)
                            return candidate ?? result
                        case .hyphen:
                            if info.allowsSoftHyphens,
                                offer(place, ink: ink, hyphen: current.style, hyphenWidth: hyphenWidth(current.style))
                            {
                                return candidate ?? result
                            }
                        case .overflow:
                            if let candidate, !candidate.overflows || !breaksWords { return candidate }
                            if breaksWords, hasContent, wraps {
                                var end = LineEnd(next: movedOn ? place : pendingOpen?.cursor ?? place)
                                end.width = LayoutUnit.ceil(ink)
                                return end
                            }
                            overflowing = !breaksWords || !wraps
                            if overflowing, let candidate { return candidate }
                            if !overflowing {
                                // A single cluster wider than the line: it stays, and the next one breaks.
                                scan.limit = max(scan.limit, 0)
                                takeCluster(&scan)
                                ink = scan.ink
                                hasContent = true
                            }
                        }
                        if movedOn || !overflowing { atStart = false }
                        if !atStart { pendingOpen = nil }
                    }
                    x = scan.x
                    if scan.count > 0, scan.glyph > glyph {
                        atStart = false
                        pendingOpen = nil
                    }
                    run += 1
                    glyph = 0
                }
                done += LayoutUnit.ceil(x)
                mayWrap = wraps
                if !atStart { pendingOpen = nil }
            }
            isFirst = false
            item += 1
        }
        result.next = cursor(atItem: content.items.upperBound)
        result.next.item = content.items.upperBound
        result.isLast = true
        result.width = LayoutUnit.ceil(ink)
        result.overflows = ink > limit
        return result
    }

    /// How much wider an opening mark is at the start of a line than after what ends the line before (`text-spacing-trim`).
    private func trimmedWidth(at start: LineCursor, in content: InlineContent) -> Float {
        var cursor = start
        while cursor.item < content.items.upperBound, flat[cursor.item].kind == .open {
            cursor = self.cursor(atItem: cursor.item + 1)
        }
        guard cursor.item < content.items.upperBound, flat[cursor.item].kind == .text, cursor.run < shaped.runs.count
        else { return 0 }
        let run = shaped.runs[cursor.run]
        let at = run.glyphs.lowerBound + cursor.glyph
        guard run.level & 1 == 0, run.glyphs.contains(at), shaped.glyphs[at].isUnsafeToBreak else { return 0 }
        return metric.trimmedWidth(font: run.font, glyph: shaped.glyphs[at].id)
    }

    /// Start edges that the inline boxes open where a line begins have again (`box-decoration-break: clone`). Their end edges stick
    /// out of the line they break, as in browsers.
    private func clonedEdges(openAt cursor: LineCursor, percentageBase: LayoutUnit) -> LayoutUnit {
        guard flat.indices.contains(cursor.item) else { return .zero }
        var result = LayoutUnit.zero
        var open = flat[cursor.item].kind == .close ? Int(flat[cursor.item].link) : Int(flat[cursor.item].parent)
        while open >= 0 {
            let style = flat[open].style
            if text.styles[style].box.clonesDecorationAtBreaks {
                let edges = inlineEdges(style, percentageBase: percentageBase)
                result +=
                    text.styles[style].text.direction == .rtl
                    ? edges.margin.right + edges.border.right + edges.padding.right
                    : edges.margin.left + edges.border.left + edges.padding.left
            }
            open = Int(flat[open].parent)
        }
        return result
    }

    /// The style around item `index` (after it, if it is a close) lets lines wrap.
    func enclosingStyleWraps(_ index: Int, _ content: InlineContent) -> Bool {
        if wrapsAlways { return true }
        let parent = Int(flat[index].parent)
        return text.styles[parent < 0 ? content.style : flat[parent].style].text.wraps
    }

    /// Takes one cluster whatever its width.
    private func takeCluster(_ scan: inout ClusterScan) {
        let upper = scan.lower + scan.count - 1
        func at(_ glyph: Int) -> Int { scan.isReversed ? upper - glyph : scan.lower + glyph }
        guard scan.glyph < scan.count else { return }
        let cluster = shaped.glyphs[at(scan.glyph)].cluster
        while scan.glyph < scan.count, shaped.glyphs[at(scan.glyph)].cluster == cluster {
            scan.x += shaped.glyphs[at(scan.glyph)].advance
            scan.glyph += 1
        }
        scan.ink = scan.done + scan.x
        scan.hasContent = true
    }

    /// Advance of a tab at `position` from the start of the line's box: to the next stop, at least half a space wide. Spaces are those
    /// of the block container (CSS Text 4 §7.1).
    mutating func tabAdvance(_ style: StyleID, in block: StyleID, position: Float) -> Float {
        let info = inlineStyle(block)
        let textStyle = text.styles[style].text
        for stop in textStyle.tabStops where stop > position + info.metrics.spaceAdvance / 2 { return stop - position }
        let interval: Float
        switch textStyle.tabSize {
        case .spaces(let count):
            let spacing = text.styles[block].text
            interval = count * (info.metrics.spaceAdvance + spacing.letterSpacing + spacing.wordSpacing)
        case .length(let length): interval = length
        }
        guard interval > 0, interval.isFinite, position.isFinite else { return max(0, textStyle.letterSpacing) }
        var distance = interval - position.truncatingRemainder(dividingBy: interval)
        if distance < info.metrics.spaceAdvance / 2 { distance += interval }
        return distance
    }
}
