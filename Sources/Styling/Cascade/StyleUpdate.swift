// Styling after an edit: only the parts that the edit may have changed are styled again.
//
// In: a styled tree, the edited tree, the edit. Out: the styled tree of the edited one. An edit affects the element and its
// contents, its siblings if some selector depends on siblings, and everything if some selector depends on more (see
// SelectorDependencies). Styles computed earlier are found again by their keys.

import FancyTextBasics
import FancyTextMarkup

/// A change of a tree.
package enum TreeEdit: Sendable {
    /// The characters of a text that is not empty before or after.
    case text
    /// The attributes of an element.
    case attributes(of: NodeID)
    /// The nodes `old` were replaced by the nodes from the same start to `newEnd`; all are descendants of `parent`.
    case contents(of: NodeID, old: Range<Int>, newEnd: Int)
}

extension StyledTree {
    /// Releases the tree, so that it can be edited without a copy. ``MarkupStyleResolver/update(_:to:after:log:)`` sets the
    /// edited one.
    package mutating func releaseTree() { tree = Self.noTree }

    private static let noTree = MarkupTree.parse("")

    /// Moves the styles of nodes after an edit that moved the nodes. O(nodes).
    fileprivate mutating func move(_ old: Range<Int>, to newEnd: Int) {
        let added = newEnd - old.lowerBound
        nodeStyles.replaceSubrange(old, with: repeatElement(.root, count: added))
        guard !pseudoStyles.isEmpty, added != old.count || !old.isEmpty else { return }
        var moved: [PseudoKey: StyleID] = [:]
        moved.reserveCapacity(pseudoStyles.count)
        for (key, style) in pseudoStyles {
            let index = Int(key.node.index)
            if index < old.lowerBound {
                moved[key] = style
            } else if index >= old.upperBound {
                moved[PseudoKey(node: NodeID(index - old.count + added), box: key.box)] = style
            }
        }
        pseudoStyles = moved
    }
}

extension MarkupStyleResolver {
    /// The number of distinct styles that edits may add before everything is styled again, which drops unused styles.
    private static let mostAdded = 1024

    /// Styles those parts of an edited tree again that the edit may have changed. `styled` must belong to the tree before the
    /// edit, with the same `<style>` elements. O(nodes styled again), plus a move of the style ids if nodes were added or
    /// removed.
    package func update(
        _ styled: inout StyledTree, to tree: MarkupTree, after edit: TreeEdit, log: inout DiagnosticLog
    ) {
        styled.tree = tree
        let dependencies = styled.index.dependencies
        switch edit {
        case .text:
            guard dependencies.contains(.text) else { return }
            restyle(&styled, log: &log)
        case .attributes(let node):
            guard let parent = tree.parent(node) else { return }
            if dependencies.contains(.document) {
                restyle(&styled, log: &log)
            } else {
                restyle(&styled, dependsOnSiblings(parent, styled) ? parent : node, log: &log)
            }
        case .contents(let parent, let old, let newEnd):
            styled.move(old, to: newEnd)
            if dependencies.contains(.document) {
                restyle(&styled, log: &log)
            } else if dependencies.contains(.emptiness) {
                // The emptiness of the parent may affect its own style and, through sibling selectors, those of its siblings.
                let top = dependencies.contains(.siblings) ? tree.parent(parent) ?? parent : parent
                restyle(&styled, top, log: &log)
            } else if dependsOnSiblings(parent, styled) {
                restyle(&styled, parent, log: &log)
            } else {
                restyle(&styled, NodeID(old.lowerBound)..<NodeID(newEnd), below: parent, log: &log)
            }
        }
        if styled.styles.styles.count > 2 * styled.firstStyleCount + Self.mostAdded { restyle(&styled, log: &log) }
    }

    /// Returns whether the style of an element in `parent` depends on its siblings: by some selector, or as the summary of
    /// `details`.
    private func dependsOnSiblings(_ parent: NodeID, _ styled: StyledTree) -> Bool {
        styled.index.dependencies.contains(.siblings) || styled.tree.tag(parent) == .details
    }

    private func restyle(_ styled: inout StyledTree, _ top: NodeID, log: inout DiagnosticLog) {
        guard let parent = styled.tree.parent(top) else { return restyle(&styled, log: &log) }
        restyle(&styled, top..<styled.tree.subtreeEnd(top), below: parent, log: &log)
    }

    private func restyle(
        _ styled: inout StyledTree, _ nodes: Range<NodeID>, below parent: NodeID, log: inout DiagnosticLog
    ) {
        guard !nodes.isEmpty else { return }
        var walk = makeWalk(taking: &styled, &log)
        walk.walk(nodes, below: parent)
        walk.finish(&styled, &log)
    }

    /// Styles everything again with the current rules.
    private func restyle(_ styled: inout StyledTree, log: inout DiagnosticLog) {
        styled.forgetStyles(initial: environment.settings.initial)
        run(&styled, log: &log)
    }
}
