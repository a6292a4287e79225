// Ruby (CSS Ruby 1 §2): each base with the annotation that follows it becomes an atomic box of two blocks.

import FancyTextMarkup
import FancyTextStyling

extension BoxGenerator {
    /// Appends ruby segments: each base with the `<rt>` that follows it. Returns false when there is no annotation.
    mutating func appendRuby(_ node: NodeID, style: StyleID, to flow: inout Flow) -> Bool {
        var segments: [(base: Range<NodeID>, annotation: Range<NodeID>)] = []
        var baseStart = NodeID(index: node.index + 1)
        var hasAnnotation = false
        for child in tree.children(node) where tree.kind(child) == .element {
            let display = text.styles[styled.style(of: child)].box.display
            if display == .rubyText {
                segments.append((baseStart..<child, child..<tree.subtreeEnd(child)))
                baseStart = tree.subtreeEnd(child)
                hasAnnotation = true
            }
        }
        guard hasAnnotation else { return false }
        let end = tree.subtreeEnd(node)
        for segment in segments {
            let item = flow.inline.appendAtomic(element: node, style: style, to: &text)
            appendInlineChild(&flow, item: item) { generator, parent, depth in
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

    mutating func appendRubySegment(
        _ node: NodeID, base: Range<NodeID>, annotation: Range<NodeID>, parent: Int, depth: Int
    ) {
        let style = styled.style(of: node)
        let box = openBox(
            .ruby, style: anonymousStyle(of: style, .inlineBlock), element: node, parent: parent, isAnonymous: true)
        let baseBox = openBox(
            .block, style: anonymousStyle(of: style, .block), element: node, parent: box, isAnonymous: true)
        fill(baseBox, from: base.lowerBound, to: base.upperBound, of: node, depth: depth, isElement: false)
        closeBox(baseBox)
        let rt = annotation.lowerBound
        let annotationBox = openBox(.block, style: styled.style(of: rt), element: rt, parent: box)
        fill(annotationBox, from: NodeID(index: rt.index + 1), to: annotation.upperBound, of: rt, depth: depth)
        closeBox(annotationBox)
        closeBox(box)
    }
}
