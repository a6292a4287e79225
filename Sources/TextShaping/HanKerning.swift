// `text-spacing-trim: normal` (CSS Text 4 §8.4.3): full-width punctuation next to other full-width punctuation loses its
// blank half, by the font's `halt` feature.

import CTextLibraries
import CUnicode

/// Full-width punctuation by the side on which its ink stands.
private enum HanPunctuation {
    case none, open, close, middle, space

    /// - Parameter language: dots and colons are centred in Traditional Chinese, colons in Japanese.
    init(_ value: UInt32, language: String) {
        switch value {
        case 0x3000: self = .space
        case 0x3008, 0x300A, 0x300C, 0x300E, 0x3010, 0x3014, 0x3016, 0x3018, 0x301A, 0x301D, 0xFF08, 0xFF3B, 0xFF5B,
            0xFF5F:
            self = .open
        case 0x3009, 0x300B, 0x300D, 0x300F, 0x3011, 0x3015, 0x3017, 0x3019, 0x301B, 0x301E, 0x301F, 0xFF09, 0xFF3D,
            0xFF5D, 0xFF60:
            self = .close
        case 0x3001, 0x3002, 0xFF0C, 0xFF0E:
            let isTraditional =
                language.hasPrefix("zh-TW") || language.hasPrefix("zh-Hant") || language.hasPrefix("zh-HK")
            self = isTraditional ? .middle : .close
        case 0x30FB: self = .middle
        case 0xFF1A, 0xFF1B:
            self =
                language.hasPrefix("zh") && !language.hasPrefix("zh-TW") && !language.hasPrefix("zh-H")
                ? .close : .middle
        default: self = .none
        }
    }
}

extension FontContext {
    /// The `halt` features of an item's punctuation; empty for scripts without full-width forms.
    ///
    /// - Parameter base: what HarfBuzz's clusters count from.
    func hanKerning(
        _ item: ShapingItem, _ font: FontInstance, _ chain: FontChain, _ text: UnsafeBufferPointer<UInt8>, base: Int
    ) -> [hb_feature_t] {
        switch Int(item.script) {
        case ScriptHani, ScriptHira, ScriptKana, ScriptBopo, ScriptZyyy: break
        default: return []
        }
        var features: [hb_feature_t] = []
        var previous = HanPunctuation.none
        var previousStart = 0
        var index = item.range.lowerBound
        while index < item.range.upperBound {
            // U+3000 to U+30FF begin with 0xE3, the full-width forms with 0xEF.
            let lead = text[index]
            if lead != 0xE3, lead != 0xEF {
                previous = .none
                index += scalar(in: text, at: index, end: item.range.upperBound).length
                continue
            }
            let (value, length) = scalar(in: text, at: index, end: item.range.upperBound)
            let kind = HanPunctuation(value, language: chain.style.language)
            if kind == .open, previous != .none {
                features.append(halt(index, base))
            } else if previous == .close, kind == .close || kind == .middle || kind == .space {
                features.append(halt(previousStart, base))
            }
            previous = kind
            previousStart = index
            index += length
        }
        return features.isEmpty || font.face.hasPositioning("halt") ? features : []
    }

    private func halt(_ index: Int, _ base: Int) -> hb_feature_t {
        let cluster = UInt32(truncatingIfNeeded: index - base)
        return hb_feature_t(tag: openTypeTag("halt"), value: 1, start: cluster, end: cluster + 1)
    }
}
