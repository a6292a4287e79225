// Runs as HTML: tags, attributes and text.

extension StyledTextWriter {
    /// Writes runs into an element with a style; the runs of one link share one `a`.
    mutating func write(_ runs: [StyledText.Run], in style: MarkupStyle, names: Names) {
        var index = 0
        while index < runs.count {
            let run = runs[index]
            guard let link = run.style.link, link != style.link else {
                write(run, in: style, names: names, isInLink: false)
                index += 1
                continue
            }
            var end = index
            var lead: StyledText.Run?
            while end < runs.count, runs[end].style.link == link, haveOneLine(runs[end].style, run.style) {
                if runs[end].tag == "a" {
                    if let lead, Names(lead) != Names(runs[end]) { break }
                    lead = lead ?? runs[end]
                }
                end += 1
            }
            var inner = style
            inner.link = link
            if let lead { inner = lead.style }
            // The link comes from the element, not from the style.
            var outer = style
            outer.link = link
            let css = "all:unset;" + StyleDeclarations.inline(inner, in: outer)
            open("a", lead.map { Names($0) }, attribute("href", link), css)
            for run in runs[index..<end] { write(run, in: inner, names: lead.map { Names($0) }, isInLink: true) }
            html += "</a>"
            index = end
        }
    }

    func haveOneLine(_ first: MarkupStyle, _ second: MarkupStyle) -> Bool {
        first.underlineStyle == second.underlineStyle && first.underlineColor == second.underlineColor
            && first.strikethroughStyle == second.strikethroughStyle
            && first.strikethroughColor == second.strikethroughColor
            && first.backgroundColor == second.backgroundColor && first.baselineOffset == second.baselineOffset
    }

    mutating func write(_ run: StyledText.Run, in style: MarkupStyle, names: Names?, isInLink: Bool) {
        if let attachment = run.style.attachment, text.text(of: run) == "\u{FFFC}" {
            return writePicture(run, attachment, in: style)
        }
        let css = StyleDeclarations.inline(run.style, in: style)
        if css.isEmpty, names == Names(run) || run.tag == nil { return html += escaped(text.text(of: run)) }
        let tag = inlineTag(run.tag, inBlock: names?.tag, isInLink: isInLink)
        // The quotation marks of a quote are in the text.
        let quotes = tag == "q" ? "quotes:none" : ""
        open(tag, tag == run.tag ? Names(run) : nil, "", tag == "span" ? "" : "all:unset", css, quotes)
        html += "\(escaped(text.text(of: run)))</\(tag)>"
    }

    mutating func writePicture(_ run: StyledText.Run, _ source: String, in style: MarkupStyle) {
        let isLambda = run.tag == "lambda"
        var names = Names(run)
        if isLambda { names.id = source }
        var css = MarkupStyle()
        (css.attachmentWidth, css.attachmentHeight) = (run.style.attachmentWidth, run.style.attachmentHeight)
        let address = isLambda ? "" : attribute("src", source)
        open(isLambda ? "lambda" : "img", names, address, css.css, StyleDeclarations.inline(run.style, in: style))
        if isLambda { html += "</lambda>" }
    }

    /// Writes a start tag with attributes, and with declarations, of which some may be empty.
    mutating func open(_ tag: String, _ names: Names?, _ attributes: String, _ declarations: String...) {
        let css = declarations.filter { !$0.isEmpty }.joined(separator: ";")
        html += "<\(tag)\(attribute("id", names?.id))\(attribute("class", names?.classes))\(attributes)"
        html += attribute("style", css.isEmpty ? nil : css) + ">"
    }

    func attribute(_ name: String, _ value: String?) -> String {
        value.map { " \(name)=\"\(escaped($0[...], isAttribute: true))\"" } ?? ""
    }

    private func escaped(_ text: Substring, isAttribute: Bool = false) -> String {
        text.escaped { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": isAttribute ? "&quot;" : nil
            case "\n": isAttribute ? "&#10;" : "<br>"
            case "\r": "&#13;"
            // An inline box whose contents follow, or a picture without a name.
            case "\u{FFFC}": isAttribute ? nil : ""
            default: nil
            }
        }
    }

    func blockTag(_ tag: String?) -> String {
        guard let tag, !Self.bound.contains(tag), Self.isName(tag) else { return "div" }
        return tag
    }

    func inlineTag(_ tag: String?, inBlock block: String?, isInLink: Bool) -> String {
        guard let tag, !Self.bound.contains(tag), Self.isName(tag), !(isInLink && tag == "a"),
            tag != "li", !(block == "p" && Self.endsParagraphs.contains(tag))
        else { return "span" }
        return tag
    }

    /// Returns whether a name can be written as a tag with the same meaning.
    static func isName(_ tag: String) -> Bool {
        guard let first = tag.utf8.first, first.isASCIILetter, first.asciiLowercased == first else { return false }
        return tag.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0.isASCIIDigit || $0 == 0x2D || $0 == 0x5F }
    }

    /// Elements that are valid only in certain places, contain no text, or hide or move it.
    static let bound: Set<String> = [
        "html", "head", "body", "frameset", "frame", "table", "thead", "tbody", "tfoot", "tr", "td", "th", "caption",
        "colgroup", "col", "select", "option", "optgroup", "datalist", "script", "style", "template", "title",
        "textarea", "iframe", "noscript", "noembed", "noframes", "plaintext", "xmp", "svg", "math", "img", "image",
        "br",
        "hr", "wbr", "input", "embed", "area", "base", "link", "meta", "param", "source", "track", "keygen", "object",
        "applet", "marquee", "button", "details", "summary", "fieldset", "legend", "rt", "rp", "rb", "rtc", "ruby",
        "dialog", "lambda", "video", "audio", "canvas", "form", "nobr",
    ]

    /// Elements whose start tag ends an open paragraph (HTML §13.2.6.4.7).
    static let endsParagraphs: Set<String> = [
        "address", "article", "aside", "blockquote", "center", "details", "dialog", "dir", "div", "dl", "dd", "dt",
        "fieldset", "figcaption", "figure", "footer", "header", "hgroup", "main", "menu", "nav", "ol", "p", "search",
        "section", "ul", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "listing", "form", "table", "hr", "xmp",
    ]
}
