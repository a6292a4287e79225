// The property table as documentation: the values of each property, whether it inherits, and the outputs that show it.
//
// In: the table; the page itself, on which the grammars of properties with an effect are written by hand. Out: the page.

import Foundation
import FancyTextMarkup
import FancyTextTestSupport

@testable import FancyTextCSS
@testable import FancyTextStyling

extension PropertyTable {
    /// Which outputs show a property's effect.
    struct Outputs: OptionSet, Sendable {
        let rawValue: UInt8
        static let png = Outputs(rawValue: 1)
        static let ansi = Outputs(rawValue: 2)
        static let json = Outputs(rawValue: 4)
        static let markdown = Outputs(rawValue: 8)
        static let all: Outputs = [.png, .ansi, .json, .markdown]
    }

    /// Outputs by name prefix; the first matching entry applies.
    private static let outputs: [(StaticString, Outputs)] = [
        ("-ft-link", [.ansi, .json, .markdown]), ("-ft-text-effect", [.json]), ("-ft-tightening", [.json]),
        ("-ft-obliqueness", [.png, .ansi, .json]),
        ("text-underline-position", [.png]), ("text-wrap-style", [.png]), ("text-wrap", [.png, .ansi, .json]),
        ("text-align-last", [.png, .ansi]), ("text-align", .all), ("text-overflow", [.png, .json]),
        ("-webkit-text-fill", [.png, .ansi, .json]), ("list-style-image", [.png]), ("hyphens", [.png, .json]),
        ("hyphenate", [.png]), ("line-break", [.png, .ansi, .json]), ("word-break", [.png, .ansi, .json]),
        ("overflow-wrap", [.png]), ("unicode-bidi", [.png]), ("visibility", [.png, .ansi, .json]),
        ("opacity", [.png, .ansi, .json]), ("padding-top", [.png, .ansi]), ("padding-bottom", [.png, .ansi]),
        ("truncate-mode", [.png, .json]), ("line-count", [.png, .json]), ("line-clamp", [.png, .json]),
        ("-webkit-line-clamp", [.png, .json]), ("-webkit-box-orient", .all), ("float", .all),
        ("flex-direction", [.png, .ansi]), ("column-gap", [.png, .ansi]), ("max-width", [.png, .ansi]),
        ("border-top-style", [.png, .ansi]), ("border-right-style", [.png, .ansi]),
        ("border-bottom-style", [.png, .ansi]), ("border-left-style", [.png, .ansi]),
        ("border-top-color", [.png, .ansi]), ("border-right-color", [.png, .ansi]),
        ("border-bottom-color", [.png, .ansi]), ("border-left-color", [.png, .ansi]),
        ("font-weight", .all), ("font-style", .all), ("font-synthesis", [.png]), ("font-size-adjust", [.png]),
        ("font-optical-sizing", [.png]),
        ("font-kerning", [.png]), ("text-spacing-trim", [.png]), ("font-variant-emoji", [.png]),
        ("font", [.png, .json]), ("-ft-lang", [.png, .json]),
        ("direction", [.png, .ansi, .json]), ("color-scheme", [.png, .ansi, .json]),
        ("color", [.png, .ansi, .json]),
        ("background-color", [.png, .ansi, .json]), ("background", [.png]), ("text-decoration-skip", [.png]),
        ("text-decoration-line", .all),
        ("text-decoration-thickness", [.png, .json]), ("text-decoration", [.png, .ansi, .json]),
        ("text-underline", [.png, .json]),
        ("text-transform", .all), ("text-shadow", [.png, .json]),
        ("text-indent", [.png, .ansi, .json]),
        ("text-emphasis", [.png]), ("text-justify", [.png]),
        ("text-fit", [.png]),
        ("letter-spacing", [.png, .json]), ("word-spacing", [.png, .json]), ("line-height", [.png, .json]),
        ("white-space", .all),
        ("-webkit-text", [.png, .json]), ("list-style", .all), ("quotes", .all),
        ("content", .all), ("counter-", .all),
        ("display", .all),
        ("tab-size", [.png, .ansi, .json]), ("margin", [.png, .ansi, .json]), ("padding", [.png, .ansi, .json]),
        ("vertical-align", [.png, .json]),
        ("baseline-shift", [.png, .json]),
        ("-ft-line-background", [.png]), ("-ft-segment", [.png]),
        ("-ft-", [.png, .json]), ("width", [.png, .ansi]), ("caption-side", [.png, .ansi]),
    ]

    static let page = TestPaths.package.appendingPathComponent("Sources/FancyText/FancyText.docc/Properties.md")

    /// The grammars of properties on the page, by name.
    static let grammars: [String: String] = {
        let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
        var grammars: [String: String] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "`", maxSplits: 4).map { String($0) }
            guard parts.count > 3, parts[0] == "| ", parts[2] == " | ", grammars[parts[1]] == nil else { continue }
            grammars[parts[1]] = parts[3].replacing("\\|", with: "|")
        }
        return grammars
    }()

    /// The grammar of a property's values; `…` if it is neither in the table nor on the page.
    static func grammar(of row: Property) -> String { row.syntax ?? grammars[row.name] ?? "…" }

    private static func outputs(of row: Property) -> Outputs {
        if row.effect != .full { return [] }
        let name = row.name.description
        return outputs.first { name.hasPrefix($0.0.description) }?.1 ?? .png
    }

    /// Rows of at-rules. A rule has an effect if a sheet that uses it gives no message.
    private static var atRules: String {
        let examples = [
            ("charset", "\"utf-8\";"), ("container", "(width > 1px) { p { color: red } }"),
            ("counter-style", "x { symbols: 'x' }"),
            ("font-face", "{ font-family: x; src: local(Inter) }"),
            ("font-feature-values", "x { @styleset { y: 1 } }"),
            ("font-palette-values", "--x {}"), ("keyframes", "x { to { color: red } }"),
            ("layer", "x { p { color: red } }"),
            ("media", "(width > 1px) { p { color: red } }"), ("namespace", "x url(y);"), ("page", "{ margin: 1px }"),
            ("position-try", "--x {}"), ("property", "--x { syntax: '*'; inherits: false }"),
            ("scope", "(body) { p { color: red } }"), ("starting-style", "{ p { color: red } }"),
            ("supports", "(color: red) { p { color: red } }"), ("view-transition", "{}"),
        ]
        let own = ["| `@import` | yes, of files below the document's folder, or with `--allow-net` |"]
        let rows = examples.map { name, rest in
            let log = Styled("<body><p>x", css: "@\(name) \(rest)").log
            let note = name == "keyframes" ? "the state after finite animations" : "yes"
            return "| `@\(name)` | \(log.isEmpty ? note : "none: a message") |"
        }
        return (rows + own).sorted().joined(separator: "\n")
    }

    /// Rows of pseudo-classes and pseudo-elements, by the answer of `@supports` and the messages for a rule.
    private static var pseudos: String {
        let classes = [
            "active", "any-link", "autofill", "checked", "default", "defined", "dir(rtl)", "disabled", "empty",
            "enabled",
            "first-child", "first-of-type", "focus", "focus-visible", "focus-within", "fullscreen", "has(b)", "hover",
            "in-range", "indeterminate", "invalid", "is(p)", "lang(en)", "last-child", "last-of-type", "link", "modal",
            "not(b)", "nth-child(2n+1 of p)", "nth-last-child(1)", "nth-last-of-type(1)", "nth-of-type(1)",
            "only-child",
            "only-of-type", "open", "optional", "out-of-range", "placeholder-shown", "popover-open", "read-only",
            "read-write", "required", "root", "scope", "target", "user-invalid", "valid", "visited", "where(p)",
        ].map { ":\($0)" }
        let elements = [
            "after", "backdrop", "before", "file-selector-button", "first-letter", "first-line", "marker",
            "placeholder",
            "selection",
        ].map { "::\($0)" }
        var groups: [(effect: String, names: [String])] = [
            ("yes", []), ("read, without effect", []), ("none: a message", []),
        ]
        for name in classes + elements {
            let isSupported = Styled("<p>x", css: "@supports selector(\(name)) { p { color: red } }").color("x")
                .hasPrefix("255")
            let isKnown = Styled("<p>x", css: "\(name) { color: red }").log.isEmpty
            groups[isSupported ? 0 : isKnown ? 1 : 2].names.append("`\(name)`")
        }
        return groups.filter { !$0.names.isEmpty }.map { "| \($0.names.joined(separator: " ")) | \($0.effect) |" }
            .joined(separator: "\n")
    }

    /// Rows of the elements of HTML, by the `display` of their default style.
    private static var elements: String {
        let others: Set = [
            "annotation", "annotation-xml", "circle", "defs", "desc", "ellipse", "filter", "foreignobject", "g",
            "image",
            "lambda", "line", "marker", "mask", "math", "merror", "metadata", "mfrac", "mi", "mn", "mo", "mover",
            "mpadded", "mphantom", "mroot", "mrow", "ms", "mspace", "msqrt", "mstyle", "msub", "msubsup", "msup",
            "mtable",
            "mtd", "mtext", "mtr", "munder", "munderover", "path", "polygon", "rect", "semantics", "stop", "svg",
            "symbol",
            "text", "textpath", "tspan",
        ]
        let names = TagID.knownNames.dropFirst().map(\.description).filter { !others.contains($0) }
        let groups = Dictionary(grouping: names) { name in
            let css = DefaultStyles.css(TagID.named(Array(name.utf8)) ?? .none, [])
            let display = css.split(separator: ";").first { $0.hasPrefix("display:") }
            return display.map { String($0.dropFirst("display:".count)) } ?? "inline"
        }
        return groups.sorted { $0.key < $1.key }
            .map { "| `\($0.key)` | \($0.value.map { "`\($0)`" }.joined(separator: " ")) |" }.joined(separator: "\n")
    }

    /// A DocC page with one table of properties that have an effect and one of properties that are only checked.
    static var markdown: String {
        func cell(_ text: String) -> String {
            text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
        }
        func mark(_ isSet: Bool) -> String { isSet ? "yes" : "–" }
        var text = """
            # CSS

            Every element, at-rule, pseudo-class and property, with its effect and the outputs that show it.

            ## Elements

            | Default `display` | Elements of HTML |
            |---|---|
            \(elements)

            Unknown elements are inline. What is not said here is as in Chromium.

            | Elements | Difference |
            |---|---|
            | `script` | never runs |
            | `video` `audio` `canvas` | their room, and a video's poster; a message |
            | `iframe` `embed` | their room; a message |
            | `object` | a picture, or its contents; no documents |
            | `input` `select` `textarea` `button` `meter` `progress` | shown as they are before anybody uses them |
            | `marquee` `blink` | at rest |
            | `lambda` | a box that a program fills; browsers do not know it |

            **SVG**: shapes, gradients, patterns, clip paths, masks, markers and filters are those of librsvg. Text and `foreignObject` are
            laid out here, and rules of the page apply to every element. `animate`, `animateTransform`, `animateMotion` and `set` stay at
            their start; `script` never runs.

            **MathML Core** is laid out: `mrow` `mi` `mn` `mo` `ms` `mtext` `mspace` `mfrac` `msqrt` `mroot` `msub` `msup` `msubsup` `munder`
            `mover` `munderover` `mmultiscripts` `mtable` `mtr` `mtd` `mpadded` `mphantom` `mstyle` `merror` `semantics`, of which the
            first child is shown. Operators stretch by the MATH table of the font.

            ## At-rules

            | Rule | Effect |
            |---|---|
            \(atRules)

            ## Selectors

            Selectors of level 4 with nesting: types, classes, ids, attributes with `i` and `s`, combinators, namespaces.
            States of interaction, such as `:hover`, never match.

            | Pseudo-classes and pseudo-elements | Effect |
            |---|---|
            \(pseudos)

            ## Values

            Values are written in CSS's value definition syntax. Every property also takes `inherit`, `initial`, `unset`, `revert`,
            `revert-layer` and values with `var()`. Lengths take all units of CSS Values 4 and the math functions; without a container,
            container units are those of the viewport. Names that begin with `-ft-`, `truncate-mode`, `line-count` and `text-fit` are this
            library's own: attributes of attributed strings for which CSS has no property. Every other name may begin with `-webkit-`.

            A declaration that is invalid or unknown gives a warning with its place. So does one whose effect is missing, where a shown
            element has it. `@supports` answers no for these properties, and yes for those that a still picture has no use for.

            Containers have sizes in outputs that are laid out. In plain text, HTML and Markdown queries for sizes fail. The sizes of
            containers that are nested more than eight deep are not known either.

            ## With effect

            | Property | Values | Inherited | PNG | ANSI | JSON | Markdown |
            |---|---|---|---|---|---|---|

            """
        let rows = shared.rows.filter {
            $0.name.description != "-ft-lang" && !$0.name.description.hasPrefix("@")
                && !$0.name.description.hasPrefix("::")
        }
        .sorted {
            $0.name.description < $1.name.description
        }
        for row in rows where row.effect == .full {
            let name = row.name.description
            switch row.kind {
            case .alias(let target):
                text += "| `\(name)` | another name of `\(target)` | | | | | |\n"
            case .logical(let target):
                text += "| `\(name)` | `\(target)` in horizontal lines from left to right | | | | | |\n"
            case .shorthand(let longhands, _):
                let parts = longhands.isEmpty ? "every property" : longhands.map { "`\($0)`" }.joined(separator: ", ")
                text += "| `\(name)` | `\(cell(grammar(of: row)))`; sets \(parts) | | | | | |\n"
            case .longhand, .ineffective:
                let outputs = outputs(of: row)
                text +=
                    "| `\(name)` | `\(cell(grammar(of: row)))` | \(mark(row.inherited)) | \(mark(outputs.contains(.png))) | \(mark(outputs.contains(.ansi)))"
                text += " | \(mark(outputs.contains(.json))) | \(mark(outputs.contains(.markdown))) |\n"
            }
        }
        text += """

            `text-spacing-trim: space-all` trims nothing; all its other values are `normal`.

            """
        for (effect, title) in [(Property.Effect.missing, "Without effect"), (.none, "Without use in a still picture")]
        {
            text += """

                ## \(title)

                | Property | Values |
                |---|---|

                """
            for row in rows where row.effect == effect { text += "| `\(row.name)` | `\(cell(grammar(of: row)))` |\n" }
        }
        return text
    }
}
