// Styles that another thread finds while those that it has found are read.
//
// In: a tree with its rules. Out: the styles of its nodes, one stretch of the tree after the other, and in the end the
// styled tree. A node's style is final as soon as the walk has passed it, since neither what follows nor what it holds
// changes it any more: who reads the nodes in their order need not wait for the last one.

import FancyTextBasics
import FancyTextMarkup

/// What has been found since the stretch before.
package struct StyleStretch: @unchecked Sendable {
    /// Nodes before it have their styles.
    package let end: UInt32
    /// By node; only those before the end are there to be read, as long as there is a ``StylesAhead``.
    package let nodeStyles: UnsafePointer<StyleID>
    /// Those that have come behind the ones before.
    package let styles: [ComputedStyle]
    package let pseudoStyles: [StyledTree.PseudoKey: StyleID]
}

/// The styles of a tree, found by a thread of their own or there already.
package final class StylesAhead: @unchecked Sendable {
    package let tree: MarkupTree
    package let index: RuleIndex
    /// Of the canvas.
    package let rootStyle: ComputedStyle
    /// Nodes between two stretches: few enough that their reader starts early and ends soon behind the walk, so many that
    /// handing them over costs nothing.
    package static let stretch: UInt32 = 1 << 12

    private let relay = Relay<StyleStretch, Never>([])
    // The thread's until it is joined.
    private var walk: StyleWalk?
    private var styled: StyledTree
    private var log: DiagnosticLog
    private var thread: JoinedThread?

    /// Starts a thread that styles a tree; where none can be had, all is done at once.
    ///
    /// - Parameters:
    ///   - styled: what ``MarkupStyleResolver/unstyled(_:log:)`` has made.
    ///   - log: what there was to say before.
    init(
        styling styled: StyledTree, _ environment: ResolverEnvironment, _ log: DiagnosticLog,
        stretch: UInt32
    ) {
        var styled = styled
        var log = log
        var walk = StyleWalk(environment, taking: &styled, &log)
        walk.styleRoot()
        walk.relay = relay
        walk.stretch = stretch
        tree = styled.tree
        index = styled.index
        rootStyle = walk.table[.root]
        self.walk = walk
        self.styled = styled
        self.log = log
        let work: @Sendable () -> Void = { [self] in
            guard var walk = self.walk else { return }
            self.walk = nil
            walk.walkAll()
            self.walk = walk
        }
        thread = JoinedThread(work)
        if thread == nil { work() }
    }

    /// The styles of a tree that has them, as one stretch.
    package init(_ styled: StyledTree) {
        self.styled = styled
        log = DiagnosticLog()
        tree = styled.tree
        index = styled.index
        rootStyle = styled.rootStyle
        // An array stays where it is as long as it is there and nobody changes it.
        if let nodeStyles = styled.nodeStyles.withUnsafeBufferPointer({ $0.baseAddress }) {
            _ = relay.put(
                StyleStretch(
                    end: .max, nodeStyles: nodeStyles, styles: styled.styles.styles,
                    pseudoStyles: styled.pseudoStyles))
        }
        relay.end()
    }

    /// The next stretch, once there is one; nil behind the last.
    package func next() -> StyleStretch? { relay.next() }

    /// The tree with all of its styles, once there are.
    ///
    /// - Parameter log: becomes what there was to say before, and of the styles.
    package func finish(log: inout DiagnosticLog) -> StyledTree {
        thread?.join()
        thread = nil
        if var walk {
            self.walk = nil
            walk.finish(&styled, &self.log)
            styled.firstStyleCount = styled.styles.styles.count
            log = self.log
        }
        return styled
    }

    deinit {
        // Its memory is the walk's.
        thread?.join()
        walk?.free()
    }
}

extension MarkupStyleResolver {
    /// Styles what ``unstyled(_:log:)`` has made on another thread.
    ///
    /// - Parameter log: what there was to say before; ``StylesAhead/finish(log:)`` gives it back.
    package func styleAhead(
        _ styled: StyledTree, log: DiagnosticLog, stretch: UInt32 = StylesAhead.stretch
    ) -> StylesAhead {
        StylesAhead(styling: styled, environment(for: styled.tree.documentMode), log, stretch: stretch)
    }
}
