// The results of the cascade: immutable computed styles, shared through a table and named by ids.

import FancyTextBasics

/// Names a ``ComputedStyle`` of a ``StyleTable``.
package struct StyleID: Hashable, Sendable, BitwiseCopyable {
    @usableFromInline package let rawValue: UInt32
    @inlinable package init(rawValue: UInt32) { self.rawValue = rawValue }
    /// The style of the root (the initial values and the root style).
    @inlinable package static var root: StyleID { StyleID(rawValue: 0) }
}

/// Inherited properties of text besides the font (CSS Text 3/4, CSS Lists 3).
@usableFromInline package struct TextStyle: Equatable, Sendable {
    package var color = Color.black
    /// `letter-spacing` (`kern`) and `word-spacing` in CSS pixels.
    package var letterSpacing: Float = 0, wordSpacing: Float = 0
    package var lineHeight = LineHeight.normal
    package var whiteSpaceCollapse = WhiteSpaceCollapse.collapse
    /// `text-wrap-mode`: false is `nowrap`.
    package var wraps = true
    package var wrapStyle = TextWrapStyle.auto
    package var transform = TextTransformCase.none
    package var transformFullWidth = false, transformFullSizeKana = false
    package var direction = TextDirection.ltr
    package var writingMode = WritingMode.horizontalTB
    package var orientation = TextOrientation.mixed
    package var combineUpright = CombineUpright.none
    package var align = TextAlign.start
    package var alignLast = TextAlignLast.auto
    package var indent = LengthPercentage.zero
    package var indentHanging = false, indentEachLine = false
    package var hyphens = Hyphens.manual
    /// `hyphenate-character`; nil is `auto`.
    package var hyphenateCharacter: String? = nil
    /// `hyphenate-limit-zone`: the unfilled space that a line may keep at its end before a word is hyphenated.
    package var hyphenateLimitZone = LengthPercentage.zero
    /// `-ft-tightening`: letters may move together before text is cut off. The attribute is only passed through to the output.
    package var allowsTightening = false
    package var lineBreak = LineBreakStrictness.auto
    package var wordBreak = WordBreak.normal
    package var overflowWrap = OverflowWrap.normal
    package var tabSize = TabSize.spaces(8)
    /// Explicit tab stops in CSS pixels from the paragraph's start (`-ft-tab-stops`), ascending.
    package var tabStops: [Float] = []
    package var shadows: [Shadow] = []
    package var strokeColor: Color? = nil
    /// `-webkit-text-stroke-width`, CSS pixels, centred on the outline.
    package var strokeWidth: Float = 0
    /// `-webkit-text-fill-color`; nil is `color`.
    package var fillColor: Color? = nil
    package var visibility = Visibility.visible
    package var listStyleType = CounterStyle.named("disc")
    package var listStyleInside = false
    package var listStyleImage: ImageSource? = nil
    /// Pairs of opening and closing marks, outermost first; nil is `auto` (by language).
    package var quotes: [String]? = nil
    package var collapsesBorders = false
    package var borderSpacingX: Float = 0, borderSpacingY: Float = 0
    package var captionSide = CaptionSide.top
    package var hidesEmptyCells = false
    package var underlineOffset: LengthPercentage? = nil
    package var underlinePosition = UnderlinePosition.auto
    /// The side of underlines in vertical lines; nil is that of the language.
    package var underlinesRight: Bool? = nil
    package var skipsInk = true
    package var emphasisMark: String? = nil
    package var emphasisColor: Color? = nil
    /// True if the marks are below horizontal lines, and next, on the left of vertical ones.
    package var emphasizesUnder = false, emphasizesLeft = false
    package var justify = TextJustify.auto
    package var textBoxEdge = TextBoxEdge()
    /// The minimum number of lines before and after a break between columns.
    package var orphans: Int16 = 2, widows: Int16 = 2
    package var rubyUnder = false
    /// `paint-order`: a stroke below the fill.
    package var strokesFirst = false
    /// `image-rendering`: enlarged images show their pixels as squares.
    package var pixelatesImages = false
    /// `accent-color`; nil is `auto`.
    package var accent: Color? = nil

    package enum UnderlinePosition: UInt8, Equatable, Sendable { case auto, fromFont, under }

    // Attributes of an attributed string that CSS has no property for (`-ft-*`), all inherited.
    /// Extra skew of the glyphs (tangent); `obliqueness`.
    package var obliqueness: Float = 0
    /// Natural logarithm of a horizontal stretch of the glyphs; `expansion`.
    package var expansion: Float = 0
    /// `textEffect`: a named effect (`letterpress`, `neon`, `glow`); nil for none.
    package var textEffect: String? = nil
    /// Added between lines, CSS pixels; `lineSpacing`.
    package var lineSpacing: Float = 0
    package var minimumLineHeight: Float = 0
    /// 0 means no maximum.
    package var maximumLineHeight: Float = 0
    /// Type Mode (`text-fit`): each line's font size fills the width, between these sizes; nil is off.
    package var fitLines: FitLines? = nil
    /// Type Mode (`-ft-line-background`): painted below each line fragment; nil means no background.
    package var lineBackground: LineBackground? = nil
    /// The destination of a link by style (`-ft-link`), besides `<a href>`; nil if there is no link.
    package var link: String? = nil

    package struct FitLines: Equatable, Sendable {
        package var minimumSize, maximumSize: Float
        package init(minimumSize: Float, maximumSize: Float) {
            (self.minimumSize, self.maximumSize) = (minimumSize, maximumSize)
        }
    }
    package struct LineBackground: Equatable, Sendable {
        package var color: Color
        package var paddingX, paddingY, radius, gap: Float
        package var joinsCorners: Bool
    }

    package init() {}
}

extension TextStyle {
    /// The triangle of a disclosure, which points along the lines if closed, else across them (CSS Counter Styles 3 §6.3); `nil` for
    /// other counter styles.
    package func triangle(ofStyle name: String) -> String? {
        guard name == "disclosure-open" || name == "disclosure-closed" else { return nil }
        let side = name == "disclosure-open" ? 2 : direction == .rtl ? 3 : 1
        // Symbols are turned with the text of sideways lines.
        let isUpright = writingMode == .verticalRL || writingMode == .verticalLR
        return ["▴", "▸", "▾", "◂"][isUpright ? writingMode.side(side) : side]
    }
}

/// One side of a border; `width` is 0 if the style is `none` or `hidden`.
package struct BorderSide: Equatable, Sendable {
    package var width: Float
    package var style: BorderLineStyle
    package var color: Color
    package init(width: Float = 0, style: BorderLineStyle = .none, color: Color = .black) {
        (self.width, self.style, self.color) = (width, style, color)
    }
}

/// Properties of the element's own box; not inherited.
@usableFromInline package struct BoxStyle: Equatable, Sendable {
    package var display = Display.inline
    /// `list-item` with `flow-root` or `inline`: the box has a marker whatever its `display` (CSS Display 3 §2.3).
    package var marksItem = false
    package var position = Position.static
    /// True if the box is out of flow and would be inline-level in flow, so its static position is in a line (CSS 2 §10.3.7).
    package var hasInlineStaticPosition = false
    @Rare package var positioned: PositionStyle
    @Rare package var transform: TransformStyle
    @Rare package var effects: EffectStyle
    @Rare package var mask: MaskStyle
    @Rare package var borderImage: BorderImageStyle
    package var isolates = false
    /// `appearance: auto`: a form control looks as browsers draw it.
    package var isNative = false
    /// `field-sizing: content`: a text field is as large as its text.
    package var fitsText = false
    /// The enlargement of pictures and controls by `zoom`; lengths are enlarged already.
    package var zoom: Float = 1
    package var contain: Containment = []
    @Rare package var container: ContainerStyle
    package var float = FloatSide.none
    @Rare package var floatShape: FloatShapeStyle
    @Rare package var lineEdges: LineEdgeStyle
    package var clear = ClearSide.none
    package var width = SizeValue.auto, height = SizeValue.auto
    package var minWidth = SizeValue.auto, minHeight = SizeValue.auto
    package var maxWidth = SizeValue.auto, maxHeight = SizeValue.auto
    /// width / height; nil is `auto`.
    package var aspectRatio: Float? = nil
    /// `auto` together with a ratio: replaced boxes keep their own.
    package var prefersNaturalRatio = true
    package var sizesBorderBox = false
    package var quirks: BoxQuirks = []
    /// nil is `auto`.
    package var margin = Sides<LengthPercentage?>(LengthPercentage.zero)
    package var padding = Sides<LengthPercentage>(.zero)
    package var border = Sides<BorderSide>(BorderSide())
    /// Empty when every corner is square, else four, clockwise from the top left.
    package var cornerRadii: [CornerRadius] = []
    package var outlineWidth: Float = 0
    package var outlineStyle = BorderLineStyle.none
    package var outlineColor = Color.black
    package var outlineOffset: Float = 0

    package var backgroundColor = Color.transparent
    package var backgroundLayers: [BackgroundLayer] = []
    /// `background-clip` of the colour (the last layer's).
    package var backgroundClip = BackgroundBox.borderBox
    package var boxShadows: [Shadow] = []
    package var opacity: Float = 1
    package var overflowX = Overflow.visible, overflowY = Overflow.visible
    package var overflowClipMargin = ClipMargin()

    package var verticalAlign = VerticalAlign.baseline
    package var unicodeBidi = UnicodeBidi.normal
    /// The decorations painted on this box's text, its own and its ancestors', outermost first.
    package var decorations: [TextDecoration] = []
    package var textOverflow: TextOverflow = .clip
    /// `line-clamp` / `-webkit-line-clamp` / `line-count`; 0 means no clamp.
    package var lineClamp = 0
    package var truncateMode: TruncateMode? = nil
    package var clonesDecorationAtBreaks = false

    package enum TextOverflow: Equatable, Sendable {
        case clip, ellipsis
        case string(String)
    }
    package enum TruncateMode: String, Sendable { case tail, head, middle, word, clip }

    package var fixedTableLayout = false
    /// True if the columns of a table that is wider than its container shrink below their longest words.
    package var shrinksTable = false
    package var flexDirection = FlexDirection.row
    package var flexWraps = false, flexWrapReverse = false
    package var flexGrow: Float = 0, flexShrink: Float = 1
    package var flexBasis = SizeValue.auto
    package var order = 0
    package var justifyContent = BoxAlignment.normal
    package var alignItems = BoxAlignment.normal
    package var alignContent = BoxAlignment.normal
    package var justifyItems = BoxAlignment.normal
    /// nil is `auto`.
    package var alignSelf, justifySelf: BoxAlignment?
    package var safeAlignments: SafeAlignments = []
    /// `normal` is 0, except between columns of text, where it is 1em.
    package var rowGap = LengthPercentage.zero, columnGap = LengthPercentage.zero
    @Rare package var grid: GridStyle
    @Rare package var gridItem: GridItemStyle
    @Rare package var columns: ColumnStyle

    package enum FlexDirection: String, Sendable {
        case row, column, rowReverse = "row-reverse", columnReverse = "column-reverse"
    }
    package enum BoxAlignment: String, Sendable {
        case normal, start, end, center, stretch, baseline, left, right, flexStart = "flex-start", flexEnd = "flex-end"
        case spaceBetween = "space-between", spaceAround = "space-around", spaceEvenly = "space-evenly"
        case selfStart = "self-start", selfEnd = "self-end", lastBaseline = "last baseline"
    }

    package var objectFit = ObjectFit.fill
    package var objectPosition = Gradient.Position.center
    /// nil is `normal`: none for an element; for `::before` and `::after`, no box.
    package var content: [ContentPart]? = nil
    @Rare package var bookmark: BookmarkStyle
    package var counterReset: [CounterChange] = [], counterSet: [CounterChange] = [],
        counterIncrement: [CounterChange] = []

    package init() {}
}

extension BoxStyle {
    /// Makes the root element or the body as high as the canvas where that shows: with aligned contents, a position or a border.
    package mutating func fillCanvas() {
        let frame = border.top.width + border.bottom.width
        let aligns: [Display] = [.flex, .grid, .inlineFlex, .inlineGrid]
        let shows = aligns.contains(display) || position != .static || frame > 0
        guard shows, height == .auto, minHeight == .auto else { return }
        var around = (margin.top?.px ?? 0) + (margin.bottom?.px ?? 0)
        if !sizesBorderBox { around += padding.top.px + padding.bottom.px + frame }
        minHeight = .length(LengthPercentage(px: -around, fraction: 1))
    }

    /// True if the contents are laid out in columns: a block container with `column-width` or `column-count`.
    var makesColumns: Bool {
        let containers: [Display] = [.block, .flowRoot, .inlineBlock, .listItem, .tableCell, .tableCaption]
        return !$columns && containers.contains(display) && columns.makesColumns
    }
}

/// The computed style of an element or of a generated box. Immutable and shared; compare by identity or by ``StyleID``.
@usableFromInline package final class ComputedStyle: Sendable {
    @usableFromInline package let groups: StyleGroups

    @inlinable package var font: FontStyle { @inline(__always) unsafeAddress { groups.font.address } }
    @inlinable package var text: TextStyle { @inline(__always) unsafeAddress { groups.text.address } }
    @inlinable package var box: BoxStyle { @inline(__always) unsafeAddress { groups.box.address } }
    package var inherited: InheritedCascadeState { @inline(__always) unsafeAddress { groups.inherited.address } }

    package func with(_ box: BoxStyle) -> ComputedStyle {
        var values = StyleValues(self)
        values.box = box
        return ComputedStyle(values)
    }

    package var isDark: Bool { inherited.prefersDark ?? false }

    /// A style of some values, and for the others those of `style` or the initial ones; for a box without an element.
    package init(
        _ style: ComputedStyle? = nil, font: FontStyle? = nil, text: TextStyle? = nil, box: BoxStyle? = nil
    ) {
        let initial = StyleValues.initial.groups
        groups = StyleGroups(
            box: box.map { SharedValue($0) } ?? style?.groups.box ?? initial.box,
            text: text.map { SharedValue($0) } ?? style?.groups.text ?? initial.text,
            font: font.map { SharedValue($0) } ?? style?.groups.font ?? initial.font, inherited: initial.inherited,
            own: initial.own)
    }

    /// The weight that the same element would have if its ancestor `outer` had the given weight; `nil` if it does not depend on it.
    package func weight(in outer: ComputedStyle, of weight: Float) -> Float? {
        func moved(_ weight: Float) -> Float {
            let steps = inherited.weightSteps - outer.inherited.weightSteps
            return (0..<abs(steps)).reduce(weight) { weight, _ in relativeWeight(weight, isBolder: steps > 0) }
        }
        return moved(outer.font.weight) == font.weight ? moved(weight) : nil
    }

    // A property of BoxStyle that is computed copies the whole box, so these read its stored properties in place.

    /// True if `align-content` aligns the contents of a block. In browsers `last baseline` does not.
    package var alignsContent: Bool { box.alignContent != .normal && box.alignContent != .lastBaseline }

    package var hasBackground: Bool { box.backgroundColor.alpha > 0 || !box.backgroundLayers.isEmpty }

    package var makesColumns: Bool { hasColumns && box.makesColumns }

    package var hasColumns: Bool { !box.$columns && box.columns.makesColumns }

    package var strings: [StringAssignment] { box.$columns ? [] : box.columns.strings }

    package var bookmarkLabel: [ContentPart]? { box.$bookmark ? nil : box.bookmark.label }

    package var sizesBorderBoxHeight: Bool { box.sizesBorderBox || box.quirks.contains(.height) }

    package var isListItem: Bool { box.display == .listItem || box.marksItem }

    /// A float, or absolutely positioned (CSS 2 §9.3).
    package var isOutOfFlow: Bool { box.float != .none && !isFootnote || box.position.isOutOfFlow }

    /// True for a note, which leaves a call at its place (CSS GCPM 3 §2.1).
    package var isFootnote: Bool { box.float == .footnote }

    package static func == (a: ComputedStyle, b: ComputedStyle) -> Bool { a.groups == b.groups }

    package init(_ values: consuming StyleValues) { groups = values.groups }
}

package struct StyleTable: Sendable {
    @usableFromInline package private(set) var styles: [ComputedStyle]
    /// The style of an element without a box whose background covers the canvas: the root around a selection, a dark page.
    package var canvas: ComputedStyle?

    package init(root: ComputedStyle) { styles = [root] }

    @inlinable package subscript(id: StyleID) -> ComputedStyle {
        @inline(__always) get { styles[Int(id.rawValue)] }
    }

    /// The style with an id that may be one of `added` styles, whose ids follow those of the table.
    @inlinable package subscript(id: StyleID, or added: [ComputedStyle]) -> ComputedStyle {
        @inline(__always) get {
            let index = Int(id.rawValue)
            return index < styles.count ? styles[index] : added[index - styles.count]
        }
    }

    package mutating func replace(_ id: StyleID, _ style: ComputedStyle) { styles[Int(id.rawValue)] = style }

    package func turned(to mode: WritingMode) -> StyleTable {
        var result = self
        result.styles = styles.map { $0.turned(to: mode) }
        return result
    }

    package mutating func append(_ style: ComputedStyle) -> StyleID {
        styles.append(style)
        return StyleID(rawValue: UInt32(styles.count - 1))
    }
}
