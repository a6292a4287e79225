// Templates: Mustache's rules, and that no value of a row becomes markup, an attribute or CSS.

import FancyTextBasics
import Foundation
import FancyTextTestSupport
import Testing

@testable import FancyText

private func object(_ json: String) throws -> JSONValue {
    var parser = JSONParser(Array(json.utf8))
    let value = parser.parse()
    return try #require(value)
}

/// A template's text for a row, with values at their marks, escaped as Mustache does for HTML.
private func expanded(_ template: String, _ row: JSONValue) throws -> String {
    let expansion = try MustacheTemplate(Array(template.utf8)).expand(row, limit: 1 << 20)
    return expansion.text.withUnsafeBufferPointer { text in
        ValueMark.pieces(of: text).reduce(into: "") { result, piece in
            switch piece {
            case .text(let literal): result += literal
            case .value(let number):
                for character in expansion.values[number].unicodeScalars {
                    switch character {
                    case "&": result += "&amp;"
                    case "<": result += "&lt;"
                    case ">": result += "&gt;"
                    case "\"": result += "&quot;"
                    default: result.unicodeScalars.append(character)
                    }
                }
            }
        }
    }
}

@Suite struct MustacheTests {
    @Test(arguments: [
        ("Hello, {{name}}!", "Hello, <A>!", #"{"name":"<A>"}"#),
        ("{{#on}}yes{{/on}}{{^on}}no{{/on}}", "no", #"{"on":false}"#),
        ("{{#on}}yes{{/on}}{{^on}}no{{/on}}", "yes", #"{"on":{}}"#),
        ("{{#list}}({{.}}){{/list}}", "(1)(b)", #"{"list":[1,"b"]}"#),
        ("{{#each list}}({{n}}){{/each}}", "(1)(2)", #"{"list":[{"n":1},{"n":2}]}"#),
        ("{{#each list}}{{this}}{{/each}}{{this}}", "123", #"{"list":[1,2],"this":3}"#),
        ("{{#each list}}{{this.n}}{{/each}}", "12", #"{"list":[{"n":1},{"n":2}]}"#),
        ("{{^list}}none{{/list}}", "none", #"{"list":[]}"#),
        ("{{^gone}}none{{/gone}}", "none", "{}"),
        ("{{a.b.c}}", "x", #"{"a":{"b":{"c":"x"}}}"#),
        ("{{a.b}}", "flat", #"{"a.b":"flat"}"#),
        ("{{#a}}{{b}}{{c}}{{/a}}", "inner outer", #"{"a":{"b":"inner "},"b":"wrong","c":"outer"}"#),
        ("{{=<% %>=}}<%a%>{{a}}<%={{ }}=%>{{a}}", "x{{a}}x", #"{"a":"x"}"#),
        ("a\n  {{! gone }}  \nb\n", "a\nb\n", "{}"),
        ("a\r\n{{#t}}\r\nb\r\n{{/t}}\r\nc", "a\r\nb\r\nc", #"{"t":true}"#),
        ("a {{! here }} b", "a  b", "{}"),
        ("{{First Name}}", "Ada", #"{"First Name":"Ada"}"#),
        ("{{n}}{{t}}{{z}}|", "1.50true|", #"{"n":1.50,"t":true,"z":null}"#),
    ])
    func rules(_ template: String, _ text: String, _ row: String) throws {
        #expect(try expanded(template, object(row)).replacing("&lt;", with: "<").replacing("&gt;", with: ">") == text)
    }

    @Test func rawValuesAreTextOfTheTemplate() throws {
        #expect(try expanded("{{{a}}}{{&a}}{{a}}", object(#"{"a":"<i>"}"#)) == "<i><i>&lt;i&gt;")
    }

    @Test(arguments: [
        ("{{a", "not closed"), ("{{#a}}", "'a' is not closed"), ("{{/a}}", "no section 'a'"),
        ("{{#a}}{{#b}}{{/a}}", "'b' is open"), ("{{> a}}", "partials"), ("{{}}", "no key"),
        ("{{=x=}}", "two delimiters"), ("{{#unless a}}{{/unless}}", "its opposite {{^a}}"),
    ])
    func mistakesAreNamed(_ template: String, _ message: String) {
        #expect {
            _ = try MustacheTemplate(Array(template.utf8))
        } throws: {
            ($0 as? TemplateError)?.message.contains(message) ?? false
        }
    }

    @Test func missingKeysAreErrorsAtTheirPlace() throws {
        let template = try MustacheTemplate(Array("<p>{{a}}{{b}}".utf8))
        #expect(throws: TemplateError(message: "there is no 'b'", offset: 8, note: "; the row has 'a'")) {
            _ = try template.expand(object(#"{"a":1}"#), limit: 1 << 20)
        }
        let list = try MustacheTemplate(Array("{{#l}}{{b}}{{/l}}".utf8))
        #expect(throws: TemplateError(message: "there is no 'b'", offset: 6, note: "; the item has 'c'")) {
            _ = try list.expand(object(#"{"l":[{"b":1},{"c":1}]}"#), limit: 1 << 20)
        }
    }

    @Test func deepSectionsAreRefused() {
        let deep = String(repeating: "{{#a}}", count: 10_000)
        #expect(throws: TemplateError.self) { _ = try MustacheTemplate(Array(deep.utf8)) }
    }

    /// A list within another list, both members of the row: each is repeated for each item of the other.
    @Test(arguments: [
        "{{#a}}{{#b}}<td>{{.}}{{/b}}{{/a}}", "{{#a}}{{#b}}{{/b}}{{/a}}", "{{#a}}{{#b}}{{{text}}}{{/b}}{{/a}}",
    ])
    func listsDoNotMultiplyWithoutEnd(_ template: String) throws {
        let list = "[" + String(repeating: "1,", count: 10_000) + "1]"
        let row = try object(#"{"a":\#(list),"b":\#(list),"text":"text"}"#)
        #expect(throws: TemplateError.self) {
            _ = try MustacheTemplate(Array(template.utf8)).expand(row, limit: 1 << 20)
        }
    }

    /// A long value that is used many times.
    @Test(arguments: ["{{a}}", "{{{a}}}", "{{#b}}{{a}}{{/b}}"])
    func longValuesDoNotMultiplyWithoutEnd(_ tag: String) throws {
        let row = try object(#"{"a":"\#(String(repeating: "&", count: 20_000))","b":true}"#)
        func text(_ count: Int) throws -> Document {
            let template = try MustacheTemplate(Array(("<p>" + String(repeating: tag, count: count)).utf8))
            return try DocumentTemplate(template, parser: MarkupParser(), name: "t").document(for: row)
        }
        #expect(try text(60).plainText().utf8.count > 1_200_000)
        #expect {
            _ = try text(1000)
        } throws: {
            ($0 as? TemplateError)?.message.contains("--limit generated-text") ?? false
        }
    }

    /// Mustache's own tests, if they are installed: `FANCYTEXT_CONFORMANCE` names a folder with `mustache`.
    @Test(
        .enabled(
            if: TestPaths.conformance.map {
                FileManager.default.fileExists(atPath: $0.appendingPathComponent("mustache").path)
            } ?? false, "no Mustache tests in the folder of conformance data"),
        arguments: ["comments", "delimiters", "interpolation", "inverted", "sections"])
    func mustachesOwnTests(_ name: String) throws {
        let file = try #require(TestPaths.conformance).appendingPathComponent("mustache/\(name).json")
        let suite = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
        for test in try #require(suite["tests"] as? [[String: Any]]) {
            let title = try #require(test["name"] as? String)
            let template = try #require(test["template"] as? String)
            let data = try JSONSerialization.data(withJSONObject: #require(test["data"]), options: .fragmentsAllowed)
            let expected = try #require(test["expected"] as? String)
            // Columns of CSV have names with dots.
            if title == "Dotted Names are never single keys" { continue }
            do {
                #expect(try expanded(template, object(String(decoding: data, as: UTF8.self))) == expected, "\(title)")
            } catch let error as TemplateError {
                // Here a missing key is an error, and there are no partials.
                let words = ["Miss", "Broken", "Partial", "Precedence"]
                #expect(words.contains { title.contains($0) }, "\(title): \(error)")
            }
        }
    }
}

@Suite struct DocumentTemplateTests {
    private func html(_ template: String, _ rows: String...) throws -> [String] {
        let documents = DocumentTemplate(
            try MustacheTemplate(Array(template.utf8)), parser: MarkupParser(), name: "t.html")
        return try rows.map { String(decoding: try documents.document(for: object($0)).htmlBytes(), as: UTF8.self) }
    }

    private static let hostile = #"</p><b x='1' onclick=\"y\">&lt;{{a}}{{{a}}}<!--"#

    @Test func valuesAreTextWhateverTheySay() throws {
        let result = try html("<p>{{a}}</p><p title='{{a}}' class=\"x {{a}}\">", #"{"a":"\#(Self.hostile)"}"#)[0]
        let parsed = MarkupParser().parse(result)
        #expect(parsed.matches(of: try SelectorQuery("p")).count == 2)
        #expect(parsed.matches(of: try SelectorQuery("[onclick], [x], b")).isEmpty)
    }

    @Test func valuesAreTheirDocumentsTextAsIfItHadBeenParsed() throws {
        let rows = [#"{"a":"one","b":"x"}"#, #"{"a":"","b":""}"#, #"{"a":"a & b","b":"q"}"#]
        let got = try html("<h1 class='{{b}}'>{{a}}</h1><p>{{a}}, {{b}}.</p>", rows[0], rows[1], rows[2])
        let wanted = [("one", "x"), ("", ""), ("a &amp; b", "q")].map { a, b in
            String(
                decoding: MarkupParser().parse("<h1 class='\(b)'>\(a)</h1><p>\(a), \(b).</p>").htmlBytes(),
                as: UTF8.self)
        }
        #expect(got == wanted)
    }

    @Test func membersSetTheTextOfElementsWithTheirIds() throws {
        let got = try html(
            "<h1 id=t>Old <i>one</i></h1><p id=u>{{u}}!</p><p id=v>kept",
            #"{"t":"<New>","u":"U","other":[1]}"#)[0]
        #expect(
            got.contains("&lt;New&gt;</h1>") && got.contains(">U!</p>") && got.contains("kept") && !got.contains("one"))
    }

    @Test(arguments: [
        ("color:{{a}}", "red", "color:red"), ("color:{{a}}", "#ff0000", "color:#ff0000"),
        ("color:{{a}}", "rgb(1, 2, 3)", "color:rgb(1, 2, 3)"), ("width:{{a}}%", "-4.5", "width:-4.5%"),
        ("content:'{{a}}'", "it's;}", #"content:'it\27 s\3b \7d '"#),
        ("background:url({{a}})", "a.png) ; color: red", #"background:url(a.png\29 \20 \3b \20 color:\20 red)"#),
        ("/* {{a}} */", "*/ x{}", "/*  */"),
    ])
    func valuesInStylesStandForThemselves(_ style: String, _ value: String, _ css: String) throws {
        let row = #"{"a":"\#(value)"}"#
        #expect(try html("<style>p{\(style)}</style>", row)[0].contains("p{\(css)}"))
        let attribute = try html("<p style=\"\(style)\">x", row)[0]
        #expect(attribute.replacing("&quot;", with: "\"").contains("style=\"\(css)\""))
    }

    @Test(arguments: [
        "red; position: fixed", "red}p{x:y", "url(x)", "a b", "/*", "", "expression(1)", "1px 2px", "\\;",
    ])
    func valuesInStylesAreNothingElse(_ value: String) throws {
        let row = JSONValue.object([JSONMember(name: "a", value: .string(value))])
        for template in ["<style>p{color:{{a}}}</style>", "<p style='color:{{a}}'>"] {
            let documents = DocumentTemplate(
                try MustacheTemplate(Array(template.utf8)), parser: MarkupParser(), name: "t.html")
            #expect(throws: TemplateError.self) { _ = try documents.document(for: row) }
        }
    }

    @Test(arguments: [
        "<b {{a}}=1>", "<script>{{a}}</script>", "<b onclick='{{a}}'>", "<b ONCLICK='{{a}}'>", "<xmp>{{a}}</xmp>",
    ])
    func valuesStandInTextAndInAttributesOnly(_ template: String) {
        #expect(throws: TemplateError.self) { _ = try html(template, #"{"a":"x"}"#) }
    }

    @Test func commentsWithValuesGo() throws {
        #expect(try html("<p>a<!-- {{a}} -->b", #"{"a":"--><i>"}"#)[0].contains("<p>ab"))
    }

    @Test func rawValuesAndSectionsAreParsedForEachRow() throws {
        let got = try html(
            "<ul>{{#list}}<li>{{.}}</li>{{/list}}</ul>{{{raw}}}",
            #"{"list":["<1>","2"],"raw":"<i>i</i>"}"#, #"{"list":["3","4"],"raw":"<i>i</i>"}"#, #"{"list":[],"raw":""}"#
        )
        #expect(got[0].contains("<li>&lt;1&gt;</li><li>2</li>") && got[0].contains("<i>i</i>"))
        #expect(got[1].contains("<li>3</li><li>4</li>") && got[1].contains("<i>i</i>"))
        #expect(!got[2].contains("<li>") && !got[2].contains("<i>"))
    }

    @Test func aRowsPictureDoesNotDependOnTheRowsBefore() throws {
        let template = """
            <style>p:empty{height:20px;background:red} .hot{color:red} p{margin:0}</style><p id=x class="{{c}}">{{a}}</p><p>b {{a}} c</p>
            """
        let rows = [
            #"{"a":"one two","c":""}"#, #"{"a":"","c":"hot"}"#, #"{"a":"a much longer text that wraps","c":"hot"}"#,
        ]
        let renderer = Renderer(fonts: noSystemFonts)
        var options = RenderOptions()
        options.width = .pixels(120)
        func picture(_ documents: DocumentTemplate, _ row: String, _ renderer: Renderer) throws -> [UInt8] {
            var document = try documents.document(for: object(row))
            return try renderer.png(&document, options)
        }
        func makeDocuments() throws -> DocumentTemplate {
            DocumentTemplate(try MustacheTemplate(Array(template.utf8)), parser: MarkupParser(), name: "t.html")
        }
        let warm = try makeDocuments()
        for row in rows + rows.reversed() {
            let alone = try picture(makeDocuments(), row, Renderer(fonts: noSystemFonts))
            #expect(try picture(warm, row, renderer) == alone)
            // The same as a document with the values written into it.
            let members = try #require(JSONSerialization.jsonObject(with: Data(row.utf8)) as? [String: String])
            let text = template.replacing("{{a}}", with: members["a"] ?? "").replacing(
                "{{c}}", with: members["c"] ?? "")
            var document = MarkupParser().parse(text)
            #expect(try renderer.png(&document, options) == alone)
        }
    }

    private var noSystemFonts: FontOptions {
        var fonts = FontOptions()
        fonts.usesSystemFonts = false
        return fonts
    }

    @Test(arguments: [
        ("<style id=a>p{}</style>", #"{"a":"p{color:red}"}"#), ("<script id=a>f()</script>", #"{"a":"g()"}"#),
        ("<a href='{{a}}'>x</a>", #"{"a":" java\tscript:f()"}"#),
        ("<iframe srcdoc='{{a}}'></iframe>", #"{"a":"x"}"#),
        ("<iframe src='{{a}}'></iframe>", #"{"a":"data:text/html,x"}"#),
        ("<iframe src='{{a}}'></iframe>", #"{"a":"data:image/svg+xml,<svg onload='f()'/>"}"#),
        ("<object data='{{a}}'></object>", #"{"a":"data:,x"}"#),
        ("<a href='{{a}}'>x</a>", #"{"a":"data:application/xhtml+xml;charset=utf-8,x"}"#),
        ("<meta http-equiv=refresh content='0;url={{a}}'>", #"{"a":"java\tscript:f()"}"#),
        ("<meta http-equiv=refresh content='{{a}}'>", #"{"a":"0.5 'javascript:f()'"}"#),
        ("<svg><a><set attributeName=href to='{{a}}' /></a></svg>", #"{"a":"javascript:f()"}"#),
        ("<svg><a><animate attributeName=href from=x by='{{a}}' /></a></svg>", #"{"a":"vbscript:f()"}"#),
        ("<svg><a><animate attributeName=href values='#;{{a}};#' /></a></svg>", #"{"a":"x; javascript:f()"}"#),
    ])
    func aRowBringsNoCode(_ template: String, _ row: String) throws {
        let documents = DocumentTemplate(
            try MustacheTemplate(Array(template.utf8)), parser: MarkupParser(), name: "t.html")
        #expect(throws: TemplateError.self) { _ = try documents.document(for: object(row)) }
    }

    @Test(arguments: [
        "<img src='{{a}}'>", "<meta name=description content='{{a}}'>",
        "<meta http-equiv=refresh content='5;url={{a}}'>",
    ])
    func whatRunsNothingIsFilled(_ template: String) throws {
        let documents = DocumentTemplate(
            try MustacheTemplate(Array(template.utf8)), parser: MarkupParser(), name: "t.html")
        #expect(try documents.document(for: object(#"{"a":"data:image/svg+xml,x"}"#)).html().contains("svg+xml,x"))
    }

    @Test func animationsThatRunNothingAreFilled() throws {
        let template =
            "<svg><a><animate attributeName=href from='{{a}}' values='{{a}};#b' /></a></svg><i values='{{a}}'>x</i>"
        let documents = DocumentTemplate(
            try MustacheTemplate(Array(template.utf8)), parser: MarkupParser(), name: "t.html")
        #expect(try documents.document(for: object(#"{"a":"https://a.b/"}"#)).html().contains("https://a.b/;#b"))
    }

    /// Messages name the position in the template, also after sections of any length.
    @Test(arguments: [
        ("a\n <style id=x>p{}</style>", #"{"x":"y"}"#, 2, 2),
        ("a\n <b id=x>p</b>", #"{"x":[]}"#, 2, 2),
        ("{{a}}\n<a href='{{a}}'>", #"{"a":"javascript:f()"}"#, 2, 10),
        ("{{#a}}\n<i>{{b}}</i>\n{{/a}}\n{{b}} <b id=x>p</b>", #"{"a":[1,2,3],"b":"long text","x":{}}"#, 4, 7),
        ("{{{b}}}\n<b id=x>p</b>", #"{"b":"<i>\n\n\n</i>","x":{}}"#, 2, 1),
    ])
    func errorsNameThePlaceInTheTemplate(_ template: String, _ row: String, _ line: Int, _ column: Int) throws {
        let source = Array(template.utf8)
        let documents = DocumentTemplate(try MustacheTemplate(source), parser: MarkupParser(), name: "t.html")
        let error = #expect(throws: TemplateError.self) { _ = try documents.document(for: object(row)) }
        let place = DocumentTemplate.location(of: try #require(error), in: source, named: "t.html")
        #expect(place == Diagnostic.Location(source: "t.html", line: line, column: column))
    }

    @Test func rowsDoNotFillElementsWithoutContents() throws {
        #expect {
            _ = try DocumentTemplate("<img id=photo src=a.png>").document(forJSON: #"{"photo":"b.png"}"#)
        } throws: {
            ($0 as? TemplateError)?.message.contains("{{photo}} in one of its attributes") ?? false
        }
    }

    /// Messages about a row's document name the place in the template, whose text the excerpt shows.
    @Test(arguments: [
        ("x\n<style>\nb{}\np{color:{{c}};wdth:3px}</style>", "4:15 p{color:{{c}};wdth:3px}</style>"),
        ("<p style=\"color:{{c}};&#x77;dth:1\">{{c}}", "1:23 <p style=\"color:{{c}};&#x77;dth:1\">{{c}}"),
        ("{{#l}}\n<b style='wdth:1'>{{c}}</b>\n{{/l}}", "2:11 <b style='wdth:1'>{{c}}</b>"),
        ("<p id=i>a</p><i>{{c}}</i>\n<b style='color:{{c}};wdth:1'>", "2:23 <b style='color:{{c}};wdth:1'>"),
    ])
    func messagesNameThePlaceInTheTemplate(_ template: String, _ expected: String) throws {
        let documents = try DocumentTemplate(template, name: "t.html")
        var document = try documents.document(forJSON: #"{"c":"darkgreen","l":[1,2],"i":""}"#)
        _ = document.styled()
        let found = document.diagnostics.map { message in
            let place = message.location
            return "\(place?.line ?? 0):\(place?.column ?? 0) \(message.excerpt?.text ?? "")"
        }
        #expect(Set(found) == [expected])
    }

    @Test(arguments: [
        ("<p>{{name}}", true), ("<img src='{{pic}}'>", true), ("<p>{{#list}}x{{/list}}", true),
        ("<code>{{name}}</code>", false), ("<p>{{ a + b }} {{< x >}}", false),
    ])
    func tagsThatNoRowFillsAreReported(_ html: String, _ isReported: Bool) {
        var document = MarkupParser().parse(html)
        document.reportUnfilledTags()
        #expect(document.diagnostics.contains { $0.code == .unfilledTag } == isReported)
    }
}
