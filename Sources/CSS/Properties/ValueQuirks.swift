// The properties that take extra values in quirks mode (Quirks Mode §2.2–2.3).

extension PropertyTable {
    private static let valueQuirks: [ValueQuirks] = {
        var result = [ValueQuirks](repeating: [], count: shared.rows.count)
        let sides = sideNames.flatMap { [$0, "margin-" + $0, "padding-" + $0, "border-" + $0 + "-width"] }
        let lengths = [
            "background-position", "border-spacing", "border-width", "clip", "font-size", "height", "letter-spacing",
            "margin", "max-height", "max-width", "min-height", "min-width", "padding", "text-indent", "vertical-align",
            "width", "word-spacing",
        ]
        let colors = ["background-color", "border-color", "color"] + sideNames.map { "border-" + $0 + "-color" }
        for name in lengths + sides { if let id = shared.find(name) { result[Int(id.index)].insert(.unitlessLengths) } }
        for name in colors { if let id = shared.find(name) { result[Int(id.index)].insert(.hashlessColors) } }
        return result
    }()

    static func quirks(of property: PropertyID) -> ValueQuirks { valueQuirks[Int(property.index)] }
}

extension ValueContext {
    package func reading(_ property: PropertyID) -> ValueContext {
        guard isQuirks else { return self }
        var context = self
        context.quirks = PropertyTable.quirks(of: property)
        return context
    }
}

extension ValueCursor {
    /// `ff0000`, `123`, `1a2b3c`: a number is padded with zeros to six digits (Quirks Mode §2.2).
    mutating func hashlessColor() -> Color? {
        guard let token else { return nil }
        let text: String
        switch token.kind {
        case .ident: text = source.name(of: token)
        case .number, .dimension:
            guard token.isInteger, token.number >= 0, token.number < 1e6 else { return nil }
            let number = String(Int(token.number)) + (token.kind == .dimension ? source.name(of: token) : "")
            text = String(repeating: "0", count: max(0, 6 - number.utf8.count)) + number
        default: return nil
        }
        guard [3, 6].contains(text.utf8.count), let color = Color(hexDigits: Array(text.utf8)) else { return nil }
        advance()
        return color
    }
}
