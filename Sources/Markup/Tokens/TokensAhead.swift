// Tokens of a large source, read on a thread of their own before tree construction asks for them.
//
// What a token is depends on where it starts and, but for a few, on nothing else. So another thread may read on from every
// token's end without knowing the tree: it takes raw text for what its tag says, and passes over what is no plain tag or
// text – comments, unknown names, tags of thousands of attributes. Tree construction takes a token that starts where it
// is, and reads all others itself; where both have gone different ways, they meet again at the next tag.

import Basics

/// Tokens in the order of the source, and their attributes.
final class TokenBatch: @unchecked Sendable {
    // One thread's at a time.
    @exclusivity(unchecked) var tokens = GrowableBuffer<Token>(capacity: size)
    @exclusivity(unchecked) var attributes = GrowableBuffer<Attribute>(capacity: size)

    /// How many tokens a batch has at most: few enough for the processor's cache.
    static let size = 1 << 11

    deinit {
        tokens.free()
        attributes.free()
    }

    /// What is left of a batch, which must live as long.
    struct Cursor: BitwiseCopyable {
        private var token = UnsafePointer<Token>(bitPattern: MemoryLayout<Token>.alignment)!
        private var left = 0
        private var attributes: UnsafePointer<Attribute>?

        init() {}

        init(_ batch: TokenBatch) {
            token = UnsafePointer(batch.tokens.base)
            left = batch.tokens.count
            attributes = UnsafePointer(batch.attributes.base)
        }

        var isEmpty: Bool { left == 0 }

        /// Where the next token starts; there must be one.
        var start: Int { Int(token.pointee.start) }

        /// Passes over tokens that start before a place.
        mutating func skip(before place: Int) {
            while !isEmpty, start < place { advance() }
        }

        /// Takes the next token; its attributes are appended to `items`.
        @inline(__always)
        mutating func take(_ taken: inout Token, _ items: inout GrowableBuffer<Attribute>) {
            taken = token.pointee
            if taken.attributeCount > 0, let attributes {
                let own = attributes + Int(taken.firstAttribute)
                taken.firstAttribute = UInt32(truncatingIfNeeded: items.count)
                items.reserve(Int(taken.attributeCount))
                for k in 0..<Int(taken.attributeCount) { items.append(own[k]) }
            }
            advance()
        }

        private mutating func advance() {
            token += 1
            left &-= 1
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
        let relay = Relay<TokenBatch, TokenBatch>((0..<4).map { _ in TokenBatch() })
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
