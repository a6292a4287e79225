// Repeated and concurrent renderings give the same bytes.

import Foundation
import FancyTextTestSupport
import Testing

@testable import FancyText

@Suite struct DeterminismTests {
    private static let files = [
        "gallery/chat.html", "gallery/neon.html", "gallery/social-card.html", "gallery/table.html",
    ]

    private static func render(_ bytes: [UInt8], with renderer: Renderer, _ parser: MarkupParser) throws -> [UInt8] {
        var document = parser.parse(bytes, name: "page")
        var options = RenderOptions()
        options.width = .pixels(500)
        return try renderer.png(&document, options)
    }

    @Test(arguments: files)
    func warmAndColdRendererAgree(_ name: String) throws {
        let bytes = Array(try Data(contentsOf: TestPaths.fixtures.appendingPathComponent(name)))
        let parser = MarkupParser()
        let warm = Renderer()
        let first = try Self.render(bytes, with: warm, parser)
        // Rendering another document in between must not change the result.
        _ = try Self.render(Array("<p style='text-shadow:0 0 9px red'>other".utf8), with: warm, parser)
        #expect(try Self.render(bytes, with: warm, parser) == first)
        #expect(try Self.render(bytes, with: Renderer(), parser) == first)
    }

    @Test func eightAtOnceAgree() async throws {
        let pages = try Self.files.map {
            Array(try Data(contentsOf: TestPaths.fixtures.appendingPathComponent($0)))
        }
        let parser = MarkupParser()
        let expected = try pages.map { try Self.render($0, with: Renderer(), parser) }
        try await withThrowingTaskGroup(of: [[UInt8]].self) { group in
            for task in 0..<8 {
                group.addTask {
                    let renderer = Renderer()
                    var results = [[UInt8]](repeating: [], count: pages.count)
                    // Each task renders in a different order.
                    for step in pages.indices {
                        let index = (step + task) % pages.count
                        results[index] = try Self.render(pages[index], with: renderer, parser)
                    }
                    return results
                }
            }
            for try await results in group { #expect(results == expected) }
        }
    }

    /// Many small documents, so that all phases of rendering overlap.
    @Test func aThousandAtOnceAgree() async throws {
        let pages = [
            "<p style='filter:blur(2px)'>one <b>bold</b> <i>slanted</i>", "<table border=1><tr><td>a<td>שלום</table>",
            "<div style='display:grid;grid:auto/1fr 2fr;background:linear-gradient(red,blue)'><p>é 日本<p>x</div>",
            "<ol><li>a<li>b</ol><img src='data:image/svg+xml,<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"/>'>",
        ].map { Array($0.utf8) }
        let parser = MarkupParser()
        @Sendable func render(_ page: [UInt8], _ renderer: Renderer) throws -> [UInt8] {
            var document = parser.parse(page, name: "page")
            var options = RenderOptions()
            options.width = .pixels(120)
            return try renderer.png(&document, options)
        }
        let expected = try pages.map { try render($0, Renderer()) }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for task in 0..<50 {
                group.addTask {
                    let renderer = Renderer()
                    return try (0..<20).count { step in
                        let index = (step + task) % pages.count
                        return try render(pages[index], renderer) == expected[index]
                    }
                }
            }
            var equal = 0
            for try await count in group { equal += count }
            #expect(equal == 1000)
        }
    }

    /// A renderer caches styles across documents. The cached styles must not apply with another scale, padding or font.
    @Test func aDocumentGivesTheSameAfterOthersWithTheSameRenderer() throws {
        let pages = [
            "<p style='font:15px/1.37 Inter'>one <b>two</b>", "<style>p{font:11px/13.3px Inter}</style><p>one<p>two",
            "<style>@font-face{font-family:F;src:local('Inter')}b{font:20px F}</style><b>one</b> two",
        ]
        let renderer = Renderer()
        let parser = MarkupParser()
        var documents = pages.map { parser.parse($0) }
        for round in 0..<3 {
            for (scale, padding) in [(1, nil), (2, 3), (1.5, nil), (1, 3)] as [(Float, Float?)] {
                for index in pages.indices {
                    var options = RenderOptions()
                    options.width = .pixels(90)
                    options.scale = scale
                    options.padding = padding
                    var fresh = parser.parse(pages[index])
                    let expected = try Renderer().png(&fresh, options)
                    // Once with existing styles, once with those of a document with the same text.
                    #expect(try renderer.png(&documents[index], options) == expected, "\(round) \(scale) \(index)")
                    var other = parser.parse(pages[index])
                    #expect(try renderer.png(&other, options) == expected, "\(round) \(scale) \(index)")
                }
            }
        }
    }
}
