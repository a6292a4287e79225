// `font-variant-caps` (CSS Fonts 4 §6.6): the font's own small capitals, or else smaller upper-case letters.

import CFancyTextTextLibraries
import FancyTextBasics
import FancyTextCSS

extension FontCaps {
    /// The features for these capitals, all of which are needed, in order; empty for none.
    fileprivate var features: [StaticString] {
        switch self {
        case .normal: []
        case .smallCaps: ["smcp"]
        case .allSmallCaps: ["smcp", "c2sc"]
        case .petiteCaps: ["pcap"]
        case .allPetiteCaps: ["pcap", "c2pc"]
        case .unicase: ["unic"]
        case .titlingCaps: ["titl"]
        }
    }

    /// The nearest capitals for a font without these features.
    fileprivate var fallback: FontCaps {
        switch self {
        case .petiteCaps: .smallCaps
        case .allPetiteCaps: .allSmallCaps
        case .normal, .smallCaps, .allSmallCaps, .unicase, .titlingCaps: .normal
        }
    }
}

extension FontContext {
    func emitWithCaps(_ item: ShapingItem, _ font: FontInstance, _ result: inout ShapedText) {
        var caps = item.chain.style.caps
        guard caps != .normal else { return emit(item, font, &result) }
        if !font.face.hasFeatures(caps.features), font.face.hasFeatures(caps.fallback.features) { caps = caps.fallback }
        if font.face.hasFeatures(caps.features) || caps == .titlingCaps || !item.chain.style.synthesizesSmallCaps {
            return emit(item, font, extraFeatures: caps.features.map { FontChain.feature($0, 1) }, &result)
        }
        // Whole pixels, as in Blink.
        let size = max(1, (font.size * Synthesis.smallCapitals).rounded())
        let small = self[self.font(font.id, scaledBy: font.size > 0 ? size / font.size : 1)]
        var (start, index, isSmall) = (item.range.lowerBound, item.range.lowerBound, false)
        while index < item.range.upperBound {
            let end = GraphemeBreaker.next(item.text, index, end: item.range.upperBound)
            let properties = Unicode.Scalar(scalar(in: item.text, at: index, end: end).value)?.properties
            let isLower = properties?.changesWhenUppercased ?? false
            let wanted =
                switch caps {
                case .smallCaps, .petiteCaps: isLower || isSmall && properties?.isDefaultIgnorableCodePoint == true
                case .allSmallCaps, .allPetiteCaps: true
                case .unicase: !isLower
                case .normal, .titlingCaps: false
                }
            if wanted != isSmall {
                if index > start { emitCase(item.part(start..<index), isSmall ? small : font, isSmall, &result) }
                (start, isSmall) = (index, wanted)
            }
            index = end
        }
        emitCase(item.part(start..<item.range.upperBound), isSmall ? small : font, isSmall, &result)
    }

    private func emitCase(_ part: ShapingItem, _ font: FontInstance, _ isSmall: Bool, _ result: inout ShapedText) {
        guard isSmall, font.face.pictures == nil else { return emit(part, font, &result) }
        let first = result.glyphs.count
        harfbuzz.bufferClear(buffer)
        harfbuzz.bufferSetContentType(buffer, HB_BUFFER_CONTENT_TYPE_UNICODE)
        for (index, value) in UTF8Scalars(part.text, part.range) {
            for upper in (Unicode.Scalar(value) ?? "\u{FFFD}").properties.uppercaseMapping.unicodeScalars {
                harfbuzz.bufferAdd(buffer, upper.value, UInt32(truncatingIfNeeded: index))
            }
        }
        shapeBuffer(part, font)
        copyGlyphs(font, clusterBase: 0, &result.glyphs)
        hideInvisible(part, &result.glyphs, from: first)
        addSpacing(part, &result.glyphs, from: first)
        appendRun(part, font, glyphs: first..<result.glyphs.count, &result)
    }
}
