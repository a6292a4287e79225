// A parser and its builder: how HTML is read and what styles apply, decided once.

import FancyTextImages
import FancyTextMarkup

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
    let tableForm: TableForm
    let imageLoader: (@Sendable (_ source: String) -> [UInt8]?)?
    let codeMarks: CodeMarks
    /// True if the sources are HTML that was made from Markdown.
    private(set) var readsMarkdown = false

    /// The attributes of links: their default style, merged with the style added for `a` and the root's.
    public var linkTextAttributes: MarkupStyle { render("<a href=\"#\">a</a>").runs.first?.style ?? MarkupStyle() }

    /// The errors and warnings about the style sheets given to the builder.
    public var diagnostics: DiagnosticLog { resolver.diagnostics }

    /// Parses `html`. Parsing never fails: errors are repaired and reported in ``Document/diagnostics``. O(n).
    ///
    /// Parsing stops after ``Limits/seconds``, or when its task is cancelled. The rest of the document is then missing,
    /// ``Document/diagnostics`` has an error, and renderers throw.
    public func parse(_ html: String) -> Document { parse(Array(html.utf8), name: "<string>", encoding: "utf-8") }

    /// Parses bytes in the encoding given by a byte order mark, `encoding` or `<meta charset>`, in this order.
    ///
    /// - Parameters:
    ///   - bytes: The text, in any encoding that `encoding` or the text names.
    ///   - name: The name of the text in diagnostics.
    ///   - encoding: A label of WHATWG Encoding §4.2; nil reads the text's own.
    public func parse(_ bytes: [UInt8], name: String, encoding: String? = nil) -> Document {
        parse(SourceBytes(bytes), name: name, encoding: encoding)
    }

    package func parse(
        _ source: SourceBytes, name: String, encoding: String? = nil, origin: DerivedText? = nil
    ) -> Document {
        let seconds = syntax.limits.seconds
        return WorkClock.run(seconds: seconds) { clock in
            var document = read(source, name: name, encoding: encoding, origin: origin)
            if let stop = clock.stop {
                document.stop = stop
                document.diagnostics.report(Diagnostic(stop, seconds: seconds))
            }
            return document
        }
    }

    func read(_ html: String) -> Document { read(SourceBytes(Array(html.utf8)), name: "<string>", encoding: "utf-8") }

    /// Parses all of a source without a time limit, for callers that could not detect a missing part.
    func read(_ source: SourceBytes, name: String, encoding: String? = nil, origin: DerivedText? = nil) -> Document {
        var log = DiagnosticLog()
        var options = syntaxOptions(name, encoding)
        options.origin = origin
        let tree = MarkupTree.parse(source, options: options, log: &log)
        return Document(tree: tree, parser: self, diagnostics: log)
    }

    /// The text of a source as UTF-8, decoded from the given encoding or the parser's.
    package func text(of source: SourceBytes, name: String, encoding: String? = nil, log: inout DiagnosticLog)
        -> [UInt8]
    { Array(MarkupTree.readable(source, options: syntaxOptions(name, encoding), log: &log).buffer) }

    private func syntaxOptions(_ name: String, _ encoding: String?) -> SyntaxOptions {
        var options = syntax
        options.sourceName = name
        if let encoding { options.encoding = encoding }
        return options
    }

    package func plainText(
        of source: SourceBytes, name: String, encoding: String? = nil, origin: DerivedText? = nil,
        options: PlainTextOptions
    ) -> (text: [UInt8], diagnostics: DiagnosticLog) {
        // Only the document holds the tree, so changes copy nothing.
        var document = parse(source, name: name, encoding: encoding, origin: origin)
        let options = document.edit(by: options)
        if options.mode == .readable || options.mode == .speech { PlainText.open(&document.tree) }
        let text = document.readText(options)
        return (text, document.diagnostics)
    }

    /// The text of `html` without tags: the concatenated contents of its text nodes. O(n).
    public func strip(_ html: String) -> String {
        let (source, options) = (SourceBytes(Array(html.utf8)), PlainTextOptions(mode: .raw))
        return String(
            decoding: plainText(of: source, name: "<string>", encoding: "utf-8", options: options).text, as: UTF8.self)
    }

    /// The elements that a CSS selector matches, as HTML, in document order.
    ///
    /// - Throws: ``SelectorError`` if the selector is invalid.
    public func select(in html: String, matching selector: String) throws(SelectorError) -> [String] {
        let document = read(html)
        return document.matches(of: try SelectorQuery(selector)).map { document.tree.outerHTML($0) }
    }

    /// ``select(in:matching:)-(String,_)`` in short.
    ///
    /// - Throws: ``SelectorError`` if the selector is invalid.
    public func select(_ html: String, _ selector: String) throws(SelectorError) -> [String] {
        try select(in: html, matching: selector)
    }

    package var forMarkdown: MarkupParser {
        var parser = self
        parser.readsMarkdown = true
        return parser
    }
}

/// The folder that style sheets of a document or sheet must be in.
public enum StyleSheetFolder: Hashable, Sendable {
    /// Below the folder of the document or sheet that names them.
    case ofDocument
    /// Below this folder. Names are relative to the file that contains them, or else to the folder.
    case below(String)
}

/// The value of `prefers-color-scheme`.
public enum ColorScheme: String, CaseIterable, Sendable {
    case light, dark
}

/// Builds a parser: its tags, styles, policies and limits. Each `add` and `set` returns the extended builder.
public struct MarkupParserBuilder: Sendable {
    package var syntax = SyntaxOptions()
    package var styles = StyleOptions()
    var tableForm = TableForm.tabs
    private var preset: (preset: Preset, accent: Color?)?
    private var codeMarks = CodeMarks()
    private var imageLoader: (@Sendable (_ source: String) -> [UInt8]?)?
    private var sheets = StyleSheetLoader()

    /// All tags and style attributes, with the default style sheet (HTML's suggested rendering).
    public static func `default`() -> MarkupParserBuilder {
        MarkupParserBuilder().with {
            $0.syntax.allowedTags = nil
            $0.styles.allowedStyleAttributes = nil
        }
    }

    /// An allowlist: only the added tags and style attributes are read.
    ///
    /// Other elements are replaced by their text; scripts, style sheets, metadata and embedded content are removed with their
    /// contents. Other declarations in `style` attributes are ignored. A document's own style sheets are read if `style` or
    /// `link` is added.
    ///
    /// ```swift
    /// let parser = MarkupParserBuilder().add("b").add("a").add(styleAttribute: "color").build()
    /// ```
    public init() {
        syntax.allowedTags = TagWhitelist()
        syntax.isScripting = true
        styles.allowedStyleAttributes = []
    }

    /// Adds a tag, with a style in addition to its default, or, for a custom tag, its whole style. Replaces the style added for
    /// the tag before.
    ///
    /// `<style>`, style sheets and inline styles win over it, unless the policy is ``StylePolicy/code``.
    public func add(_ tag: String, style: MarkupStyle = MarkupStyle()) -> MarkupParserBuilder {
        with {
            $0.syntax.allowedTags?.insert(tag)
            $0.styles.customTags[tag.lowercased()] = style.css
        }
    }

    /// Allows a CSS property in `style` attributes; ``default()`` allows all.
    public func add(styleAttribute name: String) -> MarkupParserBuilder {
        with { _ = $0.styles.allowedStyleAttributes?.insert(name.lowercased()) }
    }

    /// Adds a custom style attribute: `style` returns the style of a value, or nil if the value is unknown.
    ///
    /// It applies as an attribute of elements (`<b glow="red">`) and as a declaration in a `style` attribute (`<b style="glow:
    /// red">`). There it may also replace a CSS property of that name.
    public func add(
        styleAttribute name: String, style: @escaping @Sendable (_ value: String) -> MarkupStyle?
    ) -> MarkupParserBuilder {
        with { $0.styles.customAttributes[name.lowercased()] = { style($0)?.css } }
    }

    /// Adds a style for elements of a class. Replaces the style added for it before.
    public func add(class name: String, style: MarkupStyle) -> MarkupParserBuilder {
        add(style.css, for: ".\(Self.escaped(name))", name: "class \(name)")
    }

    /// Adds a style for the element with an id. Replaces the style added for it before.
    public func add(id: String, style: MarkupStyle) -> MarkupParserBuilder {
        add(style.css, for: "#\(Self.escaped(id))", name: "id \(id)")
    }

    /// Replaces the sheet of a selector.
    private func add(_ css: String?, for selector: String, name: String) -> MarkupParserBuilder {
        with {
            $0.styles.sheets.removeAll { $0.subject == selector }
            guard let css else { return }
            let text = Array("\(selector) { \(css) }".utf8)
            $0.styles.sheets.append(StyleOptions.Sheet(name: name, text: text, subject: selector))
        }
    }

    /// Adds the text of a style sheet, which diagnostics call `name`.
    public func add(css: String, name: String = "style sheet") -> MarkupParserBuilder {
        add(css: Array(css.utf8), name: name)
    }

    /// Adds the bytes of a style sheet file; invalid UTF-8 is reported.
    package func add(css: [UInt8], name: String) -> MarkupParserBuilder {
        with { $0.styles.sheets.append(StyleOptions.Sheet(name: name, text: css)) }
    }

    /// Sets a ready-made look, which is weaker than the styles of documents and than added style sheets. Without a preset,
    /// pictures of Markdown have ``Preset/document``.
    ///
    /// - Parameters:
    ///   - preset: The look.
    ///   - accent: The look's main colour; nil is its own.
    public func set(preset: Preset, accent: Color? = nil) -> MarkupParserBuilder {
        with { $0.preset = (preset, accent) }
    }

    /// Sets the colours of source code in pictures, SVG and PDF, where a class such as `language-swift` names a language that is
    /// known, and whether its lines are numbered. The author's own marks are kept.
    public func set(highlight theme: CodeTheme, numbersLines: Bool = false) -> MarkupParserBuilder {
        with { $0.codeMarks = CodeMarks(theme: theme, numbersLines: numbersLines) }
    }

    /// Sets the style of the root, which everything inherits.
    public func set(rootStyle: MarkupStyle) -> MarkupParserBuilder { with { $0.styles.rootStyle = rootStyle.css } }

    /// Sets the style of the root as CSS declarations, which diagnostics call `name`.
    public func set(rootStyle css: String, name: String = "root style") -> MarkupParserBuilder {
        with {
            $0.styles.rootStyle = css
            $0.styles.rootStyleName = name
        }
    }

    /// Sets whether `<a>` elements without `href` look like links, as in ZMarkupParser; by default they look like the text around
    /// them, as in browsers.
    public func set(showsAnchorsAsLinks: Bool) -> MarkupParserBuilder {
        let css = showsAnchorsAsLinks ? "color: LinkText; text-decoration: underline" : nil
        return add(css, for: "a:not([href])", name: "anchors")
    }

    /// Sets whether the document's styles win or those given in code.
    public func set(policy: StylePolicy) -> MarkupParserBuilder { with { $0.styles.policy = policy } }

    /// Sets how the cells of tables are separated in ``StyledText``; the default is tabs.
    public func set(tables: TableForm) -> MarkupParserBuilder { with { $0.tableForm = tables } }

    /// Sets the dialect of style sheets, for values that differ between CSS and GSFancyText; by default each sheet is detected.
    public func set(dialect: StyleSheetDialect) -> MarkupParserBuilder { with { $0.styles.dialect = dialect } }

    /// Sets the value of `prefers-color-scheme` (Media Queries 5 §11.5).
    public func set(colorScheme: ColorScheme) -> MarkupParserBuilder {
        with { $0.styles.media.prefersDark = colorScheme == .dark }
    }

    /// Sets the limits on the time and memory of parsing and rendering.
    public func set(limits: Limits) -> MarkupParserBuilder { with { $0.syntax.limits = limits } }

    /// Sets whether character references such as `&amp;` are decoded; the default is true.
    public func set(decodesEntities: Bool) -> MarkupParserBuilder {
        with { $0.syntax.decodesEntities = decodesEntities }
    }

    /// Sets whether every input becomes a page as in a browser, with html, head and body. By default fragments stay fragments. In
    /// a fragment, text that only looks like a tag stays text; in a page it is an element.
    ///
    /// With `keepsDepth`, deeply nested elements keep their depth. Browsers make siblings of elements with more than 512 ancestors.
    public func set(readsPages: Bool, keepsDepth: Bool = false) -> MarkupParserBuilder {
        with {
            $0.syntax.isAlwaysDocument = readsPages
            $0.syntax.siblingDepth = readsPages && !keepsDepth ? 512 : nil
        }
    }

    /// Sets whether comments are left out of the tree; by default they are kept.
    public func set(dropsComments: Bool) -> MarkupParserBuilder { with { $0.syntax.dropsComments = dropsComments } }

    /// Sets the encoding of all inputs by its label (WHATWG Encoding §4.2); nil detects it.
    public func set(encoding: String?) -> MarkupParserBuilder { with { $0.syntax.encoding = encoding } }

    /// Sets the loader of style sheets that `@import` names; it returns nil if there is no such sheet. Without a loader no sheet
    /// is read.
    public func set(importLoader: @escaping @Sendable (_ url: String) -> String?) -> MarkupParserBuilder {
        with {
            $0.sheets = StyleSheetLoader()
            $0.styles.importLoader = { _ in
                { url, _ in
                    importLoader(url).map { .success((Array($0.utf8), url)) }
                        ?? .failure(SheetFailure("there is no such sheet"))
                }
            }
        }
    }

    /// Sets the loader of images (PNG, JPEG, WebP, AVIF, GIF, SVG), which gets their sources as written in the document. If it returns
    /// nil, ``RenderOptions`` is used. It is called once for each source of a rendering, on the task that renders.
    ///
    /// ``Document/loadImages(with:)`` is the form for asynchronous loaders.
    public func set(imageLoader: @escaping @Sendable (_ source: String) -> [UInt8]?) -> MarkupParserBuilder {
        with { $0.imageLoader = imageLoader }
    }

    /// Reads the style sheets that `@import` and `<link>` name from files below a folder. Symbolic links that lead out of it are
    /// not followed.
    public func set(styleSheetFolder folder: StyleSheetFolder) -> MarkupParserBuilder {
        with { $0.sheets.folder = folder }
    }

    /// Fetches the style sheets of http and https URLs from hosts with public addresses. It waits up to 10 s for each and 20 s
    /// for all of a document, and needs libcurl. Requests and bytes count as ``Budget/requests`` and ``Budget/fetchedBytes``.
    /// Hosts that `hosts` names are allowed regardless of their addresses.
    public func set(fetchesStyleSheets isAllowed: Bool, hosts: Set<String> = []) -> MarkupParserBuilder {
        with { $0.sheets.network = NetworkAccess(allowsPublicHosts: isAllowed, hosts: hosts) }
    }

    /// Records the files that are looked up as style sheets.
    package func set(reads: FileReads?) -> MarkupParserBuilder { with { $0.sheets.reads = reads } }

    /// Tables of Markdown on terminals: a rule under the heads.
    private static let cellSheet = "table { border-collapse: collapse } thead { border-bottom: 1px solid }"

    /// An SVG file is the whole page.
    private static let drawingSheet = "body { margin: 0 } svg { display: block }"

    /// Builds the parser; style sheets are parsed here. O(style sheets).
    public func build() -> MarkupParser {
        var styles = styles
        styles.limits = syntax.limits
        if let load = sheets.loader(limit: syntax.limits.inputBytes) {
            styles.importLoader = load
            styles.fetchesSheets = sheets.allowsNetwork
        }
        let look = preset ?? (.document, nil)
        var sheet = StyleOptions.Sheet(name: "--preset", text: look.preset.css(accent: look.accent), origin: .preset)
        var cells = StyleOptions.Sheet(name: "", text: Self.cellSheet, origin: .preset)
        cells.contents = .markdownCells
        var drawing = StyleOptions.Sheet(name: "", text: Self.drawingSheet, origin: .preset)
        drawing.contents = .drawing
        if preset == nil { sheet.contents = .markdown }
        styles.sheets = (preset == nil ? [sheet, cells, drawing] : [sheet]) + codeMarks.sheets + styles.sheets
        return MarkupParser(
            syntax: syntax, resolver: MarkupStyleResolver(options: styles), tableForm: tableForm,
            imageLoader: imageLoader, codeMarks: codeMarks)
    }

    /// A name as a CSS identifier: everything but letters, digits, `-` and `_` becomes a hexadecimal escape (CSSOM §2.1).
    private static func escaped(_ name: String) -> String {
        var isFirst = true
        return name.escaped { scalar in
            defer { isFirst = false }
            let isPlain =
                scalar.value >= 0x80 || scalar.properties.isAlphabetic || scalar == "-" || scalar == "_"
                || (!isFirst && ("0"..."9").contains(scalar))
            return isPlain ? nil : CSSWriter.escape(scalar)
        }
    }

    private func with(_ change: (inout MarkupParserBuilder) -> Void) -> MarkupParserBuilder {
        var copy = self
        change(&copy)
        return copy
    }
}
