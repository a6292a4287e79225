// Caches the rules that match by names: elements with the same names and the same ancestors' names are matched once.
//
// In: the parent's state, the hashes of the element's names that occur in rules. Out: the element's own state, with the rules
// that match by names alone and the rules left to test. A page has many elements but few states.

import FancyTextBasics

/// The owner calls ``free()``.
struct RuleStates {
    /// The state around the outermost elements.
    static let outside: UInt32 = 0
    /// The state of an element that is not cached, and of all elements below it.
    static let unknown = UInt32.max

    /// The maximum number of cached states and of their rules; pages with more are matched without the cache.
    private static let mostStates = 1 << 16
    private static let mostRules = 1 << 20

    /// The start of a state's rules, and the number of each kind.
    private struct State: BitwiseCopyable {
        var key: UInt64
        var start: UInt32
        var matched: UInt32
        var pseudo: UInt32
        var untried: UInt32
    }

    private var states = GrowableBuffer<State>(capacity: 64)
    private var rules = GrowableBuffer<UInt32>(capacity: 256)
    private var index = HashIndex()

    init() { states.append(State(key: 0, start: 0, matched: 0, pseudo: 0, untried: 0)) }

    func free() {
        states.free()
        rules.free()
    }

    /// The key of a state: 64 bits that are treated as unique for the parent's state and the names.
    @inline(__always)
    static func key(in parent: UInt32, _ names: UnsafeBufferPointer<UInt64>) -> UInt64 {
        var key = SeededHash(space: UInt64(parent) &+ 1)
        for name in names { key.add(name) }
        return key.value
    }

    @inline(__always)
    func find(_ key: UInt64) -> UInt32? {
        index.position(of: key) { states[$0].key == key }.map { UInt32(truncatingIfNeeded: $0) }
    }

    /// Caches the rules of a state. Returns ``unknown`` if the cache is full.
    mutating func insert(
        _ key: UInt64, matched: UnsafeBufferPointer<UInt32>, pseudo: UnsafeBufferPointer<UInt32>,
        untried: UnsafeBufferPointer<UInt32>
    ) -> UInt32 {
        guard states.count < Self.mostStates, rules.count < Self.mostRules else { return Self.unknown }
        let state = UInt32(states.count)
        states.append(
            State(
                key: key, start: UInt32(rules.count), matched: UInt32(matched.count), pseudo: UInt32(pseudo.count),
                untried: UInt32(untried.count)))
        rules.append(contentsOf: matched)
        rules.append(contentsOf: pseudo)
        rules.append(contentsOf: untried)
        index.insert(Int(state), hash: key)
        return state
    }

    /// The rules of a state: those that match, those that match for pseudo-elements, and those left to test. Valid until the next
    /// state is cached.
    @inline(__always)
    func rules(
        of state: UInt32
    ) -> (
        matched: UnsafeBufferPointer<UInt32>, pseudo: UnsafeBufferPointer<UInt32>,
        untried: UnsafeBufferPointer<UInt32>
    ) {
        let entry = states[Int(state)]
        let start = UnsafePointer(rules.base) + Int(entry.start)
        let (matched, pseudo) = (Int(entry.matched), Int(entry.pseudo))
        return (
            UnsafeBufferPointer(start: start, count: matched),
            UnsafeBufferPointer(start: start + matched, count: pseudo),
            UnsafeBufferPointer(start: start + matched + pseudo, count: Int(entry.untried))
        )
    }
}
