// Validates printed JSON against the printed schemas.

import Foundation
import FancyTextTestSupport
import Testing

@Suite("Schemas", whenBuilt)
struct SchemaTests {
    private static let page = """
        <title>T</title><h1 id=t class="a b">Hé <a href=x title=q>link</a></h1><ul><li style="text-shadow:1px 1px 2px red;
        letter-spacing:1px">one<li>two</ul><p style="line-height:2;text-decoration:underline wavy red;opacity:.5;
        -webkit-text-stroke:1px blue;font-feature-settings:'smcp';tab-size:4">x <img src=no.png alt=i> <lambda id=l></lambda>
        <table border=1><tr><th>a<td rowspan=2 colspan=2>b</table><!-- c --><pre>a\tb</pre><div style="float:right;
        background:linear-gradient(red,blue);box-shadow:1px 1px 2px #000;transform:rotate(3deg)">f</div>
        """

    private func schema(_ name: String) throws -> Schema {
        let result = try #require(program).run(["schema", name])
        #expect(result.status == 0)
        return Schema(try JSONSerialization.jsonObject(with: result.output))
    }

    private func check(
        _ lines: some Sequence<String>, against schema: Schema, sourceLocation: SourceLocation = #_sourceLocation
    )
        throws
    {
        var count = 0
        for line in lines where !line.isEmpty {
            let value = try JSONSerialization.jsonObject(with: Data(line.utf8), options: .fragmentsAllowed)
            let problem = schema.problem(with: value)
            #expect(problem == nil, "\(problem ?? "") in \(line.prefix(300))", sourceLocation: sourceLocation)
            count += 1
        }
        #expect(count > 0, sourceLocation: sourceLocation)
    }

    private func run(_ arguments: String...) throws -> ProgramResult {
        try #require(program).run(arguments + ["--no-config"], input: Self.page)
    }

    @Test(arguments: [
        ["--layout"], ["--glyphs"], ["--boxes"], [], ["--glyphs", "--max-lines", "2", "--offsets", "utf16"],
    ])
    func renderingsFit(_ options: [String]) throws {
        let result = try #require(program).run(
            ["render", "--format", "json", "--no-system-fonts", "--no-config"] + options, input: Self.page)
        try check([result.text], against: schema("render"))
    }

    @Test func wordsHaveTheirText() throws {
        let result = try #require(program).run(
            ["render", "--format", "json", "--layout", "--no-system-fonts"], input: "<p>One <b>tw</b>o")
        let object = try #require(try JSONSerialization.jsonObject(with: result.output) as? [String: Any])
        let words = try #require(object["words"] as? [[String: Any]])
        #expect(words.compactMap { $0["text"] as? String } == ["One", "two"])
    }

    @Test func matchesAndRecordsFit() throws {
        let schema = try schema("select")
        for selector in ["*", "h1", "title"] {
            try check(
                try run("select", selector, "--format", "json").text.split(separator: "\n").map(String.init),
                against: schema)
        }
        try check(
            try run("select", "ul", "--field", "first=li", "--field", "items[]=li{text=::text,class=::attr(class)}")
                .text.split(separator: "\n").map(String.init), against: schema)
    }

    @Test(arguments: ["tokens", "normalized", "tree", "styles", "text", "layout", "display"])
    func stagesFit(_ stage: String) throws {
        try check(
            try run("dump", "--stage", stage, "--format", "json", "--no-system-fonts").text.split(separator: "\n")
                .map(String.init), against: schema("dump"))
    }

    @Test func requestsAndResultsFit() throws {
        let requests = [
            #"{"id":[1],"html":"<p>x","format":"png","width":90,"set":["p=y"],"no-system-fonts":true}"#,
            #"{"html":"<p style='colr:red'>x","command":"select","selector":"p"}"#, #"{"define":"t","html":"{{a}}"}"#,
            #"{"id":"t","template":"t","row":{"a":[]},"command":"strip","timeout":9}"#,
        ]
        try check(requests, against: schema("batch-request"))
        let result = try #require(program).run(["batch", "--jobs", "1"], input: requests.joined(separator: "\n"))
        try check(result.text.split(separator: "\n").map(String.init), against: schema("batch"))
        let request = try schema("batch-request")
        #expect(request.problem(with: ["define": "t"]) != nil)
        #expect(request.problem(with: ["html": 1]) != nil)
        #expect(request.problem(with: ["html": "x", "width": ["a": 1]]) != nil)
        // Members are the options of the commands, without those of command lines only.
        #expect(request.problem(with: ["html": "x", "width": 1, "css": ["a.css"], "raw": true]) == nil)
        #expect(request.problem(with: ["html": "x", "widht": 1]) != nil)
        #expect(request.problem(with: ["html": "x", "watch": true]) != nil)
    }

    @Test func messagesFit() throws {
        let result = try run(
            "render", "--diagnostics", "json", "--style", "p{color:blurb;nope:1} b[", "--no-system-fonts")
        try check(result.errors.split(separator: "\n").map(String.init), against: schema("diagnostics"))
        let failure = try run("render", "nosuch.html", "--diagnostics", "json")
        try check(failure.errors.split(separator: "\n").map(String.init), against: schema("diagnostics"))
    }

    @Test func fontsFit() throws {
        try check([try run("fonts", "--json").text], against: schema("fonts"))
    }

    @Test func whatDoesNotFitIsFound() throws {
        let schema = try schema("diagnostics")
        #expect(schema.problem(with: ["severity": "loud", "code": "a", "message": "m"]) != nil)
        #expect(schema.problem(with: ["severity": "note", "message": "m"]) != nil)
        #expect(schema.problem(with: ["severity": "note", "code": "a.b", "message": 3]) != nil)
        #expect(schema.problem(with: ["severity": "note", "code": "a.b", "message": "m", "more": 1]) != nil)
        #expect(schema.problem(with: ["severity": "note", "code": "a.b", "message": "m", "line": 0]) != nil)
        #expect(schema.problem(with: ["severity": "note", "code": "a.b", "message": "m"]) == nil)
    }
}

/// The subset of JSON Schema (draft 2020-12) that the schemas use.
private struct Schema {
    private let root: [String: Any]

    init(_ root: Any) { self.root = root as? [String: Any] ?? [:] }

    /// The reason why a value is invalid; nil if it is valid.
    func problem(with value: Any) -> String? { problem(value, root, at: "$") }

    private func problem(_ value: Any, _ schema: [String: Any], at path: String) -> String? {
        if let name = schema["$ref"] as? String {
            let definitions = root["$defs"] as? [String: Any] ?? [:]
            guard let target = definitions[String(name.dropFirst("#/$defs/".count))] as? [String: Any] else {
                return "\(path): no \(name)"
            }
            if let problem = problem(value, target, at: path) { return problem }
        }
        if let choices = schema["anyOf"] as? [[String: Any]] {
            let problems = choices.compactMap { problem(value, $0, at: path) }
            if problems.count == choices.count { return problems.joined(separator: "; ") }
        }
        if let constant = schema["const"], !isEqual(value, constant) { return "\(path): not \(constant)" }
        if let choices = schema["enum"] as? [Any], !choices.contains(where: { isEqual(value, $0) }) {
            return "\(path): none of \(choices)"
        }
        if let type = schema["type"] as? String, !isOf(type, value) { return "\(path): no \(type)" }
        if let least = (schema["minimum"] as? NSNumber)?.doubleValue, let number = (value as? NSNumber)?.doubleValue,
            number < least
        {
            return "\(path): under \(least)"
        }
        if let pattern = schema["pattern"] as? String, let text = value as? String,
            text.range(of: pattern, options: .regularExpression) == nil
        {
            return "\(path): not \(pattern)"
        }
        if let items = schema["items"] as? [String: Any], let array = value as? [Any] {
            for (index, item) in array.enumerated() {
                if let problem = problem(item, items, at: "\(path)[\(index)]") { return problem }
            }
        }
        return (value as? [String: Any]).flatMap { problem(inMembersOf: $0, schema, at: path) }
    }

    private func problem(inMembersOf object: [String: Any], _ schema: [String: Any], at path: String) -> String? {
        for name in schema["required"] as? [String] ?? [] where object[name] == nil { return "\(path): no \(name)" }
        let properties = schema["properties"] as? [String: Any] ?? [:]
        for (name, member) in object {
            if let own = properties[name] as? [String: Any] {
                if let problem = problem(member, own, at: "\(path).\(name)") { return problem }
            } else if let others = schema["additionalProperties"] as? [String: Any] {
                if let problem = problem(member, others, at: "\(path).\(name)") { return problem }
            } else if schema["additionalProperties"] as? Bool == false {
                return "\(path): \(name) is not foreseen"
            }
        }
        return nil
    }

    private func isEqual(_ a: Any, _ b: Any) -> Bool { (a as? NSObject) == (b as? NSObject) }

    private func isBoolean(_ value: Any) -> Bool {
        // JSON numbers are doubles or 64-bit integers.
        (value as? NSNumber).map { String(cString: $0.objCType) == "c" } ?? false
    }

    private func isOf(_ type: String, _ value: Any) -> Bool {
        switch type {
        case "object": value is [String: Any]
        case "array": value is [Any]
        case "string": value is String
        case "boolean": isBoolean(value)
        case "number": !isBoolean(value) && value is NSNumber
        case "integer":
            !isBoolean(value) && (value as? NSNumber).map { $0.doubleValue == $0.doubleValue.rounded() } ?? false
        case "null": value is NSNull
        default: false
        }
    }
}
