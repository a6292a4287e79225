// The parser that the arguments of a command describe.

import ArgumentParser
import FancyTextBasics
import FancyText

struct ParserFactory {
    var input: InputArguments
    var styles: StyleArguments
    /// A style sheet below the person's own.
    var preset: String? = nil
    var maxPixels: Int? = nil
    var maxImagePixels: Int? = nil
    /// What most renderings will be for.
    var viewport: Viewport? = nil
    /// Device pixels a CSS pixel.
    var scale: Float = 1
    /// Read as a browser reads a page, whatever is there.
    var readsPages = false
    var isXML = false
    /// The tree as parsers see it that run no scripts.
    var isScripting = true
    /// Only the text is wanted.
    var readsTextOnly = false

    /// Notes the style sheets that documents name.
    var reads: FileReads? = nil

    func makeParser() throws -> MarkupParser {
        var limits = try input.limits
        if let maxPixels { limits.pixels = max(1, maxPixels) }
        if let maxImagePixels { limits.imagePixels = max(1, maxImagePixels) }
        var builder = MarkupParserBuilder.default()
            .set(limits: limits)
            .set(decodesEntities: try input.decodesEntities)
            .set(encoding: try input.checkedEncoding)
            .set(fetchesStyleSheets: input.allowNet, hosts: Set(input.allowHost))
            .set(reads: reads)
            .set(readsPages: readsPages, keepsDepth: input.maxDepth != nil)
            .set(dropsComments: readsTextOnly)
            .set(readsTextOnly: readsTextOnly)
            .set(isScripting: isScripting)
            .set(isXML: isXML)
            .set(policy: try OptionText("--policy", styles.policy).choice() ?? .html)
            .set(dialect: try OptionText("--dialect", styles.dialect).choice() ?? .automatic)
            .set(colorScheme: try OptionText("--color-scheme", styles.colorScheme).choice() ?? .light)
        if !input.safety.untrusted {
            builder = builder.set(styleSheetFolder: input.baseDir.map(StyleSheetFolder.below) ?? .ofDocument)
        }
        if let preset { builder = builder.add(css: preset, name: "--preset") }
        for file in styles.css {
            let bytes = try FileAccess.read(file, limit: limits.inputBytes)
            builder = builder.add(css: String(decoding: bytes, as: UTF8.self), name: file)
        }
        for rules in styles.style where !rules.contains("{") && rules.contains(":") && !rules.hasPrefix("@") {
            throw ValidationError(
                "--style needs rules, as in 'p{\(rules)}'; for all of the text use --root-style '\(rules)'.")
        }
        for rules in styles.style { builder = builder.add(css: rules, name: "--style") }
        if let rootStyle = styles.rootStyle { builder = builder.set(rootStyle: rootStyle, name: "--root-style") }
        if let viewport { builder = builder.set(viewport: viewport, scale: scale) }
        return builder.build()
    }
}

extension Viewport {
    /// What media queries are answered for where only text is wanted: that of the page that most people see, not of the
    /// one for telephones.
    static let screen = Viewport(width: 1280, height: 800)
}
