// Tokens of a large source, read on a thread of their own before tree construction asks for them.
//
// In: the source. Out: batches of its plain tags and texts, in the order of their places.
//
// What a token is depends on where it starts and, but for a few, on nothing else. So another thread may read on from every
// token's end without knowing the tree: it takes raw text for what its tag says, and passes over what is no plain tag or
// text – comments, unknown names, tags of thousands of attributes. Tree construction takes a token that starts where it
// is, and reads all others itself; where both have gone different ways, they meet again at the next tag.

import FancyTextBasics

/// Tokens in the order of the source, and their attributes.
final class TokenBatch: @unchecked Sendable {
    // One thread's at a time.
    @exclusivity(unchecked) var tokens = GrowableBuffer<Token>(capacity: size)
    @exclusivity(unchecked) var attributes = GrowableBuffer<Attribute>(capacity: size)

    /// How many tokens a batch has at most: few enough for the processor's cache, so many that handing it over costs nothing.
    static let size = 1 << 12

    deinit {
        tokens.free()
        attributes.free()
    }

    /// What is left of a batch, which must live as long.
    struct Cursor: BitwiseCopyable {
        private var tokens = UnsafeBufferPointer<Token>(start: nil, count: 0)
        private var attributes: UnsafePointer<Attribute>?
        private var at = 0

        init() {}

        init(_ batch: TokenBatch) {
            tokens = UnsafeBufferPointer(start: batch.tokens.base, count: batch.tokens.count)
            attributes = UnsafePointer(batch.attributes.base)
        }

        var isEmpty: Bool { at == tokens.count }

        /// Where the next token starts; there must be one.
        var start: Int { Int(tokens[at].start) }

        /// Passes over tokens that start before a place.
        mutating func skip(before place: Int) {
            while !isEmpty, start < place { at &+= 1 }
        }

        /// Takes the next token; its attributes are appended to `items`.
        @inline(__always)
        mutating func take(_ token: inout Token, _ items: inout GrowableBuffer<Attribute>) {
            token = tokens[at]
            at &+= 1
            guard token.attributeCount > 0, let attributes else { return }
            let own = attributes + Int(token.firstAttribute)
            token.firstAttribute = UInt32(truncatingIfNeeded: items.count)
            items.append(contentsOf: UnsafeBufferPointer(start: own, count: Int(token.attributeCount)))
        }
    }
}

/// The thread that reads ahead, and the batch that is used up at the moment.
final class TokensAhead {
    private let relay: Relay<TokenBatch, TokenBatch>
    private let thread: JoinedThread
    private(set) var current: TokenBatch?
    private var hasBegun = false

    /// Nil where no thread can be had.
    init?(_ source: SourceBytes) {
        let relay = Relay<TokenBatch, TokenBatch>((0..<3).map { _ in TokenBatch() })
        let work: @Sendable () -> Void = {
            var reader = PlainTokenReader(source.buffer)
            while let batch = relay.takeBlank() {
                let isLast = !reader.fill(batch)
                guard relay.put(batch), !isLast else { break }
            }
            relay.end()
        }
        guard let thread = JoinedThread(work) else { return nil }
        self.relay = relay
        self.thread = thread
    }

    /// The next batch, the last one given back; nil behind the last. While the thread is about to start nobody waits for it:
    /// ``TokenBatch/size`` tokens of one's own cost less.
    func nextBatch() -> TokenBatch? {
        if !hasBegun {
            guard relay.isReady else { return nil }
            hasBegun = true
        }
        if let current { relay.giveBack(current) }
        current = relay.next()
        return current
    }

    /// Whether there is no further batch.
    var isDone: Bool { hasBegun && current == nil }

    deinit {
        relay.end()
        thread.join()
    }
}

/// Reads what tokens a source has without the rules of tree construction, as far as that goes.
struct PlainTokenReader {
    private var tokenizer: Tokenizer

    init(_ source: UnsafeBufferPointer<UInt8>) { tokenizer = Tokenizer(source) }

    /// Fills a batch; false at the end of the source.
    mutating func fill(_ batch: TokenBatch) -> Bool {
        batch.tokens.count = 0
        batch.attributes.count = 0
        var token = Token()
        while batch.tokens.count < TokenBatch.size, batch.attributes.count < 2 * TokenBatch.size {
            guard tokenizer.position < tokenizer.count else { return false }
            guard tokenizer.nextPlain(&token, &batch.attributes) else { continue }
            batch.tokens.append(token)
            guard token.kind == .startTag, token.tag.rawText != .none, token.tag != .plaintext else { continue }
            tokenizer.readRawText(of: token.tag, &token)
        }
        return true
    }
}
