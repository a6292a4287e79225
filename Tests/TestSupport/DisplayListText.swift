// The display list as text, for tests: one line for each item, indented by nesting, with lengths in CSS pixels and without
// needless digits.

import FancyTextBasics
import FancyTextCSS
@testable import FancyTextPainting
import FancyTextWriting

extension DefaultStringInterpolation {
    fileprivate mutating func appendInterpolation(_ value: Float) { appendLiteral(Notation.number(value)) }
}

private func corners(_ rect: Rect) -> String { "\(rect.x),\(rect.y) \(rect.width)×\(rect.height)" }

extension DisplayList {
    /// One line for each item, in painting order.
    package func dump() -> String {
        var result = "display \(size.width)×\(size.height) background \(background.hex)\n"
        var depth = 1
        for item in items {
            if item.nesting < 0 { depth = max(1, depth - 1) }
            result += String(repeating: "  ", count: depth) + describe(item) + "\n"
            if item.nesting > 0 { depth += 1 }
        }
        return result
    }

    private func describe(_ item: DisplayItem) -> String {
        switch item {
        case .fill(let shape, let fill): return "fill \(describe(shape)) \(describe(fill))"
        case .path(let path, let fill): return "path \(path.segments.count) segments \(describe(fill))"
        case .strokePath(let path, let color, let width):
            return "stroke \(path.segments.count) segments \(color.hex) \(width)"
        case .boxShadow(let shape, let shadow):
            return "shadow \(describe(shape)) \(shadow.x),\(shadow.y) blur \(shadow.blur) "
                + "spread \(shadow.spread) \(shadow.color.hex)\(shadow.inset ? " inset" : "")"
        case .border(let border):
            func side(_ side: BorderSide) -> String {
                side.width == 0 ? "0" : "\(side.width) \(side.style) \(side.color.hex)"
            }
            return "border \(describe(border.outer)) [\(border.sides.clockwise.map(side).joined(separator: " | "))]"
        case .glyphs(let run):
            let (x, y) = glyphs[run.glyphs].first.map { ($0.x, $0.y) } ?? (0, 0)
            return "glyphs \(run.glyphs.count) at \(x),\(y) font \(run.font.rawValue) \(describe(run.fill))"
        case .decoration(let line):
            var text = "line \(line.x),\(line.y) \(line.width)×\(line.thickness) \(line.style) \(line.color.hex)"
            for gap in line.gaps { text += " gap \(gap.from)–\(gap.to)" }
            return text
        case .image(let image):
            let rects = "\(corners(image.rect)) clip \(describe(image.clip))"
            return "\(image.isLambda ? "lambda" : "image") \(rects) \(image.source.prefix(60))"
        case .pushClip(let shape): return "clip \(describe(shape))"
        case .pushClipPath(let path, let isEvenOdd):
            return "clip path \(path.segments.count) segments\(isEvenOdd ? " even-odd" : "")"
        case .pushTransform(let map):
            let numbers = [map.xx, map.yx, map.xy, map.yy, map.x, map.y].map(Notation.number)
            return "transform " + numbers.joined(separator: " ")
        case .pushLayer(let layer): return describe(layer)
        case .backdrop(let shape, let filters, _):
            return "backdrop \(describe(shape)) \(filters.map { "\($0)" }.joined(separator: " "))"
        case .pop: return "end"
        case .cells(let item): return "cells \(item)"
        }
    }

    private func describe(_ layer: LayerItem) -> String {
        var parts: [String] = []
        if layer.opacity != 1 { parts.append("opacity \(layer.opacity)") }
        if layer.composite != .blend(.normal) { parts.append("\(layer.composite)") }
        if layer.isLuminanceMask { parts.append("luminance") }
        parts += layer.filters.map { "\($0)" }
        return parts.isEmpty ? "layer" : parts.joined(separator: " ")
    }

    private func describe(_ shape: RoundedRect) -> String {
        guard shape.radii != .zero else { return corners(shape.rect) }
        func corner(_ size: Size) -> String {
            size.width == size.height ? "\(size.width)" : "\(size.width)/\(size.height)"
        }
        let radii = [shape.radii.topLeft, shape.radii.topRight, shape.radii.bottomRight, shape.radii.bottomLeft]
        return "\(corners(shape.rect)) radii \(radii.map(corner).joined(separator: " "))"
    }

    private func describe(_ fill: Fill) -> String {
        switch fill {
        case .color(let color): color.hex
        case .gradient(let gradient, let box): "gradient of \(gradient.stops.count) stops in \(corners(box))"
        case .tiles(let gradient, let box, let step):
            "tiles of \(gradient.stops.count) stops in \(corners(box)) each \(step.width),\(step.height)"
        }
    }
}
