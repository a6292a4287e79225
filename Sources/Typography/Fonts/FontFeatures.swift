// The OpenType features of a face.

import CFancyTextTextLibraries

extension FontFace {
    /// Returns whether the face's substitution table has all of these features; false for an empty list.
    func hasFeatures(_ tags: [StaticString]) -> Bool {
        let known = features(of: "GSUB", &substitutionFeatures)
        return !tags.isEmpty && tags.allSatisfy { known.contains(openTypeTag($0)) }
    }

    /// Returns whether the face's positioning table has the feature.
    func hasPositioning(_ tag: StaticString) -> Bool {
        features(of: "GPOS", &positioningFeatures).contains(openTypeTag(tag))
    }

    private func features(of table: StaticString, _ kept: inout [UInt32]?) -> [UInt32] {
        if let kept { return kept }
        var tags: [UInt32] = []
        if let shapingFace {
            let harfbuzz = libraries.harfbuzz.pointee
            var chunk = [hb_tag_t](repeating: 0, count: 64)
            var start: UInt32 = 0
            while true {
                var count = UInt32(chunk.count)
                let total = harfbuzz.layoutFeatureTags(shapingFace, openTypeTag(table), start, &count, &chunk)
                tags += chunk.prefix(Int(count))
                start += count
                if count == 0 || start >= total { break }
            }
        }
        kept = tags
        return tags
    }
}
