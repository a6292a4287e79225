// Ruby (CSS Ruby 1 §2): each base with the annotation that follows it becomes an atomic box of two blocks.

import FancyTextMarkup
import FancyTextStyling

extension BoxGenerator {
    /// Appends ruby segments: each base with the `<rt>` that follows it. Returns false when there is no annotation.
    mutating func appendRuby(_ node: NodeID, style: StyleID, to flow: inout Flow) -> Bool {
        var segments: [(base: Range<NodeID>, annotation: NodeID)] = []
        var baseStart = NodeID(index: node.index + 1)
        for child in tree.children(node)
        where tree.kind(child) == .element && text.styles[styled.style(of: child)].box.display == .rubyText {
            segments.append((baseStart..<child, child))
            baseStart = tree.subtreeEnd(child)
        }
        if segments.isEmpty { return false }
        let end = tree.subtreeEnd(node)
        for segment in segments {
            appendInlineChild(of: node, style: style, to: &flow) { generator, parent, depth in
                generator.appendRubySegment(
                    node, base: segment.base, annotation: segment.annotation, parent: parent, depth: depth)
            }
        }
        // Text after the last annotation has no annotation.
        var rest = baseStart
        while rest < end {
            if tree.kind(rest) == .element, text.styles[styled.style(of: rest)].box.display == .none {
                rest = tree.subtreeEnd(rest)
                continue
            }
            if tree.kind(rest) == .text { appendText(rest, style: style, element: node, to: &flow) }
            rest = NodeID(index: rest.index + 1)
        }
        return true
    }

    mutating func appendRubySegment(_ node: NodeID, base: Range<NodeID>, annotation rt: NodeID, parent: Int, depth: Int)
    {
        let style = styled.style(of: node)
        let box = openAnonymous(.ruby, .inlineBlock, of: style, node, in: parent)
        let baseBox = openAnonymous(.block, .block, of: style, node, in: box)
        fill(baseBox, base, of: node, depth: depth, isElement: false)
        closeBox(baseBox)
        let annotationBox = openBox(.block, style: styled.style(of: rt), element: rt, parent: box)
        fill(annotationBox, tree.contents(rt), of: rt, depth: depth)
        closeBox(annotationBox)
        closeBox(box)
    }
}
