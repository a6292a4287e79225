// Declarations: from tokens to a checked list that the cascade can order (CSS Syntax 3 §5.4.6, CSS Cascade 5 §2), one entry per
// longhand, pointing at the tokens of its value. Invalid declarations are reported once, with their place, and left out.

import FancyTextBasics
import FancyTextCSS

/// The CSS-wide keywords (CSS Cascade 5 §7.3).
enum WideKeyword: String, Sendable {
    case inherit, initial, unset, revert
    case revertLayer = "revert-layer"
}

struct Declaration: Sendable {
    enum Value: Sendable {
        /// Tokens for the longhand's own reader.
        case tokens(Range<Int>)
        /// The whole value of a shorthand; the reader takes the longhand's part.
        case part(Range<Int>, Property.Reader)
        /// The shorthand resets the longhand.
        case initial
        case wide(WideKeyword)
        /// The value contains `var()`. It is read as a value of `writtenAs` when the variables are known.
        case pending(Range<Int>, writtenAs: PropertyID)
    }

    /// A longhand or a flow-relative name; `value` belongs to the longhand that the name has in left-to-right text.
    var property: PropertyID
    var value: Value
    var isImportant: Bool
}

/// `wide` is the keyword that is the whole value.
typealias CustomDeclaration = (name: String, value: Range<Int>, wide: WideKeyword?, isImportant: Bool)

/// The declarations between two braces, or of a `style` attribute. Immutable and shared.
final class DeclarationBlock: Sendable {
    let source: CSSSource
    let declarations: [Declaration]
    let customs: [CustomDeclaration]
    let hasImportant: Bool
    let hasNormal: Bool
    /// True if the block sets a property on which flow-relative names depend.
    let setsFlow: Bool
    static let flowProperties = ["direction", "writing-mode", "text-orientation"].compactMap(PropertyTable.shared.find)

    private static let animation = PropertyTable.shared.find("animation-name")

    var declaresAnimation: Bool { declarations.contains { $0.property == Self.animation } }

    init(source: CSSSource, declarations: [Declaration], customs: [CustomDeclaration]) {
        (self.source, self.declarations, self.customs) = (source, declarations, customs)
        hasImportant = declarations.contains { $0.isImportant } || customs.contains { $0.isImportant }
        setsFlow = declarations.contains { Self.flowProperties.contains($0.property) }
        hasNormal = declarations.contains { !$0.isImportant } || customs.contains { !$0.isImportant }
    }

    /// Creates a block that reports the use of an unsupported rule, given the rule's token.
    convenience init?(askingFor name: String, atToken token: Int, of source: CSSSource) {
        guard let property = PropertyTable.shared.find(name) else { return nil }
        let place = token + 1
        let feature = MissingFeature(name, source, place..<place)
        let value = Declaration.Value.part(place..<place) { _, values in
            values.setMissing(name, inherited: false, feature)
            return true
        }
        self.init(
            source: source, declarations: [Declaration(property: property, value: value, isImportant: false)],
            customs: [])
    }

    var isEmpty: Bool { declarations.isEmpty && customs.isEmpty }
}

struct DeclarationReader {
    let source: CSSSource
    let context: ValueContext
    private(set) var declarations: [Declaration] = []
    private(set) var customs: [CustomDeclaration] = []
    /// True if a value without effect was read for a property that has an effect.
    private var lacksEffect = false
    /// True if a declaration was read that changes nothing in a still picture.
    private var hasHarmless = false
    private let scratch = ScratchValues()
    var log = DiagnosticLog()

    init(_ source: CSSSource, context: ValueContext) { (self.source, self.context) = (source, context) }

    var isEmpty: Bool { declarations.isEmpty && customs.isEmpty }

    /// True if the declarations read since `init` have the same effect in a picture as in a browser.
    var isHonoured: Bool {
        !lacksEffect
            && (hasHarmless || !customs.isEmpty || declarations.contains { $0.property.property.effect == .full })
    }

    /// Returns the declarations read since the last call as a block, and clears the reader.
    mutating func takeBlock() -> DeclarationBlock {
        // Blocks are many and short: each gets exactly the memory it needs, and the reader keeps its own.
        let block = DeclarationBlock(
            source: source, declarations: declarations.withUnsafeBufferPointer { Array($0) },
            customs: customs.withUnsafeBufferPointer { Array($0) })
        declarations.removeAll(keepingCapacity: true)
        customs.removeAll(keepingCapacity: true)
        return block
    }

    mutating func read(_ range: Range<Int>) {
        let name = source.tokens[range.lowerBound]
        guard let colon = source.colon(in: range) else {
            // A sign before a name (`*zoom: 1`) is a hack that hides the declaration from all browsers except one.
            let isComment = source.text(range).hasPrefix("//")
            let lacksColon =
                range.contains { source.text($0..<$0 + 1) == "=" }
                || PropertyTable.shared.find(source.text(range.lowerBound..<range.lowerBound + 1)) != nil
            return report(
                name.kind == .delim && !isComment ? .note : .warning, .invalidSyntax,
                isComment
                    ? "'//' does not begin a comment in CSS: ignored up to the next semicolon; write /* … */"
                    : "expected a declaration: ignored" + (lacksColon ? "; a colon is between name and value" : ""),
                at: name)
        }
        read(name: range.lowerBound, value: (colon + 1)..<range.upperBound)
    }

    /// Reads the declaration whose name is the token at `name` and whose value is `value` (without the semicolon).
    mutating func read(name nameIndex: Int, value range: Range<Int>) {
        let (source, tokens) = (source, source.tokens)
        let nameToken = tokens[nameIndex]
        if context.readsTextOnly, !nameToken.hasEscape, !decidesText(nameToken) { return }
        var range = source.trimmed(range)
        var isImportant = false
        if let last = range.last, tokens[last].kind == .ident, source.name(of: tokens[last], is: "important") {
            let before = source.trimmed(range.dropLast())
            if let bang = before.last, source.isDelim(bang, 0x21) {
                isImportant = true
                range = source.trimmed(before.dropLast())
            }
        }

        // `--` alone is reserved (CSS Variables 1 §2).
        if source.withName(of: nameToken, { $0.count > 2 && $0[0] == 0x2D && $0[1] == 0x2D }) {
            let name = String(source.name(of: nameToken).dropFirst(2))
            guard areReferencesWellFormed(range)
            else { return report(.warning, .unsupportedValue, "invalid value for '--\(name)'", at: nameToken) }
            return customs.append((name, range, wide(range), isImportant))
        }

        guard let id = find(nameToken) else {
            // Properties of other programs, which browsers ignore too.
            let isForeign = begins(nameToken, "-") || begins(nameToken, "mso-")
            let name = source.name(of: nameToken)
            return report(
                isForeign ? .note : .warning, .unknownProperty,
                isForeign
                    ? "'\(name)' is not supported: ignored"
                    : "unknown property '\(name)'" + DeclarationAdvice.property(name), at: nameToken)
        }
        add(id, range, isImportant, nameToken)
    }

    /// Returns whether plain text may depend on a declaration of this name, or of one that it may be a misspelling of.
    private func decidesText(_ token: CSSToken) -> Bool {
        if let id = find(token) { return PropertyTable.decidesText[Int(id.index)] }
        let name = source.name(of: token).asciiLowercased()
        let most = name.hasPrefix("-") ? 0 : min(2, name.utf8.count / 4)
        return TextRelevance.isRelevant(Spelling.nearest(to: name, in: TextRelevance.names, most: most) ?? name)
    }

    private func find(_ token: CSSToken) -> PropertyID? {
        let table = PropertyTable.shared
        let name = source.word(of: token)
        // Old prefixed names are aliases of the plain ones.
        let plain = name.hasPrefix("-webkit-") ? String(name.dropFirst(8)) : nil
        let found = table.find(name) ?? plain.flatMap { table.find($0) ?? table.find(Self.standardName($0)) }
        return found.map { table.named[Int($0.index)] }
    }

    /// The standard name of a logical property that WebKit named first: `margin-inline-start` for `margin-start`.
    private static func standardName(_ name: String) -> String {
        let names = [
            ("logical-width", "inline-size"), ("logical-height", "block-size"), ("-start", "-inline-start"),
            ("-end", "-inline-end"), ("-before", "-block-start"), ("-after", "-block-end"),
        ]
        for (old, new) in names {
            for part in ["", "-color", "-style", "-width"] where name.hasSuffix(old + part) {
                return name.dropLast(old.count + part.count) + new + part
            }
        }
        return name
    }

    private func wide(_ range: Range<Int>) -> WideKeyword? {
        guard range.count == 1, source.tokens[range.lowerBound].kind == .ident else { return nil }
        return WideKeyword(rawValue: source.word(of: source.tokens[range.lowerBound]))
    }

    /// Returns whether tokens are a `<declaration-value>` (CSS Syntax 3 §8.2): no bad tokens, no stray closing bracket, no `!`.
    private func isDeclarationValue(_ range: Range<Int>) -> Bool {
        var index = range.lowerBound
        while index < range.upperBound {
            let token = source.tokens[index]
            switch token.kind {
            case .badString, .badURL, .closeBrace, .closeParen, .closeBracket, .semicolon: return false
            case .delim where source.isDelim(index, 0x21): return false
            case .function, .openParen, .openBracket, .openBrace:
                let inner = source.tokens[(index + 1)..<min(Int(token.match), range.upperBound)]
                if inner.contains(where: { $0.kind == .badString || $0.kind == .badURL }) { return false }
            default: break
            }
            index = source.past(index, before: range.upperBound)
        }
        return true
    }

    private mutating func add(_ id: PropertyID, _ range: Range<Int>, _ isImportant: Bool, _ nameToken: CSSToken) {
        let (row, source, context) = (id.property, source, context)
        func append(_ property: PropertyID, _ value: Declaration.Value) {
            declarations.append(Declaration(property: property, value: value, isImportant: isImportant))
        }

        let value: Declaration.Value? =
            if let keyword = wide(range) { .wide(keyword) } else if source.hasReference(range) {
                .pending(range, writtenAs: id)
            } else { nil }
        if let value {
            if case .pending = value, !areReferencesWellFormed(range) {
                return report(.warning, .unsupportedValue, Self.invalid(range, of: source, row, context), at: nameToken)
            }
            switch row.kind {
            case .shorthand where row.name == "all":
                if case .wide = value { for property in PropertyTable.resettable { append(property, value) } }
            case .shorthand:
                for longhand in PropertyTable.shared.related[Int(id.index)] { append(longhand, value) }
            case .longhand, .logical: append(id, value)
            case .alias: break
            case .ineffective: noteIneffective(row, nameToken)
            }
            return
        }

        var cursor = ValueCursor(source, range, context: context.reading(id))
        var isValid = false
        switch row.kind {
        case .longhand, .logical:
            // A flow-relative longhand has the grammar of the physical one.
            if case .longhand(let read, _) = id.physical(0).property.kind, !cursor.isAtEnd {
                isValid = read(&cursor, &scratch.values) && cursor.isAtEnd
                if isValid { append(id, .tokens(range)) }
            }
        case .shorthand(_, let split):
            let longhands = PropertyTable.shared.related[Int(id.index)]
            var parts = ShorthandParts(longhands, scratch)
            isValid = !cursor.isAtEnd && split(&cursor, &parts) && cursor.isAtEnd
            if isValid {
                for (longhand, part) in zip(longhands, parts.parts) {
                    switch part {
                    case .initial: append(longhand, .initial)
                    case .tokens(let part): append(longhand, .tokens(part))
                    case .reader(let reader): append(longhand, .part(range, reader))
                    }
                }
            }
        case .alias: break
        case .ineffective: isValid = PropertyTable.matches(id, &cursor)
        }
        if !isValid {
            report(
                isVendorValue(range) ? .note : .warning, .unsupportedValue,
                Self.invalid(range, of: source, row, context), at: nameToken)
        } else if let lacks = row.lacksEffect, lacks(source.text(range).asciiLowercased()) {
            lacksEffect = true
        } else if row.effect == .none {
            noteIneffective(row, nameToken)
        }
    }

    /// Returns whether every reference in a value is `var(--name)` or `var(--name, fallback)`.
    private func areReferencesWellFormed(_ range: Range<Int>) -> Bool {
        guard isDeclarationValue(range) else { return false }
        for index in range
        where source.tokens[index].kind == .function && source.name(of: source.tokens[index], is: "var") {
            guard let (name, fallback) = source.reference(at: index, before: range.upperBound),
                name.hasPrefix("--"), name.utf8.count > 2, fallback.map(isDeclarationValue) ?? true
            else { return false }
        }
        return true
    }

    /// Returns whether a value is specific to one browser (`-ms-flexbox`). Authors write such values beside the standard one.
    private func isVendorValue(_ range: Range<Int>) -> Bool {
        guard let token = range.first.map({ source.tokens[$0] }), token.kind == .ident || token.kind == .function
        else { return false }
        return ["-webkit-", "-moz-", "-ms-", "-o-", "-khtml-"].contains { begins(token, $0) }
    }

    /// Returns whether a name begins with `prefix` (lower-case ASCII), ignoring ASCII case.
    private func begins(_ token: CSSToken, _ prefix: String) -> Bool {
        source.withName(of: token) { $0.lazy.map(\.asciiLowercased).starts(with: prefix.utf8) }
    }

    private static func invalid(
        _ range: Range<Int>, of source: CSSSource, _ row: Property, _ context: ValueContext
    ) -> String {
        if range.isEmpty { return "'\(row.name)' has no value" }
        let text = source.text(range)
        let shown = text.prefix(61).count > 60 ? String(text.prefix(59)) + "…" : text
        return "invalid value for '\(row.name)': \(shown)" + DeclarationAdvice.value(range, of: source, row, context)
    }

    private mutating func noteIneffective(_ row: Property, _ token: CSSToken) {
        hasHarmless = true
        report(.note, .noEffect, "'\(row.name)' has no effect here", at: token)
    }

    mutating func report(
        _ severity: Diagnostic.Severity, _ code: Diagnostic.Code, _ message: @autoclosure () -> String,
        at token: CSSToken
    ) {
        guard !source.name.isEmpty, !log.isFull, !(context.readsTextOnly && severity == .note) else { return }
        log.report(Diagnostic(severity, code, message(), at: TextPlace(source, Int(token.start))))
    }
}

extension PropertyTable {
    /// The longhands that `all` sets: all except `direction` and `unicode-bidi` (CSS Cascade 5 §3.2).
    static let resettable: [PropertyID] = shared.rows.indices.compactMap { index in
        guard case .longhand = shared.rows[index].kind else { return nil }
        let name = shared.rows[index].name
        return name == "direction" || name == "unicode-bidi" || name.hasPrefix("-ft-lang") ? nil : PropertyID(index)
    }
}
