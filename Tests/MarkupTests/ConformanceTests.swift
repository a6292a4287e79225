// External test suites, if they are installed: see TestPaths.conformance.

import Foundation
import FancyTextTestSupport
import Testing

@testable import FancyTextSelectors

@testable import FancyTextMarkup

@Suite struct ConformanceTests {
    static func cases(_ path: String) throws -> [[String: Any]]? {
        guard let folder = TestPaths.conformance else { return nil }
        let data = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
        return try data.split(separator: "\n").map {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
        }
    }

    static var isPresent: Bool { TestPaths.conformance != nil }

    @Test(.enabled(if: isPresent, Comment(rawValue: TestPaths.conformanceIsAbsent)))
    func html5libTreesHold() throws {
        for test in try Self.cases("html5lib/tree.jsonl") ?? [] {
            guard let source = test["html"] as? String else { continue }
            let wanted = Self.flat(((test["tree"] as? [Any]) ?? []).compactMap(Self.wanted))
            let tree = parse(source)
            let got = Self.flat(tree.children(tree.root).compactMap { Self.got($0, tree) })
            #expect(got == wanted, "\(test["id"] ?? "") \(source)")
        }
    }

    @Test(.enabled(if: isPresent, Comment(rawValue: TestPaths.conformanceIsAbsent)))
    func selectorsMatchWhatBrowsersMatch() throws {
        guard let folder = TestPaths.conformance else { return }
        let documents =
            try JSONSerialization.jsonObject(
                with: Data(contentsOf: folder.appendingPathComponent("selectors/docs.json"))) as? [String: String]
            ?? [:]
        for test in try Self.cases("selectors/cases.jsonl") ?? [] {
            guard let selector = test["selector"] as? String, let valid = test["valid"] as? Bool else { continue }
            guard valid else {
                #expect(throws: SelectorError.self, "\(selector)") { try SelectorList.parse(selector) }
                continue
            }
            guard let document = test["doc"] as? String, let source = documents[document],
                let tags = test["tags"] as? [String]
            else { continue }
            let tree = parse(source)
            var matcher = SelectorMatcher(tree)
            let list = try SelectorList.parse(selector)
            #expect(matcher.select(list).map { tree.name($0) } == tags, "\(test["id"] ?? "") \(selector)")
        }
    }

    /// A tree as lines: names, sorted attributes, collapsed text; html, head and body without attributes are left out.
    indirect enum Shape: Equatable {
        case text(String)
        case element(String, [String: String], [Shape])
    }

    static func wanted(_ any: Any) -> Shape? {
        guard let node = any as? [String: Any] else { return nil }
        if let text = node["t"] as? String { return .text(text) }
        guard let name = node["n"] as? String else { return nil }
        return .element(
            name, node["a"] as? [String: String] ?? [:], joined(((node["c"] as? [Any]) ?? []).compactMap(wanted)))
    }

    static func got(_ n: NodeID, _ tree: MarkupTree) -> Shape? {
        switch tree.kind(n) {
        case .text: return .text(tree.text(n))
        case .element:
            let attributes = Dictionary(tree.attributes(n).map { ($0.name, $0.value) }) { first, _ in first }
            return .element(tree.name(n), attributes, joined(tree.children(n).compactMap { got($0, tree) }))
        case .root, .comment, .doctype, .instruction: return nil
        }
    }

    static func joined(_ shapes: [Shape]) -> [Shape] {
        var result: [Shape] = []
        for shape in shapes {
            if case .text(let text) = shape, case .text(let before)? = result.last {
                result[result.count - 1] = .text(before + text)
            } else {
                result.append(shape)
            }
        }
        return result
    }

    static func flat(_ shapes: [Shape]) -> [Shape] {
        func unwrap(_ shapes: [Shape]) -> [Shape] {
            shapes.flatMap { shape -> [Shape] in
                if case .element(let name, let attributes, let children) = shape,
                    ["html", "head", "body"].contains(name), attributes.isEmpty
                {
                    return unwrap(children)
                }
                return [shape]
            }
        }
        return joined(unwrap(shapes)).compactMap { shape in
            guard case .text(let text) = shape else { return shape }
            let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            return words.isEmpty ? nil : .text(words)
        }
    }
}
