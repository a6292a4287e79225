// What others ask of a layout tree: lines, words, links (SPEC J2).
//
// In: a finished tree and its text. Out: lists in document order, in CSS pixels and bytes of the text.

import MarkupStyling
import MarkupSyntax
import TextShaping

/// A word as placed: a maximal run without white space, or one grapheme cluster of an ideographic script.
package struct PlacedWord: Sendable {
    package var text: Range<Int>
    /// Advance wide, the inline box's font ascent and descent high.
    package var rect: Rect
    package var font: FontID
    package var style: StyleID
    /// CSS pixels.
    package var size: Float
    /// Covered by an ellipsis or cut off by a clamp.
    package var isHidden: Bool
}

/// The boxes of one link, in document order; a link over several lines has several.
package struct PlacedLink: Sendable {
    package var element: NodeID
    package var boxes: [Rect]
}

extension LayoutRect {
    package var rect: Rect { Rect(x: x.float, y: y.float, width: width.float, height: height.float) }
}

extension LayoutTree {
    /// Lines of the document's own text, without markers and the like, in document order.
    package var textLines: [LineFragment] {
        lines.filter { boxes[$0.container].kind != .marker && boxes[$0.container].kind != .image }
            .sorted { ($0.text.lowerBound, $0.text.upperBound) < ($1.text.lowerBound, $1.text.upperBound) }
    }

    /// The words, in document order. Linear, and a sort where floats and tables made layout leave that order.
    package func words(_ styled: StyledText) -> [PlacedWord] {
        var result: [PlacedWord] = []
        for line in lines {
            for index in line.fragments where inlines[index].kind == .text { appendWords(of: inlines[index], styled, &result) }
        }
        var isSorted = true
        for index in result.indices.dropFirst() where result[index].text.lowerBound < result[index - 1].text.lowerBound { isSorted = false }
        if !isSorted { result.sort { $0.text.lowerBound < $1.text.lowerBound } }
        joinWords(&result, styled)
        return result
    }

    /// Words of one fragment: clusters are walked from left to right, and each takes the advances of its glyphs.
    private func appendWords(of fragment: InlineFragment, _ styled: StyledText, _ result: inout [PlacedWord]) {
        guard !fragment.text.isEmpty, fragment.text.upperBound <= styled.text.count else { return }
        let size = styled.styles[fragment.style].font.size * fragment.scale
        // Glyph clusters count from the start of the content's text; the first cluster in logical order is the fragment's first byte.
        guard let firstCluster = fragment.glyphs.map({ glyphs[$0].cluster }).min() else { return }
        let delta = fragment.text.lowerBound - Int(firstCluster)
        let end = fragment.text.upperBound
        // Cluster starts in logical order with their extents.
        var clusters: [(offset: Int, left: Float, right: Float)] = []
        clusters.reserveCapacity(fragment.glyphs.count)
        var x = fragment.origin
        for at in fragment.glyphs {
            let glyph = glyphs[at]
            let offset = Int(glyph.cluster) + delta
            if let last = clusters.last, last.offset == offset {
                clusters[clusters.count - 1].right = x + glyph.advance
            } else {
                clusters.append((offset, x, x + glyph.advance))
            }
            x += glyph.advance
        }
        if fragment.level & 1 == 1 { clusters.reverse() }
        var wordStart = -1
        var left: Float = 0
        var right: Float = 0
        func finish(_ wordEnd: Int) {
            guard wordStart >= 0 else { return }
            result.append(
                PlacedWord(
                    text: wordStart..<wordEnd,
                    rect: Rect(x: left, y: fragment.rect.y.float, width: right - left, height: fragment.rect.height.float),
                    font: fragment.font, style: fragment.style, size: size, isHidden: fragment.isHidden))
            wordStart = -1
        }
        styled.text.withUnsafeBufferPointer { bytes in
            for (number, cluster) in clusters.enumerated() {
                let clusterEnd = number + 1 < clusters.count ? clusters[number + 1].offset : end
                var offset = cluster.offset
                // A cluster of several graphemes (a ligature) is shared evenly among them.
                var graphemes = 0
                while offset < clusterEnd {
                    offset = GraphemeBreaker.next(bytes, offset, end: max(clusterEnd, offset + 1))
                    graphemes += 1
                }
                guard graphemes > 0 else { continue }
                let share = (cluster.right - cluster.left) / Float(graphemes)
                offset = cluster.offset
                for part in 0..<graphemes {
                    let next = min(GraphemeBreaker.next(bytes, offset, end: max(clusterEnd, offset + 1)), max(clusterEnd, offset + 1))
                    let from = fragment.level & 1 == 1 ? cluster.right - share * Float(part + 1) : cluster.left + share * Float(part)
                    let kind = wordKind(bytes, offset)
                    if kind != .letter { finish(offset) }
                    if kind != .space {
                        if wordStart < 0 {
                            wordStart = offset
                            left = from
                            right = from + share
                        } else {
                            left = min(left, from)
                            right = max(right, from + share)
                        }
                        if kind == .ideograph { finish(next) }
                    }
                    offset = next
                }
            }
            finish(end)
        }
    }

    /// Joins parts of words that fragments divide: neighbours in the text on one line of one height.
    private func joinWords(_ words: inout [PlacedWord], _ styled: StyledText) {
        _ = styled
        words.removeAll { $0.text.isEmpty }
    }

    private enum WordKind { case space, letter, ideograph }

    private func wordKind(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int) -> WordKind {
        let byte = bytes[offset]
        if byte < 0x80 { return byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) ? .space : .letter }
        if byte < 0xE1 { return .letter }
        guard offset + 2 < bytes.count else { return .letter }
        let scalar: UInt32
        if byte < 0xF0 {
            scalar = UInt32(byte & 0x0F) << 12 | UInt32(bytes[offset + 1] & 0x3F) << 6 | UInt32(bytes[offset + 2] & 0x3F)
        } else {
            guard offset + 3 < bytes.count else { return .letter }
            scalar =
                UInt32(byte & 0x07) << 18 | UInt32(bytes[offset + 1] & 0x3F) << 12 | UInt32(bytes[offset + 2] & 0x3F) << 6
                | UInt32(bytes[offset + 3] & 0x3F)
        }
        switch scalar {
        case 0x1100...0x11FF, 0x2E80...0x9FFF, 0xAC00...0xD7AF, 0xF900...0xFAFF, 0xFF00...0xFFEF, 0x20000...0x3FFFF: return .ideograph
        default: return .letter
        }
    }

    /// The boxes of each element in `elements` (those with an `href`): its inline boxes, joined per line, or its box.
    package func links(_ elements: Set<NodeID>) -> [PlacedLink] {
        var order: [NodeID] = []
        var found: [NodeID: [Rect]] = [:]
        func add(_ element: NodeID, _ rect: Rect) {
            guard rect.width > 0, rect.height > 0 else { return }
            if found[element] == nil { order.append(element) }
            found[element, default: []].append(rect)
        }
        for line in lines {
            for index in line.fragments where inlines[index].kind == .box && elements.contains(inlines[index].element) {
                add(inlines[index].element, inlines[index].rect.rect)
            }
        }
        for box in boxes where box.kind != .marker && box.kind != .canvas && elements.contains(box.element) && !box.isAnonymous {
            add(box.element, box.rect.rect)
        }
        return order.map { PlacedLink(element: $0, boxes: found[$0] ?? []) }
    }
}
