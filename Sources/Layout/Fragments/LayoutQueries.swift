// Queries on a finished layout tree: lines, words, links; lists in document order, in CSS pixels and bytes of the text. Transforms
// (CSS Transforms 1 §3), which layout ignores, are applied: parts are reported where they are painted, by their bounding rectangles.

import FancyTextBasics
import FancyTextBoxes
import FancyTextCSS
import FancyTextMarkup
import FancyTextTypography

/// A line box of the document's text.
package struct PlacedLine: Sendable {
    package var text: Range<Int>
    package var rect: Rect
    package var baseline: Float
}

/// A word as placed: a maximal run without white space on one line, or one grapheme cluster of an ideographic script.
package struct PlacedWord: Sendable {
    package var text: Range<Int>
    /// As wide as its advance, and as high as the font's ascent and descent in the inline box in which it begins.
    package var rect: Rect
    package var style: StyleID
    /// The name of the font's family.
    package var font: String
    /// The font size in CSS pixels.
    package var size: Float
    var isIdeograph: Bool
    var element: NodeID
}

/// The boxes of one link, in document order; a link on several lines has several.
package struct PlacedLink: Sendable {
    package var href: String
    /// An element of the document's tree, or of ``LayoutTree/tailTree``.
    package var element: NodeID
    package var isInTail = false
    package var boxes: [Rect]
}

/// The glyphs of one font on one line.
package struct PlacedGlyphs: Sendable {
    package var font: FontID
    /// The range in ``LayoutTree/glyphs``.
    package var glyphs: Range<Int>
    /// On the baseline, at the left of the first glyph.
    package var origin: Point
    /// The document byte to which the glyphs' clusters are relative.
    package var clusterBase: Int
    /// Maps origin and advances to the painted position of the glyphs; nil is the identity.
    package var transform: Transform?
}

extension LayoutTree {
    /// Returns the boxes whose background may cover the canvas, the first one with a background (CSS Backgrounds 3 §2.11.2).
    ///
    /// - Parameter elements: the root element and the body; empty for a snippet, where both are implied.
    package func canvasBoxes(of elements: [NodeID]) -> [Int] {
        func isOwn(_ box: BoxFragment) -> Bool { !box.isAnonymous && box.kind != .canvas && box.kind != .marker }
        if elements.isEmpty, let body = boxes.firstIndex(where: { isOwn($0) && $0.style == .root }) {
            return [boxes[body].parent, body].filter { isOwn(boxes[$0]) }
        }
        return elements.compactMap { element in boxes.firstIndex { isOwn($0) && $0.element == element } }
    }

    /// Lines of the document's own text, without those of markers and alternative texts, in document order.
    package var lineBoxes: [PlacedLine] {
        var result: [PlacedLine] = []
        for line in lines where boxes[line.container].kind != .marker && boxes[line.container].kind != .image {
            var placed = PlacedLine(text: line.text, rect: line.rect.rect, baseline: line.baseline.float)
            if let map = transforms[line.container] {
                placed.baseline = map.apply(Point(x: placed.rect.x, y: placed.baseline)).y
                placed.rect = map.bounds(of: placed.rect)
            }
            result.append(placed)
        }
        if zip(result, result.dropFirst()).contains(where: { $1.text.lowerBound < $0.text.lowerBound }) {
            result.sort { ($0.text.lowerBound, $0.text.upperBound) < ($1.text.lowerBound, $1.text.upperBound) }
        }
        return result
    }

    /// The words, in document order, with those of tails in ``addedText`` if `hasTail`. Linear, except for a sort if
    /// floats or tables leave that order.
    package func words(in styled: BoxTree, fonts: FontContext, hasTail: Bool = false) -> [PlacedWord] {
        var result: [PlacedWord] = []
        var names: [FontID: String] = [:]
        let hasTail = hasTail && !addedText.bytes.isEmpty
        let text = hasTail ? styled.text.prefix(addedText.start) + addedText.bytes : styled.text
        func isIncluded(_ fragment: InlineFragment) -> Bool {
            fragment.kind == .text
                || hasTail && fragment.kind == .generated && fragment.text.lowerBound >= addedText.start
        }
        for line in lines {
            let firstOfLine = result.count
            for index in line.fragments where isIncluded(inlines[index]) {
                let first = result.count
                let axes = boxes[line.container].axes
                appendWords(of: inlines[index], axes, text, styled.styles, &result)
                let font = inlines[index].font
                let name = names[font] ?? fonts.family(font)
                names[font] = name
                for word in first..<result.count { result[word].font = name }
            }
            joinWords(&result, from: firstOfLine, in: text)
            if let map = pageTransform(ofLinesIn: line.container) {
                for word in firstOfLine..<result.count { result[word].rect = map.bounds(of: result[word].rect) }
            }
        }
        result.sort { $0.text.lowerBound < $1.text.lowerBound }
        return result
    }

    /// All glyphs on lines, including those of markers.
    package var glyphRuns: [PlacedGlyphs] {
        var result: [PlacedGlyphs] = []
        for line in lines {
            let axes = boxes[line.container].axes
            for fragment in inlines[line.fragments] where !fragment.glyphs.isEmpty {
                var base = 0
                if fragment.kind == .text, let first = glyphs.firstCluster(of: fragment.glyphs) {
                    base = fragment.text.lowerBound - first
                }
                result.append(
                    PlacedGlyphs(
                        font: fragment.font, glyphs: fragment.glyphs,
                        origin: Point(x: axes.alongLine(fragment.origin), y: axes.acrossLine(fragment.baseline.float)),
                        clusterBase: base, transform: pageTransform(ofLinesIn: line.container)))
            }
        }
        return result
    }

    /// The transform from the finished lines of a box to their painted positions; nil for the identity.
    private func pageTransform(ofLinesIn box: Int) -> Transform? {
        guard let turn = boxes[box].axes.pageTransform else { return transforms[box] }
        return transforms[box]?.after(turn) ?? turn
    }

    /// Appends the words of one fragment, with rectangles along the line. Clusters are visited from left to right, and each takes the advances of its glyphs.
    private func appendWords(
        of fragment: InlineFragment, _ axes: WritingMode, _ text: [UInt8], _ styles: StyleTable,
        _ result: inout [PlacedWord]
    ) {
        guard !fragment.text.isEmpty, fragment.text.upperBound <= text.count else { return }
        let size = styles[fragment.style, or: addedStyles].font.size * fragment.scale
        // Glyph clusters are offsets in the text of the content. The first cluster in logical order is the fragment's first byte.
        guard let firstCluster = glyphs.firstCluster(of: fragment.glyphs) else { return }
        let end = fragment.text.upperBound
        // The starts of clusters in logical order, with their horizontal extents.
        var clusters: [(offset: Int, left: Float, right: Float)] = []
        let place = axes.alongLine(fragment.rect.rect)
        var x = axes.alongLine(fragment.origin)
        for cluster in glyphs.clusters(of: fragment.glyphs) {
            let left = x
            for at in cluster { x += glyphs[at].advance }
            let offset = Int(glyphs[cluster.lowerBound].cluster) - firstCluster
            clusters.append((fragment.text.lowerBound + offset, left, x))
        }
        if fragment.level & 1 == 1 { clusters.reverse() }
        var open: (start: Int, left: Float, right: Float)?
        var isIdeograph = false
        func finish(_ wordEnd: Int) {
            guard let word = open else { return }
            let rect = Rect(x: word.left, y: place.y, width: word.right - word.left, height: place.height)
            result.append(
                PlacedWord(
                    text: word.start..<wordEnd, rect: rect, style: fragment.style, font: "", size: size,
                    isIdeograph: isIdeograph, element: fragment.element))
            open = nil
        }
        text.withUnsafeBufferPointer { bytes in
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
                    let next = GraphemeBreaker.next(bytes, offset, end: max(clusterEnd, offset + 1))
                    let from =
                        fragment.level & 1 == 1
                        ? cluster.right - share * Float(part + 1) : cluster.left + share * Float(part)
                    let kind = wordKind(bytes, offset)
                    if kind != .letter { finish(offset) }
                    isIdeograph = kind == .ideograph
                    if kind != .space {
                        let word = open ?? (offset, from, from + share)
                        open = (word.start, min(word.left, from), max(word.right, from + share))
                    }
                    if kind == .ideograph { finish(next) }
                    offset = next
                }
            }
            finish(end)
        }
    }

    /// Joins the parts of a word that a change of font, style or level divides: neighbours in the text, on one line. The word has
    /// the inline box and font of its first part. No-break spaces of another element are a word of their own.
    private func joinWords(_ words: inout [PlacedWord], from first: Int, in text: [UInt8]) {
        guard words.count - first > 1 else { return }
        func isBlank(_ word: PlacedWord) -> Bool { text[word.text].allSatisfy { $0 == 0xC2 || $0 == 0xA0 } }
        if (first + 1..<words.count).contains(where: { words[$0].text.lowerBound < words[$0 - 1].text.lowerBound }) {
            words[first...].sort { $0.text.lowerBound < $1.text.lowerBound }
        }
        var kept = first
        for index in first + 1..<words.count {
            let word = words[index]
            let last = words[kept]
            if !word.isIdeograph, !last.isIdeograph, word.text.lowerBound == last.text.upperBound,
                word.element == last.element || !isBlank(last)
            {
                let left = min(last.rect.x, word.rect.x)
                (words[kept].rect.x, words[kept].rect.width) = (left, max(last.rect.maxX, word.rect.maxX) - left)
                words[kept].text = last.text.lowerBound..<word.text.upperBound
            } else {
                kept += 1
                words[kept] = word
            }
        }
        words.removeSubrange((kept + 1)...)
    }

    private enum WordKind { case space, letter, ideograph }

    private func wordKind(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int) -> WordKind {
        let byte = bytes[offset]
        if byte < 0x80 { return byte == 0x20 || (0x09...0x0D).contains(byte) ? .space : .letter }
        if byte < 0xE1 { return .letter }
        return switch scalar(in: bytes, at: offset, end: bytes.count).value {
        case 0x1100...0x11FF, 0x2E80...0x9FFF, 0xAC00...0xD7AF, 0xF900...0xFAFF, 0xFF00...0xFFEF, 0x20000...0x3FFFF:
            .ideograph
        default: .letter
        }
    }

    /// The boxes of the links: for each line the inline boxes of the elements at which they begin, or the box itself. Those of
    /// the document are first, in its order, then those of a truncation's tail.
    package func links(in styled: BoxTree) -> [PlacedLink] {
        var own = LinkBoxes(styled.links)
        var tail = LinkBoxes(tailLinks)
        let styleCount = styled.styles.styles.count
        for line in lines {
            for fragment in inlines[line.fragments] {
                let rect = transforms.bounds(of: fragment.rect.rect, inBox: line.container)
                let added = Int(fragment.style.rawValue) - styleCount
                switch fragment.kind {
                case .box where added < 0: own.add(fragment.element, styled.styles[fragment.style].text.link, rect)
                case .box: tail.add(fragment.element, addedStyles[added].text.link, rect)
                case .generated where added >= 0: tail.addText(of: fragment.element, rect)
                case .text, .atomic, .generated: break
                }
            }
        }
        for (index, box) in boxes.enumerated() where box.kind != .marker && box.kind != .canvas && !box.isAnonymous {
            let rect = transforms.bounds(of: box.rect.rect, inBox: index)
            own.add(box.element, styled.styles[box.style].text.link, rect)
        }
        return own.links() + tail.links(inTail: true)
    }
}

private struct LinkBoxes {
    private let table: LinkTable
    private var boxes: [Int: [Rect]] = [:]
    /// The rectangles of text in links that may have no inline boxes: a tail omits the boxes of its blocks.
    private var texts: [Int: [Rect]] = [:]

    init(_ table: LinkTable) { self.table = table }

    /// Adds a box of the element at which a link begins, but not of elements inside it. `target` is the target in its style.
    mutating func add(_ element: NodeID, _ target: String?, _ rect: Rect) {
        let link = table.link(of: element, styledAs: target)
        guard link >= 0, rect.width > 0, rect.height > 0, table[link].element == element else { return }
        boxes[link, default: []].append(rect)
    }

    /// Adds text that is used if the link around it gets no box.
    mutating func addText(of element: NodeID, _ rect: Rect) {
        let link = table.link(of: element)
        guard link >= 0, rect.width > 0, rect.height > 0 else { return }
        texts[link, default: []].append(rect)
    }

    func links(inTail: Bool = false) -> [PlacedLink] {
        boxes.merging(texts) { boxes, _ in boxes }.sorted {
            (table[$0.key].element, $0.key) < (table[$1.key].element, $1.key)
        }.map { link, boxes in
            PlacedLink(href: table[link].target, element: table[link].element, isInTail: inTail, boxes: boxes)
        }
    }
}

struct PlacedTransforms: Sendable {
    private var maps: [Transform] = []
    /// The index in `maps` of each box, −1 for none; empty if no box is transformed.
    private var mapOfBox: [Int] = []

    init() {}

    /// Linear in the boxes if a style has a transform, else in the styles.
    init(_ boxes: [BoxFragment], _ styles: StyleTable) {
        guard styles.styles.contains(where: { $0.isTransformed }) else { return }
        mapOfBox = Array(repeating: -1, count: boxes.count)
        for (index, box) in boxes.enumerated() {
            let around = box.parent >= 0 ? mapOfBox[box.parent] : -1
            mapOfBox[index] = around
            let style = styles[box.style]
            guard !box.isAnonymous, box.box >= 0, box.kind != .tableColumn, style.isTransformed else { continue }
            let frame = style.box.transform.referenceBox.isContentBox ? box.frame : Edges()
            let own = style.box.transform.resolved(in: box.rect.inset(by: frame).rect)
            mapOfBox[index] = maps.count
            maps.append(around >= 0 ? maps[around].after(own) : own)
        }
    }

    /// The transform of the contents of a box; nil for the identity.
    subscript(box: Int) -> Transform? {
        guard !mapOfBox.isEmpty, mapOfBox[box] >= 0 else { return nil }
        return maps[mapOfBox[box]]
    }

    func bounds(of rect: Rect, inBox box: Int) -> Rect { self[box]?.bounds(of: rect) ?? rect }
}
