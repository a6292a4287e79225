// The pages of Fixtures/layout: compares the positions of their words with a browser's.

import FancyText
import Foundation
import FancyTextOutputs
import FancyTextTestSupport
import Testing

/// Words of a layout: the recorded ones of the browser, or ours.
private struct PlacedText {
    var text: String
    var x, y: Double

    /// Characters without white space, each with its word and whether it begins the word.
    static func characters(_ words: [PlacedText]) -> [(character: Character, word: Int, isFirst: Bool)] {
        words.enumerated().flatMap { index, word in
            word.text.lowercased().enumerated().filter { !$0.element.isWhitespace }.map {
                ($0.element, index, $0.offset == 0)
            }
        }
    }
}

private struct LayoutFixture: CustomTestStringConvertible, Sendable {
    let page: URL
    var testDescription: String { page.deletingPathExtension().lastPathComponent }

    /// Every page in Fixtures/layout; `Tests/Tools/record_layout.py` recorded the browser's positions.
    static var all: [LayoutFixture] {
        let folder = TestPaths.fixtures.appendingPathComponent("layout")
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return files.filter { $0.pathExtension == "html" }.map { LayoutFixture(page: $0) }
            .sorted { $0.testDescription < $1.testDescription }
    }

    var recorded: [String: Any]? {
        Self.object(try? Data(contentsOf: page.deletingPathExtension().appendingPathExtension("json")))
    }

    static func object(_ data: Data?) -> [String: Any]? {
        data.flatMap { try? JSONSerialization.jsonObject(with: $0) } as? [String: Any]
    }

    static func number(_ value: Any?) -> Double { (value as? NSNumber)?.doubleValue ?? .nan }
}

@Suite struct LayoutFixtureTests {
    /// Words are within half a pixel of the browser's horizontally, and one pixel vertically.
    @Test(arguments: LayoutFixture.all)
    fileprivate func wordsLieWhereTheBrowserPutsThem(_ fixture: LayoutFixture) throws {
        let recorded = try #require(fixture.recorded, "record it with Tests/Tools/record_layout.py")
        let renderer = Renderer()
        let wanted = Set(recorded["fonts"] as? [String] ?? [])
        let width = Float(LayoutFixture.number(recorded["viewport"]))
        let parser = MarkupParser()
        var options = RenderOptions()
        options.viewport = Viewport(width: width, height: 630)
        options.width = .pixels(width)
        var document = parser.parse(Array(try Data(contentsOf: fixture.page)), name: fixture.testDescription)
        let json = Data(try renderer.json(&document, options, content: JSONContent(hasLayout: true)))
        let output = try #require(LayoutFixture.object(json))
        let words = output["words"] as? [[String: Any]] ?? []
        let missing = wanted.subtracting(words.compactMap { $0["font"] as? String })
        if !missing.isEmpty {
            withKnownIssue("not compared: the fonts \(missing.sorted().joined(separator: ", ")) are not installed") {
                Issue.record("fonts are not installed")
            }
            return
        }
        let text = Array((output["text"] as? String ?? "").unicodeScalars)
        let ours = words.map { word in
            var content = String.UnicodeScalarView()
            content.append(
                contentsOf: text[Int(LayoutFixture.number(word["start"]))..<Int(LayoutFixture.number(word["end"]))])
            return PlacedText(
                text: String(content), x: LayoutFixture.number(word["x"]), y: LayoutFixture.number(word["y"]))
        }
        let theirs = (recorded["words"] as? [[String: Any]] ?? []).map {
            PlacedText(
                text: $0["t"] as? String ?? "", x: LayoutFixture.number($0["x"]), y: LayoutFixture.number($0["y"]))
        }
        let misplaced = Self.misplaced(theirs, ours)
        let share = 1 - Double(misplaced.count) / Double(max(1, theirs.count))
        #expect(!theirs.isEmpty && share >= 0.98, "\(misplaced.prefix(5))")
    }

    /// The browser's words whose positions differ from ours. Words are matched by their characters, because only ours contain
    /// generated content.
    private static func misplaced(_ theirs: [PlacedText], _ ours: [PlacedText]) -> [String] {
        let a = PlacedText.characters(theirs)
        let b = PlacedText.characters(ours)
        let changes = b.map(\.character).difference(from: a.map(\.character))
        let removed = Set(changes.removals.map { if case .remove(let offset, _, _) = $0 { offset } else { -1 } })
        let added = Set(changes.insertions.map { if case .insert(let offset, _, _) = $0 { offset } else { -1 } })
        var result: [String] = []
        var found: Set<Int> = []
        for (from, to) in zip(a.indices.filter { !removed.contains($0) }, b.indices.filter { !added.contains($0) })
        where a[from].isFirst {
            found.insert(a[from].word)
            // The position within a longer word of ours is unknown.
            guard b[to].isFirst else { continue }
            let (their, our) = (theirs[a[from].word], ours[b[to].word])
            if abs(their.x - our.x) > 0.5 || abs(their.y - our.y) > 1 {
                result.append("\(their.text): \(our.x), \(our.y), not \(their.x), \(their.y)")
            }
        }
        for index in theirs.indices where !found.contains(index) { result.append("\(theirs[index].text): not found") }
        return result
    }
}
