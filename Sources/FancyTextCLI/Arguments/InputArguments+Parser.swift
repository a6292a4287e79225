// Makes the parser that a command's arguments describe.
//
// In: the options for inputs and styles, and the settings of the command. Out: a parser, or an error about a style sheet.

import ArgumentParser
import FancyText
import FancyTextPlatform

extension InputArguments {
    /// The parser for inputs with style sheets.
    ///
    /// - Parameter configure: adds the command's own settings.
    func makeParser(
        _ styles: StyleArguments, _ configure: (inout MarkupParserBuilder) throws -> Void
    ) throws -> MarkupParser {
        let limits = try limits
        var builder = MarkupParserBuilder.default()
            .set(limits: limits)
            .set(decodesEntities: try decodesEntities)
            .set(encoding: try checkedEncoding)
            .set(fetchesStyleSheets: allowNet, hosts: Set(allowHost))
            .set(policy: try styles.policy.choice() ?? .html)
            .set(dialect: try styles.dialect.choice() ?? .automatic)
            .set(colorScheme: try styles.colorScheme.choice() ?? .light)
        if !safety.untrusted {
            builder = builder.set(styleSheetFolder: baseDir.text.map(StyleSheetFolder.below) ?? .ofDocument)
        }
        try configure(&builder)
        for file in styles.css {
            if file.contains("{"), access(file, R_OK) != 0 {
                throw ValidationError("--css needs the name of a file, not '\(file)': --style takes rules.")
            }
            let bytes = try FileAccess.read(file, limit: limits.inputBytes)
            try bytes.withUnsafeBytes {
                try ForeignInput.check($0, named: file, encoding: nil, expected: "a style sheet")
            }
            builder = builder.add(css: bytes, name: file)
        }
        for rules in styles.style where !rules.contains("{") && rules.contains(":") && !rules.hasPrefix("@") {
            throw ValidationError(
                "--style needs rules, as in 'p{\(rules)}'; for all of the text use --root-style '\(rules)'.")
        }
        for (index, rules) in styles.style.enumerated() {
            builder = builder.add(css: rules, name: styles.style.count > 1 ? "--style \(index + 1)" : "--style")
        }
        if let rules = styles.rootStyle.text, rules.contains("{") {
            throw ValidationError("--root-style needs declarations, not '\(rules)': --style takes rules.")
        }
        if let rootStyle = styles.rootStyle.text { builder = builder.set(rootStyle: rootStyle, name: "--root-style") }
        return builder.build()
    }
}

extension MarkupParserBuilder {
    /// Sets the screen or paper of most renderings.
    ///
    /// - Parameter scale: device pixels per CSS pixel.
    mutating func setMedia(_ viewport: Viewport, _ medium: Medium = .screen, scale: Float = 1) {
        styles.media.type = medium.rawValue
        styles.media.resolution = Double(scale)
        (styles.media.width, styles.media.height) = (Double(viewport.width), Double(viewport.height))
    }
}

extension Viewport {
    /// The viewport of media queries if only text is needed: that of a desktop page, not of a phone.
    static let screen = Viewport(width: 1280, height: 800)
}
