// Parses style sheets: tokens to rules (CSS Syntax 3 §5, CSS Nesting 1, CSS Cascade 5 §6.4 layers). In: the text of a sheet. Out:
// flat lists in source order: style rules whose conditions (`@media`, `@supports`) are true, font faces. The selectors of nested
// rules include their parents' selectors. Errors are reported and recovered from as the specifications require.

import FancyTextBasics
import FancyTextCSS
import FancyTextMarkup
import FancyTextSelectors

struct StylesheetParser {
    let source: CSSSource
    let environment: StylesheetEnvironment
    let evaluator: MediaQueryEvaluator
    var reader: DeclarationReader
    var sheet = Stylesheet()
    /// False after a rule that no `@import` may follow.
    var mayImport = true
    /// False after a rule that no `@namespace` may follow.
    var mayDeclareNamespace = true
    /// The last rule that must come before all others: selectors are tested for it only.
    private lazy var lastEarlyRule =
        source.tokens.lastIndex { [source] token in
            token.kind == .atKeyword && ["import", "namespace"].contains(source.word(of: token))
        } ?? 0
    /// The prefixes of the sheet's `@namespace` rules.
    var prefixes: Set<String> = []
    let importing: [String]

    static let deepestNesting = 32
    static let deepestImport = 8

    static func parse(_ source: CSSSource, _ environment: StylesheetEnvironment, log: inout DiagnosticLog) -> Stylesheet
    {
        let translated = GSFancyTextSheet.translated(
            source, environment.dialect, findsByLengths: environment.findsDialectByLengths, log: &log)
        let source = translated ?? source
        var parser = StylesheetParser(source, environment, importing: [])
        // The messages are moved, so that adding to them does not copy them.
        swap(&parser.reader.log, &log)
        defer { swap(&parser.reader.log, &log) }
        parser.run(layer: -1)
        return parser.sheet
    }

    static func parseInline(_ source: CSSSource, context: ValueContext, log: inout DiagnosticLog) -> DeclarationBlock {
        var reader = DeclarationReader(source, context: context)
        swap(&reader.log, &log)
        defer { swap(&reader.log, &log) }
        for declaration in source.declarations(in: source.tokens.indices) { reader.read(declaration) }
        return reader.takeBlock()
    }

    /// Parses generated declarations, which cause no messages.
    static func parseInline(_ css: String, context: ValueContext) -> DeclarationBlock {
        var log = DiagnosticLog()
        return parseInline(CSSSource(css), context: context, log: &log)
    }

    init(_ source: CSSSource, _ environment: StylesheetEnvironment, importing: [String]) {
        (self.source, self.environment, self.importing) = (source, environment, importing)
        evaluator = MediaQueryEvaluator(environment.media)
        reader = DeclarationReader(source, context: environment.context)
    }

    mutating func run(layer: Int) {
        if let invalid = source.bytes.withUnsafeBufferPointer({ InputEncoding.firstInvalidUTF8($0) }) {
            let message = "invalid UTF-8: the invalid bytes are shown as U+FFFD"
            reader.report(.warning, .invalidUTF8, message, at: CSSToken(.delim, invalid))
        }
        rules(source.tokens.indices, Scope(layer: layer, depth: 0, isTopLevel: true))
        reportUnclosed()
    }

    /// Reports the block, string, URL or comment that the end of the sheet closes, and that contains all after its beginning.
    private mutating func reportUnclosed() {
        let tokens = source.tokens
        func warn(_ what: String, _ token: CSSToken) {
            reader.report(.warning, .invalidSyntax, "the \(what) is not closed", at: token)
        }
        if let open = source.openBlock { warn("block", open) }
        if let last = tokens.last, last.kind == .string || last.kind == .url, last.end == last.nameEnd {
            warn(last.kind == .url ? "URL" : "string", last)
        }
        if let start = source.openComment { warn("comment", CSSToken(.delim, start)) }
    }

    // MARK: Rules

    struct Scope {
        var layer: Int
        var depth: Int
        var isTopLevel = false
        /// Selectors of the parent rules, for nested rules; `nil` at the top level.
        var parent: String?
        var container: ContainerQuery?
        var condition: ScopeCondition?
        /// The enclosing rule that is not supported, and its token. Its contents only produce warnings, where they would apply.
        var missing: (name: String, token: Int)?
    }

    mutating func warn(_ code: Diagnostic.Code, _ message: @autoclosure () -> String, at token: Int) {
        reader.report(.warning, code, message(), at: source.tokens[token])
    }

    func cursor(_ range: Range<Int>) -> ValueCursor { ValueCursor(source, range, context: environment.context) }

    mutating func rules(_ range: Range<Int>, _ scope: Scope) {
        guard scope.depth < Self.deepestNesting else {
            if let first = range.first { warn(.nestingLimit, "rules are nested too deeply: ignored", at: first) }
            return
        }
        var index = range.lowerBound
        while index < range.upperBound {
            switch source.tokens[index].kind {
            case .whitespace, .cdo, .cdc: index += 1
            // Between the rules of a sheet a semicolon belongs to the next rule, which it makes invalid (CSS Syntax 3 §5.4.1).
            case .semicolon where !scope.isTopLevel: index += 1
            case .atKeyword: index = atRule(index, range.upperBound, scope)
            default:
                let (prelude, body, next) = rule(at: index, before: range.upperBound, stopsAtSemicolon: false)
                guard let body else { return warn(.invalidSyntax, "expected a rule's block: ignored", at: index) }
                if scope.isTopLevel, mayDeclareNamespace, index < lastEarlyRule, undeclaredPrefix(prelude) == nil,
                    (try? SelectorList.parse(source.text(prelude))) != nil
                {
                    (mayImport, mayDeclareNamespace) = (false, false)
                }
                styleRule(prelude, body, scope)
                index = next
            }
        }
    }

    /// The prelude and the block of the rule at `start`, and the index after it; `body` is `nil` for a rule without a block.
    func rule(
        at start: Int, before end: Int, stopsAtSemicolon: Bool = true
    ) -> (prelude: Range<Int>, body: Range<Int>?, next: Int) {
        var open = start
        while open < end, source.tokens[open].kind != .openBrace {
            if stopsAtSemicolon, source.tokens[open].kind == .semicolon { break }
            open = source.past(open, before: source.tokens.count)
        }
        open = min(open, end)
        guard open < end, source.tokens[open].kind == .openBrace else { return (start..<open, nil, min(open + 1, end)) }
        let close = max(open + 1, min(Int(source.tokens[open].match), end))
        return (start..<open, (open + 1)..<close, min(close + 1, end))
    }

    mutating func styleRule(_ prelude: Range<Int>, _ body: Range<Int>, _ scope: Scope) {
        var text = source.text(source.trimmed(prelude))
        let offset = prelude.isEmpty ? 0 : Int(source.tokens[prelude.lowerBound].start)
        if text.isEmpty {
            return warn(.invalidSyntax, "a rule without a selector: ignored", at: max(0, body.lowerBound - 1))
        }
        if let prefix = undeclaredPrefix(prelude) {
            let message = "invalid selector: no @namespace rule declares '\(prefix)'"
            return warn(.invalidSelector, message, at: prelude.lowerBound)
        }
        if let parent = scope.parent {
            guard let selector = nested(prelude, reference: ":is(\(parent))", prefixes: true) else {
                return warn(
                    .nestingLimit, "a nested rule whose selector grows beyond \(Self.longestSelector) bytes: ignored",
                    at: max(0, body.lowerBound - 1))
            }
            text = selector
        } else if scope.condition != nil || text.utf8.contains(0x26) {
            // Outside of all rules `&` is the root element (CSS Nesting 1 §3.2).
            text = scoped(prelude) ?? text
        }
        var inner = scope
        inner.parent = text
        inner.depth += 1
        inner.isTopLevel = false
        contents(body, text, offset, inner)
    }

    /// Parses declarations and nested rules. Declarations after a nested rule keep their place in the order.
    mutating func contents(_ body: Range<Int>, _ selectors: String, _ offset: Int, _ scope: Scope) {
        guard scope.depth < Self.deepestNesting else { return }
        // The reader is empty at this point: it is flushed before every nested rule.
        func flush(_ parser: inout StylesheetParser) {
            guard !parser.reader.isEmpty else { return }
            var block = parser.reader.takeBlock()
            if let (name, token) = scope.missing {
                block = DeclarationBlock(askingFor: name, atToken: token, of: parser.source) ?? block
            }
            var rule = StyleRule(
                selectors: selectors, offset: offset, block: block, layer: scope.layer, container: scope.container)
            if let condition = scope.condition, let list = try? SelectorList.parse(selectors) {
                // The index finds elements that match with any root; each is then tested with its own.
                rule.selectors = selectors.replacing(":scope", with: ":is(\(condition.rootText))")
                rule.scope = (condition, list.selectors)
            }
            parser.sheet.rules.append(rule)
        }
        var index = body.lowerBound
        var semicolon = -1
        while let start = source.item(in: index..<body.upperBound) {
            if source.tokens[start].kind == .atKeyword {
                flush(&self)
                index = atRule(start, body.upperBound, scope)
                continue
            }
            // Many nested rules are before the same semicolon.
            if semicolon < start { semicolon = source.first(.semicolon, in: start..<body.upperBound) }
            let declaration = start..<semicolon
            if !source.isDeclaration(declaration),
                case let (prelude, inner?, next) = rule(at: start, before: body.upperBound)
            {
                flush(&self)
                styleRule(prelude, inner, scope)
                index = next
            } else {
                reader.read(declaration)
                index = declaration.upperBound
            }
        }
        flush(&self)
    }

    /// A prefix in a selector that the sheet does not declare: the selector is invalid (CSS Namespaces 3 §5).
    func undeclaredPrefix(_ selector: Range<Int>) -> String? {
        let bars = selector.dropFirst().dropLast()
        for bar in bars where source.tokens[bar - 1].kind == .ident && source.isDelim(bar, 0x7C) {
            let prefix = source.name(of: source.tokens[bar - 1])
            let isName = source.tokens[bar + 1].kind == .ident || source.isDelim(bar + 1, 0x2A)
            if isName, !prefixes.contains(prefix) { return prefix }
        }
        return nil
    }

    /// The maximum length in bytes of a nested rule's selector with its parents': each level can multiply it.
    static let longestSelector = 1 << 16

    /// The selector of a nested rule without nesting: `&` becomes the reference. `nil` if it becomes too long. With `prefixes` the
    /// reference is put before a selector without `&`, not only before a combinator.
    func nested(_ prelude: Range<Int>, reference: String, prefixes: Bool) -> String? {
        var result: [String] = []
        var text = ""
        var hasReference = false
        var length = 0
        func finish() {
            let trimmed = text.cssTrimmed()
            let startsWithCombinator = trimmed.first.map { ">+~".contains($0) } ?? false
            result.append((hasReference || !prefixes) && !startsWithCombinator ? trimmed : reference + " " + trimmed)
            text = ""
            hasReference = false
        }
        var depth = 0
        for index in prelude {
            let token = source.tokens[index]
            guard length <= Self.longestSelector else { return nil }
            switch token.kind {
            case .comma where depth == 0:
                finish()
                // A selector without `&` is prefixed with the parent.
                length += reference.utf8.count
            case .delim where source.isDelim(index, 0x26):
                // A type selector may follow `&` directly (`&div`), so the parent's selector comes first.
                text += reference
                length += reference.utf8.count
                hasReference = true
            default:
                if token.kind == .function || token.kind == .openParen || token.kind == .openBracket { depth += 1 }
                if token.kind == .closeParen || token.kind == .closeBracket { depth -= 1 }
                text += source.text(index..<index + 1)
                length += Int(token.end - token.start)
            }
        }
        guard length <= Self.longestSelector else { return nil }
        finish()
        return result.joined(separator: ", ")
    }
}
