// Work that exceeds the time limit, or whose task was cancelled.

import FancyText
import FancyTextBasics
import Testing

@Suite struct TimeLimitTests {
    /// Pages that take seconds to lay out or paint.
    private static let heavyPages = [
        // Shadows of a million pixels each.
        "<style>p{box-shadow:0 0 300px red;height:900px;width:900px;margin:-890px 0 0}</style>"
            + String(repeating: "<p>", count: 300),
        // Nested grids, each measured for its parent.
        "<style>div{display:grid;grid-template-columns:auto auto 1fr;grid-auto-rows:min-content}</style>"
            + String(
                repeating: String(repeating: "<div><p>a<p>b", count: 60) + String(repeating: "</div>", count: 60),
                count: 60),
        // Rules that are matched with every element.
        "<style>" + (0..<400).map { ":not(.a\($0)):has(b) *{color:red}" }.joined() + "</style>"
            + String(repeating: "<p><i>a</i>", count: 20_000),
    ]

    private static func parser(seconds: Double) -> MarkupParser {
        var limits = Limits()
        limits.seconds = seconds
        return MarkupParserBuilder.default().set(limits: limits).build()
    }

    private func renderer() -> Renderer {
        var fonts = FontOptions()
        fonts.usesSystemFonts = false
        return Renderer(fonts: fonts)
    }

    @Test(arguments: 0..<3) func heavyWorkEndsWithTheError(_ number: Int) {
        var document = Self.parser(seconds: 0.05).parse(Self.heavyPages[number])
        var options = RenderOptions()
        options.width = .pixels(1000)
        #expect(throws: RenderError.tookTooLong(seconds: 0.05)) { _ = try renderer().png(&document, options) }
    }

    @Test func parsingThatIsStoppedTellsSo() {
        var document = Self.parser(seconds: 1e-6).parse(String(repeating: "<p>a", count: 100_000))
        #expect(document.diagnostics.contains { $0.code == .timeout && $0.severity == .error })
        #expect(throws: RenderError.tookTooLong(seconds: 1e-6)) { _ = try renderer().png(&document) }
    }

    @Test func imageMapsHaveTheTimeOfPictures() {
        var document = Self.parser(seconds: 0.05).parse(Self.heavyPages[2])
        #expect(throws: RenderError.tookTooLong(seconds: 0.05)) {
            _ = try renderer().imageMap(&document, picture: "a.png")
        }
    }

    /// Work that is stopped at any step ends with the error, and the document can be rendered again.
    @Test func workCanBeStoppedAtEachStep() throws {
        let page =
            "<style>p::before{content:'x'}div{display:flex;float:left}b{opacity:.5;filter:blur(2px)}</style>"
            + "<table><tr><td>a<td rowspan=2>b<tr><td>c</table><ul><li>a<li>b</ul><div><p>a<p>b <b>c</b></div>"
            + String(
                repeating: "<p>Words in <i>lines</i> <span style='display:inline-grid'>and <u>boxes</u></span>",
                count: 20)
            + "<div style='columns:2'>" + String(repeating: "<p>column", count: 15) + "</div>"
        let renderer = renderer()
        var document = MarkupParser().parse(page)
        var options = RenderOptions()
        options.width = .pixels(200)
        let whole = try renderer.png(&document, options)
        var stops = 0
        for looks in 0..<2000 {
            var document = MarkupParser().parse(page)
            let clock = WorkClock(seconds: 0, looks: looks)
            let result = WorkClock.$current.withValue(clock) {
                Result { () throws(RenderError) in try renderer.png(&document, options) }
            }
            if case .success(let bytes) = result {
                #expect(bytes == whole)
                break
            }
            stops += 1
            #expect(throws: RenderError.tookTooLong(seconds: 0)) { _ = try result.get() }
            if looks % 10 == 0 { #expect(try renderer.png(&document, options) == whole) }
        }
        #expect(stops > 10 && stops < 2000)
    }

    @Test func terminalTextThatIsStoppedTellsSo() {
        var document = MarkupParser().parse(String(repeating: "<p>a", count: 1000))
        let clock = WorkClock(seconds: 0, looks: 2)
        WorkClock.$current.withValue(clock) { _ = renderer().ansi(&document) }
        #expect(document.diagnostics.contains { $0.code == .timeout })
    }

    @Test func aCancelledTaskRendersNoFurther() async {
        let task = Task { () -> RenderError? in
            while !Task.isCancelled { await Task.yield() }
            var document = MarkupParser().parse("<p>a")
            do throws(RenderError) {
                _ = try renderer().png(&document)
                return nil
            } catch {
                return error
            }
        }
        task.cancel()
        #expect(await task.value == .cancelled)
    }

    @Test func aCancelledJobFreesItsQueue() async throws {
        let queue = PictureQueue(renderers: 1)
        let begun = AsyncStream<Void>.makeStream()
        let heavy = Task {
            try await queue.render { renderer in
                begun.continuation.yield()
                // Would take minutes.
                for _ in 0..<10_000 {
                    var document = MarkupParser().parse(Self.heavyPages[1])
                    _ = try renderer.png(&document)
                }
            }
        }
        for await _ in begun.stream { break }
        heavy.cancel()
        await #expect(throws: CancellationError.self) { try await heavy.value }
        #expect(try await !queue.png("<p>next", parser: MarkupParser()).isEmpty)
    }
}
