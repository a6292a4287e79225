// Makes a document for each row of data from a template. In: a template, then rows of data. Out: documents, whose messages name
// the places in the template. The template's text is parsed once for all rows that resolve its sections alike. A row's values
// are inserted into texts and attributes of a copy of that document. They are never parsed, so a row cannot add elements,
// attributes or style rules.

import FancyTextBoxes
import FancyTextMarkup

/// Makes documents from a template with Mustache's tags, as in <doc:Templates>. It belongs to one task.
///
/// ```swift
/// let template = try DocumentTemplate("<h1>Hello, {{name}}</h1>")
/// let png = try renderer.png(template.document(for: ["name": "Ada"]))
/// ```
///
/// The template is parsed once. Values become text and attribute values, never elements, scripts or style rules.
public final class DocumentTemplate {
    private let template: MustacheTemplate
    private let parser: MarkupParser
    private let name: String
    /// Names of members that the caller uses itself, as in the name of a file.
    package var otherKeys: Set<String> = []
    /// Edits of every document, made before values are inserted.
    private let prepare: (inout Document) throws -> Void
    /// The shape of the latest row, reused for rows that resolve sections alike.
    private var shape: Shape?

    /// A parsed text with marks, and their positions.
    private struct Shape {
        var expansion: MustacheTemplate.Expansion
        var document: Document
        var slots: [Slot]
    }

    /// A text or attribute value that contains marks.
    private struct Slot {
        enum Kind {
            case text
            case attribute(String)
        }
        enum Piece {
            case text(String)
            case value(Int)
            case style(Int, StylePlace)
        }
        var node: NodeID
        var kind: Kind
        var pieces: [Piece]
        /// The text with marks, if it is CSS.
        var css: EmbeddedText?
    }

    /// The new contents of a text, an element or an attribute.
    private struct Edit {
        var node: NodeID
        var kind: Slot.Kind
        var value: String
        /// The place in the template of the first of a row's values in it.
        var offset = 0
        var css: EmbeddedText?
    }

    package init(
        _ template: MustacheTemplate, parser: MarkupParser, name: String,
        prepare: @escaping (inout Document) throws -> Void = { _ in }
    ) {
        (self.template, self.parser, self.name, self.prepare) = (template, parser, name, prepare)
    }

    /// Parses the tags of a template in HTML, which diagnostics call `name`.
    ///
    /// - Throws: ``TemplateError`` for tags that are not closed.
    public convenience init(_ html: String, parser: MarkupParser = MarkupParser(), name: String = "template")
        throws(TemplateError)
    { self.init(try MustacheTemplate(Array(html.utf8)), parser: parser, name: name) }

    /// The document of a row of values.
    ///
    /// A value whose key no tag names becomes the text of the element with that id. O(template + values).
    ///
    /// - Throws: ``TemplateError`` if the row lacks a value or has one that is not allowed in its position.
    public func document(for values: [String: String]) throws -> Document {
        let members = values.sorted { $0.key < $1.key }
        return try document(for: .object(members.map { JSONMember(name: $0.key, value: .string($0.value)) }))
    }

    /// The document of a row that is a JSON object, whose arrays and objects fill sections.
    ///
    /// - Throws: ``TemplateError`` as ``document(for:)-([String:String])``, and for text that is no JSON object.
    public func document(forJSON row: String) throws -> Document {
        var parser = JSONParser(Array(row.utf8))
        guard let row = parser.parse(), case .object = row
        else { throw TemplateError(message: "the row is no JSON object", offset: 0) }
        return try document(for: row)
    }

    package static func location(of error: TemplateError, in template: [UInt8], named name: String)
        -> Diagnostic.Location
    { template.withUnsafeBufferPointer { Diagnostic.Location(source: name, offset: error.offset, in: $0) } }

    /// Checks the template for errors that do not depend on rows.
    package func check() throws { if template.isFixed { shape = try makeShape(template.expand(nil, limit: .max)) } }

    /// The document of a row that is an object. A member that no tag names becomes the text of the element with that id.
    ///
    /// - Throws: ``TemplateError``; any error of the edits of all documents.
    package func document(for row: JSONValue) throws -> Document {
        let expansion = try template.expand(row, limit: parser.syntax.limits[.generatedText])
        let isKnown = shape?.expansion.text == expansion.text && shape?.expansion.places == expansion.places
        let made = try (isKnown ? shape : nil) ?? makeShape(expansion)
        self.shape = made
        var document = made.document
        try fill(&document, made, row, expansion.values)
        return document
    }

    private func fill(
        _ document: inout Document, _ shape: Shape, _ row: JSONValue, _ values: [String]
    ) throws(TemplateError) {
        var edits: [Edit] = []
        edits.reserveCapacity(shape.slots.count)
        for slot in shape.slots {
            var text = ""
            var offset: Int?
            var lengths: [(length: Int, replaced: Int?)] = []
            for piece in slot.pieces {
                switch piece {
                case .text(let literal):
                    text += literal
                    if slot.css != nil { lengths.append((literal.utf8.count, nil)) }
                case .value(let number):
                    offset = offset ?? shape.expansion.places[number].lowerBound
                    text += values[number]
                case .style(let number, let place):
                    guard let css = place.css(values[number]) else {
                        throw TemplateError(
                            message: "'\(values[number].prefix(40))' is no single number, colour or name in a style",
                            offset: shape.expansion.places[number].lowerBound)
                    }
                    text += css
                    lengths.append((css.utf8.count, ValueMark.bytes(of: number).count))
                }
            }
            let css = slot.css.map { EmbeddedText(replacing: $0, by: lengths) }
            edits.append(Edit(node: slot.node, kind: slot.kind, value: text, offset: offset ?? 0, css: css))
        }
        if case .object(let members) = row {
            var isUsed =
                members.isEmpty || members.contains { template.keys.contains($0.name) || otherKeys.contains($0.name) }
            for member in members where !template.keys.contains(member.name) {
                guard let node = shape.document.node(withID: member.name) else { continue }
                isUsed = true
                let (tree, name) = (shape.document.tree, member.name)
                if !tree.isVoid(node), tree.tag(node).rawText != .raw, let text = member.value.text {
                    edits.append(Edit(node: node, kind: .text, value: text))
                    continue
                }
                let message =
                    if tree.tag(node).rawText == .raw {
                        "'\(name)' is a \(tree.name(node)) element: rows cannot fill it"
                    } else if tree.isVoid(node) {
                        "the '\(tree.name(node))' with the id '\(name)' has no contents: "
                            + "write {{\(name)}} in one of its attributes"
                    } else {
                        "'\(name)' is no text for the element with this id"
                    }
                throw TemplateError(
                    message: message, offset: shape.expansion.origin(of: tree.sourceRange(node).lowerBound))
            }
            if !isUsed {
                let message = "a row has no effect: its names are those of no tag and of no id in the template"
                document.diagnostics.warn(.unfilledTag, message)
            }
        }
        // From the end, so that the ids of earlier nodes stay valid; contents before the attributes of their element, so that the
        // number of nodes after it stays the same.
        edits.sort { $0.node == $1.node ? $0.css == nil && $1.css != nil : $0.node > $1.node }
        var placed: [(fromEnd: Int, text: EmbeddedText)] = []
        for edit in edits {
            switch edit.kind {
            case .text: document.edit { $0.setText(edit.node, edit.value) }
            case .attribute(let name):
                guard !Self.isScript(edit.value, in: name, of: document.tree.name(edit.node)) else {
                    throw TemplateError(
                        message: "a row cannot make a script of the attribute '\(name)'", offset: edit.offset)
                }
                document.edit { $0.setAttribute(edit.node, name, edit.value) }
            }
            if let css = edit.css { placed.append((document.tree.count - Int(edit.node.index), css)) }
        }
        if !placed.isEmpty { document.edit { $0.place(placed) } }
    }

    /// Attributes whose values browsers follow or load.
    private static let urlAttributes: Set<String> = [
        "href", "xlink:href", "src", "srcset", "action", "formaction", "poster", "cite", "data", "background", "ping",
        "manifest",
    ]

    /// Attributes of animation elements in SVG that an attribute with a URL gets its values from (SMIL 3 §12.5).
    private static let animatedValues: Set<String> = ["to", "from", "by", "values"]
    private static let animations: Set<String> = [
        "animate", "set", "animatecolor", "animatemotion", "animatetransform",
    ]

    /// Returns a Boolean value that indicates whether a browser would run an attribute's value as a script.
    private static func isScript(_ value: String, in name: String, of element: String) -> Bool {
        let element = element.lowercased()
        if urlAttributes.contains(name) {
            let destination = LinkDestination(value)
            return destination.isScript || destination.scheme == "data" && frames.contains(element)
        }
        var urls: [Substring] = []
        if element == "meta", name == "content" {
            // A refresh: the seconds, and a URL that may be in quotes (HTML §4.2.5.3).
            urls = value.split { ";,='\"".contains($0) }.map { $0.drop { $0.isWhitespace || $0.isNumber || $0 == "." } }
        } else if animatedValues.contains(name), animations.contains(element) {
            urls = value.split(separator: ";")
        }
        return urls.contains { LinkDestination(String($0)).isScript }
    }

    /// Elements that show what a URL names as a document, in which scripts run.
    private static let frames: Set<String> = ["iframe", "frame", "embed", "object"]

    private func makeShape(_ expansion: MustacheTemplate.Expansion) throws -> Shape {
        let origin = DerivedText(from: template.source, name: name, origin: { expansion.origin(of: $0) })
        var document = parser.parse(SourceBytes(expansion.text), name: name, encoding: "utf-8", origin: origin)
        try check(document.tree, expansion)
        document.edit { tree in
            tree.remove(
                tree.subtree(tree.root).filter { tree.kind($0) == .comment && tree.withText($0, ValueMark.isIn) })
        }
        try prepare(&document)
        let slots = Self.slots(of: document.tree, values: expansion.places.count)
        return Shape(expansion: expansion, document: document, slots: slots)
    }

    /// - Throws: if a value is in a position that allows none: in a tag or an attribute's name, or in a script.
    private func check(_ tree: MarkupTree, _ expansion: MustacheTemplate.Expansion) throws(TemplateError) {
        var found = Set<Int>()
        var misplaced: Int?
        func note(_ pieces: [ValueMark.Piece], isAllowed: Bool) {
            for case .value(let number) in pieces where expansion.places.indices.contains(number) {
                found.insert(number)
                if !isAllowed { misplaced = misplaced ?? number }
            }
        }
        Self.forEachMarked(in: tree) { node, kind, pieces in
            switch kind {
            case .attribute(let name):
                note(pieces, isAllowed: !name.utf8.starts(with: "on".utf8) && name != "srcdoc")
            case .text:
                // Comments are left out of the document, so marks in them are allowed.
                let parent = tree.parent(node).map { tree.tag($0) } ?? .none
                note(pieces, isAllowed: tree.kind(node) == .comment || parent.rawText != .raw || parent == .style)
            }
        }
        guard let number = misplaced ?? expansion.places.indices.first(where: { !found.contains($0) }) else { return }
        throw TemplateError(
            message: "a value can stand in text and in the values of attributes, not here",
            offset: expansion.places[number].lowerBound)
    }

    /// Calls `body` with each text, comment and attribute value that has marks.
    private static func forEachMarked(
        in tree: MarkupTree, _ body: (NodeID, Slot.Kind, _ pieces: [ValueMark.Piece]) -> Void
    ) {
        func read(_ node: NodeID, _ kind: Slot.Kind, _ bytes: UnsafeBufferPointer<UInt8>) {
            let pieces = ValueMark.isIn(bytes) ? ValueMark.pieces(of: bytes) : []
            if pieces.contains(where: { if case .value = $0 { true } else { false } }) { body(node, kind, pieces) }
        }
        for node in tree.subtree(tree.root) {
            switch tree.kind(node) {
            case .text, .comment: tree.withText(node) { read(node, .text, $0) }
            case .element:
                tree.forEachAttribute(node) { attribute in
                    tree.withValue(attribute) { read(node, .attribute(tree.attributeName(attribute)), $0) }
                }
            case .root, .doctype, .instruction: break
            }
        }
    }

    private static func slots(of tree: MarkupTree, values count: Int) -> [Slot] {
        var slots: [Slot] = []
        forEachMarked(in: tree) { node, kind, pieces in
            let isText = tree.kind(node) == .text
            let isStyle =
                switch kind {
                case .text: tree.parent(node).map { tree.tag($0) == .style } ?? false
                case .attribute(let name): name == "style"
                }
            var open = ""
            var place = StylePlace.component
            let made = pieces.compactMap { piece -> Slot.Piece? in
                switch piece {
                case .text(let text):
                    if isStyle { place = StylePlace.scan(text, &open) }
                    return .text(text)
                case .value(let number):
                    guard number < count else { return nil }
                    return isStyle ? .style(number, place) : .value(number)
                }
            }
            let css = !isStyle ? nil : isText ? tree.embedded(text: node) : tree.embedded(.style, of: node)
            slots.append(Slot(node: node, kind: kind, pieces: made, css: css))
        }
        return slots
    }
}

/// The position of a value in CSS (CSS Syntax 3 §4).
enum StylePlace: Hashable, Sendable {
    /// Inside quotes, or in the brackets of `url(`.
    case string
    /// In a comment, where values have no effect.
    case comment
    /// Anywhere else: one component value.
    case component

    /// CSS up to a comment, string or URL that is not closed: 1 its beginning.
    private static let unclosed = Expression(
        #"(?:[^"'/\\uU]++|\\.?|/\*(?:[^*]++|\*(?!/))*+\*/|"(?:[^"\\\n]++|\\.?)*+["\n]|'(?:[^'\\\n]++|\\.?)*+['\n]"#
            + #"|(?i:url)\((?![\t-\r ]*+["'])(?:[^)\\]++|\\.?)*+\)|(?!/\*|(?i:url)\((?![\t-\r ]*+["']))[/uU])*+"#
            + #"(/\*|["']|(?i:url)\()?+"#)

    /// The position after more CSS; `open` is the beginning of what is open before it, and then after it.
    static func scan(_ css: String, _ open: inout String) -> StylePlace {
        let bytes = Array((open + css).utf8)
        let matcher = Matcher()
        guard unclosed.match(bytes, count: bytes.count, from: 0, with: matcher), let beginning = matcher.group(1) else {
            open = ""
            return .component
        }
        open = String(decoding: bytes[beginning], as: UTF8.self)
        // In a URL, quotes are characters.
        if beginning.count > 2 { open += "x" }
        return open == "/*" ? .comment : .string
    }

    /// The value as CSS; nil if it is not allowed in this position.
    func css(_ value: String) -> String? {
        switch self {
        case .string: Self.escaped(value)
        case .comment: ""
        case .component: Self.oneComponent.matches(value) ? value : nil
        }
    }

    /// Escapes each character that could end a string or a URL by its number (CSS Syntax 3 §4.3.7).
    private static func escaped(_ value: String) -> String {
        value.escaped { scalar in
            let isPlain =
                scalar.value >= 0x80
                || ["-", "_", ".", "/", ":", "?", "&", "=", "%", "#", "~", "+", ",", "@", "!"].contains(scalar)
                || (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
            return isPlain ? nil : CSSWriter.escape(scalar)
        }
    }

    /// One number with or without a unit, one name, one `#` colour or one colour function of numbers.
    private static let oneComponent = Expression(
        #"(?i)(?:#[0-9a-f]{3,8}|[-+]?(?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?:%|[a-z]{0,5})|-?[a-z][-_a-z0-9]*+"#
            + #"|(?:rgba?|hsla?|hwb|(?:ok)?lab|(?:ok)?lch)\([0-9deg %+,./-]*+\))\z"#)
}
