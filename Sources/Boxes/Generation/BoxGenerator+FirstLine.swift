// `::first-letter` and `::first-line` (CSS Pseudo 4 §2).
//
// In: the styles that rules give a block container's pseudo-elements. Both wait until the container's first text turns up, in it or in
// a block inside it. The letter becomes an inline box or a float of its own; a first line becomes a table of the styles that
// the paragraph's runs have while they are on it, which layout uses.

import Markup
import Styling

/// Pseudo-elements of open block containers that wait for text.
struct PendingFirst {
    /// The innermost container's `::first-letter`.
    var letter: StyleID?
    /// The innermost container's `::first-line`, and the container's own style.
    var line: (style: StyleID, container: StyleID)?
}

/// Which part of a text is its first letter.
enum FirstLetter {
    /// White space skipped, punctuation before, a typographic letter, punctuation after (CSS Pseudo 4 §2.1.1); nil when a
    /// text has no such letter.
    static func range(in bytes: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        var start = 0
        while start < bytes.count, CSSTokenizer.isSpace(bytes[start]) { start += 1 }
        guard start < bytes.count else { return nil }
        // No letter with its punctuation is longer than this.
        let text = String(decoding: bytes[start..<min(bytes.count, start + 256)], as: UTF8.self)
        var end = text.startIndex
        let scalars = text.unicodeScalars
        while end < text.endIndex, isPunctuation(scalars[end]) { end = scalars.index(after: end) }
        guard end < text.endIndex, !scalars[end].properties.isWhitespace else { return nil }
        end = text.index(after: end)
        while end < text.endIndex, isPunctuation(scalars[end]) { end = scalars.index(after: end) }
        return start..<start + text.utf8.distance(from: text.startIndex, to: end)
    }

    private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation, .otherPunctuation: true
        default: false
        }
    }
}

extension BoxGenerator {
    /// Notes the pseudo-elements of a block container whose contents begin; the inner ones come before those around.
    mutating func waitForFirst(of element: NodeID, style: StyleID) {
        guard styled.hasPseudoStyles else { return }
        if let letter = styled.pseudoStyle(of: element, .firstLetter) { pending.letter = letter }
        if let line = styled.pseudoStyle(of: element, .firstLine) { pending.line = (line, style) }
    }

    /// A block container ends: what found no text in it waits no longer, what waited around it goes on.
    mutating func stopWaiting(_ outer: PendingFirst) {
        if pending.letter != nil { pending.letter = outer.letter }
        if pending.line != nil { pending.line = outer.line }
    }

    mutating func appendFirstLetter(
        _ letter: StyleID, _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, style: StyleID, element: NodeID,
        source: Range<Int>, isGenerated: Bool, to flow: inout Flow
    ) {
        // Where every byte stands for itself, each part has its own place in the source; else all of it.
        let isExact = source.count == bytes.count
        func part(_ range: Range<Int>) -> (UnsafeBufferPointer<UInt8>, Range<Int>) {
            (
                UnsafeBufferPointer(rebasing: bytes[range]),
                isExact ? source.lowerBound + range.lowerBound..<source.lowerBound + range.upperBound : source
            )
        }
        func append(_ range: Range<Int>, _ style: StyleID, to inline: inout InlineBuilder, _ text: inout StyledText) {
            let (bytes, source) = part(range)
            inline.append(
                bytes, style: style, element: element, source: source, isGenerated: isGenerated, to: &text)
        }
        append(0..<range.lowerBound, style, to: &flow.inline, &text)
        if text.styles[letter].box.float == .none {
            flow.inline.openInline(style: letter, element: element)
            append(range, letter, to: &flow.inline, &text)
            flow.inline.closeInline()
        } else {
            let item = flow.inline.appendFloat()
            appendInlineChild(&flow, item: item) { generator, parent, _ in
                let box = generator.openBox(.block, style: letter, element: element, parent: parent)
                var inline = InlineBuilder()
                append(range, letter, to: &inline, &generator.text)
                let textRange = inline.finish(&generator.text)
                if !inline.isEmpty { generator.attach(inline.items, text: textRange, to: box) }
                generator.closeBox(box)
            }
        }
        append(range.upperBound..<bytes.count, style, to: &flow.inline, &text)
    }

    /// Gives the paragraph in `box` the styles that its runs and inline boxes have on its first line.
    mutating func styleFirstLine(of box: Int) {
        guard let (first, container) = pending.line else { return }
        pending.line = nil
        var map: [StyleID: StyleID] = [:]
        func add(_ id: StyleID, _ text: inout StyledText) {
            guard map[id] == nil else { return }
            let style = Self.onFirstLine(text.styles[id], container: text.styles[container], first: text.styles[first])
            map[id] = text.styles.append(style)
        }
        add(text.boxes[box].style, &text)
        for item in text.boxes[box].items {
            switch text.items[item] {
            case .text(let run): add(text.runs[run].style, &text)
            case .open(let style, _): add(style, &text)
            case .close, .atomic, .float, .breakOpportunity: break
            }
        }
        text.firstLines[box] = map
    }

    /// A style in `container` as it is on a first line: what was inherited comes from `first` instead.
    static func onFirstLine(_ style: ComputedStyle, container: ComputedStyle, first: ComputedStyle) -> ComputedStyle {
        var font = style.font
        var text = style.text
        var box = style.box
        func inherit<Root, Value: Equatable>(
            _ root: inout Root, _ from: Root, _ to: Root, _ path: WritableKeyPath<Root, Value>
        ) {
            if root[keyPath: path] == from[keyPath: path] { root[keyPath: path] = to[keyPath: path] }
        }
        inherit(&font, container.font, first.font, \.families)
        inherit(&font, container.font, first.font, \.size)
        font.weight = style.weight(in: container, of: first.font.weight) ?? font.weight
        inherit(&font, container.font, first.font, \.stretch)
        inherit(&font, container.font, first.font, \.slant)
        inherit(&font, container.font, first.font, \.caps)
        inherit(&font, container.font, first.font, \.features)
        inherit(&font, container.font, first.font, \.variations)
        inherit(&text, container.text, first.text, \.color)
        inherit(&text, container.text, first.text, \.letterSpacing)
        inherit(&text, container.text, first.text, \.wordSpacing)
        inherit(&text, container.text, first.text, \.lineHeight)
        inherit(&text, container.text, first.text, \.shadows)
        inherit(&text, container.text, first.text, \.transform)
        let own = container.box.decorations
        if box.decorations.starts(with: own) {
            box.decorations = first.box.decorations + box.decorations.dropFirst(own.count)
        }
        return ComputedStyle(font: font, text: text, box: box)
    }
}
