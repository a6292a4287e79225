// The structure of a PDF file (ISO 32000-1 §14.7, §14.8): elements with roles in document order, whose leaves are marked
// content. In: the boxes and elements of a document, and its marked content. Out: objects of the file. Roles are those of
// Markdown: a table for layout has none, and a picture without alternative text is decoration.

import FancyTextBoxes
import FancyTextCSS
import FancyTextMarkup
import FancyTextPainting
import FancyTextWriting

struct PDFStructure {
    private enum Kid {
        case element(Int)
        case content(Int)
    }

    private struct Element {
        var role: String
        var parent: Int
        var entries = ""
        var kids: [Kid] = []
        /// True if the kids are in the order of drawing, as they are in a line, rather than in that of the boxes.
        var isInline = false
        var language: String
    }

    private let text: BoxTree
    private let tree: MarkupTree
    /// By box, true for a table of data.
    private var dataTables: [Int: Bool] = [:]
    private let boxContents: [BoxContents]
    private let contents: [(part: DocumentPart, content: PDFFile.Content)]
    /// In document order; the first is the document.
    private var elements: [Element]
    /// By parent, the elements of links.
    private var linkElements: [Int: [Int32: Int]] = [:]
    private var firstElementOfLink: [Int32: Int] = [:]
    /// The element of each content.
    private var owners: [Int]

    /// Roles of elements that contain paragraphs.
    private static let grouping: Set<String> = [
        "Document", "Art", "Sect", "BlockQuote", "L", "Table", "THead", "TBody", "TFoot", "TR",
    ]
    /// Roles of elements that contain paragraphs or text.
    private static let mixed: Set<String> = ["LBody", "TD", "TH", "Caption"]

    /// - Complexity: linear in the boxes and the contents, apart from sorting.
    init(_ text: BoxTree, _ tree: MarkupTree, _ contents: [(part: DocumentPart, content: PDFFile.Content)]) {
        (self.text, self.tree, self.contents) = (text, tree, contents)
        boxContents = BoxContents.all(of: text, tree)
        owners = Array(repeating: 0, count: contents.count)
        elements = [Element(role: "Document", parent: -1, language: text.language)]
        var ofBox: [Int: [Int]] = [:]
        var needed = Array(repeating: false, count: text.boxes.count)
        for (index, (part, _)) in contents.enumerated() where text.boxes.indices.contains(Int(part.box)) {
            ofBox[Int(part.box), default: []].append(index)
            for box in text.chain(from: Int(part.box)).prefix(while: { !needed[$0] }) { needed[box] = true }
        }
        var open: [(end: Int, element: Int)] = [(.max, 0)]
        for box in text.boxes.indices where needed[box] {
            while let last = open.last, last.end <= box { open.removeLast() }
            open.append((text.boxes[box].end, add(box, ofBox[box] ?? [], in: open.last?.element ?? 0)))
        }
        for (index, (part, _)) in contents.enumerated() where part.box < 0 {
            // The box of a link belongs to the link's first element.
            attach(index, to: firstElementOfLink[part.link] ?? append("Link", in: 0))
        }
        order()
    }

    private mutating func append(_ role: String, in parent: Int) -> Int {
        elements.append(Element(role: role, parent: parent, language: elements[parent].language))
        elements[parent].kids.append(.element(elements.count - 1))
        return elements.count - 1
    }

    /// Tells the language of an element, unless it is that of the element around it.
    private mutating func setLanguage(_ element: Int, _ style: StyleID) {
        let language = text.styles[style].font.language
        guard !language.isEmpty, language.lowercased() != elements[element].language.lowercased() else { return }
        elements[element].language = language
        elements[element].entries += "/Lang\(PDFFile.string(language))"
    }

    private mutating func attach(_ content: Int, to element: Int) {
        elements[element].kids.append(.content(content))
        owners[content] = element
    }

    private mutating func link(_ link: Int32, in parent: Int) -> Int {
        if let known = linkElements[parent]?[link] { return known }
        let made = append("Link", in: parent)
        elements[made].isInline = true
        linkElements[parent, default: [:]][link] = made
        if firstElementOfLink[link] == nil { firstElementOfLink[link] = made }
        return made
    }

    /// Adds a box with its own contents. Returns the element for the contents of the boxes in it.
    private mutating func add(_ box: Int, _ own: [Int], in parent: Int) -> Int {
        var element = parent
        let role = role(of: box)
        if let role {
            let isPicture = role == "Figure"
            let link = Int32(clamping: text.boxes[box].link)
            element = append(role, in: isPicture && link >= 0 ? self.link(link, in: parent) : parent)
            elements[element].entries = entries(of: box, role)
            setLanguage(element, text.boxes[box].style)
            if isPicture {
                for content in own { attach(content, to: element) }
                return element
            }
            if role == "LI" {
                let markers = own.filter { contents[$0].part.isMarker }
                let label = markers.isEmpty ? element : append("Lbl", in: element)
                for content in markers { attach(content, to: label) }
                element = append("LBody", in: element)
            }
        }
        let own = own.filter { role != "LI" || !contents[$0].part.isMarker }
        guard !own.isEmpty else { return element }
        if Self.grouping.contains(elements[element].role) {
            element = append("P", in: element)
        } else if role == nil, element == parent {
            element = append(Self.mixed.contains(elements[element].role) ? "P" : "Span", in: element)
        }
        elements[element].isInline = true
        setLanguage(element, text.boxes[box].style)
        for content in own {
            let part = contents[content].part
            var owner = part.link >= 0 ? self.link(part.link, in: element) : element
            if part.style >= 0 {
                owner = append("Span", in: owner)
                setLanguage(owner, StyleID(rawValue: UInt32(part.style)))
            }
            attach(content, to: owner)
        }
        return element
    }

    /// The role of a box; `nil` if it has none of its own.
    private mutating func role(of box: Int) -> String? {
        let tag = BoxContents.tag(of: box, in: text, tree)
        if tag.headingLevel > 0 { return "H\(tag.headingLevel)" }
        switch text.boxes[box].kind {
        case .table: return isData(box) ? "Table" : nil
        case .tableRowGroup: return ofData(box, tag == .thead ? "THead" : tag == .tfoot ? "TFoot" : "TBody")
        case .tableRow: return ofData(box, "TR")
        case .tableCell: return ofData(box, tag == .th ? "TH" : "TD")
        case .tableCaption: return ofData(box, "Caption")
        case .image, .lambda: return "Figure"
        case .math: return tree.tag(text.boxes[box].element) == .math ? "Formula" : nil
        case .block, .flex, .grid, .tableColumn, .tableColumnGroup, .ruby: break
        }
        switch tag {
        case .p, .pre: return "P"
        case .ul, .ol, .menu, .dl: return "L"
        case .li, .dt, .dd: return "LI"
        case .blockquote: return "BlockQuote"
        case .article: return "Art"
        case .section, .nav, .aside: return "Sect"
        case .figcaption: return "Caption"
        default: return nil
        }
    }

    private mutating func isData(_ box: Int) -> Bool {
        if let known = dataTables[box] { return known }
        let known = BoxContents.isData(text.tableGrid(box), text, tree, boxContents)
        dataTables[box] = known
        return known
    }

    /// The role of a part of a table, which a layout table does not give it.
    private mutating func ofData(_ box: Int, _ role: String) -> String? {
        guard let table = text.chain(from: box).first(where: { text.boxes[$0].kind == .table }) else { return nil }
        return isData(table) ? role : nil
    }

    /// The entries of an element besides those that every element has: alternative text, attributes of cells.
    private func entries(of box: Int, _ role: String) -> String {
        let styled = text.boxes[box]
        var result = ""
        let alternative = BoxContents.alternative(of: box, in: text, tree)
        if !alternative.isEmpty { result += "/Alt\(PDFFile.string(VectorText.words(alternative)))" }
        var attributes = ""
        if role == "TH" {
            let row = text.boxes[styled.parent]
            let isInHead = BoxContents.tag(of: row.parent, in: text, tree) == .thead
            let isRow = !isInHead && box > styled.parent && box == styled.parent + 1 && row.end > styled.end
            let scope = tree.attribute(styled.element, .scope)?.lowercased()
            attributes += "/Scope/\(scope?.hasPrefix("row") ?? isRow ? "Row" : "Column")"
        }
        if role == "TH" || role == "TD" {
            if styled.columnSpan > 1 { attributes += "/ColSpan \(styled.columnSpan)" }
            if styled.rowSpan > 1 { attributes += "/RowSpan \(styled.rowSpan)" }
        }
        if !attributes.isEmpty { result += "/A<</O/Table\(attributes)>>" }
        return result
    }

    /// Puts the kids of lines in the order of drawing. Elements are after their parents.
    private mutating func order() {
        var first = Array(repeating: Int.max, count: elements.count)
        func place(_ kid: Kid) -> Int {
            switch kid {
            case .element(let element): first[element]
            case .content(let content): content
            }
        }
        for index in elements.indices.reversed() {
            first[index] = elements[index].kids.map(place).min() ?? .max
            if elements[index].isInline { elements[index].kids.sort { place($0) < place($1) } }
        }
    }

    /// Adds the objects of the structure. Returns the entries of the catalog.
    func write(to file: inout PDFFile) -> String {
        let base = file.nextObject
        let (root, parents) = (base + elements.count, base + elements.count + 1)
        for element in elements {
            let parent = element.parent < 0 ? root : base + element.parent
            var kids: [String] = []
            var page = 0
            for kid in element.kids {
                switch kid {
                case .element(let child): kids.append("\(base + child) 0 R")
                case .content(let index):
                    let content = contents[index].content
                    if page == 0 { page = content.page }
                    if let box = content.annotation {
                        kids.append("<</Type/OBJR/Pg \(content.page) 0 R/Obj \(box) 0 R>>")
                    }
                    kids.append(
                        content.page == page
                            ? "\(content.number)" : "<</Type/MCR/Pg \(content.page) 0 R/MCID \(content.number)>>")
                }
            }
            let place = page > 0 ? "/Pg \(page) 0 R" : ""
            file.append(
                "<</S/\(element.role)/P \(parent) 0 R\(place)\(element.entries)/K[\(kids.joined(separator: " "))]>>")
        }
        file.append("<</Type/StructTreeRoot/K[\(base) 0 R]/ParentTree \(parents) 0 R>>")
        file.append("<</Nums[\(parentEntries(file, base))]>>")
        return "/MarkInfo<</Marked true>>/StructTreeRoot \(root) 0 R"
    }

    /// The element of each content by page, and that of each link's box (§14.7.4.4).
    private func parentEntries(_ file: PDFFile, _ base: Int) -> String {
        var pages: [Int: [Int]] = [:]
        var entries: [(key: Int, value: String)] = []
        for (index, (_, content)) in contents.enumerated() {
            pages[content.page, default: []].append(index)
            if let box = content.annotation, let key = file.parentKey(of: box) {
                entries.append((key, "\(base + owners[index]) 0 R"))
            }
        }
        for (page, indices) in pages {
            guard let key = file.parentKey(of: page) else { continue }
            let sorted = indices.sorted { contents[$0].content.number < contents[$1].content.number }
            entries.append((key, "[" + sorted.map { "\(base + owners[$0]) 0 R" }.joined(separator: " ") + "]"))
        }
        entries.sort { $0.key < $1.key }
        return entries.map { "\($0.key) \($0.value)" }.joined(separator: " ")
    }
}
