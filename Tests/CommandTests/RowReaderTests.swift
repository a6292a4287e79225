// Rows of data and the names of their files.

import FancyTextBasics
import Foundation
import Testing

@testable import FancyTextCLI

@Suite struct RowReaderTests {
    private func rows(_ text: String, _ format: RowFormat, limit: Int = 1 << 20) throws -> [DataRow] {
        let path = NSTemporaryDirectory() + "rows-\(UUID().uuidString)"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let reader = try RowReader(path, named: "rows", format: format, limit: limit)
        var rows: [DataRow] = []
        while let row = try reader.next() { rows.append(row) }
        return rows
    }

    /// Members as `name=value`, an error as `!message`.
    private func told(_ rows: [DataRow]) -> [String] {
        rows.map { row in
            switch row.value {
            case .failure(let mistake):
                let place = row.place(in: "rows")
                let column = mistake.offset == nil ? "" : ":\(place.column)"
                return "\(place.line)\(column)!\(mistake.message)"
            case .success(.object(let members)):
                let texts = members.map { member in
                    if case .string(let text) = member.value { return "\(member.name)=\(text)" }
                    return "\(member.name)"
                }
                return "\(row.line):" + texts.joined(separator: "|")
            case .success: return "?"
            }
        }
    }

    @Test(arguments: [
        ("a,b\n1,2\n3,4\n", ["2:a=1|b=2", "3:a=3|b=4"]),
        ("\u{FEFF}a,b\r\n\"x,\"\"y\"\"\nz\",2\r\n\r\n3,4", ["2:a=x,\"y\"\nz|b=2", "5:a=3|b=4"]),
        (
            "a,b\n1\n2,3,4\n5,\n",
            ["2!1 field, not 2 as in the header", "3!3 fields, not 2 as in the header", "4:a=5|b="]
        ),
        ("a,,c\n1,2,3\n", ["2:a=1|c=3"]),
        (
            "a,b\n\"x\"y,2\n\"open,3\n",
            ["2!text after the closing quote of field 1", "3!a quoted field is not closed"]
        ),
        ("a\nx\"y\n", ["2:a=x\"y"]), ("a\n5\"\"\n6\n", ["2:a=5\"\"", "3:a=6"]), ("a,b\n", []), ("", []),
    ])
    func csv(_ text: String, _ rows: [String]) throws {
        #expect(told(try self.rows(text, .csv)) == rows)
        let tabs = text.replacing(",", with: "\t")
        #expect(told(try self.rows(tabs, .tsv)) == rows.map { $0.contains("!") ? $0 : $0.replacing(",", with: "\t") })
    }

    @Test func ndjson() throws {
        let text = "{\"a\":\"1\"}\n\n[1]\n{\"a\":}\r\n  {\"a\":\"2\"}\r\n{\"a\":\"3\"}"
        #expect(
            told(try rows(text, .ndjson)) == [
                "1:a=1", "3!not a JSON object", "4:6!not valid JSON: expected a value", "5:a=2", "6:a=3",
            ])
    }

    @Test(arguments: [
        "[{\"a\":\"]}\\\"\"},\n {\"a\":{\"b\":[1,2]}} , {}]", "{\"a\":\"]}\\\"\"}\n {\"a\":{\"b\":[1,2]}} {}",
    ])
    func json(_ text: String) throws {
        #expect(told(try rows(text, .json)) == ["1:a=]}\"", "2:a", "2:"])
    }

    @Test func mistakesHaveTheirPlaces() throws {
        #expect(
            try told(rows("[{\"é\":1}, {\"b\":},\n {\"c\":\n 1 2}]", .json)) == [
                "1:é", "1:16!not valid JSON: expected a value", "3:4!not valid JSON: expected ',' or '}'",
            ])
    }

    @Test func rowsAfterAValueThatIsNoObjectAreRead() throws {
        let expected = ["1:a=1", "1!not a JSON object", "1!not a JSON object", "1:b=2"]
        #expect(try told(rows(#"[{"a":"1"}, 7, ["x"], {"b":"2"}]"#, .json)) == expected)
        #expect(
            try told(rows(#"[{"a":"1"}, nope, {"b":"2"}]"#, .json))
                == ["1:a=1", "1:13!not valid JSON: expected a value; no more rows are read"])
    }

    @Test func arraysThatAreNotClosedAreErrors() throws {
        #expect(
            try told(rows(#"[{"a":"1"}⏎ {"a":"2"}]"#.replacing("⏎", with: "\n"), .json))
                == ["1:a=1", "2:2!not valid JSON: expected ',' before the row; no more rows are read"])
        for (end, mistake) in [
            (",", "1:11!not valid JSON: expected a value after ','"),
            (",]", "1:11!not valid JSON: expected a value after ','"),
            (",,{}]", "1:11!not valid JSON: expected a value after ','"), ("", "1:1!the array is not closed"),
        ] {
            #expect(try told(rows(#"[{"a":"1"}"# + end, .json)) == ["1:a=1", mistake + "; no more rows are read"])
        }
        #expect(throws: Never.self) { _ = try rows("[1,x}]{", .json) }
        #expect(throws: Never.self) { _ = try rows("{\"a\":1},\n{\"a\":1},\n", .json) }
    }

    @Test func rowsAreBounded() {
        #expect(throws: CommandFailure.self) {
            _ = try rows("{\"a\":\"" + String(repeating: "x", count: 1 << 20) + "\"}", .ndjson, limit: 1000)
        }
        #expect(throws: CommandFailure.self) {
            _ = try rows("a\n\"" + String(repeating: "x", count: 1 << 20), .csv, limit: 1000)
        }
    }

    @Test func columnsHaveNamesOfTheirOwn() {
        #expect(throws: CommandFailure.self) { _ = try rows("a,a\n1,2\n", .csv) }
    }

    @Test(arguments: [
        ("out/{id}.png", "a/b", "out/a_b.png"), ("out/{id}.png", "../../x", "out/___.._x.png"),
        ("{id}", "..", "__"), ("{stem}-{id}-{row}.png", "é x", "card-é x-7.png"),
        ("{id}.png", "a\u{0}\n\\", "a___.png"),
        ("{{id}}", "1", "{1}"),
    ])
    func namesOfFilesAreSafe(_ pattern: String, _ value: String, _ path: String) throws {
        let row = JSONValue.object([JSONMember(name: "id", value: .string(value))])
        #expect(try FileName(FileName.expand(pattern, for: "in/card.html")).path(for: row, number: 7) == path)
    }

    @Test(arguments: [#"{}"#, #"{"id":""}"#, #"{"id":[1]}"#, #"{"id":null}"#])
    func rowsWithoutTheKeyHaveNoName(_ json: String) throws {
        var parser = JSONParser(Array(json.utf8))
        let value = parser.parse()
        let row = try #require(value)
        #expect(throws: RowMistake.self) { _ = try FileName("{id}.png").path(for: row, number: 1) }
    }
}
