// The parts of a PDF file besides its drawing: marks, links, destinations, bookmarks, facts about the document. cairo gives
// each structure tag a number on its page. All tags are siblings; PDFStructure.swift replaces the tree that cairo makes of them
// by the document's.

import CFancyTextCairo
import FancyTextBasics
import FancyTextBoxes
import FancyTextLayout
import FancyTextMarkup
import FancyTextPainting
import FancyTextWriting

/// A range of drawing that shows one part of the document.
final class ContentMark {
    /// `nil` while nothing was drawn in it.
    var part: DocumentPart?

    init(_ part: DocumentPart?) { self.part = part }
}

extension PDFWriter {
    /// Marks the following content as a part of the document, of whose text a range is shown, unless an earlier page has shown it:
    /// heads of tables and fixed boxes are on several pages. The range is empty for a picture.
    func mark(_ part: DocumentPart, _ range: Range<Int> = 0..<0) {
        if part.box >= 0 {
            // Text that layout added, such as hyphens, belongs to the text before it.
            if !part.isMarker, range.lowerBound >= max(1, text.text.count) { return }
            let known = shownParts[part] ?? (pages, 0)
            if pages > known.page, range.isEmpty || range.lowerBound < known.end {
                if layers == 0 { closeMark() }
                return
            }
            shownParts[part] = (pages, max(known.end, range.upperBound))
        }
        if layers > 0 {
            guard part.box >= 0, let mark = openMark else { return }
            mark.part = mark.part.map { common($0, part) } ?? part
            return
        }
        if let open = openMark?.part, open == part { return }
        closeMark()
        if part.box >= 0 { open(ContentMark(part)) }
    }

    private func open(_ mark: ContentMark) {
        openMark = mark
        steps.append { [self] in
            if let part = mark.part { beginTag("Span", "", of: part) }
        }
    }

    func closeMark() {
        guard let mark = openMark else { return }
        openMark = nil
        steps.append { [self] in
            if mark.part != nil { cairo.endTag(context, "Span") }
        }
    }

    /// cairo marks no content inside of a layer, so the layer is one range.
    func beginLayer() {
        if layers == 0 {
            closeMark()
            open(ContentMark(nil))
        }
        layers += 1
    }

    func endLayer() {
        layers -= 1
        if layers == 0 { closeMark() }
    }

    /// The smallest part that contains two others.
    private func common(_ one: DocumentPart, _ other: DocumentPart) -> DocumentPart {
        guard one != other else { return one }
        var box = Int(one.box)
        while box > 0, !(box..<text.boxes[box].end).contains(Int(other.box)) { box = text.boxes[box].parent }
        return DocumentPart(box: box, link: one.link == other.link ? Int(one.link) : -1)
    }

    /// Begins a tag while there is no clip: cairo 1.16 drops the start of a tag in an empty clip, but keeps its end and the name
    /// of a destination, and aborts the process at a link to one.
    private func beginTag(_ name: String, _ attributes: String, of part: DocumentPart, _ words: String = "") {
        cairo.save(context)
        cairo.resetClip(context)
        cairo.setColor(context, 0, 0, 0, 1)
        cairo.beginTag(context, name, attributes)
        cairo.restore(context)
        taggedParts.append((part, words))
    }

    package func link(_ link: DisplayLink, boxes: [Rect], map: Transform) {
        let target = link.target
        guard !target.isEmpty else { return }
        let destination = target.hasPrefix("#") ? String(target.dropFirst()) : nil
        let places = boxes.map { page.after(map).bounds(of: $0).intersection(pageRect) }.filter { !$0.isEmpty }
        guard !places.isEmpty else { return }
        let numbers = places.flatMap { [$0.x, $0.y, $0.width, $0.height] }.map(Notation.number)
        let address = URLReference.encoded(target).escaped { $0 == "'" || $0 == "\\" ? "\\\($0)" : nil }
        let goal = destination.map { "dest='\(Self.tagName($0))'" } ?? "uri='\(address)'"
        let words = VectorText.words(link.title.isEmpty ? target : link.title)
        tags.append { [self] in
            if let destination, !placed.contains(destination) { return }
            beginTag("Link", "rect=[\(numbers.joined(separator: " "))] \(goal)", of: DocumentPart(link: link.id), words)
            cairo.endTag(context, "Link")
        }
    }

    package func place(_ destination: DisplayDestination, map: Transform) {
        let place = page.after(map).apply(destination.place)
        let (x, y) = (min(max(0, place.x), pageRect.width), min(max(0, place.y), pageRect.height))
        if let bookmark = destination.bookmark { return bookmarks.append((bookmark, pages, Point(x: x, y: y))) }
        let name = destination.name
        guard destinations.contains(name), placed.insert(name).inserted else { return }
        tags.append { [self] in
            let attributes = "name='\(Self.tagName(name))' x=\(Notation.number(x)) y=\(Notation.number(y))"
            cairo.beginTag(context, "cairo.dest", attributes)
            cairo.endTag(context, "cairo.dest")
        }
    }

    /// A name that needs no escapes in a tag's attributes.
    private static func tagName(_ name: String) -> String {
        "d" + name.utf8.map { String($0, radix: 16) }.joined(separator: "-")
    }

    /// Adds the bookmarks, each below the last one of a lower level before it.
    func addOutline() {
        var open: [(level: Int, number: Int32)] = []
        for (bookmark, page, place) in bookmarks.sorted(by: { $0.0.order < $1.0.order }) {
            // cairo's time grows with the depth.
            while let last = open.last, last.level >= bookmark.level || open.count >= 64 { open.removeLast() }
            let goal = "page=\(page) pos=[\(Notation.number(place.x)) \(Notation.number(place.y))]"
            let number = cairo.addOutline(
                surface, open.last?.number ?? 0, VectorText.words(bookmark.label), goal,
                bookmark.isOpen ? Int32(CCAIRO_OUTLINE_OPEN) : 0)
            open.append((bookmark.level, number))
        }
    }

    /// The title of the document, or else its first main heading.
    private var title: String {
        let headings = bookmarks.map(\.0).filter { $0.level == 1 }
        return VectorText.words(text.title.isEmpty ? headings.min { $0.order < $1.order }?.label ?? "" : text.title)
    }

    /// Adds the title of the document and what its `meta` elements tell (HTML §4.2.5.1).
    func addMetadata() {
        func set(_ field: Int, _ value: String) {
            let value = VectorText.words(value)
            if !value.isEmpty { cairo.setMetadata(surface, Int32(field), value) }
        }
        set(CCAIRO_METADATA_TITLE, title)
        var known: Set<String> = []
        for node in tree.subtree(tree.root).dropFirst() {
            if tree.tag(node) == .body { break }
            guard tree.tag(node) == .meta, let name = tree.attribute(node, .name)?.lowercased(),
                let content = tree.attribute(node, .content), known.insert(name).inserted
            else { continue }
            switch name {
            case "author": set(CCAIRO_METADATA_AUTHOR, content)
            case "description": set(CCAIRO_METADATA_SUBJECT, content)
            case "keywords": set(CCAIRO_METADATA_KEYWORDS, content)
            default: break
            }
        }
    }

    /// cairo's file with the structure of the document, or unchanged if cairo wrote it in another way than expected.
    func finished(_ bytes: [UInt8], hasDate: Bool) -> [UInt8] {
        guard var file = PDFFile(bytes) else { return bytes }
        if !hasDate { file.removeDate() }
        var catalog = "/ViewerPreferences<</DisplayDocTitle \(!title.isEmpty)>>"
        if !text.language.isEmpty { catalog += "/Lang\(PDFFile.string(text.language))" }
        var isTagged = false
        if let contents = file.removeStructure(), contents.count(where: \.isOwn) == taggedParts.count {
            // What the library drew besides, such as links of SVG files, has no texts.
            isTagged = contents.allSatisfy(\.isOwn)
            var own = taggedParts[...]
            let parts = contents.map { content in
                let tag = content.isOwn ? own.removeFirst() : (part: DocumentPart(), words: "")
                if content.isOwn, let annotation = content.annotation {
                    file.extend(annotation, "/Contents\(PDFFile.string(tag.words))")
                }
                return (part: tag.part, content: content)
            }
            catalog += PDFStructure(text, tree, parts).write(to: &file)
            file.finishPages()
        }
        let metadata = file.append("/Type/Metadata/Subtype/XML", Array(metadata(isTagged: isTagged).utf8))
        file.extendCatalog(catalog + "/Metadata \(metadata) 0 R")
        return file.bytes
    }

    /// True if no level is left out between headings.
    private var headingsAreNested: Bool {
        let levels = bookmarks.map(\.0).sorted { $0.order < $1.order }.map(\.level)
        return zip([0] + levels, levels).allSatisfy { $1 <= $0 + 1 }
    }

    /// True if the document's language has the form of a tag (RFC 5646).
    private var hasLanguage: Bool {
        text.language.split(separator: "-", omittingEmptySubsequences: false).allSatisfy { part in
            (1...8).contains(part.utf8.count) && part.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit }
        }
    }

    /// The facts about the document as XMP (ISO 16684-1). A tagged file with a title, a language and nested headings is one of
    /// PDF/UA-1.
    private func metadata(isTagged: Bool) -> String {
        let (title, language) = (SVGText.escaped(title), SVGText.escaped(VectorText.words(text.language)))
        var facts = ""
        if !title.isEmpty {
            facts += "<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">\(title)</rdf:li></rdf:Alt></dc:title>"
        }
        if !language.isEmpty { facts += "<dc:language><rdf:Bag><rdf:li>\(language)</rdf:li></rdf:Bag></dc:language>" }
        if isTagged, !title.isEmpty, hasLanguage, headingsAreNested { facts += "<pdfuaid:part>1</pdfuaid:part>" }
        return """
            <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
            <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" \
            xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">\(facts)</rdf:Description></rdf:RDF></x:xmpmeta>
            <?xpacket end="r"?>
            """
    }
}

/// The outline of a document: an entry for each heading, and for other elements with a level (CSS GCPM 3 §2).
package enum PDFBookmarks {
    /// Longer labels are cut, so that nested elements with a level take linear time.
    private static let longestLabel = 1000

    /// The bookmarks in document order. Linear in the boxes.
    package static func all(_ layout: LayoutTree, _ text: BoxTree, _ tree: MarkupTree) -> [DisplayDestination] {
        var result: [DisplayDestination] = []
        var last = -1
        // A box that spans all columns splits a heading around it into several boxes.
        var told: Set<NodeID> = []
        for fragment in layout.boxes where fragment.box > last && !fragment.isAnonymous {
            last = fragment.box
            let style = text.styles[text.boxes[fragment.box].style]
            let level = style.box.bookmark.level ?? BoxContents.tag(of: fragment.box, in: text, tree).headingLevel
            guard level > 0 else { continue }
            let own = text.text[text.boxes[fragment.box].text.clamped(to: 0..<text.text.count)].prefix(longestLabel)
            let label = text.bookmarkLabels[fragment.element] ?? String(decoding: own, as: UTF8.self)
            let words = label.prefix(longestLabel).split(whereSeparator: \.isWhitespace).joined(separator: " ").filter {
                // A cut may be inside of a character.
                $0 != "\u{FFFC}" && $0 != "\u{FFFD}"
            }
            guard !words.isEmpty, told.insert(fragment.element).inserted else { continue }
            result.append(
                DisplayDestination(
                    name: "", place: Point(x: fragment.rect.x.float, y: fragment.rect.y.float),
                    bookmark: DisplayBookmark(
                        level: level, label: words, order: fragment.box, isOpen: !style.box.bookmark.isClosed)))
        }
        return result
    }
}
