// Values that properties of text take: spacing, shadows, emphasis, decorations.

extension ValueCursor {
    /// `letter-spacing`, `word-spacing`: percentages are of the font size.
    mutating func spacing() -> Float? {
        if keyword("normal") { return 0 }
        return lengthPercentage().map { $0.resolved(against: Float(context.fontSize)) }
    }

    /// `<line-width>` (CSS Backgrounds 3 §3.3).
    mutating func lineWidth() -> Float? {
        keyword([("thin", 1), ("medium", 3), ("thick", 5)] as [(StaticString, Float)]) ?? length(atLeast: 0)
    }

    mutating func shadows(ofBox isBox: Bool) -> ([Shadow], [Bool])? {
        if keyword("none") { return ([], []) }
        var shadows: [Shadow] = []
        var current: [Bool] = []
        repeat {
            var lengths: [Float] = []
            var color: Color??
            var inset = false
            while !isAtEnd {
                if isBox, !inset, keyword("inset") {
                    inset = true
                } else if lengths.isEmpty, let x = length() {
                    guard let y = length() else { return nil }
                    lengths = [x, y]
                    let start = index
                    guard let blur = length(atLeast: 0) else {
                        rewind(to: start)
                        continue
                    }
                    lengths.append(blur)
                    if isBox, let spread = length() { lengths.append(spread) }
                } else if color == nil, let value = colorOrCurrent() {
                    color = .some(value)
                } else {
                    break
                }
            }
            guard lengths.count >= 2 else { return nil }
            let resolved = color.flatMap { $0 }
            shadows.append(
                Shadow(
                    x: lengths[0], y: lengths[1], blur: lengths.count > 2 ? lengths[2] : 0,
                    spread: lengths.count > 3 ? lengths[3] : 0,
                    color: resolved ?? context.currentColor, inset: inset))
            current.append(resolved == nil)
        } while comma()
        return (shadows, current)
    }

    mutating func counterStyle() -> CounterStyle? {
        if isFunction("symbols") {
            let symbols: [String]? = arguments { cursor in
                let kind =
                    cursor.keyword([("cyclic", 1), ("numeric", 2), ("alphabetic", 2), ("symbolic", 1), ("fixed", 1)])
                    ?? 1
                var symbols: [String] = []
                while let symbol = cursor.string() { symbols.append(symbol) }
                return symbols.count >= kind ? symbols : nil
            }
            return symbols.map { $0.count == 1 ? .string($0[0]) : .string($0[0] + " ") }
        }
        guard let name = customIdent(except: ["none"]) else { return nil }
        // Predefined names are not case-sensitive.
        let lower = name.asciiLowercased()
        return .named(CounterText.isKnown(lower) ? lower : name)
    }

    /// The mark of `text-emphasis-style`; without a shape it is a circle in horizontal text (CSS Text Decoration 4 §3.1).
    mutating func emphasisMark() -> String?? {
        if keyword("none") { return .some(nil) }
        if let mark = string() { return .some(mark.first.map { String($0) } ?? "") }
        var isFilled: Bool?
        var shape: Int?
        while true {
            if isFilled == nil, let fill = keyword([("filled", true), ("open", false)]) {
                isFilled = fill
            } else if shape == nil,
                let named = keyword([("dot", 0), ("circle", 1), ("double-circle", 2), ("triangle", 3), ("sesame", 4)])
            {
                shape = named
            } else {
                break
            }
        }
        guard isFilled != nil || shape != nil else { return nil }
        let marks = isFilled ?? true ? ["•", "●", "◉", "▲", "﹅"] : ["◦", "○", "◎", "△", "﹆"]
        return .some(marks[shape ?? 1])
    }
}
