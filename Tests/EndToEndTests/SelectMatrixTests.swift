// Every output of `select` with every option: the output depends on the match, and not on the rest of the document.
//
// The options come from the help text, so a new option only needs a value to take part.

import FancyTextTestSupport
import Foundation
import Testing

@Suite("Outputs and options of select", whenBuilt)
struct SelectMatrixTests {
    /// Documents that differ outside of the match, and one that differs in the match. All have the same length.
    private enum Page: String, CaseIterable {
        case first = "<h1>Secret</h1><p class=x>some <b class=k id=a>match</b></p>"
        case otherRest = "<h1>Public</h1><p class=x>much <b class=k id=a>match</b></p>"
        case otherMatch = "<h1>Secret</h1><p class=x>some <b class=k id=a>other</b></p>"
    }

    private let scratch: Scratch
    private let options: [ProgramOption]
    private let formats: [String]

    init() throws {
        scratch = try Scratch()
        options = try ProgramOption.all(of: "select", scratch)
        formats = try ProgramOption.formats(of: "select")
    }

    /// Options whose output does not contain the match's text.
    private let silent: Set = ["count", "attr"]

    /// Tests each option with one format, and each format without options, because a process for each is slow.
    @Test func onTheCommandLine() throws {
        var cells = formats.map { ($0, [String]()) }
        for (index, option) in options.enumerated() {
            cells.append((formats[index % formats.count], [option.argument]))
        }
        for (format, given) in cells {
            let arguments = ["select", "b", "--format", format, "--quiet"].filter { !given.contains($0) } + given
            let first = try #require(program).run(arguments, input: Page.first.rawValue)
            let second = try #require(program).run(arguments, input: Page.otherRest.rawValue)
            #expect(first.status == second.status && first.status != 1, "\(arguments)")
            #expect(first.output == second.output, "\(arguments) shows more than the match")
            #expect(!first.text.contains("Secret"), "\(arguments)")
            #expect((first.status == 2) == first.output.isEmpty, "\(arguments)")
        }
    }

    @Test func inBatch() throws {
        let tried: [ProgramOption?] = [nil] + options.map { Optional($0) }
        let cells: [(String, ProgramOption?)] = formats.flatMap { format in tried.map { (format, $0) } }
        let requests = cells.flatMap { format, option in
            Page.allCases.map { page in
                var request: [String: Any] = [
                    "command": "select", "selector": "b", "format": format, "html": page.rawValue,
                ]
                if let option { request[option.name] = option.member }
                return request
            }
        }
        let answers = try answers(requests)
        var done = 0
        for (index, (_, option)) in cells.enumerated() {
            let (first, second, third) = (answers[3 * index], answers[3 * index + 1], answers[3 * index + 2])
            #expect(first.status == second.status && first.status != 1, "\(requests[3 * index])")
            let isSame = first.result == second.result
            #expect(isSame, "\(requests[3 * index]) shows more than the match")
            guard first.status == 0 else {
                #expect(
                    first.isRefused
                        || ["requires", "cannot be combined", "no table"].contains { first.error.contains($0) },
                    "\(requests[3 * index]) \(first.error)")
                continue
            }
            done += 1
            let showsMatch = first.result != third.result
            #expect(showsMatch || silent.contains(option?.name ?? ""), "\(requests[3 * index]) hides the match")
            #expect(!first.result.contains("Secret"))
        }
        #expect(done > cells.count / 2)
    }

    @Test func theMatchAloneIsPrinted() throws {
        let result = try #require(program).run(
            ["select", "b", "--format", "ansi"], input: "<h1>T</h1><p>x <b>y</b></p>")
        #expect(result.text == "y\n")
    }
}
