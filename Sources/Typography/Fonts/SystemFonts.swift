// fontconfig as a source of faces: by family, or by a character that no other available font has.

import CFancyTextFontconfig
import CFancyTextTextLibraries

/// A face listed by fontconfig, not yet opened.
typealias SystemFace = (family: String, face: FontFamilyListing.Face)

final class SystemFonts {
    private let fontconfig: UnsafePointer<CFontconfigTable>
    private let config: OpaquePointer
    private var orders: [String: UnsafeMutablePointer<FcFontSet>] = [:]

    /// nil if fontconfig is not installed or has no configuration. Takes milliseconds.
    init?() {
        guard let fontconfig = cfontconfig_load(), let config = fontconfig.pointee.loadConfig() else { return nil }
        (self.fontconfig, self.config) = (fontconfig, config)
    }

    deinit {
        for set in orders.values { fontconfig.pointee.fontSetDestroy(set) }
        fontconfig.pointee.configDestroy(config)
    }

    /// All faces of a family (compared without regard to case), or all installed ones; empty without any.
    func faces(family: String? = nil) -> [SystemFace] {
        let fc = fontconfig.pointee
        guard let pattern = fc.patternCreate() else { return [] }
        defer { fc.patternDestroy(pattern) }
        if let family { _ = fc.patternAddString(pattern, FC_FAMILY, family) }
        guard let objects = fc.objectSetCreate() else { return [] }
        defer { fc.objectSetDestroy(objects) }
        for name in [FC_FAMILY, FC_FILE, FC_INDEX, FC_WEIGHT, FC_WIDTH, FC_SLANT, FC_VARIABLE] {
            _ = fc.objectSetAdd(objects, name)
        }
        guard let set = fc.fontList(config, pattern, objects) else { return [] }
        defer { fc.fontSetDestroy(set) }
        // The high half of the index is the number of a variable font's named instance; only the font itself is used.
        let found = Self.fonts(of: set).compactMap(read).filter { $0.face.index >> 16 == 0 }
        return found.sorted { ($0.face.path, $0.face.index) < ($1.face.path, $1.face.index) }
    }

    /// The family with which fontconfig replaces another, if it is installed.
    func substitute(for family: String) -> String? {
        let fc = fontconfig.pointee
        guard let pattern = fc.patternCreate() else { return nil }
        defer { fc.patternDestroy(pattern) }
        _ = fc.patternAddString(pattern, FC_FAMILY, family)
        _ = fc.patternAddBool(pattern, FC_SCALABLE, 1)
        _ = fc.substitute(config, pattern, FcMatchPattern)
        fc.defaultSubstitute(pattern)
        var result = FcResultMatch
        guard let match = fc.fontMatch(config, pattern, &result) else { return nil }
        defer { fc.patternDestroy(match) }
        return string(match, FC_FAMILY)
    }

    /// The first face in fontconfig's preference for a language that has a character. As in Chromium, the family does not matter.
    /// Sorting costs milliseconds once for each language, a look-up a microsecond.
    func face(for scalar: UInt32, language: String, isEmoji: Bool) -> SystemFace? {
        let fc = fontconfig.pointee
        guard let set = sorted(for: isEmoji ? "und-zsye" : language) else { return nil }
        for font in Self.fonts(of: set) {
            var covered: OpaquePointer?
            guard fc.patternGetCharSet(font, FC_CHARSET, 0, &covered) == FcResultMatch, let covered,
                fc.charSetHas(covered, scalar) != 0, let face = read(font)
            else { continue }
            return face
        }
        return nil
    }

    private static func fonts(of set: UnsafePointer<FcFontSet>) -> some Sequence<OpaquePointer> {
        (0..<Int(set.pointee.nfont)).lazy.compactMap { set.pointee.fonts[$0] }
    }

    /// All fonts in the order of preference for a language; cached.
    private func sorted(for language: String) -> UnsafeMutablePointer<FcFontSet>? {
        if let known = orders[language] { return known }
        let fc = fontconfig.pointee
        guard let pattern = fc.patternCreate() else { return nil }
        defer { fc.patternDestroy(pattern) }
        _ = fc.patternAddBool(pattern, FC_SCALABLE, 1)
        if !language.isEmpty, let languages = fc.langSetCreate() {
            _ = fc.langSetAdd(languages, language)
            _ = fc.patternAddLangSet(pattern, FC_LANG, languages)
            fc.langSetDestroy(languages)
        }
        _ = fc.substitute(config, pattern, FcMatchPattern)
        fc.defaultSubstitute(pattern)
        if language.isEmpty { _ = fc.patternDelete(pattern, FC_LANG) }
        var result = FcResultMatch
        guard let set = fc.fontSort(config, pattern, 0, nil, &result) else { return nil }
        orders[language] = set
        return set
    }

    private func string(_ pattern: OpaquePointer, _ object: String) -> String? {
        var text: UnsafeMutablePointer<FcChar8>?
        guard fontconfig.pointee.patternGetString(pattern, object, 0, &text) == FcResultMatch, let text
        else { return nil }
        return String(cString: text)
    }

    /// A number, or the range of a variable font, mapped to CSS's scale.
    private func range(_ pattern: OpaquePointer, _ object: String, _ convert: (Double) -> Double) -> ClosedRange<Float>?
    {
        let fc = fontconfig.pointee
        var number = 0.0
        if fc.patternGetDouble(pattern, object, 0, &number) == FcResultMatch {
            let value = Float(convert(number))
            return value...value
        }
        var span: OpaquePointer?
        var (low, high) = (0.0, 0.0)
        guard fc.patternGetRange(pattern, object, 0, &span) == FcResultMatch, let span,
            fc.rangeGetDouble(span, &low, &high) != 0
        else { return nil }
        let first = Float(convert(low))
        return first...max(first, Float(convert(high)))
    }

    private func read(_ pattern: OpaquePointer) -> SystemFace? {
        let fc = fontconfig.pointee
        guard let path = string(pattern, FC_FILE), let family = string(pattern, FC_FAMILY) else { return nil }
        var (index, slant): (Int32, Int32) = (0, 0)
        _ = fc.patternGetInteger(pattern, FC_INDEX, 0, &index)
        _ = fc.patternGetInteger(pattern, FC_SLANT, 0, &slant)
        let face = FontFamilyListing.Face(
            path: path, index: Int(index), weights: range(pattern, FC_WEIGHT) { fc.weightToOpenType($0) } ?? 400...400,
            stretches: range(pattern, FC_WIDTH) { $0 } ?? 100...100, isItalic: slant > 0, axes: [])
        return (family, face)
    }
}
