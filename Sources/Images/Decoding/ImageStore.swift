// Loads images by their sources, each once. Only here it is decided what may be loaded: `data:` URIs; files below the base directory,
// with links followed; `http(s)` URLs if the network is allowed; pictures given in code. Other sources become diagnostics.

import FancyTextBasics
import FancyTextBoxes
import FancyTextCSS
import FancyTextPainting
import FancyTextTypography

/// Loads and keeps the pictures of one document. One task owns it.
package final class ImageStore: PictureSource, ReplacedSizes {
    package struct Options {
        /// The folder that files must be below; nil allows no files.
        package var baseDirectory: String?
        /// The folder for relative names; names not found there are looked up in the base directory.
        package var folder: String?
        /// The http or https URL that relative names are resolved against, instead of being looked for in ``folder``.
        package var base: String?
        /// The hosts from which `http` and `https` URLs may be fetched; nil when the network is not allowed.
        package var network: NetworkAccess?
        package var limits = Limits()
        /// The bytes of images by their sources; `load` may return those of others. Both are tried first.
        package var pictures: [String: [UInt8]] = [:]
        package var load: (@Sendable (String) -> [UInt8]?)?
        package var reads: FileReads?
        /// The codec that reads picture files; nil reads them in this process.
        package var codec: (any PictureCodec)?
        package init(baseDirectory: String? = nil) { self.baseDirectory = baseDirectory }
    }

    private struct Entry {
        var data: [UInt8]
        var header: ImageHeader
        var picture: Pixmap?
        /// The result of ``file(source:)``, once it was asked for.
        var file: PictureFile?
    }

    private let options: Options
    /// True if the page is dark: media queries in SVG files ask for it (Media Queries 5 §11.5).
    package var prefersDark = false
    /// The meter of the rendering that uses the pictures.
    package let meter: BudgetMeter
    private let fetcher: NetworkFetcher?
    /// The size in bytes of the decoded pictures that are kept, and their sources, the least recently used first.
    private var keptBytes = 0
    private var keptSources: [String] = []
    /// The size in bytes of decoded files; a file counts each time it is decoded.
    private var decodedBytes = 0
    private var entries: [String: Result<Entry, ImageError>] = [:]
    private var lambdas: [String: LambdaDrawing] = [:]
    private var coverages: [CoverageKey: [Bool]] = [:]
    /// The sources that gave no picture or only a part of it, each once, in the order of their requests.
    package private(set) var failures: [(source: String, error: ImageError)] = []

    package init(_ options: Options = Options()) {
        self.options = options
        let meter = BudgetMeter(options.limits)
        (self.meter, fetcher) = (meter, options.network.map { NetworkFetcher($0, meter) })
    }

    package func setLambda(_ id: String, _ drawing: LambdaDrawing) { lambdas[id] = drawing }

    package func drawing(lambda: String) -> LambdaDrawing? { lambdas[lambda] }

    /// Sets the bytes of the picture for `source`, instead of those of a file.
    ///
    /// - Throws: ``ImageError`` if the header is not that of an image, or has more pixels than the limit.
    package func setPicture(_ source: String, _ data: [UInt8]) throws(ImageError) {
        entries[source] = .success(try entry(data))
    }

    // MARK: Pictures

    package func naturalDimensions(of source: String, isLambda: Bool) -> NaturalDimensions? {
        guard isLambda else { return naturalDimensions(of: source) }
        return switch lambdas[source] {
        case .picture(let name): naturalDimensions(of: name)
        case .list(let list): NaturalDimensions(list.size)
        case nil: nil
        }
    }

    /// The picture's natural dimensions, from its header. Without a picture it returns nil, and records the failure once.
    package func naturalDimensions(of source: String) -> NaturalDimensions? {
        (try? load(source).get())?.header.natural
    }

    package func coverage(of image: ImageSource, width: Int, height: Int, above threshold: Float) -> [Bool]? {
        let key = CoverageKey(image: image, width: width, height: height, threshold: threshold)
        if let known = coverages[key] { return known }
        guard width > 0, height > 0, meter.spend(width * height, of: .decodedPixels) else { return nil }
        var list = DisplayList(size: Size(width: Float(width), height: Float(height)), background: .transparent)
        let area = RoundedRect(rect: Rect(list.size))
        switch image {
        case .gradient(let gradient): list.items = [.fill(area, .gradient(gradient, box: area.rect))]
        case .url(let source):
            guard naturalDimensions(of: source) != nil else { return nil }
            list.items = [.image(ImageItem(source: source, rect: area.rect, clip: area))]
        }
        let canvas = Bitmap()
        var painter = Painter()
        painter.paint(list, fonts: NoGlyphs(), pictures: self, into: canvas)
        let limit = threshold * 255
        let result = canvas.withPixels { $0.map { Float($0 >> 24) > limit } }
        coverages[key] = result
        return result
    }

    private struct CoverageKey: Hashable {
        var image: ImageSource
        var width, height: Int
        var threshold: Float
    }

    package func picture(source: String, width: Int, height: Int) -> Pixmap? {
        guard case .success(var entry) = load(source) else { return nil }
        if let picture = entry.picture,
            entry.header.format != .svg || (picture.width == width && picture.height == height)
        {
            return picture
        }
        let size = entry.header.format == .svg ? (width, height) : (entry.header.width, entry.header.height)
        let limit = options.limits.imagePixels
        let (pixels, overflow) = size.0.multipliedReportingOverflow(by: size.1)
        do throws(ImageError) {
            guard !overflow, pixels <= limit else { throw .tooLarge(width: size.0, height: size.1, limit: limit) }
            forget(source)
            decodedBytes += entry.data.count
            guard makeRoom(pixels * 4), meter.spend(pixels, of: .decodedPixels, besides: 50 * decodedBytes)
            else { return nil }
            let picture = try ImageDecoder.decode(
                entry.data, entry.header, size: (width, height), limit: limit, codec: options.codec)
            entry.picture = picture
            entries[source] = .success(entry)
            keptBytes += picture.pixels.count * 4
            keptSources.append(source)
            return picture
        } catch {
            fail(source, error)
            return nil
        }
    }

    /// Drops decoded pictures until one of `bytes` fits. Their files are kept, so that they can be decoded again.
    private func makeRoom(_ bytes: Int) -> Bool {
        guard bytes <= options.limits[.imageBytes] else { return meter.spend(bytes, of: .imageBytes) }
        while keptBytes + bytes > options.limits[.imageBytes], let oldest = keptSources.first { forget(oldest) }
        return true
    }

    private func forget(_ source: String) {
        guard let index = keptSources.firstIndex(of: source), case .success(var entry) = entries[source] else { return }
        keptSources.remove(at: index)
        keptBytes -= (entry.picture?.pixels.count ?? 0) * 4
        entry.picture = nil
        entries[source] = .success(entry)
    }

    package func file(source: String) -> PictureFile? {
        // Only some readers would apply an orientation in the file.
        guard case .success(var entry) = load(source), !entry.data.isEmpty, entry.header.orientation == 1
        else { return nil }
        if entry.file == nil {
            var file = PictureFile(
                format: entry.header.format, bytes: entry.data, width: entry.header.width, height: entry.header.height)
            if file.format == .svg {
                file.plainParts = VectorCheck.plainParts(entry.data)
                file.hasLinks = file.plainParts != nil && VectorCheck.hasLinks(entry.data)
                file.texts = [false, true].map { VectorDocument.texts(of: entry.data, entry.header, inLayers: $0) }
            }
            entry.file = file
            entries[source] = .success(entry)
        }
        return entry.file
    }

    func data(of source: String) -> [UInt8]? { (try? load(source).get())?.data }

    /// A source without its fragment. In the text of a document in a `data:` URI, `#` separates nothing.
    private static func withoutFragment(_ source: String) -> String {
        guard let sign = source.utf8.lastIndex(of: UInt8(ascii: "#")) else { return source }
        let fragment = String(decoding: DataURI.percentDecoded(source[sign...].utf8.dropFirst()), as: UTF8.self)
        return fragment.contains(">") ? source : String(source[..<sign])
    }

    private func load(_ source: String) -> Result<Entry, ImageError> {
        if let known = entries[source] { return known }
        do throws(ImageError) {
            let given = options.pictures[source] ?? options.load?(source)
            let isOwn = source.hasPrefix(ReplacedContent.ownPicture)
            let file = !isOwn && DataURI.isDataURI(source) ? Self.withoutFragment(source) : source
            let data = if let given { given } else { try bytes(of: file) }
            var entry = try entry(isOwn ? withFiles(data) : data)
            if entry.header.format == .svg, !isOwn {
                let styled = VectorDocument.styled(
                    entry.data, background: entry.header.background, prefersDark: prefersDark)
                // A fragment of the source may name a view.
                let hasView = source.contains("#") && String(decoding: entry.data, as: UTF8.self).contains("<view ")
                let lost = styled.lost + (hasView ? ["view"] : [])
                entry.data = styled.document
                if !lost.isEmpty { failures.append((source, .partlyDrawn(lost))) }
            }
            entries[source] = .success(entry)
            return .success(entry)
        } catch {
            fail(source, error)
            return .failure(error)
        }
    }

    private func entry(_ data: [UInt8]) throws(ImageError) -> Entry {
        let entry = Entry(data: data, header: try ImageHeader(data, codec: options.codec))
        let (header, limit) = (entry.header, options.limits.imagePixels)
        // A header's sides are at most 2²⁴, so that their product does not overflow.
        guard header.format == .svg || header.width * header.height <= limit
        else { throw .tooLarge(width: header.width, height: header.height, limit: limit) }
        return entry
    }

    private func fail(_ source: String, _ error: ImageError) {
        entries[source] = .failure(error)
        failures.append((source, error))
    }

    // MARK: Loading

    /// The URL of a source on the network; a relative name is resolved against the document's URL if it is of the document.
    private func remoteURL(_ source: String, isOfDocument: Bool = true) -> String? {
        if URLReference.isRemote(source) { return source }
        if let base = options.base, isOfDocument {
            return DataURI.isDataURI(source) ? nil : URLReference.resolve(source, against: base)
        }
        return source.hasPrefix("//") ? "https:" + source : nil
    }

    /// Fetches network sources, several at a time. Layout and painting would request them one after the other.
    package func fetchAhead(_ sources: [String]) {
        guard let fetcher else { return }
        var known: Set<String> = []
        let missing = sources.filter { entries[$0] == nil && options.pictures[$0] == nil }
        fetcher.fetchAhead(missing.compactMap { remoteURL($0) }.filter { known.insert($0).inserted })
    }

    /// - Parameters:
    ///   - folder: The folder for relative names, instead of the options' folder.
    ///   - limit: The size limit of a file in bytes, instead of the options' limit.
    package func bytes(of source: String, from folder: String? = nil, limit: Int? = nil) throws(ImageError) -> [UInt8] {
        if DataURI.isDataURI(source) { return try DataURI.decode(source) }
        if let url = remoteURL(source, isOfDocument: folder == nil) {
            guard let fetcher else { throw .networkNotAllowed }
            return try fetcher.bytes(url)
        }
        guard let base = options.baseDirectory else { throw .noBaseDirectory }
        let limit = limit ?? options.limits.inputBytes
        if let own = folder ?? options.folder,
            let bytes = try? SandboxedFile.read(source, from: own, below: base, limit: limit, reads: options.reads)
        {
            return bytes
        }
        return try SandboxedFile.read(source, below: base, limit: limit, reads: options.reads)
    }

    package func filtered(_ picture: Pixmap, _ document: (_ uri: String) -> String) -> Pixmap? {
        // After one failure there is mostly no time left for others.
        let name = "filtered by an element"
        guard entries[name] == nil, meter.spend(picture.pixels.count, of: .decodedPixels),
            let file = try? PNGEncoder().encode(picture)
        else { return nil }
        let uri = "data:image/png;base64," + String(decoding: Base64.encode(file), as: UTF8.self)
        do throws(ImageError) {
            let pixels = try (options.codec ?? LocalPictureCodec()).decode(
                .svg, withFiles(Array(document(uri).utf8)), width: picture.width, height: picture.height)
            return Pixmap(width: picture.width, height: picture.height, pixels: pixels.map(Pixel.swappingRedAndBlue))
        } catch {
            fail(name, error)
            return nil
        }
    }

    /// A picture file of the user's emoji font; vector pictures are drawn `side` pixels high. nil when it cannot be used.
    package static func glyphPicture(_ path: String, side: Int) -> GlyphMask? {
        guard let cut = path.lastIndex(of: "/"),
            let bytes = try? SandboxedFile.read(
                String(path[path.index(after: cut)...]), below: String(path[..<cut]), limit: 1 << 24),
            let header = try? ImageHeader(bytes)
        else { return nil }
        // The longer side gets the requested length.
        let longer = max(header.width, header.height)
        let size = (width: max(1, header.width * side / longer), height: max(1, header.height * side / longer))
        guard let picture = try? ImageDecoder.decode(bytes, header, size: size, limit: 1 << 24) else { return nil }
        return GlyphMask(
            left: 0, top: picture.height, width: picture.width, height: picture.height, isColor: true,
            pixels: picture.pixels.flatMap { pixel in [16, 8, 0, 24].map { UInt8(truncatingIfNeeded: pixel >> $0) } })
    }
}

private struct NoGlyphs: GlyphSource {
    func picture(_ key: GlyphKey) -> GlyphMask? { nil }
    func glyphOutline(_ font: FontID, _ glyph: UInt32, hintedAt scale: Float?) -> Path { Path() }
    func size(of font: FontID) -> Float { 0 }
}
