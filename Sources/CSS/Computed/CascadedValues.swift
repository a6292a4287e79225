// The values of one element while its style is computed: also the parts of combined ones, such as features and backgrounds.

/// The origin of a font size. Sizes that come from keywords change in generic monospace, for which browsers have another default.
package enum FontSizeOrigin: Equatable, Sendable {
    /// 1–8 for `xx-small`…`xxx-large`.
    case keyword(Int)
    /// A share of a size that in the end came from a keyword.
    case relative
    /// A length: its value, and shares of it, are the same in every family.
    case absolute

    /// The origin of a size that is a share of this one.
    var scaled: FontSizeOrigin { self == .absolute ? .absolute : .relative }
}

/// Inherited values that the public style only holds in combined form.
package struct InheritedCascadeState: Equatable, Sendable {
    var ligatures: [FontFeature] = []
    var numeric: [FontFeature] = []
    var eastAsian: [FontFeature] = []
    var alternates: [FontAlternate] = []
    var position: [FontFeature] = []
    var featureSettings: [FontFeature] = []
    package var sizeOrigin = FontSizeOrigin.keyword(4)
    /// The number of times that the weight was `bolder` (or `lighter`, if negative) since it was given as a number.
    var weightSteps = 0
    /// True if the family list is `monospace` alone, for which browsers default to 13 pixels.
    package var isMonospace = false
    /// True for each shadow of `text-shadow` without a colour: it uses each element's own.
    var shadowsInCurrentColor: [Bool] = []
    /// `<center>` and `align`: blocks inside that do not fill the width are aligned like text (HTML §15.3.3).
    var blockAlignment: TextAlign? = nil
    /// `color-scheme`: true if system colours are the dark ones.
    package var prefersDark: Bool? = nil
    package var customProperties = CustomProperties.none
    /// The product of the `zoom` of the element and its ancestors.
    package var zoom: Float = 1
    var missing: [MissingFeature] = []

    func features(of families: [FontFamily], _ values: FontFeatureValues) -> [FontFeature] {
        // Few styles have any of these.
        if ligatures.isEmpty, numeric.isEmpty, eastAsian.isEmpty, alternates.isEmpty, position.isEmpty {
            return featureSettings
        }
        let named = alternates.flatMap { $0.features(of: families, values) }
        return ligatures + numeric + eastAsian + named + position + featureSettings
    }
}

/// A decoration; its colour is `nil` for `currentcolor`.
struct OwnDecoration: Equatable, Sendable {
    var lines: TextDecoration.Lines
    var style = DecorationStyle.solid
    var color: Color?
    var thickness = DecorationThickness.auto
}

/// Values of the element alone that the public style only holds in combined form.
package struct OwnCascadeState: Equatable, Sendable {
    var decoration = OwnDecoration(lines: [])
    var decorations: [OwnDecoration] = []
    /// `nil` is `currentcolor`, here and below.
    var borderColor = Sides<Color?>(nil)
    /// Computed as if the style were visible; `medium` is 3 pixels.
    package var borderWidth = Sides<Float>(3)
    var outlineColor: Color? = nil
    package var outlineWidth: Float = 3
    var radii = [CornerRadius](repeating: CornerRadius(), count: 4)
    var curvatures = SIMD4<Float>(repeating: 1)
    var boxShadowsInCurrentColor: [Bool] = []
    var images: [ImageSource?] = [nil]
    var positionX: [LengthPercentage] = [.zero], positionY: [LengthPercentage] = [.zero]
    var sizes: [BackgroundSize] = [.size(nil, nil)]
    var repeats = [LayerRepeats()]
    var origins: [BackgroundBox] = [.paddingBox]
    var clips: [BackgroundBox] = [.borderBox]
    var blendModes: [BlendMode] = [.normal]
    var attachments: [BackgroundAttachment] = [.scroll]
    var backgroundIsCurrentColor = false
    var webkitBoxOrientIsVertical = false
    var isLegacyBox = false
    /// `-ft-segment-min-width`: makes an inline box an inline block at least so wide.
    var segmentMinWidth: LengthPercentage? = nil
    var hasNormalRowGap = true, hasNormalColumnGap = true
    /// `-webkit-line-clamp`, which counts in a `-webkit-box` only.
    var webkitLineClamp = 0
    @Rare package var animation: AnimationStyle
    /// Properties of the elements of an inline `svg`, as text.
    package var picture: [String: String] = [:]
    var missing: [MissingFeature] = []
}

/// The custom properties of an element; shared by all descendants that set none.
package final class CustomProperties: Equatable, Sendable {
    /// By name, without the dashes.
    package let values: [String: CustomValue]

    package static let none = CustomProperties([:])

    package init(_ values: [String: CustomValue]) { self.values = values }

    package static func == (a: CustomProperties, b: CustomProperties) -> Bool { a === b || a.values == b.values }
}

/// The tokens of a custom property, with references resolved.
package struct CustomValue: Equatable, Sendable {
    package var source: CSSSource
    package var range: Range<Int>

    package init(source: CSSSource, range: Range<Int>) { (self.source, self.range) = (source, range) }

    package static func == (a: CustomValue, b: CustomValue) -> Bool {
        (a.source === b.source && a.range == b.range) || a.source.text(a.range) == b.source.text(b.range)
    }

    /// Returns whether a text has the same tokens, whatever space and comments are around them.
    package func hasTokens(of text: CSSSource) -> Bool {
        func texts(_ source: CSSSource, _ tokens: some Sequence<CSSToken>) -> [ArraySlice<UInt8>] {
            tokens.filter { $0.kind != .whitespace }.map { source.bytes[Int($0.start)..<Int($0.end)] }
        }
        return texts(text, text.tokens) == texts(source, source.tokens[range])
    }
}

/// Everything about one element's style. Groups of values are shared until they change.
package struct StyleValues {
    package private(set) var groups: StyleGroups

    package var font: FontStyle {
        @inline(__always) _read { yield groups.font.value }
        @inline(__always) _modify { yield &groups.font.value }
    }
    package var text: TextStyle {
        @inline(__always) _read { yield groups.text.value }
        @inline(__always) _modify { yield &groups.text.value }
    }
    package var box: BoxStyle {
        @inline(__always) _read { yield groups.box.value }
        @inline(__always) _modify { yield &groups.box.value }
    }
    package var inherited: InheritedCascadeState {
        @inline(__always) _read { yield groups.inherited.value }
        @inline(__always) _modify { yield &groups.inherited.value }
    }
    package var own: OwnCascadeState {
        @inline(__always) _read { yield groups.own.value }
        @inline(__always) _modify { yield &groups.own.value }
    }

    init() { groups = StyleGroups() }

    /// The start of a child's style: inherited values from the parent, the rest initial.
    package init(inheritingFrom parent: ComputedStyle) {
        groups = parent.groups
        (groups.box, groups.own) = (Self.initial.groups.box, Self.initial.groups.own)
    }

    package init(_ style: ComputedStyle) { groups = style.groups }

    /// Enlarges the element with the lengths that it inherits.
    mutating func zoom(by factor: Float) {
        let product = min(1000, max(0.001, inherited.zoom * factor))
        let factor = product / inherited.zoom
        inherited.zoom = product
        font.size *= factor
        text.letterSpacing *= factor
        text.wordSpacing *= factor
        if case .length(let height) = text.lineHeight { text.lineHeight = .length(height * factor) }
        text.indent.px *= factor
        text.borderSpacingX *= factor
        text.borderSpacingY *= factor
        text.strokeWidth *= factor
        for index in text.shadows.indices {
            text.shadows[index].x *= factor
            text.shadows[index].y *= factor
            text.shadows[index].blur *= factor
        }
    }

    package static let initial = StyleValues()

    // Fields are written only if they change: a write copies shared storage.

    /// Combines the inherited parts into the fields that later stages read.
    package mutating func finishInherited(parent: ComputedStyle, _ featureValues: FontFeatureValues) {
        if text.direction != text.usedDirection { text.direction = text.usedDirection }
        if !groups.inherited.isShared(with: parent.groups.inherited) || !inherited.alternates.isEmpty {
            let features = inherited.features(of: font.families, featureValues)
            if font.features != features { font.features = features }
        }
        if text.shadows.isEmpty { return }
        for (index, isCurrent) in zip(text.shadows.indices, inherited.shadowsInCurrentColor) where isCurrent {
            text.shadows[index].color = text.color
        }
    }

    /// Combines the other parts. `parent` provides the decorations that run through this box.
    package mutating func finishOwn(parent: ComputedStyle) {
        let current = text.color
        for (index, isCurrent) in zip(box.boxShadows.indices, own.boxShadowsInCurrentColor) where isCurrent {
            box.boxShadows[index].color = current
        }
        finishBorders(current)
        if !groups.own.isShared(with: Self.initial.groups.own) { finishBackground(current) }
        finishDisplay(parent)
        finishOverflow()
        if box.makesColumns {
            if own.hasNormalRowGap { box.rowGap = LengthPercentage(px: font.size) }
            if own.hasNormalColumnGap { box.columnGap = LengthPercentage(px: font.size) }
        }
        if !box.$grid, box.grid.columns.isSubgrid || box.grid.rows.isSubgrid {
            (box.grid.takesRowGap, box.grid.takesColumnGap) = (own.hasNormalRowGap, own.hasNormalColumnGap)
        }
        finishDecorations(current, parent)
        align(parent.inherited.blockAlignment)
    }

    /// Aligns a block by automatic margins, unless it fills the width or has margins of its own.
    private mutating func align(_ alignment: TextAlign?) {
        guard let alignment, box.display.level == .block, box.display == .table || box.width != .auto,
            box.float == .none, box.margin.left == .zero, box.margin.right == .zero
        else { return }
        if alignment != .left { box.margin.left = nil }
        if alignment != .right { box.margin.right = nil }
    }

    private mutating func finishBorders(_ current: Color) {
        if (0..<4).contains(where: { box.border[clockwise: $0].style.isDrawn }) { finishSides(current) }
        if box.outlineStyle != .none {
            box.outlineWidth = own.outlineWidth
            box.outlineColor = own.outlineColor ?? current
        }
        if own.radii.contains(where: { !($0.x.isZero || $0.y.isZero) }) {
            box.cornerRadii = own.radii
            for corner in box.cornerRadii.indices { box.cornerRadii[corner].curvature = own.curvatures[corner] }
        }
    }

    private mutating func finishSides(_ current: Color) {
        // Borders with a shaded style and no given colour are grey, as in browsers, except on tables and their parts.
        let isOfTable = box.display == .table || box.display == .inlineTable || box.display.level == .tablePart
        let shaded = isOfTable ? current : Color(red: 238, green: 238, blue: 238)
        for index in 0..<4 {
            var side = box.border[clockwise: index]
            let standard =
                switch side.style {
                case .inset, .outset, .groove, .ridge: shaded
                case .none, .hidden, .dotted, .dashed, .solid, .double: current
                }
            side.width = side.style.isDrawn ? own.borderWidth[clockwise: index] : 0
            side.color = own.borderColor[clockwise: index] ?? standard
            box.border[clockwise: index] = side
        }
    }

    private mutating func finishBackground(_ current: Color) {
        if own.backgroundIsCurrentColor { box.backgroundColor = current }
        let clip = own.clips[cycling: own.images.count - 1]
        if box.backgroundClip != clip { box.backgroundClip = clip }
        for (index, image) in own.images.enumerated() {
            guard let image else { continue }
            var layer = BackgroundLayer(image: image)
            layer.position = Gradient.Position(x: own.positionX[cycling: index], y: own.positionY[cycling: index])
            layer.size = own.sizes[cycling: index]
            layer.repeats = own.repeats[cycling: index]
            layer.origin = own.origins[cycling: index]
            layer.clip = own.clips[cycling: index]
            layer.blendMode = own.blendModes[cycling: index]
            layer.attachment = own.attachments[cycling: index]
            box.backgroundLayers.append(layer)
        }
    }

    /// Floats and out-of-flow boxes are block-level (CSS Display 3 §2.7). Only a vertical `-webkit-box` is kept.
    private mutating func finishDisplay(_ parent: ComputedStyle) {
        if text.writingMode != parent.text.writingMode { finishFlow(parent) }
        if box.display == .webkitBox, own.isLegacyBox, !own.webkitBoxOrientIsVertical { box.display = .flex }
        if box.display == .webkitBox, own.webkitLineClamp > 0 { box.lineClamp = own.webkitLineClamp }
        // Form controls are atomic in a line.
        if box.isNative, box.display == .inline { box.display = .inlineBlock }
        // An element without a box neither floats nor has a position.
        if box.display == .contents { (box.float, box.position) = (.none, .static) }
        if let width = own.segmentMinWidth {
            box.minWidth = .length(width)
            if box.display == .inline { box.display = .inlineBlock }
        }
        if box.position.isOutOfFlow {
            box.float = .none
            let level = box.display.level
            box.hasInlineStaticPosition = level == .inline || level == .atomicInline
        }
        guard box.float != .none || box.position.isOutOfFlow else { return }
        switch box.display.level {
        case .none, .contents, .block: break
        case .atomicInline where box.display != .inlineBlock:
            box.display = box.display == .inlineFlex ? .flex : box.display == .inlineGrid ? .grid : .table
        case .inline, .atomicInline, .tablePart: box.display = box.marksItem ? .listItem : .block
        }
    }

    /// A box with another writing mode than its container is independent; parts of tables are not (CSS Writing Modes 4 §3.2).
    private mutating func finishFlow(_ parent: ComputedStyle) {
        if box.display.isInnerPart { text.writingMode = parent.text.writingMode }
        if box.display == .inline { box.display = .inlineBlock }
        if box.display == .listItem { box.marksItem = true }
        if box.display == .block || box.display == .listItem { box.display = .flowRoot }
    }

    /// Makes the other axis scrollable too if a box scrolls or hides in one direction (CSS Overflow 3 §3.1).
    private mutating func finishOverflow() {
        func other(_ overflow: Overflow) -> Overflow {
            switch overflow {
            case .visible: .auto
            case .clip: .hidden
            case .hidden, .scroll, .auto: overflow
            }
        }
        let (x, y) = (box.overflowX, box.overflowY)
        if !x.leavesContents { box.overflowY = other(y) }
        if !y.leavesContents { box.overflowX = other(x) }
    }

    /// The maximum number of decorations on one text, which prevents time quadratic in the number of nested underlined elements.
    private static let mostDecorations = 8

    /// Adds decorations to the parent's, which do not run into atomic inlines and floats (CSS Text Decoration 4 §2.1).
    private mutating func finishDecorations(_ current: Color, _ parent: ComputedStyle) {
        let stops = box.display.level == .atomicInline || box.float != .none || box.position.isOutOfFlow
        if !stops, !parent.box.decorations.isEmpty { box.decorations = parent.box.decorations }
        // An element without a box decorates nothing (CSS Text Decoration 3 §2.1).
        if box.display == .contents || own.decoration.lines.isEmpty && own.decorations.isEmpty { return }
        for decoration in [own.decoration] + own.decorations
        where !decoration.lines.isEmpty && box.decorations.count < Self.mostDecorations {
            box.decorations.append(
                TextDecoration(
                    lines: decoration.lines, style: decoration.style,
                    color: decoration.color ?? text.fillColor ?? current, thickness: decoration.thickness,
                    fontSize: font.size))
        }
    }
}
