// The objects of a PDF file that cairo wrote (ISO 32000-1 §7.5): reads the structure, replaces objects, and writes the
// references. In: the bytes of the file. Out: the bytes without cairo's structure, with added objects in compressed streams.

import FancyTextImages

struct PDFFile {
    /// Content with a number on its page, or the box of a link.
    struct Content {
        var page, number: Int
        /// The object of the link's box; `nil` for other content.
        var annotation: Int?
        /// False for a link in an SVG file, which librsvg tags.
        var isOwn = true
    }

    private var source: [UInt8]
    /// The ranges of the objects in `source`, by number; `nil` for objects that are replaced or removed.
    private var ranges: [Range<Int>?]
    /// Objects that are written anew, by number.
    private var added: [Int: String] = [:]
    /// Streams that are written anew, by number.
    private var streams: [Int: (entries: String, contents: [UInt8])] = [:]
    private let catalog, facts: Int
    /// The number of bytes before the first object.
    private let headerLength: Int
    /// The first object that cairo did not write.
    private let firstOwnObject: Int

    /// Reads the table of references. Returns `nil` unless the file has the form that cairo writes.
    init?(_ bytes: [UInt8]) {
        source = bytes
        let end = bytes.suffix(200)
        guard let start = Self.number(after: "startxref\n", in: end), let root = Self.number(after: "/Root ", in: end),
            let info = Self.number(after: "/Info ", in: end), start < bytes.count,
            let size = Self.number(after: "xref\n0 ", in: bytes[start...].prefix(40)),
            let first = Self.end(of: " f \n", in: bytes[start...]),
            first + 20 * (size - 1) <= bytes.count, root < size, info < size
        else { return nil }
        (catalog, facts) = (root, info)
        ranges = Array(repeating: nil, count: size)
        firstOwnObject = size
        var starts: [(offset: Int, object: Int)] = []
        for object in 1..<max(1, size) {
            let entry = bytes[(first + 20 * (object - 1))...].prefix(10)
            guard let offset = Int(String(decoding: entry, as: UTF8.self)), offset < start else { return nil }
            // cairo also lists objects that it did not write.
            if bytes[offset...].starts(with: "\(object) 0 obj".utf8) { starts.append((offset, object)) }
        }
        starts.sort { $0.offset < $1.offset }
        headerLength = starts.first?.offset ?? 0
        for (index, (offset, object)) in starts.enumerated() {
            ranges[object] = offset..<(index + 1 < starts.count ? starts[index + 1].offset : start)
        }
    }

    /// The place after the first occurrence of a label. Linear in the bytes before it.
    private static func end(of label: StaticString, in bytes: ArraySlice<UInt8>) -> Int? {
        // The standard library's search is generic and took a fifth of a book's time.
        let length = label.utf8CodeUnitCount
        var rest = bytes
        while let start = rest.firstIndex(of: label.bytes[0]), bytes.endIndex - start >= length {
            if bytes[start..<start + length].elementsEqual(label.bytes) { return start + length }
            rest = bytes[(start + 1)...]
        }
        return nil
    }

    private static func number(after label: StaticString, in bytes: ArraySlice<UInt8>) -> Int? {
        guard let place = end(of: label, in: bytes) else { return nil }
        let digits = bytes[place...].prefix(while: \.isASCIIDigit)
        return Int(String(decoding: digits, as: UTF8.self))
    }

    /// The contents of an object that is not a stream.
    private func contents(of object: Int) -> ArraySlice<UInt8> {
        guard ranges.indices.contains(object) else { return [] }
        guard let range = ranges[object] else { return Array((added[object] ?? "").utf8)[...] }
        return Self.end(of: " obj\n", in: source[range]).map { source[$0..<range.upperBound] } ?? []
    }

    private func text(of object: Int) -> String { String(decoding: contents(of: object), as: UTF8.self) }

    private func number(after label: StaticString, of object: Int) -> Int? {
        Self.number(after: label, in: contents(of: object))
    }

    private func references(after label: StaticString, of object: Int) -> [Int] {
        let contents = contents(of: object)
        guard let place = Self.end(of: label, in: contents) else { return [] }
        let words = contents[place...].prefix { $0 != 0x5D }.split { $0 == 0x20 || $0 == 0x0A }
        return words.indices.dropFirst(2).filter { words[$0].elementsEqual("R".utf8) }
            .compactMap { Int(String(decoding: words[$0 - 2], as: UTF8.self)) }
    }

    mutating func removeDate() { removeEntries(["/CreationDate"], of: facts) }

    /// Removes entries, each on a line of its own, and the end of the object.
    private mutating func removeEntries(_ names: [String], of object: Int) {
        let lines = text(of: object).utf8.split(separator: 0x0A).dropLast()
            .filter { line in !names.contains { line.starts(with: "   \($0)".utf8) } }
        replace(object, lines.map { String(Substring($0)) }.joined(separator: "\n"))
    }

    mutating func extendCatalog(_ entries: String) { extend(catalog, entries) }

    /// Adds entries to a dictionary.
    mutating func extend(_ object: Int, _ entries: String) {
        let text = text(of: object)
        guard let end = text.utf8.lastIndex(of: UInt8(ascii: ">")) else { return }
        replace(object, text[..<text.utf8.index(before: end)] + entries + ">>")
    }

    /// Makes what is outside of the structure an artifact (§14.8.2.2), and the order of links on pages that of the structure.
    mutating func finishPages() {
        for page in number(after: "/Pages ", of: catalog).map({ references(after: "/Kids [", of: $0) }) ?? [] {
            let content = number(after: "/Contents ", of: page) ?? 0
            extend(page, "/Tabs/S")
            let bytes = contents(of: content)
            guard let start = Self.end(of: "stream\n", in: bytes), let drawing = unpacked(bytes[start...]) else {
                continue
            }
            ranges[content] = nil
            streams[content] = ("", Self.markingArtifacts(in: drawing))
        }
    }

    private static func markingArtifacts(in drawing: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(drawing.count + drawing.count / 8)
        var (isContent, isArtifact) = (false, false)
        for line in drawing.split(separator: 0x0A) {
            if line.suffix(4).elementsEqual(" BDC".utf8) {
                if isArtifact { result += "EMC\n".utf8 }
                (isContent, isArtifact) = (true, false)
            } else if isContent {
                isContent = !line.elementsEqual("EMC".utf8)
            } else if !isArtifact {
                result += "/Artifact BMC\n".utf8
                isArtifact = true
            }
            result += line
            result.append(0x0A)
        }
        return isArtifact ? result + "EMC\n".utf8 : result
    }

    /// Adds a stream without compression. Returns its number.
    mutating func append(_ entries: String, _ contents: [UInt8]) -> Int {
        streams[ranges.count] = (entries, contents)
        ranges.append(nil)
        return ranges.count - 1
    }

    /// Removes the structure. Returns the contents of its elements, which are siblings; `nil` without a structure.
    mutating func removeStructure() -> [Content]? {
        guard let root = number(after: "/StructTreeRoot ", of: catalog),
            let parents = number(after: "/ParentTree ", of: root)
        else { return nil }
        var result: [Content] = []
        let elements = references(after: "/K [", of: root)
        for element in elements {
            let text = contents(of: element)
            let annotation = Self.number(after: "/Obj ", in: text)
            guard let page = Self.number(after: "/Pg ", in: text),
                let number = Self.number(after: annotation == nil ? "/K " : ">> ", in: text)
            else { return nil }
            // Links with rectangles have corners.
            let isOwn = annotation.map { Self.end(of: "/QuadPoints", in: contents(of: $0)) != nil } ?? true
            result.append(Content(page: page, number: number, annotation: annotation, isOwn: isOwn))
        }
        for object in elements + references(after: "/Nums [", of: parents) + [root, parents] {
            // The parents of a box are elements, those of a page's contents are a list of elements.
            if ranges.indices.contains(object) { ranges[object] = nil }
        }
        removeEntries(["/StructTreeRoot", "/MarkInfo"], of: catalog)
        return result
    }

    /// The key of a page or of a link's box among the parents of the structure.
    func parentKey(of object: Int) -> Int? {
        number(after: "/StructParents ", of: object) ?? number(after: "/StructParent ", of: object)
    }

    private mutating func replace(_ object: Int, _ text: String) {
        ranges[object] = nil
        added[object] = text
    }

    var nextObject: Int { ranges.count }

    mutating func append(_ text: String) {
        added[ranges.count] = text
        ranges.append(nil)
    }

    /// A text string (§7.9.2.2).
    static func string(_ text: String) -> String {
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) {
            return "(" + text.escaped { "()\\".unicodeScalars.contains($0) ? "\\\($0)" : nil } + ")"
        }
        func hex(_ unit: UInt16) -> String { String(String(0x10000 | Int(unit), radix: 16).dropFirst()) }
        return "<feff" + text.utf16.map(hex).joined() + ">"
    }

    /// The bytes of the file. Objects besides cairo's are in streams of objects (§7.5.7), and the references are a stream (§7.5.8).
    var bytes: [UInt8] {
        // A type, a place and an index for each object; the first one is free.
        var entries = Array(repeating: (type: UInt8(0), place: 0, index: 0), count: ranges.count)
        var result: [UInt8] = []
        result.reserveCapacity(source.count)
        let kept = ranges.enumerated().compactMap { object, range in range.map { (object: object, range: $0) } }
            .sorted { $0.range.lowerBound < $1.range.lowerBound }
        result += source[..<headerLength]
        for (object, range) in kept {
            entries[object] = (1, result.count, 0)
            result += source[range]
        }
        for (object, stream) in streams.sorted(by: { $0.key < $1.key }) {
            entries[object] = (1, result.count, 0)
            Self.append(stream.entries, stream.contents, object, isPacked: stream.entries.isEmpty, to: &result)
        }
        for (object, text) in added.sorted(by: { $0.key < $1.key }) where object < firstOwnObject {
            entries[object] = (1, result.count, 0)
            result += "\(object) 0 obj\n\(text)\nendobj\n".utf8
        }
        let numbers = added.keys.filter { $0 >= firstOwnObject }.sorted()
        for start in stride(from: 0, to: numbers.count, by: Self.objectsOfStream) {
            var (head, body) = ("", "")
            let stream = entries.count
            for (index, object) in numbers[start...].prefix(Self.objectsOfStream).enumerated() {
                head += "\(object) \(body.utf8.count) "
                body += (added[object] ?? "null") + "\n"
                entries[object] = (2, stream, index)
            }
            entries.append((1, result.count, 0))
            let count = min(Self.objectsOfStream, numbers.count - start)
            Self.append(
                "/Type/ObjStm/N \(count)/First \(head.utf8.count)", Array((head + body).utf8), stream, to: &result)
        }
        let place = result.count
        entries.append((1, place, 0))
        var table: [UInt8] = []
        for entry in entries {
            table.append(entry.type)
            for shift in [24, 16, 8, 0] { table.append(UInt8(truncatingIfNeeded: entry.place >> shift)) }
            for shift in [8, 0] { table.append(UInt8(truncatingIfNeeded: entry.index >> shift)) }
        }
        Self.append(
            "/Type/XRef/Size \(entries.count)/W[1 4 2]/Root \(catalog) 0 R/Info \(facts) 0 R", table, entries.count - 1,
            to: &result)
        result += "startxref\n\(place)\n%%EOF\n".utf8
        return result
    }

    private static let objectsOfStream = 200

    private static func append(
        _ entries: String, _ contents: [UInt8], _ object: Int, isPacked: Bool = true, to file: inout [UInt8]
    ) {
        let packed = isPacked ? Compressor(level: 6).packed(contents) : nil
        let (filter, bytes) = packed.map { ("/Filter/FlateDecode", $0) } ?? ("", contents)
        file += "\(object) 0 obj\n<<\(entries)\(filter)/Length \(bytes.count)>>\nstream\n".utf8
        file += bytes
        file += "\nendstream\nendobj\n".utf8
    }
}
