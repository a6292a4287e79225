// The ends of messages about declarations that cannot be read: the name or the value that was probably meant.
//
// In: an unknown name, or the tokens of an invalid value. Out: a question; nothing without a good guess.

import FancyTextBasics

enum DeclarationAdvice {
    static func property(_ name: String) -> String {
        let names = PropertyTable.shared.rows.lazy.map { String($0.name) }
        let nearest = Spelling.nearest(to: name.asciiLowercased(), in: names, most: min(3, name.utf8.count / 2))
        return nearest.map { "; did you mean '\($0)'?" } ?? ""
    }

    /// The value with the first correction that makes it valid.
    static func value(_ range: Range<Int>, of source: CSSSource, _ row: Property, _ context: ValueContext) -> String {
        guard let last = range.last, source.tokens[last].end - source.tokens[range.lowerBound].start <= 60
        else { return "" }
        let corrected = corrections.lazy.compactMap { correction -> String? in
            let parts = range.map { correction(source, $0, range) }
            guard parts.contains(where: { $0 != nil }) else { return nil }
            return zip(range, parts).map { $1 ?? source.text($0..<$0 + 1) }.joined()
        }
        // Hacks for old browsers are no mistakes.
        if source.text(range).contains("\\") { return "" }
        let text =
            corrected.first { isValid($0, row, context) }
            ?? respelt(range, of: source).first { isValid($0, row, context) }
        return text.map { "; did you mean '\($0)'?" } ?? ""
    }

    private static func isValid(_ text: String, _ row: Property, _ context: ValueContext) -> Bool {
        let trial = CSSSource("\(row.name):\(text)")
        var reader = DeclarationReader(trial, context: context)
        reader.read(trial.tokens.indices)
        return !reader.isEmpty
    }

    /// Copies of the value in which the first word that is no keyword is replaced by a similar one, the most similar first.
    private static func respelt(_ value: Range<Int>, of source: CSSSource) -> [String] {
        func words(like index: Int) -> [String] {
            keywords[source.word(of: source.tokens[index]).prefix(1)] ?? []
        }
        let unknown = value.first { index in
            let token = source.tokens[index]
            return (token.kind == .ident || token.kind == .function)
                && !words(like: index).contains(source.word(of: token))
        }
        guard let unknown else { return [] }
        let name = source.word(of: source.tokens[unknown])
        let near = Spelling.near(name, in: words(like: unknown), most: min(2, name.utf8.count / 3))
        return near.prefix(4).map { word in
            let (before, after) = (value.lowerBound..<unknown, unknown + 1..<value.upperBound)
            let isFunction = source.tokens[unknown].kind == .function
            return source.text(before) + word + (isFunction ? "(" : "") + source.text(after)
        }
    }

    /// The text in place of a token of a value; nil if the token stays.
    private typealias Correction = @Sendable (_ source: CSSSource, _ index: Int, _ value: Range<Int>) -> String?

    private static let corrections: [Correction] =
        ["px", "deg", "s"].map { unit -> Correction in
            { source, index, _ in
                let token = source.tokens[index]
                return token.kind == .number && token.number != 0 ? source.text(index..<index + 1) + unit : nil
            }
        } + [
            // A unit after a space, a ratio with a colon, a sum without spaces.
            { source, index, value in
                guard value.contains(index - 1), value.contains(index + 1), source.tokens[index - 1].kind == .number
                else { return nil }
                return source.tokens[index].kind == .whitespace && source.tokens[index + 1].kind == .ident ? "" : nil
            },
            { source, index, _ in source.tokens[index].kind == .colon ? "/" : nil },
            { source, index, value in
                let text = source.text(index..<index + 1)
                guard value.contains(index - 1), numeric.contains(source.tokens[index].kind),
                    "+-".contains(text.prefix(1))
                else { return nil }
                let isApart = source.tokens[index - 1].kind == .whitespace
                return (isApart ? "" : " ") + text.prefix(1) + " " + text.dropFirst()
            },
            { source, index, value in
                guard source.tokens[index].kind == .ident else { return nil }
                if value.contains(index - 1), source.text(index - 1..<index) == "!" { return "important" }
                return replacements[source.word(of: source.tokens[index])]
            },
            { source, index, value in
                let text = source.text(value)
                let isPicture = [".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif"].contains {
                    text.hasSuffix($0)
                }
                guard isPicture, !text.contains(where: { " ()\"',@$<{".contains($0) }) else { return nil }
                return index == value.lowerBound ? "url(\(text))" : ""
            },
        ]

    private static let numeric: [CSSToken.Kind] = [.number, .percentage, .dimension]

    /// Words of other properties and languages, with those that CSS has.
    private static let replacements = [
        "bolded": "bold", "center": "middle", "centre": "center", "lrt": "ltr", "fix": "fixed", "flexbox": "flex",
        "hide": "hidden", "important": "!important", "invisible": "hidden", "italics": "italic", "middle": "center",
        "no-wrap": "nowrap", "underlined": "underline", "uppercased": "uppercase", "lowercased": "lowercase",
        "centered": "center", "centred": "center",
    ]

    /// The keywords and functions of CSS that authors write most, by their first letter: few mistakes are in that.
    private static let keywords = Dictionary(grouping: ColorNames.all + words, by: { $0.prefix(1) })
    private static let words = """
        absolute all-petite-caps all-small-caps alternate auto avoid balance baseline blink block blur bold bolder border-box both \
        bottom break-all break-spaces break-word brightness calc capitalize center circle clamp clip collapse column \
        column-reverse conic-gradient contain content content-box contents contrast cover cubic-bezier currentcolor cursive \
        darken dashed dense difference disc dotted double drop-shadow ease ease-in ease-in-out ease-out ellipse ellipsis end \
        fill fit-content fixed flex flex-end flex-start flow-root forwards grayscale grid groove hidden hsl hsla hue-rotate hyphens inherit initial \
        inline inline-block inline-flex inline-grid inset inside invert italic justify keep-all large larger left lighten lighter \
        line-through linear linear-gradient list-item local lower-alpha lower-roman lowercase ltr luminosity matrix max max-content \
        medium middle min min-content minmax monospace multiply no-repeat none normal nowrap oblique opacity outset outside overlay \
        overline padding-box pre pre-line pre-wrap pretty progress radial-gradient relative repeat repeat-x repeat-y repeating-linear-gradient \
        reverse revert rgb rgba ridge right rotate round row row-reverse rtl saturate sans-serif scale scale-down screen scroll \
        separate sepia serif skew small small-caps smaller soft-light solid space space-around space-between space-evenly square \
        start static sticky stretch sub subgrid super system-ui table table-cell table-row text-bottom text-top thick thin top \
        translate translatex translatey transparent underline unset upper-alpha upper-roman uppercase url var vertical vertical-lr vertical-rl \
        visible wavy wrap wrap-reverse
        """.split(separator: " ").map(String.init)
}
