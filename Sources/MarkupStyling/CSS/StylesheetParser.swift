// Style sheets: rules out of tokens (CSS Syntax 3 §5, CSS Nesting 1, CSS Cascade 5 §6.4 layers).
//
// In: the text of a sheet. Out: flat lists in source order: style rules whose conditions hold, font faces. Conditions
// (`@media`, `@supports`) are decided here, since the medium is known before the document is styled; nested rules are
// written out with their parents' selectors. Errors are reported and recovered from as the specs say.

import MarkupSyntax

/// A style rule whose conditions hold.
struct StyleRule: Sendable {
    /// The selector list, nesting resolved.
    var selectors: String
    /// The place of the selector.
    var offset: Int
    var block: DeclarationBlock
    /// Index into ``Stylesheet/layers``; −1 is none.
    var layer: Int
}

/// `@font-face` (CSS Fonts 4 §4).
package struct FontFaceRule: Hashable, Sendable {
    package enum Source: Hashable, Sendable {
        case local(String)
        case url(String)
    }

    package var family: String
    package var sources: [Source]
    package var weight: ClosedRange<Float> = 400...400
    package var stretch: ClosedRange<Float> = 100...100
    package var isItalic = false
    package var unicodeRanges: [ClosedRange<UInt32>] = []
    /// The text that the sources are relative to: a sheet's name.
    package var sheet: String
}

/// What a sheet holds, imports included.
struct Stylesheet: Sendable {
    var rules: [StyleRule] = []
    var fontFaces: [FontFaceRule] = []
    /// Names of the layers in the order of their first appearance; nested ones are joined by dots.
    var layers: [String] = []
}

/// What a style sheet's text needs from outside.
struct StylesheetEnvironment {
    var media: MediaEnvironment
    var context: ValueContext
    /// The text and the name of an imported sheet, given its URL and the name of the importing sheet.
    var importLoader: (@Sendable (_ url: String, _ from: String) -> (text: [UInt8], name: String)?)?
}

struct StylesheetParser {
    private let source: CSSSource
    private let environment: StylesheetEnvironment
    private let evaluator: MediaQueryEvaluator
    private var reader: DeclarationReader
    private var sheet = Stylesheet()
    private var anonymousLayers = 0
    private let importDepth: Int

    private static let deepestNesting = 32
    private static let deepestImport = 8

    static func parse(_ source: CSSSource, _ environment: StylesheetEnvironment, log: inout DiagnosticLog) -> Stylesheet
    {
        let source = GSFancyTextSheet.translated(source) ?? source
        var parser = StylesheetParser(source, environment, importDepth: 0)
        parser.run(layer: -1, log: &log)
        return parser.sheet
    }

    /// The contents of a `style` attribute: declarations only.
    static func parseInline(_ source: CSSSource, context: ValueContext, log: inout DiagnosticLog) -> DeclarationBlock {
        var reader = DeclarationReader(source, context: context)
        var index = 0
        while index < source.tokens.count {
            let token = source.tokens[index]
            if token.kind == .whitespace || token.kind == .semicolon {
                index += 1
                continue
            }
            let end = declarationEnd(source, index, source.tokens.count)
            readDeclaration(source, index..<end, &reader, log: &log)
            index = end
        }
        return reader.takeBlock()
    }

    private init(_ source: CSSSource, _ environment: StylesheetEnvironment, importDepth: Int) {
        self.source = source
        self.environment = environment
        self.importDepth = importDepth
        evaluator = MediaQueryEvaluator(environment.media)
        reader = DeclarationReader(source, context: environment.context)
    }

    private mutating func run(layer: Int, log: inout DiagnosticLog) {
        var scope = Scope(layer: layer, depth: 0)
        scope.isTopLevel = true
        rules(0..<source.tokens.count, scope, log: &log)
    }

    // MARK: Rules

    private struct Scope {
        var layer: Int
        var depth: Int
        var isTopLevel = false
        /// Selectors of the parent rules, for nested rules; nil outside.
        var parent: String?
    }

    /// The index just past the simple block or function that opens at `index`.
    private func past(_ index: Int) -> Int { min(Int(source.tokens[index].match) + 1, source.tokens.count) }

    private mutating func rules(_ range: Range<Int>, _ scope: Scope, log: inout DiagnosticLog) {
        guard scope.depth < Self.deepestNesting else {
            if let first = range.first {
                reader.report(.warning, "rules are nested too deeply: ignored", at: source.tokens[first], log: &log)
            }
            return
        }
        var index = range.lowerBound
        while index < range.upperBound {
            let token = source.tokens[index]
            switch token.kind {
            case .whitespace, .semicolon: index += 1
            case .cdo, .cdc: index += 1
            case .atKeyword: index = atRule(index, range.upperBound, scope, log: &log)
            default: index = qualifiedRule(index, range.upperBound, scope, log: &log)
            }
        }
    }

    /// Where the prelude ends: at the index of `{` or `;`, or at `end`.
    private func preludeEnd(_ start: Int, _ end: Int, stopsAtSemicolon: Bool) -> Int {
        var index = start
        while index < end {
            switch source.tokens[index].kind {
            case .openBrace: return index
            case .semicolon where stopsAtSemicolon: return index
            case .function, .openParen, .openBracket: index = past(index)
            default: index += 1
            }
        }
        return end
    }

    private mutating func qualifiedRule(_ start: Int, _ end: Int, _ scope: Scope, log: inout DiagnosticLog) -> Int {
        let open = preludeEnd(start, end, stopsAtSemicolon: false)
        guard open < end, source.tokens[open].kind == .openBrace else {
            reader.report(.warning, "expected a rule’s block: ignored", at: source.tokens[start], log: &log)
            return end
        }
        let close = min(Int(source.tokens[open].match), end)
        if Int(source.tokens[open].match) >= source.tokens.count {
            reader.report(.note, "the block is not closed", at: source.tokens[open], log: &log)
        }
        styleRule(start..<open, (open + 1)..<max(close, open + 1), scope, log: &log)
        return min(close + 1, end)
    }

    private mutating func styleRule(_ prelude: Range<Int>, _ body: Range<Int>, _ scope: Scope, log: inout DiagnosticLog)
    {
        var text = trimmed(source.text(prelude))
        let offset = prelude.isEmpty ? 0 : Int(source.tokens[prelude.lowerBound].start)
        if text.isEmpty {
            reader.report(
                .warning, "a rule without a selector: ignored", at: source.tokens[max(0, body.lowerBound - 1)],
                log: &log)
            return
        }
        if let parent = scope.parent { text = nested(prelude, in: parent) }
        var inner = scope
        inner.parent = text
        inner.depth += 1
        inner.isTopLevel = false
        contents(body, text, offset, inner, log: &log)
    }

    /// Declarations and nested rules; declarations behind a nested rule keep their place in the order.
    private mutating func contents(
        _ body: Range<Int>, _ selectors: String, _ offset: Int, _ scope: Scope, log: inout DiagnosticLog
    ) {
        guard scope.depth < Self.deepestNesting else { return }
        // The reader is empty here: it is flushed before every rule within a rule.
        func flush(_ parser: inout StylesheetParser) {
            guard !parser.reader.isEmpty else { return }
            parser.sheet.rules.append(
                StyleRule(selectors: selectors, offset: offset, block: parser.reader.takeBlock(), layer: scope.layer))
        }
        var index = body.lowerBound
        while index < body.upperBound {
            let token = source.tokens[index]
            switch token.kind {
            case .whitespace, .semicolon: index += 1
            case .atKeyword:
                flush(&self)
                index = atRule(index, body.upperBound, scope, log: &log)
            default:
                let end = Self.declarationEnd(source, index, body.upperBound)
                if Self.isDeclaration(source, index..<end) {
                    Self.readDeclaration(source, index..<end, &reader, log: &log)
                    index = end
                    continue
                }
                let open = preludeEnd(index, body.upperBound, stopsAtSemicolon: true)
                if open < body.upperBound, source.tokens[open].kind == .openBrace {
                    flush(&self)
                    let close = min(Int(source.tokens[open].match), body.upperBound)
                    styleRule(index..<open, (open + 1)..<max(close, open + 1), scope, log: &log)
                    index = close + 1
                } else {
                    Self.readDeclaration(source, index..<end, &reader, log: &log)
                    index = end
                }
            }
        }
        flush(&self)
    }

    /// Where the declaration that begins at `start` ends: at the next semicolon outside of blocks.
    private static func declarationEnd(_ source: CSSSource, _ start: Int, _ end: Int) -> Int {
        var index = start
        while index < end {
            switch source.tokens[index].kind {
            case .semicolon: return index
            case .function, .openParen, .openBracket, .openBrace: index = min(Int(source.tokens[index].match) + 1, end)
            default: index += 1
            }
        }
        return end
    }

    /// Whether this reads as `name: value` rather than as a nested rule (`a:hover { }`): the value of a declaration holds
    /// no block, unless it is a custom property or the block is all of it (CSS Syntax 3 §5.5.5).
    private static func isDeclaration(_ source: CSSSource, _ range: Range<Int>) -> Bool {
        guard source.tokens[range.lowerBound].kind == .ident else { return false }
        var index = range.lowerBound + 1
        while index < range.upperBound, source.tokens[index].kind == .whitespace { index += 1 }
        guard index < range.upperBound, source.tokens[index].kind == .colon else { return false }
        if source.name(of: source.tokens[range.lowerBound]).hasPrefix("--") { return true }
        var at = index + 1
        while at < range.upperBound {
            switch source.tokens[at].kind {
            case .openBrace: return false
            case .function, .openParen, .openBracket: at = Int(source.tokens[at].match) + 1
            default: at += 1
            }
        }
        return true
    }

    private static func readDeclaration(
        _ source: CSSSource, _ range: Range<Int>, _ reader: inout DeclarationReader, log: inout DiagnosticLog
    ) {
        let name = source.tokens[range.lowerBound]
        var index = range.lowerBound + 1
        while index < range.upperBound, source.tokens[index].kind == .whitespace { index += 1 }
        guard name.kind == .ident, index < range.upperBound, source.tokens[index].kind == .colon else {
            reader.report(.warning, "expected a declaration: ignored", at: name, log: &log)
            return
        }
        reader.read(name: range.lowerBound, value: (index + 1)..<range.upperBound, log: &log)
    }

    // MARK: Nesting

    /// The selector of a nested rule on its own: `&` is the parent, a selector without it is a descendant's.
    private func nested(_ prelude: Range<Int>, in parent: String) -> String {
        let reference = ":is(\(parent))"
        var result: [String] = []
        var text = ""
        var hasReference = false
        func finish() {
            let trimmed = trimmed(text)
            let startsWithCombinator = trimmed.first.map { ">+~".contains($0) } ?? false
            result.append(hasReference && !startsWithCombinator ? trimmed : reference + " " + trimmed)
            text = ""
            hasReference = false
        }
        var depth = 0
        for index in prelude {
            let token = source.tokens[index]
            switch token.kind {
            case .comma where depth == 0: finish()
            case .delim where source.bytes[Int(token.start)] == 0x26:
                // A type selector may follow directly: `&div` needs it in front.
                text += reference
                hasReference = true
            default:
                if token.kind == .function || token.kind == .openParen || token.kind == .openBracket { depth += 1 }
                if token.kind == .closeParen || token.kind == .closeBracket { depth -= 1 }
                text += String(decoding: source.bytes[Int(token.start)..<Int(token.end)], as: UTF8.self)
            }
        }
        finish()
        return result.joined(separator: ", ")
    }

    private func trimmed(_ text: String) -> String {
        var bytes = Array(text.utf8)[...]
        while let first = bytes.first, CSSTokenizer.isSpace(first) { bytes.removeFirst() }
        while let last = bytes.last, CSSTokenizer.isSpace(last) {
            // `\ ` at the end is an escape, not a space.
            if bytes.count >= 2, bytes[bytes.endIndex - 2] == 0x5C { break }
            bytes.removeLast()
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: At-rules

    private mutating func atRule(_ start: Int, _ end: Int, _ scope: Scope, log: inout DiagnosticLog) -> Int {
        let token = source.tokens[start]
        let stop = preludeEnd(start + 1, end, stopsAtSemicolon: true)
        let prelude = (start + 1)..<stop
        let hasBlock = stop < end && source.tokens[stop].kind == .openBrace
        let close = hasBlock ? min(Int(source.tokens[stop].match), end) : stop
        let body = hasBlock ? (stop + 1)..<max(close, stop + 1) : stop..<stop
        let next = min(close + 1, end)
        let name = source.name(of: token).asciiLowercased()
        var inner = scope
        inner.depth += 1
        inner.isTopLevel = false

        if !hasBlock, ["media", "supports", "font-face"].contains(name) {
            reader.report(.warning, "@\(name) without a block: ignored", at: token, log: &log)
            return next
        }
        switch name {
        case "charset", "namespace": break
        case "import":
            guard scope.isTopLevel, !hasBlock else {
                reader.report(.warning, "@import must stand at the top of a sheet: ignored", at: token, log: &log)
                break
            }
            importSheet(prelude, scope, token, log: &log)
        case "media":
            if evaluator.matches(source, prelude) { block(body, inner, log: &log) }
        case "supports":
            if supports(prelude) { block(body, inner, log: &log) }
        case "layer":
            layer(prelude, hasBlock ? body : nil, inner, log: &log)
        case "font-face":
            fontFace(body, token, log: &log)
        case "page", "keyframes", "-webkit-keyframes", "-moz-keyframes", "-o-keyframes", "property", "counter-style",
            "font-feature-values",
            "font-palette-values", "view-transition", "starting-style", "position-try", "container", "scope",
            "viewport", "-ms-viewport":
            reader.report(.note, "@\(name) is not supported: ignored", at: token, log: &log)
        default:
            reader.report(
                name.hasPrefix("-") ? .note : .warning, "unknown rule @\(name): ignored", at: token, log: &log)
        }
        return next
    }

    /// The contents of a conditional rule: rules, or declarations too when it stands within a style rule.
    private mutating func block(_ body: Range<Int>, _ scope: Scope, log: inout DiagnosticLog) {
        if let parent = scope.parent {
            contents(body, parent, body.isEmpty ? 0 : Int(source.tokens[body.lowerBound].start), scope, log: &log)
        } else {
            rules(body, scope, log: &log)
        }
    }

    private func supports(_ range: Range<Int>) -> Bool {
        var cursor = ValueCursor(source, range, context: environment.context)
        guard let result = evaluator.condition(&cursor, 0, supportsUnit), cursor.isAtEnd else { return false }
        return result
    }

    private func supportsUnit(_ cursor: inout ValueCursor, _ depth: Int) -> Bool? {
        guard depth < Self.deepestNesting, let token = cursor.token else { return nil }
        if token.kind == .function {
            let isSelector = cursor.isFunction("selector")
            let inner = (cursor.index + 1)..<min(Int(token.match), cursor.end)
            let text = trimmed(source.text(inner))
            cursor.skipComponent()
            return isSelector && SelectorCompiler.isValid(text)
        }
        guard token.kind == .openParen else { return nil }
        let inner = (cursor.index + 1)..<max(cursor.index + 1, min(Int(token.match), cursor.end))
        if Self.isDeclaration(source, trimmedRange(inner)) {
            let range = trimmedRange(inner)
            cursor.skipComponent()
            var log = DiagnosticLog()
            var trial = DeclarationReader(source, context: environment.context)
            Self.readDeclaration(source, range, &trial, log: &log)
            return !trial.isEmpty
                || (log.worst ?? .warning) < .warning && !log.entries.contains { $0.message.contains("not supported") }
        }
        return cursor.arguments { nested in
            evaluator.condition(&nested, depth + 1, supportsUnit)
        }
    }

    private func trimmedRange(_ range: Range<Int>) -> Range<Int> {
        var range = range
        while let first = range.first, source.tokens[first].kind == .whitespace { range.removeFirst() }
        return range.isEmpty ? max(0, range.lowerBound - 1)..<max(1, range.lowerBound) : range
    }

    // MARK: Layers

    private mutating func layerIndex(_ name: String, in outer: Int) -> Int {
        let full = outer >= 0 ? sheet.layers[outer] + "." + name : name
        if let index = sheet.layers.firstIndex(of: full) { return index }
        // The outer layers come to be with the inner one.
        var prefix = ""
        for part in full.split(separator: ".") {
            prefix += (prefix.isEmpty ? "" : ".") + part
            if !sheet.layers.contains(prefix) { sheet.layers.append(prefix) }
        }
        return sheet.layers.firstIndex(of: full) ?? 0
    }

    private func layerNames(_ range: Range<Int>) -> [String] {
        source.text(range).split(separator: ",").map { trimmed(String($0)) }.filter { !$0.isEmpty }
    }

    private mutating func layer(_ prelude: Range<Int>, _ body: Range<Int>?, _ scope: Scope, log: inout DiagnosticLog) {
        var names = layerNames(prelude)
        if names.isEmpty, body != nil {
            anonymousLayers += 1
            names = ["\u{1}\(source.origin.source)\(anonymousLayers)"]
        }
        let indices = names.map { layerIndex($0, in: scope.layer) }
        guard let body, let index = indices.first, indices.count == 1 else { return }
        var inner = scope
        inner.layer = index
        block(body, inner, log: &log)
    }

    // MARK: @import

    private mutating func importSheet(
        _ prelude: Range<Int>, _ scope: Scope, _ token: CSSToken, log: inout DiagnosticLog
    ) {
        var cursor = ValueCursor(source, prelude, context: environment.context)
        guard let url = cursor.string() ?? cursor.url() else {
            reader.report(.warning, "@import without a URL: ignored", at: token, log: &log)
            return
        }
        var layer = scope.layer
        if cursor.keyword("layer") {
            anonymousLayers += 1
            layer = layerIndex("\u{1}\(source.origin.source)\(anonymousLayers)", in: scope.layer)
        } else if cursor.isFunction("layer"), let token = cursor.token {
            let names = layerNames((cursor.index + 1)..<min(Int(token.match), prelude.upperBound))
            cursor.skipComponent()
            if let name = names.first { layer = layerIndex(name, in: scope.layer) }
        }
        if cursor.isFunction("supports"), let token = cursor.token {
            let inner = (cursor.index + 1)..<min(Int(token.match), prelude.upperBound)
            cursor.skipComponent()
            let isDeclaration = !inner.isEmpty && Self.isDeclaration(source, inner)
            var trial = DeclarationReader(source, context: environment.context)
            var ignored = DiagnosticLog()
            if isDeclaration { Self.readDeclaration(source, inner, &trial, log: &ignored) }
            guard isDeclaration ? !trial.isEmpty : supports(inner) else { return }
        }
        guard evaluator.matches(source, min(cursor.index, prelude.upperBound)..<prelude.upperBound) else { return }
        guard importDepth < Self.deepestImport else {
            reader.report(.warning, "@import is nested too deeply: ignored", at: token, log: &log)
            return
        }
        guard let loader = environment.importLoader, let (text, name) = loader(url, source.origin.source) else {
            reader.report(.warning, "cannot import ‘\(url)’", at: token, log: &log)
            return
        }
        var parser = StylesheetParser(
            CSSSource(text, origin: .init(source: name, line: 1, column: 1)), environment, importDepth: importDepth + 1)
        swap(&parser.sheet, &sheet)
        parser.run(layer: layer, log: &log)
        swap(&parser.sheet, &sheet)
    }

    // MARK: @font-face

    private mutating func fontFace(_ body: Range<Int>, _ token: CSSToken, log: inout DiagnosticLog) {
        var face = FontFaceRule(family: "", sources: [], sheet: source.origin.source)
        var index = body.lowerBound
        while index < body.upperBound {
            let first = source.tokens[index]
            if first.kind == .whitespace || first.kind == .semicolon {
                index += 1
                continue
            }
            let end = Self.declarationEnd(source, index, body.upperBound)
            var colon = index + 1
            while colon < end, source.tokens[colon].kind == .whitespace { colon += 1 }
            guard first.kind == .ident, colon < end, source.tokens[colon].kind == .colon else {
                reader.report(.warning, "expected a descriptor: ignored", at: first, log: &log)
                index = end
                continue
            }
            let name = source.name(of: first).asciiLowercased()
            var cursor = ValueCursor(source, (colon + 1)..<end, context: environment.context)
            if !descriptor(name, &cursor, (colon + 1)..<end, &face) {
                reader.report(
                    name.hasPrefix("-") || Self.ignoredDescriptors.contains(name) ? .note : .warning,
                    Self.ignoredDescriptors.contains(name)
                        ? "‘\(name)’ has no effect here" : "invalid descriptor ‘\(name)’ in @font-face",
                    at: first, log: &log)
            }
            index = end
        }
        guard !face.family.isEmpty, !face.sources.isEmpty else {
            reader.report(.warning, "@font-face needs font-family and src: ignored", at: token, log: &log)
            return
        }
        sheet.fontFaces.append(face)
    }

    private static let ignoredDescriptors: Set<String> = [
        "font-display", "font-feature-settings", "font-variation-settings", "ascent-override", "descent-override",
        "line-gap-override",
        "size-adjust", "font-variant", "font-named-instance", "font-language-override", "superscript-position-override",
        "subscript-position-override",
    ]

    private func descriptor(
        _ name: String, _ cursor: inout ValueCursor, _ range: Range<Int>, _ face: inout FontFaceRule
    ) -> Bool {
        switch name {
        case "font-family":
            guard let families = cursor.families(), families.count == 1, cursor.isAtEnd else { return false }
            switch families[0] {
            case .named(let name): face.family = name
            case .generic: face.family = trimmed(source.text(range))
            }
            return true
        case "src":
            let sources: [FontFaceRule.Source]? = cursor.commaList { cursor in
                if cursor.isFunction("local") {
                    return cursor.arguments { inner in
                        if let name = inner.string() { return .local(name) }
                        var words: [String] = []
                        while let word = inner.ident() { words.append(word) }
                        return words.isEmpty ? nil : .local(words.joined(separator: " "))
                    }
                }
                guard let url = cursor.url() else { return nil }
                while cursor.isFunction("format") || cursor.isFunction("tech") { cursor.skipComponent() }
                return .url(url)
            }
            guard let sources, cursor.isAtEnd else { return false }
            face.sources = sources
            return true
        case "font-weight":
            func weight() -> Float? {
                cursor.keyword([("normal", 400), ("bold", 700)] as [(StaticString, Float)])
                    ?? cursor.number(atLeast: 1).map { Float($0) }
            }
            if cursor.keyword("auto") {
                face.weight = 1...1000
                return true
            }
            guard let low = weight() else { return false }
            let high = cursor.isAtEnd ? low : weight() ?? low
            face.weight = min(low, high)...max(low, high)
            return cursor.isAtEnd
        case "font-stretch", "font-width":
            func stretch() -> Float? {
                cursor.keyword(stretches) ?? cursor.percentage(atLeast: 0).map { Float($0 * 100) }
            }
            if cursor.keyword("auto") {
                face.stretch = 50...200
                return true
            }
            guard let low = stretch() else { return false }
            let high = cursor.isAtEnd ? low : stretch() ?? low
            face.stretch = min(low, high)...max(low, high)
            return cursor.isAtEnd
        case "font-style":
            if cursor.keyword("normal") || cursor.keyword("auto") { return cursor.isAtEnd }
            face.isItalic = true
            if cursor.keyword("italic") { return cursor.isAtEnd }
            guard cursor.keyword("oblique") else { return false }
            while cursor.angle() != nil {}
            return cursor.isAtEnd
        case "unicode-range":
            guard let ranges = Self.unicodeRanges(source.text(range)) else { return false }
            face.unicodeRanges = ranges
            return true
        default: return false
        }
    }

    /// `U+26, U+0-7F, U+4??` (CSS Syntax 3 §7): read from the text, since tokens cut it apart.
    private static func unicodeRanges(_ text: String) -> [ClosedRange<UInt32>]? {
        var ranges: [ClosedRange<UInt32>] = []
        for part in text.split(separator: ",") {
            let bytes = part.utf8.filter { !CSSTokenizer.isSpace($0) }
            guard bytes.count > 2, bytes[0] | 0x20 == 0x75, bytes[1] == 0x2B else { return nil }
            let ends = bytes.dropFirst(2).split(separator: 0x2D, omittingEmptySubsequences: false)
            func number(_ digits: ArraySlice<UInt8>, wildcard: UInt32) -> UInt32? {
                guard (1...6).contains(digits.count) else { return nil }
                var value: UInt32 = 0
                for digit in digits {
                    guard let hex = digit == 0x3F ? wildcard : CSSTokenizer.hexValue(digit) else { return nil }
                    value = value << 4 | hex
                }
                return value
            }
            guard let first = ends.first, let last = ends.last, ends.count <= 2, let low = number(first, wildcard: 0),
                let high = number(last, wildcard: 15), low <= high
            else { return nil }
            ranges.append(low...min(high, 0x10FFFF))
        }
        return ranges.isEmpty ? nil : ranges
    }
}
