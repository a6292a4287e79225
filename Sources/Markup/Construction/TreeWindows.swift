// A source in, its tree out a window at a time: tree construction pauses where all that is closed is final.

import Basics

/// The tree of a source, one window after another.
package struct TreeWindows {
    private var builder: Normalizer
    private let lent: TreeStorage
    private let leastNodes: Int
    private let firstPause: Int
    private var isLent = false
    /// The window: the elements that were open before it, each in the one before, and what has been added.
    package private(set) var tree: MarkupTree
    /// The first node that is not known yet.
    package private(set) var first = 1

    package init(_ source: SourceBytes, _ options: SyntaxOptions, leastNodes: Int, firstPause: Int) {
        builder = Normalizer(source, options, reserved: 1 << 20)
        lent = TreeStorage(
            source: source, sourceBase: builder.sourceBase, nodes: GrowableBuffer(capacity: 8), large: LargeSubtrees(),
            attributes: AttributeStore(sourceLength: 0), edited: GrowableBuffer(capacity: 8), interner: TagInterner(),
            options: options)
        tree = MarkupTree(storage: lent)
        self.leastNodes = leastNodes
        self.firstPause = firstPause
    }

    /// Goes on to the next window; false when it is the last one.
    ///
    /// - Parameter mayPause: whether the reader can do with what there is of the open elements, which it is given.
    package mutating func next(log: inout DiagnosticLog, mayPause: (MarkupTree, [NodeID]) -> Bool) -> Bool {
        if isLent {
            builder.exchange(with: lent)
            builder.forgetClosed()
            isLent = false
        }
        first = builder.nodes.count
        // Where many elements are open, it takes more to make a pause worth while.
        var least = max(leastNodes, 2 * first)
        while builder.read(atLeast: least) {
            guard builder.mayBeFinal, builder.position >= firstPause else { continue }
            guard builder.isFinal, suits(mayPause) else {
                least = builder.nodes.count + builder.nodes.count / 4
                continue
            }
            builder.makeReadable()
            builder.exchange(with: lent)
            isLent = true
            return true
        }
        tree = MarkupTree(storage: builder.finish(log: &log))
        return false
    }

    private mutating func suits(_ mayPause: (MarkupTree, [NodeID]) -> Bool) -> Bool {
        builder.exchange(with: lent)
        defer { builder.exchange(with: lent) }
        return mayPause(tree, builder.openNodes)
    }
}
