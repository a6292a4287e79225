// The OpenType features of a face.

import CFancyTextTextLibraries

extension FontFace {
    /// Returns whether the face's substitution table has all of these features; false for an empty list.
    func hasFeatures(_ tags: [StaticString]) -> Bool {
        !tags.isEmpty && tags.allSatisfy { substitutions.contains(openTypeTag($0)) }
    }

    func features(of table: StaticString) -> [UInt32] {
        var tags: [UInt32] = []
        guard let shapingFace else { return tags }
        var chunk = [hb_tag_t](repeating: 0, count: 64)
        while true {
            var count = UInt32(chunk.count)
            let start = UInt32(tags.count)
            let total = harfbuzz.layoutFeatureTags(shapingFace, openTypeTag(table), start, &count, &chunk)
            tags += chunk.prefix(Int(count))
            if count == 0 || tags.count >= total { return tags }
        }
    }
}
