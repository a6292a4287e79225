// Styles a tree on another thread while the caller reads the styles found earlier.
//
// In: a tree with its rules. Out: the styles of its nodes, one stretch of the tree after the other, and at the end the styled
// tree. A node's style is final as soon as the walk has passed it, since neither later nodes nor its contents change it. So a
// reader that visits the nodes in order need not wait for the last one.

import FancyTextBasics
import FancyTextMarkup

/// The styles found since the previous stretch.
package struct StyleStretch: @unchecked Sendable {
    /// All nodes before this one have their styles.
    package let end: UInt32
    /// By node. Only those before `end` may be read, as long as the ``StylesAhead`` exists.
    package let nodeStyles: UnsafePointer<StyleID>
    /// The styles added since the previous stretch.
    package let styles: [ComputedStyle]
    package let pseudoStyles: [StyledTree.PseudoKey: StyleID]
}

/// The styles of a tree, computed by another thread or already complete.
package final class StylesAhead: @unchecked Sendable {
    package let tree: MarkupTree
    package let index: RuleIndex
    /// The style of the canvas.
    package let rootStyle: ComputedStyle
    /// The number of nodes per stretch. It is small enough that the reader starts early and ends soon after the walk, and large
    /// enough that passing stretches on costs nothing.
    package static let stretch: UInt32 = 1 << 12

    private let relay = Relay<StyleStretch>()
    // Owned by the thread until it is joined.
    private var walk: StyleWalk?
    private var styled: StyledTree
    private var log: DiagnosticLog
    private var thread: JoinedThread?

    /// Starts a thread that styles a tree. If no thread can be started, styles the tree before returning.
    ///
    /// - Parameters:
    ///   - styled: a tree from ``MarkupStyleResolver/unstyled(_:log:)``.
    ///   - log: the messages before styling.
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

    /// The complete styles of a tree, as one stretch.
    package init(_ styled: StyledTree) {
        self.styled = styled
        log = DiagnosticLog()
        tree = styled.tree
        index = styled.index
        rootStyle = styled.rootStyle
        // The storage of the array stays valid while the array exists and is not modified.
        if let nodeStyles = styled.nodeStyles.withUnsafeBufferPointer({ $0.baseAddress }) {
            _ = relay.put(
                StyleStretch(
                    end: .max, nodeStyles: nodeStyles, styles: styled.styles.styles,
                    pseudoStyles: styled.pseudoStyles))
        }
        relay.end()
    }

    /// Waits for the next stretch; `nil` after the last.
    package func next() -> StyleStretch? { relay.next() }

    /// Waits for the tree with all of its styles.
    ///
    /// - Parameter log: Set to the messages before styling and those of styling.
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
        // The thread uses memory of the walk.
        thread?.join()
        walk?.free()
    }
}

extension MarkupStyleResolver {
    /// Styles a tree from ``unstyled(_:log:)`` on another thread.
    ///
    /// - Parameter log: The messages before styling. ``StylesAhead/finish(log:)`` returns them with those of styling.
    package func styleAhead(
        _ styled: StyledTree, log: DiagnosticLog, stretch: UInt32 = StylesAhead.stretch
    ) -> StylesAhead {
        StylesAhead(styling: styled, environment(for: styled.tree.documentMode), log, stretch: stretch)
    }
}
