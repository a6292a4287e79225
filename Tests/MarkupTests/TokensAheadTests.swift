// Tokens that are read ahead equal those of the tokenizer at the same positions, and they give the same trees.

import FancyTextTestSupport
import Testing

@testable import FancyTextBasics
@testable import FancyTextMarkup

@Suite struct TokensAheadTests {
    private struct Seen: Equatable {
        var kind: Token.Kind
        var tag: TagID
        var range: Range<UInt32>
        var selfClosing: Bool
        var attributes: [[UInt32]]

        init(_ token: Token, _ items: GrowableBuffer<Attribute>) {
            (kind, range) = (token.kind, token.start..<token.end)
            let isTag = token.kind == .startTag
            tag = isTag || token.kind == .endTag ? token.tag : .none
            selfClosing = isTag && token.selfClosing
            attributes = (0..<(isTag ? Int(token.attributeCount) : 0)).map { k in
                let item = items[Int(token.firstAttribute) + k]
                return [item.nameStart, item.nameInfo, item.valueStart, item.valueInfo]
            }
        }
    }

    /// The tokens that are read ahead, and those that the tokenizer reads at their positions.
    private static func read(_ source: String) -> (ahead: [Seen], own: [Seen]) {
        let bytes = SourceBytes(Array(source.utf8))
        var reader = PlainTokenReader(bytes.buffer)
        var tokenizer = Tokenizer(bytes.buffer)
        let batch = TokenBatch()
        var attributes = GrowableBuffer<Attribute>(capacity: 8)
        defer { attributes.free() }
        var result: (ahead: [Seen], own: [Seen]) = ([], [])
        var isMore = true
        while isMore {
            isMore = reader.fill(batch)
            for k in 0..<batch.tokens.count {
                let token = batch.tokens[k]
                #expect(token.kind == .startTag || token.attributeCount == 0)
                result.ahead.append(Seen(token, batch.attributes))
                var own = Token()
                attributes.count = 0
                tokenizer.position = Int(token.start)
                tokenizer.next(&own, &attributes, inForeign: false)
                result.own.append(Seen(own, attributes))
            }
        }
        return result
    }

    private static func dump(_ source: String, isAhead: Bool) -> String {
        let tree = parse(source) {
            $0.leastAhead = isAhead ? 0 : .max
            $0.isAlwaysDocument = true
        }
        return TreeDump.tree(tree)
    }

    private static let odd = [
        "<!-- <p> --> a <b>b</b>", "<!-- a > <p class=x> --> c <p>d", "<script>'<p>' < \"<b a='</script>e<p>",
        "<svg><title><g>f</g></title><style><p>g</style></svg>h", "<svg><![CDATA[<p>i]]></svg><p>j",
        "<textarea><p>k</textarea><p>l", "<title><p>m", "<p a=\"<p>n", "<q a='>", "\"<p b=>o", "<x-y a=1>p</x-y>",
        "< q <p>", "<a b='c'd=e>r", "<P CLASS=s>t</P >", "</>u", "<br/><img src=a alt=\"b\">", "<plaintext>", "<p a a>",
    ]

    @Test func tokensAreThoseOfTheTokenizer() {
        var generator = SeededGenerator(state: 31)
        for round in 0..<2_000 {
            var source = randomDocument(&generator, pieces: 5 + round % 40)
            source += Self.odd.randomElement(using: &generator) ?? ""
            source += randomDocument(&generator, pieces: 5)
            let (ahead, own) = Self.read(source)
            #expect(ahead == own, "\(source)")
        }
    }

    @Test func mostTokensOfAPageAreReadAhead() {
        let page = String(repeating: "<li class=a>text <a href='/b'>link</a><!-- > -->", count: 1000)
        #expect(Self.read("<script>a<b</script>" + page).ahead.count > 5_900)
    }

    @Test func treesAreTheSame() {
        var generator = SeededGenerator(state: 37)
        for round in 0..<16 {
            var source = ""
            // Long enough for several batches, and for the thread to start before the end.
            while source.utf8.count < 80_000 {
                source += randomDocument(&generator, pieces: 40)
                source += round % 3 > 0 ? "<p class=a>text" : Self.odd.randomElement(using: &generator) ?? ""
            }
            let (ahead, own) = (Self.dump(source, isAhead: true), Self.dump(source, isAhead: false))
            guard ahead != own else { continue }
            let lines = zip(ahead.split(separator: "\n"), own.split(separator: "\n"))
            let first = lines.first { $0 != $1 }.map { "\($0.0)\n\($0.1)" } ?? "the end"
            Issue.record("round \(round): \(first)")
        }
    }

    /// A tag may have as many attributes as the source has bytes for, but a batch has fewer.
    @Test func memoryIsThatOfABatch() {
        let names = (0..<100_000).map { "a\($0)" }.joined(separator: " ")
        let bytes = SourceBytes(Array("<p \(names)>b<p>c".utf8))
        var reader = PlainTokenReader(bytes.buffer)
        let batch = TokenBatch()
        while reader.fill(batch) {}
        #expect(batch.attributes.capacity < 8 * TokenBatch.size)
        #expect(batch.tokens.count == 3)
    }
}
