// The markup of an SVG file: attributes, paths, text.

import FancyTextBasics
import FancyTextPainting
import FancyTextWriting

enum SVGText {
    /// Attributes with numbers, each after a space.
    static func numbers(_ values: KeyValuePairs<String, Float>) -> String { values.map { numbers($0, [$1]) }.joined() }

    static func numbers(_ name: String, _ values: [Float]) -> String {
        " \(name)=\"\(values.map(Notation.number).joined(separator: " "))\""
    }

    static func transform(_ transform: Transform, as name: String = "transform") -> String {
        if transform.xx == 1, transform.yy == 1, transform.xy == 0, transform.yx == 0 {
            return " \(name)=\"translate(\(Notation.number(transform.x)) \(Notation.number(transform.y)))\""
        }
        // Factors are multiplied by lengths of thousands of pixels, so they need more digits.
        func factor(_ value: Float) -> String {
            let scaled = (Double(value) * 1e7).rounded() / 1e7
            return scaled == scaled.rounded() && abs(scaled) < 1e9 ? "\(Int(scaled))" : "\(scaled)"
        }
        let factors = [transform.xx, transform.yx, transform.xy, transform.yy].map(factor)
        let places = [transform.x, transform.y].map(Notation.number)
        return " \(name)=\"matrix(\((factors + places).joined(separator: " ")))\""
    }

    /// The start of an element for a path, which is a `rect` if possible.
    static func shape(_ path: Path) -> String {
        if let rect = path.rectangle {
            return "<rect" + numbers(["x": rect.x, "y": rect.y, "width": rect.width, "height": rect.height])
        }
        return "<path d=\"" + PathData.text(of: path, Notation.number) + "\""
    }

    /// Text for content or attribute values, without the characters that XML does not allow; tabs and line ends become spaces.
    static func escaped(_ text: String) -> String {
        let line = text.unicodeScalars.map { [0x09, 0x0A, 0x0D].contains($0.value) ? " " : $0 }
        return Notation.escaped(VectorText.words(String(String.UnicodeScalarView(line))))
    }
}

extension Path {
    /// The path as a rectangle with sides along the axes; nil for another path.
    fileprivate var rectangle: Rect? {
        guard segments.count == 5, case .move(let a) = segments[0], case .line(let b) = segments[1],
            case .line(let c) = segments[2], case .line(let d) = segments[3], case .close = segments[4]
        else { return nil }
        guard a.y == b.y, b.x == c.x, c.y == d.y, d.x == a.x, c.x >= a.x, c.y >= a.y else { return nil }
        return Rect(x: a.x, y: a.y, width: c.x - a.x, height: c.y - a.y)
    }
}
