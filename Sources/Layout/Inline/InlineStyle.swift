// A computed style for inline layout in flat form, created on first use: fonts resolved, heights on the grid, flags.

import FancyTextCSS
import FancyTextTypography

/// The metrics of one style that line layout needs for every fragment.
struct InlineStyle {
    var isResolved = false
    var chain = FontChainID(rawValue: 0)
    var font = FontID(rawValue: 0)
    var metrics = FontMetrics()
    /// The font's own ascent and descent, in whole pixels.
    var text = FontHeight(ascent: .zero, descent: .zero)
    /// `text` with the leading by `line-height` (the inline box's contribution to its line).
    var box = FontHeight(ascent: .zero, descent: .zero)
    var lineHeight = LayoutUnit.zero, fontSize = LayoutUnit.zero
    /// True with `line-height: normal`: fallback fonts affect the line's height too.
    var countsUsedFonts = false
    var wraps = true
    /// True if white space at the end of a line is removed; otherwise it hangs (`pre-wrap`) or counts (`break-spaces`).
    var collapsesSpaces = true
    var breaksSpaces = false
    /// True if `overflow-wrap` allows a break between any two clusters when nothing else fits.
    var breaksWords = false
    /// True if this applies to min-content sizes too (`anywhere`, `word-break: break-word`).
    var breaksWordsInMinContent = false
    var hyphens = Hyphens.manual
    var breakOptions = LineBreakOptions()
    /// In CSS pixels.
    var letterSpacing: Float = 0
    var wordSpacing: Float = 0
    var direction = TextDirection.ltr
    var orientation = GlyphOrientation.alongLine
    /// True if the inline box has margins, borders or padding in inline direction.
    var hasEdges = false
    /// True if it has them on any of the four sides.
    var hasSides = false
    var verticalAlign = VerticalAlign.baseline
    /// True if the middle of the characters is on the baseline, in vertical lines.
    var isCentral = false
    /// True if the upper side of the lines is away from the lines before them.
    var isInverted = false
    /// The distance of the alphabetic baseline below that of the line.
    var drop = LayoutUnit.zero
    /// The height of the emphasis marks above the text; below zero under it.
    var marks = LayoutUnit.zero
    /// The width of the hyphen, negative until it is measured.
    var hyphenWidth: Float = -1
}

/// A font's ascent and descent in whole device pixels. Thirds of a pixel are not on the layout grid. The ascent is rounded up
/// there, so that a baseline exactly between two pixels is still treated as such.
func roundedHeight(_ metrics: FontMetrics) -> FontHeight {
    FontHeight(ascent: .ceil(metrics.roundedAscent), descent: .round(metrics.roundedDescent))
}

extension InlineContents {
    func metrics(_ font: FontID) -> FontMetrics {
        var result = metric.metrics(font)
        if deviceScale != 1 { result.round(toPixelsOf: deviceScale) }
        return result
    }

    /// Inline boxes without text count in the height of their lines; not so in quirks mode and limited quirks mode
    /// (Quirks Mode §3.3, §3.4), where those count only that have a border or padding at their sides.
    var countsEmptyBoxes: Bool { text.documentMode == .noQuirks }

    func hasInlineFrame(_ id: StyleID) -> Bool {
        text.styles[id].box.hasFrame(onSide: 1) || text.styles[id].box.hasFrame(onSide: 3)
    }

    /// The flat style; the first call for an id resolves its font. Inlined, so that only the needed fields are copied.
    @inline(__always) mutating func inlineStyle(_ id: StyleID) -> InlineStyle {
        let index = Int(id.rawValue)
        if !inlineStyles[index].isResolved { resolveInlineStyle(id) }
        return inlineStyles[index]
    }

    @inline(never) private mutating func resolveInlineStyle(_ id: StyleID) {
        let style = text.styles[id]
        var result = InlineStyle()
        result.isResolved = true
        result.chain = metric.intern(style.font)
        result.font = metric.primaryFont(result.chain)
        result.metrics = metrics(result.font)
        result.text = roundedHeight(result.metrics)
        if style.hasCentralBaseline, metric.reordersText {
            result.isCentral = true
            result.drop = result.text.ascent
            result.text.center()
            result.drop -= result.text.ascent
        }
        result.isInverted = metric.reordersText && style.text.writingMode.invertsLines
        result.fontSize = .round(style.font.size)
        switch style.text.lineHeight {
        case .normal:
            result.lineHeight = .round(result.metrics.lineSpacing)
            result.countsUsedFonts = true
        case .number(let factor): result.lineHeight = LayoutUnit(result.fontSize.float * factor)
        case .length(let length): result.lineHeight = .round(length)
        }
        if style.text.minimumLineHeight > 0 { result.lineHeight.raise(to: LayoutUnit(style.text.minimumLineHeight)) }
        if style.text.maximumLineHeight > 0 { result.lineHeight.lower(to: LayoutUnit(style.text.maximumLineHeight)) }
        // As in Blink, a line of a text field is not lower than its font, by whole pixels.
        if fieldStyles.contains(id), LayoutUnit(result.lineHeight.floor) <= result.fontSize {
            (result.lineHeight, result.countsUsedFonts) = (.round(result.metrics.lineSpacing), true)
        }
        result.box = result.text
        result.box.setLineHeight(result.lineHeight, deviceScale: deviceScale)
        if style.text.emphasisMark?.isEmpty == false, metric.reordersText {
            let isUnder = style.text.writingMode.isVertical ? style.text.emphasizesLeft : style.text.emphasizesUnder
            (result.marks, hasMarks) = (LayoutUnit(style.font.emphasisSize * (isUnder ? -1 : 1)), true)
        }
        result.wraps = style.text.wraps
        let mode = style.text.whiteSpaceCollapse
        (result.collapsesSpaces, result.breaksSpaces) = (
            mode == .collapse || mode == .preserveBreaks, mode == .breakSpaces
        )
        result.breaksWordsInMinContent =
            style.text.overflowWrap == .anywhere || style.text.wordBreak == .breakWord
            || style.text.lineBreak == .anywhere
        result.breaksWords = result.breaksWordsInMinContent || style.text.overflowWrap == .breakWord
        result.hyphens = style.text.hyphens
        result.direction = style.text.direction
        result.orientation = orientation(style)
        result.hasEdges = hasInlineFrame(id) || style.box.margin.left != .zero || style.box.margin.right != .zero
        result.verticalAlign = style.box.verticalAlign
        result.hasSides =
            result.hasEdges || style.box.margin.top != .zero || style.box.margin.bottom != .zero
            || style.box.hasFrame(onSide: 0) || style.box.hasFrame(onSide: 2)
        result.breakOptions = LineBreakOptions(style.text, language: style.font.language)
        result.breakOptions.breaksAfterEverySpace = result.breaksSpaces
        (result.letterSpacing, result.wordSpacing) = (style.text.letterSpacing, style.text.wordSpacing)
        inlineStyles[Int(id.rawValue)] = result
    }

    /// The ascent and descent of a fallback font with its own line height, for `line-height: normal`.
    func fontBoxHeight(_ font: FontID, isCentral: Bool) -> FontHeight {
        let metrics = metrics(font)
        var height = roundedHeight(metrics)
        height.setLineHeight(.round(metrics.lineSpacing), deviceScale: deviceScale)
        if isCentral { height.center() }
        return height
    }

    /// The margins, borders and padding of an inline box; `auto` margins are 0 (CSS 2.1 §10.3.1).
    func inlineEdges(_ id: StyleID, percentageBase: LayoutUnit) -> BoxEdges {
        let info = inlineStyles[Int(id.rawValue)]
        if info.isResolved, !info.hasSides { return BoxEdges() }
        return BoxEdges(text.styles[id], percentageBase: percentageBase, grid: snap, deviceScale: deviceScale)
    }

    /// The width that the start or end edge of an inline box takes on its line.
    mutating func edge(_ id: StyleID, isStart: Bool, percentageBase: LayoutUnit) -> LayoutUnit {
        guard inlineStyle(id).hasEdges else { return .zero }
        let edges = inlineEdges(id, percentageBase: percentageBase).total
        return (inlineStyle(id).direction == .rtl) == isStart ? edges.right : edges.left
    }
}
