// `select` with tables and siblings.

import FancyTextTestSupport
import Foundation
import Testing

@Suite("Tables and siblings of select", whenBuilt)
struct TableRowsTests {
    private func select(_ page: String, _ arguments: String...) throws -> String {
        let result = try #require(program).run(["select"] + arguments, input: page)
        #expect(result.status == 0, "\(result.errors)")
        return result.text
    }

    private let prices = """
        <div id=p><table><caption>c</caption><thead><tr><th rowspan=2>Name<th colspan=2>Price<tr><th>2023<th>2024</thead>
        <tfoot><tr><td>sum</table><table><tr><td>x</table></div>
        """.replacing(
            "</thead>",
            with: "</thead><tr><td rowspan=2>Spade<br>big<td>1<td>2<tr><td colspan=2>\"a,b\"<tr><td>Rake|s<td>3"
                + "<table><tr><td>in</table>")

    @Test func spansAreFilledAndHeadsFound() throws {
        let csv =
            "Name,Price 2023,Price 2024\nSpade big,1,2\nSpade big,\"\"\"a,b\"\"\",\"\"\"a,b\"\"\"\nRake|s,3 in,\nsum,,\n"
        #expect(try select(prices, "#p", "--csv") == csv)
        #expect(try select(prices, "table", "--first", "--table", "--csv") == csv)
        #expect(try select(prices, "table", "--nth", "2", "--tsv") == "in\n")
        #expect(
            try select(prices, "#p", "--table").split(separator: "\n")[1]
                == #"{"Name":"Spade big","Price 2023":"\"a,b\"","Price 2024":"\"a,b\""}"#)
        #expect(
            try select(prices, "#p", "--table", "--format", "markdown").hasPrefix(
                "| Name | Price 2023 | Price 2024 |\n|---|---|---|\n| Spade big | 1 | 2 |\n"))
        // An empty line is between tables, and not after the last one.
        #expect(
            try select(
                "<table><tr><th>a<tr><td>1</table><table><tr><th>b<tr><td>2</table>", "table", "--table", "--format",
                "markdown")
                == "| a |\n|---|\n| 1 |\n\n| b |\n|---|\n| 2 |\n")
        #expect(try select("<table><tr><td>1<td>2", "table", "--table") == "[\"1\",\"2\"]\n")
        #expect(
            try select("<table><tr><th>a<th>a<th><tr><td>1<td>2<td>3", "table", "--table")
                == "{\"a\":\"1\",\"a 2\":\"2\",\"3\":\"3\"}\n")
    }

    @Test func cellsAreReadAsByStripAndHiddenOnesAreLeftOut() throws {
        let rows =
            "<tr><td>7.1×10<sup>5</sup><td>454<sup><a href=#n>2</a></sup><tr><td><img alt=Yes src=y.png><td hidden>h"
        let hidden = "<tr hidden><td>a<tr style='display:none'><td>b<tbody hidden><tr><td>c"
        #expect(try select("<table>\(rows)\(hidden)</table>", "table", "--csv") == "7.1×10⁵,454²\nYes,\n")
        let change = "<tr><td>a <del>1</del><ins>2</ins><td><div>b <del>3</del> <ins>4</ins></div>"
        #expect(try select("<table>\(change)</table>", "table", "--csv") == "a 12,b 3 4\n")
    }

    @Test func aHugeTableEnds() throws {
        let cells = String(repeating: "<tr><td colspan=1000 rowspan=65000>x", count: 2000)
        let result = try #require(program).run(["select", "table", "--csv"], input: "<table>\(cells)</table>")
        #expect(result.status == 2 && result.errors.contains("--limit selected-bytes"))
    }

    @Test func fieldsReachSiblings() throws {
        let list = "<dl><dt>a<dd>1<dd>2<dt>b<dd><i>3</i></dl>"
        #expect(
            try select(list, "dt", "--field", "t=::text", "--field", "d=+ dd::text")
                == "{\"t\":\"a\",\"d\":\"1\"}\n{\"t\":\"b\",\"d\":\"3\"}\n")
        #expect(
            try select(list, "dt", "--field", "d[]=~ dd", "--field", "i=+ dd > i", "--csv")
                == "d,i\n\"[\"\"1\"\",\"\"2\"\",\"\"3\"\"]\",\n\"[\"\"3\"\"]\",3\n")
        #expect(try select(list, "dl", "--field", "d=> dt:last-of-type") == "{\"d\":\"b\"}\n")
    }

    @Test func namesThatNoMatchHasAreReported() throws {
        let scratch = try Scratch()
        for (name, text) in [("a.html", "<p id=a>x<b>y</b>"), ("b.html", "<p class=b>x")] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: scratch.path(name)))
        }
        func errors(_ arguments: String..., status: Int32) throws -> String {
            let result = try #require(program).run(
                ["select", "p"] + arguments + ["a.html", "b.html"], folder: scratch.url)
            #expect(result.status == status)
            return result.errors
        }
        #expect(
            try errors("--attr", "id", "--attr", "clas", status: 0)
                == "fancytext: warning: no match has the attribute 'clas'\n")
        #expect(try errors("--attr", "clas", status: 1) == "fancytext: warning: no match has the attribute 'clas'\n")
        #expect(
            try errors("--field", "b=b", "--field", "c=::attr(class)", "--field", "i=i", "--field", "l[]=u", status: 0)
                == "fancytext: warning: no match has a value for the field 'i'\n"
                + "fancytext: warning: no match has a value for the field 'l'\n")
        #expect(
            try #require(program).run(["select", "u", "--attr", "id", "a.html"], folder: scratch.url).errors.isEmpty)
    }

    @Test func headsWithoutATextHaveNamesThatAreFree() throws {
        let table = "<table><tr><th>2<th><tr><td>a<td colspan='1x'>b</table>"
        #expect(try select(table, "table", "--table") == #"{"2":"a","2 2":"b"}"# + "\n")
    }
}
