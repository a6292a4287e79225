// Colours and names as CSS writes them, and from text.

extension Color {
    /// `#rrggbbaa`.
    public var hex: String {
        [red, green, blue, alpha].reduce(into: "#") { $0 += ($1 < 16 ? "0" : "") + String($1, radix: 16) }
    }

    /// A colour as CSS writes it: a name, `#rgb`, `rgb()`, `oklch()` …; nil if it is not one.
    public init?(css: String) {
        guard let color = ValueCursor.value(of: css, { $0.color() }) else { return nil }
        self = color
    }
}

extension Gradient {
    /// A CSS gradient, as in `linear-gradient(90deg, red, blue 80%)`; nil when the text is not one.
    public init?(css: String) {
        guard case .gradient(let gradient)? = ValueCursor.value(of: css, { $0.image() }) else { return nil }
        self = gradient
    }
}

extension ValueCursor {
    fileprivate static func value<Value>(of css: String, _ read: (inout ValueCursor) -> Value?) -> Value? {
        var cursor = ValueCursor(css)
        return read(&cursor).flatMap { cursor.isAtEnd ? $0 : nil }
    }
}

extension FontFamily {
    package var css: String { if case .named(let name) = self { CSSWriter.quoted(name) } else { name } }

    /// The plain name: `Georgia`, `sans-serif`.
    public var name: String {
        switch self {
        case .named(let name): name
        case .generic(let generic): generic.name
        }
    }
}

extension GenericFamily {
    /// The CSS keyword.
    public var name: String { keyword(of: self, in: ValueCursor.genericFamilies) }
}

package func keyword<Value: Equatable>(of value: Value, in table: [(StaticString, Value)]) -> String {
    table.first { $0.1 == value }?.0.description ?? ""
}
