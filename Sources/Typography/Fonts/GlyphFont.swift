// Makes a TrueType font of outlines, for embedding in text files. Its characters have whatever outlines the caller provides
// (ligatures, letters with marks), so it needs no layout tables.

import FancyTextBasics

/// A TrueType font of outlines (OpenType 1.9). A cubic curve becomes several quadratic ones.
package struct GlyphFont {
    /// Units per em; outlines are in these units.
    package static let unitsPerEm: Float = 2048

    private struct Glyph {
        var data: [UInt8] = []
        var advance: Int
        var bounds = (minX: 0, minY: 0, maxX: 0, maxY: 0)
        var points = 0
        var contours = 0
    }

    private var glyphs: [Glyph]
    private var characters: [UInt32: UInt16] = [:]

    /// The index of a glyph without ink. Glyph 0 is the one for missing characters.
    package static let blank: UInt16 = 1

    package init() { glyphs = [Glyph(advance: Int(Self.unitsPerEm / 2)), Glyph(advance: 0)] }

    package var isEmpty: Bool { characters.isEmpty }

    package func glyph(for scalar: UInt32) -> UInt16? { characters[scalar] }

    package mutating func map(_ scalar: UInt32, to glyph: UInt16) { characters[scalar] = glyph }

    /// Adds an outline with its origin on the baseline, y down; nil when the font is full.
    package mutating func add(_ outline: Path, advance: Float) -> UInt16? {
        guard glyphs.count < Int(UInt16.max) else { return nil }
        glyphs.append(Self.glyph(outline, advance: max(0, min(65_000, Self.unit(advance)))))
        return UInt16(glyphs.count - 1)
    }

    private static func unit(_ value: Float) -> Int { Int(bounded: value.rounded(), by: 16_000) }

    // MARK: Outlines

    private struct OutlinePoint: Equatable {
        var x, y: Int
        var isOnCurve: Bool
    }

    private static func contours(_ outline: Path) -> [[OutlinePoint]] {
        var result: [[OutlinePoint]] = []
        var points: [OutlinePoint] = []
        var current = Point.zero
        func append(_ point: Point, isOnCurve: Bool = true) {
            let next = OutlinePoint(x: unit(point.x), y: unit(-point.y), isOnCurve: isOnCurve)
            if isOnCurve { current = point }
            if !isOnCurve || points.last != next { points.append(next) }
        }
        func finish() {
            // The contour is closed at its first point, so repetitions of it at the end are dropped.
            while points.count > 1, let last = points.last, last.isOnCurve, last == points[0] { points.removeLast() }
            if points.count > 1 { result.append(points) }
            points = []
        }
        for segment in outline.segments {
            switch segment {
            case .move(let point):
                finish()
                append(point)
            case .line(let point): append(point)
            case .quadratic(let control, let end):
                append(control, isOnCurve: false)
                append(end)
            case .cubic(let one, let other, let end):
                for curve in quadratics(current, one, other, end) {
                    append(curve.control, isOnCurve: false)
                    append(curve.end)
                }
            case .close: finish()
            }
        }
        finish()
        return result
    }

    /// Quadratic curves within half a unit of a cubic one; the error falls with the cube of their number (Sederberg).
    private static func quadratics(
        _ start: Point, _ one: Point, _ other: Point, _ end: Point
    ) -> [(control: Point, end: Point)] {
        let error = (end - other * 3 + one * 3 - start).length * 0.0481
        var count = 1
        while Float(count * count * count) * 0.5 < error, count < 8 { count += 1 }
        func point(_ t: Float) -> Point { .onCurve(at: t, start, one, other, end) }
        func slope(_ t: Float) -> Point { Point.onCurve(at: t, one - start, other - one, end - other) * 3 }
        return (0..<count).map { index in
            let (from, to) = (Float(index) / Float(count), Float(index + 1) / Float(count))
            let (a, b) = (point(from), index + 1 == count ? end : point(to))
            // The quadratic control point is the average of those that fit the part's two cubic control points.
            let step = (to - from) / 3
            return (((a + slope(from) * step + (b - slope(to) * step)) * 3 - a - b) / 4, b)
        }
    }

    private static func glyph(_ outline: Path, advance: Int) -> Glyph {
        var glyph = Glyph(advance: advance)
        let contours = contours(outline)
        let points = contours.flatMap { $0 }
        let (columns, rows) = (points.map(\.x), points.map(\.y))
        guard let minX = columns.min(), let minY = rows.min(), let maxX = columns.max(), let maxY = rows.max(),
            points.count < 0xFFFF
        else { return glyph }
        var bytes = FontBytes()
        bytes.put16(contours.count, minX, minY, maxX, maxY)
        var end = -1
        for contour in contours {
            end += contour.count
            bytes.put16(end)
        }
        bytes.put16(0)
        var (flags, xBytes, yBytes) = (FontBytes(), FontBytes(), FontBytes())
        var (x, y) = (0, 0)
        for point in points {
            var flag: UInt8 = point.isOnCurve ? 1 : 0
            /// Writes a coordinate difference as nothing, as one byte with its sign in the flags, or as two bytes.
            func put(_ distance: Int, _ target: inout FontBytes, short: UInt8, same: UInt8) {
                if distance == 0 {
                    flag |= same
                } else if abs(distance) < 256 {
                    flag |= short | (distance > 0 ? same : 0)
                    target.bytes.append(UInt8(abs(distance)))
                } else {
                    target.put16(distance)
                }
            }
            put(point.x - x, &xBytes, short: 2, same: 16)
            put(point.y - y, &yBytes, short: 4, same: 32)
            (x, y) = (point.x, point.y)
            flags.bytes.append(flag)
        }
        bytes.bytes += flags.bytes + xBytes.bytes + yBytes.bytes
        if bytes.bytes.count % 2 == 1 { bytes.bytes.append(0) }
        (glyph.data, glyph.bounds) = (bytes.bytes, (minX, minY, maxX, maxY))
        (glyph.points, glyph.contours) = (points.count, contours.count)
        return glyph
    }

    /// Adds several glyphs as one; places are offsets from the first one's origin in units, y down. nil when the font is full.
    package mutating func add(
        _ glyphs: [(glyph: UInt32, x: Float, y: Float)], of font: FontID, in fonts: FontContext
    ) -> UInt16? {
        let em = Self.unitsPerEm / max(fonts.metrics(font).size, 1e-3)
        var outline = Path()
        var advance: Float = 0
        for part in glyphs {
            outline.segments +=
                fonts.glyphOutline(font, part.glyph)
                .transformed(Transform(scaleX: em, scaleY: em, x: part.x, y: part.y)).segments
            advance += fonts.advance(of: part.glyph, font: font) * em
        }
        // cairo leaves out text without ink, and PDFium text without width, so the text of pictures has a line below it.
        if outline.isEmpty, !fonts.hasPlainOutlines(font) {
            outline.segments = [.move(.zero), .line(Point(x: advance, y: 0)), .line(Point(x: advance, y: 1)), .close]
        }
        return add(outline, advance: advance)
    }

    // MARK: The file

    /// The font's bytes; always the same for the same glyphs.
    package func file(named name: String) -> [UInt8] {
        let inked = glyphs.filter { !$0.data.isEmpty }
        let box = (
            minX: inked.map(\.bounds.minX).min() ?? 0, minY: inked.map(\.bounds.minY).min() ?? 0,
            maxX: inked.map(\.bounds.maxX).max() ?? 0, maxY: inked.map(\.bounds.maxY).max() ?? 0
        )
        let widest = glyphs.map(\.advance).max() ?? 0
        let (ascent, descent) = (Int(Self.unitsPerEm * 0.9), Int(Self.unitsPerEm * 0.25))

        var (glyphData, offsets, metrics) = (FontBytes(), FontBytes(), FontBytes())
        for glyph in glyphs {
            offsets.put32(glyphData.bytes.count)
            glyphData.bytes += glyph.data
            metrics.put16(glyph.advance, glyph.bounds.minX)
        }
        offsets.put32(glyphData.bytes.count)
        if glyphData.bytes.isEmpty { glyphData.bytes = [0, 0] }

        var head = FontBytes()
        head.put16(1, 0, 1, 0, 0, 0, 0x5F0F, 0x3CF5, 0b11, Int(Self.unitsPerEm))
        // The creation and modification times are zero, so that the bytes are always the same.
        head.put32(0, 0, 0, 0)
        head.put16(box.minX, box.minY, box.maxX, box.maxY, 0, 8, 2, 1, 0)

        var horizontal = FontBytes()
        horizontal.put32(0x10000)
        horizontal.put16(ascent, -descent, 0, widest, box.minX, 0, box.maxX, 1, 0, 0, 0, 0, 0, 0, 0, glyphs.count)

        var profile = FontBytes()
        profile.put32(0x10000)
        profile.put16(glyphs.count, inked.map(\.points).max() ?? 0, inked.map(\.contours).max() ?? 0)
        profile.put16(0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0)

        let map = characters.map { (scalar: $0.key, glyph: UInt32($0.value)) }.sorted { $0.scalar < $1.scalar }
        var windows = FontBytes()
        windows.put16(4, widest / 2, 400, 5, 0, 650, 600, 0, 75, 650, 600, 0, 350, 50, 300, 0)
        windows.bytes += [UInt8](repeating: 0, count: 26) + Array("NONE".utf8)
        let range = (Int(map.first?.scalar ?? 0), Int(map.last?.scalar ?? 0))
        windows.put16(0x40, min(0xFFFF, range.0), min(0xFFFF, range.1), ascent, -descent, 0, ascent, descent)
        windows.put32(1, 0)
        windows.put16(Int(Self.unitsPerEm / 2), Int(Self.unitsPerEm * 0.7), 0, 0x20, 1)

        var post = FontBytes()
        post.put32(0x30000, 0, 0, 0, 0, 0, 0, 0)

        return FontBytes.file([
            ("OS/2", windows.bytes), ("cmap", Self.characterMap(map)), ("glyf", glyphData.bytes), ("head", head.bytes),
            ("hhea", horizontal.bytes), ("hmtx", metrics.bytes), ("loca", offsets.bytes), ("maxp", profile.bytes),
            ("name", Self.names(name)), ("post", post.bytes),
        ])
    }

    /// Family, style, identifier, full and PostScript name.
    private static func names(_ name: String) -> [UInt8] {
        let all = [(1, name), (2, "Regular"), (3, name), (4, name), (5, "Version 1"), (6, name)]
        var (records, text) = (FontBytes(), FontBytes())
        records.put16(0, all.count, 6 + 12 * all.count)
        for (kind, value) in all {
            let start = text.bytes.count
            for unit in value.utf16 { text.put16(Int(unit)) }
            records.put16(3, 1, 0x409, kind, text.bytes.count - start, start)
        }
        return records.bytes + text.bytes
    }

    /// The `cmap` table: format 4 for characters of the basic plane, format 12 for all.
    private static func characterMap(_ map: [(scalar: UInt32, glyph: UInt32)]) -> [UInt8] {
        /// Runs in which both characters and glyphs are consecutive.
        func runs(_ map: some Sequence<(scalar: UInt32, glyph: UInt32)>) -> [(first: Int, last: Int, glyph: Int)] {
            var result: [(first: Int, last: Int, glyph: Int)] = []
            for entry in map {
                let (scalar, glyph) = (Int(entry.scalar), Int(entry.glyph))
                if let run = result.last, scalar == run.last + 1, glyph == run.glyph + scalar - run.first {
                    result[result.count - 1].last = scalar
                } else {
                    result.append((scalar, scalar, glyph))
                }
            }
            return result
        }
        let basic = runs(map.lazy.filter { $0.scalar < 0xFFFF }) + [(0xFFFF, 0xFFFF, 0)]
        let all = runs(map)
        let basicLength = 16 + 8 * basic.count
        var bytes = FontBytes()
        bytes.put16(0, 2)
        for (encoding, offset) in [(1, 20), (10, 20 + basicLength)] {
            bytes.put16(3, encoding)
            bytes.put32(offset)
        }
        bytes.put16(4, basicLength, 0, 2 * basic.count)
        bytes.putSearchFields(basic.count, unit: 2)
        for run in basic { bytes.put16(run.last) }
        bytes.put16(0)
        for run in basic { bytes.put16(run.first) }
        for run in basic { bytes.put16(run.first == 0xFFFF ? 1 : run.glyph - run.first) }
        for _ in basic { bytes.put16(0) }
        bytes.put16(12, 0)
        bytes.put32(16 + 12 * all.count, 0, all.count)
        for run in all { bytes.put32(run.first, run.last, run.glyph) }
        return bytes.bytes
    }
}

/// Big-endian numbers, as in font files.
struct FontBytes {
    var bytes: [UInt8] = []

    mutating func put16(_ values: Int...) {
        for value in values {
            bytes.append(UInt8(truncatingIfNeeded: value >> 8))
            bytes.append(UInt8(truncatingIfNeeded: value))
        }
    }

    mutating func put32(_ values: Int...) { for value in values { put16(value >> 16, value) } }

    /// Writes the fields for a binary search: the largest power of two, its exponent, the rest (the first and last times `unit`).
    mutating func putSearchFields(_ count: Int, unit: Int) {
        let exponent = Int.bitWidth - 1 - max(1, count).leadingZeroBitCount
        let power = 1 << exponent
        put16(power * unit, exponent, (count - power) * unit)
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum: UInt32 = 0
        for start in stride(from: 0, to: bytes.count, by: 4) {
            var word: UInt32 = 0
            for place in start..<start + 4 { word = word << 8 | (place < bytes.count ? UInt32(bytes[place]) : 0) }
            sum &+= word
        }
        return sum
    }

    /// A font file of tables, sorted by their names.
    static func file(
        _ tables: [(tag: String, bytes: [UInt8])], version: Int = 0x10000, hasChecksums: Bool = true
    ) -> [UInt8] {
        var directory = FontBytes()
        directory.put32(version)
        directory.put16(tables.count)
        directory.putSearchFields(tables.count, unit: 16)
        var (data, headPlace) = ([UInt8](), 0)
        let start = 12 + 16 * tables.count
        for (tag, bytes) in tables {
            if tag == "head" { headPlace = start + data.count }
            directory.bytes += Array(tag.utf8)
            directory.put32(hasChecksums ? Int(checksum(bytes)) : 0, start + data.count, bytes.count)
            data += bytes
            while data.count % 4 != 0 { data.append(0) }
        }
        var file = directory.bytes + data
        guard hasChecksums else { return file }
        let adjustment = 0xB1B0_AFBA &- checksum(file)
        let place = headPlace + 8
        withUnsafeBytes(of: adjustment.bigEndian) { file.replaceSubrange(place..<place + 4, with: $0) }
        return file
    }
}
