// Makes the parser that a command's arguments describe.

import ArgumentParser
import FancyTextBasics
import FancyText

struct ParserFactory {
    var input: InputArguments
    var styles: StyleArguments
    /// Adds a command's own settings.
    var extend: (MarkupParserBuilder) throws -> MarkupParserBuilder = { $0 }
    var maxPixels: Int? = nil
    var maxImagePixels: Int? = nil
    /// The viewport of most renderings.
    var viewport: Viewport? = nil
    /// The medium of most renderings.
    var medium = Medium.screen
    /// Device pixels per CSS pixel.
    var scale: Float = 1
    /// True to parse every input as a page, as browsers do.
    var readsPages = false
    var isXML = false
    /// False to parse as a browser without scripts does.
    var isScripting = true
    var readsTextOnly = false

    /// Records the style sheets that documents name.
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
            .set(readsPages: readsPages, keepsDepth: input.maxDepth.isGiven)
            .set(dropsComments: readsTextOnly)
            .set(policy: try styles.policy.choice() ?? .html)
            .set(dialect: try styles.dialect.choice() ?? .automatic)
            .set(colorScheme: try styles.colorScheme.choice() ?? .light)
        if !input.safety.untrusted {
            builder = builder.set(styleSheetFolder: input.baseDir.text.map(StyleSheetFolder.below) ?? .ofDocument)
        }
        builder = try extend(builder)
        for file in styles.css {
            let bytes = try FileAccess.read(file, limit: limits.inputBytes)
            try bytes.withUnsafeBytes {
                try ForeignInput.check($0, named: file, encoding: nil, expected: "a style sheet")
            }
            builder = builder.add(css: String(decoding: bytes, as: UTF8.self), name: file)
        }
        for rules in styles.style where !rules.contains("{") && rules.contains(":") && !rules.hasPrefix("@") {
            throw ValidationError(
                "--style needs rules, as in 'p{\(rules)}'; for all of the text use --root-style '\(rules)'.")
        }
        for (index, rules) in styles.style.enumerated() {
            builder = builder.add(css: rules, name: styles.style.count > 1 ? "--style \(index + 1)" : "--style")
        }
        if let rootStyle = styles.rootStyle.text { builder = builder.set(rootStyle: rootStyle, name: "--root-style") }
        builder.syntax.isScripting = isScripting
        builder.syntax.isXML = isXML
        builder.styles.readsTextOnly = readsTextOnly
        if let viewport {
            builder.styles.media.type = medium.rawValue
            builder.styles.media.resolution = Double(scale)
            (builder.styles.media.width, builder.styles.media.height) = (
                Double(viewport.width), Double(viewport.height)
            )
        }
        return builder.build()
    }
}

extension Viewport {
    /// The viewport of media queries if only text is needed: that of a desktop page, not of a phone.
    static let screen = Viewport(width: 1280, height: 800)
}
