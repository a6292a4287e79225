import FancyTextTestSupport
import Testing

@testable import FancyTextBasics
@testable import FancyTextMarkup

@Suite struct TokenizerTests {
    struct Seen: Equatable {
        var kind: Token.Kind
        var tag: TagID
        var range: Range<UInt32>
        var attributes: [String]
        var selfClosing: Bool
    }

    func tokens(_ source: String, scansPlainTags: Bool = true) -> [Seen] {
        let bytes = Array(source.utf8)
        return bytes.withUnsafeBufferPointer { buffer in
            var tokenizer = Tokenizer(buffer)
            tokenizer.scansPlainTags = scansPlainTags
            var token = Token()
            var attributes = GrowableBuffer<Attribute>(capacity: 8)
            defer { attributes.free() }
            var seen: [Seen] = []
            while true {
                attributes.count = 0
                tokenizer.next(&token, &attributes, inForeign: false)
                if token.kind == .end { return seen }
                let isTag = token.kind == .startTag
                let all = (0..<(isTag ? Int(token.attributeCount) : 0)).map { k in
                    let a = attributes[Int(token.firstAttribute) + k]
                    let name = UnsafeBufferPointer(start: buffer.baseAddress! + Int(a.nameStart), count: a.nameLength)
                    let value = UnsafeBufferPointer(
                        start: buffer.baseAddress! + Int(a.valueStart), count: a.valueLength)
                    let (id, shown) = (a.id.rawValue, String(decoding: value, as: UTF8.self))
                    return "\(id) \(String(decoding: name, as: UTF8.self))=\(shown)"
                }
                let hasTag = isTag || token.kind == .endTag
                seen.append(
                    Seen(
                        kind: token.kind, tag: hasTag ? token.tag : .none, range: token.start..<token.end,
                        attributes: all, selfClosing: isTag && token.selfClosing))
            }
        }
    }

    @Test func plainTagScannerAgreesWithTheGrammar() {
        var generator = SeededGenerator(state: 7)
        for _ in 0..<400 {
            let source = randomDocument(&generator, pieces: 30)
            let quick = tokens(source)
            let slow = tokens(source, scansPlainTags: false)
            #expect(quick == slow, "\(source)")
        }
    }

    @Test func attributeScannerAgreesWithTheGrammar() {
        let pieces = [
            "a", "B", "class", "data-long-attribute-name", "_", "é", "=", "=", "\"", "'", " ", " ", "\n", "/", "\u{0}",
            "x y", "<",
            "=\"v\"", "='w'", "=u", "a=1", "a=2",
        ]
        var generator = SeededGenerator(state: 11)
        for _ in 0..<3000 {
            var source = "<p "
            for _ in 0..<Int.random(in: 1..<9, using: &generator) {
                source += pieces.randomElement(using: &generator) ?? ""
            }
            source += Bool.random(using: &generator) ? ">t<b>some text behind</b>" : ">"
            let quick = tokens(source)
            #expect(quick == tokens(source, scansPlainTags: false), "\(source)")
        }
    }

    @Test func repeatedAttributesInGreatNumbersAreDroppedOnTheWay() {
        let names = (0..<20_000).map { "n\($0 % 7000)=\($0)" }
        let found = tokens("<p " + names.joined(separator: " ") + ">").first?.attributes ?? []
        #expect(found.count == 7000)
        #expect(found.last == "0 n6999=6999")
    }

    @Test func firstOfDuplicateAttributesCounts() {
        #expect(tokens("<p a=\"1\" A=\"2\" b=\"3\">").first?.attributes == ["0 a=1", "0 b=3"])
    }

    @Test func manyDuplicateAttributesAreFoundToo() {
        let source = "<p " + (0..<100).map { "x\($0 % 50)=\($0)" }.joined(separator: " ") + ">"
        #expect(tokens(source).first?.attributes.count == 50)
    }

    @Test(arguments: [("<a b=\"c", 0), ("<a b='c>x", 0), ("x<a", 1), ("<!-- never", 1), ("</", 1)])
    func endOfInputInMarkupEndsIt(source: String, count: Int) { #expect(tokens(source).count == count) }

    @Test func slashBeforeTheEndIsSelfClosingUnlessItIsAValue() {
        #expect(tokens("<a/>").first?.selfClosing == true)
        #expect(tokens("<a b/>").first?.selfClosing == true)
        #expect(tokens("<a b='c'/>").first?.selfClosing == true)
        #expect(tokens("<a b=c/>").first?.selfClosing == false)
        #expect(tokens("<a b=c />").first?.selfClosing == true)
    }

    @Test func lessThanThatStartsNothingIsText() { #expect(tokens("1 < 2 <3 <").map(\.kind) == [.text]) }

    @Test func commentsEndInAllWaysOfTheStandard() {
        for source in ["<!-->x", "<!--->x", "<!---->x", "<!--a--!>x", "<!-- - -- -->x"] {
            #expect(tokens(source).map(\.kind) == [.comment, .text], "\(source)")
        }
    }

    @Test func scriptMayHideItsEndTagInAComment() {
        #expect(html("<script><!--<script></script>--></script>x") == "<script><!--<script></script>--></script>x")
    }
}

@Suite struct EntityTests {
    @Test(arguments: [
        ("&amp;", "&"), ("&notit;", "¬it;"), ("&notin;", "∉"), ("&#0;", "\u{FFFD}"), ("&#x80;", "€"),
        ("&#xD800;", "\u{FFFD}"), ("&#x110000;", "\u{FFFD}"),
        ("&#99999999999999999999;", "\u{FFFD}"), ("&;", "&;"), ("&#;", "&#;"), ("&#x;", "&#x;"),
        ("&NotEqualTilde;", "≂̸"), ("&CounterClockwiseContourIntegral;", "∳"),
        ("&imaginary;", "&imaginary;"), ("&copy", "©"), ("&zz", "&zz"),
    ])
    func textIsDecoded(source: String, decoded: String) {
        #expect(
            text(source) {
                $0.mode = .raw; $0.keepsControls = true
            } == decoded)
    }

    @Test func attributesKeepUnterminatedNamesBeforeLettersAndEquals() {
        let tree = parse("<a href=\"?a&copy=1&copyx&copy;&copy\">")
        #expect(tree.attribute(NodeID(1), "href") == "?a&copy=1&copyx©©")
    }

    @Test func decodingMayBeTurnedOff() {
        let tree = parse("&amp;<b title='&lt;'>") { $0.decodesEntities = false }
        #expect(tree.text(NodeID(1)) == "&amp;")
        #expect(tree.attribute(NodeID(2), .title) == "&lt;")
    }
}
