// `@page` (CSS Paged Media 3). In: the tokens of a rule. Out: selectors, the size, and declarations of pages and of the boxes in
// the margins as text, which are computed for each kind of page later.

import FancyTextBasics
import FancyTextCSS
import FancyTextSelectors

/// The value of `size` (CSS Paged Media 3 §4.1), in CSS pixels; nil lengths are those of the default page.
package struct PaperSize: Hashable, Sendable {
    package var width, height: Float?
    /// `landscape` or `portrait`; nil keeps the order of the lengths.
    package var isLandscape: Bool?

    package init(width: Float? = nil, height: Float? = nil, isLandscape: Bool? = nil) {
        (self.width, self.height, self.isLandscape) = (width, height, isLandscape)
    }

    /// Reads a size as in a style sheet: `A4 landscape`, `10cm 15cm`; nil for another value.
    package init?(_ text: String) {
        var cursor = ValueCursor(text)
        guard let size = cursor.paperSize(), cursor.isAtEnd else { return nil }
        self = size
    }

    /// The width and the height, with those of the default page where the size has none.
    package func resolved(_ standard: Size) -> Size {
        let size = Size(width: width ?? standard.width, height: height ?? standard.height)
        guard let isLandscape, isLandscape != (size.width > size.height) else { return size }
        return Size(width: size.height, height: size.width)
    }

    /// The names of sizes, in millimetres.
    fileprivate static let names: [(StaticString, (Float, Float))] = [
        ("a5", (148, 210)), ("a4", (210, 297)), ("a3", (297, 420)), ("b5", (176, 250)), ("b4", (250, 353)),
        ("jis-b5", (182, 257)), ("jis-b4", (257, 364)), ("letter", (215.9, 279.4)), ("legal", (215.9, 355.6)),
        ("ledger", (279.4, 431.8)),
    ]
}

extension ValueCursor {
    /// `auto`, one or two lengths, or a name and an orientation in any order.
    fileprivate mutating func paperSize() -> PaperSize? {
        if keyword("auto") { return PaperSize() }
        var size = PaperSize()
        while !isAtEnd {
            if once(&size.isLandscape, "portrait", "landscape") { continue }
            if size.width == nil, let (width, height) = keyword(PaperSize.names) {
                (size.width, size.height) = (width / 25.4 * 96, height / 25.4 * 96)
            } else if size == PaperSize(), let width = length(atLeast: 0) {
                size.width = width
                size.height = isAtEnd ? width : length(atLeast: 0)
                return isAtEnd && size.height != nil && width > 0 && (size.height ?? 0) > 0 ? size : nil
            } else {
                return nil
            }
        }
        return size == PaperSize() ? nil : size
    }
}

package struct PageSelector: Sendable {
    package enum Pseudo: Sendable {
        case first, blank, left, right
        case nth(Nth)

        init?(_ text: String) {
            switch text {
            case "first": self = .first
            case "blank": self = .blank
            case "left": self = .left
            case "right": self = .right
            default:
                guard text.hasPrefix("nth("), text.hasSuffix(")"), let nth = Nth(text.dropFirst(4).dropLast())
                else { return nil }
                self = .nth(nth)
            }
        }
    }

    package var name: String?
    package var pseudos: [Pseudo] = []

    var isUniversal: Bool { name == nil && pseudos.isEmpty }

    /// `name`, then `:first`, `:blank` and `:nth()`, then `:left` and `:right` (CSS Paged Media 3 §3.2, CSS GCPM 3 §1.3).
    var specificity: Int {
        pseudos.reduce(name == nil ? 0 : 10_000) { sum, pseudo in
            switch pseudo {
            case .left, .right: sum + 1
            case .first, .blank, .nth: sum + 100
            }
        }
    }
}

/// A box in the margin of a page (CSS Paged Media 3 §5).
package struct PageMarginRule: Sendable {
    /// The name without `@`, such as `top-left`.
    package var name: String
    package var css: String
    /// The value of `content`; nil without a declaration, empty for `none`.
    package var content: [ContentPart]?
    package var verticalAlign: String?
}

package struct PageRule: Sendable {
    package var selector: PageSelector
    package var size: PaperSize?
    /// The other declarations.
    package var css = ""
    package var boxes: [PageMarginRule] = []
    /// The index in ``Stylesheet/layers``; −1 outside of layers.
    var layer: Int

    package static let marginBoxes: [String] = [
        "top-left-corner", "top-left", "top-center", "top-right", "top-right-corner", "right-top", "right-middle",
        "right-bottom", "bottom-right-corner", "bottom-right", "bottom-center", "bottom-left", "bottom-left-corner",
        "left-bottom", "left-middle", "left-top",
    ]
}

extension StylesheetParser {
    mutating func pageRule(_ prelude: Range<Int>, _ body: Range<Int>, _ scope: Scope, _ start: Int) {
        guard sheet.pageRules.count < Self.mostPageRules else { return }
        guard let selectors = pageSelectors(prelude) else {
            let message = "expected a name or :first, :left, :right, :blank, :nth(2n) after @page: the rule is ignored"
            return warn(.invalidSelector, message, at: start)
        }
        var rule = PageRule(selector: selectors[0], layer: scope.layer)
        var index = body.lowerBound
        while let first = source.item(in: index..<body.upperBound) {
            if source.tokens[first].kind == .atKeyword {
                let (prelude, block, next) = self.rule(at: first + 1, before: body.upperBound)
                marginRule(first, block ?? prelude.upperBound..<prelude.upperBound, scope, into: &rule)
                index = next
            } else {
                index = source.first(.semicolon, in: first..<body.upperBound)
                pageDeclaration(first..<index, into: &rule)
            }
        }
        for selector in selectors.prefix(Self.mostPageRules - sheet.pageRules.count) {
            rule.selector = selector
            sheet.pageRules.append(rule)
        }
        if sheet.pageRules.count >= Self.mostPageRules {
            let message = "the sheet has more than \(Self.mostPageRules) @page rules: the others are ignored"
            warn(.unsupportedRule, message, at: start)
        }
    }

    /// Pages of each name are matched with all rules.
    private static let mostPageRules = 1000

    private func pageSelectors(_ prelude: Range<Int>) -> [PageSelector]? {
        let parts = source.text(prelude).split(separator: ",", omittingEmptySubsequences: false)
        var result: [PageSelector] = []
        for part in parts {
            let words = String(part).cssTrimmed().split(separator: ":", omittingEmptySubsequences: false).map(
                String.init)
            let pseudos = words.dropFirst().map { PageSelector.Pseudo($0.asciiLowercased()) }
            let selector = PageSelector(name: words[0].isEmpty ? nil : words[0], pseudos: pseudos.compactMap(\.self))
            let isComplete = selector.pseudos.count == pseudos.count && !words[0].contains(where: \.isWhitespace)
            guard isComplete, parts.count == 1 || !selector.isUniversal else { return nil }
            result.append(selector)
        }
        return result
    }

    /// Reads a declaration of the page itself. Those of boxes are kept as text.
    private mutating func pageDeclaration(_ range: Range<Int>, into rule: inout PageRule) {
        let (name, value) = nameAndValue(range)
        let written = source.text(value).cssTrimmed().asciiLowercased()
        switch name {
        case "size":
            var cursor = self.cursor(value)
            if let size = cursor.paperSize(), cursor.isAtEnd {
                rule.size = size
            } else {
                let names = PaperSize.names.map { "\($0.0)" }.joined(separator: ", ")
                let message = "invalid value for 'size': '\(written)'; use lengths, as in '105mm 148mm', or \(names)"
                warn(.unsupportedValue, message, at: range.lowerBound)
            }
        case "marks", "bleed", "page-orientation":
            guard !["none", "auto", "upright"].contains(written) else { break }
            warn(.unsupportedValue, "'\(name)' has no effect here", at: range.lowerBound)
        default: rule.css += checked(range)
        }
    }

    private mutating func marginRule(_ start: Int, _ body: Range<Int>, _ scope: Scope, into rule: inout PageRule) {
        let token = source.tokens[start]
        let name = source.word(of: token)
        // The area of footnotes (CSS GCPM 3 §2.4) has one style on all pages.
        if name == "footnote", rule.selector.isUniversal {
            return contents(body, "*::footnote-area", Int(token.start), scope)
        }
        guard PageRule.marginBoxes.contains(name)
        else { return warn(.unsupportedRule, "@\(name) is not supported in @page: ignored", at: start) }
        var box = PageMarginRule(name: name, css: "")
        for range in source.declarations(in: body) {
            let (name, value) = nameAndValue(range)
            switch name {
            case "vertical-align": box.verticalAlign = source.text(value).cssTrimmed().asciiLowercased()
            case "content":
                var context = environment.context
                context.isPageMargin = true
                let end = value.first { source.isDelim($0, 0x21) } ?? value.upperBound
                var cursor = ValueCursor(source, source.trimmed(value.lowerBound..<end), context: context)
                if let parts = cursor.content(), cursor.isAtEnd {
                    box.content = parts ?? []
                } else {
                    warn(.unsupportedValue, "unsupported value for 'content' in @\(box.name)", at: range.lowerBound)
                }
            default: box.css += checked(range)
            }
        }
        rule.boxes.append(box)
    }

    private func nameAndValue(_ range: Range<Int>) -> (name: String, value: Range<Int>) {
        let name = source.tokens[range.lowerBound]
        guard let colon = source.colon(in: range) else { return ("", range) }
        return (source.word(of: name), source.trimmed(colon + 1..<range.upperBound))
    }

    /// The text of a declaration that the boxes' style can have; empty if it is reported.
    private mutating func checked(_ range: Range<Int>) -> String {
        reader.read(range)
        let block = reader.takeBlock()
        return block.isEmpty ? "" : source.text(range) + ";"
    }
}
