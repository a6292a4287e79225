// The available faces and the choice among them: registered by the document, given by the user, embedded, installed. In: a family,
// and the wanted weight, width and slant. Out: the face by CSS Fonts 4 §5.2, from files opened on first request.

import CFancyTextEmbeddedFonts
import FancyTextBasics
import FancyTextCSS
import FancyTextPlatform

/// The properties that a style requires of a face.
struct FaceRequest {
    var weight, stretch: Float
    var isItalic: Bool
    /// `oblique` prefers oblique faces; font files declare them in the same way as italic ones.
    init(_ style: FontStyle) {
        weight = min(max(style.weight, 1), 1000)
        stretch = min(max(style.stretch, 1), 1000)
        switch style.slant {
        case .normal: isItalic = false
        case .italic: isItalic = true
        case .oblique(let degrees): isItalic = degrees != 0
        }
    }
}

final class FontDatabase {
    let libraries: FontLibraries
    private let configuration: FontOptions
    private var givenEmoji: [FontFace] = []
    private var registered: [String: [FontFace]] = [:]
    private var given: [String: [FontFace]] = [:]
    private var allGiven: [FontFace] = []
    private var embedded: [String: [FontFace]] = [:]
    private var installed: [String: [FontFace]] = [:]
    private var installedFiles: [String: FontFace] = [:]
    private lazy var systemFonts: SystemFonts? = configuration.usesSystemFonts ? SystemFonts() : nil
    /// Messages about files in folders that could not be read.
    private(set) var messages: [String] = []

    /// Opens the given files and folders. Errors in given fonts are reported at once, independent of the text.
    init(configuration: FontOptions, libraries: FontLibraries, decodePicture: PictureDecoder?) throws(FontError) {
        (self.configuration, self.libraries) = (configuration, libraries)
        try openGiven()
        if let path = configuration.emoji {
            guard let face = emojiFace(path, decodePicture) else { throw .unusableEmoji(path) }
            givenEmoji = [face]
        }
    }

    // MARK: Sources

    private static let embeddedFamilies: [(name: String, key: String, fonts: Range<Int>)] = [
        ("Inter", "inter", 0..<2), ("DejaVu Sans Mono", "dejavu sans mono", 2..<4),
    ]

    /// The faces of an embedded family, opened on first use; empty for any other.
    private func embeddedFaces(_ key: String) -> [FontFace] {
        if let known = embedded[key] { return known }
        guard let family = Self.embeddedFamilies.first(where: { $0.key == key }) else { return [] }
        let faces = family.fonts.compactMap { position -> FontFace? in
            let font = embedded_font(Int32(position))
            guard let bytes = font.bytes else { return nil }
            let face = newFace(FontFile(embedded: UnsafeRawPointer(bytes), count: font.length))
            face?.family = family.name
            face?.isWebFont = key == "inter"
            return face
        }
        embedded[key] = faces
        return faces
    }

    private func newFace(_ file: FontFile, _ index: Int = 0) -> FontFace? {
        FontFace(file: file, index: index, libraries: libraries)
    }

    private func allEmbeddedFaces() -> [FontFace] { Self.embeddedFamilies.flatMap { embeddedFaces($0.key) } }

    private func emojiFace(_ path: String, _ decode: PictureDecoder?) -> FontFace? {
        guard fileStatus(at: path)?.isFolder == true else { return FontFile(path: path).flatMap { newFace($0) } }
        guard let decode, let font = EmojiFont(folder: path, decode: decode) else { return nil }
        let face = newFace(FontFile(copying: font.file))
        face?.pictures = font
        return face
    }

    private func openGiven() throws(FontError) {
        var files = configuration.files
        for directory in configuration.folders {
            let (count, known) = (files.count, messages.count)
            collectFontFiles(in: directory, depth: 0, into: &files)
            if files.count == count, messages.count == known {
                messages.append("the folder '\(directory)' has no font files")
            }
        }
        for path in files {
            guard let file = FontFile(path: path), let first = newFace(file) else {
                let problem = FontError.unusable(file: path)
                if configuration.files.contains(path) { throw problem }
                messages.append(problem.description)
                continue
            }
            let faces = [first] + (1..<max(1, first.faceCount)).compactMap { newFace(file, $0) }
            allGiven += faces
            for face in faces {
                for name in [face.family] + face.otherNames { given[name.lowercased(), default: []].append(face) }
            }
        }
    }

    private func collectFontFiles(in directory: String, depth: Int, into files: inout [String]) {
        guard let names = fileNames(inFolder: directory) else {
            messages.append("cannot read the font folder '\(directory)'")
            return
        }
        let endings = [".ttf", ".otf", ".ttc", ".otc", ".woff", ".woff2"]
        for name in names where !name.hasPrefix(".") {
            let path = directory + "/" + name
            guard let status = fileStatus(at: path) else { continue }
            if status.isFolder {
                if depth < 8 { collectFontFiles(in: path, depth: depth + 1, into: &files) }
            } else if endings.contains(where: name.lowercased().hasSuffix) {
                files.append(path)
            }
        }
    }

    func installedFaces(_ family: String) -> [FontFace] {
        let key = family.lowercased()
        if let known = installed[key] { return known }
        let faces = systemFonts?.faces(family: family).compactMap(open) ?? []
        installed[key] = faces
        return faces
    }

    /// The installed italic faces of an embedded family that has none and would be slanted.
    func italics(beside faces: [FontFace]) -> [FontFace] {
        guard let family = faces.first?.family, embeddedFaces(family.lowercased()).first === faces.first,
            !faces.contains(where: { $0.isItalic || !$0.axes.isEmpty })
        else { return [] }
        return installedFaces(family).filter(\.isItalic)
    }

    private func open(_ family: String, _ found: FontFamilyListing.Face) -> FontFace? {
        let key = "\(found.index) \(found.path)"
        if let known = installedFiles[key] { return known }
        guard let face = FontFile(path: found.path).flatMap({ newFace($0, found.index & 0xFFFF) }) else { return nil }
        if face.axes.isEmpty { (face.weights, face.stretches) = (found.weights, found.stretches) }
        (face.family, face.isItalic) = (family, found.isItalic)
        installedFiles[key] = face
        return face
    }

    /// Adds the face of a rule from its first usable source. Otherwise throws the problem of the last source that is a file.
    func register(_ rule: WebFont) throws(FontProblem) {
        var problem = FontProblem("no source gives a font")
        for source in rule.sources {
            let file: FontFile?
            var index = 0
            switch source {
            case .file(let path): file = FontFile(path: path)
            case .data(let bytes):
                do throws(FontProblem) {
                    file = try FontFile(checking: bytes, libraries: libraries)
                } catch {
                    problem = FontProblem("the font is not used: \(error)")
                    file = nil
                }
            case .local(let name):
                let face = local(name)
                (file, index) = (face?.file, face?.index ?? 0)
            }
            guard let file, let face = newFace(file, index) else { continue }
            (face.family, face.ranges, face.adjustment) = (rule.family, rule.ranges, rule.adjustment)
            face.isWebFont = true
            if let weights = rule.weights { face.weights = weights }
            if let stretches = rule.stretches { face.stretches = stretches }
            if let isItalic = rule.isItalic { face.isItalic = isItalic }
            registered[rule.family.lowercased(), default: []].append(face)
            return
        }
        throw problem
    }

    func removeRegistered() -> Bool {
        defer { registered.removeAll() }
        return !registered.isEmpty
    }

    private func local(_ name: String) -> FontFace? {
        let key = name.lowercased()
        if let face = given[key]?.first { return face }
        for face in allEmbeddedFaces() where face.answers(to: key) { return face }
        for (family, found) in systemFonts?.faces() ?? [] where key.hasPrefix(family.lowercased()) {
            if let face = open(family, found), face.answers(to: key) { return face }
        }
        return nil
    }

    // MARK: Families

    /// Families with the same advances.
    private static let metricAliases: [[String]] = [
        ["arial", "arimo", "liberation sans", "albany", "helvetica", "nimbus sans", "texgyreheros", "tex gyre heros"],
        ["times new roman", "tinos", "liberation serif", "thorndale", "times", "nimbus roman", "tex gyre termes"],
        ["courier new", "cousine", "liberation mono", "cumberland", "courier", "nimbus mono ps", "tex gyre cursor"],
        ["calibri", "carlito"], ["cambria", "caladea"], ["georgia", "gelasio"],
        ["arial narrow", "liberation sans narrow"], ["palatino", "palatino linotype", "p052", "tex gyre pagella"],
    ]

    func faces(named family: String) -> [FontFace] {
        let key = family.lowercased()
        if let faces = registered[key] ?? given[key] { return faces }
        let carried = embeddedFaces(key)
        if !carried.isEmpty { return carried }
        let faces = installedFaces(family)
        if !faces.isEmpty { return faces }
        if let stand = systemFonts?.substitute(for: family),
            Self.metricAliases.contains(where: { $0.contains(key) && $0.contains(stand.lowercased()) })
        {
            return installedFaces(stand)
        }
        // Chromium asks fontconfig for these names even if they are quoted.
        guard ["monospace", "serif", "sans"].contains(key) else { return [] }
        return systemFonts?.substitute(for: key).map(installedFaces) ?? []
    }

    /// The families for a generic one in a language, the best first.
    func faces(of generic: GenericFamily, language: String = "") -> [FontFace] {
        if generic == .serif || generic == .sansSerif, let region = Self.region(of: language) {
            let found = faces(named: "Noto \(generic == .serif ? "Serif" : "Sans") CJK \(region)")
            if !found.isEmpty { return found }
        }
        let given = generic == .emoji ? givenEmoji : generic == .math ? allGiven.filter(\.hasFormulaTable) : []
        if !given.isEmpty { return given }
        let found = generic.families.lazy.map { self.faces(named: $0) }.first { !$0.isEmpty }
        return found ?? Self.aliases[generic].flatMap { systemFonts?.substitute(for: $0) }.map(installedFaces) ?? []
    }

    /// The names of generic families for fontconfig.
    private static let aliases: [GenericFamily: String] = [
        .sansSerif: "sans-serif", .systemUI: "sans-serif", .monospace: "monospace", .serif: "serif", .emoji: "emoji",
    ]

    /// The languages whose families are named after a region.
    private static let regions: [(languages: [String], region: String)] = [
        (["ja"], "JP"), (["ko"], "KR"), (["zh-tw", "zh-hk", "zh-mo", "zh-hant"], "TC"), (["zh"], "SC"),
    ]

    static func region(of language: String) -> String? {
        regions.first { FontStyle.isLanguage(language, of: $0.languages) }?.region
    }

    /// The faces for characters that a style's families lack: given ones, then bold ones that browsers prefer for the language.
    func fallbacks(for language: String) -> [[FontFace]] {
        if let region = Self.region(of: language) {
            let given = allGiven.filter { $0.family.hasSuffix(" \(region)") }
            return [given, allGiven, faces(named: "Noto Sans CJK \(region)")]
        }
        let isDevanagari = FontStyle.isLanguage(language, of: ["hi", "mr", "ne", "sa", "kok"])
        return [allGiven, isDevanagari ? faces(named: "Noto Sans Devanagari") : []]
    }

    func defaultFaces() -> [FontFace] {
        let faces = faces(named: "Inter")
        return faces.isEmpty ? given.min { $0.key < $1.key }?.value ?? self.faces(of: .serif) : faces
    }

    func embeddedFallbacks() -> [FontFace] { ["inter", "dejavu sans mono"].compactMap { embeddedFaces($0).first } }

    /// The installed face that fontconfig selects for a character. It sorts all fonts, which takes milliseconds.
    func systemFace(for scalar: UInt32, language: String, isEmoji: Bool) -> FontFace? {
        systemFonts?.face(for: scalar, language: language, isEmoji: isEmoji).flatMap(open)
    }

    // MARK: Matching

    /// The best face by CSS Fonts 4 §5.2, step 4: width first, then slant, then weight.
    static func match(_ request: FaceRequest, in faces: [FontFace]) -> FontFace? {
        let ranks = faces.map { face in
            let stretch = rank(request.stretch, face.stretches, prefersBelow: request.stretch <= 100)
            let slant: Float = face.isItalic == request.isItalic ? 0 : face.canSlant ? 0.5 : 1
            return (stretch, slant, weightRank(request.weight, face.weights))
        }
        return zip(faces, ranks).min { $0.1 < $1.1 }?.0
    }

    /// All faces that match as well as the best one, for families split by `unicode-range`.
    static func matches(_ request: FaceRequest, in faces: [FontFace]) -> [FontFace] {
        guard let best = match(request, in: faces) else { return [] }
        if best.ranges.isEmpty && faces.allSatisfy({ $0.ranges.isEmpty }) { return [best] }
        return faces.reversed().filter {
            $0.weights == best.weights && $0.stretches == best.stretches && $0.isItalic == best.isItalic
        }
    }

    /// The distance of a value from a range: 0 inside it; values in the wrong direction come after all those in the right one.
    private static func rank(_ wanted: Float, _ range: ClosedRange<Float>, prefersBelow: Bool) -> Float {
        if range.contains(wanted) { return 0 }
        let isBelow = range.upperBound < wanted
        let distance = isBelow ? wanted - range.upperBound : range.lowerBound - wanted
        return distance + (isBelow == prefersBelow ? 0 : 10_000)
    }

    private static func weightRank(_ wanted: Float, _ range: ClosedRange<Float>) -> Float {
        // From 400 to 500: weights up to 500 first, then lower ones, then those above 500.
        if wanted >= 400, wanted <= 500, range.lowerBound > 500 { return range.lowerBound - wanted + 20_000 }
        return rank(wanted, range, prefersBelow: wanted < 400)
    }

    // MARK: Listing

    func listing() -> [FontFamilyListing] {
        var families: [FontFamilyListing] = []
        func add(_ faces: [FontFace], _ origin: FontFamilyListing.Origin) {
            for face in faces {
                let entry = FontFamilyListing.Face(
                    path: face.file.path, index: face.index, weights: face.weights, stretches: face.stretches,
                    isItalic: face.isItalic, axes: face.axes)
                if let position = families.firstIndex(where: { $0.name == face.family && $0.origin == origin }) {
                    if !families[position].faces.contains(entry) { families[position].faces.append(entry) }
                } else {
                    families.append(FontFamilyListing(name: face.family, origin: origin, faces: [entry]))
                }
            }
        }
        add(registered.sorted { $0.key < $1.key }.flatMap(\.value), .document)
        add(given.sorted { $0.key < $1.key }.flatMap(\.value), .given)
        add(allEmbeddedFaces(), .embedded)
        let installed = Dictionary(grouping: systemFonts?.faces() ?? [], by: \.family).sorted { $0.key < $1.key }
        return families + installed.map { FontFamilyListing(name: $0, origin: .system, faces: $1.map(\.face)) }
    }
}
