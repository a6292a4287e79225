// The typed values that computed styles are made of: colours, lengths, font descriptions, keywords.

/// An sRGB colour with straight (not premultiplied) alpha, 8 bits a channel.
public struct Color: Hashable, Sendable {
    /// 0 to 255, not premultiplied.
    public var red, green, blue, alpha: UInt8

    /// Channels from 0 to 255, not premultiplied.
    @inlinable public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    }

    /// True if dark text on the colour is easier to read than white text, by its approximate relative luminance (WCAG 2.2).
    package var isLight: Bool {
        func linear(_ value: UInt8) -> Float { Float(value) * Float(value) / (255 * 255) }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue) > 0.35
    }

    /// `#000000`.
    public static let black = Color(red: 0, green: 0, blue: 0)
    /// `#ffffff`.
    public static let white = Color(red: 255, green: 255, blue: 255)
    /// `#00000000`.
    public static let transparent = Color(red: 0, green: 0, blue: 0, alpha: 0)
}

/// A size property's computed value (CSS Sizing 3 §3): `width`, `min-height`, `flex-basis` …
package enum SizeValue: Hashable, Sendable {
    /// `auto`; for `max-*`, `none`.
    case auto
    case length(LengthPercentage)
    case minContent, maxContent
    case fitContent(LengthPercentage?)
    /// As wide or high as the container, margins included; as `auto` or `none` where that one's size is not known.
    case stretch
    /// `flex-basis: content`.
    case content

    /// The share of a table that a column requests; nil for a mix of percentages and lengths (CSS 2 §17.5.2.2).
    package var columnFraction: Float? {
        guard case .length(let length) = self, length.px == 0, !length.isBounded else { return nil }
        return length.fraction > 1e-9 ? length.fraction : nil
    }

    package var isByContents: Bool {
        switch self {
        case .minContent, .maxContent, .fitContent, .content: true
        case .auto, .length, .stretch: false
        }
    }

    /// A length in pixels that depends on no base; nil for all else.
    package var absolute: Float? { if case .length(let length) = self, !length.isRelative { length.px } else { nil } }

    package var isRelative: Bool {
        switch self {
        case .length(let length): length.isRelative
        case .stretch: true
        case .auto, .minContent, .maxContent, .fitContent, .content: false
        }
    }
}

/// One value for each physical side, clockwise from the top.
@frozen @usableFromInline
package struct Sides<Value: Equatable & Sendable>: Equatable, Sendable {
    @usableFromInline package var top, right, bottom, left: Value

    @inlinable package init(top: Value, right: Value, bottom: Value, left: Value) {
        (self.top, self.right, self.bottom, self.left) = (top, right, bottom, left)
    }

    @inlinable package init(_ value: Value) { self.init(top: value, right: value, bottom: value, left: value) }

    @inlinable package func map<Result>(_ change: (Value) -> Result) -> Sides<Result> {
        Sides<Result>(top: change(top), right: change(right), bottom: change(bottom), left: change(left))
    }

    /// Makes each side by its number, from the top on.
    @inlinable package init(clockwise make: (Int) -> Value) {
        self.init(top: make(0), right: make(1), bottom: make(2), left: make(3))
    }

    package var clockwise: [Value] { [top, right, bottom, left] }

    /// The sides by number, from the top on.
    @inlinable package subscript(clockwise side: Int) -> Value {
        get { side == 0 ? top : side == 1 ? right : side == 2 ? bottom : left }
        set {
            switch side {
            case 0: top = newValue
            case 1: right = newValue
            case 2: bottom = newValue
            default: left = newValue
            }
        }
    }
}

// MARK: Fonts

/// `font-family`'s generic names (CSS Fonts 4 §2.1.3).
public enum GenericFamily: UInt8, Hashable, Sendable, CaseIterable {
    case serif, sansSerif, monospace, cursive, fantasy, systemUI, emoji, math

    /// The families to try, the best first, before a choice of the system's.
    package var families: [String] {
        switch self {
        case .sansSerif, .systemUI: ["Inter"]
        case .monospace: ["DejaVu Sans Mono"]
        case .serif: ["Times New Roman"]
        case .cursive: ["Comic Sans MS"]
        case .fantasy: ["Impact"]
        case .emoji: ["Noto Color Emoji"]
        case .math: ["Latin Modern Math", "STIX Two Math"]
        }
    }
}

/// One name of `font-family`.
public enum FontFamily: Hashable, Sendable {
    case named(String)
    case generic(GenericFamily)

    /// The names for a library that knows no generic families of ours.
    package var names: [String] { if case .generic(let generic) = self { generic.families + [name] } else { [name] } }
}

package enum FontSlant: Hashable, Sendable {
    case normal, italic
    /// In degrees clockwise; CSS's `oblique` without an angle is 14.
    case oblique(Float)
}

/// `font-variant-caps` (CSS Fonts 4 §6.8).
public enum FontCaps: UInt8, Hashable, Sendable {
    case normal, smallCaps, allSmallCaps, petiteCaps, allPetiteCaps, unicase, titlingCaps
}

/// An OpenType tag and its value, for features (`"smcp" 1`) and variation axes (`"wght" 650`).
public struct FontSetting<Value> {
    /// Four ASCII bytes, the first in the highest byte.
    public var tag: UInt32
    /// The setting's value.
    public var value: Value

    /// A setting by its OpenType tag, four ASCII letters as one number.
    @inlinable public init(tag: UInt32, value: Value) { (self.tag, self.value) = (tag, value) }
}

extension FontSetting: Equatable where Value: Equatable {}
extension FontSetting: Hashable where Value: Hashable {}
extension FontSetting: Sendable where Value: Sendable {}

/// An OpenType feature and its value (CSS Fonts 4 §6.12).
public typealias FontFeature = FontSetting<UInt32>
/// A variation axis and its value (CSS Fonts 4 §7.2).
public typealias FontVariation = FontSetting<Float>

/// All values that select a font and control its shaping. Inherited; the shaper interns each distinct value.
@usableFromInline package struct FontStyle: Hashable, Sendable {
    package var families: [FontFamily] = []
    /// CSS pixels, ≥ 0.
    package var size: Float = 16
    /// 1–1000.
    package var weight: Float = 400
    /// Per cent of the normal width, 50–200.
    package var stretch: Float = 100
    package var slant: FontSlant = .normal
    package var caps: FontCaps = .normal
    /// `font-variant-*` turned into features, then `font-feature-settings` (later wins).
    package var features: [FontFeature] = []
    package var variations: [FontVariation] = []
    /// `font-kerning`: nil is `auto`.
    package var kerning: Bool? = nil
    /// `font-optical-sizing`. Other switches are in `features`; letter-spacing ≠ 0 switches common ligatures off in shaping.
    package var opticalSizing = true
    package var synthesizesWeight = true, synthesizesStyle = true, synthesizesSmallCaps = true
    /// `font-size-adjust` as an ex-height ratio; nil is `none`.
    package var sizeAdjust: Float? = nil
    /// `font-variant-emoji`: nil is `normal`, true `emoji`, false `text`.
    package var prefersEmoji: Bool? = nil
    package var punctuationTrim = PunctuationTrim.normal
    package var autospace: Autospace = []
    /// BCP 47, from `lang`; empty is unknown.
    package var language = ""

    /// The size of the emphasis marks above text in this font.
    package var emphasisSize: Float { size < 2 ? size / 2 : (size / 2).rounded() }

    /// Returns whether a language is one of `ranges`, which are in lower case, or begins with the subtags of one (RFC 4647 §3.3.1).
    package static func isLanguage(_ language: String, of ranges: [String]) -> Bool {
        let language = language.lowercased()
        return ranges.contains { language == $0 || language.hasPrefix($0 + "-") || language.hasPrefix($0 + "_") }
    }
}

/// `text-spacing-trim`: the blank halves that full-width punctuation loses.
package enum PunctuationTrim: UInt8, Hashable, Sendable {
    /// `space-all`.
    case none
    /// Next to other punctuation.
    case normal
    /// Also at the start of lines: of all, or of those that follow another line of the paragraph.
    case start, startExceptFirst
}

/// `text-autospace`: the characters between which and ideographs there is spacing.
package struct Autospace: OptionSet, Hashable, Sendable {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let letters = Autospace(rawValue: 1)
    package static let numbers = Autospace(rawValue: 2)
}

// MARK: Keywords

/// `direction` (CSS Writing Modes 4 §2.1).
public enum TextDirection: UInt8, Hashable, Sendable { case ltr, rtl }
package enum UnicodeBidi: String, Sendable {
    case normal, embed, isolate, plaintext, bidiOverride = "bidi-override", isolateOverride = "isolate-override"
}
/// `text-align` (CSS Text 3 §6.1).
public enum TextAlign: UInt8, Hashable, Sendable { case start, end, left, right, center, justify, matchParent }
package enum TextAlignLast: String, Sendable { case auto, start, end, left, right, center, justify }
/// `text-transform` (CSS Text 3 §2.1).
public enum TextTransformCase: UInt8, Hashable, Sendable, BitwiseCopyable {
    case none, uppercase, lowercase, capitalize, mathAuto
}
package enum WhiteSpaceCollapse: String, Sendable {
    case collapse, preserve, preserveBreaks = "preserve-breaks", breakSpaces = "break-spaces"
    case preserveSpaces = "preserve-spaces"
}
package enum WordBreak: String, Sendable {
    case normal, breakAll = "break-all", keepAll = "keep-all", breakWord = "break-word", autoPhrase = "auto-phrase"
}
package enum LineBreakStrictness: String, Sendable { case auto, loose, normal, strict, anywhere }
package enum OverflowWrap: String, Sendable { case normal, breakWord = "break-word", anywhere }
/// `text-justify`: the places where a justified line is expanded.
package enum TextJustify: String, Sendable {
    case auto, none, interWord = "inter-word", interCharacter = "inter-character"
}
package enum Hyphens: String, Sendable { case none, manual, auto }
package enum TextWrapStyle: String, Sendable { case auto, balance, pretty, stable }
package enum Visibility: String, Sendable { case visible, hidden, collapse }
package enum FloatSide: String, Sendable { case none, left, right, footnote }
package enum ClearSide: String, Sendable { case none, left, right, both }
package enum BorderLineStyle: String, Sendable {
    case none, hidden, dotted, dashed, solid, double, groove, ridge, inset, outset

    package var isDrawn: Bool { self != .none && self != .hidden }
}
package enum Overflow: String, Sendable {
    case visible, hidden, clip, scroll, auto

    /// Does not make the box a scroll container (CSS Overflow 3 §3.1).
    package var leavesContents: Bool { self == .visible || self == .clip }
}
package enum ObjectFit: String, Sendable { case fill, contain, cover, none, scaleDown = "scale-down" }
/// `text-decoration-style` (CSS Text Decoration 3 §2.2).
public enum DecorationStyle: UInt8, Hashable, Sendable { case solid, double, dotted, dashed, wavy }
package enum CaptionSide: String, Sendable { case top, bottom }

/// `display`, as box generation needs it (CSS Display 3 §2).
package enum Display: String, Sendable, BitwiseCopyable {
    case none, contents, block, inline, flex, grid, table, ruby, flowRoot = "flow-root", inlineBlock = "inline-block"
    case listItem = "list-item", inlineFlex = "inline-flex", inlineGrid = "inline-grid", inlineTable = "inline-table"
    case tableRow = "table-row", tableCell = "table-cell", tableColumn = "table-column"
    case tableRowGroup = "table-row-group", tableHeaderGroup = "table-header-group"
    case tableFooterGroup = "table-footer-group", tableColumnGroup = "table-column-group"
    case tableCaption = "table-caption", rubyText = "ruby-text", rubyBase = "ruby-base"
    /// `-webkit-box` with vertical orient: a block whose lines `-webkit-line-clamp` counts.
    case webkitBox = "-webkit-box"

    /// The part that a box plays in the layout of its container.
    package enum Level: UInt8, Sendable {
        case none, contents
        /// Its contents are in the container's lines.
        case inline
        /// It is in a line as a whole.
        case atomicInline
        case block, tablePart
    }

    package var level: Level {
        switch self {
        case .none: .none
        case .contents: .contents
        case .inline, .ruby, .rubyText, .rubyBase: .inline
        case .inlineBlock, .inlineFlex, .inlineGrid, .inlineTable: .atomicInline
        case .block, .flowRoot, .listItem, .flex, .grid, .table, .webkitBox: .block
        case .tableRowGroup, .tableHeaderGroup, .tableFooterGroup, .tableRow, .tableCell, .tableColumn,
            .tableColumnGroup, .tableCaption:
            .tablePart
        }
    }

    /// A part of a table or of ruby that has no formatting context of its own.
    var isInnerPart: Bool {
        switch level {
        case .tablePart: self != .tableCell && self != .tableCaption
        case .inline: self == .rubyText || self == .rubyBase
        case .none, .contents, .atomicInline, .block: false
        }
    }
}

package enum VerticalAlign: Hashable, Sendable {
    case baseline, sub, `super`, top, middle, bottom, textTop, textBottom
    /// Raises by a length; per cents are of the line height.
    case length(LengthPercentage)
}

package enum LineHeight: Hashable, Sendable {
    case normal
    /// A multiple of the element's own font size.
    case number(Float)
    /// CSS pixels.
    case length(Float)

    /// The height in pixels. `normal` is estimated, since it depends on the font file.
    package func pixels<Size: BinaryFloatingPoint>(_ fontSize: Size) -> Size {
        switch self {
        case .normal: fontSize * 1.2
        case .number(let number): fontSize * Size(number)
        case .length(let length): Size(length)
        }
    }
}

/// `tab-size`: spaces or CSS pixels.
package enum TabSize: Hashable, Sendable {
    case spaces(Float)
    case length(Float)
}

package enum DecorationThickness: Hashable, Sendable {
    case auto, fromFont
    case length(LengthPercentage)
}

/// A `text-decoration` as its originating box declared it; all text inside that box paints it (CSS Text Decoration 4 §2.1).
package struct TextDecoration: Hashable, Sendable {
    package struct Lines: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        package static let underline = Lines(rawValue: 1)
        package static let overline = Lines(rawValue: 2)
        package static let lineThrough = Lines(rawValue: 4)
    }
    package var lines: Lines
    package var style: DecorationStyle = .solid
    package var color: Color
    package var thickness: DecorationThickness = .auto
    package var fontSize: Float
}

/// `text-shadow` and `box-shadow`. CSS pixels; blur is CSS's blur radius (twice the Gaussian's sigma).
public struct Shadow: Hashable, Sendable {
    /// CSS pixels; the blur is twice the standard deviation (CSS Backgrounds 3 §6.1).
    public var x, y, blur, spread: Float
    /// The colour of the shadow itself.
    public var color: Color
    /// A Boolean value that indicates whether the shadow is inside the box instead of outside; text has no such shadows.
    public var inset: Bool

    /// Creates a shadow; omitted lengths are 0.
    public init(x: Float, y: Float, blur: Float, spread: Float = 0, color: Color, inset: Bool = false) {
        (self.x, self.y, self.blur, self.spread) = (x, y, blur, spread)
        (self.color, self.inset) = (color, inset)
    }
}

// MARK: Images and gradients

/// A colour at a place of a gradient (CSS Images 4 §3.5).
public struct GradientStop: Hashable, Sendable {
    /// The colour at the place.
    public var color: Color
    /// The position of the stop; `nil` is evenly spaced between its neighbours (CSS Images 4 §3.4.3).
    public var position: LengthPercentage?
    /// A Boolean value that indicates whether this is a colour hint rather than a stop; a hint only has a position.
    public var isHint = false
    /// The colour outside of sRGB that mixes with those of the neighbours (CSS Color 4 §12.1); nil for one inside of it.
    package var wide: ColorValue?

    /// Creates a stop; without a position it is midway between its neighbours.
    public init(color: Color, position: LengthPercentage?, isHint: Bool = false) {
        (self.color, self.position, self.isHint) = (color, position, isHint)
    }
}

/// A gradient (CSS Images 4 §3).
public struct Gradient: Hashable, Sendable {
    /// The direction in which the colours change.
    public enum Shape: Hashable, Sendable {
        /// Degrees, 0 is to the top, 90 to the right.
        case linear(angle: Float)
        /// To a side or corner: −1, 0, 1 each way (`to bottom right` is 1, 1).
        case linearTo(x: Int8, y: Int8)
        /// From a centre outwards, as a circle or an ellipse.
        case radial(circle: Bool, extent: RadialExtent, center: Position)
        /// Around a centre, from an angle in degrees.
        case conic(from: Float, center: Position)
    }
    /// How far a radial gradient reaches (CSS Images 4 §3.2.1).
    public enum RadialExtent: Hashable, Sendable {
        case closestSide, farthestSide, closestCorner, farthestCorner
        case size(LengthPercentage, LengthPercentage)
    }
    /// A position in the box: percentages of the remaining space, or lengths.
    public struct Position: Hashable, Sendable {
        /// The distances from the left and from the top.
        public var x, y: LengthPercentage
        /// Creates a position.
        public init(x: LengthPercentage, y: LengthPercentage) { (self.x, self.y) = (x, y) }
        /// The middle.
        public static let center = Position(x: .init(fraction: 0.5), y: .init(fraction: 0.5))
    }
    /// The direction in which the colours change.
    public var shape: Shape
    /// The stops in order.
    public var stops: [GradientStop]
    /// A Boolean value that indicates whether the stops repeat.
    public var isRepeating: Bool
    /// The interpolation between stops; `nil` is sRGB, as for legacy colours.
    package var interpolation: ColorInterpolation?

    /// A gradient of stops in order.
    public init(shape: Shape, stops: [GradientStop], isRepeating: Bool = false) {
        (self.shape, self.stops, self.isRepeating) = (shape, stops, isRepeating)
    }
}

/// A colour with unrounded components in its own space.
package struct ColorValue: Hashable, Sendable {
    var space: ColorSpace
    /// RGB spaces 0–1; hsl and hwb in degrees and 0–100; lab, lch 0–100 and ±125, 0–150; oklab, oklch 0–1 and ±0.4, 0–0.4.
    var components: SIMD3<Double>
    var alpha: Double = 1
    /// Bits 0–2: a component was `none`; bit 3: alpha was.
    var missing: UInt8 = 0

    init(_ space: ColorSpace, _ components: SIMD3<Double>, alpha: Double = 1, missing: UInt8 = 0) {
        (self.space, self.components, self.alpha, self.missing) = (space, components, alpha, missing)
    }

    package init(_ color: Color) {
        self.init(
            .srgb, SIMD3(Double(color.red), Double(color.green), Double(color.blue)) / 255,
            alpha: Double(color.alpha) / 255)
    }
}

/// The spaces of CSS Color 4 §7–10.
enum ColorSpace: String {
    case srgb, rec2020, lab, lch, oklab, oklch, hsl, hwb, srgbLinear = "srgb-linear", displayP3 = "display-p3"
    case displayP3Linear = "display-p3-linear", a98 = "a98-rgb", prophoto = "prophoto-rgb", xyzD50 = "xyz-d50"
    case xyzD65 = "xyz-d65"

    var hasFunction: Bool { [.lab, .lch, .oklab, .oklch, .hsl, .hwb].contains(self) }

    /// Index of the hue component, for cylindrical spaces.
    var hueIndex: Int? { self == .hsl || self == .hwb ? 0 : self == .lch || self == .oklch ? 2 : nil }
}

package struct ColorInterpolation: Hashable, Sendable {
    enum HueMethod: String { case shorter, longer, increasing, decreasing }

    var space = ColorSpace.oklab
    var hue = HueMethod.shorter
}

package enum ImageSource: Hashable, Sendable {
    case url(String)
    case gradient(Gradient)
}

/// A picture of several that show the same in different sizes (HTML §4.8.4, CSS Images 4 §2.4).
package struct ImageCandidate<Image> {
    package var image: Image
    /// Pixels of the picture for each CSS pixel.
    package var density: Double = 1

    package init(image: Image, density: Double = 1) { (self.image, self.density) = (image, density) }

    /// The candidate with the lowest density that is not below that of the medium, else the one with the highest; nil for none.
    package static func best(of candidates: [Self], for medium: Double) -> Self? {
        let sufficient = candidates.filter { $0.density >= medium }.min { $0.density < $1.density }
        return sufficient ?? candidates.max { $0.density < $1.density }
    }
}

/// The media types of the pictures that are drawn.
package enum ImageType {
    static let drawn: Set = [
        "image/png", "image/apng", "image/jpeg", "image/jpg", "image/gif", "image/webp", "image/avif",
        "image/svg+xml",
    ]

    package static func isDrawn(_ type: String) -> Bool {
        drawn.contains(String(type.prefix { $0 != ";" }.filter { !$0.isWhitespace }).asciiLowercased())
    }
}

package enum BackgroundSize: Hashable, Sendable {
    case cover, contain
    /// nil is `auto`.
    case size(LengthPercentage?, LengthPercentage?)
}
/// The positioning area of a background: a box, the canvas, or the contents of a scroll container.
package enum BackgroundAttachment: String, Sendable { case scroll, fixed, local }
package enum BackgroundRepeat: String, Sendable { case `repeat`, noRepeat = "no-repeat", space, round }
package struct LayerRepeats: Hashable, Sendable {
    package var x = BackgroundRepeat.repeat, y = BackgroundRepeat.repeat
}
package enum BackgroundBox: String, Sendable {
    case borderBox = "border-box", paddingBox = "padding-box", contentBox = "content-box", text
}

package struct CornerRadius: Hashable, Sendable {
    package var x, y: LengthPercentage
    /// The parameter of the superellipse of the corner (CSS Borders 4 §3): 1 is round, 0 bevelled, a negative one hollow.
    package var curvature: Float = 1

    package init(x: LengthPercentage = .zero, y: LengthPercentage = .zero) { (self.x, self.y) = (x, y) }
}

/// One layer of `background`; the first one paints on top.
package struct BackgroundLayer: Hashable, Sendable {
    package var image: ImageSource
    package var position = Gradient.Position(x: .zero, y: .zero)
    package var size = BackgroundSize.size(nil, nil)
    package var repeats = LayerRepeats()
    package var origin = BackgroundBox.paddingBox
    package var clip = BackgroundBox.borderBox
    package var blendMode = BlendMode.normal
    package var attachment = BackgroundAttachment.scroll

    package init(image: ImageSource) { self.image = image }
}

// MARK: The edges of lines (CSS Inline 3 §4–6)

/// `text-box-edge`: the metrics to which `text-box-trim` trims a line.
package struct TextBoxEdge: Hashable, Sendable {
    package enum Over: String, Sendable { case text, cap, ex }

    package var over = Over.text
    /// True for `alphabetic`.
    package var isUnderBaseline = false
}

/// `text-box-trim` and `initial-letter`.
package struct LineEdgeStyle: RareGroup {
    package var trimsStart = false, trimsEnd = false
    /// `margin-trim`: whether the margins of the first and of the last block collapse away.
    package var trimsTopMargin = false, trimsBottomMargin = false
    package var initialLetter: InitialLetter?

    package init() {}
}

package struct InitialLetter: Hashable, Sendable {
    /// The height of the letter in lines.
    package var size: Float
    /// The number of lines that are beside it.
    package var sink: Int
}

// MARK: Lists, generated content

/// `list-style-type` / the style of `counter()`: a keyword of CSS Counter Styles 3, or a string.
package enum CounterStyle: Hashable, Sendable {
    case none
    /// A predefined style by its CSS name: `disc`, `decimal`, `lower-roman` …
    case named(String)
    case string(String)

    /// The value in the attributes of a paragraph, where strings are like names.
    package var name: String {
        switch self {
        case .none: "none"
        case .named(let name), .string(let name): name
        }
    }
}

package enum ContentPart: Hashable, Sendable {
    case string(String)
    case attribute(String, fallback: String)
    /// The innermost counter, or with a separator all of them.
    case counter(name: String, separator: String?, style: CounterStyle)
    case openQuote, closeQuote, noOpenQuote, noCloseQuote
    case image(ImageSource)
    /// `content()`: the text of the element.
    case elementText
    /// `string()`, in the margins of pages.
    case named(String, StringChoice)
    case target(LinkTarget, TargetValue)
}

/// The element that content refers to: the fragment of a URL.
package enum LinkTarget: Hashable, Sendable {
    case url(String)
    case attribute(String)
}

/// A value at another element (CSS Generated Content 3 §2.6).
package enum TargetValue: Hashable, Sendable {
    /// As ``ContentPart/counter(name:separator:style:)``.
    case counter(name: String, separator: String?, style: CounterStyle)
    /// The text, or its first letter.
    case text(isLetter: Bool)
}

/// `bookmark-level`, `bookmark-label`, `bookmark-state` (CSS Generated Content for Paged Media §2).
package struct BookmarkStyle: RareGroup {
    /// 0 is `none`; `nil` is the level of a heading.
    package var level: Int?
    /// `nil` is the text of the element.
    package var label: [ContentPart]?
    package var isClosed = false

    package init() {}
}

package struct CounterChange: Hashable, Sendable {
    package var name: String
    package var value: Int
}
