// A parser and its builder: how HTML is read and what styles apply, decided once.

import MarkupStyling
import MarkupSyntax

/// Whether inline styles of the HTML or the styles given in code win where both speak.
public typealias StylePolicy = StyleOptions.Policy
/// What `prefers-color-scheme` answers.
public typealias ColorScheme = StyleOptions.ColorScheme

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
    package let resolver: StyleResolver
    /// What was wrong with the style sheets given to the builder.
    public let diagnostics: DiagnosticLog

    /// A parser with the default style sheet and nothing else.
    public init() { self = MarkupParserBuilder.default().build() }

    package init(syntax: SyntaxOptions, resolver: StyleResolver, diagnostics: DiagnosticLog) {
        self.syntax = syntax
        self.resolver = resolver
        self.diagnostics = diagnostics
    }

    /// Parses `html`; never fails: what is wrong with it is repaired and told in ``Document/diagnostics``. O(n).
    public func parse(_ html: String) -> Document {
        parse(Array(html.utf8), name: "<string>", encoding: "utf-8")
    }

    /// Parses bytes in the encoding that they, `encoding` or their `<meta charset>` tell.
    ///
    /// - Parameter name: What diagnostics call the text.
    public func parse(_ bytes: [UInt8], name: String, encoding: String? = nil) -> Document {
        var options = syntax
        options.sourceName = name
        if let encoding { options.encoding = encoding }
        var log = DiagnosticLog()
        let tree = MarkupTree.parse(bytes, options: options, log: &log)
        return Document(tree: tree, parser: self, diagnostics: log)
    }

    /// The text of `html` with nothing between its text nodes: the tags stripped. O(n).
    public func strip(_ html: String) -> String { parse(html).rawText }

    /// The elements that a CSS selector matches, as HTML, in document order.
    ///
    /// - Throws: ``SelectorError`` when the selector is not one.
    public func select(_ html: String, _ selector: String) throws(SelectorError) -> [String] {
        let document = parse(html)
        return try document.select(selector).map { document.html(of: $0) }
    }
}

/// Collects what a parser shall know; each `add` and `set` returns the extended builder.
public struct MarkupParserBuilder: Sendable {
    package var syntax = SyntaxOptions()
    package var styles = StyleOptions()

    /// The default style sheet (HTML's suggested rendering) and policy.
    public static func `default`() -> MarkupParserBuilder { MarkupParserBuilder() }

    public init() {}

    /// A custom tag, or more style for a known one; `<style>`, style sheets and inline styles win over it.
    public func add(_ tag: String, style: MarkupStyle) -> MarkupParserBuilder {
        with { $0.styles.customTagStyles.append((tag: tag, style: style)) }
    }

    /// A custom style attribute: `style` gives the declarations that the attribute's value stands for.
    public func add(
        styleAttribute name: String, style: @escaping @Sendable (_ value: String) -> MarkupStyle?
    ) -> MarkupParserBuilder {
        with { $0.styles.customAttributes.append((name: name, style: style)) }
    }

    /// Style for elements of a class.
    public func add(class name: String, style: MarkupStyle) -> MarkupParserBuilder {
        with { $0.styles.classStyles.append((name: name, style: style)) }
    }

    /// Style for the element with an id.
    public func add(id: String, style: MarkupStyle) -> MarkupParserBuilder {
        with { $0.styles.idStyles.append((name: id, style: style)) }
    }

    /// A style sheet's text.
    ///
    /// - Parameter name: What diagnostics call it.
    public func add(css: String, name: String = "--style") -> MarkupParserBuilder {
        with { $0.styles.sheets.append(StyleOptions.Sheet(name: name, text: css)) }
    }

    /// Style of the root: what everything inherits.
    public func set(rootStyle: MarkupStyle) -> MarkupParserBuilder {
        with { $0.styles.rootDeclarations = rootStyle.css }
    }

    /// Style of the root as CSS declarations.
    public func set(rootStyle css: String) -> MarkupParserBuilder {
        with { $0.styles.rootDeclarations = css }
    }

    public func set(policy: StylePolicy) -> MarkupParserBuilder {
        with { $0.styles.policy = policy }
    }

    public func set(colorScheme: ColorScheme) -> MarkupParserBuilder {
        with { $0.styles.colorScheme = colorScheme }
    }

    public func set(limits: Limits) -> MarkupParserBuilder {
        with { $0.syntax.limits = limits }
    }

    /// Whether `&amp;` and the like are decoded; on unless said.
    public func set(decodesEntities: Bool) -> MarkupParserBuilder {
        with { $0.syntax.decodesEntities = decodesEntities }
    }

    public func set(encoding: String?) -> MarkupParserBuilder {
        with { $0.syntax.encoding = encoding }
    }

    /// Gives the text of a style sheet that `@import` names; nil when there is none. Without a loader nothing is read.
    public func set(importLoader: @escaping @Sendable (_ url: String) -> String?) -> MarkupParserBuilder {
        with { $0.styles.importLoader = importLoader }
    }

    /// The viewport that media queries and `vw`/`vh` see, in CSS pixels.
    public func set(viewportWidth: Float, height: Float) -> MarkupParserBuilder {
        with {
            $0.styles.viewportWidth = viewportWidth
            $0.styles.viewportHeight = height
        }
    }

    public func build() -> MarkupParser {
        var log = DiagnosticLog()
        let resolver = StyleResolver(options: styles, log: &log)
        return MarkupParser(syntax: syntax, resolver: resolver, diagnostics: log)
    }

    private func with(_ change: (inout MarkupParserBuilder) -> Void) -> MarkupParserBuilder {
        var copy = self
        change(&copy)
        return copy
    }
}
