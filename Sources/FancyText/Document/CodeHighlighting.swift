// Source code in colours: each token of a listing becomes an element, which the sheet of a theme styles. In: a document and the
// language that a class or a fence names. Out: the same document with `span`s in its `pre` elements.

import FancyTextMarkup

/// The colours of source code.
public enum CodeTheme: String, CaseIterable, Sendable {
    /// GitHub's, light or dark as the text is.
    case github
    /// Monokai, on its dark background.
    case monokai
    /// All code in the colour of its block.
    case none

    /// The theme as a style sheet for the classes `code-keyword`, `code-string`, `code-comment`, `code-number`, `code-name`,
    /// `code-inserted` and `code-deleted`.
    public var css: String {
        switch self {
        case .github: String(decoding: PackageResources.highlight_github_css, as: UTF8.self)
        case .monokai: String(decoding: PackageResources.highlight_monokai_css, as: UTF8.self)
        case .none: ""
        }
    }
}

/// The marks that a parser's documents get in their listings.
package struct CodeMarks: Hashable, Sendable {
    var theme = CodeTheme.github
    var numbersLines = false

    /// Tokens follow the text around them, light or dark.
    private static let scheme = ".code span { color-scheme: -ft-text }"
    private static var lines: String { String(decoding: PackageResources.code_css, as: UTF8.self) }

    /// The sheets that a browser needs to show the marks.
    var css: String { theme.css + (numbersLines ? Self.lines : "") }

    var sheets: [StyleOptions.Sheet] {
        [Self.scheme, Self.lines, theme.css].map { text in
            var sheet = StyleOptions.Sheet(name: "--highlight", text: text, origin: .preset)
            sheet.contents = .codeTokens
            return sheet
        }
    }
}

extension Document {
    /// The document with highlighted code; nil without code to highlight. The author's own marks are kept. O(document).
    func highlighted() -> Document? {
        let marks = parser.codeMarks
        guard marks.theme != .none || marks.numbersLines, !contents.contains(.codeTokens), !tree.isXML,
            parser.syntax.decodesEntities
        else { return nil }
        var changes: [(node: NodeID, change: NodeChange)] = []
        var listings: [NodeID] = []
        for node in tree.subtree(tree.root) where tree.tag(node) == .pre {
            guard let text = plainText(of: node) else { continue }
            let named = [tree.parent(text), node, tree.parent(node)].lazy.compactMap { $0 }
                .compactMap { CodeLanguage.label(of: $0, in: tree) }.first
            let language = marks.theme == .none ? nil : named.flatMap(CodeLanguage.named)
            guard language != nil || marks.numbersLines else { continue }
            let bytes = tree.withText(text) { Array($0) }
            changes.append((text, .replace(html: Self.html(of: bytes, language, marks))))
            listings.append(node)
        }
        guard !listings.isEmpty else { return nil }
        var copy = self
        copy.forgetStyles()
        for node in listings { copy.tree.addClass(node, "code") }
        copy.tree.restructure(changes)
        copy.contents.insert(.codeTokens)
        return copy
    }

    /// Reports that there is no code whose lines could be numbered, or to which a requested theme applies.
    package mutating func reportMissingCode(isThemeRequested: Bool) {
        let numbersLines = parser.codeMarks.numbersLines
        guard numbersLines || isThemeRequested, !contents.contains(.codeTokens), highlighted() == nil else { return }
        let message =
            numbersLines
            ? "there is no code in 'pre' elements whose lines could be numbered"
            : "there is no code in 'pre' elements with a class such as language-swift: --highlight has no effect"
        diagnostics.report(Diagnostic(numbersLines ? .warning : .note, .noEffect, message))
    }

    /// ``htmlBytes()`` with highlighted code and a style sheet for it.
    package func highlightedHTML() -> [UInt8] {
        guard var copy = highlighted() else { return htmlBytes() }
        let parent = copy.tree.subtree(copy.tree.root).first { copy.tree.tag($0) == .head } ?? copy.tree.root
        copy.tree.insert("<style>\n\(parser.codeMarks.css)</style>\n", at: NodeID(Int(parent.index) + 1), in: parent)
        return copy.htmlBytes()
    }

    /// The only text of an element that has no marks of its own, except for one `code` element around it.
    private func plainText(of node: NodeID) -> NodeID? {
        var node = node
        while let child = tree.firstChild(node), tree.subtreeEnd(child) == tree.subtreeEnd(node) {
            if tree.kind(child) == .text { return child }
            guard tree.tag(child) == .code || tree.tag(child) == .samp else { return nil }
            node = child
        }
        return nil
    }

    private static func html(of bytes: [UInt8], _ language: CodeLanguage?, _ marks: CodeMarks) -> String {
        var html = ""
        var isLineOpen = false
        func write(_ range: Range<Int>, _ kind: CodeToken?) {
            for line in bytes[range].split(separator: 0x0A, omittingEmptySubsequences: false) {
                if line.startIndex > range.lowerBound {
                    html += isLineOpen ? "</span>\n" : "\n"
                    isLineOpen = false
                }
                if marks.numbersLines, !isLineOpen, line.startIndex < bytes.count {
                    html += "<span class=\"code-line\">"
                    isLineOpen = true
                }
                guard !line.isEmpty else { continue }
                let text = Notation.escaped(String(decoding: line, as: UTF8.self))
                html += kind.map { "<span class=\"code-\($0)\">\(text)</span>" } ?? text
            }
        }
        var at = 0
        for token in language?.tokens(of: bytes) ?? [] {
            write(at..<token.range.lowerBound, nil)
            write(token.range, token.kind)
            at = token.range.upperBound
        }
        write(at..<bytes.count, nil)
        if isLineOpen { html += "</span>" }
        return marks.numbersLines ? "<span class=\"code-lines\">\(html)</span>" : html
    }
}
