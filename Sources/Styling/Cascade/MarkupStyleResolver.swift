// The style resolver. In: sheets, options and a tree. Out: a computed style for every node of the tree. One resolver styles any
// number of trees, also concurrently. It parses external sheets once, and a document's own when that document is styled.

import FancyTextBasics
import FancyTextCSS
import FancyTextMarkup

package struct MarkupStyleResolver: Sendable {
    package var options: StyleOptions { environment.options }
    private let sources: [RuleIndex.Source]
    private let index: RuleIndex
    private let fontFaces: [FontFaceRule]
    /// The texts of the sheets, including imports.
    private let texts: [CSSSource]
    let environment: ResolverEnvironment
    /// Resolvers with changed options, created on first use: the options affect how sheets are parsed. The last ones are kept.
    private let others = Guarded([MarkupStyleResolver]())
    private static let mostOthers = 6
    private let memory = SheetMemory()
    /// The messages about the sheets and the root style.
    package let diagnostics: DiagnosticLog

    package init(options: StyleOptions) {
        var log = DiagnosticLog()
        environment = ResolverEnvironment(options, log: &log)
        var sources: [RuleIndex.Source] = []
        var faces: [FontFaceRule] = []
        var texts = [environment.rootInherited.source]
        if options.dialect == .gsfancytext {
            let text = CSSSource(GSFancyTextSheet.defaults)
            let parsed = StylesheetParser.parse(text, environment.sheets(of: .code), log: &log)
            sources.append(RuleIndex.Source(parsed, text, level: .customTag, log: &log))
        }
        for sheet in options.sheets where options.media.contents.isSuperset(of: sheet.contents) {
            let text = CSSSource(sheet.text, name: sheet.name)
            let parsed = StylesheetParser.parse(text, environment.sheets(of: sheet.origin), log: &log)
            faces += parsed.fontFaces
            texts += [text] + parsed.imports
            let level: CascadeLevel =
                sheet.origin == .preset
                ? .customTag : options.policy == .code && sheet.origin == .code ? .code : .author
            sources.append(RuleIndex.Source(parsed, text, level: level, isTextOnly: options.readsTextOnly, log: &log))
        }
        (self.sources, fontFaces, self.texts) = (sources, faces, texts)
        index = sources.isEmpty && !options.isQuirks ? .none : RuleIndex(sources, foldsNames: options.isQuirks)
        diagnostics = log
    }

    private func resolver(for mode: DocumentMode) -> MarkupStyleResolver {
        mode == .quirks ? other { $0.isQuirks = true } : self
    }

    package func resolver(for media: MediaEnvironment) -> MarkupStyleResolver { other { $0.media = media } }

    package var forText: MarkupStyleResolver { other { $0.readsTextOnly = true } }

    private func other(_ change: (inout StyleOptions) -> Void) -> MarkupStyleResolver {
        var changed = options
        change(&changed)
        func fits(_ resolver: MarkupStyleResolver) -> Bool {
            let options = resolver.options
            return options.isQuirks == changed.isQuirks && options.readsTextOnly == changed.readsTextOnly
                && options.media == changed.media
        }
        if fits(self) { return self }
        return others.withLock { others in
            if let known = others.first(where: fits) { return known }
            let made = MarkupStyleResolver(options: changed)
            if others.count == Self.mostOthers { others.removeFirst() }
            others.append(made)
            return made
        }
    }

    /// Styles a tree. For a given sheet, the time is linear in the tree. Containers without a size fail all queries.
    package func resolve(
        _ tree: MarkupTree, containerSizes: [NodeID: ContainerSize] = [:], log: inout DiagnosticLog
    ) -> StyledTree {
        let resolver = resolver(for: tree.documentMode)
        var styled = resolver.unstyled(tree, log: &log)
        styled.containerSizes = containerSizes
        var walk = StyleWalk(resolver.environment, styled, taking: &log)
        walk.styleRoot()
        walk.walkAll()
        return walk.finish(&log)
    }

    /// The `@page` rules for a tree. Only its sheets are read.
    package func pageRules(of tree: MarkupTree) -> [PageRule] {
        var log = DiagnosticLog()
        return resolver(for: tree.documentMode).unstyled(tree, log: &log).pageRules
    }

    private func unstyled(_ tree: MarkupTree, log: inout DiagnosticLog) -> StyledTree {
        log.merge(diagnostics)
        var styled = StyledTree(tree, index, media: options.media, initial: environment.initial)
        (styled.fontFaces, styled.outsideSheets) = (fontFaces, texts)
        let own = documentSheets(&styled, log: &log)
        if !own.isEmpty {
            styled.index = memory.index(of: own) {
                RuleIndex(own.map(\.source) + sources, foldsNames: options.isQuirks)
            }
        }
        return styled
    }

    // MARK: The document's sheets

    /// Reads the sheets, their fonts and imports, and the base of the document's URLs, where that is a URL of the network.
    private func documentSheets(_ styled: inout StyledTree, log: inout DiagnosticLog) -> [EmbeddedSheet] {
        let tree = styled.tree
        var sheets: [EmbeddedSheet] = []
        let meter = BudgetMeter(options.limits)
        defer {
            if let budget = meter.exceeded { log.report(Diagnostic(budget, limit: options.limits[budget])) }
        }
        let loader: SheetLoader? = options.importLoader.map { make in
            let load = make(meter)
            return { url, from in
                meter.spend(1, of: .styleSheets)
                    ? load(url, from) : .failure(SheetFailure("the limit of sheets is reached"))
            }
        }
        var hasBase = false
        var index = 1
        while index < tree.count {
            let node = NodeID(index)
            index += 1
            switch tree.tag(node) {
            case .template:
                // The contents of a template are not part of the document (HTML §4.12.3).
                index = Int(tree.subtreeEnd(node).index)
                if tree.isShadowRoot(node) {
                    log.warn(
                        .shadowRoot, "a shadow root is shown without its style sheets, before what its host holds",
                        at: tree.location(node))
                }
            case .base:
                // The first one with a URL counts (HTML §4.2.3).
                guard !hasBase, let url = tree.attribute(node, .href) else { continue }
                hasBase = true
                let isFetched = options.importLoader != nil && options.fetchesSheets
                if URLReference.isRemote(styled.base) || URLReference.isRemote(url) && isFetched {
                    styled.base = URLReference.resolve(url, against: styled.base)
                }
            case .link:
                let rel = tree.attribute(node, .rel)?.asciiLowercased().split(separator: " ") ?? []
                guard rel.contains("stylesheet"), !rel.contains("alternate"),
                    let url = tree.attribute(node, .href).map(URLReference.cleaned), applies(tree, node, log: &log)
                else { continue }
                switch StylesheetEnvironment.load(url, from: styled.base, by: loader) {
                case .success(let (text, name)):
                    let sheet = parse(CSSSource(text, name: name, address: url), of: tree, loader)
                    styled.outsideSheets.append(sheet.text)
                    log.merge(sheet.log)
                    add(sheet)
                case .failure(let error):
                    log.warn(
                        error.code, "cannot read the style sheet '\(url)': \(error.reason)", at: tree.location(node))
                }
            case .style:
                let type = tree.attribute(node, .type)?.asciiLowercased() ?? ""
                guard type.isEmpty || type == "text/css" else {
                    log.warn(.unsupportedRule, "a style sheet of type '\(type)' has no effect", at: tree.location(node))
                    continue
                }
                // The text is a single node, so its position is that of its first byte.
                guard applies(tree, node, log: &log), let text = tree.firstChild(node), tree.kind(text) == .text
                else { continue }
                let sheet = sheet(tree.withText(text) { Array($0) }, of: tree, styled.base, loader)
                add(sheet)
                log.report(sheet.log, about: sheet.text, at: tree.embedded(text: text), within: tree, text)
            default: break
            }
        }
        return sheets

        func add(_ sheet: EmbeddedSheet) {
            sheets.append(sheet)
            styled.fontFaces += sheet.source.sheet.fontFaces
            styled.outsideSheets += sheet.source.sheet.imports
        }
    }

    private func sheet(_ text: [UInt8], of tree: MarkupTree, _ base: String, _ loader: SheetLoader?) -> EmbeddedSheet {
        let name = tree.sourceName
        if let known = memory.sheet(of: text, name: name, base: base, isInDocument: tree.isDocument) { return known }
        let css = CSSSource(text, name: name, base: base)
        let sheet = parse(css, of: tree, loader)
        if !css.tokens.contains(where: { $0.kind == .atKeyword && css.name(of: $0, is: "import") }) {
            memory.insert(sheet)
        }
        return sheet
    }

    private func applies(_ tree: MarkupTree, _ node: NodeID, log: inout DiagnosticLog) -> Bool {
        guard !tree.hasAttribute(node, .disabled) else { return false }
        let list = CSSSource(tree.attribute(node, .media) ?? "")
        let (matches, unknown) = MediaQueryEvaluator(options.media).evaluate(list, list.tokens.indices)
        if let unknown {
            let query = list.text(list.trimmed(unknown))
            log.warn(.invalidSyntax, "unknown media query '\(query)': its rules never apply", at: tree.location(node))
        }
        return matches
    }

    private func parse(_ text: CSSSource, of tree: MarkupTree, _ loader: SheetLoader?) -> EmbeddedSheet {
        var log = DiagnosticLog()
        var environment = environment.sheets(of: tree.isDocument ? .document : .fragment)
        environment.importLoader = loader
        let parsed = StylesheetParser.parse(text, environment, log: &log)
        let source = RuleIndex.Source(parsed, text, level: .author, isTextOnly: options.readsTextOnly, log: &log)
        return EmbeddedSheet(source, isInDocument: tree.isDocument, log: log)
    }
}

/// The state that is common to all documents of a resolver.
struct ResolverEnvironment: Sendable {
    let options: StyleOptions
    /// The root's values before any rule, which are also the initial values of fonts.
    let initial: ComputedStyle
    let context: ValueContext
    /// The loader of imports for the resolver's own sheets.
    let importLoader: SheetLoader?
    /// The declarations of the root style: inherited ones go to the root element, the others to the body.
    let rootInherited: DeclarationBlock
    let rootBox: DeclarationBlock
    let customTags: [String: DeclarationBlock]
    /// The parts of the default style sheet that documents have used, parsed once for all documents of a resolver.
    let defaultBlocks = Guarded([String: DeclarationBlock]())

    init(_ options: StyleOptions, log: inout DiagnosticLog) {
        var values = StyleValues.initial
        values.font.families = options.defaultFamilies
        values.font.size = options.defaultSize
        values.inherited.isMonospace = options.defaultFamilies == [.generic(.monospace)]
        initial = ComputedStyle(values)
        var context = MediaQueryEvaluator(options.media).context
        context.exRatio = options.exRatio
        context.chRatio = options.chRatio
        context.fontSize = Double(options.defaultSize)
        context.mediumSize = context.fontSize
        context.userPrefersDark = options.media.prefersDark
        context.readsTextOnly = options.readsTextOnly
        context.hasVerticalLines = options.media.hasVerticalLines && !options.readsTextOnly
        context.isQuirks = options.isQuirks
        (self.context, self.options) = (context, options)
        importLoader = options.importLoader?(BudgetMeter(options.limits))
        let root = StylesheetParser.parseInline(
            CSSSource(options.rootStyle, name: options.rootStyleName), context: context, log: &log)
        (rootInherited, rootBox) = Self.split(root)
        var tags: [String: DeclarationBlock] = [:]
        for (name, css) in options.customTags {
            let source = CSSSource(css, name: "style of <\(name)>")
            tags[name.asciiLowercased()] = StylesheetParser.parseInline(source, context: context, log: &log)
        }
        customTags = tags
    }

    func sheets(of origin: StyleOptions.Sheet.Origin) -> StylesheetEnvironment {
        StylesheetEnvironment(
            media: options.media, context: context, dialect: options.dialect,
            findsDialectByLengths: origin != .document, importLoader: importLoader)
    }

    static func split(_ block: DeclarationBlock) -> (DeclarationBlock, DeclarationBlock) {
        func part(_ inherited: Bool, _ customs: [CustomDeclaration]) -> DeclarationBlock {
            let declarations = block.declarations.filter { $0.property.property.inherited == inherited }
            return DeclarationBlock(source: block.source, declarations: declarations, customs: customs)
        }
        return (part(true, block.customs), part(false, []))
    }
}
