// The attributes that an attributed string can have, each of them set or not. They become CSS declarations in the cascade.

import FancyTextCSS

/// A sparse set of text attributes. Lengths are CSS pixels.
///
/// A field that is nil leaves its attribute to the style around it:
///
/// ```swift
/// var warning = MarkupStyle(foregroundColor: Color(red: 200, green: 0, blue: 0))
/// warning.font.weight = 700
/// warning.underlineStyle = .wavy
/// ```
public struct MarkupStyle: Hashable, Sendable {
    /// `font-family`, `font-size` and the rest of the `font-*` family.
    public var font: Font
    /// `color`.
    public var foregroundColor: Color?
    /// `background-color`.
    public var backgroundColor: Color?
    /// `font-variant-ligatures`: 0 none, 1 the font's standard ones, 2 all.
    public var ligature: Int?
    /// `letter-spacing` in pixels.
    public var kern: Float?
    /// `letter-spacing` in thousandths of the font size; wins over ``kern``.
    public var tracking: Float?
    /// `word-spacing` in pixels.
    public var wordSpacing: Float?
    /// `text-decoration`: lines below, through and above the text; each has a style, a colour and a thickness of its own.
    public var underlineStyle, strikethroughStyle, overlineStyle: DecorationStyle?
    /// `text-decoration-color` of each line.
    public var underlineColor, strikethroughColor, overlineColor: Color?
    /// `text-decoration-thickness` of each line, in pixels.
    public var underlineThickness, strikethroughThickness, overlineThickness: Float?
    /// `text-underline-offset` in pixels.
    public var underlineOffset: Float?
    /// `-webkit-text-stroke`.
    public var strokeColor: Color?
    /// In pixels.
    public var strokeWidth: Float?
    /// `text-shadow`.
    public var shadow: [Shadow]?
    /// `-ft-link`: where the text leads.
    public var link: String?
    /// `vertical-align` in pixels, upwards.
    public var baselineOffset: Float?
    /// `-ft-obliqueness`: the tangent of an extra slant.
    public var obliqueness: Float?
    /// `-ft-expansion`: the natural logarithm of a horizontal stretch.
    public var expansion: Float?
    /// `direction`.
    public var writingDirection: TextDirection?
    /// `writing-mode: vertical-rl`: the text is a box with vertical lines.
    public var verticalGlyphForm: Bool?
    /// `text-transform`.
    public var textTransform: TextTransformCase?
    /// `content: url(…)`: an image in place of the text.
    public var attachment: String?
    /// The size of the attachment in pixels; nil is its own.
    public var attachmentWidth, attachmentHeight: Float?
    /// `-ft-text-effect`.
    public var textEffect: String?
    /// Attributes of the paragraph that contains the text.
    public var paragraphStyle: Paragraph

    /// Font attributes.
    public struct Font: Hashable, Sendable {
        /// `font-family`: for each character, the first available family that has it.
        public var family: [FontFamily]?
        /// In pixels.
        public var size: Float?
        /// 1–1000; 400 is regular, 700 bold.
        public var weight: Float?
        /// Italic or, where the family has none, oblique.
        public var italic: Bool?
        /// Per cent of the normal width.
        public var stretch: Float?
        /// `font-variant-caps`.
        public var caps: FontCaps?
        /// `font-feature-settings`.
        public var features: [FontFeature]?
        /// `font-variation-settings`.
        public var variations: [FontVariation]?
        /// `lang`: the language of the text (BCP 47), on which glyph variants, quotation marks and hyphenation depend.
        public var language: String?

        /// Attributes that are nil are left to the style around.
        public init(
            family: [FontFamily]? = nil, size: Float? = nil, weight: Float? = nil, italic: Bool? = nil,
            stretch: Float? = nil, caps: FontCaps? = nil, features: [FontFeature]? = nil,
            variations: [FontVariation]? = nil
        ) {
            (self.family, self.size, self.weight, self.italic) = (family, size, weight, italic)
            (self.stretch, self.caps) = (stretch, caps)
            (self.features, self.variations) = (features, variations)
        }

        /// Weights by their names (CSS Fonts 4 §2.2).
        public enum Weight: Float, Hashable, Sendable, CaseIterable {
            case thin = 100, ultraLight = 200, light = 300, regular = 400, medium = 500
            case semibold = 600, bold = 700, heavy = 800, black = 900
        }

        /// A font of a named weight.
        public init(family: [FontFamily]? = nil, size: Float? = nil, weight: Weight, italic: Bool? = nil) {
            self.init(family: family, size: size, weight: weight.rawValue, italic: italic)
        }
    }

    /// How lines that do not fit are broken or cut (`truncate-mode`, `white-space`, `line-break`).
    public enum LineBreakMode: String, Hashable, Sendable, CaseIterable {
        case byWordWrapping, byCharWrapping, byClipping, byTruncatingHead, byTruncatingTail, byTruncatingMiddle
    }

    /// The choice among several possible breaks of a line.
    public enum LineBreakStrategy: String, Hashable, Sendable, CaseIterable {
        /// No single word is left on the last line (`text-wrap-style: pretty`).
        case pushOut
        /// Korean words stay whole (`word-break: keep-all`).
        case hangulWordPriority
        /// Both.
        case standard
    }

    /// Attributes of whole paragraphs. They have an effect on block elements.
    public struct Paragraph: Hashable, Sendable {
        /// `text-align`.
        public var alignment: TextAlign?
        /// `line-height` in pixels.
        public var lineHeight: Float?
        /// `line-height` as a multiple of the font size.
        public var lineHeightMultiple: Float?
        /// `-ft-line-spacing`.
        public var lineSpacing: Float?
        /// `margin-bottom` and `margin-top`.
        public var paragraphSpacing: Float?
        /// `margin-top`.
        public var paragraphSpacingBefore: Float?
        /// `margin-left`; on the first line, `text-indent` is added.
        public var headIndent: Float?
        /// `margin-left` and `text-indent` together.
        public var firstLineHeadIndent: Float?
        /// `margin-right`.
        public var tailIndent: Float?
        /// `-ft-minimum-line-height`, `-ft-maximum-line-height`.
        public var minimumLineHeight, maximumLineHeight: Float?
        /// How lines that do not fit are broken or cut.
        public var lineBreakMode: LineBreakMode?
        /// `hyphens: auto`.
        public var hyphenation: Bool?
        /// Words are hyphenated in lines that are filled to less than this share without it (`hyphenate-limit-zone`): with 0
        /// none, with 1 all that do not fit. Wins over ``hyphenation``.
        public var hyphenationFactor: Float?
        /// `direction` of the whole paragraph.
        public var baseWritingDirection: TextDirection?
        /// `text-wrap-style`, `word-break`.
        public var lineBreakStrategy: LineBreakStrategy?
        /// A Boolean value that indicates whether letters may move together before text is cut off. The attribute is passed on,
        /// in JSON too; pictures and terminal text ignore it.
        public var allowsDefaultTighteningForTruncation: Bool?
        /// `-ft-tab-stops`.
        public var tabStops: [Float]?
        /// `tab-size` in pixels.
        public var defaultTabInterval: Float?
        /// `list-style-type`.
        public var listStyle: String?

        /// No attribute is set.
        public init() {}
    }

    /// A style of the attributes used most; others are set afterwards.
    public init(font: Font = Font(), foregroundColor: Color? = nil, backgroundColor: Color? = nil) {
        (self.font, paragraphStyle) = (font, Paragraph())
        (self.foregroundColor, self.backgroundColor) = (foregroundColor, backgroundColor)
    }

    /// Takes unset attributes from `parent`: the child wins, the parent fills.
    public mutating func fillIfNil(from parent: MarkupStyle) {
        var parent = parent
        // Two fields are one attribute: kern and tracking, hyphenation and its factor.
        if kern != nil || tracking != nil { (parent.kern, parent.tracking) = (nil, nil) }
        if paragraphStyle.hyphenation != nil || paragraphStyle.hyphenationFactor != nil {
            (parent.paragraphStyle.hyphenation, parent.paragraphStyle.hyphenationFactor) = (nil, nil)
        }
        for attribute in MarkupAttribute.all where !attribute.isSet(&self) { attribute.copy(&self, &parent) }
    }
}
