// Markup in the ellipsis of a truncation: the box of the link in "see more".

import Foundation
import FancyTextTestSupport
import Testing

@Suite("Links in the ellipsis", whenBuilt)
struct TailLinkTests {
    private struct Box: Decodable {
        var x, y, width, height: Double
        var maxX: Double { x + width }
    }
    private struct Link: Decodable {
        var href: String
        var boxes: [Box]
    }
    private struct Tail: Decodable { var tail: Box? }
    private struct Layout: Decodable {
        var links: [Link]
        var truncated: Tail
    }

    private let page = "<a href=/page>one two three four five six</a> seven eight nine"

    private func render(_ ellipsis: String, width: Int = 150, _ options: String...) throws -> ProgramResult {
        try #require(program).run(
            ["render", "--no-system-fonts", "--width", "\(width)", "--max-lines", "1", "--ellipsis", ellipsis]
                + options,
            input: Data(page.utf8), timeout: 20)
    }

    private func layout(_ ellipsis: String, width: Int = 150) throws -> Layout {
        let result = try render(ellipsis, width: width, "--format", "json", "--layout", "--glyphs")
        try #require(result.status == 0, "\(result.errors)")
        return try JSONDecoder().decode(Layout.self, from: result.output)
    }

    @Test(arguments: [
        "… <a href='/more'>see more</a>", "… <a style='display:inline-block' href='/more'><b>see</b> more</a>",
    ])
    func aLinkIsReportedWithItsBoxes(_ ellipsis: String) throws {
        let layout = try layout(ellipsis)
        let link = try #require(layout.links.last)
        #expect(link.href == "/more" && layout.links.count == 2)
        let tail = try #require(layout.truncated.tail)
        let left = try #require(link.boxes.map(\.x).min())
        let right = try #require(link.boxes.map(\.maxX).max())
        // The link begins after the dots and ends with the tail.
        #expect(left > tail.x + 5 && abs(right - tail.maxX) < 0.1 && right - left > 50)
        #expect(link.boxes.allSatisfy { $0.height > 10 && $0.y >= 0 })
    }

    @Test func aLinkIsAnAreaOfTheMapBeforeTheOneAroundIt() throws {
        let scratch = try Scratch()
        let map = scratch.path("map.html")
        let result = try render("… <a href='/more'>see\n more</a>", "-o", scratch.path("a.png"), "--image-map", map)
        #expect(result.status == 0)
        let areas = try String(contentsOfFile: map, encoding: .utf8).split(separator: "\n").filter {
            $0.contains("<area")
        }
        #expect(areas.first?.contains("href=\"/more\" alt=\"see more\"") == true, "\(areas)")
        #expect(areas.contains { $0.contains("/page") })
    }

    @Test(arguments: ["… <a class=more>see more</a>", "…<b>more</b>", "…"])
    func anElementWithoutATargetHasTheTailsBox(_ ellipsis: String) throws {
        let layout = try layout(ellipsis)
        #expect(layout.links.map(\.href) == ["/page"])
        let tail = try #require(layout.truncated.tail)
        #expect(tail.width > 5 && tail.height > 10 && tail.maxX <= 150.1)
    }

    @Test(
        arguments: [
            "", " ", "<a href=/x></a>", "<img src=a.png alt=picture>", "<a href=/x><img src=a.png></a>…",
            "<ul><li>a<li><a href=/x>b</a></ul>", "<table><td>a<td><a href=/x>b</a></table>",
            "<ruby>a<rt>b</ruby>", "<p>a<p>b<a href=/x>c", "<a href=/x><div>a</div></a>", "<svg></svg><lambda id=l>",
            "<span style='float:left'>a</span><a href=/x>b</a>", "<details><summary>a</summary>b</details>",
            "<style>b{display:table}</style><b>x</b>", "<a href=/x>" + String(repeating: "<b><i>", count: 3_000) + "x",
            "<bdo dir=rtl><a href=/x>abc</a></bdo>", "<input value=v><textarea>t</textarea>", "<br>…<hr>",
        ])
    func noMarkupEndsTheProgram(_ ellipsis: String) throws {
        let scratch = try Scratch()
        for width in [30, 150] {
            let picture = ["-o", scratch.path("a.png"), "--image-map", scratch.path("map.html")]
            for options in [["--format", "json", "--layout", "--glyphs"], picture, ["--format", "ansi"]] {
                let result = try #require(program).run(
                    ["render", "--quiet", "--width", "\(width)", "--max-lines", "1", "--ellipsis", ellipsis] + options,
                    input: Data(page.utf8), timeout: 20)
                // 2: the ellipsis is wider than the line.
                #expect(result.status == 0 || (result.status == 2 && result.errors.contains("ellipsis")), "\(result)")
            }
        }
    }
}
