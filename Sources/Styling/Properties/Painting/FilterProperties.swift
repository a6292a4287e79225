// Filters and blending (Filter Effects 1, Filter Effects 2 §2, Compositing 1).

func filterProperties() -> [Property] {
    [
        .value("filter", { $1(&$0.box.effects.filters) }) { $0.filters() },
        .value("backdrop-filter", { $1(&$0.box.effects.backdropFilters) }) { $0.filters() },
        .keywords("mix-blend-mode", { $1(&$0.box.effects.blendMode) }),
    ]
}

extension ValueCursor {
    fileprivate mutating func filters() -> [FilterFunction]? {
        if keyword("none") { return [] }
        return some { cursor in
            if let url = cursor.url() { return .reference(String(url.drop { $0 == "#" })) }
            return cursor.functionName.flatMap { name in cursor.arguments { $0.filter(name) } }
        }
    }

    private mutating func filter(_ name: String) -> FilterFunction? {
        /// The amount of an effect; without an argument, the whole effect.
        func amount(_ most: Double = .infinity) -> Float? {
            if isAtEnd { return 1 }
            return numberOrPercentage(atLeast: 0).map { Self.clamped(min($0, most)) }
        }
        switch name {
        case "blur": return isAtEnd ? .blur(0) : length(atLeast: 0).map { .blur($0) }
        case "brightness": return amount().map { .brightness($0) }
        case "contrast": return amount().map { .contrast($0) }
        case "grayscale": return amount(1).map { .grayscale($0) }
        case "hue-rotate": return isAtEnd ? .hueRotate(0) : angle(unitlessZero: true).map { .hueRotate(Float($0)) }
        case "invert": return amount(1).map { .invert($0) }
        case "opacity": return amount(1).map { .opacity($0) }
        case "saturate": return amount().map { .saturate($0) }
        case "sepia": return amount(1).map { .sepia($0) }
        case "drop-shadow":
            guard let (shadows, current) = shadows(ofBox: false), shadows.count == 1 else { return nil }
            return .dropShadow(shadows[0], isCurrentColor: current[0])
        default: return nil
        }
    }
}
