// The picture of an `img` element and its density, by `src`, `srcset`, `sizes` and the sources of a `picture` (HTML §4.8.4).

import FancyTextBasics
import FancyTextCSS
import FancyTextMarkup

extension StyledTree {
    /// The picture of an `img` element, with an empty URL for none. Linear in the attributes.
    package func image(of element: NodeID) -> ImageCandidate<String> {
        if let picture = tree.parent(element), tree.tag(picture) == .picture {
            let siblings = tree.children(picture).prefix(Self.mostSources)
            // The sources belong to the first picture, so that each is read once.
            let isFirst = siblings.first { tree.tag($0) == .img } == element
            for node in isFirst ? siblings.prefix(while: { $0 != element }) : [] {
                guard tree.tag(node) == .source, let set = tree.attribute(node, "srcset"),
                    tree.attribute(node, "type").map(ImageType.isDrawn) ?? true,
                    MediaQueryEvaluator(media).matches(tree.attribute(node, .media) ?? ""),
                    let image = choice(from: set, sizes: tree.attribute(node, "sizes"))
                else { continue }
                return image
            }
        }
        let own = ImageCandidate(image: URLReference.cleaned(tree.attribute(element, "src") ?? ""))
        guard let set = tree.attribute(element, "srcset") else { return own }
        return choice(from: set, sizes: tree.attribute(element, "sizes"), fallback: own) ?? own
    }

    private static let mostSources = 64

    /// Reads a `srcset` (HTML §4.8.4.2.5) and returns the picture to show.
    private func choice(
        from set: String, sizes: String?, fallback: ImageCandidate<String>? = nil
    ) -> ImageCandidate<String>? {
        var candidates: [ImageCandidate<String>] = []
        var hasWidths = false
        var rest = set[...]
        while true {
            rest = rest.drop { $0.isWhitespace || $0 == "," }
            guard !rest.isEmpty else { break }
            var url = rest.prefix { !$0.isWhitespace }
            rest = rest[url.endIndex...]
            var descriptor: Substring = ""
            if url.last == "," {
                while url.last == "," { url.removeLast() }
            } else {
                descriptor = rest.prefix { $0 != "," }
                rest = rest[descriptor.endIndex...]
            }
            let word = descriptor.drop(while: \.isWhitespace).prefix { !$0.isWhitespace }
            let number = Double(word.dropLast())
            switch (word.last, number) {
            case (nil, _): candidates.append(.init(image: String(url)))
            case ("x", let density?) where density >= 0: candidates.append(.init(image: String(url), density: density))
            case ("w", let width?) where width > 0:
                hasWidths = true
                candidates.append(.init(image: String(url), density: width / max(1, slotWidth(sizes))))
            default: break
            }
        }
        if let fallback, !fallback.image.isEmpty, !hasWidths, !candidates.contains(where: { $0.density == 1 }) {
            candidates.append(fallback)
        }
        return ImageCandidate.best(of: candidates, for: media.resolution)
    }

    /// The width at which `sizes` says that the picture is shown, CSS pixels (HTML §4.8.4.2.6).
    private func slotWidth(_ sizes: String?) -> Double {
        let evaluator = MediaQueryEvaluator(media)
        var cursor = ValueCursor(sizes ?? "", context: evaluator.context)
        while !cursor.isAtEnd {
            let hasCondition = cursor.token?.kind == .openParen || cursor.isKeyword("not")
            let holds = hasCondition ? evaluator.mediaCondition(&cursor) ?? false : true
            if holds, let width = cursor.length(atLeast: 0) { return Double(width) }
            while !cursor.isAtEnd, cursor.token?.kind != .comma { cursor.skipComponent() }
            _ = cursor.comma()
        }
        return media.width
    }
}
