// A tree with the computed style of each node: what styling hands on.

import FancyTextBasics
import FancyTextMarkup

package struct StyledTree: Sendable {
    package internal(set) var tree: MarkupTree
    package internal(set) var styles: StyleTable
    /// By node; text and comments have their parent's style.
    var nodeStyles: [StyleID] = []
    /// By node and pseudo-element.
    var pseudoStyles: [PseudoKey: StyleID] = [:]
    package internal(set) var fontFaces: [FontFaceRule] = []
    /// The texts of all style sheets but those that stand in the document itself.
    var outsideSheets: [CSSSource] = []
    /// Some rule has a pseudo-element, so that ``pseudoStyle(of:_:)`` may answer.
    package var hasPseudoStyles: Bool { !pseudoStyles.isEmpty }
    /// The elements that they belong to, in no order, and more than once.
    package var nodesWithPseudoStyles: some Sequence<NodeID> { pseudoStyles.keys.lazy.map(\.node) }
    /// What further resolving of the same document reuses; nil before, and while a walk has it.
    var cache: SharedValue<StyleCacheStorage>?
    package var index: RuleIndex
    /// How many distinct styles there were when all of them were computed together.
    var firstStyleCount = 0
    /// Fonts of elements whose declarations count in `ch` and the like.
    package internal(set) var fontsOfUnits: Set<FontStyle> = []
    /// What `rem` stands for, in CSS pixels; nil before anything is styled.
    var rootFontSize: Double?

    init(_ tree: MarkupTree, _ index: RuleIndex, initial: ComputedStyle) {
        self.tree = tree
        self.index = index
        styles = StyleTable(root: initial)
    }

    /// Forgets what was computed; the rules stay.
    mutating func forgetStyles(initial: ComputedStyle) {
        styles = StyleTable(root: initial)
        cache = nil
    }

    package struct PseudoKey: Hashable, Sendable {
        package var node: NodeID
        package var box: PseudoBox

        package init(node: NodeID, box: PseudoBox) {
            self.node = node
            self.box = box
        }
    }

    /// O(1).
    @inline(__always)
    package func style(of node: NodeID) -> StyleID {
        Int(node.index) < nodeStyles.count ? nodeStyles[Int(node.index)] : .root
    }

    /// The computed style itself. O(1).
    package func computed(_ node: NodeID) -> ComputedStyle { styles[style(of: node)] }

    /// A Boolean value that indicates whether the element's own attributes hide it.
    package func hidesItself(_ node: NodeID) -> Bool {
        if tree.hasAttribute(node, .hidden) { return true }
        guard let css = tree.attribute(node, .style) else { return false }
        var log = DiagnosticLog()
        let initial = styles[.root]
        let block = StylesheetParser.parseInline(CSSSource(bytes: Array(css.utf8)), context: ValueContext(), log: &log)
        var matched = MatchedDeclarations([RankedBlock(block: block, level: .inline)])
        var computer = StyleComputer(settings: StyleSettings(initial: initial), keyframes: [:], sourceBytes: 0)
        return computer.compute(&matched, parent: initial, rootFontSize: nil).box.display == .none
    }

    /// The style of a pseudo-element that rules give the element; nil when there are none.
    package func pseudoStyle(of node: NodeID, _ box: PseudoBox) -> StyleID? {
        pseudoStyles[PseudoKey(node: node, box: box)]
    }

    /// The style of the canvas and of text outside of all elements: the root's, for a fragment the implied body's.
    package var rootStyle: ComputedStyle { styles[.root] }
}
