// Path data (SVG 2 §9.3): the text of `d` and of `path()`.

import FancyTextPlatform

package enum PathData {
    /// The data of a path, with numbers in a notation.
    package static func text(of path: Path, _ number: (Float) -> String = { "\($0)" }) -> String {
        var result = ""
        func add(_ command: String, _ points: Point...) {
            result += command + points.map { "\(number($0.x)) \(number($0.y))" }.joined(separator: " ")
        }
        for segment in path.segments {
            switch segment {
            case .move(let to): add("M", to)
            case .line(let to): add("L", to)
            case .quadratic(let control, let end): add("Q", control, end)
            case .cubic(let one, let other, let end): add("C", one, other, end)
            case .close: add("Z")
            }
        }
        return result
    }

    /// The path described by the text; nil if the text violates the grammar. Linear in the text.
    package static func path(_ text: String) -> Path? {
        var reader = Reader(bytes: Array(text.utf8))
        return reader.read()
    }

    private struct Reader {
        let bytes: [UInt8]
        var index = 0
        var path = Path()
        var current = Point.zero, start = Point.zero
        /// The last control point of a curve, for a smooth curve that follows.
        var control: (point: Point, isCubic: Bool)?

        mutating func read() -> Path? {
            skipSpace()
            var command: UInt8 = 0
            while index < bytes.count {
                let byte = bytes[index]
                if byte.isASCIILetter, byte | 0x20 != UInt8(ascii: "e") {
                    command = byte
                    index += 1
                    skipSpace()
                } else if command == 0 || command | 0x20 == UInt8(ascii: "z") {
                    return nil
                }
                if path.segments.isEmpty, command | 0x20 != UInt8(ascii: "m") { return nil }
                guard draw(command) else { return nil }
                // Coordinate pairs after those of a move are lines.
                if command == UInt8(ascii: "M") { command = UInt8(ascii: "L") }
                if command == UInt8(ascii: "m") { command = UInt8(ascii: "l") }
            }
            return path
        }

        private mutating func draw(_ command: UInt8) -> Bool {
            let isRelative = command & 0x20 != 0
            let isSmooth = command | 0x20 == UInt8(ascii: "s") || command | 0x20 == UInt8(ascii: "t")
            let origin = isRelative ? current : .zero
            func point() -> Point? {
                guard let x = number(), let y = number() else { return nil }
                return Point(x: origin.x + x, y: origin.y + y)
            }
            /// The last control point reflected at the current point, if the last curve was of the same degree (SVG 2 §9.3.6).
            func mirrored(isCubic: Bool) -> Point {
                guard let control, control.isCubic == isCubic else { return current }
                return Point(x: 2 * current.x - control.point.x, y: 2 * current.y - control.point.y)
            }
            var next: (point: Point, isCubic: Bool)?
            switch command | 0x20 {
            case UInt8(ascii: "m"):
                guard let end = point() else { return false }
                path.segments.append(.move(end))
                (current, start) = (end, end)
            case UInt8(ascii: "l"):
                guard let end = point() else { return false }
                line(end)
            case UInt8(ascii: "h"):
                guard let x = number() else { return false }
                line(Point(x: origin.x + x, y: current.y))
            case UInt8(ascii: "v"):
                guard let y = number() else { return false }
                line(Point(x: current.x, y: origin.y + y))
            case UInt8(ascii: "c"), UInt8(ascii: "s"):
                guard let first = isSmooth ? mirrored(isCubic: true) : point(), let second = point(), let end = point()
                else { return false }
                path.segments.append(.cubic(control1: first, control2: second, end: end))
                (current, next) = (end, (second, true))
            case UInt8(ascii: "q"), UInt8(ascii: "t"):
                guard let middle = isSmooth ? mirrored(isCubic: false) : point(), let end = point()
                else { return false }
                path.segments.append(.quadratic(control: middle, end: end))
                (current, next) = (end, (middle, false))
            case UInt8(ascii: "a"):
                guard let x = number(), let y = number(), let turn = number(), let isLarge = flag(),
                    let isClockwise = flag(), let end = point()
                else { return false }
                arc(Size(width: abs(x), height: abs(y)), turn, isLarge: isLarge, isClockwise: isClockwise, to: end)
            case UInt8(ascii: "z"):
                path.segments.append(.close)
                current = start
            default: return false
            }
            control = next
            return true
        }

        private mutating func line(_ end: Point) {
            path.segments.append(.line(end))
            current = end
        }

        /// An elliptical arc as cubics of at most a quarter turn (SVG 2 §B.2).
        private mutating func arc(_ radii: Size, _ degrees: Float, isLarge: Bool, isClockwise: Bool, to end: Point) {
            let from = current
            current = end
            guard from != end else { return }
            guard radii.width > 0, radii.height > 0 else { return line(end) }
            // In double precision, because the squares of tiny radii are too small for a `Float`.
            let angle = Double(degrees) * .pi / 180
            let (sine, cosine) = (sin(angle), cos(angle))
            let (dx, dy) = (Double(from.x - end.x) / 2, Double(from.y - end.y) / 2)
            let (x, y) = (cosine * dx + sine * dy, cosine * dy - sine * dx)
            var (rx, ry) = (Double(radii.width), Double(radii.height))
            let excess = (x * x) / (rx * rx) + (y * y) / (ry * ry)
            if excess > 1 {
                rx *= excess.squareRoot()
                ry *= excess.squareRoot()
            }
            let square = rx * rx * y * y + ry * ry * x * x
            var factor = square > 0 ? max(0, rx * rx * ry * ry / square - 1).squareRoot() : 0
            if isLarge == isClockwise { factor = -factor }
            let (cx, cy) = (factor * rx * y / ry, -factor * ry * x / rx)
            let centerX = cosine * cx - sine * cy + Double(from.x + end.x) / 2
            let centerY = sine * cx + cosine * cy + Double(from.y + end.y) / 2
            let first = atan2((y - cy) / ry, (x - cx) / rx)
            var sweep = atan2((-y - cy) / ry, (-x - cx) / rx) - first
            if isClockwise, sweep < 0 { sweep += 2 * .pi }
            if !isClockwise, sweep > 0 { sweep -= 2 * .pi }
            let quarters = abs(sweep) / (.pi / 2) - 1e-4
            let count = 1 + (1...3).count { quarters > Double($0) }
            let step = sweep / Double(count)
            let reach = 4 / 3 * tan(step / 4)
            func place(_ u: Double, _ v: Double) -> Point {
                Point(
                    x: Float(centerX + cosine * rx * u - sine * ry * v),
                    y: Float(centerY + sine * rx * u + cosine * ry * v))
            }
            for index in 0..<count {
                let (a, b) = (first + Double(index) * step, first + Double(index + 1) * step)
                path.segments.append(
                    .cubic(
                        control1: place(cos(a) - reach * sin(a), sin(a) + reach * cos(a)),
                        control2: place(cos(b) + reach * sin(b), sin(b) - reach * cos(b)),
                        end: index == count - 1 ? end : place(cos(b), sin(b))))
            }
        }

        // MARK: Numbers

        private mutating func skipSpace() {
            while index < bytes.count, bytes[index] == 0x20 || bytes[index] &- 9 < 5 { index += 1 }
        }

        private mutating func skipSeparator() {
            skipSpace()
            if index < bytes.count, bytes[index] == UInt8(ascii: ",") {
                index += 1
                skipSpace()
            }
        }

        private mutating func flag() -> Bool? {
            guard index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 2 else { return nil }
            let value = bytes[index] == UInt8(ascii: "1")
            index += 1
            skipSeparator()
            return value
        }

        private mutating func number() -> Float? {
            var at = index
            func sign() { if at < bytes.count, bytes[at] == 0x2B || bytes[at] == 0x2D { at += 1 } }
            /// Skips digits, and returns their number.
            func digits() -> Int {
                let start = at
                while at < bytes.count, bytes[at].isASCIIDigit { at += 1 }
                return at - start
            }
            sign()
            var count = digits()
            if at < bytes.count, bytes[at] == UInt8(ascii: ".") {
                at += 1
                count += digits()
            }
            guard count > 0 else { return nil }
            if at < bytes.count, bytes[at] | 0x20 == UInt8(ascii: "e") {
                let mantissa = at
                at += 1
                sign()
                if digits() == 0 { at = mantissa }
            }
            guard let value = Double(String(decoding: bytes[index..<at], as: UTF8.self)), value.isFinite
            else { return nil }
            index = at
            skipSeparator()
            return Float(max(-1e7, min(1e7, value)))
        }
    }
}
