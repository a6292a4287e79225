// The typed values that computed styles are made of: colours, lengths, font descriptions, keywords.

/// An sRGB colour with straight (not premultiplied) alpha, 8 bits a channel.
public struct Color: Hashable, Sendable {
    public var red, green, blue, alpha: UInt8

    @inlinable
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    public static let black = Color(red: 0, green: 0, blue: 0)
    public static let white = Color(red: 255, green: 255, blue: 255)
    public static let transparent = Color(red: 0, green: 0, blue: 0, alpha: 0)
}

/// `px + percent% of a base that only layout knows` (CSS Values 4 §5.1.2); also what `calc()` of both computes to.
public struct LengthPercentage: Hashable, Sendable {
    /// CSS pixels.
    public var px: Float
    /// Share of the base: 0.5 is 50%.
    public var fraction: Float

    @inlinable
    public init(px: Float = 0, fraction: Float = 0) {
        self.px = px
        self.fraction = fraction
    }

    public static let zero = LengthPercentage()

    @inlinable
    public func resolved(against base: Float) -> Float { fraction == 0 ? px : px + fraction * base }
}

/// A size property's computed value (CSS Sizing 3 §3): `width`, `min-height`, `flex-basis` …
public enum SizeValue: Hashable, Sendable {
    /// `auto`; for `max-*`, `none`.
    case auto
    case length(LengthPercentage)
    case minContent, maxContent
    case fitContent(LengthPercentage?)
    /// `flex-basis: content`.
    case content
}

/// One value for each physical side, clockwise from the top.
public struct Sides<Value: Hashable & Sendable>: Hashable, Sendable {
    public var top, right, bottom, left: Value

    @inlinable
    public init(top: Value, right: Value, bottom: Value, left: Value) {
        self.top = top
        self.right = right
        self.bottom = bottom
        self.left = left
    }

    @inlinable
    public init(_ value: Value) { self.init(top: value, right: value, bottom: value, left: value) }
}

// MARK: Fonts

public enum GenericFamily: UInt8, Hashable, Sendable, CaseIterable {
    case serif, sansSerif, monospace, cursive, fantasy, systemUI, emoji, math
}

public enum FontFamily: Hashable, Sendable {
    case named(String)
    case generic(GenericFamily)
}

public enum FontSlant: Hashable, Sendable {
    case normal, italic
    /// Degrees, clockwise; CSS's `oblique` alone is 14.
    case oblique(Float)
}

public enum FontCaps: UInt8, Hashable, Sendable {
    case normal, smallCaps, allSmallCaps, petiteCaps, allPetiteCaps, unicase, titlingCaps
}

/// An OpenType tag and its value, for features (`"smcp" 1`) and variation axes (`"wght" 650`).
public struct FontSetting<Value> {
    /// Four ASCII bytes, the first in the highest byte.
    public var tag: UInt32
    public var value: Value

    @inlinable
    public init(tag: UInt32, value: Value) {
        self.tag = tag
        self.value = value
    }
}

extension FontSetting: Equatable where Value: Equatable {}
extension FontSetting: Hashable where Value: Hashable {}
extension FontSetting: Sendable where Value: Sendable {}

public typealias FontFeature = FontSetting<UInt32>
public typealias FontVariation = FontSetting<Float>

/// Everything that decides which font is used and how it is shaped. Inherited. Interned by the shaper per value.
public struct FontStyle: Hashable, Sendable {
    public var families: [FontFamily] = []
    /// CSS pixels, ≥ 0.
    public var size: Float = 16
    /// 1–1000.
    public var weight: Float = 400
    /// Per cent of the normal width, 50–200.
    public var stretch: Float = 100
    public var slant: FontSlant = .normal
    public var caps: FontCaps = .normal
    /// `font-variant-*` turned into features, then `font-feature-settings` (later wins).
    public var features: [FontFeature] = []
    public var variations: [FontVariation] = []
    /// `font-kerning`: nil is `auto`.
    public var kerning: Bool? = nil
    /// `font-variant-ligatures: none` and the like are in `features`; letter-spacing ≠ 0 switches common ligatures off in shaping.
    public var opticalSizing = true
    public var synthesizesWeight = true
    public var synthesizesStyle = true
    public var synthesizesSmallCaps = true
    /// `font-size-adjust` as an ex-height ratio; nil is `none`.
    public var sizeAdjust: Float? = nil
    /// `font-variant-emoji`: nil is `normal`, true `emoji`, false `text`.
    public var prefersEmoji: Bool? = nil
    /// `text-spacing-trim`: full-width punctuation next to other punctuation loses its blank half; not with `space-all`.
    public var trimsPunctuation = true
    /// BCP 47, from `lang`; empty is unknown.
    public var language = ""

    public init() {}
}

// MARK: Keywords

public enum TextDirection: UInt8, Hashable, Sendable { case ltr, rtl }
public enum UnicodeBidi: UInt8, Hashable, Sendable {
    case normal, embed, isolate, bidiOverride, isolateOverride, plaintext
}
public enum TextAlign: UInt8, Hashable, Sendable { case start, end, left, right, center, justify, matchParent }
public enum TextAlignLast: UInt8, Hashable, Sendable { case auto, start, end, left, right, center, justify }
public enum TextTransformCase: UInt8, Hashable, Sendable { case none, uppercase, lowercase, capitalize }
public enum WhiteSpaceCollapse: UInt8, Hashable, Sendable {
    case collapse, preserve, preserveBreaks, breakSpaces, preserveSpaces
}
public enum WordBreak: UInt8, Hashable, Sendable { case normal, breakAll, keepAll, breakWord, autoPhrase }
public enum LineBreakStrictness: UInt8, Hashable, Sendable { case auto, loose, normal, strict, anywhere }
public enum OverflowWrap: UInt8, Hashable, Sendable { case normal, breakWord, anywhere }
public enum Hyphens: UInt8, Hashable, Sendable { case none, manual, auto }
public enum TextWrapStyle: UInt8, Hashable, Sendable { case auto, balance, pretty, stable }
public enum Visibility: UInt8, Hashable, Sendable { case visible, hidden, collapse }
public enum FloatSide: UInt8, Hashable, Sendable { case none, left, right }
public enum ClearSide: UInt8, Hashable, Sendable { case none, left, right, both }
public enum BorderLineStyle: UInt8, Hashable, Sendable {
    case none, hidden, dotted, dashed, solid, double, groove, ridge, inset, outset
}
public enum Overflow: UInt8, Hashable, Sendable { case visible, hidden, clip, scroll, auto }
public enum ObjectFit: UInt8, Hashable, Sendable { case fill, contain, cover, none, scaleDown }
public enum DecorationStyle: UInt8, Hashable, Sendable { case solid, double, dotted, dashed, wavy }
public enum CaptionSide: UInt8, Hashable, Sendable { case top, bottom }

/// `display`, as box generation needs it (CSS Display 3 §2).
public enum Display: UInt8, Hashable, Sendable {
    case none, contents, block, flowRoot, inline, inlineBlock, listItem, flex, inlineFlex
    case table, inlineTable, tableRowGroup, tableHeaderGroup, tableFooterGroup, tableRow, tableCell
    case tableColumn, tableColumnGroup, tableCaption, ruby, rubyText, rubyBase
    /// `-webkit-box` with vertical orient: a block whose lines `-webkit-line-clamp` counts.
    case webkitBox
}

public enum VerticalAlign: Hashable, Sendable {
    case baseline, sub, `super`, top, middle, bottom, textTop, textBottom
    /// Raises by a length; per cents are of the line height.
    case length(LengthPercentage)
}

public enum LineHeight: Hashable, Sendable {
    case normal
    /// Times the element's own font size.
    case number(Float)
    /// CSS pixels.
    case length(Float)
}

/// `tab-size`: spaces or CSS pixels.
public enum TabSize: Hashable, Sendable {
    case spaces(Float)
    case length(Float)
}

public enum DecorationThickness: Hashable, Sendable {
    case auto, fromFont
    case length(LengthPercentage)
}

/// One `text-decoration` as its originating box declared it; all text below it paints it (CSS Text Decoration 4 §2.1).
public struct TextDecoration: Hashable, Sendable {
    public struct Lines: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        public static let underline = Lines(rawValue: 1)
        public static let overline = Lines(rawValue: 2)
        public static let lineThrough = Lines(rawValue: 4)
    }
    public var lines: Lines
    public var style: DecorationStyle = .solid
    public var color: Color
    public var thickness: DecorationThickness = .auto
    /// Of the originating element.
    public var fontSize: Float

    public init(
        lines: Lines, style: DecorationStyle = .solid, color: Color, thickness: DecorationThickness = .auto,
        fontSize: Float
    ) {
        self.lines = lines
        self.style = style
        self.color = color
        self.thickness = thickness
        self.fontSize = fontSize
    }
}

/// `text-shadow` and `box-shadow`. CSS pixels; blur is CSS's blur radius (twice the Gaussian's sigma).
public struct Shadow: Hashable, Sendable {
    public var x, y, blur, spread: Float
    public var color: Color
    public var inset: Bool

    public init(x: Float, y: Float, blur: Float, spread: Float = 0, color: Color, inset: Bool = false) {
        self.x = x
        self.y = y
        self.blur = blur
        self.spread = spread
        self.color = color
        self.inset = inset
    }
}

// MARK: Images and gradients

public struct GradientStop: Hashable, Sendable {
    public var color: Color
    /// nil is spread evenly between its neighbours (CSS Images 4 §3.4.3).
    public var position: LengthPercentage?
    /// A colour hint rather than a stop: only the position counts.
    public var isHint = false

    public init(color: Color, position: LengthPercentage?, isHint: Bool = false) {
        self.color = color
        self.position = position
        self.isHint = isHint
    }
}

public struct Gradient: Hashable, Sendable {
    public enum Shape: Hashable, Sendable {
        /// Degrees, 0 is to the top, 90 to the right.
        case linear(angle: Float)
        /// To a side or corner: −1, 0, 1 each way (`to bottom right` is 1, 1).
        case linearTo(x: Int8, y: Int8)
        case radial(circle: Bool, extent: RadialExtent, center: Position)
        case conic(from: Float, center: Position)
    }
    public enum RadialExtent: Hashable, Sendable {
        case closestSide, farthestSide, closestCorner, farthestCorner
        case size(LengthPercentage, LengthPercentage)
    }
    public struct Position: Hashable, Sendable {
        public var x, y: LengthPercentage
        public init(x: LengthPercentage, y: LengthPercentage) {
            self.x = x
            self.y = y
        }
        public static let center = Position(x: .init(fraction: 0.5), y: .init(fraction: 0.5))
    }
    public var shape: Shape
    public var stops: [GradientStop]
    public var isRepeating: Bool

    public init(shape: Shape, stops: [GradientStop], isRepeating: Bool = false) {
        self.shape = shape
        self.stops = stops
        self.isRepeating = isRepeating
    }
}

public enum ImageSource: Hashable, Sendable {
    case url(String)
    case gradient(Gradient)
}

public enum BackgroundSize: Hashable, Sendable {
    case cover, contain
    /// nil is `auto`.
    case size(LengthPercentage?, LengthPercentage?)
}
public enum BackgroundRepeat: UInt8, Hashable, Sendable { case `repeat`, noRepeat, space, round }
public enum BackgroundBox: UInt8, Hashable, Sendable { case borderBox, paddingBox, contentBox, text }

/// One layer of `background`; the first one paints on top.
public struct BackgroundLayer: Hashable, Sendable {
    public var image: ImageSource
    public var position = Gradient.Position(x: .zero, y: .zero)
    public var size = BackgroundSize.size(nil, nil)
    public var repeatX = BackgroundRepeat.repeat
    public var repeatY = BackgroundRepeat.repeat
    public var origin = BackgroundBox.paddingBox
    public var clip = BackgroundBox.borderBox

    public init(image: ImageSource) { self.image = image }
}

// MARK: Lists, generated content

/// `list-style-type` / the style of `counter()`: a keyword of CSS Counter Styles 3, or a string.
public enum CounterStyle: Hashable, Sendable {
    case none
    /// A predefined style by its CSS name: `disc`, `decimal`, `lower-roman` …
    case named(String)
    case string(String)
}

public enum ContentPart: Hashable, Sendable {
    case string(String)
    case attribute(String)
    case counter(name: String, style: CounterStyle)
    case counters(name: String, separator: String, style: CounterStyle)
    case openQuote, closeQuote, noOpenQuote, noCloseQuote
    case image(ImageSource)
}

public struct CounterChange: Hashable, Sendable {
    public var name: String
    public var value: Int
    public init(name: String, value: Int) {
        self.name = name
        self.value = value
    }
}
