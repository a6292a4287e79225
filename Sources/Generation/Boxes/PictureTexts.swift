// Text of an inline `svg` whose letters have places: lists of positions, `rotate`, `textLength`, `textPath` (SVG 2 §11.5, §11.8).
// In: a `text` element, the advances and shapes of its characters. Out: the place of each character.

import FancyTextBasics
import FancyTextBoxes
import FancyTextMarkup
import FancyTextPlatform
import FancyTextStyling

struct PictureTexts {
    private let tree: MarkupTree
    private let styled: StyledTree
    private let shapes: PictureShapes
    private let characters: [MeasuredText: [MeasuredCharacter]]
    /// The texts whose advances are needed, in document order.
    private(set) var measured: [MeasuredText] = []
    /// The text nodes that the picture shows differently.
    private(set) var texts: [NodeID: PictureText] = [:]
    /// The contents of the `text` element's text nodes, with white space collapsed.
    private var collapsed: [NodeID: String] = [:]
    /// The letters of the `text` element, and those of each element in it.
    private var line: [Letter] = []
    private var ranges: [(element: NodeID, letters: Range<Int>)] = []

    private struct Letter {
        var shown: PictureLetter
        var node: NodeID
        var advance: Float = 0
        var x, y: Float?
        var dx: Float = 0, dy: Float = 0
        /// The `textPath` around it.
        var path: NodeID?
        var isHidden = false
    }

    init(
        _ tree: MarkupTree, _ styled: StyledTree, _ shapes: PictureShapes,
        _ characters: [MeasuredText: [MeasuredCharacter]]
    ) {
        (self.tree, self.styled, self.shapes, self.characters) = (tree, styled, shapes, characters)
    }

    /// Places the letters of a `text` element, if the decoder of the picture cannot.
    mutating func place(_ text: NodeID) {
        let elements = tree.subtree(text).filter { tree.kind($0) == .element }
        collapse(text)
        guard elements.contains(where: needsPlaces) else {
            for (node, text) in collapsed { texts[node] = .plain(text) }
            return
        }
        (line, ranges) = ([], [])
        collect(text, path: nil)
        for (element, range) in ranges { read(element, range.clamped(to: 0..<line.count)) }
        for (element, range) in ranges { stretch(element, range.clamped(to: 0..<line.count)) }
        putLetters()
        var letters: [NodeID: [PictureLetter]] = [:]
        for node in tree.subtree(text) where tree.kind(node) == .text { letters[node] = [] }
        for letter in line where !letter.isHidden { letters[letter.node]?.append(letter.shown) }
        for (node, letters) in letters { texts[node] = .letters(letters) }
    }

    /// Collapses the white space of a `text` element over all of its elements (CSS Text 3 §4.1). It has one line (SVG 2 §11.7).
    private mutating func collapse(_ text: NodeID) {
        collapsed = [:]
        var last: NodeID?
        var isAfterSpace = true
        // The elements whose text is a part: titles are not.
        var shown: Set = [text]
        for node in tree.subtree(text).dropFirst() {
            guard let parent = tree.parent(node), shown.contains(parent) else { continue }
            guard tree.kind(node) == .text else {
                let isPart = ["tspan", "a", "textpath"].contains(tree.name(node))
                if isPart, styled.computed(node).box.display != .none { shown.insert(node) }
                continue
            }
            let style = styled.computed(parent)
            let keepsSpaces = [.preserve, .breakSpaces, .preserveSpaces].contains(style.text.whiteSpaceCollapse)
            var own = String.UnicodeScalarView()
            for scalar in TextTransform.apply(style, to: tree.text(node)).unicodeScalars {
                let isSpace = " \t\n\r".unicodeScalars.contains(scalar)
                if isSpace, isAfterSpace, !keepsSpaces { continue }
                own.append(isSpace ? " " : scalar)
                (isAfterSpace, last) = (isSpace && !keepsSpaces, node)
            }
            collapsed[node] = String(own)
        }
        if isAfterSpace, let last { collapsed[last]?.unicodeScalars.removeLast() }
    }

    private func needsPlaces(_ element: NodeID) -> Bool {
        tree.name(element) == "textpath" || isOutlined(element) || styled.computed(element).text.wordSpacing != 0
            || tree.hasAttribute(element, "rotate") || tree.hasAttribute(element, "textlength")
            || ["x", "y", "dx", "dy"].contains { numbers($0, of: element).count > 1 }
            || tree.children(element).contains { collapsed[$0]?.contains(where: \.isEmoji) == true }
    }

    /// Returns whether text has a font of an `@font-face` rule, or capitals that the decoder does not know.
    private func isOutlined(_ element: NodeID) -> Bool {
        if styled.computed(element).font.caps != .normal { return true }
        guard !styled.fontFaces.isEmpty else { return false }
        return styled.computed(element).font.families.contains { family in
            guard case .named(let name) = family else { return false }
            return styled.fontFaces.contains { $0.family.lowercased() == name.lowercased() }
        }
    }

    private func numbers(_ name: String, of element: NodeID) -> [Float] {
        let base = name.hasSuffix("y") ? shapes.viewBox.height : shapes.viewBox.width
        return (tree.attribute(element, name) ?? "").split { $0 == "," || $0.isWhitespace }
            .map { PictureShapes.length(String($0), against: base) }
    }

    /// Deepest nesting of elements in a text; the drawing library refuses deeper ones.
    private static let deepest = 256

    /// Appends the characters of an element.
    private mutating func collect(_ element: NodeID, path: NodeID?, depth: Int = 0) {
        guard depth < Self.deepest else { return }
        let (start, index) = (line.count, ranges.count)
        ranges.append((element, start..<start))
        for child in tree.children(element) {
            if tree.kind(child) == .element, styled.computed(child).box.display != .none {
                collect(child, path: tree.name(child) == "textpath" ? child : path, depth: depth + 1)
            } else if let own = collapsed[child] {
                let style = styled.computed(element)
                let key = MeasuredText(
                    text: own, font: style.font, letterSpacing: style.text.letterSpacing,
                    wordSpacing: style.text.wordSpacing, isOutlined: isOutlined(element))
                measured.append(key)
                for (letter, shown) in zip(own, characters[key] ?? own.map { _ in MeasuredCharacter() }) {
                    let letter = PictureLetter(
                        text: String(letter), outline: shown.outline, picture: shown.picture, em: style.font.size)
                    line.append(Letter(shown: letter, node: child, advance: shown.advance, path: path))
                }
            }
        }
        ranges[index].letters = start..<line.count
    }

    /// Reads the positions that an element gives to its letters; those of inner elements are read later and win.
    private mutating func read(_ element: NodeID, _ range: Range<Int>) {
        guard tree.name(element) != "textpath" else { return }
        for (index, x) in zip(range, numbers("x", of: element)) { line[index].x = x }
        for (index, y) in zip(range, numbers("y", of: element)) { line[index].y = y }
        for (index, dx) in zip(range, numbers("dx", of: element)) { line[index].dx = dx }
        for (index, dy) in zip(range, numbers("dy", of: element)) { line[index].dy = dy }
        let turns = numbers("rotate", of: element)
        guard !turns.isEmpty else { return }
        for (number, index) in range.enumerated() { line[index].shown.degrees = turns[min(number, turns.count - 1)] }
    }

    /// Applies `textLength` of an element (SVG 2 §11.3).
    private mutating func stretch(_ element: NodeID, _ range: Range<Int>) {
        guard let length = numbers("textlength", of: element).first, length > 0, !range.isEmpty else { return }
        let natural = line[range].reduce(0) { $0 + $1.advance }
        guard natural > 0 else { return }
        let isScaled = tree.attribute(element, "lengthadjust") == "spacingAndGlyphs"
        let space = (length - natural) / Float(max(1, range.count - 1))
        for index in range {
            if isScaled {
                line[index].shown.stretch *= length / natural
                line[index].advance *= length / natural
            } else if index + 1 < range.upperBound {
                line[index].advance += space
            }
        }
    }

    /// Sets the places of letters: along the line, aligned in their chunks, and on paths.
    private mutating func putLetters() {
        var at = Point.zero
        var starts: [Int] = []
        for index in line.indices {
            let entersPath = line[index].path != nil && (index == 0 || line[index - 1].path != line[index].path)
            if entersPath { at = .zero }
            if index == 0 || entersPath || line[index].x != nil || line[index].y != nil { starts.append(index) }
            at.x = (line[index].x ?? at.x) + line[index].dx
            at.y = (line[index].path == nil ? line[index].y ?? at.y : at.y) + line[index].dy
            line[index].shown.place = at
            at.x += line[index].advance
        }
        for (number, start) in starts.enumerated() {
            let end = number + 1 < starts.count ? starts[number + 1] : line.count
            let length = line[end - 1].shown.place.x + line[end - 1].advance - line[start].shown.place.x
            let anchor = inherited("text-anchor", of: tree.parent(line[start].node))
            let shift = anchor == "middle" ? length / 2 : anchor == "end" ? length : 0
            for index in start..<end { line[index].shown.place.x -= shift }
        }
        var known: (path: NodeID, lines: [[Point]], offset: Float)?
        for index in line.indices {
            guard let path = line[index].path else { continue }
            if known?.path != path { known = lines(of: path).map { (path, $0.lines, $0.offset) } }
            let (half, drop) = (line[index].advance / 2, line[index].shown.place.y)
            guard let known, let spot = Self.spot(at: known.offset + line[index].shown.place.x + half, on: known.lines)
            else {
                line[index].isHidden = true
                continue
            }
            line[index].shown.place = Point(
                x: spot.place.x - spot.along.x * half - spot.along.y * drop,
                y: spot.place.y - spot.along.y * half + spot.along.x * drop)
            line[index].shown.degrees += atan2(spot.along.y, spot.along.x) * 180 / .pi
        }
    }

    private func inherited(_ name: String, of element: NodeID?) -> String? {
        guard let element else { return nil }
        let around = sequence(first: element) { tree.tag($0) == .svg ? nil : tree.parent($0) }
        return around.lazy.compactMap { styled.computed($0).picture[name] ?? tree.attribute($0, name) }.first
    }

    /// The lines of a `textPath`'s path, and the offset at which the text starts; `nil` without a path.
    private func lines(of element: NodeID) -> (lines: [[Point]], offset: Float)? {
        let link = tree.attribute(element, "href") ?? tree.attribute(element, "xlink:href") ?? ""
        guard let target = tree.nodes(withID: String(link.dropFirst())).first, link.hasPrefix("#"),
            let path = PathData.path(shapes.outline(of: target))
        else { return nil }
        let moved = path.transformed(shapes.map(of: target))
        let offset = PictureShapes.length(tree.attribute(element, "startoffset") ?? "", against: moved.length)
        return (moved.lines(), offset)
    }

    /// The point at a distance from the start of a path, and the direction there; `nil` beyond its ends.
    private static func spot(at distance: Float, on lines: [[Point]]) -> (place: Point, along: Point)? {
        guard distance >= 0 else { return nil }
        var rest = distance
        for (from, to) in lines.lazy.flatMap({ zip($0, $0.dropFirst()) }) {
            let length = (to - from).length
            if length > 0, rest <= length {
                let along = Point(x: (to.x - from.x) / length, y: (to.y - from.y) / length)
                return (Point(x: from.x + along.x * rest, y: from.y + along.y * rest), along)
            }
            rest -= length
        }
        return nil
    }
}
