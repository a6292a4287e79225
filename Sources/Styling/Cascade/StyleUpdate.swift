// Styling after an edit: only what the edit can have changed is styled again.
//
// In: a styled tree, the edited tree, what was edited. Out: the styled tree of the edited one. An edit reaches the element
// and what lies in it; its siblings when some selector looks at siblings; everything when some selector looks further
// (SelectorDependencies tells). What was computed before is found again by its key.

import FancyTextBasics
import FancyTextMarkup

/// What an edit of a tree changed.
package enum TreeEdit: Sendable {
    /// The characters of text that was not empty and is not empty now.
    case text
    /// Attributes of an element.
    case attributes(of: NodeID)
    /// The nodes `old` became the nodes from the same place to `newEnd`; all are children of `parent` or lie in one.
    case contents(of: NodeID, old: Range<Int>, newEnd: Int)
}

extension StyledTree {
    /// Lets go of the tree, so that it can be edited without being copied;
    /// ``MarkupStyleResolver/update(_:to:after:log:)`` gives the styled tree the edited one.
    package mutating func releaseTree() { tree = Self.noTree }

    private static let noTree = MarkupTree.parse("")

    /// Makes the styles of nodes follow an edit that moved them. O(nodes).
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
    /// Distinct styles that edits may add before all is computed anew, which forgets those no longer in use.
    private static let mostAdded = 1024

    /// Styles an edited tree anew where the edit can have changed something. `styled` must be of the tree as it was,
    /// with the same `<style>` elements. O(what is styled again), and a move of the ids when nodes were added or
    /// removed.
    ///
    /// - Returns: Whether any styles may have changed.
    @discardableResult
    package func update(
        _ styled: inout StyledTree, to tree: MarkupTree, after edit: TreeEdit, log: inout DiagnosticLog
    ) -> Bool {
        styled.tree = tree
        let dependencies = styled.index.dependencies
        switch edit {
        case .text:
            guard dependencies.contains(.text) else { return false }
            restyle(&styled, log: &log)
        case .attributes(let node):
            guard let parent = tree.parent(node) else { return false }
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
                // Whether the parent is empty may decide its own style and that of its siblings.
                let top = dependencies.contains(.siblings) ? tree.parent(parent) ?? parent : parent
                restyle(&styled, top, log: &log)
            } else if dependsOnSiblings(parent, styled) {
                restyle(&styled, parent, log: &log)
            } else {
                restyle(&styled, NodeID(old.lowerBound)..<NodeID(newEnd), below: parent, log: &log)
            }
        }
        if styled.styles.styles.count > 2 * styled.firstStyleCount + Self.mostAdded { restyle(&styled, log: &log) }
        return true
    }

    /// Whether the style of an element in `parent` depends on the elements beside it: by some selector, or as the summary of
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

    /// Styles everything with the rules that are known already.
    private func restyle(_ styled: inout StyledTree, log: inout DiagnosticLog) {
        styled.forgetStyles(initial: environment.settings.initial)
        run(&styled, log: &log)
    }
}
