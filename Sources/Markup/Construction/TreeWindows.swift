// A source in, its tree out a window at a time: tree construction pauses where all that is closed is final.

import FancyTextBasics
import Synchronization

/// From which place of the source on tree construction may pause: another thread may be about to find out.
package final class PauseGate: Sendable {
    private let place = Atomic<Int>(.max)
    private static let closed = -1

    package init() {}

    /// There is no pause before `place`.
    package func open(from place: Int) { self.place.store(place, ordering: .releasing) }

    /// Nobody wants a window.
    package func close() { place.store(Self.closed, ordering: .releasing) }

    fileprivate var isClosed: Bool { place.load(ordering: .acquiring) == Self.closed }

    fileprivate func lets(_ position: Int) -> Bool { position >= place.load(ordering: .acquiring) }
}

/// The elements that were open before, each in the one before, and what the source adds to them.
package struct TreeWindow: Sendable {
    package let tree: MarkupTree
    /// The first node that no window had before.
    package let first: Int
    package let isLast: Bool
}

/// The tree of a source, one window after another.
package struct TreeWindows {
    /// Whether the reader can do with what there is of the open elements: of `opened`, which no window had before, and of the
    /// current node.
    package typealias PauseTest = @Sendable (_ tree: MarkupTree, _ opened: [NodeID], _ current: NodeID) -> Bool

    private var builder: Normalizer
    private let leastNodes: Int
    private let gate: PauseGate?
    private let mayPause: PauseTest
    private var log = DiagnosticLog()
    private var isDone = false
    private let makeArena: () -> TreeStorage

    package init(
        _ source: SourceBytes, _ options: SyntaxOptions, leastNodes: Int, gate: PauseGate? = nil,
        mayPause: @escaping PauseTest
    ) {
        builder = Normalizer(source, options, reserved: 1 << 20)
        self.leastNodes = leastNodes
        self.gate = gate
        self.mayPause = mayPause
        makeArena = { [sourceBase = builder.sourceBase] in
            TreeStorage(
                source: source, sourceBase: sourceBase, nodes: GrowableBuffer(capacity: 2 * leastNodes),
                large: LargeSubtrees(), attributes: AttributeStore(sourceLength: 32 * leastNodes),
                edited: GrowableBuffer(capacity: 8), interner: TagInterner(), options: options)
        }
    }

    /// A tree of the same source that has no nodes.
    package var nothing: MarkupTree { MarkupTree(storage: makeArena()) }

    /// The next window; nil behind the last one.
    ///
    /// - Parameter takeArena: gives what the reader has back of the last window; nil when nobody wants another.
    private mutating func next(_ takeArena: () -> TreeStorage?) -> TreeWindow? {
        guard !isDone else { return nil }
        var arena: TreeStorage?
        let first = builder.nodes.count
        // Where many elements are open, it takes more to make a pause worth while.
        var least = max(leastNodes, 2 * first)
        while builder.read(atLeast: least) {
            if gate?.isClosed == true { return nil }
            guard builder.mayBeFinal, gate?.lets(builder.position) ?? true else { continue }
            let isFinal = builder.isFinal
            if isFinal, arena == nil {
                arena = takeArena()
                if arena == nil { return nil }
            }
            guard isFinal, let arena, suits(arena, first) else {
                least = builder.nodes.count + builder.nodes.count / 4
                continue
            }
            builder.makeReadable()
            builder.exchange(with: arena)
            builder.carryOver(from: arena)
            return TreeWindow(tree: MarkupTree(storage: arena), first: first, isLast: false)
        }
        isDone = true
        return TreeWindow(tree: MarkupTree(storage: builder.finish(log: &log)), first: first, isLast: true)
    }

    private mutating func suits(_ arena: TreeStorage, _ first: Int) -> Bool {
        builder.exchange(with: arena)
        defer { builder.exchange(with: arena) }
        let open = builder.openNodes
        // What was open before has a name below the first new one's.
        return mayPause(MarkupTree(storage: arena), open.filter { $0.index >= first }, open[open.count - 1])
    }

    /// Calls `body` with each window until it returns false; it keeps none of them.
    ///
    /// - Parameters:
    ///   - isAhead: whether the next window is built on another thread while `body` reads one.
    ///   - prepare: comes before the first window, at the same time as it is built; false when nobody wants it.
    package consuming func forEach(
        isAhead: Bool, log: inout DiagnosticLog, after prepare: () -> Bool = { true }, _ body: (TreeWindow) -> Bool
    ) {
        let arena = makeArena()
        let relay = Relay<TreeWindow, TreeStorage>([arena])
        let builder = Builder(self)
        let work: @Sendable () -> Void = {
            while let window = builder.windows.next({ relay.takeBlank() }), relay.put(window) {}
            relay.end()
        }
        if isAhead, let thread = JoinedThread(work) {
            if prepare() { while let window = relay.next(), body(window) { relay.giveBack(arena) } }
            relay.end()
            thread.join()
        } else if prepare() {
            while let window = builder.windows.next({ arena }), body(window) {}
        }
        builder.windows.end(&log)
    }

    /// Who builds windows: the thread, while there is one.
    private final class Builder: @unchecked Sendable {
        var windows: TreeWindows
        init(_ windows: consuming TreeWindows) { self.windows = windows }
    }

    private mutating func end(_ log: inout DiagnosticLog) {
        // Its memory belongs to a tree, also where nobody wanted the last one.
        if !isDone { _ = builder.finish(log: &self.log) }
        log.merge(self.log)
    }
}
