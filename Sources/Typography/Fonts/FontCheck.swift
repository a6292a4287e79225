// Checks the tables of a document's own font file that will be read, before a library parses them. FreeType and HarfBuzz check
// their input, but small files can still cause much work; these and contradictory ones are refused.

package struct FontProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
    static let brokenCFF = FontProblem("its CFF table is broken")

    init(_ description: String) { self.description = description }
}

package enum FontCheck {
    /// Limits on a glyph's components, including nested ones, and on their depth.
    static let mostComponents = 2_000
    static let deepestComponents = 8
    /// Limits on a CFF glyph's operators, including its subroutines, and on their depth.
    static let mostOperators = 50_000
    static let deepestSubroutines = 10
    /// The largest width and height of a glyph's picture in pixels.
    static let widestPicture = 2_048
    /// The most layers of a coloured glyph.
    static let mostLayers = 512

    private static let known: Set<String> = [
        "BASE", "CBDT", "CBLC", "CFF ", "CFF2", "COLR", "CPAL", "GDEF", "GPOS", "GSUB", "HVAR", "MATH", "MVAR", "OS/2",
        "STAT", "SVG ", "VORG", "VVAR", "avar", "cmap", "cvar", "cvt ", "fpgm", "fvar", "gasp", "glyf", "gvar", "head",
        "hhea", "hmtx", "kern", "loca", "maxp", "name", "post", "prep", "sbix", "vhea", "vmtx",
    ]

    /// A copy of an uncompressed TrueType or OpenType file, or the first font of a collection, with only the known tables. Linear.
    package static func checked(_ file: [UInt8]) throws(FontProblem) -> [UInt8] {
        let whole = FontTable(file: file, range: 0..<file.count)
        var base = 0
        if whole.number(0, 4) == 0x7474_6366 { base = whole.number(12, 4) ?? file.count }
        guard let version = whole.number(base, 4), [0x0001_0000, 0x7472_7565, 0x4F54_544F].contains(version),
            let count = whole.number(base + 4, 2), (1...512).contains(count)
        else { throw FontProblem("it is not a font") }
        var tables: [String: FontTable] = [:]
        var order: [String] = []
        var sum = 0
        for entry in 0..<count {
            let at = base + 12 + 16 * entry
            guard let start = whole.number(at + 8, 4), let length = whole.number(at + 12, 4),
                start + length <= file.count
            else { throw FontProblem("a table reaches beyond its end") }
            let tag = String(decoding: file[at..<at + 4], as: UTF8.self)
            guard known.contains(tag) else { continue }
            guard tables[tag] == nil else { throw FontProblem("a table is there twice") }
            sum += length
            tables[tag] = FontTable(file: file, range: start..<start + length)
            order.append(tag)
        }
        guard sum <= file.count else { throw FontProblem("its tables overlap") }
        let glyphs = try glyphCount(tables)
        if let glyf = tables["glyf"], let loca = tables["loca"], let head = tables["head"] {
            let isLong = head.number(50, 2) == 1
            try CompositeCheck(glyf: glyf, loca: loca, isLong: isLong, glyphs: glyphs).run()
        }
        for (tag, isVariable) in [("CFF ", false), ("CFF2", true)] {
            guard let cff = tables[tag] else { continue }
            var check = try CharstringCheck(cff, isVariable: isVariable)
            try check.run(glyphs: glyphs)
        }
        try checkPictures(tables)
        try checkLayers(tables["COLR"])
        let kept = order.sorted().compactMap { tag in tables[tag].map { (tag: tag, bytes: Array($0.bytes)) } }
        return FontBytes.file(kept, version: version, hasChecksums: false)
    }

    private static func glyphCount(_ tables: [String: FontTable]) throws(FontProblem) -> Int {
        guard let head = tables["head"], head.count >= 54, let units = head.number(18, 2), (16...16384).contains(units),
            let maxp = tables["maxp"], let glyphs = maxp.number(4, 2), glyphs > 0
        else { throw FontProblem("its head or its profile is broken") }
        for (header, metrics) in [("hhea", "hmtx"), ("vhea", "vmtx")] {
            guard let header = tables[header] else { continue }
            guard header.count >= 36, let long = header.number(34, 2), (1...glyphs).contains(long),
                let metrics = tables[metrics], metrics.count >= 4 * long
            else { throw FontProblem("its metrics are broken") }
        }
        guard tables["hhea"] != nil else { throw FontProblem("it has no metrics") }
        guard tables["glyf"] == nil || tables["loca"] != nil
        else { throw FontProblem("nothing tells where its glyphs are") }
        return glyphs
    }

    /// Checks the PNG files in sbix and CBDT: the width and height in each header.
    private static func checkPictures(_ tables: [String: FontTable]) throws(FontProblem) {
        for tag in ["sbix", "CBDT"] {
            guard let table = tables[tag] else { continue }
            var at = 0
            while let found = table.find(0x49, from: at) {
                at = found + 1
                guard table.number(found, 4) == 0x4948_4452 else { continue }
                guard let width = table.number(found + 4, 4), let height = table.number(found + 8, 4),
                    width <= widestPicture, height <= widestPicture
                else { throw FontProblem("a picture in it is too large") }
            }
        }
    }

    private static func checkLayers(_ table: FontTable?) throws(FontProblem) {
        guard let table, let count = table.number(2, 2), let start = table.number(4, 4) else { return }
        for record in 0..<count {
            guard let layers = table.number(start + 6 * record + 4, 2)
            else { throw FontProblem("its layers of colours are broken") }
            guard layers <= mostLayers else { throw FontProblem("a glyph has too many layers") }
        }
    }
}

/// TrueType outlines (OpenType, glyf): offsets, contours and the components of composite glyphs.
private struct CompositeCheck {
    let glyf, loca: FontTable
    let isLong: Bool
    let glyphs: Int

    func run() throws(FontProblem) {
        var components: [Int: [Int]] = [:]
        var start = try place(0)
        for glyph in 0..<glyphs {
            var end = try place(glyph + 1)
            // The last offset of a WOFF2 file's glyphs, which FreeType computes itself, may be too large.
            if glyph == glyphs - 1 { end = min(end, glyf.count) }
            guard start <= end, let outline = glyf.part(start, end - start)
            else { throw FontProblem("the places of its glyphs are broken") }
            if outline.count > 0 {
                guard let contours = outline.signed(0), outline.count >= 10
                else { throw FontProblem("a glyph ends early") }
                if contours < 0 { components[glyph] = try parts(outline) } else { try checkContours(outline, contours) }
            }
            start = end
        }
        var sizes: [Int: (count: Int, levels: Int)] = [:]
        for glyph in components.keys { _ = try size(glyph, components, &sizes, depth: 0) }
    }

    private func place(_ glyph: Int) throws(FontProblem) -> Int {
        guard let place = isLong ? loca.number(4 * glyph, 4) : loca.number(2 * glyph, 2).map({ 2 * $0 })
        else { throw FontProblem("the places of its glyphs end early") }
        return place
    }

    private func checkContours(_ outline: FontTable, _ count: Int) throws(FontProblem) {
        var last = -1
        for contour in 0..<count {
            guard let end = outline.number(10 + 2 * contour, 2), end > last
            else { throw FontProblem("the contours of a glyph are broken") }
            last = end
        }
        guard count == 0 || outline.number(10 + 2 * count, 2) != nil else { throw FontProblem("a glyph ends early") }
    }

    private func parts(_ outline: FontTable) throws(FontProblem) -> [Int] {
        var result: [Int] = []
        var at = 10
        while true {
            guard let flags = outline.number(at, 2), let glyph = outline.number(at + 2, 2), glyph < glyphs
            else { throw FontProblem("a glyph is made of one that is not there") }
            result.append(glyph)
            // The flags decide the size of the arguments and of a scale, two scales or a matrix, and if more components follow.
            at += 4 + (flags & 0x1 != 0 ? 4 : 2)
            at += flags & 0x8 != 0 ? 2 : flags & 0x40 != 0 ? 4 : flags & 0x80 != 0 ? 8 : 0
            if flags & 0x20 == 0 { return result }
        }
    }

    /// Returns the number of glyphs that make up a glyph, and their depth; the result does not depend on the order of calls.
    private func size(
        _ glyph: Int, _ components: [Int: [Int]], _ sizes: inout [Int: (count: Int, levels: Int)], depth: Int
    ) throws(FontProblem) -> (count: Int, levels: Int) {
        guard let parts = components[glyph] else { return (1, 0) }
        if let known = sizes[glyph] { return known }
        let tooDeep = FontProblem("glyphs are made of glyphs too deeply, or in a circle")
        guard depth < FontCheck.deepestComponents else { throw tooDeep }
        var (count, levels) = (1, 1)
        for part in parts {
            let inner = try size(part, components, &sizes, depth: depth + 1)
            count += inner.count
            levels = max(levels, inner.levels + 1)
            guard levels <= FontCheck.deepestComponents else { throw tooDeep }
            guard count <= FontCheck.mostComponents else { throw FontProblem("a glyph is made of too many others") }
        }
        sizes[glyph] = (count, levels)
        return (count, levels)
    }
}

/// CFF outlines (Adobe Technical Notes 5176 and 5177, OpenType's CFF2): each glyph's program is run to count its operators.
private struct CharstringCheck {
    private let table: FontTable
    private let programs, globals: [FontTable]
    private let countSize: Int
    /// A font of the file: its subroutines, and the initial variation list of its programs.
    private typealias Part = (subroutines: [FontTable], variations: Int)
    private var parts: [Part] = []
    /// The index of each glyph's font, if there are several.
    private var selection: [Int] = []
    /// For each variation list, the number of deltas for each varying number.
    private var regions: [Int] = []
    private var left = 0

    /// - Parameter isVariable: True for a CFF2 table: counts have four bytes, and numbers may vary.
    init(_ table: FontTable, isVariable: Bool) throws(FontProblem) {
        self.table = table
        countSize = isVariable ? 4 : 2
        guard var at = table.number(2, 1) else { throw .brokenCFF }
        var top: FontTable?
        if isVariable {
            guard table.number(0, 1) == 2, let length = table.number(3, 2) else { throw .brokenCFF }
            top = table.part(at, length)
            at += length
        } else {
            _ = try table.index(&at, countSize)
            top = try table.index(&at, countSize).first
            _ = try table.index(&at, countSize)
        }
        globals = try table.index(&at, countSize)
        guard let dictionary = top?.dictionary, var place = dictionary[17]?.first else { throw .brokenCFF }
        programs = try table.index(&place, countSize)
        if var place = dictionary[1236]?.first {
            for font in try table.index(&place, countSize) { parts.append(try part(font.dictionary)) }
        } else if !isVariable {
            parts = [try part(dictionary)]
        }
        guard !parts.isEmpty else { throw .brokenCFF }
        if let place = dictionary[1237]?.first {
            selection = try table.selection(at: place, glyphs: programs.count, fonts: parts.count)
        } else if !isVariable, dictionary[1236] != nil {
            throw .brokenCFF
        }
        if let place = dictionary[24]?.first, isVariable { regions = try table.regions(at: place + 2) }
    }

    mutating func run(glyphs: Int) throws(FontProblem) {
        guard programs.count >= glyphs else { throw .brokenCFF }
        // Subroutines make programs shorter, but there must be a limit.
        var all = 1_000_000 + 32 * table.count
        for (glyph, program) in programs.enumerated() {
            left = min(all, FontCheck.mostOperators)
            let most = left
            var state = State(font: parts[selection.isEmpty ? 0 : selection[glyph]])
            _ = try run(program, &state, depth: 0)
            all -= most - left
        }
    }

    private func part(_ dictionary: [Int: [Int]]) throws(FontProblem) -> Part {
        guard let entry = dictionary[18], entry.count == 2 else { return ([], 0) }
        guard let data = table.part(entry[1], entry[0]) else { throw .brokenCFF }
        let own = data.dictionary
        guard let offset = own[19]?.first else { return ([], own[22]?.first ?? 0) }
        var at = entry[1] + offset
        return (try table.index(&at, countSize), own[22]?.first ?? 0)
    }

    // MARK: Programs

    private struct State {
        var font: Part
        var stack: [Int] = []
        var stems = 0
    }

    /// Runs a program; false when the glyph ends.
    private mutating func run(_ program: FontTable, _ state: inout State, depth: Int) throws(FontProblem) -> Bool {
        guard depth <= FontCheck.deepestSubroutines
        else { throw FontProblem("its subroutines call each other too deeply") }
        var at = 0
        while let first = program.number(at, 1) {
            at += 1
            if let number = program.shortNumber(first, &at) {
                state.stack.append(number)
            } else if first == 255 {
                state.stack.append(program.signed(at) ?? 0)
                at += 4
            } else {
                left -= 1
                guard left > 0 else { throw FontProblem("a glyph takes too many steps") }
                switch first {
                case 10, 29:
                    let list = first == 10 ? state.font.subroutines : globals
                    let bias = list.count < 1240 ? 107 : list.count < 33900 ? 1131 : 32768
                    guard let number = state.stack.popLast(), list.indices.contains(number + bias)
                    else { throw FontProblem("a glyph calls a subroutine that is not there") }
                    if try !run(list[number + bias], &state, depth: depth + 1) { return false }
                case 11: return true
                case 14: return false
                case 15: state.font.variations = state.stack.popLast() ?? 0
                case 16:
                    // The stack has the numbers, the deltas of each in each region, and the count of the numbers.
                    guard regions.indices.contains(state.font.variations), let count = state.stack.popLast(),
                        count >= 0,
                        count * (regions[state.font.variations] + 1) <= state.stack.count
                    else { throw .brokenCFF }
                    state.stack.removeLast(count * regions[state.font.variations])
                case 1, 3, 18, 19, 20, 23:
                    state.stems += state.stack.count / 2
                    state.stack.removeAll(keepingCapacity: true)
                    // A mask of the stems follows.
                    if first == 19 || first == 20 { at += (state.stems + 7) / 8 }
                case 12:
                    let second = program.number(at, 1) ?? 0
                    at += 1
                    // Arithmetic could compute the number of a called subroutine; real fonts only use division and flexes.
                    switch second {
                    case 12:
                        guard let divisor = state.stack.popLast(), let value = state.stack.popLast()
                        else { throw .brokenCFF }
                        state.stack.append(divisor == 0 ? 0 : value / divisor)
                    case 34...37: state.stack.removeAll(keepingCapacity: true)
                    default: throw FontProblem("a glyph computes")
                    }
                default: state.stack.removeAll(keepingCapacity: true)
                }
            }
            guard state.stack.count <= 513 else { throw .brokenCFF }
        }
        return true
    }
}

/// The structures of a CFF table.
extension FontTable {
    /// The items of an index; the place after it is at `at`.
    fileprivate func index(_ at: inout Int, _ countSize: Int) throws(FontProblem) -> [FontTable] {
        guard let count = number(at, countSize) else { throw .brokenCFF }
        at += countSize
        guard count > 0 else { return [] }
        guard let size = number(at, 1), (1...4).contains(size), var start = number(at + 1, size)
        else { throw .brokenCFF }
        at += 1
        let data = at + (count + 1) * size - 1
        var result: [FontTable] = []
        for item in 1...count {
            guard let end = number(at + item * size, size), start >= 1, start <= end,
                let part = part(data + start, end - start)
            else { throw .brokenCFF }
            result.append(part)
            start = end
        }
        at = data + start
        return result
    }

    /// The operands by operator; operators of two bytes are numbered from 1200.
    fileprivate var dictionary: [Int: [Int]] {
        var result: [Int: [Int]] = [:]
        var operands: [Int] = []
        var at = 0
        while let first = number(at, 1) {
            at += 1
            switch first {
            case 0...24:
                var name = first
                if first == 12 {
                    name = 1200 + (number(at, 1) ?? 0)
                    at += 1
                }
                result[name] = operands
                operands = []
            case 29:
                operands.append(Int(Int32(truncatingIfNeeded: number(at, 4) ?? 0)))
                at += 4
            case 30:
                // A decimal number, in half bytes that end with the value 15.
                while let byte = number(at, 1) {
                    at += 1
                    if byte & 15 == 15 || byte >> 4 == 15 { break }
                }
                operands.append(0)
            default: if let number = shortNumber(first, &at) { operands.append(number) }
            }
        }
        return result
    }

    /// The number of up to three bytes that begins with `first`; nil for other bytes. The rest is at `at`.
    fileprivate func shortNumber(_ first: Int, _ at: inout Int) -> Int? {
        switch first {
        case 28:
            at += 2
            return signed(at - 2) ?? 0
        case 32...246: return first - 139
        case 247...254:
            let next = number(at, 1) ?? 0
            at += 1
            return first < 251 ? (first - 247) * 256 + next + 108 : -(first - 251) * 256 - next - 108
        default: return nil
        }
    }

    /// The index of each glyph's font.
    fileprivate func selection(at start: Int, glyphs: Int, fonts: Int) throws(FontProblem) -> [Int] {
        var result: [Int] = []
        switch number(start, 1) {
        case 0: result = (0..<glyphs).map { number(start + 1 + $0, 1) ?? fonts }
        case 3:
            for range in 0..<(number(start + 1, 2) ?? 0) {
                let place = start + 3 + 3 * range
                guard let first = number(place, 2), let font = number(place + 2, 1), let next = number(place + 3, 2),
                    first == result.count, next >= first, next <= glyphs
                else { throw .brokenCFF }
                result += Array(repeating: font, count: next - first)
            }
        default: throw .brokenCFF
        }
        guard result.count == glyphs, result.allSatisfy({ $0 < fonts }) else { throw .brokenCFF }
        return result
    }

    /// The number of regions of each list of an item variation store (OpenType, font variations common formats).
    fileprivate func regions(at store: Int) throws(FontProblem) -> [Int] {
        guard let count = number(store + 6, 2) else { throw .brokenCFF }
        return try (0..<count).map { list throws(FontProblem) in
            guard let offset = number(store + 8 + 4 * list, 4), let regions = number(store + offset + 4, 2)
            else { throw .brokenCFF }
            return regions
        }
    }
}
