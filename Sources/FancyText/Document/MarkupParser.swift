// A parser and its builder: how HTML is read and what styles apply, decided once.

import FancyTextBasics
import FancyTextBoxes
import FancyTextImages
import FancyTextMarkup
import FancyTextOutputs
import FancyTextSelectors
import FancyTextStyling
import Synchronization

/// Reads HTML into ``Document``s. Immutable: safe to use from many tasks at once.
///
/// ```swift
/// let parser = MarkupParserBuilder.default()
///     .add("zhg", style: MarkupStyle(backgroundColor: .init(css: "aquamarine")))
///     .add(css: ".title { font-weight: 800 }")
///     .build()
/// var document = parser.parse("<zhg class=title>Hello</zhg>")
/// ```
public struct MarkupParser: Sendable {
    package let syntax: SyntaxOptions
    /// Styles for the viewport that the parser was built for.
    package let resolver: MarkupStyleResolver
    /// How tables stand in styled text.
    let tableForm: TableForm
    /// What gives the bytes of images.
    let imageLoader: (@Sendable (_ source: String) -> [UInt8]?)?
    /// Resolvers for the viewports of renderings so far.
    private let others: ViewportResolvers

    /// The attributes of links: their default style with what was added for `a`, filled by the root's.
    public var linkTextAttributes: MarkupStyle {
        render("<a href=\"#\">a</a>").runs.first?.style ?? MarkupStyle()
    }

    /// What was wrong with the style sheets given to the builder.
    public var diagnostics: DiagnosticLog { resolver.diagnostics }

    /// A parser with the default style sheet and nothing else.
    public init() { self = MarkupParserBuilder.default().build() }

    package init(
        syntax: SyntaxOptions, resolver: MarkupStyleResolver, tableForm: TableForm = .tabs,
        imageLoader: (@Sendable (_ source: String) -> [UInt8]?)? = nil
    ) {
        self.syntax = syntax
        self.resolver = resolver
        self.tableForm = tableForm
        self.imageLoader = imageLoader
        others = ViewportResolvers()
    }

    /// Parses `html`; never fails: what is wrong with it is repaired and told in ``Document/diagnostics``. O(n).
    ///
    /// Parsing stops past ``Limits/seconds``, or when its task is cancelled. The rest of the document is missing then,
    /// ``Document/diagnostics`` has an error, and renderers throw.
    public func parse(_ html: String) -> Document {
        parse(Array(html.utf8), name: "<string>", encoding: "utf-8")
    }

    /// Parses bytes in the encoding that they, `encoding` or their `<meta charset>` tell.
    ///
    /// - Parameter name: What diagnostics call the text.
    public func parse(_ bytes: [UInt8], name: String, encoding: String? = nil) -> Document {
        parse(SourceBytes(bytes), name: name, encoding: encoding)
    }

    package func parse(_ source: SourceBytes, name: String, encoding: String? = nil) -> Document {
        let seconds = syntax.limits.seconds
        return WorkClock.run(seconds: seconds) { clock in
            var document = read(source, name: name, encoding: encoding)
            if let stop = clock.stop {
                document.stop = stop
                document.diagnostics.report(Diagnostic(stop, seconds: seconds))
            }
            return document
        }
    }

    func read(_ html: String) -> Document {
        read(SourceBytes(Array(html.utf8)), name: "<string>", encoding: "utf-8")
    }

    /// Parses all of a source, however long it takes: for callers that could not tell that a part is missing.
    func read(_ source: SourceBytes, name: String, encoding: String? = nil) -> Document {
        var log = DiagnosticLog()
        let tree = MarkupTree.parse(source, options: syntaxOptions(name, encoding), log: &log)
        return Document(tree: tree, parser: self, diagnostics: log)
    }

    /// The text of a source as UTF-8, in the encoding that it or the parser tells.
    package func text(
        of source: SourceBytes, name: String, encoding: String? = nil, log: inout DiagnosticLog
    ) -> [UInt8] {
        Array(MarkupTree.readable(source, options: syntaxOptions(name, encoding), log: &log).buffer)
    }

    private func syntaxOptions(_ name: String, _ encoding: String?) -> SyntaxOptions {
        var options = syntax
        options.sourceName = name
        if let encoding { options.encoding = encoding }
        return options
    }

    /// The text of a source, ready to be written.
    ///
    /// - Parameter checksFirst: whether ``PlainTextSource/diagnostics`` has all there is to say before anything is written.
    package func plainText(
        of source: SourceBytes, name: String, encoding: String? = nil, options: PlainTextOptions,
        checksFirst: Bool = false
    ) -> PlainTextSource {
        // The document alone holds the tree, so that changes copy nothing.
        var document = parse(source, name: name, encoding: encoding)
        let options = document.edit(by: options)
        document.prepareText(options, checksFirst: checksFirst)
        return PlainTextSource(document, options)
    }

    /// The text of `html` with nothing between its text nodes: the tags stripped. O(n).
    public func strip(_ html: String) -> String {
        var options = PlainTextOptions()
        options.mode = .raw
        var text = plainText(of: SourceBytes(Array(html.utf8)), name: "<string>", encoding: "utf-8", options: options)
        return String(decoding: text.read(), as: UTF8.self)
    }

    /// The elements that a CSS selector matches, as HTML, in document order.
    ///
    /// - Throws: ``SelectorError`` when the selector is not one.
    public func select(_ html: String, _ selector: String) throws(SelectorError) -> [String] {
        let document = read(html)
        return document.matches(of: try SelectorQuery(selector)).map { document.html(of: $0) }
    }
}

extension MarkupParser {
    /// The resolver for a medium; the last few are kept.
    func resolver(for media: MediaEnvironment) -> MarkupStyleResolver {
        media == resolver.options.media ? resolver : others.resolver(for: media, like: resolver)
    }
}

/// Style resolvers that differ in the medium.
private final class ViewportResolvers: Sendable {
    private let known = Mutex<[MarkupStyleResolver]>([])
    private static let limit = 4

    func resolver(for media: MediaEnvironment, like first: MarkupStyleResolver) -> MarkupStyleResolver {
        known.withLock { known in
            if let found = known.first(where: { $0.options.media == media }) { return found }
            var options = first.options
            options.media = media
            let made = MarkupStyleResolver(options: options)
            if known.count == Self.limit { known.removeFirst() }
            known.append(made)
            return made
        }
    }
}

/// Where style sheets that a document or sheet names may lie.
public enum StyleSheetFolder: Hashable, Sendable {
    /// Below the folder of the document or sheet that names them.
    case ofDocument
    /// Below this folder. Their names are relative to what names them, or else to the folder.
    case below(String)
}

/// What `prefers-color-scheme` answers.
public enum ColorScheme: String, CaseIterable, Sendable {
    case light, dark
}

/// Builds a parser: its tags, styles, policies and limits. Each `add` and `set` returns the extended builder.
public struct MarkupParserBuilder: Sendable {
    package var syntax = SyntaxOptions()
    package var styles = StyleOptions()
    var tableForm = TableForm.tabs
    private var imageLoader: (@Sendable (_ source: String) -> [UInt8]?)?
    private var sheets = StyleSheetLoader()

    /// All tags and style attributes, with the default style sheet (HTML's suggested rendering).
    public static func `default`() -> MarkupParserBuilder {
        MarkupParserBuilder().with {
            $0.syntax.allowedTags = nil
            $0.styles.allowedStyleAttributes = nil
        }
    }

    /// A whitelist: only the tags and style attributes are read that are added.
    ///
    /// Of other elements the text stays; scripts, style sheets, metadata and embedded content go with all that they hold.
    /// Other declarations in `style` attributes do not count. A document's own style sheets are read once `style` or `link`
    /// is added.
    ///
    /// ```swift
    /// let parser = MarkupParserBuilder().add("b").add("a").add(styleAttribute: "color").build()
    /// ```
    public init() {
        syntax.allowedTags = TagWhitelist()
        syntax.isScripting = true
        styles.allowedStyleAttributes = []
    }

    /// A tag, with more style than its default or, for a custom one, with all that it has; what was added for it before is
    /// replaced.
    ///
    /// `<style>`, style sheets and inline styles win over it, unless the policy is ``StylePolicy/code``.
    public func add(_ tag: String, style: MarkupStyle = MarkupStyle()) -> MarkupParserBuilder {
        with {
            $0.syntax.allowedTags?.insert(tag)
            $0.styles.customTags[tag.lowercased()] = style.css
        }
    }

    /// A property of CSS that may stand in `style` attributes; ``default()`` has them all.
    public func add(styleAttribute name: String) -> MarkupParserBuilder {
        with { _ = $0.styles.allowedStyleAttributes?.insert(name.lowercased()) }
    }

    /// A custom style attribute: `style` gives what a value of it stands for, nil for what it does not know.
    ///
    /// It counts as an attribute of elements (`<b glow="red">`) and as a declaration in a `style` attribute
    /// (`<b style="glow: red">`), where it may also take the place of a CSS property of that name.
    public func add(
        styleAttribute name: String, style: @escaping @Sendable (_ value: String) -> MarkupStyle?
    ) -> MarkupParserBuilder {
        with { $0.styles.customAttributes[name.lowercased()] = { style($0)?.css } }
    }

    /// Style for elements of a class, in the place of what was added for it before.
    public func add(class name: String, style: MarkupStyle) -> MarkupParserBuilder {
        add(style, for: ".\(Self.escaped(name))", name: "class \(name)")
    }

    /// Style for the element with an id, in the place of what was added for it before.
    public func add(id: String, style: MarkupStyle) -> MarkupParserBuilder {
        add(style, for: "#\(Self.escaped(id))", name: "id \(id)")
    }

    private func add(_ style: MarkupStyle, for selector: String, name: String) -> MarkupParserBuilder {
        with {
            $0.styles.sheets.removeAll { $0.subject == selector }
            let text = Array("\(selector) { \(style.css) }".utf8)
            $0.styles.sheets.append(StyleOptions.Sheet(name: name, text: text, subject: selector))
        }
    }

    /// A style sheet's text.
    ///
    /// - Parameter name: What diagnostics call it.
    public func add(css: String, name: String = "style sheet") -> MarkupParserBuilder {
        with { $0.styles.sheets.append(StyleOptions.Sheet(name: name, text: css)) }
    }

    /// Style of the root: what everything inherits.
    public func set(rootStyle: MarkupStyle) -> MarkupParserBuilder {
        with { $0.styles.rootStyle = rootStyle.css }
    }

    /// Style of the root as CSS declarations.
    ///
    /// - Parameter name: What diagnostics call them.
    public func set(rootStyle css: String, name: String = "root style") -> MarkupParserBuilder {
        with {
            $0.styles.rootStyle = css
            $0.styles.rootStyleName = name
        }
    }

    /// Whose styles win: the document's or those given in code.
    public func set(policy: StylePolicy) -> MarkupParserBuilder {
        with { $0.styles.policy = policy }
    }

    /// How the cells of tables are separated in ``StyledText``: by tabs, unless told otherwise.
    public func set(tables: TableForm) -> MarkupParserBuilder {
        with { $0.tableForm = tables }
    }

    /// What the values of style sheets mean where CSS and GSFancyText differ; by default each sheet tells.
    public func set(dialect: StyleSheetDialect) -> MarkupParserBuilder {
        with { $0.styles.dialect = dialect }
    }

    /// What `prefers-color-scheme` answers (Media Queries 5 §11.5).
    public func set(colorScheme: ColorScheme) -> MarkupParserBuilder {
        with { $0.styles.media.prefersDark = colorScheme == .dark }
    }

    /// What bounds the time and memory of parsing and rendering.
    public func set(limits: Limits) -> MarkupParserBuilder {
        with { $0.syntax.limits = limits }
    }

    /// Whether `&amp;` and the like are decoded; by default they are.
    public func set(decodesEntities: Bool) -> MarkupParserBuilder {
        with { $0.syntax.decodesEntities = decodesEntities }
    }

    /// Whether every input becomes a page as in a browser, with html, head and body. By default fragments stay fragments. What
    /// only looks like a tag is text in a fragment either way, and an element in a page.
    /// - Parameter keepsDepth: whether elements keep their depth however deep they are. Browsers make siblings of those
    ///   that have more than 512 around them.
    public func set(readsPages: Bool, keepsDepth: Bool = false) -> MarkupParserBuilder {
        with {
            $0.syntax.isAlwaysDocument = readsPages
            $0.syntax.siblingDepth = readsPages && !keepsDepth ? 512 : nil
        }
    }

    /// Whether `noscript` in a document is text that nothing shows, as where scripts run (HTML §13.2.4.5); by default it is.
    package func set(isScripting: Bool) -> MarkupParserBuilder {
        with { $0.syntax.isScripting = isScripting }
    }

    /// Whether inputs are XML, as feeds are.
    package func set(isXML: Bool) -> MarkupParserBuilder {
        with { $0.syntax.isXML = isXML }
    }

    /// Whether only plain text is wanted: styles that do not change it are not resolved, and nothing is said of them.
    package func set(readsTextOnly: Bool) -> MarkupParserBuilder {
        with { $0.styles.readsTextOnly = readsTextOnly }
    }

    /// Whether comments are left out of the tree; by default they are in it.
    public func set(dropsComments: Bool) -> MarkupParserBuilder {
        with { $0.syntax.dropsComments = dropsComments }
    }

    /// The encoding of all inputs by its label (WHATWG Encoding §4.2); nil finds it out.
    public func set(encoding: String?) -> MarkupParserBuilder {
        with { $0.syntax.encoding = encoding }
    }

    /// Gives the text of a style sheet that `@import` names; nil when there is none. Without a loader nothing is read.
    public func set(importLoader: @escaping @Sendable (_ url: String) -> String?) -> MarkupParserBuilder {
        with {
            $0.sheets = StyleSheetLoader()
            $0.styles.importLoader = { _ in
                { url, _ in importLoader(url).map { (text: Array($0.utf8), name: url) } }
            }
        }
    }

    /// Gives the bytes of images (PNG, JPEG, WebP, GIF, SVG) by their sources as the document has them; nil leaves one to
    /// ``RenderOptions``. It is called once for each source of a rendering, on the task that renders.
    ///
    /// ``Document/loadImages(with:)`` is the form for loaders that wait.
    public func set(imageLoader: @escaping @Sendable (_ source: String) -> [UInt8]?) -> MarkupParserBuilder {
        with { $0.imageLoader = imageLoader }
    }

    /// Reads the style sheets that `@import` and `<link>` name from files below a folder. Links that lead out of it are not
    /// followed.
    public func set(styleSheetFolder folder: StyleSheetFolder) -> MarkupParserBuilder {
        with { $0.sheets.folder = folder }
    }

    /// Fetches the style sheets that http and https URLs name, from hosts with public addresses, waiting up to 10 s for each
    /// and 20 s for all of a document; needs libcurl. Their numbers and bytes count as ``Budget/requests`` and
    /// ``Budget/fetchedBytes``.
    ///
    /// - Parameter hosts: Names of hosts that may be asked whatever their addresses are.
    public func set(fetchesStyleSheets isAllowed: Bool, hosts: Set<String> = []) -> MarkupParserBuilder {
        with { $0.sheets.network = NetworkAccess(allowsPublicHosts: isAllowed, hosts: hosts) }
    }

    /// Notes the files that are looked for as style sheets.
    package func set(reads: FileReads?) -> MarkupParserBuilder {
        with { $0.sheets.reads = reads }
    }

    /// The viewport of most renderings to come: styles for it are resolved at once, those for others when they are
    /// asked for.
    package func set(viewport: Viewport, scale: Float = 1) -> MarkupParserBuilder {
        with {
            $0.styles.media.resolution = Double(scale)
            $0.styles.media.width = Double(viewport.width)
            $0.styles.media.height = Double(viewport.height)
        }
    }

    /// The parser. Its style sheets are parsed here. O(style sheets).
    public func build() -> MarkupParser {
        var styles = styles
        styles.limits = syntax.limits
        if let load = sheets.loader(limit: syntax.limits.inputBytes) {
            styles.importLoader = load
            styles.fetchesSheets = sheets.allowsNetwork
        }
        return MarkupParser(
            syntax: syntax, resolver: MarkupStyleResolver(options: styles), tableForm: tableForm,
            imageLoader: imageLoader)
    }

    /// A name as a CSS identifier: everything but letters, digits, `-` and `_` becomes a hexadecimal escape (CSSOM §2.1).
    private static func escaped(_ name: String) -> String {
        var result = ""
        for (index, scalar) in name.unicodeScalars.enumerated() {
            let isDigit = ("0"..."9").contains(scalar)
            let isPlain =
                scalar.value >= 0x80 || scalar.properties.isAlphabetic || isDigit || scalar == "-" || scalar == "_"
            if isPlain, !(index == 0 && isDigit) {
                result.unicodeScalars.append(scalar)
            } else {
                result += "\\" + String(scalar.value, radix: 16) + " "
            }
        }
        return result
    }

    private func with(_ change: (inout MarkupParserBuilder) -> Void) -> MarkupParserBuilder {
        var copy = self
        change(&copy)
        return copy
    }
}
