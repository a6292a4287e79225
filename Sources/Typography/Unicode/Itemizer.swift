// Splits text into items for one call of the shaper each: one script, one presentation. Scripts follow UAX #24 with
// Script_Extensions (brackets like their opening ones), presentation UTS #51.

import FancyTextBasics
import CFancyTextUnicode

/// The preferred presentation of a grapheme cluster (UTS #51 §2).
enum Presentation: UInt32 { case unspecified = 0, text = 1, emoji = 2 }

struct Itemizer {
    /// Ranges of one script, an index of the script table; `ScriptZyyy` if no character decides.
    private(set) var runs: [(end: Int, script: UInt8)] = []
    private var brackets: [(closing: UInt32, script: UInt8)] = []

    static let latin = UInt8(ScriptLatn)
    static let common = UInt8(ScriptZyyy)
    static let inherited = UInt8(ScriptZinh)

    /// Computes `runs` for a range of the text. O(range).
    mutating func findScripts(_ text: UTF8Bytes, _ range: Range<Int>) {
        runs.removeAll(keepingCapacity: true)
        brackets.removeAll(keepingCapacity: true)
        // The scripts that are still possible for the current run; an empty list means all.
        var candidates: [UInt8] = []
        for (start, value) in UTF8Scalars(text, range) {
            if value < 0x80 {
                if (value | 0x20) &- 0x61 < 26 {
                    accept(Self.latin, at: start, &candidates)
                    continue
                }
                if value != 0x28, value != 0x29, value != 0x5B, value != 0x5D, value != 0x7B, value != 0x7D { continue }
            }
            let record = unicodeRecord(value)
            if record.script == Self.common || record.script == Self.inherited {
                if record.extensions != 0 {
                    var count: Int32 = 0
                    let list = UnsafeBufferPointer(start: unicode_extensions(record, &count), count: Int(count))
                    if record.script == Self.inherited {
                        // A mark belongs to its base, even if other scripts use it too.
                        let narrowed = candidates.filter { list.contains($0) }
                        if !narrowed.isEmpty { candidates = narrowed }
                    } else {
                        accept(Array(list), at: start, &candidates)
                    }
                    continue
                }
                var kind: UInt8 = 0
                let paired = unicode_bracket(value, &kind)
                if kind == 1, paired != 0 {
                    if brackets.count == 64 { brackets.removeFirst(32) }
                    brackets.append((paired, candidates.first ?? Self.common))
                } else if kind == 2, let opening = brackets.lastIndex(where: { $0.closing == value }) {
                    let script = brackets[opening].script
                    brackets.removeSubrange(opening...)
                    if script != Self.common { accept(script, at: start, &candidates) }
                }
                continue
            }
            accept(record.script, at: start, &candidates)
        }
        finish(at: range.upperBound, candidates)
    }

    private mutating func accept(_ script: UInt8, at start: Int, _ candidates: inout [UInt8]) {
        if candidates.count != 1 || candidates[0] != script { accept([script], at: start, &candidates) }
    }

    private mutating func accept(_ next: [UInt8], at start: Int, _ candidates: inout [UInt8]) {
        let narrowed = candidates.isEmpty ? next : candidates.filter(next.contains)
        if candidates.isEmpty {
            // Brackets before the first decisive character get its script.
            for position in brackets.indices where brackets[position].script == Self.common {
                brackets[position].script = next[0]
            }
        } else if narrowed.isEmpty {
            finish(at: start, candidates)
        }
        candidates = narrowed.isEmpty ? next : narrowed
    }

    private mutating func finish(at end: Int, _ candidates: [UInt8]) {
        guard end > (runs.last?.end ?? -1) else { return }
        let script = candidates.first ?? Self.common
        if let last = runs.indices.last, runs[last].script == script {
            runs[last].end = end
        } else {
            runs.append((end, script))
        }
    }
}

/// The presentation of a cluster by its characters, then the first one's default, then `font-variant-emoji`.
func presentation(of text: UTF8Bytes, _ cluster: Range<Int>, prefersEmoji: Bool?) -> Presentation {
    let (first, length) = scalar(in: text, at: cluster.lowerBound, end: cluster.upperBound)
    if first < 0x7F, length == cluster.count { return .unspecified }
    let base = unicodeRecord(first)
    var result = Presentation.unspecified
    for (_, value) in UTF8Scalars(text, cluster.dropFirst(length)) {
        switch value {
        case 0xFE0E: return base.has(UnicodeFlagEmoji) ? .text : .unspecified
        case 0xFE0F: return base.has(UnicodeFlagEmoji) ? .emoji : .unspecified
        case 0x20E3: if base.has(UnicodeFlagEmoji) { result = .emoji }
        case 0x200D, 0x1F3FB...0x1F3FF: if base.has(UnicodeFlagExtendedPictographic) { result = .emoji }
        case 0x1F1E6...0x1F1FF: result = .emoji
        default: break
        }
    }
    if result != .unspecified { return result }
    if base.has(UnicodeFlagEmojiPresentation) { return prefersEmoji == false ? .text : .emoji }
    if base.has(UnicodeFlagEmoji), first > 0xFF || base.has(UnicodeFlagExtendedPictographic), let prefersEmoji {
        return prefersEmoji ? .emoji : .text
    }
    return .unspecified
}
