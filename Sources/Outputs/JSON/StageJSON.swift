// The results of the pipeline's stages as JSON: `dump --format json`. In: a stage's result. Out: one value per line for a
// stream, one value for a structure. Offsets count bytes of UTF-8, of the source or of the text; lengths are CSS pixels.

import FancyTextBasics
import FancyTextBoxes
import FancyTextLayout
import FancyTextMarkup
import FancyTextPainting
import FancyTextStyling

package enum StageJSON {
    /// `{"type","source","text"}` for each token.
    package static func tokens(_ source: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var json = JSONBuffer()
        for token in TokenDump.entries(source) {
            json.record { json in
                json.member("type", token.kind)
                json.member("text", token.text)
                json.range("source", token.source)
            }
        }
        return json.bytes
    }

    /// `{"type","name","attributes","source"}` or `{"type","value","source"}` for each start, end and leaf.
    package static func normalized(_ tree: MarkupTree) -> [UInt8] {
        var writer = TagWriter()
        tree.visit(tree.contents(tree.root), with: &writer)
        return writer.json.bytes
    }

    private struct TagWriter: TreeWalker {
        var json = JSONBuffer()

        mutating func enterElement(_ node: NodeID, in tree: MarkupTree) -> Descent {
            json.record { json in
                json.member("type", "startTag")
                json.member("name", tree.name(node))
                json.object("attributes") { json in
                    for attribute in tree.attributes(node) {
                        json.key(attribute.name)
                        json.string(attribute.value)
                    }
                }
                json.range("source", tree.sourceRange(node))
            }
            return .contents
        }

        mutating func leaveElement(_ node: NodeID, in tree: MarkupTree) {
            guard !tree.tag(node).isVoid else { return }
            json.record { json in
                json.member("type", "endTag")
                json.member("name", tree.name(node))
            }
        }

        mutating func defaultVisit(_ node: NodeID, in tree: MarkupTree) {
            json.record { json in
                json.member("type", String(tree.name(node).dropFirst()))
                json.member("value", tree.text(node))
            }
        }
    }

    /// `{"name","display","style","source"}` for each element.
    package static func styles(_ styled: StyledTree) -> [UInt8] {
        var json = JSONBuffer()
        var walk = RunContextWalk(styled)
        let tree = styled.tree
        for node in tree.subtree(tree.root) where tree.kind(node) == .element {
            let style = styled.computed(node)
            let fields = MarkupStyleFields(style, walk.surroundings(of: node)).fields
            json.record { json in
                json.names("name", of: node, in: tree)
                json.member("display", "\(style.box.display)")
                json.member("style", .object(fields))
                json.range("source", tree.sourceRange(node))
            }
        }
        return json.bytes
    }

    /// `{"text","boxes":[{"kind","name","parent","text",…,"items":[{"type",…}]}]}`; a parent is an index into the boxes.
    package static func text(_ text: BoxTree, _ tree: MarkupTree) -> [UInt8] {
        JSONBuffer.record { json in
            json.member("text", text.text)
            json.objects("boxes", text.boxes) { json, box in
                json.member("kind", "\(box.kind)")
                if tree.kind(box.element) == .element { json.member("name", tree.name(box.element)) }
                if box.isAnonymous { json.member("anonymous", true) }
                if box.parent >= 0 { json.member("parent", box.parent) }
                json.range("text", box.text)
                if box.holdsInlines { json.member("inline", true) }
                if box.columnSpan != 1 { json.member("columnSpan", box.columnSpan) }
                if box.rowSpan != 1 { json.member("rowSpan", box.rowSpan) }
                if box.marker >= 0 { json.member("marker", text.markers[box.marker].text) }
                if box.replaced >= 0 {
                    json.member("src", text.replaced[box.replaced].source)
                    json.member("alt", text.replaced[box.replaced].alternative)
                }
                guard !box.items.isEmpty else { return }
                json.objects("items", text.items[box.items]) { write($1, of: text, tree, to: &$0) }
            }
        }
    }

    private static func write(_ item: InlineItem, of text: BoxTree, _ tree: MarkupTree, to json: inout JSONBuffer) {
        switch item {
        case .text(let run):
            json.member("type", "text")
            json.member("value", text.text[text.runs[run].range])
            if text.runs[run].isGenerated { json.member("generated", true) }
        case .open(_, let element):
            json.member("type", "open")
            if tree.kind(element) == .element { json.member("name", tree.name(element)) }
        case .close: json.member("type", "close")
        case .atomic(let box, _):
            json.member("type", "atomic")
            json.member("box", box)
        case .float(let box):
            json.member("type", "float")
            json.member("box", box)
        case .breakOpportunity: json.member("type", "wbr")
        }
    }

    /// `{"size","truncated","boxes":[{"kind","parent","x",…,"lines":[{…,"fragments":[…]}]}]}`; `text` is the text that was laid out.
    package static func layout(_ layout: LayoutTree, of text: BoxTree) -> [UInt8] {
        JSONBuffer.record { json in
            json.size(layout.size)
            json.member("truncated", layout.isTruncated)
            json.objects("boxes", layout.boxes) { json, box in
                json.member("kind", "\(box.kind)")
                if box.parent >= 0 { json.member("parent", box.parent) }
                json.rect(box.rect.rect)
                if box.isAnonymous { json.member("anonymous", true) }
                if box.isMissing { json.member("missing", true) }
                if box.placement != .inFlow { json.member("placement", "\(box.placement)") }
                guard !box.lines.isEmpty else { return }
                json.objects("lines", layout.lines[box.lines]) { write($1, of: layout, text, to: &$0) }
            }
        }
    }

    private static func write(
        _ line: LineFragment, of layout: LayoutTree, _ text: BoxTree, to json: inout JSONBuffer
    ) {
        json.range("text", line.text)
        json.rect(line.rect.rect)
        json.member("baseline", line.baseline.float)
        json.objects("fragments", layout.inlines[line.fragments]) { json, fragment in
            json.member("kind", "\(fragment.kind)")
            json.rect(fragment.rect.rect)
            if fragment.kind == .text {
                json.range("text", fragment.text)
                if fragment.text.upperBound <= text.text.count { json.member("value", text.text[fragment.text]) }
            }
            if fragment.level != 0 { json.member("level", Int(fragment.level)) }
            if fragment.isHidden { json.member("hidden", true) }
            if fragment.kind == .box { json.member("children", fragment.children) }
        }
    }

    /// `{"size","background","items":[{"type",…}]}` in painting order.
    package static func display(_ list: DisplayList) -> [UInt8] {
        JSONBuffer.record { json in
            json.size(list.size)
            json.member("background", list.background.hex)
            json.objects("items", list.items) { write($1, of: list, to: &$0) }
        }
    }

    private static func write(_ item: DisplayItem, of list: DisplayList, to json: inout JSONBuffer) {
        switch item {
        case .fill(let shape, let fill):
            json.member("type", "fill")
            json.shape(shape)
            json.fill(fill)
        case .path(let path, let fill):
            json.member("type", "path")
            json.member("segments", path.segments.count)
            json.fill(fill)
        case .strokePath(let path, let color, let width):
            json.member("type", "stroke")
            json.member("segments", path.segments.count)
            json.member("color", color.hex)
            json.member("strokeWidth", width)
        case .boxShadow(let shape, let shadow):
            json.member("type", "shadow")
            json.shape(shape)
            json.member("offsetX", shadow.x)
            json.member("offsetY", shadow.y)
            json.member("blur", shadow.blur)
            json.member("spread", shadow.spread)
            json.member("color", shadow.color.hex)
            json.member("inset", shadow.inset)
        case .border(let border):
            json.member("type", "border")
            json.shape(border.outer)
            let sides = border.sides
            json.objects("sides", sides.clockwise) { json, side in
                json.member("width", side.width)
                json.member("style", "\(side.style)")
                json.member("color", side.color.hex)
            }
        case .glyphs(let run):
            json.member("type", "glyphs")
            json.member("font", Int(run.font.rawValue))
            json.fill(run.fill)
            json.objects("glyphs", list.glyphs[run.glyphs]) { json, glyph in
                json.member("id", Int(glyph.id))
                json.member("x", glyph.x)
                json.member("y", glyph.y)
            }
        case .decoration(let line):
            json.member("type", "line")
            json.rect(Rect(x: line.x, y: line.y, width: line.width, height: line.thickness))
            json.member("style", "\(line.style)")
            json.member("color", line.color.hex)
        case .image(let image):
            json.member("type", image.isLambda ? "lambda" : "image")
            json.rect(image.rect)
            json.member("src", image.source)
        case .pushClip(let shape):
            json.member("type", "clip")
            json.shape(shape)
        case .pushClipPath(let path, let isEvenOdd):
            json.member("type", "clipPath")
            json.member("segments", path.segments.count)
            json.member("evenOdd", isEvenOdd)
        case .pushTransform(let map):
            json.member("type", "transform")
            json.array("matrix", [map.xx, map.yx, map.xy, map.yy, map.x, map.y]) { $0.number($1) }
        case .pushLayer(let layer):
            if layer.composite == .blend(.normal), layer.filters.isEmpty {
                json.member("type", "opacity")
                json.member("value", layer.opacity)
            } else {
                json.member("type", "layer")
                json.member("opacity", layer.opacity)
                let blending = if case .blend(let mode) = layer.composite { mode.rawValue } else { nil as String? }
                json.member("composite", blending ?? "\(layer.composite)")
                json.member("filters", layer.filters.count)
            }
        case .backdrop(let shape, let filters, _):
            json.member("type", "backdrop")
            json.shape(shape)
            json.member("filters", filters.count)
        case .pop: json.member("type", "end")
        case .cells: json.member("type", "cells")
        }
    }
}

extension JSONBuffer {
    fileprivate mutating func shape(_ shape: RoundedRect) {
        rect(shape.rect)
        let radii = shape.radii
        guard radii != .zero else { return }
        array("radii", [radii.topLeft, radii.topRight, radii.bottomRight, radii.bottomLeft]) { json, radius in
            json.beginArray()
            json.number(radius.width)
            json.number(radius.height)
            json.endArray()
        }
    }

    fileprivate mutating func fill(_ fill: Fill) {
        switch fill {
        case .color(let color): member("color", color.hex)
        case .gradient(let gradient, _), .tiles(let gradient, _, _): member("gradientStops", gradient.stops.count)
        }
    }
}
