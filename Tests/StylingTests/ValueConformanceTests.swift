// The share of values in the collected suites that are accepted and refused as in browsers.

import FancyTextTestSupport
import Testing

@testable import FancyTextBasics
@testable import FancyTextCSS
@testable import FancyTextStyling

@Suite struct ValueConformanceTests {
    /// The declarations that a value expands to; an empty block if it is refused.
    static func read(_ property: String, _ value: String) -> (DeclarationBlock, DiagnosticLog) {
        let source = CSSSource("\(property):\(value)", name: "test")
        var reader = DeclarationReader(source, context: ValueContext())
        if let colon = source.tokens.firstIndex(where: { $0.kind == .colon }), colon > 0 {
            reader.read(name: 0, value: (colon + 1)..<source.tokens.count)
        }
        return (reader.takeBlock(), reader.log)
    }

    @Test(.enabled(if: Conformance.isPresent, Comment(rawValue: TestPaths.conformanceIsAbsent)))
    func valuesAreAcceptedAndRefusedAsInBrowsers() throws {
        let cases = try Conformance.lines("css/values.jsonl")
        var wrong: [String] = []
        for line in cases {
            guard let property = line["property"] as? String, let value = line["value"] as? String,
                let valid = line["valid"] as? Bool
            else { continue }
            let isAccepted = (Self.read(property, value).1.worst ?? .note) < .warning
            if isAccepted != valid { wrong.append("\(property): \(value) should be \(valid ? "valid" : "invalid")") }
        }
        let share = 1 - Double(wrong.count) / Double(max(1, cases.count))
        #expect(share >= 0.95, "\(share) \(wrong.joined(separator: "\n"))")
        if !wrong.isEmpty {
            print("values: \(wrong.count) of \(cases.count) differ:\n" + wrong.joined(separator: "\n"))
        }
    }

    private func isNear(_ a: [Int], _ b: [Int]) -> Bool { zip(a, b).allSatisfy { abs($0 - $1) <= 1 } }

    private func readBack(_ color: [Int]) -> [Int] {
        guard color[3] > 0 else { return [0, 0, 0, 0] }
        func stored(_ value: Int) -> Int { (value * color[3] + 127) / 255 }
        return color.prefix(3).map { min(255, (stored($0) * 255 + color[3] / 2) / color[3]) } + [color[3]]
    }

    @Test(.enabled(if: Conformance.isPresent, Comment(rawValue: TestPaths.conformanceIsAbsent)))
    func coloursAreThoseOfBrowsers() throws {
        let cases = try Conformance.lines("css/colors.jsonl")
        var wrong: [String] = []
        for line in cases {
            guard let css = line["css"] as? String else { continue }
            let (block, log) = Self.read("color", css)
            let isAccepted = (log.worst ?? .note) < .warning && !block.isEmpty
            let want = (line["rgba"] as? [Any])?.compactMap { $0 as? Double }.map { Int($0) }
            guard let want, want.count == 4 else {
                if isAccepted { wrong.append("\(css) is no colour") }
                continue
            }
            var got: Color?
            if isAccepted, case .tokens(let range)? = block.declarations.first?.value {
                var cursor = ValueCursor(
                    block.source, Int(range.lowerBound)..<Int(range.upperBound), context: ValueContext())
                got = cursor.color()
            }
            guard let got else {
                wrong.append("\(css) is refused")
                continue
            }
            let channels = [got.red, got.green, got.blue, got.alpha].map { Int($0) }
            // The expected values were read from a canvas, whose pixels store colour times alpha in 8 bits. A translucent colour
            // is therefore the nearest one that survives this rounding.
            if !isNear(channels, want), !isNear(readBack(channels), want) {
                wrong.append("\(css) is \(channels), not \(want)")
            }
        }
        let share = 1 - Double(wrong.count) / Double(max(1, cases.count))
        #expect(share >= 0.99, "\(share)")
        if !wrong.isEmpty {
            print("colours: \(wrong.count) of \(cases.count) differ:\n" + wrong.joined(separator: "\n"))
        }
    }
}
