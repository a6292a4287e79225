// The key of a cached result: every option that changes a result must change the key.

import FancyTextTestSupport
import Foundation
import Testing

@Suite("Options and kept results", whenBuilt)
struct CacheKeyTests {
    private let page = """
        <style>@media (prefers-color-scheme:dark){b{color:lime}} i{font-family:Varying}</style>
        <h1 class=x>Title &amp; <i>A</i></h1><p>some words <b style="color:blue">that</b> wrap into lines 👍 and on
        <lambda id=l width=20 height=20></lambda> <a href=/x>link</a>
        """

    /// Options that the tests set themselves, or that do not write the result.
    private let others: Set = [
        "cache", "cache-max-size", "no-cache", "refresh", "data", "data-format", "resume", "watch", "check",
        "tolerance", "update",
        "image-map", "untrusted",
    ]

    @Test func everyOptionHasItsOwnResult() throws {
        let scratch = try Scratch()
        let options = try ProgramOption.all(of: "render", scratch).filter { !others.contains($0.name) }
        var names: [String] = []
        var requests: [[String: Any]] = []
        for format in ["png", "json", "jpeg", "pdf"] {
            names.append("")
            requests.append(["html": page, "format": format])
            for option in options {
                names.append(option.name)
                requests.append(["html": page, "format": format, option.name: option.member])
            }
        }
        // All requests share a folder, so a result stored under one key for two options would be found by either.
        let fresh = try answers(requests)
        let kept = try answers(requests, "--cache", scratch.path("kept"))
        var changed: Set<String> = []
        var plain = ""
        for index in requests.indices {
            let isSame = fresh[index].status == kept[index].status && fresh[index].result == kept[index].result
            #expect(
                isSame, "\(requests[index]["format"] ?? "") \(names[index]) \(fresh[index].error) \(kept[index].error)")
            if names[index].isEmpty { plain = fresh[index].result }
            if fresh[index].status == 0, fresh[index].result != plain { changed.insert(names[index]) }
        }
        // Most options change this page; otherwise the test could not fail.
        #expect(changed.count > 30, "\(changed.sorted())")
        #expect(
            changed.isSuperset(of: ["padding", "width", "scale", "css", "gamma", "quality", "layout", "max-lines"]))
    }
}
