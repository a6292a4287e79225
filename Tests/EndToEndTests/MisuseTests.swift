// Usage errors: each has a message and an exit status, and leaves no partial output.

import Foundation
import FancyTextTestSupport
import Testing

@Suite("Misuse", whenBuilt)
struct MisuseTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var arguments: String
        var message: String
        var status: Int32 = 2
        var testDescription: String { arguments }

        init(_ arguments: String, _ message: String, status: Int32 = 2) {
            (self.arguments, self.message, self.status) = (arguments, message, status)
        }
    }

    static let cases: [Case] = [
        // Names of commands and options.
        Case(
            "rendr a.html",
            "Unknown command 'rendr': choose one of render, strip, select, dump, fonts, batch, cache, preview, schema"),
        Case("--nope", "Unknown option '--nope'"),
        Case("-x", "Unknown option '-x'"),
        Case("render a.html --bogus v", "Unknown option '--bogus'"),
        Case("render a.html b.html --bogus v -o x.png", "Unknown option '--bogus'"),
        Case("render a.html --widht 3", "Did you mean '--width'?"),
        Case("strip a.html --link none", "Did you mean '--links'?"),
        Case("render a.html -h 630", "-H 630"),
        Case("select p -H 300 a.html", "There is no file '300': -H is --with-filename here"),
        Case("render a.html --page-size A4", "Unknown option '--page-size'. Write --page."),
        Case("render a.html --dark", "Unknown option '--dark'. Write --color-scheme dark."),
        Case("schema render --dark", "Unknown option '--dark'.\nUsage"),
        Case("render a.html x.png", "there is no file 'x.png'; -o names the output: -o x.png"),
        Case("render a.html --check a.jpg --update", "--check compares with a PNG, which 'a.jpg' is not"),
        Case("schema", "Missing expected argument '<name>': choose one of render, select"),
        Case("batch --untrusted", "It is an option of render, strip, select, dump, and a member of requests of batch"),
        Case("help render foo", "Unexpected argument 'foo': help takes one command or topic"),
        Case("schema soup", "choose one of render, select, dump, diagnostics, fonts"),
        Case("strip a.html --base http://", "it must be a URL with a scheme and a host"),
        // Inputs.
        Case("render nosuch.html", "nosuch.html: No such file or directory"),
        Case("render folder", "folder: Is a directory"),
        Case("render photo.jpg", "photo.jpg: this is a JPEG picture, not markup"),
        Case("strip pic.png", "pic.png: this is a PNG picture, not markup"),
        Case("select p d.docx", "d.docx: this is a ZIP archive, not markup"),
        Case("render noise.html", "noise.html: this is not text"), Case("strip noise.html", "this is not text"),
        Case("select p noise.html", "this is not text"),
        Case(
            "render empty.html -o made.png", "empty.html:1:1: warning: the input is empty: the picture is empty",
            status: 0),
        Case("render empty.html -o made.png --strict", "the input is empty"),
        Case("render a.html --from rtf", "'rtf' is invalid for '--from': choose one of html, markdown"),
        Case("render a.html --encoding klingon", "'klingon' is invalid for '--encoding': it must be a label"),
        Case("render ftp://x.example/a --allow-net", "inputs are files, and URLs of http and https"),
        Case("render a.html --allow-host http://x/", "'http://x/' is invalid for '--allow-host': it must be a name"),
        Case("render a.html --untrusted --allow-host x", "--untrusted and --allow-host cannot be combined"),
        Case("render 'http://[x' --allow-net", "http://[x: cannot be fetched: it is not a valid URL"),
        Case("select b feed.xml", "feed.xml: this is XML, read as HTML: --xml reads XML", status: 0),
        Case("select b bad.xml --xml --strict", "bad.xml:1:7: warning: </a> before the end of <b>"),
        Case(
            "render link.html --strict -o x.png",
            "link.html:1:1: warning: cannot read the style sheet 'no.css': no such file"),
        Case("render link.html --untrusted --strict -o x.png", "reading style sheets is not allowed"),
        Case("render shown.html --untrusted --strict -o x.png", "(--base-dir; not with --untrusted)"),
        Case("render a.html --max-input 3", "more than 3 bytes (--max-input)"),
        Case("render shown.html --set img=x -o x.png", "--set: 'img' has no contents; --set-attr sets its attributes"),
        Case("render a.html --css 'p{color:red}' -o x.png", "not 'p{color:red}': --style takes rules"),
        Case("select a a.html --format csv", "--csv writes the records of --field and --table"),
        // Outputs.
        Case("render a.html -o no/a.png", "there is no folder 'no'"),
        Case("render a.html b.html -o x.png", "several files require -o with {stem}"),
        Case("render a.html b.html --check g.png", "several files require --check with {stem}"),
        Case("render a.html --padding 10 5 -o x.png", "there is no file '5'; an option takes a single value"),
        Case("render a.html -o {{id}}.png", "keys in names of files have single braces, as in {id}"),
        Case("render a.html -o made.png --page A4", "--page requires PDF output"),
        Case("render a.html --image-map map.html -o x.pdf", "--image-map requires PNG, JPEG, WebP or SVG output"),
        Case(
            "render shown.html -o shown.png", "shown.png: the result would replace this file, which the document shows"),
        Case("render a.html --diagnostics xml -o x.png", "there is no file 'xml'; an option takes a single value"),
        Case("select a a.html -o x.xls", ".pdf, .ans, .csv, .tsv, or give --format"),
        Case("a.html -o x.png", "schema, as in fancytext render a.html"),
        Case("render a.html -width 300 -o x.png", "Unknown option '-width'. Did you mean '--width'?"),
        Case("render a.html -o {page.png", "-o {page.png: '{' has no '}'"),
        Case(
            "render comment.html -o made.png --strict",
            "comment.html:1:1: warning: the input has nothing to show: the picture is empty"),
        Case("render a.html -o x.gif", ".gif names no format that can be written"),
        Case("render a.html -o ''", "the output name is empty"),
        Case("render a.html --format html -o a.html", "a.html: the result would replace this input"),
        Case("select a a.html b.html -o .//a.html", "a.html: the result would replace this input"),
        Case("render a.html -o x.png -o ./x.png", "-o ./x.png is given twice"),
        Case("render a.html -o {nope}.png", "'{nope}' needs rows (--data); inputs have {stem}, and pages {page}"),
        Case("strip a.html -o {page}.txt", "{page}.txt: '{page}' has no value here"),
        Case("select a a.html -o {page}.png", "{page}.png: '{page}' has no value here"),
        Case("select a a.html --field t=a -o x.xlsx", "what is written is JSON, not .xlsx"),
        Case("render a.html -o folder", "folder: Is a directory; name a file in it"),
        Case("render a.html b.html -o same.{stem}.png --set '#no=x'", "nothing matches '#no'"),
        Case("strip a.html -o x.png", "what is written is text, not .png"),
        Case("render a.html --format gif", "choose one of png, jpeg, webp"),
        Case("render a.html --format", "Missing value for '--format"),
        // Options that need others, or that contradict each other.
        Case("render a.html --accent red -o made.png", "--accent requires --preset"),
        Case("render a.html --accent red --preset none -o made.png", "--accent requires --preset"),
        Case("render a.html --valign middle -o made.png", "note: --valign has an effect with --height", status: 0),
        Case("render a.html --max-size 30 -o made.png", "--max-size requires --fit-lines"),
        Case("render a.html --base-dir nob", "--base-dir: there is no folder 'nob'"),
        Case("cache --cache folder --stats --clear", "--stats and --clear cannot be combined"),
        Case("render a.html --style 'p{}' --style 'p{colr:1}' -o made.png", "--style 2:1:3: warning", status: 0),
        Case("render a.html --style 'p{color:red' --strict -o made.png", "the block is not closed"),
        // Values.
        Case(
            "render a.html --width 0",
            "'0' is invalid for '--width': it must be a number of pixels above 0 and up to 1000000"),
        Case("render a.html --width -5", "'-5' is invalid for '--width': it must be a number of pixels above 0"),
        Case("render a.html -w -5 -o x.png", "'-5' is invalid for '--width'"),
        Case("render a.html -w0 -o x.png", "'0' is invalid for '--width'"),
        Case("render a.html --scale -1 -o x.png --bad", "Unknown option '--bad'"),
        Case(
            "render a.html --scale -1 --scale -1 -o x.png", "'-1' is invalid for '--scale': it must be a number from 1"),
        Case("render a.html --width=-5", "'-5' is invalid for '--width'"),
        Case("render a.html -w abc", "'abc' is invalid for '--width'"),
        Case("render a.html -o x.png --height 0", "'0' is invalid for '--height'"),
        Case("render a.html --format png --scale 99", "a number from 1 to 16"),
        Case("render a.html --background blurple", "it is not a CSS colour"),
        Case("render a.html --padding -1", "'-1' is invalid for '--padding': it must be a number of pixels from 0"),
        Case("render a.html --padding -1cm", "'-1cm' is invalid for '--padding'"),
        Case("render a.html --padding 1em", "a length such as 10px, 12pt or 1.5cm"),
        Case("render a.html --width 4furlongs -o x.png", "'4furlongs' is invalid for '--width'"),
        Case("render a.html --width 4in", "a number of terminal cells"),
        Case("render a.html --page 1x1 -o x.pdf", "'1x1' is invalid for '--page'"),
        Case("render a.html --quality 5", "--quality requires JPEG or WebP output"),
        Case("render a.html --quality 500 -o x.jpg", "a whole number from 1 to 100"),
        Case("render a.html --preset nope", "choose one of classic, modern, neon"),
        Case("render a.html --max-lines 0", "'0' is invalid for '--max-lines'"),
        Case("render a.html --color red", "choose one of auto, always, never"),
        Case("render a.html --theme blue", "choose one of auto|light|dark, or name a file of colours"),
        Case("render a.html --format ansi --theme nosuch.json", "nosuch.json: No such file or directory"),
        Case(
            "render a.html --format ansi --theme bad.json",
            "bad.json:1:2: error: not valid JSON: expected a name in double quotes"),
        Case(
            "render a.html --format ansi --theme unknown.json", "unknown.json:1:2: error: 'nope' must be a CSS colour"),
        Case("render a.html --images jpeg", "choose one of auto, kitty, iterm, sixel, blocks, none"),
        Case("render a.html --links up", "choose one of none, inline, footnotes"),
        Case("render a.html --jobs 0", "a whole number from 1 to 1024"),
        Case("render a.html --timeout 0", "a number of at least 0.001"),
        Case("strip a.html --width 9px", "it must be a whole number of columns, from 1 to 1000000"),
        Case("render a.html --max-pixels 10 -o x.png", "more than the limit of 10; allow more with --max-pixels"),
        Case("render a.html --width 4in --format ansi", "are for pictures, whose pixels for each inch --dpi sets"),
        Case("render a.html -o /proc/a.png", "its file system accepts no new files"),
        Case("cache --cache nodir --stats", "nodir: No such file or directory"),
        Case("cache --cache folder --clear --refresh", "Unknown option '--refresh'"),
        Case(
            "strip a.html --links inline --base here", "'here' is invalid for '--base': it must be a URL with a scheme"),
        Case("select a a.html --base here", "'here' is invalid for '--base'"),
        Case("render a.html --base here", "'here' is invalid for '--base'"),
        Case("render a.html --strict --style 'b{color:red' -o x.png", "warning: the block is not closed"),
        // Options without an effect, or that cannot be combined.
        Case("render a.html --layout", "--layout requires JSON output: the output is terminal text"),
        Case("render a.html --glyphs", "--glyphs requires JSON output"),
        Case("render a.html --offsets utf8", "--offsets requires JSON output"),
        Case("strip a.html --raw --width 9", "--width requires readable output"),
        Case("strip a.html --inner-text --tables grid", "--tables requires readable output"),
        Case("strip a.html --inner-text --links inline", "--links requires readable or --speech output"),
        Case("strip a.html --raw --style p{}", "--style requires readable, --inner-text or --speech output"),
        Case("dump a.html --stage tree --width 9", "--width requires layout or display output"),
        Case("render a.html --ellipsis x", "note: --ellipsis has an effect with --max-lines", status: 0),
        Case("select a a.html --attr href --pretty", "--pretty requires JSON, HTML or records output"),
        Case("select a a.html --padding 3", "--padding requires PNG, JPEG, WebP, SVG, PDF or terminal text output"),
        Case("select a a.html --attr href --format json", "records have --field 'href=::attr(href)'"),
        Case("select a a.html --count --text", "--count and --text cannot be combined"),
        Case("select a a.html --attr href --text", "--text and --attr cannot be combined"),
        Case("select a a.html --inner --text", "--text and --inner cannot be combined"),
        Case("select a a.html --field a=b --attr c", "--attr and --field cannot be combined"),
        Case("select a::text a.html --attr c", "--attr and 'a::text' cannot be combined"),
        Case("select a a.html --count --format json", "--format json and --count cannot be combined"),
        Case("select a a.html --text --format html", "--format html and --text cannot be combined"),
        Case("select a a.html --inner --format text", "--inner and text output cannot be combined"),
        Case("select a a.html --first --nth 2", "--first and --nth cannot be combined"),
        Case("select a a.html -0 --separator x", "-0 and --separator cannot be combined"),
        Case("select a a.html --csv --field t=a --separator ;", "--csv and --separator cannot be combined"),
        Case("select a a.html --field t[]=a --field t=b", "--field 't' is given twice"),
        Case("select a a.html --attr 'hr ef'", "--attr 'hr ef' is no name of an attribute"),
        Case("select a a.html -o x.html -o x.json", "ask for two formats"),
        Case("render a.html -o x.png -o x.png", "-o x.png is given twice"),
        Case("strip a.html -o x.txt -o x.txt", "-o x.txt is given twice"),
        Case("render a.html -o - -o -", "-o - is given twice"),
        Case("render a.html -o {stem}.png -o x.png", "cannot be combined"),
        Case("render a.html --data b.html -o x.png -o y.png", "--data takes a single -o"),
        Case("strip a.html --raw --speech", "cannot be combined"),
        Case("render a.html --config a --no-config", "cannot be combined"),
        Case("render a.html --tolerance 3", "--tolerance requires --check"),
        Case("render a.html --update", "--update requires --check"),
        Case("render t.html --data one.ndjson --data three.csv -o {c}.png", "--data is given twice"),
        // Styles, edits, comparisons.
        Case("render a.html --style color:red", "for all of the text use --root-style 'color:red'"),
        Case("render a.html --css nosuch.css", "nosuch.css: No such file or directory"),
        Case("render a.html -o x.png --font nosuch.ttf", "nosuch.ttf: No such file or directory"),
        Case("render a.html -o x.png --font folder", "folder: this is a folder: use --font-dir"),
        Case("render a.html -o x.png --font ''", "error: the file name is empty"),
        Case("render a.html -o x.png --font-dir a.html", "a.html: Not a directory"),
        Case("render a.html -o x.png --css pic.png", "pic.png: this is a PNG picture, not a style sheet"),
        Case("render a.html --add-class p=", "--add-class needs selector=class, without a dot, not 'p='"),
        Case("render if.html --data one.ndjson -o {c}.png", "a condition is {{#c}}…{{/c}}, its opposite {{^c}}…{{/c}}"),
        Case("render a.html --add-class p=.x", "--add-class needs selector=class, without a dot, not 'p=.x'"),
        Case("strip a.html --remove .none", "warning: --remove: nothing matches '.none'", status: 0),
        Case("select p a.html --remove .none", "warning: --remove: nothing matches '.none'", status: 0),
        Case("render a.html --set nothing", "--set needs selector=value"),
        Case("render a.html --set 'p[=x'", "--set:2: error: expected an attribute name"),
        Case("render a.html --remove 'p['", "--remove:2: error: expected an attribute name"),
        Case("render a.html -o x.png --lambda x=nosuch.png", "nosuch.png: No such file or directory"),
        Case("render a.html --check g.png", "g.png: there is no such picture; --update writes it"),
        Case("render a.html --check g.png -o g.png", "name the same file: --update replaces a picture that differs"),
        Case("render a.html --check a.html", "not an image of a known format"),
        Case("render a.html --check a.png --format json", "--check requires PNG output"),
        // Selecting and dumping.
        Case("select", "Missing expected argument '<selector>'"),
        Case("select a.html", "fancytext: error: 'a.html' is a file, which comes last: fancytext select 'h2' a.html"),
        Case("select a.html p", "fancytext select 'h2' a.html"),
        Case("select p --attr a.html", "fancytext select 'a' --attr href a.html"),
        Case("--width=9 render a.html", "fancytext: error: Options follow the command: fancytext render --width"),
        Case("-o x.png a.html", "A command is missing: fancytext render … -o."),
        Case("select dc:dateSent a.html", "a name with a colon is written 'dc\\:dateSent'"),
        Case("render one.csv", "fancytext render template.html --data one.csv"),
        Case("render '<p>x'", "<p>x: No such file or directory; HTML itself is read from standard input"),
        Case("render '<p>\(String(repeating: "x", count: 300))'", "; HTML itself is read from standard input"),
        Case("select 'p[' a.html", "expected an attribute name"),
        Case("select '#1' a.html", "an id that begins with a digit is written as in [id="),
        Case("render a.html --timeout 5s", "it must be a number of at least 0.001, without a unit"),
        Case("render a.html --root-style p{color:red}", "--style takes rules"),
        Case("render file:///none.html", "write '/none.html'"),
        Case("render a.html --base-dir a.html", "'a.html' is a file, not a folder"),
        Case("select .1 a.html", "a class that begins with a digit is written as in [class~="),
        Case("select a[href!=x] a.html", "for other values use ':not([name=value])'"),
        Case("select a@href a.html", "'/@b' is '::attr(b)'"), Case("select a::txt a.html", "did you mean '::text'?"),
        Case("select a::href a.html", "an attribute is '::attr(href)'"),
        Case("select 'a:nth-child 2' a.html", "it needs an argument, as in ':nth-child(2)'"),
        Case("select :button a.html", "use ':is(button, [type=button])'"),
        Case("select p a.html --field 'x=p['", "--field x:2: error: expected an attribute name"),
        Case("select p a.html --csv", "'p' matches no table; --field names the columns"),
        Case("select //p a.html", "this is XPath: in CSS, 'a//b' is 'a b'"),
        Case("select a[@href] a.html", "this is XPath"), Case("select p[1] a.html", "'a:nth-of-type(1)'"),
        Case("select p:eq(1) a.html", "use --nth, which counts from 1"),
        Case("select p:first a.html", "unknown pseudo-class ':first'; use --nth"),
        Case("select p a.html --nth 0", "--nth counts from 1"),
        Case("dump a.html", "Missing --stage"),
        Case("dump a.html b.html --stage tree", "dump reads a single file"),
        // Configuration.
        Case("render a.html --config nosuch.json", "nosuch.json: No such file or directory"),
        Case(
            "render a.html --config bad.json", "bad.json:1:2: error: not valid JSON: expected a name in double quotes"),
        Case("render a.html --config unknown.json", "unknown.json:1:2: error: there is no option '--nope'"),
        Case("render a.html --config near.json", "render has no option '--widht'; did you mean '--width'?"),
        Case("render a.html --config command.json", "command.json:1:2: error: there is no command 'rendr'"),
        Case("render a.html --config twice.json", "twice.json:1:23: error: 'width' is given twice"),
        // Rows.
        Case("render t.html --data latin.csv -o {c}.png", "latin.csv:2:4: error: row 1: not UTF-8"),
        Case("render t.html --data semicolons.csv -o {c}.png", "semicolons.csv:1:1: error: the header has no comma"),
        Case("render t.html --data one.ndjson -o one.ndjson", "one.ndjson: the result would replace this input"),
        Case("render t.html --data three.csv -o x.png", "several rows require -o with a key of theirs"),
        Case("render a.html --data twice.csv -o {id}.png", "twice.csv:1:1: error: the header has two columns 'id'"),
        Case("render a.html --data rows.csv -o {no}.png", "no 'no' for the name of the file; the row has 'id', 'b'"),
        Case("render a.html --set-html p=<b", "--set-html '<b': the tag or comment at line 1, column 1 is not closed"),
        Case("render t.html --data rows.csv -o {id}.png", "there is no 'c' (t.html:1:1); the row has 'id', 'b'"),
        Case("render t.html --data twice.ndjson -o {c}.png", "twice.ndjson:1:1: error: row 1: 'c' is given twice"),
    ]

    private static let inputs: [(name: String, bytes: [UInt8])] = [
        ("a.html", Array("<p>x <a href=y>z</a>".utf8)), ("b.html", Array("<p>y".utf8)), ("empty.html", []),
        ("photo.jpg", [0xFF, 0xD8, 0xFF, 0xE0, 0x4A]), ("pic.png", [0x89, 0x50, 0x4E, 0x47, 0x0D]),
        ("d.docx", [0x50, 0x4B, 0x03, 0x04]), ("noise.html", [UInt8](0...255)), ("bad.json", Array("{bad".utf8)),
        ("unknown.json", Array("{\"nope\":1}".utf8)), ("near.json", Array("{\"render\":{\"widht\":1}}".utf8)),
        ("command.json", Array("{\"rendr\":{\"width\":1}}".utf8)),
        ("twice.json", Array("{\"render\":{\"width\":1, \"width\":2}}".utf8)),
        ("latin.csv", Array("c,d\ncaf".utf8) + [0xE9] + Array(",1\n".utf8)),
        ("bad.xml", Array("<a><b></a>".utf8)), ("feed.xml", Array("<?xml version=\"1.0\"?><b/>".utf8)),
        ("link.html", Array("<link rel=stylesheet href=no.css><p>x".utf8)),
        ("if.html", Array("{{#if c}}x{{/if}}".utf8)),
        ("comment.html", Array("<!-- <p>x".utf8)),
        ("semicolons.csv", Array("c;d\n1;2\n".utf8)),
        ("one.ndjson", Array("{\"c\":1}".utf8)), ("three.csv", Array("c\n1\n2\n3\n".utf8)),
        ("shown.html", Array("<img src=shown.png>".utf8)),
        ("shown.png", [0x89, 0x50, 0x4E, 0x47, 0x0D]), ("twice.csv", Array("id,id\n1,2\n".utf8)),
        ("rows.csv", Array("id,b\n1,2\n".utf8)),
        ("twice.ndjson", Array("{\"c\":1,\"c\":2}".utf8)), ("t.html", Array("{{c}}".utf8)),
    ]

    /// Splits a command line into words; single quotes group words.
    private func words(_ line: String) -> [String] {
        var result: [String] = []
        var word: String?
        var isQuoted = false
        for character in line {
            if character == "'" {
                isQuoted.toggle()
                word = word ?? ""
            } else if character == " ", !isQuoted {
                if let done = word { result.append(done) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        return result + (word.map { [$0] } ?? [])
    }

    @Test(arguments: cases)
    func isNamed(_ mistake: Case) throws {
        let scratch = try Scratch()
        for input in Self.inputs {
            try Data(input.bytes).write(to: URL(fileURLWithPath: scratch.path(input.name)))
        }
        try FileManager.default.createDirectory(atPath: scratch.path("folder"), withIntermediateDirectories: false)
        let before = try FileManager.default.subpathsOfDirectory(atPath: scratch.url.path).sorted()
        let result = try #require(Program()).run(words(mistake.arguments), folder: scratch.url)
        #expect(result.status == mistake.status, "\(result.errors)")
        #expect(result.errors.contains(mistake.message), "\(result.errors)")
        if mistake.status == 0 { return }
        #expect(result.output.isEmpty)
        let after = try FileManager.default.subpathsOfDirectory(atPath: scratch.url.path).sorted()
        let allowed = mistake.arguments.contains("made.png") ? ["made.png"] : []
        #expect(after.filter { !allowed.contains($0) } == before)
    }

    @Test func anAttributeThatNoMatchHasIsNoMatch() throws {
        let result = try #require(Program()).run(["select", "a", "--attr", "hrf"], input: Data("<a href=x>y</a>".utf8))
        #expect(
            result.status == 1 && result.output.isEmpty && result.errors.contains("no match has the attribute 'hrf'"))
    }

    @Test func foldersOfPatternsAreMade() throws {
        let scratch = try Scratch()
        try Data("<p>x".utf8).write(to: URL(fileURLWithPath: scratch.path("a.html")))
        let program = try #require(Program())
        #expect(try program.run(["render", "a.html", "-o", "new/deep/{stem}.png"], folder: scratch.url).status == 0)
        #expect(FileManager.default.fileExists(atPath: scratch.path("new/deep/a.png")))
    }

    @Test func comparisonsTolerateAndUpdate() throws {
        let scratch = try Scratch()
        try Data("<p style='color:#000'>x".utf8).write(to: URL(fileURLWithPath: scratch.path("a.html")))
        try Data("<p style='color:#030303'>x".utf8).write(to: URL(fileURLWithPath: scratch.path("b.html")))
        let program = try #require(Program())
        func run(_ arguments: String...) throws -> ProgramResult {
            try program.run(["render"] + arguments + ["--no-system-fonts"], folder: scratch.url)
        }
        #expect(try run("a.html", "--check", "g.png", "--update").status == 0)
        #expect(FileManager.default.fileExists(atPath: scratch.path("g.png")))
        #expect(try run("a.html", "--check", "g.png").status == 0)
        #expect(try run("b.html", "--check", "g.png").status == 1)
        #expect(try run("b.html", "--check", "g.png", "--tolerance", "3").status == 0)
        let wider = try run("a.html", "--check", "g.png", "--width", "300")
        #expect(wider.status == 1 && wider.errors.contains("800×52 pixels, the picture drawn 300×52"))
        #expect(try run("b.html", "--check", "g.png", "--update").status == 0)
        #expect(try run("b.html", "--check", "g.png").status == 0)
    }
}
