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
            html += "<a"
            if let lead {
                writeAttributes(Names(lead))
                inner = lead.style
            }
            writeAttribute("href", link)
            // The link comes from the element, not from the style.
            var outer = style
            outer.link = link
            writeStyle("all:unset;" + StyleDeclarations.inline(inner, in: outer))
            html += ">"
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
            writePicture(run, attachment, in: style)
            return
        }
        let css = StyleDeclarations.inline(run.style, in: style)
        if css.isEmpty, names == Names(run) || run.tag == nil { return write(text: text.text(of: run)) }
        let tag = inlineTag(run.tag, inBlock: names?.tag, isInLink: isInLink)
        html += "<" + tag
        if tag == run.tag { writeAttributes(Names(run)) }
        // The quotation marks of a quote are in the text.
        writeStyle(tag == "span" ? "" : "all:unset", css, tag == "q" ? "quotes:none" : "")
        html += ">"
        write(text: text.text(of: run))
        html += "</\(tag)>"
    }

    mutating func writePicture(_ run: StyledText.Run, _ source: String, in style: MarkupStyle) {
        if run.tag == "lambda" {
            html += "<lambda"
            writeAttribute("id", source)
            writeAttributes(Names(run), skipsID: true)
        } else {
            html += "<img"
            writeAttributes(Names(run))
            writeAttribute("src", source)
        }
        var css = MarkupStyle()
        css.attachmentWidth = run.style.attachmentWidth
        css.attachmentHeight = run.style.attachmentHeight
        writeStyle(css.css, StyleDeclarations.inline(run.style, in: style))
        html += run.tag == "lambda" ? "></lambda>" : ">"
    }

    mutating func writeAttributes(_ names: Names, skipsID: Bool = false) {
        if !skipsID, let id = names.id { writeAttribute("id", id) }
        if let classes = names.classes { writeAttribute("class", classes) }
    }

    /// Writes declarations, of which some may be empty.
    mutating func writeStyle(_ declarations: String...) {
        let css = declarations.filter { !$0.isEmpty }.joined(separator: ";")
        if !css.isEmpty { writeAttribute("style", css) }
    }

    mutating func writeAttribute(_ name: String, _ value: String) {
        html += " \(name)=\""
        write(text: value[...], isAttribute: true)
        html += "\""
    }

    mutating func write(text: Substring, isAttribute: Bool = false) {
        html += text.escaped { scalar in
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
        guard let first = tag.utf8.first, first >= 0x61, first <= 0x7A else { return false }
        return tag.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x5F
        }
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
