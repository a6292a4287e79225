// A font style with the fonts of its family list that text has needed, its OpenType features, and fallback fonts.

import CFancyTextTextLibraries
import FancyTextBasics
import FancyTextCSS

final class FontChain {
    let id: FontChainID
    let style: FontStyle
    let request: FaceRequest
    var primary: FontInstance?
    /// True if fonts for a part of the characters (`unicode-range`), which still use them, precede the primary font.
    var primaryHasRivals = false
    /// Fonts of the families before `nextFamily`, in order.
    var entries: [FontInstance] = []
    var nextFamily = 0
    /// The fonts chosen for single characters; the top bits of the key are the wanted presentation.
    var fallbacks: [UInt32: FontInstance] = [:]
    private(set) lazy var language: hb_language_t? =
        style.language.isEmpty ? nil : harfbuzz.languageFromString(style.language, -1)
    let features: [hb_feature_t]
    let featuresWithoutLigatures: [hb_feature_t]
    /// True if full-width punctuation is narrowed next to other punctuation; false if the author sets its width.
    let trimsPunctuation: Bool
    /// True if opening punctuation is narrowed at the start of lines too.
    var trimsStart: Bool {
        trimsPunctuation && (style.punctuationTrim == .start || style.punctuationTrim == .startExceptFirst)
    }

    init(id: FontChainID, style: FontStyle) {
        (self.id, self.style) = (id, style)
        request = FaceRequest(style)
        let explicit = style.features.map(Self.feature)
        features = (style.kerning.map { [Self.feature("kern", $0 ? 1 : 0)] } ?? []) + explicit
        // CSS Text 3 §8.2: no optional ligatures where letter-spacing applies, unless the author requests them.
        let widths = (["halt", "palt", "chws", "pwid", "hwid", "vhal", "vpal"] as [StaticString]).map(openTypeTag)
        trimsPunctuation =
            style.punctuationTrim != .none && !explicit.contains { $0.value != 0 && widths.contains($0.tag) }
        featuresWithoutLigatures = [Self.feature("liga", 0), Self.feature("clig", 0)] + features
    }

    static func feature(_ tag: StaticString, _ value: UInt32) -> hb_feature_t {
        feature(FontFeature(tag: openTypeTag(tag), value: value))
    }
    static func feature(_ feature: FontFeature) -> hb_feature_t {
        hb_feature_t(tag: feature.tag, value: feature.value, start: 0, end: .max)
    }
}

extension FontContext {
    /// The font for one grapheme cluster (CSS Fonts 4 §5.3).
    func font(
        forCluster text: UTF8Bytes, _ cluster: Range<Int>, chain: FontChain, presentation: Presentation
    ) -> FontInstance {
        let (first, length) = scalar(in: text, at: cluster.lowerBound, end: cluster.upperBound)
        let isSingle = length == cluster.count
        let primary = primaryInstance(chain)
        if presentation == .unspecified, isSingle {
            if !chain.primaryHasRivals, primary.face.glyph(for: first) != 0 { return primary }
            if let known = chain.fallbacks[first] { return known }
        }
        let found = search(text, cluster, first: first, chain: chain, presentation: presentation)
        if isSingle { chain.fallbacks[first | presentation.rawValue << 30] = found }
        return found
    }

    private func search(
        _ text: UTF8Bytes, _ cluster: Range<Int>, first: UInt32, chain: FontChain, presentation: Presentation
    ) -> FontInstance {
        let key = first | presentation.rawValue << 30
        if cluster.count <= 4, let known = chain.fallbacks[key], covers(known.face, text, cluster) { return known }
        // The fonts of the list, except those that have the wrong presentation for the cluster.
        var second: FontInstance?
        for candidate in entries(of: chain) where covers(candidate.face, text, cluster) {
            if suits(candidate.face, presentation) { return candidate }
            second = second ?? candidate
        }
        if presentation == .emoji, let emoji = FontDatabase.match(chain.request, in: database.faces(of: .emoji)),
            covers(emoji, text, cluster), let made = adopt(emoji, chain)
        {
            return made
        }
        for faces in database.fallbacks(for: chain.style.language) {
            var best = FontDatabase.match(chain.request, in: faces)
            if best.map({ covers($0, text, cluster) }) == false {
                best = FontDatabase.match(chain.request, in: faces.filter { covers($0, text, cluster) })
            }
            guard let best, let made = adopt(best, chain) else { continue }
            if suits(best, presentation) { return made }
            second = second ?? made
        }
        if let face = systemFallback(for: first, language: chain.style.language, isEmoji: presentation == .emoji),
            suits(face, presentation) || second == nil, let made = adopt(face, chain)
        {
            return made
        }
        if let second { return second }
        for face in database.embeddedFallbacks() where face.glyph(for: first) != 0 {
            if let made = adopt(face, chain) { return made }
        }
        // No font covers the whole cluster: the first one with its base is used, so only the marks are missing.
        return entries(of: chain).first { $0.face.glyph(for: first) != 0 } ?? primaryInstance(chain)
    }

    private func adopt(_ face: FontFace, _ chain: FontChain) -> FontInstance? {
        instance(of: face, style: chain.style, isFallback: true)
    }

    private func suits(_ face: FontFace, _ presentation: Presentation) -> Bool {
        switch presentation {
        case .unspecified: true
        case .text: !face.hasColor
        case .emoji: face.hasColor
        }
    }

    /// Returns whether the face has a glyph for every visible scalar of the cluster, directly or by canonical equivalence.
    private func covers(_ face: FontFace, _ text: UTF8Bytes, _ cluster: Range<Int>) -> Bool {
        var previous: UInt32 = 0
        for (_, value) in UTF8Scalars(text, cluster) {
            // HarfBuzz replaces a non-breaking hyphen that the font lacks with its hyphen.
            if face.glyph(for: value) != 0 || value == 0x2011 && face.glyph(for: 0x2010) != 0 {
                previous = value
                continue
            }
            if isInvisible(value) { continue }
            let functions = harfbuzz.unicodeFunctions()
            var (first, second): (hb_codepoint_t, hb_codepoint_t) = (0, 0)
            if harfbuzz.unicodeDecompose(functions, value, &first, &second) != 0, face.glyph(for: first) != 0,
                second == 0 || face.glyph(for: second) != 0
            {
                previous = value
                continue
            }
            guard previous != 0, harfbuzz.unicodeCompose(functions, previous, value, &first) != 0,
                face.glyph(for: first) != 0
            else { return false }
            previous = first
        }
        return true
    }
}

/// Returns whether a character has no glyph of its own: controls, default ignorables, the object replacement character.
@inline(__always) func isInvisible(_ scalar: UInt32) -> Bool {
    if scalar < 0x7F { return scalar < 0x20 }
    if scalar < 0xA0 || scalar == 0xFFFC { return true }
    return unicodeRecord(scalar).isDefaultIgnorable
}
