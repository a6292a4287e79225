// At-rules: conditions, layers, imports and font faces (CSS Conditional 3–5, CSS Cascade 5 §2 and §6.4, CSS Fonts 4 §4).

import FancyTextCSS
import FancyTextMarkup
import FancyTextSelectors

extension StylesheetParser {
    mutating func atRule(_ start: Int, _ end: Int, _ scope: Scope) -> Int {
        let token = source.tokens[start]
        let (prelude, block, next) = rule(at: start + 1, before: end)
        let body = block ?? prelude.upperBound..<prelude.upperBound
        let name = source.word(of: token)
        var inner = scope
        inner.depth += 1
        inner.isTopLevel = false

        // CSS Cascade 5 §2, CSS Namespaces 3 §3. Invalid rules do not count, such as those without their block.
        let before = (mayImport, mayDeclareNamespace)
        if scope.isTopLevel, block != nil ? name != "import" : name == "namespace" {
            (mayImport, mayDeclareNamespace) = (false, mayDeclareNamespace && name == "namespace")
        }
        if block == nil, ["media", "supports", "container", "font-face"].contains(name) {
            warn(.invalidSyntax, "@\(name) without a block: ignored", at: start)
            return next
        }
        let isEarly = scope.isTopLevel && block == nil && (name == "import" ? mayImport : mayDeclareNamespace)
        switch name {
        case "charset": break
        case "namespace" where !isEarly, "import" where !isEarly:
            let reason = block == nil ? "must come before all other rules" : "needs a ';' after its URL"
            warn(.invalidSyntax, "@\(name) \(reason): ignored", at: start)
        case "namespace":
            var cursor = self.cursor(prelude)
            let prefix = cursor.ident()
            if cursor.string() ?? cursor.url() == nil {
                warn(.invalidSyntax, "expected a URL in @namespace: ignored", at: start)
            } else if let prefix {
                prefixes.insert(prefix)
            }
        case "import": importSheet(prelude, scope, start)
        case "media": if matchesMedia(prelude) { contents(of: body, inner) }
        case "supports":
            let holds = supports(prelude)
            if holds == nil { warnOfUnknownQuery("supports", prelude) }
            if holds == true { contents(of: body, inner) }
        case "layer": layer(prelude, block, inner)
        case "font-face":
            if environment.context.readsTextOnly { break }
            fontFace(body, start)
        case "keyframes", "-webkit-keyframes", "-moz-keyframes", "-o-keyframes": keyframes(prelude, body, inner, start)
        case "container":
            inner.container = ContainerQuery(source, prelude, outer: scope.container)
            switch inner.container?.isUnderstood(by: evaluator) {
            case nil: warn(.invalidSyntax, "@container without a condition: ignored", at: start)
            case false?: warnOfUnknownQuery("container", prelude)
            case true?: contents(of: body, inner)
            }
        case "scope": scopeRule(prelude, body, inner, start)
        case "property": registerProperty(prelude, body, start)
        case "counter-style": counterStyle(prelude, body, start)
        case "font-feature-values": if !environment.context.readsTextOnly { fontFeatureValues(prelude, body, start) }
        case "page":
            if environment.context.readsTextOnly { break }
            // Mistakes in the rules of pages do not matter on a screen.
            let log = reader.log
            pageRule(prelude, body, scope, start)
            if environment.media.type != "print" { reader.log = log }
        case "font-palette-values", "view-transition", "starting-style", "position-try", "viewport", "-ms-viewport":
            reader.report(.note, .unsupportedRule, "@\(name) is not supported: ignored", at: token)
        default:
            (mayImport, mayDeclareNamespace) = before
            let isTailwind = ["tailwind", "apply", "theme", "utility", "variant", "source"].contains(name)
            reader.report(
                name.hasPrefix("-") ? .note : .warning, .unsupportedRule,
                "unknown rule @\(name): ignored" + (isTailwind ? "; Tailwind makes CSS of it" : ""), at: token)
        }
        return next
    }

    /// Parses the contents of a conditional rule: rules, and declarations too if it is nested in a style rule.
    mutating func contents(of body: Range<Int>, _ scope: Scope) {
        if let parent = scope.parent {
            contents(body, parent, body.isEmpty ? 0 : Int(source.tokens[body.lowerBound].start), scope)
        } else {
            rules(body, scope)
        }
    }

    private mutating func matchesMedia(_ queries: Range<Int>) -> Bool {
        let (matches, unknown) = evaluator.evaluate(source, queries)
        if let unknown { warnOfUnknownQuery("media", unknown) }
        return matches
    }

    private mutating func warnOfUnknownQuery(_ kind: String, _ query: Range<Int>) {
        guard let first = source.trimmed(query).first else { return }
        let text = source.text(query).cssTrimmed()
        warn(.invalidSyntax, "unknown \(kind) query '\(text)': its rules never apply", at: first)
    }

    /// Evaluates the condition of a feature query; nil if it is malformed.
    func supports(_ range: Range<Int>) -> Bool? {
        var cursor = self.cursor(range)
        let result = evaluator.condition(&cursor, 0, supportsUnit)
        return cursor.isAtEnd ? result : nil
    }

    func supportsUnit(_ cursor: inout ValueCursor, _ depth: Int) -> Bool? {
        guard let token = cursor.token else { return nil }
        if token.kind == .function {
            let name = cursor.functionName
            let argument = cursor.contents()
            let text = source.text(argument)
            return switch name {
            case "selector":
                undeclaredPrefix(argument) == nil && SelectorList.isSupported(text, parts: PseudoBox.partNames)
            case "font-format": ValueCursor.fontFormats.contains(text.asciiLowercased())
            case "font-tech": ValueCursor.fontTechnologies.contains(text.asciiLowercased())
            case "at-rule": Self.appliedRules.contains(text.asciiLowercased())
            default: false
            }
        }
        guard token.kind == .openParen else { return nil }
        let start = cursor.index
        let inner = cursor.contents()
        if let result = supportsDeclaration(inner) { return result }
        cursor.rewind(to: start)
        if let result = cursor.arguments({ evaluator.condition(&$0, depth + 1, supportsUnit) }) { return result }
        // Unknown syntax, which a later level of CSS may define, is false (CSS Conditional 3 §6).
        cursor.skipComponent()
        return false
    }

    /// Returns whether a declaration has the same effect as in a browser, so that it needs no fallback; `nil` for anything else.
    private func supportsDeclaration(_ range: Range<Int>) -> Bool? {
        guard !range.isEmpty, source.isDeclaration(range) else { return nil }
        // Queries are about all properties, without quirks (Quirks Mode §2.3).
        var context = environment.context
        (context.isQuirks, context.readsTextOnly) = (false, false)
        var trial = DeclarationReader(source, context: context)
        trial.read(range)
        return trial.isHonoured
    }

    /// The rules that `@supports at-rule()` reports as supported (CSS Conditional 5 §5).
    private static let appliedRules: Set<String> = [
        "@media", "@supports", "@layer", "@import", "@font-face", "@namespace", "@keyframes", "@property",
        "@container", "@counter-style", "@scope", "@page",
    ]

    // MARK: Keyframes

    private mutating func keyframes(_ prelude: Range<Int>, _ body: Range<Int>, _ scope: Scope, _ start: Int) {
        var cursor = self.cursor(prelude)
        guard let found = cursor.keyframesName(), let name = found, cursor.isAtEnd, scope.parent == nil else {
            return warn(
                .invalidSyntax, "@keyframes needs a name, and stands outside of style rules: ignored", at: start)
        }
        var frames: [KeyframesRule.Frame] = []
        var index = body.lowerBound
        while let first = source.item(in: index..<body.upperBound) {
            let (selectors, declarations, next) = rule(at: first, before: body.upperBound, stopsAtSemicolon: false)
            index = next
            guard let declarations, let offsets = frameOffsets(selectors) else {
                warn(.invalidSelector, "expected 'from', 'to' or percentages from 0% to 100%: ignored", at: first)
                continue
            }
            let block = frame(declarations)
            frames += offsets.map { ($0, block) }
        }
        guard scope.missing == nil else { return }
        sheet.keyframes.append(KeyframesRule(name: name, frames: frames, layer: scope.layer))
    }

    /// The offsets of `from`, `to` and percentages, 0–1.
    private func frameOffsets(_ range: Range<Int>) -> [Double]? {
        var cursor = self.cursor(range)
        let offsets = cursor.commaList { cursor -> Double? in
            if let named = cursor.keyword([("from", 0), ("to", 1)] as [(StaticString, Double)]) { return named }
            return cursor.percentage().flatMap { 0...1 ~= $0 ? $0 : nil }
        }
        return cursor.isAtEnd ? offsets : nil
    }

    /// The declarations of a frame without important ones and those of animations (CSS Animations 1 §3).
    private mutating func frame(_ body: Range<Int>) -> DeclarationBlock {
        for declaration in source.declarations(in: body) { reader.read(declaration) }
        let block = reader.takeBlock()
        return DeclarationBlock(
            source: source,
            declarations: block.declarations.filter { declaration in
                let name = declaration.property.property.name
                return !declaration.isImportant
                    && (!name.hasPrefix("animation-") || name == "animation-timing-function")
            },
            customs: block.customs.filter { !$0.isImportant })
    }

    // MARK: Layers

    /// A name that no other layer of the sheet has.
    private var anonymousLayer: String { "\u{1}\(sheet.layers.count)" }

    mutating func layerIndex(_ name: String, in outer: Int) -> Int {
        let whole = outer >= 0 ? sheet.layers[outer] + "." + name : name
        // Layers beyond the nesting limit are merged into the deepest one.
        let parts = whole.split(separator: ".", maxSplits: Self.deepestNesting).prefix(Self.deepestNesting)
        // A nested layer also creates its outer layers.
        var path = ""
        for part in parts {
            path += (path.isEmpty ? "" : ".") + part
            guard sheet.layerIndices[path] == nil else { continue }
            sheet.layerIndices[path] = sheet.layers.count
            sheet.layers.append(path)
        }
        return sheet.layerIndices[path] ?? 0
    }

    func layerNames(_ range: Range<Int>) -> [String] {
        source.text(range).split(separator: ",").map { String($0).cssTrimmed() }.filter { !$0.isEmpty }
    }

    mutating func layer(_ prelude: Range<Int>, _ body: Range<Int>?, _ scope: Scope) {
        var names = layerNames(prelude)
        guard names.allSatisfy({ !$0.contains(where: \.isWhitespace) }), body == nil || names.count < 2 else {
            let name = source.text(prelude).cssTrimmed()
            return warn(
                .invalidSyntax, "'\(name)' is not the name of one layer: the layer's rules are ignored",
                at: max(0, prelude.lowerBound - 1))
        }
        if names.isEmpty, body != nil { names = [anonymousLayer] }
        let indices = names.map { layerIndex($0, in: scope.layer) }
        guard let body, let index = indices.first else { return }
        var inner = scope
        inner.layer = index
        contents(of: body, inner)
    }

    private mutating func importSheet(_ prelude: Range<Int>, _ scope: Scope, _ start: Int) {
        var cursor = self.cursor(prelude)
        guard let url = cursor.string() ?? cursor.url()
        else { return warn(.invalidSyntax, "@import needs a URL in quotes or url(): ignored", at: start) }
        var layer = scope.layer
        if cursor.keyword("layer") {
            layer = layerIndex(anonymousLayer, in: scope.layer)
        } else if cursor.isFunction("layer"), let name = layerNames(cursor.contents()).first {
            layer = layerIndex(name, in: scope.layer)
        }
        if cursor.isFunction("supports") {
            let inner = cursor.contents()
            guard supportsDeclaration(inner) ?? supports(inner) ?? false else { return }
        }
        guard matchesMedia(cursor.rest) else { return }
        guard importing.count < Self.deepestImport
        else { return warn(.nestingLimit, "@import is nested too deeply: ignored", at: start) }
        let (text, name): ([UInt8], String)
        switch StylesheetEnvironment.load(url, from: source.base, by: environment.importLoader) {
        case .success(let loaded): (text, name) = loaded
        case .failure(let error): return warn(error.code, "cannot import '\(url)': \(error.reason)", at: start)
        }
        // A sheet that imports itself, directly or through others, is not read again (CSS Cascade 5 §2.1).
        guard !importing.contains(name) else { return }
        let imported = CSSSource(text, name: name, address: source.absolute(url))
        var parser = StylesheetParser(imported, environment, importing: importing + [name])
        sheet.imports.append(imported)
        swap(&parser.sheet, &sheet)
        swap(&parser.reader.log, &reader.log)
        parser.run(layer: layer)
        swap(&parser.sheet, &sheet)
        swap(&parser.reader.log, &reader.log)
    }

    // MARK: @font-face

    private mutating func fontFace(_ body: Range<Int>, _ start: Int) {
        var face = FontFaceRule(family: "", sources: [], sheet: source.base)
        descriptors(body) { parser, name, token, value in
            let source = parser.source
            let trimmed = source.trimmed(value)
            let isNeutral = ["normal", "100%"].contains(source.text(trimmed).asciiLowercased())
            if name == "font-variant", !isNeutral {
                if face.missing == nil { face.missing = MissingFeature(name, source, trimmed) }
                return true
            }
            var cursor = parser.cursor(value)
            guard !cursor.fontDescriptor(name, source.text(value), &face) else { return true }
            let isIgnored = Self.ignoredDescriptors.contains(name)
            parser.reader.report(
                name.hasPrefix("-") || isIgnored ? .note : .warning, .unsupportedValue,
                isIgnored ? "'\(name)' has no effect here" : "invalid descriptor '\(name)' in @font-face", at: token)
            return true
        }
        guard !face.family.isEmpty, !face.sources.isEmpty else {
            let message = "@font-face needs font-family, and src in a format that can be read: ignored"
            return warn(.invalidSyntax, message, at: start)
        }
        sheet.fontFaces.append(face)
    }

    static let ignoredDescriptors: Set<String> = [
        "font-variant", "font-display", "font-named-instance", "font-language-override",
        "superscript-position-override", "subscript-position-override",
    ]

    // MARK: @font-feature-values

    /// Reads a rule of CSS Fonts 4 §6.9: blocks named by functions, in which each name has numbers.
    mutating func fontFeatureValues(_ prelude: Range<Int>, _ body: Range<Int>, _ start: Int) {
        var cursor = self.cursor(prelude)
        let families = (cursor.families() ?? []).compactMap { family in
            if case .named(let name) = family { name.lowercased() } else { nil }
        }
        guard !families.isEmpty
        else { return warn(.invalidSyntax, "@font-feature-values needs a family: ignored", at: start) }
        var values = FontFeatureValues.Rule(families: families)
        var index = body.lowerBound
        while let first = source.tokens[index..<body.upperBound].firstIndex(where: { $0.kind == .atKeyword }) {
            let (_, declarations, next) = rule(at: first, before: body.upperBound)
            index = next
            guard let kind = FontAlternate.Kind(rawValue: source.word(of: source.tokens[first])), let declarations
            else {
                warn(.unsupportedRule, "expected a function of 'font-variant-alternates': ignored", at: first)
                continue
            }
            descriptors(declarations, expected: "a name and its numbers") { parser, _, token, value in
                var cursor = parser.cursor(value)
                let numbers = cursor.many { $0.integer(atLeast: 0) }
                guard cursor.isAtEnd, !numbers.isEmpty, kind == .styleset || numbers.count <= (kind.takesList ? 2 : 1)
                else { return false }
                values.numbers[.init(kind: kind, name: parser.source.name(of: token))] = numbers
                return true
            }
        }
        sheet.featureValues.append(values)
    }
}

extension ValueCursor {
    /// Reads a descriptor of `@font-face`, given its value's text too; false for an unknown name or an invalid value.
    fileprivate mutating func fontDescriptor(_ name: String, _ text: String, _ face: inout FontFaceRule) -> Bool {
        func take<Value>(_ value: Value?, _ field: inout Value) -> Bool {
            guard let value else { return false }
            field = value
            return isAtEnd
        }
        func share() -> Float? { percentage(atLeast: 0).map { Float($0) } }
        func metric() -> Float?? { keyword("normal") ? .some(nil) : share().map { .some($0) } }
        switch name {
        case "font-family":
            var written = self
            guard let families = families(), families.count == 1, isAtEnd else { return false }
            switch families[0] {
            case .named(let name): face.family = name
            case .generic: face.family = written.ident() ?? text
            }
            return true
        case "src":
            let sources: [FontFaceRule.Source?]? = commaList { cursor in
                if cursor.isFunction("local") {
                    return cursor.arguments { inner in
                        if let name = inner.string() { return .local(name) }
                        let words = inner.many { $0.ident() }
                        return words.isEmpty ? nil : .local(words.joined(separator: " "))
                    }
                }
                guard let url = cursor.url() else { return nil }
                var canRead = true
                while cursor.isFunction("format") || cursor.isFunction("tech") {
                    canRead = cursor.readsFont() && canRead
                }
                return canRead ? .url(url) : .some(nil)
            }
            return take(sources?.compactMap { $0 }, &face.sources)
        case "font-weight":
            let range = range(auto: 1...1000) {
                $0.keyword([("normal", 400), ("bold", 700)]) ?? $0.number(atLeast: 1).map { Float($0) }
            }
            return take(range, &face.weight)
        case "font-stretch", "font-width":
            let range = range(auto: 50...200) {
                $0.keyword(stretches) ?? $0.percentage(atLeast: 0).map { Float($0 * 100) }
            }
            return take(range, &face.stretch)
        case "font-style":
            if keyword("normal") || keyword("auto") { return isAtEnd }
            face.isItalic = true
            if keyword("italic") { return isAtEnd }
            guard keyword("oblique") else { return false }
            while angle() != nil {}
            return isAtEnd
        case "font-feature-settings": return take(featureSettings(), &face.adjustment.features)
        case "font-variation-settings": return take(variations(), &face.adjustment.variations)
        case "size-adjust": return take(share(), &face.adjustment.size)
        case "ascent-override": return take(metric(), &face.adjustment.ascent)
        case "descent-override": return take(metric(), &face.adjustment.descent)
        case "line-gap-override": return take(metric(), &face.adjustment.lineGap)
        case "unicode-range":
            skipToEnd()
            return take(Self.unicodeRanges(text), &face.unicodeRanges)
        default: return false
        }
    }

    /// `U+26, U+0-7F, U+4??` (CSS Syntax 3 §7). Read from the text, since the tokenizer splits ranges.
    private static func unicodeRanges(_ text: String) -> [ClosedRange<UInt32>]? {
        var ranges: [ClosedRange<UInt32>] = []
        for part in text.split(separator: ",") {
            let bytes = part.utf8.filter { !$0.isHTMLSpace }
            guard bytes.count > 2, bytes[0] | 0x20 == 0x75, bytes[1] == 0x2B else { return nil }
            let ends = bytes.dropFirst(2).split(separator: 0x2D, omittingEmptySubsequences: false)
            func number(_ digits: ArraySlice<UInt8>, wildcard: UInt32) -> UInt32? {
                guard (1...6).contains(digits.count) else { return nil }
                var value: UInt32 = 0
                for digit in digits {
                    guard let hex = digit == 0x3F ? wildcard : digit.hexValue else { return nil }
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

    /// Reads `auto`, or one or two values.
    fileprivate mutating func range(
        auto: ClosedRange<Float>, _ read: (inout ValueCursor) -> Float?
    ) -> ClosedRange<Float>? {
        if keyword("auto") { return auto }
        guard let low = read(&self) else { return nil }
        let high = read(&self) ?? low
        return min(low, high)...max(low, high)
    }

    /// Reads `format()` or `tech()`. Returns whether fonts of that kind can be read (CSS Fonts 4 §4.3.1).
    fileprivate mutating func readsFont() -> Bool {
        let isFormat = isFunction("format")
        let known: Bool? = arguments { inner in
            var isKnown = true
            repeat {
                guard let word = (inner.string() ?? inner.ident())?.asciiLowercased() else { return nil }
                isKnown = isKnown && (isFormat ? Self.fontFormats : Self.fontTechnologies).contains(word)
                if inner.isFunction("supports") { inner.skipComponent() }
            } while inner.comma()
            return isKnown
        }
        if known == nil { skipComponent() }
        return known ?? false
    }

    static let fontFormats: Set<String> = [
        "woff2", "woff", "truetype", "opentype", "collection", "woff2-variations", "woff-variations",
        "truetype-variations", "opentype-variations",
    ]
    static let fontTechnologies: Set<String> = [
        "variations", "features-opentype", "features-aat", "color-colrv0", "color-sbix", "color-cbdt",
    ]
}
