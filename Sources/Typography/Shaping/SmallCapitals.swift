// `font-variant-caps` (CSS Fonts 4 §6.6): the font's own small capitals if it has them, else upper-case letters of a smaller
// size.

import FancyTextBasics
import CFancyTextTextLibraries
import FancyTextStyling

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
    /// Emits an item with its capitals.
    func emitWithCaps(
        _ item: ShapingItem, _ font: FontInstance, _ chain: FontChain, _ text: UnsafeBufferPointer<UInt8>,
        _ paragraph: Range<Int>,
        _ result: inout ShapedText
    ) {
        var caps = chain.style.caps
        if caps == .normal {
            emit(item, font, chain, text, paragraph, &result)
            return
        }
        if !font.face.hasFeatures(caps.features), font.face.hasFeatures(caps.fallback.features),
            caps.fallback != .normal
        {
            caps = caps.fallback
        }
        if font.face.hasFeatures(caps.features) || caps == .titlingCaps || !chain.style.synthesizesSmallCaps {
            let features = caps.features.map { FontChain.feature($0, 1) }
            emit(item, font, chain, text, paragraph, extraFeatures: features, &result)
            return
        }
        emitSynthesized(item, font, caps, chain, text, paragraph, &result)
    }

    private func emitSynthesized(
        _ item: ShapingItem, _ font: FontInstance, _ caps: FontCaps, _ chain: FontChain,
        _ text: UnsafeBufferPointer<UInt8>,
        _ paragraph: Range<Int>, _ result: inout ShapedText
    ) {
        // Whole pixels, as in Blink.
        let size = max(1, (font.size * Synthesis.smallCapitals).rounded())
        let smallID = self.font(font.id, scaledBy: font.size > 0 ? size / font.size : 1)
        let small = instances[Int(smallID.rawValue)]
        var start = item.range.lowerBound
        var index = start
        var isSmall = false
        while index < item.range.upperBound {
            let end = GraphemeBreaker.next(text, index, end: item.range.upperBound)
            let properties = scalarProperties(scalar(in: text, at: index, end: end).value)
            let isLower = properties?.changesWhenUppercased ?? false
            let wanted: Bool
            switch caps {
            case .smallCaps, .petiteCaps:
                wanted = isLower || (isSmall && (properties?.isDefaultIgnorableCodePoint ?? false))
            case .allSmallCaps, .allPetiteCaps: wanted = true
            case .unicase: wanted = !isLower
            case .normal, .titlingCaps: wanted = false
            }
            if wanted != isSmall {
                if index > start {
                    emitCase(item, start..<index, isSmall, font, small, chain, text, paragraph, &result)
                }
                start = index
                isSmall = wanted
            }
            index = end
        }
        emitCase(item, start..<item.range.upperBound, isSmall, font, small, chain, text, paragraph, &result)
    }

    private func scalarProperties(_ value: UInt32) -> Unicode.Scalar.Properties? { Unicode.Scalar(value)?.properties }

    private func emitCase(
        _ item: ShapingItem, _ range: Range<Int>, _ isSmall: Bool, _ font: FontInstance, _ small: FontInstance,
        _ chain: FontChain,
        _ text: UnsafeBufferPointer<UInt8>, _ paragraph: Range<Int>, _ result: inout ShapedText
    ) {
        var part = item
        part.range = range
        guard isSmall, small.face.pictures == nil else {
            emit(part, isSmall ? small : font, chain, text, paragraph, &result)
            return
        }
        let harfbuzz = libraries.harfbuzz.pointee
        let first = result.glyphs.count
        harfbuzz.bufferClear(buffer)
        harfbuzz.bufferSetContentType(buffer, HB_BUFFER_CONTENT_TYPE_UNICODE)
        var index = range.lowerBound
        while index < range.upperBound {
            let (value, length) = scalar(in: text, at: index, end: range.upperBound)
            for upper in (Unicode.Scalar(value) ?? "\u{FFFD}").properties.uppercaseMapping.unicodeScalars {
                harfbuzz.bufferAdd(buffer, upper.value, UInt32(truncatingIfNeeded: index))
            }
            index += length
        }
        prepareBuffer(part, chain, paragraph)
        let features = part.span.letterSpacing != 0 ? chain.featuresWithoutLigatures : chain.features
        harfbuzz.shape(small.shaper, buffer, features, UInt32(features.count))
        copyGlyphs(small, clusterBase: 0, &result.glyphs)
        hideInvisible(part, small, text, &result.glyphs, from: first)
        if part.span.letterSpacing != 0 || part.span.wordSpacing != 0 {
            addSpacing(part, text, &result.glyphs, from: first)
        }
        appendRun(part, small, glyphs: first..<result.glyphs.count, &result)
    }
}
