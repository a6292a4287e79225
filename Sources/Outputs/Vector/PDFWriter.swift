// Writes shapes, text and pictures as a PDF file, with cairo. Fonts contain only the glyphs that are used, so drawing steps are
// recorded first, and run when all glyphs are known. cairo records the text of glyphs by clusters, so text can be found and
// copied in the document's order. Content is marked by parts of the document; PDFStructure.swift makes a tree of them.

import CFancyTextCairo
import FancyTextBasics
import FancyTextBoxes
import FancyTextCSS
import FancyTextMarkup
import FancyTextPainting
import FancyTextTypography
import FancyTextWriting

/// Writes one PDF file. It belongs to one task.
package final class PDFWriter: VectorSink {
    let cairo: CCairoTable
    private let fonts: FontContext
    private let hasDate: Bool
    let surface, context: OpaquePointer
    private let output: Output
    private var used = VectorFonts<UsedFont>()
    /// The drawing steps to run when the fonts are complete.
    var steps: [() -> Void] = []
    /// The most recent picture: tiles are many copies of one.
    private var lastPicture: (pixels: [UInt32], surface: OpaquePointer)?
    package var destinations: Set<String> = []
    /// Destinations that are on a page; links to others are left out.
    var placed: Set<String> = []
    /// Links and destinations of the page, added at its end.
    var tags: [() -> Void] = []
    var openMark: ContentMark?
    var layers = 0
    /// The part of the document of each structure tag that was added to the file, and for a link what it is about.
    var taggedParts: [(part: DocumentPart, words: String)] = []
    /// The last page that shows each part, and the end of its text there.
    var shownParts: [DocumentPart: (page: Int, end: Int)] = [:]
    var bookmarks: [(DisplayBookmark, page: Int, place: Point)] = []
    let text: BoxTree
    let tree: MarkupTree
    /// The number of pages, and the last one in points.
    private(set) var pages = 0
    private(set) var pageRect = Rect(x: 0, y: 0, width: 0, height: 0)
    private enum Group { case state, layer(opacity: Float, blendMode: BlendMode) }
    private var groups: [Group] = []
    /// Points per pixel, and the position of the page's top left pixel.
    private(set) var page = Transform()
    /// The context's matrix while the steps run, and those of the saved states.
    private var matrix = Transform()
    private var savedMatrices: [Transform] = []
    /// The longest side of a page in points.
    package static let longestSide: Float = 500_000
    /// The largest coordinate, in points, that is passed to cairo: its fixed-point numbers end at 2²³, and it subtracts and
    /// doubles them. Points that are farther away are off the page.
    private static let farthest: Float = 2_000_000
    /// The largest font size in points that FreeType scales itself.
    private static let largestFont: Float = 10_000
    /// The distance in ems by which every other letter from the right is moved; files have positions in thousandths.
    private static let nudge: Float = 0.002

    /// Soft hyphen, marks of directions, joiners, word joiner.
    private static let formats = [
        "\u{AD}", "\u{61C}", "\u{200B}", "\u{200C}", "\u{200D}", "\u{200E}", "\u{200F}", "\u{2060}",
    ]

    /// A font of the file, and its glyphs by those of the original font and by their text, unless that is one ASCII character:
    /// some readers know only one text of a glyph.
    private final class UsedFont {
        var font = GlyphFont()
        var glyphs: [UInt32: [ArraySlice<UInt8>: UInt16]] = [:]
        var face: OpaquePointer?
    }

    private final class Output {
        var bytes: [UInt8] = []
    }

    /// The smallest opacity that cairo writes, for invisible text. It becomes 0 in the file.
    private static let unseen = 1.0 / 255

    /// - Parameter date: ISO 8601; `nil` for a file without a date.
    package init(fonts: FontContext, text: BoxTree, tree: MarkupTree, date: String? = nil) throws(VectorError) {
        guard let table = ccairo_load() else { throw .cairoMissing }
        cairo = table.pointee
        (self.fonts, self.text, self.tree) = (fonts, text, tree)
        hasDate = date != nil
        output = Output()
        let write: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<UInt8>?, UInt32) -> Int32 = {
            closure, data, count in
            guard let closure, let data else { return Int32(CCAIRO_WRITE_ERROR) }
            Unmanaged<Output>.fromOpaque(closure).takeUnretainedValue().bytes
                .append(contentsOf: UnsafeBufferPointer(start: data, count: Int(count)))
            return Int32(CCAIRO_SUCCESS)
        }
        guard let surface = cairo.pdfSurface(write, Unmanaged.passUnretained(output).toOpaque(), 1, 1),
            let context = cairo.create(surface)
        else { throw .failed("cannot write the PDF file: not enough memory") }
        (self.surface, self.context) = (surface, context)
        // Without a date cairo writes that of the clock, which is removed.
        if let date { cairo.setMetadata(surface, Int32(CCAIRO_METADATA_CREATED), date) }
        cairo.setMetadata(surface, Int32(CCAIRO_METADATA_CREATOR), "fancytext")
        let options = cairo.fontOptions()
        cairo.setHinting(options, Int32(CCAIRO_OFF))
        cairo.setMetricsHinting(options, Int32(CCAIRO_OFF))
        cairo.setFontOptions(context, options)
        cairo.destroyFontOptions(options)
        cairo.setMiterLimit(context, 4)
    }

    deinit {
        if let lastPicture { cairo.destroySurface(lastPicture.surface) }
        cairo.destroy(context)
        cairo.destroySurface(surface)
        for font in used.fonts { if let face = font.face { cairo.destroyFontFace(face) } }
    }

    /// Begins a page of a size in points; `map` is from pixels to points, `content` the part that may be painted, in pixels.
    package func beginPage(size: Size, map: Transform, content: Rect) {
        page = map
        pages += 1
        pageRect = Rect(x: 0, y: 0, width: size.width, height: size.height)
        steps.append { [self] in
            cairo.setPageSize(surface, Double(size.width), Double(size.height))
            save()
            transform(map)
            add(Path(RoundedRect(rect: content)))
            cairo.clip(context)
        }
    }

    package func endPage() {
        closeMark()
        steps.append { [self, tags] in
            restore()
            for tag in tags { tag() }
            cairo.showPage(context)
        }
        tags = []
    }

    package func finish() throws(VectorError) -> [UInt8] {
        for font in used.fonts {
            let file = font.font.file(named: "fancytext")
            font.face = ccairo_font_face(file, file.count)
        }
        for step in steps { step() }
        steps = []
        addOutline()
        addMetadata()
        let status = cairo.status(context)
        cairo.finishSurface(surface)
        let last = status == CCAIRO_SUCCESS ? cairo.surfaceStatus(surface) : status
        guard last == CCAIRO_SUCCESS else {
            let reason = cairo.statusText(last).map { String(cString: $0) } ?? "unknown"
            throw .failed("cannot write the PDF file: \(reason)")
        }
        let (least, none) = (Array("/ca 0.00392157".utf8), Array("/ca 0.00000000".utf8))
        var start = 0
        while let place = output.bytes[start...].firstIndex(of: UInt8(ascii: "/")) {
            start = place + 1
            guard output.bytes[place...].starts(with: least) else { continue }
            output.bytes.replaceSubrange(place..<place + least.count, with: none)
        }
        return finished(output.bytes, hasDate: hasDate)
    }

    // MARK: Shapes

    private func save() {
        cairo.save(context)
        savedMatrices.append(matrix)
    }

    private func restore() {
        cairo.restore(context)
        matrix = savedMatrices.popLast() ?? Transform()
    }

    private func transform(_ transform: Transform) {
        // After a matrix that cannot be inverted, the context draws nothing.
        let isUsable = matrix.after(transform).inverse != nil && transform.inverse != nil
        let used = isUsable ? transform : Transform(scaleX: 1e-4, scaleY: 1e-4)
        matrix = matrix.after(used)
        var numbers = CCairoMatrix(
            xx: Double(used.xx), yx: Double(used.yx), xy: Double(used.xy), yy: Double(used.yy), x0: Double(used.x),
            y0: Double(used.y))
        cairo.transform(context, &numbers)
    }

    /// Returns the nearest point that cairo can represent on the page.
    private func bounded(_ point: Point) -> Point {
        let place = matrix.apply(point)
        func clamped(_ value: Float) -> Float { max(-Self.farthest, min(Self.farthest, value)) }
        let (x, y) = (clamped(place.x), clamped(place.y))
        if x == place.x, y == place.y { return point }
        return matrix.inverse?.apply(Point(x: x, y: y)) ?? .zero
    }

    private func add(_ path: Path) {
        cairo.newPath(context)
        var current = Point.zero
        for segment in path.segments {
            switch segment {
            case .move(let point):
                current = bounded(point)
                cairo.moveTo(context, Double(current.x), Double(current.y))
            case .line(let point):
                current = bounded(point)
                cairo.lineTo(context, Double(current.x), Double(current.y))
            case .quadratic(let control, let end):
                let (control, end) = (bounded(control), bounded(end))
                func third(_ from: Float, _ to: Float) -> Double { Double(from + (to - from) * 2 / 3) }
                cairo.curveTo(
                    context, third(current.x, control.x), third(current.y, control.y), third(end.x, control.x),
                    third(end.y, control.y), Double(end.x), Double(end.y))
                current = end
            case .cubic(let one, let other, let end):
                let (one, other, end) = (bounded(one), bounded(other), bounded(end))
                cairo.curveTo(
                    context, Double(one.x), Double(one.y), Double(other.x), Double(other.y), Double(end.x),
                    Double(end.y))
                current = end
            case .close: cairo.closePath(context)
            }
        }
    }

    private func set(_ paint: VectorPaint) {
        switch paint {
        case .color(let color): set(color)
        case .gradient(let gradient):
            let pattern: OpaquePointer?
            switch gradient.shape {
            case .linear(let from, let to):
                pattern = cairo.linear(Double(from.x), Double(from.y), Double(to.x), Double(to.y))
            case .radial(let center, let radii):
                pattern = cairo.radial(0, 0, 0, 0, 0, 1)
                // A pattern's matrix goes from the surface to the unit circle.
                let (x, y) = (1 / Double(max(radii.width, 1e-5)), 1 / Double(max(radii.height, 1e-5)))
                var matrix = CCairoMatrix(
                    xx: x, yx: 0, xy: 0, yy: y, x0: -Double(center.x) * x, y0: -Double(center.y) * y)
                cairo.setPatternMatrix(pattern, &matrix)
            }
            for stop in gradient.stops {
                let color = channels(stop.color)
                cairo.addStop(pattern, Double(stop.offset), color.x, color.y, color.z, color.w)
            }
            cairo.setExtend(pattern, Int32(gradient.repeats ? CCAIRO_EXTEND_REPEAT : CCAIRO_EXTEND_PAD))
            cairo.setSource(context, pattern)
            cairo.destroyPattern(pattern)
        }
    }

    private func set(_ color: Color) {
        let color = channels(color)
        cairo.setColor(context, color.x, color.y, color.z, color.w)
    }

    private func channels(_ color: Color) -> SIMD4<Double> {
        SIMD4(Double(color.red), Double(color.green), Double(color.blue), Double(color.alpha)) / 255
    }

    package func fill(_ path: Path, isEvenOdd: Bool, with paint: VectorPaint) {
        mark(DocumentPart())
        steps.append { [self] in
            add(path)
            fill(isEvenOdd: isEvenOdd, with: paint)
        }
    }

    private func fill(isEvenOdd: Bool = false, with paint: VectorPaint) {
        cairo.setFillRule(context, Int32(isEvenOdd ? CCAIRO_FILL_EVEN_ODD : CCAIRO_FILL_NON_ZERO))
        set(paint)
        cairo.fill(context)
    }

    // MARK: Groups

    package func pushClip(_ path: Path, isEvenOdd: Bool) {
        groups.append(.state)
        steps.append { [self] in
            save()
            add(path)
            cairo.setFillRule(context, Int32(isEvenOdd ? CCAIRO_FILL_EVEN_ODD : CCAIRO_FILL_NON_ZERO))
            cairo.clip(context)
        }
    }

    package func pushTransform(_ transform: Transform) {
        groups.append(.state)
        steps.append { [self] in
            save()
            self.transform(transform)
        }
    }

    package func pushLayer(opacity: Float, blendMode: BlendMode) {
        groups.append(.layer(opacity: opacity, blendMode: blendMode))
        beginLayer()
        steps.append { [self] in
            save()
            cairo.pushGroup(context)
        }
    }

    package func pop() {
        guard let group = groups.popLast() else { return }
        steps.append { [self] in
            if case .layer(let opacity, let blendMode) = group {
                cairo.popGroup(context)
                cairo.setOperator(context, Self.operator(blendMode))
                cairo.paintWithAlpha(context, Double(max(0, min(1, opacity))))
            }
            restore()
        }
        if case .layer = group { endLayer() }
    }

    /// cairo's number of a blend mode (`cairo_operator_t`), which counts most modes in the same order.
    private static func `operator`(_ mode: BlendMode) -> Int32 {
        switch mode {
        case .normal: 2
        case .plusLighter: 12
        default: 13 + Int32(BlendMode.allCases.firstIndex(of: mode) ?? 0)
        }
    }

    // MARK: Text

    package func show(_ text: VectorText) {
        guard text.size.width > 0, text.size.height > 0 else { return }
        let start = text.clusters.map(\.text.lowerBound).min() ?? 0
        let end = text.clusters.map(\.text.upperBound).max() ?? 0
        mark(text.part, start..<max(start, end))
        let number = used.number(of: fonts.program(of: text.font)) { UsedFont() }
        let font = used.fonts[number]
        var bytes: [UInt8] = []
        var clusters: [CCairoCluster] = []
        var words: [Int: ArraySlice<UInt8>] = [:]
        for cluster in text.clustersInOrder {
            let start = bytes.count
            Self.appendWords(text.text[cluster.text], to: &bytes)
            clusters.append(CCairoCluster(bytes: Int32(bytes.count - start), glyphs: Int32(cluster.glyphs.count)))
            if bytes.count > start + 1, cluster.glyphs.count == 1 { words[cluster.glyphs.lowerBound] = bytes[start...] }
        }
        // Poppler takes letters from the right for words of their own, and joins them unless all gaps are alike.
        let nudge = text.isRightToLeft ? text.size.width * Self.nudge : 0
        let glyphs = text.glyphs.enumerated().map { index, glyph in
            let words = words[index] ?? []
            let isFormat = !words.isEmpty && Self.formats.contains { words.elementsEqual($0.utf8) }
            let known =
                font.glyphs[glyph.id]?[words]
                // The glyph of a format character is a space, whose width would cover the letter beside it.
                ?? font.font.add(isFormat ? [] : [(glyph.id, 0, 0)], of: text.font, in: fonts)
            font.glyphs[glyph.id, default: [:]][words] = known
            // A glyph without width is beside the letter before it, not in it.
            let x = isFormat ? glyph.x - nudge : index & 1 == 0 ? glyph.x : glyph.x + nudge
            return CCairoGlyph(index: UInt(known ?? 0), x: Double(x), y: Double(glyph.y))
        }
        steps.append { [self] in draw(glyphs, of: font, bytes, clusters, text) }
    }

    package func show(_ texts: String, in rect: Rect) {
        let file = Array("<svg xmlns=\"http://www.w3.org/2000/svg\" fill-opacity=\"\(Self.unseen)\"\(texts)".utf8)
        let vector = PictureFile(format: .svg, bytes: file, width: 0, height: 0)
        draw(.file(vector, nil), in: rect, isPixelated: false, of: nil)
    }

    /// Appends the characters that a PDF file can contain: cairo refuses controls and noncharacters.
    private static func appendWords(_ text: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
        guard !text.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { return bytes += text }
        bytes += VectorText.words(String(decoding: text, as: UTF8.self)).utf8
    }

    private func draw(
        _ glyphs: [CCairoGlyph], of font: UsedFont, _ bytes: [UInt8], _ clusters: [CCairoCluster], _ text: VectorText
    ) {
        let stretch = matrix.stretch
        let largest = max(text.size.width, text.size.height) * max(stretch.x, stretch.y)
        guard largest < Self.largestFont else {
            // As shapes, which cannot be searched.
            for glyph in text.glyphs {
                add(text.outline(of: glyph, in: fonts))
                if let paint = text.paint { fill(with: paint) }
            }
            return
        }
        guard let face = font.face else { return }
        let glyphs = glyphs.map { glyph in
            let place = bounded(Point(x: Float(glyph.x), y: Float(glyph.y)))
            return CCairoGlyph(index: glyph.index, x: Double(place.x), y: Double(place.y))
        }
        cairo.setFontFace(context, face)
        var matrix = CCairoMatrix(
            xx: Double(text.size.width), yx: 0, xy: -Double(text.skew * text.size.height), yy: Double(text.size.height),
            x0: 0, y0: 0)
        cairo.setFontMatrix(context, &matrix)
        if let paint = text.paint { set(paint) } else { cairo.setColor(context, 0, 0, 0, Self.unseen) }
        bytes.withUnsafeBytes { bytes in
            cairo.showText(
                context, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count), glyphs,
                Int32(glyphs.count), clusters, Int32(clusters.count),
                text.isRightToLeft ? Int32(CCAIRO_CLUSTERS_BACKWARD) : 0)
        }
        if let stroke = text.stroke {
            set(stroke.color)
            cairo.newPath(context)
            cairo.glyphPath(context, glyphs, Int32(glyphs.count))
            cairo.setLineWidth(context, Double(stroke.width))
            cairo.stroke(context)
        }
    }

    // MARK: Pictures

    package var drawsVectorFiles: Bool { true }
    /// cairo 1.16 reads memory that it never wrote after a link in a group.
    package var refusesLinks: Bool { layers > 0 }

    package func draw(_ picture: VectorPicture, in rect: Rect, isPixelated: Bool, of part: DocumentPart?) {
        if let part {
            // A picture without alternative text is decoration. Links in one are tagged, and tags are siblings.
            let hasLinks = if case .file(let file, nil) = picture { file.hasLinks } else { false }
            let isPart = !hasLinks && !BoxContents.alternative(of: Int(part.box), in: text, tree).isEmpty
            mark(isPart ? part : DocumentPart())
        }
        steps.append { [self] in
            switch picture {
            case .file(let file, nil):
                _ = ccairo_draw_svg(
                    context, file.bytes, file.bytes.count, Double(rect.x), Double(rect.y), Double(rect.width),
                    Double(rect.height))
            case .file(let file, let pixels?):
                draw(pixels, jpeg: file.format == .jpeg ? file.bytes : nil, rect, isPixelated)
            case .pixels(let pixels): draw(pixels, jpeg: nil, rect, isPixelated)
            }
        }
    }

    private func draw(_ pixels: Pixmap, jpeg: [UInt8]?, _ rect: Rect, _ isPixelated: Bool) {
        guard pixels.width > 0, pixels.height > 0, let picture = surface(of: pixels, jpeg: jpeg) else { return }
        let pattern = cairo.surfacePattern(picture)
        let (x, y) = (Double(pixels.width) / Double(rect.width), Double(pixels.height) / Double(rect.height))
        var matrix = CCairoMatrix(xx: x, yx: 0, xy: 0, yy: y, x0: -Double(rect.x) * x, y0: -Double(rect.y) * y)
        cairo.setPatternMatrix(pattern, &matrix)
        // The picture is transparent beyond its edges; with another extend mode cairo would make a second picture.
        cairo.setExtend(pattern, Int32(CCAIRO_EXTEND_NONE))
        cairo.setFilter(pattern, Int32(isPixelated ? CCAIRO_FILTER_NEAREST : CCAIRO_FILTER_GOOD))
        save()
        add(Path(RoundedRect(rect: rect)))
        cairo.clip(context)
        cairo.setSource(context, pattern)
        cairo.paint(context)
        restore()
        cairo.destroyPattern(pattern)
    }

    private func surface(of pixels: Pixmap, jpeg: [UInt8]?) -> OpaquePointer? {
        if let lastPicture, lastPicture.pixels == pixels.pixels { return lastPicture.surface }
        let isOpaque = pixels.pixels.allSatisfy { $0 >> 24 == 255 }
        let words = pixels.pixels.map(Pixel.swappingRedAndBlue)
        guard let made = ccairo_picture(words, Int32(pixels.width), Int32(pixels.height), isOpaque ? 1 : 0)
        else { return nil }
        if let jpeg { ccairo_set_jpeg(made, jpeg, jpeg.count) }
        if let lastPicture { cairo.destroySurface(lastPicture.surface) }
        lastPicture = (pixels.pixels, made)
        return made
    }
}
