// The cost of the shared traversal, compared with a hand-written loop and with dynamic dispatch.

import FancyTextMarkup

/// Counts elements and finds the greatest depth: so little work that mainly the traversal is measured.
private struct DepthWalker: TreeWalker {
    var elements = 0
    var depth = 0
    var greatest = 0

    mutating func enterElement(_ node: NodeID, in tree: MarkupTree) -> Descent {
        elements += 1
        depth += 1
        greatest = max(greatest, depth)
        return .contents
    }

    mutating func leaveElement(_ node: NodeID, in tree: MarkupTree) { depth -= 1 }
}

/// The same work in a hand-written loop.
private func depthByHand(_ tree: MarkupTree) -> (Int, Int) {
    var elements = 0
    var greatest = 0
    var open: [NodeID] = []
    var node = NodeID(index: 1)
    let end = tree.subtreeEnd(tree.root)
    while node < end {
        while let last = open.last, last <= node { open.removeLast() }
        if tree.kind(node) == .element {
            elements += 1
            greatest = max(greatest, open.count + 1)
            open.append(tree.subtreeEnd(node))
        }
        node = NodeID(index: node.index + 1)
    }
    return (elements, greatest)
}

@inline(never)
private func walk(_ tree: MarkupTree, _ walker: inout any TreeWalker) { tree.visit(tree.root, with: &walker) }

/// Prints the times of one page of 1 MB, and returns the page.
func benchmarkVisitors() -> [UInt8] {
    let page = makePage(1_000_000)
    let tree = MarkupTree.parse(String(decoding: page, as: UTF8.self))
    var found: Set<[Int]> = []
    print("visitors, \(tree.count) nodes")
    report(
        "  loop by hand",
        median {
            let (elements, depth) = depthByHand(tree)
            found.insert([elements, depth])
        })
    report(
        "  generic walker",
        median {
            var walker = DepthWalker()
            tree.visit(tree.root, with: &walker)
            found.insert([walker.elements, walker.greatest])
        })
    report(
        "  existential walker",
        median {
            var walker: any TreeWalker = DepthWalker()
            walk(tree, &walker)
            if let walker = walker as? DepthWalker { found.insert([walker.elements, walker.greatest]) }
        })
    report("  HTML of all", median { _ = tree.html(tree.root, outer: false).count })
    report("  text of all", median { _ = tree.textContent(tree.root).count })
    precondition(found.count == 1, "the walkers disagree: \(found)")
    return page
}
