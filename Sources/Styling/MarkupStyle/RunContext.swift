// The attributes that a run has from the elements around it: background, link, baseline, paragraph. In: a styled tree.

import FancyTextCSS
import FancyTextMarkup

/// The attributes of a run that its own style does not contain.
package struct RunContext: Sendable {
    /// The background of the innermost inline element around the run that has one.
    package var backgroundColor: Color?
    /// The target of the innermost `<a href>` around the run.
    package var link: String?
    /// The source of an image, the id of a lambda.
    package var attachment: String?
    /// The sum of the shifts of all inline elements around the run, in pixels upwards.
    package var baselineOffset: Float = 0
    package var block: ComputedStyle?

    package init(block: ComputedStyle? = nil) { self.block = block }
}

/// Finds the surroundings of elements. Callers request them in document order; all of them together take O(nodes).
package struct RunContextWalk {
    private let styled: StyledTree
    private var open: [(element: NodeID, end: NodeID, value: RunContext)] = []
    private let root: RunContext

    package init(_ styled: StyledTree) { (self.styled, root) = (styled, RunContext(block: styled.rootStyle)) }

    /// The surroundings of a run of text in `element`; the root's for text outside all elements.
    package mutating func surroundings(of element: NodeID) -> RunContext {
        while let last = open.last, element < last.element || last.end <= element { open.removeLast() }
        if let last = open.last, last.element == element { return last.value }
        let tree = styled.tree
        let known = open.last?.element ?? tree.root
        let path = sequence(first: element, next: tree.parent).prefix { $0 != known && $0 != tree.root }
        for current in path.reversed() {
            open.append((current, tree.subtreeEnd(current), surroundings(of: current, in: open.last?.value ?? root)))
        }
        return open.last?.value ?? root
    }

    private func surroundings(of element: NodeID, in parent: RunContext) -> RunContext {
        var result = parent
        let style = styled.computed(element)
        switch styled.tree.tag(element) {
        case .a: result.link = styled.tree.attribute(element, .href) ?? parent.link
        case .img: result.attachment = styled.tree.attribute(element, .src)
        case .lambda: result.attachment = styled.tree.attribute(element, .id)
        default: break
        }
        switch style.box.display.level {
        case .inline, .contents, .atomicInline:
            if style.box.backgroundColor.alpha > 0 { result.backgroundColor = style.box.backgroundColor }
            result.baselineOffset += Self.baselineOffset(
                style, parent: styled.tree.parent(element).map { styled.computed($0) } ?? styled.rootStyle)
        case .none, .block, .tablePart:
            result.block = style
            result.backgroundColor = nil
            result.baselineOffset = 0
        }
        return result
    }

    /// The distance by which an inline box is raised (CSS 2 §10.8.1), with the shares for `sub` and `super` of browsers.
    private static func baselineOffset(_ style: ComputedStyle, parent: ComputedStyle) -> Float {
        switch style.box.verticalAlign {
        case .baseline, .top, .middle, .bottom, .textTop, .textBottom: return 0
        case .sub: return -(parent.font.size / 5 + 1).rounded(.down)
        case .super: return (parent.font.size / 3 + 1).rounded(.down)
        case .length(let length): return length.resolved(against: style.text.lineHeight.pixels(style.font.size))
        }
    }
}
