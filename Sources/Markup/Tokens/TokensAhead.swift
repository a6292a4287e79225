// Reads the tokens of a large source on a second thread, before tree construction needs them.
//
// In: the source. Out: batches of its plain tags and texts, in the order of their places.
//
// With few exceptions a token depends only on the offset at which it starts. So the second thread can read token after token
// without knowing the tree. It reads raw text where the tag implies it, and skips everything except plain tags and text:
// comments, unknown names, tags of thousands of attributes. Tree construction takes a token from a batch if it starts at the
// current offset, and reads all others itself. After a mismatch the two meet again at the next tag.

import FancyTextBasics

/// Tokens in the order of the source, and their attributes.
final class TokenBatch: @unchecked Sendable {
    // Used by one thread at a time.
    @exclusivity(unchecked) var tokens = GrowableBuffer<Token>(capacity: size)
    @exclusivity(unchecked) var attributes = GrowableBuffer<Attribute>(capacity: size)

    /// The most tokens in a batch: few enough for the processor's cache, and enough to make the hand-over cheap.
    static let size = 1 << 12

    deinit {
        tokens.free()
        attributes.free()
    }

    /// The unread rest of a batch. The batch must outlive it.
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

        /// The offset of the next token. The cursor must not be empty.
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

/// The thread that reads ahead, and the batch that is being consumed.
final class TokensAhead {
    private let relay: Relay<TokenBatch, TokenBatch>
    private let thread: JoinedThread
    private(set) var current: TokenBatch?
    private var hasBegun = false

    /// Returns nil if no thread can be started.
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

    /// Gives back the current batch and returns the next one; nil after the last. Until the thread has filled its first batch
    /// this returns nil at once: the caller reads ``TokenBatch/size`` tokens itself faster than it could wait for them.
    func nextBatch() -> TokenBatch? {
        if !hasBegun {
            guard relay.isReady else { return nil }
            hasBegun = true
        }
        if let current { relay.giveBack(current) }
        current = relay.next()
        return current
    }

    /// True after the last batch.
    var isDone: Bool { hasBegun && current == nil }

    deinit {
        relay.end()
        thread.join()
    }
}

/// Reads the tokens of a source as far as that is possible without the rules of tree construction.
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
