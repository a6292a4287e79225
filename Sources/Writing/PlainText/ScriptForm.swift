// Superscripts and subscripts in plain text, so that 10⁶ does not become 106: as Unicode characters if these exist, otherwise with
// a mark. In: an element, and the text before it. Out: the form of its text, by the tree alone, as both ways to plain text need it.

import FancyTextBasics
import FancyTextGeneration
import FancyTextMarkup
import FancyTextStyling

package enum ScriptForm: Equatable {
    /// Unchanged: bracketed, an ordinal's ending, or text that cannot be misread.
    case plain
    /// These characters instead of the contents.
    case characters(String)
    /// After `^` or `_`, with brackets if white space would end it.
    case marked(opening: String, closing: String)

    /// - Parameters:
    ///   - before: the last byte on the line; nil at its start or after a space.
    ///   - keepsCase: whether `text-transform` leaves the text unchanged.
    package init(of element: NodeID, in tree: MarkupTree, after before: UInt8?, keepsCase: Bool) {
        self = .plain
        let isSuper = tree.tag(element) == .sup
        guard let (text, isNested, isLink) = Self.text(of: element, in: tree) else { return }
        let core = String(decoding: text.trimmed(\.isHTMLSpace), as: UTF8.self)
        let startsWithSpace = text.first?.isHTMLSpace == true
        guard let first = core.utf8.first else { return }
        if !first.isASCIIAlphanumeric {
            guard core.contains(where: { $0.isLetter || $0.isNumber }) else { return }
            if let first = core.first, let last = core.last, Self.brackets.contains("\(first)\(last)") { return }
        }
        if isSuper, before?.isASCIIDigit == true, Self.ordinals.contains(core.lowercased()) { return }
        if isSuper, let sign = Self.signs[core] {
            self = .characters(sign)
            return
        }
        let letters = core.unicodeScalars.count {
            $0.isASCII ? UInt8(ascii: $0).isASCIILetter : $0.properties.isAlphabetic
        }
        let table = isSuper ? ScriptCharacters.superscripts : ScriptCharacters.subscripts
        // A link is a note's number, or stays a link.
        if isLink, !core.utf8.allSatisfy(\.isASCIIDigit) { return }
        if !isNested, letters == 0 || keepsCase && core.unicodeScalars.count <= Self.mostLetters {
            if let mapped = ScriptCharacters.map(core, table) {
                let endsWithSpace = text.last?.isHTMLSpace == true
                self = .characters((startsWithSpace ? " " : "") + mapped + (endsWithSpace ? " " : ""))
                return
            }
        }
        guard before != nil, !startsWithSpace, core.utf8.count <= Self.longestMarked else { return }
        let isOneWord = !core.contains(where: \.isWhitespace)
        self = .marked(opening: (isSuper ? "^" : "_") + (isOneWord ? "" : "("), closing: isOneWord ? "" : ")")
    }

    /// A run of a listing as a superscript or subscript; nil for other runs.
    static func inCode(_ text: String, _ role: TextRole) -> String? {
        let isSuper = role.contains(.superscript)
        guard isSuper || role.contains(.subscript), !text.allSatisfy(\.isWhitespace) else { return nil }
        let table = isSuper ? ScriptCharacters.superscripts : ScriptCharacters.subscripts
        return ScriptCharacters.map(text, table) ?? (isSuper ? "^" : "_") + text
    }

    /// The form of any inline element: superscripts, subscripts and changes are distinguished from the text beside them.
    package static func of(
        inline element: NodeID, in tree: MarkupTree, after before: @autoclosure () -> UInt8?, keepsCase: Bool,
        hasPseudos: @autoclosure () -> Bool
    ) -> ScriptForm {
        switch tree.tag(element) {
        // A style sheet's brackets also distinguish a superscript.
        case .sup, .sub:
            hasPseudos() ? .plain : ScriptForm(of: element, in: tree, after: before(), keepsCase: keepsCase)
        case .del, .ins: change(element, in: tree)
        default: .plain
        }
    }

    /// A longer text is a paragraph in small letters.
    static let longestMarked = 64
    /// More letters than this are a word, which is hard to read in small letters.
    private static let mostLetters = 3
    private static let brackets: Set<String> = ["[]", "()", "{}", "⟨⟩"]
    private static let ordinals: Set<String> = ["st", "nd", "rd", "th", "er", "re", "ère", "ème", "nde", "os", "as"]
    private static let signs = ["TM": "™", "tm": "™", "SM": "℠"]

    /// The maximum length of the text, and the maximum number of nodes.
    private static let longest = 64
    private static let mostNodes = 64

    /// The text of an element that contains only words, whether superscripts or subscripts are in it, and whether it is in a link or
    /// contains one; nil for others.
    private static func text(of element: NodeID, in tree: MarkupTree) -> (
        text: [UInt8], isNested: Bool, isLink: Bool
    )? {
        var bytes: [UInt8] = []
        var isNested = false
        var isLink = tree.parent(element).map { tree.tag($0) } == .a
        for node in tree.subtree(element).dropFirst() {
            guard Int(node.index - element.index) <= mostNodes else { return nil }
            switch tree.kind(node) {
            case .text: tree.withText(node) { bytes.append(contentsOf: $0) }
            case .element:
                if [.style, .hidden, .popover].contains(where: { tree.hasAttribute(node, $0) }) { return nil }
                switch tree.tag(node) {
                case .b, .i, .em, .strong, .small, .big, .span, .font, .variable, .u, .code, .tt, .cite, .mark, .abbr:
                    break
                case .sup, .sub: isNested = true
                case .a: isLink = true
                default: return nil
                }
            case .comment: break
            case .root, .doctype, .instruction: return nil
            }
            if bytes.count > longest { return nil }
        }
        return (bytes, isNested, isLink)
    }

    /// The maximum number of nodes of a change.
    private static let mostOfChange = 4096

    /// The marks around a `del` beside an `ins`, as in wdiff; none if the element is no part of a change.
    private static func change(_ element: NodeID, in tree: MarkupTree) -> ScriptForm {
        let isDeletion = tree.tag(element) == .del
        guard isBeside(element, isDeletion ? .ins : .del, in: tree), isInline(element, in: tree) else { return .plain }
        return isDeletion ? .marked(opening: "[-", closing: "-]") : .marked(opening: "{+", closing: "+}")
    }

    private static func isBeside(_ element: NodeID, _ other: TagID, in tree: MarkupTree) -> Bool {
        var next = tree.nextSibling(element)
        while let node = next, isBlank(node, tree) { next = tree.nextSibling(node) }
        if let next, tree.tag(next) == other { return true }
        // The content before it must end here: go up from the last node to the sibling.
        guard let parent = tree.parent(element) else { return false }
        var end = element
        while end.index > parent.index + 1 {
            var before = NodeID(index: end.index - 1)
            while let above = tree.parent(before), above != parent { before = above }
            guard isBlank(before, tree) else { return tree.tag(before) == other }
            end = before
        }
        return false
    }

    private static func isBlank(_ node: NodeID, _ tree: MarkupTree) -> Bool {
        switch tree.kind(node) {
        case .text: tree.isBlank(node)
        case .comment: true
        case .root, .element, .doctype, .instruction: false
        }
    }

    /// Returns whether the element has text, and contains no block.
    private static func isInline(_ element: NodeID, in tree: MarkupTree) -> Bool {
        var hasText = false
        for node in tree.subtree(element).dropFirst() {
            guard Int(node.index - element.index) <= mostOfChange else { return false }
            if tree.kind(node) == .text, !isBlank(node, tree) { hasText = true }
            guard tree.kind(node) == .element else { continue }
            if tree.tag(node) == .br || !DefaultStyles.isInline(tree.tag(node)) { return false }
        }
        return hasText
    }
}
