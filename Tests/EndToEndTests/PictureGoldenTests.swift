// Golden pictures beside their sources: the gallery, and a case of every painting feature. They use only embedded fonts, so the
// pixels are the same on every machine.

import Foundation
import FancyTextTestSupport
import Testing

@Suite(.enabled(if: TestPaths.program != nil, "the program is not built: run make test"))
struct PictureGoldenTests {
    private static let records = ProcessInfo.processInfo.environment["FANCYTEXT_RECORD"] != nil

    /// A picture of the gallery: its name and its options.
    struct Card: CustomTestStringConvertible, Sendable {
        var name: String
        var options: [String]
        var testDescription: String { name }

        /// The lines of `gallery/options.txt`, except for cards whose text needs fonts of other packages.
        static let all: [Card] = {
            let needsFonts: Set = [
                "rtl-card", "japanese-card", "vertical-book", "vertical-card", "chat", "see-more", "equations",
                "blackboard", "vertical-menu", "vertical-haiku",
            ]
            let lines =
                (try? String(contentsOf: TestPaths.fixtures.appendingPathComponent("gallery/options.txt"))) ?? ""
            return lines.split(separator: "\n").compactMap { line in
                var words = line.split(separator: " ").map { $0.replacingOccurrences(of: "'", with: "") }
                let name = words.removeFirst()
                return needsFonts.contains(name) ? nil : Card(name: name, options: words)
            }
        }()
    }

    /// Renders a page and compares it with its golden; on a difference, a picture of it is written.
    private func check(_ page: String, _ options: [String], picture: String) throws {
        let program = try #require(Program())
        let arguments = ["render", page] + options + ["--no-system-fonts", "--no-config"]
        if Self.records {
            let result = try program.run(arguments + ["-o", picture], folder: TestPaths.package)
            #expect(result.status == 0, "\(result.errors)")
            return
        }
        let difference = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).png")
        defer { try? FileManager.default.removeItem(at: difference) }
        let result = try program.run(
            arguments + ["--check", picture, "-o", difference.path], folder: TestPaths.package)
        #expect(result.status == 0, "\(page): \(result.errors)")
    }

    @Test(arguments: Card.all)
    func galleryIsWhatItWas(_ card: Card) throws {
        try check("Fixtures/gallery/\(card.name).html", card.options, picture: "Fixtures/gallery/\(card.name).png")
    }

    @Test func galleryIsRead() { #expect(Card.all.count >= 9) }

    /// Each `<section>` of a page is a case, 100 pixels high.
    @Test(arguments: [
        "borders", "columns", "controls", "decorations", "effects", "gradients", "layers", "lists", "presentational",
        "stacking", "tables", "tiles",
    ])
    func paintingIsWhatItWas(_ page: String) throws {
        try check(
            "Fixtures/painting/\(page).html", ["--width", "320", "--format", "png"],
            picture: "Fixtures/painting/\(page).png")
    }

    @Test func demoIsWhatItWas() throws {
        try check(
            "Fixtures/demo/card.html", ["--width", "1200", "--height", "630"], picture: "Fixtures/demo/card.png")
    }
}
