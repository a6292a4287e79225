// A tree with the computed style of each node: the result of styling.

import FancyTextCSS
import FancyTextMarkup

package struct StyledTree: Sendable {
    package internal(set) var tree: MarkupTree
    package internal(set) var styles: StyleTable
    /// By node. Text and comments have their parent's style.
    var nodeStyles: [StyleID] = []
    /// By node and pseudo-element.
    var pseudoStyles: [PseudoKey: StyleID] = [:]
    package internal(set) var fontFaces: [FontFaceRule] = []
    package var pageRules: [PageRule] { index.pageRules }
    /// The base of relative URLs in the document's styles.
    var base: String
    /// The texts of all style sheets outside of the document.
    var outsideSheets: [CSSSource] = []
    /// True if some rule has a pseudo-element, so that ``pseudoStyle(of:_:)`` may return a style.
    package var hasPseudoStyles: Bool { !pseudoStyles.isEmpty }
    /// The elements with styled pseudo-elements, in no particular order and with duplicates.
    package var nodesWithPseudoStyles: some Sequence<NodeID> { pseudoStyles.keys.lazy.map(\.node) }
    package var index: RuleIndex
    let media: MediaEnvironment
    /// The fonts of elements whose declarations use font units such as `ch`.
    package internal(set) var fontsOfUnits: [FontStyle] = []
    /// The sizes of query containers in the layout that the styles are for.
    var containerSizes: [NodeID: ContainerSize] = [:]
    /// True if some element may be a query container.
    package internal(set) var hasContainers = false
    /// True if some style has `float: footnote`.
    package internal(set) var hasFootnotes = false

    init(_ tree: MarkupTree, _ index: RuleIndex, media: MediaEnvironment, initial: ComputedStyle) {
        (self.tree, self.index, self.media) = (tree, index, media)
        base = tree.sourceName
        styles = StyleTable(root: initial)
    }

    package struct PseudoKey: Hashable, Sendable {
        package var node: NodeID
        package var box: PseudoBox
    }

    @inline(__always)
    package func style(of node: NodeID) -> StyleID {
        Int(node.index) < nodeStyles.count ? nodeStyles[Int(node.index)] : .root
    }

    package func computed(_ node: NodeID) -> ComputedStyle { styles[style(of: node)] }

    /// Replaces `var()` in a value by an element's custom properties. Returns `nil` if a reference has no value.
    package func substituting(_ value: String, of node: NodeID) -> String? {
        let source = CSSSource(value)
        var account = ByteAccount(1 << 16)
        return VariableResolver(computed(node).inherited.customProperties)
            .substitute(source, source.tokens.indices, from: &account).map {
                String(decoding: $0, as: UTF8.self).replacing("/**/", with: "")
            }
    }

    /// The style of a pseudo-element; `nil` if no rule styles it.
    package func pseudoStyle(of node: NodeID, _ box: PseudoBox) -> StyleID? {
        pseudoStyles[PseudoKey(node: node, box: box)]
    }

    /// Drops `::before` and `::after` in `pre` elements: they are the numbers of lines, and no part of the code.
    package mutating func dropGeneratedCode() {
        guard hasPseudoStyles else { return }
        var isInListing = [Bool](repeating: false, count: tree.count)
        var end: UInt32 = 0
        for node in tree.subtree(tree.root) {
            if node.index >= end, tree.tag(node) == .pre { end = tree.subtreeEnd(node).index }
            isInListing[Int(node.index)] = node.index < end
        }
        for key in pseudoStyles.keys where isInListing[Int(key.node.index)] && [.before, .after].contains(key.box) {
            pseudoStyles[key] = nil
        }
    }

    /// The style of a fragment's implied root element if a box of its own has an effect.
    package var impliedRoot: StyleID?

    /// The style of the canvas and of text outside of all elements: the root's, or the implied body's in a fragment.
    package var rootStyle: ComputedStyle { styles[.root] }
}
