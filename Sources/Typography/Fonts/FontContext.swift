// The fonts of a program run: the object that measures, shapes and draws text. In: font styles and text. Out: fonts by id, metrics,
// shaped text, glyph pictures, all kept for later documents.

import CFancyTextTextLibraries
import FancyTextBasics
import FancyTextCSS

package enum FontError: Error, Hashable, Sendable, CustomStringConvertible {
    case librariesMissing
    case shaperMissing
    case noFont
    case unusable(file: String)
    /// The given path for emoji is neither a font nor a folder of pictures.
    case unusableEmoji(String)

    package var description: String {
        switch self {
        case .librariesMissing: "FreeType cannot be started"
        case .shaperMissing:
            "text is laid out by HarfBuzz (libharfbuzz.so.0), which is not installed or cannot be loaded"
        case .noFont: "no font was found: none is embedded, given or installed"
        case .unusable(let file): "cannot read the font file '\(file)': it is no TrueType, OpenType or WOFF font"
        case .unusableEmoji(let path): "'\(path)' is neither a font nor a folder of pictures named by code points"
        }
    }
}

/// Fonts and their caches. Not thread-safe; use one for each thread.
package final class FontContext {
    package let configuration: FontOptions
    let libraries: FontLibraries
    let database: FontDatabase
    private(set) var instances: [FontInstance] = []
    private var instanceIDs: [InstanceKey: FontID] = [:]
    private(set) var chains: [FontChain] = []
    private var chainIDs: [FontStyle: FontChainID] = [:]
    /// Characters and families without a font, kept as long as the chains, which later documents reuse without a look-up.
    package internal(set) var missingScalars: Set<UInt32> = []
    package private(set) var missingFamilies: Set<String> = []
    private var systemFallbacks: [FallbackKey: FontFace?] = [:]
    /// HarfBuzz's buffer, created on first use.
    private var madeBuffer: OpaquePointer?
    var itemizer = Itemizer()
    /// The glyphs of pieces of text; their clusters are offsets from the start of the piece.
    let shapeCache = BudgetCache<ShapeKey, [ShapedGlyph]>(budget: 16 << 20)
    let glyphCache: BudgetCache<GlyphKey, GlyphMask?>
    let outlineCache = BudgetCache<GlyphKey, LoadedOutline>(budget: 1 << 20)

    private struct InstanceKey: Hashable {
        var face: ObjectIdentifier
        var settings: FontSettings
    }

    private struct FallbackKey: Hashable {
        var scalar: UInt32
        var language: String
        var isEmoji: Bool
    }

    /// Fails without any font. `decodePicture` reads the pictures of ``FontOptions/emoji`` if that is a folder.
    package init(configuration: FontOptions = FontOptions(), decodePicture: PictureDecoder? = nil) throws(FontError) {
        guard let libraries = FontLibraries() else { throw .librariesMissing }
        (self.configuration, self.libraries) = (configuration, libraries)
        database = try FontDatabase(configuration: configuration, libraries: libraries, decodePicture: decodePicture)
        glyphCache = BudgetCache(budget: configuration.glyphCacheBudget)
        if database.defaultFaces().isEmpty { throw .noFont }
    }

    deinit { if let madeBuffer { harfbuzz.bufferDestroy(madeBuffer) } }

    /// - Throws: ``FontError/shaperMissing`` without HarfBuzz: fonts can then be listed, but no text can be shaped.
    package func checkShaper() throws(FontError) { if charfbuzz_load() == nil { throw .shaperMissing } }

    var buffer: OpaquePointer? {
        if madeBuffer == nil { madeBuffer = harfbuzz.bufferCreate() }
        return madeBuffer
    }

    /// The libraries that draw text. Loads them if necessary.
    package static func libraryListing() -> [TextLibraryListing] {
        [("FreeType", cfreetype_info()), ("HarfBuzz", charfbuzz_info())].map { name, info in
            let version = withUnsafeBytes(of: info.version) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            return TextLibraryListing(name: name, version: version, path: String(cString: info.path))
        }
    }

    package var messages: [String] { database.messages }

    // MARK: Document fonts

    /// Registers the font of a `@font-face` rule. If no source gives a font, it throws the reason.
    package func register(_ rule: WebFont) throws(FontProblem) {
        defer { forgetChains() }
        try database.register(rule)
    }

    /// Removes the rules of the last document. Chain ids given before are no longer valid.
    package func removeRegisteredFaces() { if database.removeRegistered() { forgetChains() } }

    private func forgetChains() {
        missingScalars.removeAll()
        missingFamilies.removeAll()
        chains.removeAll()
        chainIDs.removeAll()
        shapeCache.removeAll()
    }

    /// The families that text can use, with their faces and axes. Reads every given file and queries fontconfig.
    package func families() -> [FontFamilyListing] { database.listing() }

    // MARK: Styles and fonts

    /// The id of a font style, the same for equal styles. It costs one hash of the style.
    package func intern(_ style: FontStyle) -> FontChainID {
        if let known = chainIDs[style] { return known }
        let id = FontChainID(rawValue: UInt32(chains.count))
        chainIDs[style] = id
        chains.append(FontChain(id: id, style: style))
        return id
    }

    subscript(font: FontID) -> FontInstance { instances[Int(font.rawValue)] }

    subscript(chain: FontChainID) -> FontChain { chains[Int(chain.rawValue)] }

    package func style(_ chain: FontChainID) -> FontStyle { self[chain].style }

    /// The first available font of the list (CSS Fonts 4 §5.1), by which `ex`, `ch` and line heights are measured.
    package func primaryFont(_ chain: FontChainID) -> FontID { primaryInstance(self[chain]).id }

    package func metrics(_ font: FontID) -> FontMetrics { self[font].metrics }

    package func metrics(_ chain: FontChainID) -> FontMetrics { primaryInstance(self[chain]).metrics }

    package func family(_ font: FontID) -> String { self[font].face.family }

    /// Returns whether the font's glyphs have colours of their own, so that the text colour does not apply to all of them.
    package func hasColor(_ font: FontID) -> Bool { self[font].face.hasColor }

    package func program(of font: FontID) -> FontProgram { FontProgram(self[font]) }

    /// Returns whether the font's glyphs have outlines of one colour: they are neither pictures nor layers of colours.
    package func hasPlainOutlines(_ font: FontID) -> Bool {
        let face = self[font].face
        return face.isScalable && !face.hasColor
    }

    /// The character that maps to a glyph in the font's character map; nil for none. The first call reads the whole map.
    package func character(of glyph: UInt32, font: FontID) -> UInt32? { self[font].face.scalars[glyph] }

    /// The advance of a glyph in CSS pixels.
    package func advance(of glyph: UInt32, font: FontID) -> Float { self[font].advance(glyph) }

    /// The hyphen to show at a hyphenated line end: U+2010 if the font has it, else U+002D (CSS Text 3 §6.1).
    package func hyphen(_ chain: FontChainID) -> String {
        primaryInstance(self[chain]).face.glyph(for: 0x2010) != 0 ? "\u{2010}" : "-"
    }

    func primaryInstance(_ chain: FontChain) -> FontInstance {
        if let primary = chain.primary { return primary }
        let entries = entries(of: chain)
        // It need not have a glyph for the space (CSS Fonts 4 §2.1.1).
        let chosen = entries.first { $0.face.ranges.isEmpty || $0.face.ranges.contains { $0.contains(0x20) } }
        let primary = chosen ?? chain.entries.first ?? lastResort(chain)
        chain.primary = primary
        chain.primaryHasRivals = chain.entries.prefix { $0 !== primary }.contains { !$0.face.ranges.isEmpty }
        return primary
    }

    /// The fonts of a chain in order: its families, and the default one. A family is loaded when it is reached.
    func entries(of chain: FontChain) -> some Sequence<FontInstance> {
        sequence(state: 0) { position -> FontInstance? in
            while position >= chain.entries.count {
                guard self.loadNextFamily(of: chain) else { return nil }
            }
            position += 1
            return chain.entries[position - 1]
        }
    }

    private func loadNextFamily(of chain: FontChain) -> Bool {
        let families = chain.style.families
        let position = chain.nextFamily
        guard position <= families.count else { return false }
        chain.nextFamily += 1
        var faces: [FontFace]
        switch position < families.count ? families[position] : nil {
        case .named(let name):
            faces = database.faces(named: name)
            if faces.isEmpty { missingFamilies.insert(name) }
        case .generic(let generic): faces = database.faces(of: generic, language: chain.style.language)
        case nil: faces = database.defaultFaces()
        }
        if chain.request.isItalic { faces += database.italics(beside: faces) }
        for face in FontDatabase.matches(chain.request, in: faces) {
            let made = instance(of: face, style: chain.style)
            if let made, !chain.entries.contains(where: { $0 === made }) { chain.entries.append(made) }
        }
        return true
    }

    private func lastResort(_ chain: FontChain) -> FontInstance {
        let faces = database.defaultFaces() + database.embeddedFallbacks()
        if let made = faces.lazy.compactMap({ self.instance(of: $0, style: chain.style) }).first { return made }
        // The initializer made sure that a default face exists, so only exhausted memory leads here.
        preconditionFailure("no font can be opened")
    }

    /// The face at the style's size with its axes set (CSS Fonts 4 §7: the style's own axes first, then the settings).
    func instance(of face: FontFace, style: FontStyle, isFallback: Bool = false) -> FontInstance? {
        // Blink's precision of font sizes.
        let size = (style.size * face.adjustment.size * 100).rounded(.down) / 100
        let request = FaceRequest(style)
        var variations: [FontVariation] = []
        if !face.axes.isEmpty {
            /// Returns false if the face does not have the axis.
            @discardableResult func set(_ tag: UInt32, _ value: Float) -> Bool {
                guard let clamped = face.clamped(tag, value) else { return false }
                variations.removeAll { $0.tag == tag }
                variations.append(FontVariation(tag: tag, value: clamped))
                return true
            }
            set(AxisTag.weight, min(max(request.weight, face.weights.lowerBound), face.weights.upperBound))
            set(AxisTag.width, min(max(request.stretch, face.stretches.lowerBound), face.stretches.upperBound))
            switch style.slant {
            case .normal: break
            case .italic: if !set(AxisTag.italic, 1) { set(AxisTag.slant, -14) }
            case .oblique(let degrees): if !set(AxisTag.slant, -degrees) { set(AxisTag.italic, 1) }
            }
            if style.opticalSizing { set(AxisTag.opticalSize, size) }
            for setting in face.adjustment.variations + style.variations { set(setting.tag, setting.value) }
            variations.removeAll { setting in
                face.axes.contains { $0.tag == setting.tag && $0.standard == setting.value }
            }
        }
        let isEmboldened =
            style.synthesizesWeight && style.weight >= 600 && face.weights.upperBound < 600 && face.isScalable
            && !face.hasColor
        let isSlanted =
            style.synthesizesStyle && request.isItalic && !face.isItalic && !face.canSlant && face.isScalable
        var settings = FontSettings(
            size: size, variations: variations, isEmboldened: isEmboldened, isSlanted: isSlanted,
            roundsAdvances: !isFallback && !face.isScalable)
        let made = instance(of: face, settings)
        guard let adjust = style.sizeAdjust, let made, made.metrics.xHeight > 0, size > 0 else { return made }
        settings.size = size * adjust / (made.metrics.xHeight / size)
        return instance(of: face, settings)
    }

    private func instance(of face: FontFace, _ settings: FontSettings) -> FontInstance? {
        var settings = settings
        // The order of the calls turns NaN into a bound.
        settings.size = max(0, min(10_000, settings.size))
        let key = InstanceKey(face: ObjectIdentifier(face), settings: settings)
        if let known = instanceIDs[key] { return self[known] }
        let id = FontID(rawValue: UInt32(instances.count))
        guard let made = FontInstance(id: id, face: face, settings) else { return nil }
        instanceIDs[key] = id
        instances.append(made)
        return made
    }

    /// The font at another size, for Type Mode and synthesized small capitals.
    package func font(_ font: FontID, scaledBy scale: Float) -> FontID {
        let base = self[font]
        var settings = base.settings
        settings.size = base.size * scale
        return instance(of: base.face, settings)?.id ?? font
    }

    /// The face that fontconfig returns for a character; the answer is cached.
    func systemFallback(for scalar: UInt32, language: String, isEmoji: Bool) -> FontFace? {
        let key = FallbackKey(scalar: scalar, language: language, isEmoji: isEmoji)
        if let known = systemFallbacks[key] { return known }
        let face = database.systemFace(for: scalar, language: language, isEmoji: isEmoji)
        systemFallbacks[key] = .some(face)
        return face
    }
}
