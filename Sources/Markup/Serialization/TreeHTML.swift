// Writes trees as HTML (HTML §13.3): the repaired tree, or the source if it needed no repair.

extension MarkupTree {
    /// The element with its tags: the source text unless it had to be repaired. O(size).
    package func outerHTML(_ n: NodeID) -> String {
        String(decoding: html(n, outer: true, fromSource: true), as: UTF8.self)
    }

    /// The contents of the element: the source text unless it had to be repaired. O(size).
    package func innerHTML(_ n: NodeID) -> String {
        String(decoding: html(n, outer: false, fromSource: true), as: UTF8.self)
    }

    /// Returns whether the source of a subtree can be copied unchanged.
    package func isFaithful(_ n: NodeID) -> Bool {
        guard n.index != 0, !storage.differsFromSource else { return false }
        return (Int(n.index)..<Int(subtreeEnd(n).index)).allSatisfy {
            storage.nodes[$0].flags.isDisjoint(with: [.repaired, .clone, .edited])
        }
    }

    /// The source range of an element's contents, from the first child's start to the last one's end.
    private func sourceRangeOfContents(_ n: NodeID) -> Range<Int> {
        guard let first = firstChild(n) else { return 0..<0 }
        let start = sourceRange(first).lowerBound
        let last = children(n).reduce(first) { $1 }
        return start..<max(start, sourceRange(last).upperBound)
    }

    /// Returns whether the element's contents were read as raw text, not as markup.
    package func holdsRawText(_ n: NodeID) -> Bool {
        firstChild(n).map { kind($0) == .text && storage.nodes[Int($0.index)].flags.contains(.raw) } ?? false
    }

    /// The HTML of a node. With `fromSource` false it is always written anew: names in lower case, attributes in double quotes.
    /// With `declaresEncoding` the `meta` of a document declares UTF-8, in place of the encoding it was read from.
    package func html(_ n: NodeID, outer: Bool, fromSource: Bool = false, declaresEncoding: Bool = false) -> [UInt8] {
        if fromSource, isFaithful(n) {
            let range = outer || kind(n) != .element ? sourceRange(n) : sourceRangeOfContents(n)
            return Array(storage.source.buffer[range])
        }
        var writer = HTMLWriter(declaresEncoding: declaresEncoding)
        visit(outer ? n..<subtreeEnd(n) : contents(n), with: &writer)
        if let place = writer.headStart, !writer.hasDeclared, writer.out.contains(where: { $0 >= 0x80 }) {
            writer.out.insert(contentsOf: "<meta charset=\"utf-8\">".utf8, at: place)
        }
        return writer.out
    }

    /// Escapes text as HTML §13.3 says: `&`, no-break space, and `<>` in text or `"` in attributes.
    package static func appendEscaped(_ text: UnsafeBufferPointer<UInt8>, inAttribute: Bool, to out: inout [UInt8]) {
        var copied = 0
        for i in 0..<text.count {
            let part: (text: StaticString, length: Int)
            switch text[i] {
            case 0x26: part = ("&amp;", 1)
            case 0x3C where !inAttribute: part = ("&lt;", 1)
            case 0x3E where !inAttribute: part = ("&gt;", 1)
            case 0x22 where inAttribute: part = ("&quot;", 1)
            case 0xC2 where i + 1 < text.count && text[i + 1] == 0xA0: part = ("&nbsp;", 2)
            default: continue
            }
            out.append(contentsOf: UnsafeBufferPointer(rebasing: text[copied..<i]))
            out.append(contentsOf: part.text.bytes)
            copied = i + part.length
        }
        out.append(contentsOf: UnsafeBufferPointer(rebasing: text[copied...]))
    }

    /// The text of a subtree, without that of script, style and template unless `skipsHidden` is false. O(size).
    package func textContent(_ n: NodeID, skipsHidden: Bool = true) -> [UInt8] {
        var reader = TextContentReader(skipsHidden: skipsHidden)
        visit(kind(n) == .text ? n..<subtreeEnd(n) : contents(n), with: &reader)
        return reader.out
    }
}

/// Writes HTML anew: names in lower case, attributes in double quotes.
struct HTMLWriter: TreeWalker {
    var declaresEncoding = false
    /// Runs of white space in text become one space.
    var collapsesSpace = false
    var out: [UInt8] = []
    /// The place in `out` where the contents of the head begin, and whether a `meta` element has declared the encoding.
    var headStart: Int?
    var hasDeclared = false

    mutating func enterElement(_ node: NodeID, in tree: MarkupTree) -> Descent {
        let isForeign = tree.isForeign(node)
        out.append(UInt8(ascii: "<"))
        appendName(of: node, in: tree, isForeign)
        let declares = declaresEncoding && tree.tag(node) == .meta
        tree.forEachAttribute(node) { attribute in
            let name = tree.attributeName(attribute)
            out.append(UInt8(ascii: " "))
            out.append(contentsOf: (isForeign ? ForeignNames.attribute(name) : name).utf8)
            out.append(contentsOf: "=\"".utf8)
            if declares, let value = encodingDeclaration(name, of: node, in: tree) {
                hasDeclared = true
                out.append(contentsOf: value.utf8)
            } else {
                tree.withValue(attribute) { MarkupTree.appendEscaped($0, inAttribute: true, to: &out) }
            }
            out.append(UInt8(ascii: "\""))
        }
        out.append(UInt8(ascii: ">"))
        if declaresEncoding, tree.isDocument, tree.tag(node) == .head, headStart == nil { headStart = out.count }
        // The parser drops a newline that directly follows these start tags.
        let tag = tree.tag(node)
        if tag == .pre || tag == .listing || tag == .textarea, let child = tree.firstChild(node),
            tree.kind(child) == .text, tree.withText(child, { $0.first == 0x0A })
        {
            out.append(0x0A)
        }
        return .contents
    }

    /// The value to write for an attribute of `meta` that declares an encoding (HTML §4.2.5.4); nil for other attributes.
    private func encodingDeclaration(_ name: String, of meta: NodeID, in tree: MarkupTree) -> String? {
        if name == "charset" { return "utf-8" }
        let isContentType =
            name == "content" && tree.attribute(meta, "http-equiv")?.lowercased() == "content-type"
            && tree.attribute(meta, "content")?.lowercased().contains("charset") == true
        return isContentType ? "text/html; charset=utf-8" : nil
    }

    mutating func leaveElement(_ node: NodeID, in tree: MarkupTree) {
        guard !tree.isVoid(node) else { return }
        out.append(contentsOf: "</".utf8)
        appendName(of: node, in: tree, tree.isForeign(node))
        out.append(UInt8(ascii: ">"))
    }

    private mutating func appendName(of node: NodeID, in tree: MarkupTree, _ isForeign: Bool) {
        if isForeign {
            out.append(contentsOf: ForeignNames.element(tree.name(node)).utf8)
        } else {
            out.append(contentsOf: tree.nameBytes(node))
        }
    }

    mutating func visitText(_ node: NodeID, in tree: MarkupTree) {
        let isInRawText = tree.parent(node).map { tree.tag($0).rawText == .raw || tree.tag($0) == .noscript } == true
        let wasRaw = tree.storage.nodes[Int(node.index)].flags.contains(.raw)
        tree.withText(node) { text in
            // Text of XHTML was decoded, and may have the end tag.
            if isInRawText, wasRaw || !text.contains(UInt8(ascii: "<")) {
                out.append(contentsOf: text)
            } else if collapsesSpace {
                var words: [UInt8] = []
                for byte in text where !byte.isHTMLSpace || (words.last ?? out.last) != 0x20 {
                    words.append(byte.isHTMLSpace ? 0x20 : byte)
                }
                words.withUnsafeBufferPointer { MarkupTree.appendEscaped($0, inAttribute: false, to: &out) }
            } else {
                MarkupTree.appendEscaped(text, inAttribute: false, to: &out)
            }
        }
    }

    mutating func visitComment(_ node: NodeID, in tree: MarkupTree) { write("<!--", node, in: tree, "-->") }

    mutating func visitInstruction(_ node: NodeID, in tree: MarkupTree) { write("<", node, in: tree, ">") }

    mutating func visitDoctype(_ node: NodeID, in tree: MarkupTree) {
        let needsSpace = tree.withText(node) { $0.first?.isHTMLSpace == false }
        write(needsSpace ? "<!DOCTYPE " : "<!DOCTYPE", node, in: tree, ">")
    }

    private mutating func write(_ start: String, _ node: NodeID, in tree: MarkupTree, _ end: String) {
        out.append(contentsOf: start.utf8)
        tree.withText(node) { out.append(contentsOf: $0) }
        out.append(contentsOf: end.utf8)
    }
}

/// Collects the text of a page, shown or not.
struct TextContentReader: TreeWalker {
    let skipsHidden: Bool
    var out: [UInt8] = []

    mutating func enterElement(_ node: NodeID, in tree: MarkupTree) -> Descent {
        guard skipsHidden else { return .contents }
        return switch tree.tag(node) {
        case .script, .style, .template: .skip
        case .noscript where tree.holdsRawText(node): .skip
        // A title that the parser put into the body is still not text of the page.
        case .title where !tree.isForeign(node) && tree.parent(node).map({ tree.tag($0) != .head }) == true: .skip
        default: .contents
        }
    }

    mutating func visitText(_ node: NodeID, in tree: MarkupTree) { tree.withText(node) { out.append(contentsOf: $0) } }
}
