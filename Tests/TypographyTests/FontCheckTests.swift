// Fonts that would be costly or are inconsistent are refused before a library reads them.

import Foundation
import FancyTextTestSupport
import Testing

@testable import FancyTextTypography

@Suite struct FontCheckTests {
    private func refusal(_ file: [UInt8]) -> String? {
        do throws(FontProblem) {
            _ = try FontCheck.checked(file)
            return nil
        } catch {
            return error.description
        }
    }

    private func bytes(_ values: [Int]) -> [UInt8] {
        var out = FontBytes()
        for value in values { out.put16(value) }
        return out.bytes
    }

    /// A font whose glyphs are the given ones, with further tables.
    private func font(_ glyphs: [[UInt8]], _ more: [(String, [UInt8])] = []) -> [UInt8] {
        var (glyf, loca) = (FontBytes(), FontBytes())
        for glyph in glyphs {
            loca.put32(glyf.bytes.count)
            glyf.bytes += glyph
        }
        loca.put32(glyf.bytes.count)
        let tables: [(String, [UInt8])] = [
            ("glyf", glyf.bytes),
            ("head", bytes([1, 0, 1, 0, 0, 0, 0x5F0F, 0x3CF5, 0, 1000] + Array(repeating: 0, count: 15) + [1, 0])),
            ("hhea", bytes(Array(repeating: 0, count: 17) + [1])), ("hmtx", bytes([500, 0])), ("loca", loca.bytes),
            ("maxp", bytes([1, 0, glyphs.count] + Array(repeating: 0, count: 13))),
        ]
        return FontBytes.file((tables + more).sorted { $0.0 < $1.0 }.map { (tag: $0.0, bytes: $0.1) })
    }

    private func composite(_ parts: [Int]) -> [UInt8] {
        let components = parts.enumerated().flatMap { [$0.offset + 1 < parts.count ? 0x20 : 0, $0.element, 0] }
        return bytes([0xFFFF, 0, 0, 0, 0] + components)
    }

    @Test(arguments: ["plain.ttf", "cubic.otf", "varying.otf"]) func wholeFontsPass(_ name: String) throws {
        let file = [UInt8](try Data(contentsOf: TestPaths.fixtures.appendingPathComponent("fuzz/fonts/" + name)))
        let checked = try FontCheck.checked(file)
        #expect(try FontCheck.checked(checked) == checked)
        #expect(checked.count <= file.count)
    }

    @Test func glyphsOfGlyphsAreCounted() {
        #expect(refusal(font([[], composite([0, 0])])) == nil)
        #expect(refusal(font([[], composite([1])]))?.contains("circle") == true)
        #expect(refusal(font([[], composite([9])]))?.contains("not there") == true)
        let deep = (1...20).map { composite([$0 - 1]) }
        #expect(refusal(font([[]] + deep))?.contains("too deeply") == true)
        // Four levels of fifty.
        let wide = (1...4).map { composite(Array(repeating: $0 - 1, count: 50)) }
        #expect(refusal(font([[]] + wide))?.contains("too many others") == true)
    }

    /// As in WOFF2 files that FreeType unpacked.
    @Test func endOfTheLastGlyphMayBeToldWrongly() {
        func refusal(movingPlace number: Int) -> String? {
            var file = font([[], composite([0]), composite([0])])
            let entry = 12 + 16 * 4 + 8
            let loca = file[entry..<entry + 4].reduce(0) { $0 << 8 | Int($1) }
            file[loca + 4 * number + 1] = 1
            return self.refusal(file)
        }
        #expect(refusal(movingPlace: 3) == nil)
        #expect(refusal(movingPlace: 2)?.contains("places") == true)
    }

    @Test func tablesAreLookedOver() {
        var file = font([[], composite([0])])
        #expect(refusal(Array(file.prefix(100))) != nil)
        #expect(refusal(font([bytes([2, 0, 0, 0, 0, 5, 3, 0])]))?.contains("contours") == true)
        #expect(refusal(font([bytes([2, 0, 0, 0, 0, 5])])) != nil)
        #expect(refusal(Array("no font at all".utf8)) != nil)
        // Two tables at the same offset.
        for index in 0..<4 { file[12 + 16 + 8 + index] = file[12 + 8 + index] }
        #expect(refusal(file) != nil)
        let unknown = font([[]], [("zzzz", bytes([1]))])
        #expect((try? FontCheck.checked(unknown))?.count == (try? FontCheck.checked(font([[]])))?.count)
    }

    @Test func picturesAndLayersAreBounded() {
        func picture(_ side: Int) -> [UInt8] { bytes([0, 0]) + Array("IHDR".utf8) + bytes([0, side, 0, side]) }
        #expect(refusal(font([[]], [("sbix", picture(160))])) == nil)
        #expect(refusal(font([[]], [("sbix", picture(20_000))]))?.contains("picture") == true)
        #expect(refusal(font([[]], [("CBDT", picture(0x7FFF))]))?.contains("picture") == true)
        func layers(_ count: Int) -> [UInt8] { bytes([0, 1, 0, 14, 0, 20, count, 0, 0, count]) }
        #expect(refusal(font([[]], [("COLR", layers(12))])) == nil)
        #expect(refusal(font([[]], [("COLR", layers(60_000))]))?.contains("layers") == true)
    }

    // MARK: CFF

    private func index(_ items: [[UInt8]]) -> [UInt8] {
        guard !items.isEmpty else { return [0, 0] }
        var out = bytes([items.count]) + [2]
        var end = 1
        out += bytes([end])
        for item in items {
            end += item.count
            out += bytes([end])
        }
        return out + items.joined()
    }

    /// A font with one glyph and subroutines; a call of the n-th one is `[UInt8(32 + n), 29]`.
    private func cubic(_ glyph: [UInt8], _ subroutines: [[UInt8]]) -> [UInt8] {
        let head: [UInt8] = [1, 0, 4, 2] + index([Array("X".utf8)])
        let rest = index([]) + index(subroutines)
        // The dictionary has a number of three bytes and an operator.
        let start = head.count + index([[0, 0, 0, 17]]).count + rest.count
        let table = head + index([[28] + bytes([start]) + [17]]) + rest + index([glyph])
        return font([[]], [("CFF ", table)])
    }

    @Test func subroutinesAreCounted() {
        #expect(refusal(cubic([139, 139, 21, 14], [])) == nil)
        #expect(refusal(cubic([32, 29, 14], [[139, 139, 21, 11]])) == nil)
        #expect(refusal(cubic([40, 29, 14], [[11]]))?.contains("not there") == true)
        #expect(refusal(cubic([32, 29, 14], [[32, 29, 11]]))?.contains("too deeply") == true)
        // Eight levels, each of which calls the next one ten times.
        func level(_ next: UInt8) -> [UInt8] { Array(repeating: [next, 29], count: 10).joined() + [11] }
        let levels = (33...40).map { level(UInt8($0)) } + [[11]]
        #expect(refusal(cubic([32, 29, 14], levels))?.contains("too many steps") == true)
    }

    /// The same for a CFF2 table, with one list of two variations.
    private func variable(_ glyph: [UInt8], _ subroutines: [[UInt8]]) -> [UInt8] {
        func index4(_ items: [[UInt8]]) -> [UInt8] { [0, 0] + index(items) }
        // Three numbers of three bytes, their operators, of which one has two bytes.
        let topLength = 13
        let globals = index4(subroutines)
        let start = 5 + topLength + globals.count
        let glyphs = index4([glyph])
        let fonts = index4([[]])
        let store = bytes([26, 1, 0, 12, 1, 0, 16]) + bytes([2, 0]) + bytes([0, 0, 2, 0, 1])
        let top =
            [28] + bytes([start]) + [17, 28] + bytes([start + glyphs.count]) + [12, 36, 28]
            + bytes([start + glyphs.count + fonts.count]) + [24]
        return font([[]], [("CFF2", [2, 0, 5] + bytes([topLength]) + top + globals + glyphs + fonts + store)])
    }

    @Test func varyingGlyphsAreCounted() {
        // A move by 0 and 0, of which the first varies by 1 and 2.
        #expect(refusal(variable([139, 140, 141, 140, 16, 139, 21], [])) == nil)
        #expect(refusal(variable([139, 141, 140, 16, 139, 21], []))?.contains("broken") == true)
        #expect(refusal(variable([140, 15, 139, 140, 141, 140, 16], []))?.contains("broken") == true)
        // The number of the called subroutine, after the variations were removed.
        #expect(refusal(variable([32, 140, 141, 140, 16, 29], [[139, 139, 21]])) == nil)
        #expect(refusal(variable([32, 29], [[32, 29]]))?.contains("too deeply") == true)
        func level(_ next: UInt8) -> [UInt8] { Array(Array(repeating: [next, 29], count: 10).joined()) }
        let levels = (33...40).map { level(UInt8($0)) } + [[]]
        #expect(refusal(variable([32, 29], levels))?.contains("too many steps") == true)
    }
}
