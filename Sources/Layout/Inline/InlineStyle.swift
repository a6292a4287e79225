// What inline layout reads of a computed style, flattened: fonts resolved, heights on the layout grid, flags.
//
// In: a ComputedStyle and the font context. Out: an InlineStyle per StyleID, made on first use.

import FancyTextStyling
import FancyTextTypography

/// The measures of one style that line layout needs for every fragment.
struct InlineStyle {
    var isResolved = false
    var chain = FontChainID(rawValue: 0)
    var font = FontID(rawValue: 0)
    var metrics = FontMetrics()
    /// The font's own ascent and descent, in whole pixels.
    var text = FontHeight(ascent: .zero, descent: .zero)
    /// `text` with the leading that `line-height` asks for (the inline box's contribution to its line).
    var box = FontHeight(ascent: .zero, descent: .zero)
    var lineHeight = LayoutUnit.zero
    var fontSize = LayoutUnit.zero
    /// `line-height: normal`: fallback fonts count for the line's height too.
    var countsUsedFonts = false
    var wraps = true
    /// White space at the end of a line is removed; otherwise it hangs (`pre-wrap`) or counts (`break-spaces`).
    var collapsesSpaces = true
    var preservesTabs = false
    var breaksSpaces = false
    /// `overflow-wrap` allows a break between any two clusters if nothing else fits.
    var breaksWords = false
    /// The same counts for min-content sizes (`anywhere`, `word-break: break-word`).
    var breaksWordsInMinContent = false
    var breaksAnywhere = false
    var allowsSoftHyphens = true
    /// `hyphens: auto`.
    var hyphenates = false
    var breakOptions = LineBreakOptions()
    /// In CSS pixels.
    var letterSpacing: Float = 0
    var wordSpacing: Float = 0
    var direction = TextDirection.ltr
    /// The inline box has margins, borders or padding in inline direction.
    var hasEdges = false
    /// It has some on any of the four sides.
    var hasSides = false
    /// `unicode-bidi` is not `normal`.
    var changesDirections = false
    /// The box could show: a background, a border, an outline, a shadow.
    var paintsBox = false
    var verticalAlign = VerticalAlign.baseline
    var isOnBaseline = true
    /// Width of the hyphen, once measured; negative before.
    var hyphenWidth: Float = -1
}

/// A font's ascent and descent in whole device pixels. Thirds of a pixel are not on the layout grid: the ascent is a
/// little more rather than less, so that a baseline halfway between pixels still counts as that.
func roundedHeight(_ metrics: FontMetrics) -> FontHeight {
    FontHeight(ascent: .ceil(metrics.roundedAscent), descent: .round(metrics.roundedDescent))
}

/// The latest flattened styles, by the styles that they were made of: an edit of a document leaves most of these as they are.
struct InlineStyleMemory {
    private var entries: [(of: ComputedStyle, style: InlineStyle)] = []
    private var oldest = 0
    private var fontGeneration = 0
    private var deviceScale: Float = 1
    private static let most = 32

    /// Forgets styles whose fonts have other numbers, or another size on the device.
    mutating func begin(fontGeneration: Int, deviceScale: Float) {
        if fontGeneration == self.fontGeneration, deviceScale == self.deviceScale { return }
        (self.fontGeneration, self.deviceScale) = (fontGeneration, deviceScale)
        entries.removeAll(keepingCapacity: true)
        oldest = 0
    }

    func find(_ style: ComputedStyle) -> InlineStyle? { entries.first { $0.of === style }?.style }

    mutating func insert(_ style: InlineStyle, of computed: ComputedStyle) {
        if entries.count < Self.most {
            entries.append((computed, style))
        } else {
            entries[oldest] = (computed, style)
            oldest = (oldest + 1) % Self.most
        }
    }
}

extension InlineContents {
    /// The measures of a font on the device's pixels.
    func metrics(_ font: FontID) -> FontMetrics {
        var result = metric.metrics(font)
        if deviceScale != 1 { result.round(toPixelsOf: deviceScale) }
        return result
    }

    /// Inline boxes without text count in the height of their lines; not so in quirks mode and limited quirks mode
    /// (Quirks Mode §3.3, §3.4), where those count only that have a border or padding at their sides.
    var countsEmptyBoxes: Bool { text.documentMode == .noQuirks }

    func hasInlineFrame(_ id: StyleID) -> Bool {
        let style = text.styles[id]
        return style.box.padding.left != .zero || style.box.padding.right != .zero || style.box.border.left.width != 0
            || style.box.border.right.width != 0
    }

    /// The flattened style; the first call for an id resolves its font. Inlined, so that only what is asked for is copied.
    @inline(__always)
    mutating func inlineStyle(_ id: StyleID) -> InlineStyle {
        let index = Int(id.rawValue)
        if !inlineStyles[index].isResolved { resolveInlineStyle(id) }
        return inlineStyles[index]
    }

    @inline(never)
    private mutating func resolveInlineStyle(_ id: StyleID) {
        let style = text.styles[id]
        if let known = knownStyles.find(style) {
            inlineStyles[Int(id.rawValue)] = known
            return
        }
        var result = InlineStyle()
        result.isResolved = true
        result.chain = metric.intern(style.font)
        result.font = metric.primaryFont(result.chain)
        result.metrics = metrics(result.font)
        result.text = roundedHeight(result.metrics)
        result.fontSize = .round(style.font.size)
        switch style.text.lineHeight {
        case .normal:
            result.lineHeight = .round(result.metrics.lineSpacing)
            result.countsUsedFonts = true
        case .number(let factor): result.lineHeight = LayoutUnit(result.fontSize.float * factor)
        case .length(let length): result.lineHeight = .round(length)
        }
        if style.text.minimumLineHeight > 0 {
            result.lineHeight = max(result.lineHeight, LayoutUnit(style.text.minimumLineHeight))
        }
        if style.text.maximumLineHeight > 0 {
            result.lineHeight = min(result.lineHeight, LayoutUnit(style.text.maximumLineHeight))
        }
        result.box = result.text
        result.box.setLineHeight(result.lineHeight, deviceScale: deviceScale)
        result.wraps = style.text.wraps
        switch style.text.whiteSpaceCollapse {
        case .collapse, .preserveBreaks: break
        case .preserve, .preserveSpaces:
            result.collapsesSpaces = false
            result.preservesTabs = true
        case .breakSpaces:
            result.collapsesSpaces = false
            result.preservesTabs = true
            result.breaksSpaces = true
        }
        result.breaksAnywhere = style.text.lineBreak == .anywhere
        result.breaksWordsInMinContent =
            style.text.overflowWrap == .anywhere || style.text.wordBreak == .breakWord || result.breaksAnywhere
        result.breaksWords = result.breaksWordsInMinContent || style.text.overflowWrap == .breakWord
        result.allowsSoftHyphens = style.text.hyphens != .none
        result.direction = style.text.direction
        result.hasEdges =
            style.box.margin.left != .zero || style.box.margin.right != .zero || style.box.padding.left != .zero
            || style.box.padding.right != .zero
            || style.box.border.left.width != 0 || style.box.border.right.width != 0
        result.paintsBox =
            style.box.backgroundColor.alpha != 0 || !style.box.backgroundLayers.isEmpty || !style.box.boxShadows.isEmpty
            || style.box.border.top.width != 0
            || style.box.border.bottom.width != 0 || style.box.border.left.width != 0
            || style.box.border.right.width != 0
            || style.box.outlineWidth != 0
        result.verticalAlign = style.box.verticalAlign
        result.isOnBaseline = style.box.verticalAlign == .baseline
        result.changesDirections = style.box.unicodeBidi != .normal
        result.hasSides =
            result.hasEdges || style.box.margin.top != .zero || style.box.margin.bottom != .zero
            || style.box.padding.top != .zero
            || style.box.padding.bottom != .zero || style.box.border.top.width != 0
            || style.box.border.bottom.width != 0
        result.breakOptions = LineBreakOptions(style.text, language: style.font.language)
        result.breakOptions.breaksAfterEverySpace = result.breaksSpaces
        result.letterSpacing = style.text.letterSpacing
        result.wordSpacing = style.text.wordSpacing
        result.hyphenates = style.text.hyphens == .auto
        inlineStyles[Int(id.rawValue)] = result
        knownStyles.insert(result, of: style)
    }

    /// Ascent and descent of a fallback font with its own line height, for `line-height: normal`.
    mutating func fontBoxHeight(_ font: FontID) -> FontHeight {
        let index = Int(font.rawValue)
        if index < fontHeights.count, let known = fontHeights[index] { return known }
        let metrics = metrics(font)
        var height = roundedHeight(metrics)
        height.setLineHeight(.round(metrics.lineSpacing), deviceScale: deviceScale)
        if index < 4096 {
            while fontHeights.count <= index { fontHeights.append(nil) }
            fontHeights[index] = height
        }
        return height
    }

    /// Horizontal and vertical margins, borders and padding of an inline box; `auto` margins are 0 (CSS 2.1 §10.3.1).
    func inlineEdges(_ id: StyleID, percentageBase: LayoutUnit) -> BoxEdges {
        let info = inlineStyles[Int(id.rawValue)]
        if info.isResolved, !info.hasSides { return BoxEdges() }
        return BoxEdges(text.styles[id], percentageBase: percentageBase, grid: snap, deviceScale: deviceScale)
    }

    /// What the start of an inline box takes of its line.
    mutating func startEdge(_ id: StyleID, percentageBase: LayoutUnit) -> LayoutUnit {
        guard inlineStyle(id).hasEdges else { return .zero }
        let edges = inlineEdges(id, percentageBase: percentageBase).total
        return inlineStyle(id).direction == .rtl ? edges.right : edges.left
    }

    /// What the end of an inline box takes of its line.
    mutating func endEdge(_ id: StyleID, percentageBase: LayoutUnit) -> LayoutUnit {
        guard inlineStyle(id).hasEdges else { return .zero }
        let edges = inlineEdges(id, percentageBase: percentageBase).total
        return inlineStyle(id).direction == .rtl ? edges.left : edges.right
    }
}
