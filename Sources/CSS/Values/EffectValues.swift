// Values of graphical effects: filters, blending, clipping and masking (Filter Effects 1, Compositing 1, CSS Masking 1).

import FancyTextBasics

/// How colours blend with the backdrop (Compositing 1 §5–6).
package enum BlendMode: String, CaseIterable, Sendable {
    case normal, multiply, screen, overlay, darken, lighten, colorDodge = "color-dodge", colorBurn = "color-burn"
    case hardLight = "hard-light", softLight = "soft-light", difference, exclusion, hue, saturation, color, luminosity
    case plusLighter = "plus-lighter"
}

/// A function of `filter` (Filter Effects 1 §5).
package enum FilterFunction: Equatable, Sendable {
    /// Standard deviation in CSS pixels.
    case blur(Float)
    case brightness(Float)
    case contrast(Float)
    /// From 0, unchanged, to 1, here and in `invert`, `opacity` and `sepia`.
    case grayscale(Float)
    /// Degrees.
    case hueRotate(Float)
    case invert(Float)
    case opacity(Float)
    case saturate(Float)
    case sepia(Float)
    /// Its blur is the standard deviation, unlike that of other shadows. `isCurrentColor` is set if no colour was given.
    case dropShadow(Shadow, isCurrentColor: Bool)
    /// A transform that needs more than an affine map of the pixels. Painting adds it.
    indirect case projection(Projection)
    /// A `filter` element of the document, by its id. Box generation replaces it.
    case reference(String)
    indirect case element(FilterElement)
}

/// A `filter` element for boxes of CSS (Filter Effects 1 §8).
package struct FilterElement: Equatable, Sendable {
    /// The id of the element in ``svg``.
    package static let name = "filter-element"
    /// The element as SVG. Its lengths and the percentages of its region refer to a viewport, which is the box.
    package var svg: String
    /// The edges of the filter region, from the corner of the box.
    package var x, y, width, height: LengthPercentage
    /// True if the lengths of the primitives are shares of the box.
    package var hasBoxUnits: Bool
    /// The border box, which painting sets.
    package var box = Rect(x: 0, y: 0, width: 0, height: 0)

    package init(
        svg: String, x: LengthPercentage, y: LengthPercentage, width: LengthPercentage, height: LengthPercentage,
        hasBoxUnits: Bool
    ) {
        (self.svg, self.hasBoxUnits) = (svg, hasBoxUnits)
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    /// The filter region, outside of which the result is transparent.
    package var region: Rect {
        Rect(
            x: box.x + x.resolved(against: box.width), y: box.y + y.resolved(against: box.height),
            width: width.resolved(against: box.width), height: height.resolved(against: box.height))
    }
}

/// The box that a shape or a mask layer refers to (CSS Masking 1 §5.1). The view box is the border box outside of pictures.
package enum ReferenceBox: String, Sendable {
    case borderBox = "border-box", paddingBox = "padding-box", contentBox = "content-box", marginBox = "margin-box"
    case viewBox = "view-box"
}

/// `<basic-shape>` (CSS Shapes 1 §3).
package enum BasicShape: Equatable, Sendable {
    /// Distances from the sides; radii clockwise from the top left, or none.
    case inset(Sides<LengthPercentage>, radii: [CornerRadius])
    case circle(Gradient.RadialExtent, center: Gradient.Position)
    /// A length is a size of two equal lengths.
    case ellipse(Gradient.RadialExtent, Gradient.RadialExtent, center: Gradient.Position)
    case polygon([Gradient.Position], isEvenOdd: Bool)
    /// In CSS pixels from the reference box's corner.
    case path(Path, isEvenOdd: Bool)
    /// `shape()`, from its first point on (CSS Shapes 2 §2.1).
    case commands(from: Gradient.Position, [ShapeCommand], isEvenOdd: Bool)

    /// The outline in a reference box; nil for paths.
    package func outline(in area: Rect) -> ShapeOutline? {
        func distances(from center: Gradient.Position) -> (across: [Float], down: [Float]) {
            let place = center.point(in: area)
            return ([place.x - area.x, area.maxX - place.x], [place.y - area.y, area.maxY - place.y])
        }
        func radius(_ radius: Gradient.RadialExtent, _ sides: [Float], _ base: Float) -> Float {
            switch radius {
            case .size(let length, _): max(0, length.resolved(against: base))
            case .closestSide, .closestCorner: sides.reduce(.infinity) { min($0, abs($1)) }
            case .farthestSide, .farthestCorner: sides.reduce(0) { max($0, abs($1)) }
            }
        }
        switch self {
        case .inset(let sides, let radii):
            let inner = area.insetBy(
                left: sides.left.resolved(against: area.width), top: sides.top.resolved(against: area.height),
                right: sides.right.resolved(against: area.width), bottom: sides.bottom.resolved(against: area.height))
            return .box(inner, radii: radii)
        case .circle(let value, let center):
            let (across, down) = distances(from: center)
            let corners = across.flatMap { x in down.map { (x * x + $0 * $0).squareRoot() } }
            // Percentages are of the diagonal of a square with the same mean size (CSS Shapes 1 §3.1).
            let diagonal = ((area.width * area.width + area.height * area.height) / 2).squareRoot()
            let isToCorner = value == .closestCorner || value == .farthestCorner
            let length = radius(value, isToCorner ? corners : across + down, diagonal)
            return .ellipse(center: center.point(in: area), x: length, y: length)
        case .ellipse(let x, let y, let center):
            let (across, down) = distances(from: center)
            return .ellipse(
                center: center.point(in: area), x: radius(x, across, area.width), y: radius(y, down, area.height))
        case .polygon(let points, let isEvenOdd):
            return .polygon(points.map { $0.point(in: area) }, isEvenOdd: isEvenOdd)
        case .path, .commands: return nil
        }
    }
}

package enum ShapeOutline {
    /// With the radii of its corners clockwise from the top left, or none.
    case box(Rect, radii: [CornerRadius])
    case ellipse(center: Point, x: Float, y: Float)
    case polygon([Point], isEvenOdd: Bool)
}

extension Gradient.Position {
    package func point(in area: Rect) -> Point {
        Point(x: area.x + x.resolved(against: area.width), y: area.y + y.resolved(against: area.height))
    }
}

/// `shape-outside`, `shape-margin` and `shape-image-threshold` (CSS Shapes 1 §4).
package struct FloatShapeStyle: RareGroup {
    package enum Source: Equatable, Sendable {
        case shape(ClipShape)
        /// The part of an image that covers more than the threshold.
        case image(ImageSource)
    }
    /// nil is `none`.
    package var source: Source?
    package var margin = LengthPercentage.zero
    package var threshold: Float = 0

    package init() {}
}

/// A command of `shape()`. Relative coordinates start at the previous point.
package enum ShapeCommand: Equatable, Sendable {
    /// The reference point of a control point's coordinates.
    package enum Origin: String, Sendable {
        case start, end
        case box = "origin"
    }
    package struct Control: Equatable, Sendable {
        package var point: Gradient.Position
        package var origin: Origin

        package init(point: Gradient.Position, origin: Origin) { (self.point, self.origin) = (point, origin) }
    }

    case move(Gradient.Position, isRelative: Bool)
    case line(Gradient.Position, isRelative: Bool)
    case horizontal(LengthPercentage, isRelative: Bool)
    case vertical(LengthPercentage, isRelative: Bool)
    /// With one control point the curve is quadratic.
    case curve(Gradient.Position, isRelative: Bool, Control, Control?)
    /// Without a control point it is a quadratic curve.
    case smooth(Gradient.Position, isRelative: Bool, Control?)
    /// Degrees.
    case arc(
        Gradient.Position, isRelative: Bool, radii: Gradient.Position, isClockwise: Bool, isLarge: Bool,
        rotation: Float)
    case close
}

package struct ClipShape: Equatable, Sendable {
    /// The id of a `clipPath` element of the document. Box generation replaces it.
    package var reference: String?
    /// nil is the reference box itself.
    package var shape: BasicShape?
    package var box: ReferenceBox

    package init(shape: BasicShape? = nil, box: ReferenceBox = .borderBox, reference: String? = nil) {
        (self.shape, self.box, self.reference) = (shape, box, reference)
    }
}

/// How mask layers combine: each with those below it (CSS Masking 1 §7.8).
package enum MaskComposite: String, Sendable { case add, subtract, intersect, exclude }

/// The channel of an image that masks (CSS Masking 1 §7.2).
package enum MaskMode: String, Sendable { case alpha, luminance, matchSource = "match-source" }

/// `mask` and its longhands, a value for each layer.
package struct MaskStyle: RareGroup {
    /// nil is `none`.
    package var images: [ImageSource?] = [nil]
    package var positions: [Gradient.Position] = [.init(x: .zero, y: .zero)]
    package var sizes: [BackgroundSize] = [.size(nil, nil)]
    package var repeats = [LayerRepeats()]
    package var origins: [ReferenceBox] = [.borderBox]
    /// nil is `no-clip`.
    package var clips: [ReferenceBox?] = [.borderBox]
    package var composites: [MaskComposite] = [.add]
    package var modes: [MaskMode] = [.matchSource]

    package init() {}

    package var isMasking: Bool { images.contains { $0 != nil } }
}

/// Effects on a box with all of its contents.
package struct EffectStyle: RareGroup {
    package var filters: [FilterFunction] = [], backdropFilters: [FilterFunction] = []
    /// nil is `none`.
    package var clip: ClipShape?
    package var blendMode = BlendMode.normal
    /// `clip` of absolutely positioned boxes: offsets from the border box's top and left edges. nil is `auto`, also as the whole.
    package var rectangle: Sides<Float?>?

    package init() {}
}

/// The source of a border image, and its slices (CSS Backgrounds 3 §6).
package struct BorderImageStyle: RareGroup {
    /// nil is `none`.
    package var source: ImageSource?
    /// Pixels of the image, or shares of it.
    package var slice = Sides<LengthPercentage>(LengthPercentage(fraction: 1))
    package var fillsMiddle = false
    package var width = Sides<Width>(.multiple(1))
    package var outset = Sides<Width>(.length(.zero))
    package var repeatX = Tiling.stretch, repeatY = Tiling.stretch

    package enum Width: Equatable, Sendable {
        case length(LengthPercentage)
        /// A multiple of the border's width.
        case multiple(Float)
        /// The slice's own size.
        case auto
    }
    package enum Tiling: String, Sendable { case stretch, `repeat`, round, space }

    package init() {}
}
