// `::first-letter` and `::first-line` (CSS Pseudo 4 §2). In: the styles of a block container's pseudo-elements, pending until its
// first text is found, in it or in a block inside it. Out: for the letter an inline box or a float; for the line a table of the
// styles of the paragraph's runs on it, for layout.

import FancyTextBoxes
import FancyTextCSS
import FancyTextMarkup

/// Pseudo-elements of open block containers for which no text has been found.
struct PendingFirst {
    /// The innermost container's `::first-letter` and `::first-line`, each with the container's own style.
    var letter, line: (style: StyleID, container: StyleID)?
}

enum FirstLetter {
    /// The range of punctuation, a typographic letter and punctuation (CSS Pseudo 4 §2.1.1); nil in a text without such a letter.
    static func range(in bytes: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        var start = 0
        while start < bytes.count, bytes[start].isHTMLSpace { start += 1 }
        guard start < bytes.count else { return nil }
        // A limit that no letter with its punctuation reaches.
        let text = String(decoding: bytes[start..<min(bytes.count, start + 256)], as: UTF8.self)
        var end = text.startIndex
        let scalars = text.unicodeScalars
        func skip(_ isSkipped: (Unicode.Scalar) -> Bool) {
            while end < text.endIndex, isSkipped(scalars[end]) { end = scalars.index(after: end) }
        }
        skip { isPunctuation($0, before: true) }
        // Spaces between the punctuation and the letter belong to it.
        if end > text.startIndex { skip { $0.properties.generalCategory == .spaceSeparator && $0 != "\u{3000}" } }
        guard end < text.endIndex, !scalars[end].properties.isWhitespace else { return nil }
        end = text.index(after: end)
        skip { isPunctuation($0, before: false) }
        return start..<start + text.utf8.distance(from: text.startIndex, to: end)
    }

    private static func isPunctuation(_ scalar: Unicode.Scalar, before letter: Bool) -> Bool {
        switch scalar.properties.generalCategory {
        case .closePunctuation, .initialPunctuation, .finalPunctuation, .otherPunctuation, .connectorPunctuation: true
        case .openPunctuation, .dashPunctuation: letter
        default: false
        }
    }
}

extension BoxGenerator {
    mutating func appendFirstLetter(
        _ pending: (style: StyleID, container: StyleID), _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>,
        _ origin: TextOrigin, to flow: inout Flow
    ) {
        let element = origin.element
        var letter = pending.style
        if origin.style != pending.container {
            // It inherits from the text's own element.
            let container = text.styles[pending.container]
            let change = FirstLineChange(
                container: container, first: text.styles[origin.style], paragraph: container)
            letter = text.styles.append(change.applied(to: text.styles[letter]))
        }
        func append(_ range: Range<Int>, _ style: StyleID, to inline: inout InlineBuilder, _ text: inout BoxTree) {
            var part = origin
            part.style = style
            // If each byte comes from one source byte, the part has its exact source range; otherwise that of the whole text.
            if origin.source.count == bytes.count { part.source = range.shifted(by: origin.source.lowerBound) }
            inline.append(UnsafeBufferPointer(rebasing: bytes[range]), part, to: &text)
        }
        append(0..<range.lowerBound, origin.style, to: &flow.inline, &text)
        if text.styles[letter].box.float == .none {
            flow.inline.openInline(style: letter, element: element)
            append(range, letter, to: &flow.inline, &text)
            flow.inline.closeInline()
        } else {
            appendInlineChild(of: element, style: letter, isFloat: true, to: &flow) { generator, parent, _ in
                let box = generator.openBox(.block, style: letter, element: element, parent: parent)
                var inline = InlineBuilder()
                append(range, letter, to: &inline, &generator.text)
                if range.upperBound < bytes.count, bytes[range.upperBound].isHTMLSpace, !inline.isEmpty {
                    generator.text.runs[generator.text.runs.count - 1].isBeforeSpace = true
                }
                generator.finish(&inline, in: box)
                generator.closeBox(box)
            }
        }
        append(range.upperBound..<bytes.count, origin.style, to: &flow.inline, &text)
    }

    /// Sets the first-line styles of the paragraph in `box`, for its runs and inline boxes.
    mutating func styleFirstLine(of box: Int) {
        guard let (first, container) = pending.line else { return }
        pending.line = nil
        var line = FirstLineStyle()
        let own = text.boxes[box].style
        let change = FirstLineChange(
            container: text.styles[container], first: text.styles[first], paragraph: text.styles[own])
        func add(_ id: StyleID, _ text: inout BoxTree) {
            guard line.styles[id] == nil else { return }
            line.styles[id] = text.styles.append(change.applied(to: text.styles[id]))
        }
        add(own, &text)
        for item in text.boxes[box].items {
            switch text.items[item] {
            case .text(let run): add(text.runs[run].style, &text)
            case .open(let style, _): add(style, &text)
            case .close, .atomic, .float, .breakOpportunity: break
            }
        }
        let style = text.styles[first]
        if style.hasBackground {
            var background = BoxStyle()
            background.backgroundColor = style.box.backgroundColor
            background.backgroundLayers = style.box.backgroundLayers
            background.backgroundClip = style.box.backgroundClip
            line.box = text.styles.append(ComputedStyle(style, box: background))
        }
        text.firstLines[box] = line
    }
}

/// The properties that a first line's contents inherit from `::first-line` (CSS Pseudo 4 §2.2.1): those that the rules changed,
/// where the contents inherit them from the paragraph.
private struct FirstLineChange {
    /// The style of the element with the pseudo-element, and that of the pseudo-element.
    let container, first: ComputedStyle
    /// The style of the block that contains the line, the same one or one inside it.
    let paragraph: ComputedStyle

    func applied(to style: ComputedStyle) -> ComputedStyle {
        var (font, text, box) = (style.font, style.text, style.box)
        func change<Group, Value: Equatable>(
            _ values: inout Group, _ group: KeyPath<ComputedStyle, Group>, _ path: WritableKeyPath<Group, Value>
        ) {
            let (new, old) = (first[keyPath: group][keyPath: path], container[keyPath: group][keyPath: path])
            if new != old, values[keyPath: path] == paragraph[keyPath: group][keyPath: path] {
                values[keyPath: path] = new
            }
        }
        change(&font, \.font, \.families)
        change(&font, \.font, \.size)
        change(&font, \.font, \.stretch)
        change(&font, \.font, \.slant)
        change(&font, \.font, \.caps)
        change(&font, \.font, \.features)
        change(&font, \.font, \.variations)
        let switches = [\FontStyle.synthesizesWeight, \.synthesizesStyle, \.synthesizesSmallCaps]
        for path in switches { change(&font, \.font, path) }
        if first.font.weight != container.font.weight {
            font.weight = style.weight(in: paragraph, of: first.font.weight) ?? font.weight
        }
        change(&text, \.text, \.color)
        change(&text, \.text, \.letterSpacing)
        change(&text, \.text, \.wordSpacing)
        change(&text, \.text, \.lineHeight)
        change(&text, \.text, \.shadows)
        change(&text, \.text, \.transform)
        let own = paragraph.box.decorations
        if first.box.decorations != container.box.decorations, box.decorations.starts(with: own) {
            box.decorations =
                own + first.box.decorations.dropFirst(container.box.decorations.count)
                + box.decorations.dropFirst(own.count)
        }
        return ComputedStyle(font: font, text: text, box: box)
    }
}
