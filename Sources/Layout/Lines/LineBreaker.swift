// Finds the end of a line. One greedy walk visits glyph clusters in logical order: the last opportunity before the first
// cluster that does not fit ends the line (CSS Text 3 §5). White space at the end never overflows. Each cluster is visited at
// most twice, except for the word that moves to the next line. A float interrupts the walk: it may change the width.

import FancyTextBasics
import FancyTextCSS
import FancyTextTypography

/// A place between two clusters.
struct LineCursor: Equatable {
    /// The index in ``InlineContents/flat``.
    var item: Int
    /// In text: the run in ``InlineContents/shaped``, and the number of its glyphs before, in logical order.
    var run = 0, glyph = 0
    /// The byte in the context's text.
    var offset: Int
}

struct LineEnd {
    /// The position where the next line begins.
    var next: LineCursor
    /// The style of the hyphen to add.
    var hyphen: StyleID?
    /// True if the line ends after a hyphen, added or not.
    var isInWord = false
    /// True if a line feed ends the line.
    var isForced = false
    /// True if no content follows.
    var isLast = false
    /// The right edge of the last content that is not white space at the end.
    var width = LayoutUnit.zero
    var overflows = false
}

struct LineBreaker {
    enum Stop {
        case end(LineEnd)
        /// A float, when the line is `position` long. The caller places it, sets the new `available`, and resumes.
        case float(item: Int, position: LayoutUnit)
    }

    /// The width between floats, minus the indent.
    var available: LayoutUnit { didSet { limit = ignoresFit ? .infinity : available.float + 1 / 64 } }
    private let content: InlineContent
    /// The start of the line's text, for tab stops.
    private let indent, percentageBase: LayoutUnit
    private let ignoresFit, isMinContent, breaksWords: Bool
    /// True on a terminal, where text that does not fit wraps even with `white-space: nowrap`.
    private let wrapsAlways: Bool
    /// True if the walk need not find the end of a line that overflows.
    var endsAtOverflow = false

    private let start: LineCursor
    private var item: Int
    /// The largest free space at a line's end for which a word moves to the next line instead of being hyphenated.
    private let hyphenationZone: LengthPercentage
    private var limit: Float
    private var done = LayoutUnit.zero
    private var ink: Float = 0
    private var candidate: LineEnd?
    private var mayWrap = false
    /// Set when the last item is a space that does not wrap: no break follows it (CSS Text 3 §5.1).
    private var keepsSpace = false
    private var hasContent = false, overflowing = false
    /// The first of the inline boxes opened since the last content; a break is placed before them.
    private var pendingOpen: LineCursor? { didSet { if pendingOpen == nil { openedEdges = .zero } } }
    /// The edges of these boxes, which count at the end of the text: there the boxes are empty.
    private var openedEdges = LayoutUnit.zero

    /// With `ignoresFit` each paragraph is one line, with `isMinContent` `overflow-wrap: break-word` is ignored (CSS
    /// Text 3 §5.5), and without `breaksWords` all of `overflow-wrap`.
    init(
        _ content: InlineContent, from start: LineCursor, available: LayoutUnit, indent: LayoutUnit,
        percentageBase: LayoutUnit, ignoresFit: Bool = false, isMinContent: Bool = false, breaksWords: Bool = true,
        wrapsAlways: Bool = false, in inlines: inout InlineContents
    ) {
        (self.content, self.start, self.available, self.indent) = (content, start, available, indent)
        (self.percentageBase, self.ignoresFit) = (percentageBase, ignoresFit)
        (self.isMinContent, self.breaksWords) = (isMinContent, breaksWords)
        (self.wrapsAlways, item) = (wrapsAlways, start.item)
        hyphenationZone =
            inlines.snap.isOfCells
            ? LengthPercentage(fraction: 0.25) : inlines.text.styles[content.style].text.hyphenateLimitZone
        limit = ignoresFit ? .infinity : available.float + 1 / 64
        if content.clonesEdges { done = inlines.clonedEdges(openAt: start, percentageBase: percentageBase) }
        done += .round(inlines.trimmedWidth(at: start, in: content))
    }

    /// Walks to the end of the line, or to the next float.
    mutating func next(_ inlines: inout InlineContents) -> Stop {
        while item < content.items.upperBound {
            let current = inlines.flat[item]
            var end: LineEnd?
            switch current.kind {
            case .open:
                if pendingOpen == nil { pendingOpen = inlines.cursor(atItem: item) }
                let width = inlines.edge(current.style, isStart: true, percentageBase: percentageBase)
                done += width
                openedEdges += width
            case .close: end = leave(current, &inlines)
            case .float:
                item += 1
                return .float(item: item - 1, position: LayoutUnit.ceil(ink))
            case .wordBreak: if hasContent { end = offer(pendingOpen ?? inlines.cursor(atItem: item + 1), ink: ink) }
            case .newline:
                // Inline boxes that end directly after the break end on this line.
                var next = item + 1
                while next < content.items.upperBound, inlines.flat[next].kind == .close {
                    openedEdges += inlines.edge(
                        inlines.flat[next].style, isStart: false, percentageBase: percentageBase)
                    next += 1
                }
                ink += openedEdges.float
                return .end(
                    LineEnd(
                        next: inlines.cursor(atItem: next), isForced: true, width: .ceil(ink), overflows: ink > limit))
            case .tab: end = takeTab(current, &inlines)
            case .atomic: end = takeAtomic(current, &inlines)
            case .text: end = takeText(current, &inlines)
            }
            if let end { return .end(end) }
            item += 1
        }
        let next = inlines.cursor(atItem: content.items.upperBound)
        ink += openedEdges.float
        return .end(LineEnd(next: next, isLast: true, width: .ceil(ink), overflows: ink > limit))
    }

    /// Offers a possible end of the line at `cursor`; returns the line's end if it must break before.
    private mutating func offer(
        _ cursor: LineCursor, ink: Float, hyphen: StyleID? = nil, hyphenWidth: Float = 0, isInWord: Bool = false
    ) -> LineEnd? {
        if isInWord, let last = candidate {
            if ink + hyphenWidth > limit { return nil }
            // The last word may end the line if that leaves no more free space than the zone (CSS Text 4 §6.3.4).
            if hyphenationZone != .zero, !last.isInWord,
                limit - last.width.float <= hyphenationZone.resolved(against: available.float)
            {
                return nil
            }
        }
        candidate = LineEnd(
            next: cursor, hyphen: hyphen, isInWord: isInWord, width: .ceil(ink + hyphenWidth),
            overflows: ink + hyphenWidth > limit)
        return overflowing ? candidate : nil
    }

    /// Offers a place after a hyphen in the text, or one where a hyphen is added.
    private mutating func offerHyphen(
        _ place: LineCursor, _ style: StyleID, _ info: InlineStyle, _ inlines: inout InlineContents
    ) -> LineEnd? {
        if place.offset > 0, inlines.inlineText[content.textStart + place.offset - 1] == 0x2D {
            return offer(place, ink: ink, isInWord: true)
        }
        guard info.hyphens != .none else { return nil }
        return offer(place, ink: ink, hyphen: style, hyphenWidth: inlines.hyphenWidth(style), isInWord: true)
    }

    private mutating func leave(_ current: FlatItem, _ inlines: inout InlineContents) -> LineEnd? {
        let width = inlines.edge(current.style, isStart: false, percentageBase: percentageBase)
        done += width
        if width.raw != 0 {
            let text = ink
            (ink, openedEdges) = (done.float, .zero)
            if ink > limit, !overflowing {
                if let candidate { return candidate }
                let info = inlines.inlineStyle(current.style)
                let breaksText = breaksText(info) && (info.wraps || wrapsAlways)
                if breaksText, let end = endBeforeLastCluster(ink: text, &inlines) { return end }
                overflowing = !breaksText
            }
        }
        if !keepsSpace, enclosingStyleWraps(&inlines) { mayWrap = hasContent }
        return nil
    }

    private func breaksText(_ info: InlineStyle) -> Bool {
        breaksWords && (isMinContent ? info.breaksWordsInMinContent : info.breaksWords)
    }

    /// The end of a line before the last cluster of the text directly before the current item, up to which the line is
    /// `ink` wide; nil if the line begins with that cluster.
    private func endBeforeLastCluster(ink: Float, _ inlines: inout InlineContents) -> LineEnd? {
        guard item > start.item, inlines.flat[item - 1].kind == .text else { return nil }
        let run = Int(inlines.flat[item - 1].runs.upperBound) - 1
        guard run >= Int(inlines.flat[item - 1].runs.lowerBound) else { return nil }
        let glyphRun = inlines.shaped.runs[run]
        func glyph(_ index: Int) -> ShapedGlyph { inlines.shaped.glyph(index, of: glyphRun) }
        var first = glyphRun.glyphs.count - 1
        guard first > 0 else { return nil }
        var width = glyph(first).advance
        while first > 0, glyph(first - 1).cluster == glyph(first).cluster {
            first -= 1
            width += glyph(first).advance
        }
        let taken = item - 1 == start.item && run == start.run ? start.glyph : 0
        guard first > taken else { return nil }
        let next = LineCursor(item: item - 1, run: run, glyph: first, offset: Int(glyph(first).cluster))
        return LineEnd(next: next, width: .ceil(ink - width))
    }

    /// On a terminal a word that is too long for a line is broken after a sign, if one is in the second half of the line.
    private mutating func afterSign(
        at place: LineCursor, from first: Int, in scan: ClusterScan, _ inlines: inout InlineContents
    ) -> LineCursor {
        guard inlines.snap.isOfCells, !scan.isReversed else { return place }
        var (at, offset, width) = (place.glyph, place.offset, ink)
        while at > first, width > limit / 2 {
            let glyph = inlines.shaped.glyphs[scan.lower + at - 1]
            let byte = inlines.inlineText[content.textStart + Int(glyph.cluster)]
            if "/|?&-_.".utf8.contains(byte) {
                ink = width
                return LineCursor(item: item, run: place.run, glyph: at, offset: offset)
            }
            (at, offset, width) = (at - 1, Int(glyph.cluster), width - glyph.advance)
        }
        return place
    }

    private mutating func takeTab(_ current: FlatItem, _ inlines: inout InlineContents) -> LineEnd? {
        let info = inlines.inlineStyle(current.style)
        let width = inlines.tabAdvance(current.style, in: content.style, position: indent.float + done.float)
        if inlines.breaks[content.textStart + Int(current.start)] != 0, mayWrap, hasContent,
            let end = offer(pendingOpen ?? inlines.cursor(atItem: item), ink: ink)
        {
            return end
        }
        done += LayoutUnit.round(width)
        if !hangsSpaces(info) {
            ink = done.float
            if ink > limit, let candidate { return candidate }
            overflowing = overflowing || ink > limit
        }
        (hasContent, keepsSpace, mayWrap, pendingOpen) = (true, false, info.wraps || wrapsAlways, nil)
        return nil
    }

    private mutating func takeAtomic(_ current: FlatItem, _ inlines: inout InlineContents) -> LineEnd? {
        let wraps = enclosingStyleWraps(&inlines)
        if inlines.breaks[content.textStart + Int(current.start)] != 0, hasContent, mayWrap || (wraps && !keepsSpace),
            let end = offer(pendingOpen ?? inlines.cursor(atItem: item), ink: ink)
        {
            return end
        }
        done += inlines.atomicWidths[Int(current.link)]
        if done.float > limit {
            if let candidate { return candidate }
            overflowing = true
        }
        ink = done.float
        (hasContent, keepsSpace, mayWrap, pendingOpen) = (true, false, wraps, nil)
        return nil
    }

    /// Returns whether spaces hang or are removed at a line's end. Preserved ones count where a box is measured, and where lines do
    /// not wrap (CSS Text 3 §4.1.3).
    private func hangsSpaces(_ info: InlineStyle) -> Bool {
        info.collapsesSpaces || info.wraps && !info.breaksSpaces && !ignoresFit
    }

    /// Returns whether the style around the item (after it, if it is a close) allows lines to wrap.
    private func enclosingStyleWraps(_ inlines: inout InlineContents) -> Bool {
        if wrapsAlways { return true }
        let parent = Int(inlines.flat[item].parent)
        return inlines.text.styles[parent < 0 ? content.style : inlines.flat[parent].style].text.wraps
    }

    private mutating func takeText(_ current: FlatItem, _ inlines: inout InlineContents) -> LineEnd? {
        let info = inlines.inlineStyle(current.style)
        let wraps = info.wraps || wrapsAlways
        var run = item == start.item ? start.run : Int(current.runs.lowerBound)
        var glyph = item == start.item ? start.glyph : 0
        let lastRun = Int(current.runs.upperBound)
        var atStart = true
        var x: Float = 0
        while run < lastRun {
            let glyphRun = inlines.shaped.runs[run]
            var scan = ClusterScan(
                lower: glyphRun.glyphs.lowerBound, count: glyphRun.glyphs.count, isReversed: glyphRun.level & 1 == 1,
                textStart: content.textStart, wraps: wraps, hangsSpaces: hangsSpaces(info),
                keepsSpaces: !info.collapsesSpaces, done: done.float, limit: limit, overflowing: overflowing,
                stopsAfterHyphens: inlines.snap.isOfCells, glyph: glyph, x: x, ink: ink, hasContent: hasContent)
            if let end = walk(&scan, run: run, style: current.style, info, atStart: &atStart, &inlines) { return end }
            x = scan.x
            if scan.count > 0, scan.glyph > glyph { (atStart, pendingOpen) = (false, nil) }
            run += 1
            glyph = 0
        }
        done += LayoutUnit.ceil(x)
        mayWrap = wraps
        keepsSpace = !wraps && inlines.inlineText[content.textStart + Int(current.end) - 1] == 0x20
        if !atStart { pendingOpen = nil }
        return nil
    }

    /// Walks to the end of a run, or of the line.
    private mutating func walk(
        _ scan: inout ClusterScan, run: Int, style: StyleID, _ info: InlineStyle, atStart: inout Bool,
        _ inlines: inout InlineContents
    ) -> LineEnd? {
        let wraps = info.wraps || wrapsAlways
        let breaksWords = breaksText(info)
        let glyph = scan.glyph
        var skipsFlag = false
        while true {
            // The opportunity before an item's first cluster belongs to the style around the item.
            if atStart, scan.glyph < scan.count {
                let at = scan.isReversed ? scan.lower + scan.count - 1 - scan.glyph : scan.lower + scan.glyph
                let offset = Int(inlines.shaped.glyphs[at].cluster)
                let flag = inlines.breaks[content.textStart + offset]
                let isHyphen = flag == BreakFlag.hyphen
                if flag != 0, mayWrap, hasContent {
                    let place = pendingOpen ?? LineCursor(item: item, run: run, glyph: scan.glyph, offset: offset)
                    let end = isHyphen ? offerHyphen(place, style, info, &inlines) : offer(place, ink: ink)
                    if let end { return end }
                }
                skipsFlag = true
            }
            scan.overflowing = overflowing
            let stop = inlines.shaped.glyphs.withUnsafeBufferPointer { glyphs in
                inlines.breaks.withUnsafeBufferPointer { flags in
                    inlines.inlineText.withUnsafeBufferPointer { scan.run(glyphs, flags, $0, skipsFlag: skipsFlag) }
                }
            }
            if scan.softGlyph >= 0 {
                _ = offer(
                    LineCursor(item: item, run: run, glyph: scan.softGlyph, offset: scan.softOffset), ink: scan.softInk)
                scan.softGlyph = -1
            }
            let movedOn = !atStart || scan.clusterGlyph > glyph || stop == .end
            (ink, hasContent, skipsFlag) = (scan.ink, scan.hasContent, true)
            let place = LineCursor(item: item, run: run, glyph: scan.clusterGlyph, offset: scan.clusterOffset)
            switch stop {
            case .end: return nil
            case .mustEnd: return offer(place, ink: ink)
            case .hyphen: if let end = offerHyphen(place, style, info, &inlines) { return end }
            case .overflow:
                if let candidate, !candidate.overflows || !breaksWords { return candidate }
                if breaksWords, hasContent, wraps {
                    let next = movedOn ? afterSign(at: place, from: glyph, in: scan, &inlines) : pendingOpen ?? place
                    return LineEnd(next: next, width: .ceil(ink))
                }
                overflowing = !breaksWords || !wraps
                if overflowing, let candidate { return candidate }
                if overflowing, endsAtOverflow { return LineEnd(next: place, overflows: true) }
                if !overflowing {
                    // A single cluster wider than the line is kept; the next one breaks.
                    scan.limit.raise(to: 0)
                    scan.takeCluster(inlines.shaped.glyphs)
                    (ink, hasContent) = (scan.ink, true)
                }
            }
            if movedOn || !overflowing { atStart = false }
            if !atStart { pendingOpen = nil }
        }
    }
}

extension InlineContents {
    /// Finds the end of the line that begins at `start`, without floats; see ``LineBreaker/init``.
    mutating func findLineEnd(
        _ content: InlineContent, from start: LineCursor, available: LayoutUnit, indent: LayoutUnit = .zero,
        percentageBase: LayoutUnit, ignoresFit: Bool = false, isMinContent: Bool = false, breaksWords: Bool = true
    ) -> LineEnd {
        var breaker = LineBreaker(
            content, from: start, available: available, indent: indent, percentageBase: percentageBase,
            ignoresFit: ignoresFit, isMinContent: isMinContent, breaksWords: breaksWords, in: &self)
        while true { if case .end(let end) = breaker.next(&self) { return end } }
    }

    func firstCursor(_ content: InlineContent) -> LineCursor { cursor(atItem: content.items.lowerBound) }

    func cursor(atItem index: Int) -> LineCursor {
        guard index < flat.count else { return LineCursor(item: index, offset: Int(flat.last?.end ?? 0)) }
        return LineCursor(item: index, run: Int(flat[index].runs.lowerBound), glyph: 0, offset: Int(flat[index].start))
    }

    /// The place at byte `offset` in item `index`: the start of its cluster.
    func cursor(_ content: InlineContent, atItem index: Int, offset: Int) -> LineCursor {
        var cursor = cursor(atItem: index)
        guard index < content.items.upperBound, flat[index].kind == .text, offset > Int(flat[index].start)
        else { return cursor }
        cursor.offset = offset
        for run in Int(flat[index].runs.lowerBound)..<Int(flat[index].runs.upperBound)
        where shaped.runs[run].text.contains(offset) {
            cursor.run = run
            cursor.glyph = shaped.runs[run].glyphs.count { Int(shaped.glyphs[$0].cluster) < offset }
            break
        }
        return cursor
    }

    /// The width of the hyphen that is shown for a break at a soft hyphen in `style`.
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

    /// Returns whether content that makes a line follows; a forced break at the very end makes none.
    func hasContent(_ content: InlineContent, from cursor: LineCursor) -> Bool {
        for item in cursor.item..<max(cursor.item, content.items.upperBound) {
            switch flat[item].kind {
            case .text:
                if !inlineStyles[Int(flat[item].style.rawValue)].collapsesSpaces { return true }
                for offset in Int(flat[item].start)..<Int(flat[item].end)
                where inlineText[content.textStart + offset] != 0x20 { return true }
            case .atomic, .newline, .tab, .wordBreak: return true
            case .open, .close: if inlineStyles[Int(flat[item].style.rawValue)].hasEdges { return true }
            case .float: break
            }
        }
        return false
    }

    /// The width that an opening mark has at a line's start in addition to that elsewhere (`text-spacing-trim`).
    func trimmedWidth(at start: LineCursor, in content: InlineContent) -> Float {
        var cursor = start
        while cursor.item < content.items.upperBound, flat[cursor.item].kind == .open {
            cursor = self.cursor(atItem: cursor.item + 1)
        }
        guard cursor.item < content.items.upperBound, flat[cursor.item].kind == .text, cursor.run < shaped.runs.count
        else { return 0 }
        let run = shaped.runs[cursor.run]
        let at = run.glyphs.lowerBound + cursor.glyph
        guard run.level & 1 == 0, run.glyphs.contains(at), shaped.glyphs[at].isUnsafeToBreak else { return 0 }
        return metric.addedWidth(atStartOf: run, shaped.glyphs[at])
    }

    /// The total width of the start edges that inline boxes open at the start of a line have again (`box-decoration-break:
    /// clone`). Their end edges overflow the broken line, as in browsers.
    func clonedEdges(openAt cursor: LineCursor, percentageBase: LayoutUnit) -> LayoutUnit {
        guard flat.indices.contains(cursor.item) else { return .zero }
        var result = LayoutUnit.zero
        var open = flat[cursor.item].kind == .close ? Int(flat[cursor.item].link) : Int(flat[cursor.item].parent)
        while open >= 0 {
            let style = flat[open].style
            if text.styles[style].box.clonesDecorationAtBreaks {
                let edges = inlineEdges(style, percentageBase: percentageBase).total
                result += text.styles[style].text.direction == .rtl ? edges.right : edges.left
            }
            open = Int(flat[open].parent)
        }
        return result
    }

    /// The advance of a tab at `position` from the start of the line's box: to the next tab stop, at least half a space wide. The
    /// width of a space is that of the block container (CSS Text 4 §7.1).
    mutating func tabAdvance(_ style: StyleID, in block: StyleID, position: Float) -> Float {
        let info = inlineStyle(block)
        let style = text.styles[style]
        for stop in style.text.tabStops where stop > position + info.metrics.spaceAdvance / 2 { return stop - position }
        let interval: Float
        switch style.text.tabSize {
        case .spaces(let count):
            let spacing = text.styles[block].text
            interval = count * (info.metrics.spaceAdvance + spacing.letterSpacing + spacing.wordSpacing)
        case .length(let length): interval = length
        }
        guard interval > 0, interval.isFinite, position.isFinite else { return max(0, style.text.letterSpacing) }
        var distance = interval - position.truncatingRemainder(dividingBy: interval)
        if distance < info.metrics.spaceAdvance / 2 { distance += interval }
        return distance
    }
}

/// The inner loop: a scan over the clusters of one glyph run, on raw buffers so that a cluster costs a few nanoseconds.
struct ClusterScan {
    enum Stop { case end, overflow, hyphen, mustEnd }

    // The run.
    var lower, count: Int
    var isReversed: Bool
    /// The start of the content's text and flags.
    var textStart: Int
    /// True if lines wrap here, so that opportunities count.
    var wraps: Bool
    /// True if spaces hang or are removed at the end of a line.
    var hangsSpaces, keepsSpaces: Bool
    /// The width before this item; `limit` is the end of the line.
    var done, limit: Float
    /// Set when something already overflows: the next opportunity ends the line.
    var overflowing: Bool
    /// True on a terminal: an opportunity after a hyphen is like one with a hyphen.
    var stopsAfterHyphens: Bool

    // The position of the scan.
    var glyph: Int
    var x, ink: Float
    var hasContent: Bool
    /// The first glyph and byte of the cluster at which the scan stopped.
    var clusterGlyph = 0, clusterOffset = 0
    /// The last soft opportunity: the number of glyphs before it, its byte, the width of ink before it. −1 for none.
    var softGlyph = -1
    var softOffset = 0
    var softInk: Float = 0

    /// Continues the scan from `glyph`; `skipsFlag` ignores the opportunity before the first cluster.
    mutating func run(
        _ glyphs: UnsafeBufferPointer<ShapedGlyph>, _ flags: UnsafeBufferPointer<UInt8>,
        _ text: UnsafeBufferPointer<UInt8>, skipsFlag: Bool
    ) -> Stop {
        var skips = skipsFlag
        let upper = lower + count - 1
        while glyph < count {
            let first = glyph
            var at = isReversed ? upper - glyph : lower + glyph
            let cluster = glyphs[at].cluster
            let offset = Int(cluster)
            let flag = flags[textStart + offset]
            if flag != 0, wraps, hasContent, !skips {
                let isHyphen =
                    flag == BreakFlag.hyphen
                    || stopsAfterHyphens && !overflowing && offset > 0 && text[textStart + offset - 1] == 0x2D
                if isHyphen || overflowing {
                    clusterGlyph = first
                    clusterOffset = offset
                    return isHyphen ? .hyphen : .mustEnd
                }
                softGlyph = first
                (softOffset, softInk) = (offset, ink)
            }
            skips = false
            var advance = glyphs[at].advance
            glyph += 1
            while glyph < count {
                at = isReversed ? upper - glyph : lower + glyph
                guard glyphs[at].cluster == cluster else { break }
                advance += glyphs[at].advance
                glyph += 1
            }
            if hangsSpaces, isHangingSpace(text, textStart + offset) {
                x += advance
                if keepsSpaces || text[textStart + offset] != 0x20 { hasContent = true }
                continue
            }
            if done + x + advance > limit, !overflowing {
                glyph = first
                clusterGlyph = first
                clusterOffset = offset
                return .overflow
            }
            x += advance
            ink = done + x
            hasContent = true
        }
        return .end
    }

    /// Accepts one cluster, whatever its width.
    mutating func takeCluster(_ glyphs: [ShapedGlyph]) {
        let upper = lower + count - 1
        func at(_ glyph: Int) -> Int { isReversed ? upper - glyph : lower + glyph }
        guard glyph < count else { return }
        let cluster = glyphs[at(glyph)].cluster
        while glyph < count, glyphs[at(glyph)].cluster == cluster {
            x += glyphs[at(glyph)].advance
            glyph += 1
        }
        ink = done + x
        hasContent = true
    }
}
