// What the cascade gives for each element: immutable computed styles, shared through a table and named by ids.

/// Names a ``ComputedStyle`` of a ``StyleTable``.
package struct StyleID: Hashable, Sendable {
    package let rawValue: UInt32
    @inlinable package init(rawValue: UInt32) { self.rawValue = rawValue }
    /// The style of the root (the initial values and the root style).
    package static let root = StyleID(rawValue: 0)
}

/// Inherited properties of text besides the font (CSS Text 3/4, CSS Lists 3).
public struct TextStyle: Hashable, Sendable {
    public var color = Color.black
    /// `letter-spacing` (`kern`) and `word-spacing` in CSS pixels.
    public var letterSpacing: Float = 0
    public var wordSpacing: Float = 0
    public var lineHeight = LineHeight.normal
    public var whiteSpaceCollapse = WhiteSpaceCollapse.collapse
    /// `text-wrap-mode`: false is `nowrap`.
    public var wraps = true
    public var wrapStyle = TextWrapStyle.auto
    public var transform = TextTransformCase.none
    public var transformFullWidth = false
    public var transformFullSizeKana = false
    public var direction = TextDirection.ltr
    public var align = TextAlign.start
    public var alignLast = TextAlignLast.auto
    public var indent = LengthPercentage.zero
    public var indentHanging = false
    public var indentEachLine = false
    public var hyphens = Hyphens.manual
    /// `hyphenate-character`; nil is `auto`.
    public var hyphenateCharacter: String? = nil
    public var lineBreak = LineBreakStrictness.auto
    public var wordBreak = WordBreak.normal
    public var overflowWrap = OverflowWrap.normal
    public var tabSize = TabSize.spaces(8)
    /// Explicit tab stops in CSS pixels from the paragraph's start (`-ft-tab-stops`), ascending.
    public var tabStops: [Float] = []
    public var shadows: [Shadow] = []
    public var strokeColor: Color? = nil
    /// `-webkit-text-stroke-width`, CSS pixels, centred on the outline.
    public var strokeWidth: Float = 0
    /// `-webkit-text-fill-color`; nil is `color`.
    public var fillColor: Color? = nil
    public var visibility = Visibility.visible
    public var listStyleType = CounterStyle.named("disc")
    public var listStyleInside = false
    public var listStyleImage: ImageSource? = nil
    /// Pairs of open and close, outermost first; nil is `auto` (by language).
    public var quotes: [String]? = nil
    public var collapsesBorders = false
    public var borderSpacingX: Float = 0
    public var borderSpacingY: Float = 0
    public var captionSide = CaptionSide.top
    public var hidesEmptyCells = false
    public var underlineOffset: LengthPercentage? = nil
    public var underlinePosition = UnderlinePosition.auto
    public var skipsInk = true
    /// `text-emphasis`: the mark, nil for none.
    public var emphasisMark: String? = nil
    public var emphasisColor: Color? = nil
    public var justifiesBetweenCharacters = false
    public var justifyNone = false
    public var rubyUnder = false

    public enum UnderlinePosition: UInt8, Hashable, Sendable { case auto, fromFont, under }

    // Attributes of an attributed string that CSS has no property for (`-ft-*`), all inherited.
    /// Extra skew of the glyphs (tangent); `obliqueness`.
    public var obliqueness: Float = 0
    /// Natural logarithm of a horizontal stretch of the glyphs; `expansion`.
    public var expansion: Float = 0
    /// `textEffect`: a named effect (`letterpress`, `neon`, `glow`); nil for none.
    public var textEffect: String? = nil
    /// Added between lines, CSS pixels; `lineSpacing`.
    public var lineSpacing: Float = 0
    public var minimumLineHeight: Float = 0
    /// 0 is none.
    public var maximumLineHeight: Float = 0
    /// Type Mode (`text-fit`): each line's font size fills the width, between these sizes; nil is off.
    public var fitLines: FitLines? = nil
    /// Type Mode (`-ft-line-background`): painted behind each line fragment; nil is none.
    public var lineBackground: LineBackground? = nil
    /// Where the text leads by style (`-ft-link`), besides `<a href>`; nil for nowhere.
    public var link: String? = nil

    public struct FitLines: Hashable, Sendable {
        public var minimumSize, maximumSize: Float
        public init(minimumSize: Float, maximumSize: Float) {
            self.minimumSize = minimumSize
            self.maximumSize = maximumSize
        }
    }
    public struct LineBackground: Hashable, Sendable {
        public var color: Color
        public var paddingX, paddingY, radius, gap: Float
        public var joinsCorners: Bool
        public init(color: Color, paddingX: Float, paddingY: Float, radius: Float, gap: Float, joinsCorners: Bool) {
            self.color = color
            self.paddingX = paddingX
            self.paddingY = paddingY
            self.radius = radius
            self.gap = gap
            self.joinsCorners = joinsCorners
        }
    }

    public init() {}
}

/// One side of a border; `width` is 0 where the style is none or hidden.
public struct BorderSide: Hashable, Sendable {
    public var width: Float = 0
    public var style = BorderLineStyle.none
    public var color = Color.black
    public init() {}
}

public struct CornerRadius: Hashable, Sendable {
    public var x = LengthPercentage.zero
    public var y = LengthPercentage.zero
    public init() {}
}

/// Properties of the element's own box; not inherited.
public struct BoxStyle: Hashable, Sendable {
    public var display = Display.inline
    public var float = FloatSide.none
    public var clear = ClearSide.none
    public var width = SizeValue.auto
    public var height = SizeValue.auto
    public var minWidth = SizeValue.auto
    public var minHeight = SizeValue.auto
    public var maxWidth = SizeValue.auto
    public var maxHeight = SizeValue.auto
    /// width / height; nil is `auto`.
    public var aspectRatio: Float? = nil
    public var sizesBorderBox = false
    /// nil is `auto`.
    public var margin = Sides<LengthPercentage?>(LengthPercentage.zero)
    public var padding = Sides<LengthPercentage>(.zero)
    public var border = Sides<BorderSide>(BorderSide())
    /// Empty when every corner is square, else four, clockwise from the top left.
    public var cornerRadii: [CornerRadius] = []
    public var outlineWidth: Float = 0
    public var outlineStyle = BorderLineStyle.none
    public var outlineColor = Color.black
    public var outlineOffset: Float = 0

    public var backgroundColor = Color.transparent
    public var backgroundLayers: [BackgroundLayer] = []
    /// `background-clip` of the colour (the last layer's).
    public var backgroundClip = BackgroundBox.borderBox
    public var boxShadows: [Shadow] = []
    public var opacity: Float = 1
    public var overflowX = Overflow.visible
    public var overflowY = Overflow.visible

    public var verticalAlign = VerticalAlign.baseline
    public var unicodeBidi = UnicodeBidi.normal
    /// The decorations that paint on this box's text: its own and those it takes part in, outermost first.
    public var decorations: [TextDecoration] = []
    public var textOverflow: TextOverflow = .clip
    /// `line-clamp` / `-webkit-line-clamp` / `line-count`; 0 is none.
    public var lineClamp = 0
    public var truncateMode: TruncateMode? = nil
    public var clonesDecorationAtBreaks = false

    public enum TextOverflow: Hashable, Sendable {
        case clip, ellipsis
        case string(String)
    }
    public enum TruncateMode: UInt8, Hashable, Sendable { case tail, head, middle, word, clip }

    public var fixedTableLayout = false
    public var flexDirection = FlexDirection.row
    public var flexWraps = false
    public var flexWrapReverse = false
    public var flexGrow: Float = 0
    public var flexShrink: Float = 1
    public var flexBasis = SizeValue.auto
    public var order = 0
    public var justifyContent = BoxAlignment.normal
    public var alignItems = BoxAlignment.normal
    public var alignContent = BoxAlignment.normal
    /// nil is `auto`.
    public var alignSelf: BoxAlignment? = nil
    public var rowGap = LengthPercentage.zero
    public var columnGap = LengthPercentage.zero

    public enum FlexDirection: UInt8, Hashable, Sendable { case row, rowReverse, column, columnReverse }
    public enum BoxAlignment: UInt8, Hashable, Sendable {
        case normal, start, end, center, stretch, baseline, flexStart, flexEnd, spaceBetween, spaceAround, spaceEvenly
        case left, right
    }

    public var objectFit = ObjectFit.fill
    public var objectPosition = Gradient.Position.center
    /// nil is `normal`: none for an element; for `::before` and `::after`, no box.
    public var content: [ContentPart]? = nil
    public var counterReset: [CounterChange] = []
    public var counterSet: [CounterChange] = []
    public var counterIncrement: [CounterChange] = []

    public init() {}
}

/// The computed style of an element or of a generated box. Immutable and shared; compare by identity or by ``StyleID``.
public final class ComputedStyle: Sendable {
    public let font: FontStyle
    public let text: TextStyle
    public let box: BoxStyle
    /// Parts of the above that children inherit one by one.
    let inherited: InheritedExtras
    package let own: OwnExtras

    package init(font: FontStyle, text: TextStyle, box: BoxStyle) {
        self.font = font
        self.text = text
        self.box = box
        inherited = InheritedExtras()
        own = OwnExtras()
    }

    init(_ values: StyleValues) {
        font = values.font
        text = values.text
        box = values.box
        inherited = values.inherited
        own = values.own
    }
}

/// The distinct computed styles of a document.
package struct StyleTable: Sendable {
    package private(set) var styles: [ComputedStyle]

    package init(root: ComputedStyle) { styles = [root] }

    package subscript(id: StyleID) -> ComputedStyle { styles[Int(id.rawValue)] }

    /// Gives the root another style.
    package mutating func replaceRoot(_ style: ComputedStyle) { styles[0] = style }

    package mutating func append(_ style: ComputedStyle) -> StyleID {
        styles.append(style)
        return StyleID(rawValue: UInt32(styles.count - 1))
    }
}
