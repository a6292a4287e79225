// What rules make of an element by its names and those of its ancestors: elements that agree in them are matched once.
//
// In: the state of the parent, the hashes of the element's names that rules ask for. Out: the element's own state, with the
// rules that match by names alone, and those that ask for more and are left to try. A page has many elements and few states.

import FancyTextBasics

/// The owner calls ``free()``.
struct RuleStates {
    /// What contains the outermost elements.
    static let outside: UInt32 = 0
    /// One that is not kept, nor any below it.
    static let unknown = UInt32.max

    /// States and their rules that are kept; pages with more are matched without.
    private static let mostStates = 1 << 16
    private static let mostRules = 1 << 20

    /// Where the rules of a state begin, and how many there are of each kind.
    private struct State: BitwiseCopyable {
        var start: UInt32
        var matched: UInt32
        var pseudo: UInt32
        var untried: UInt32
    }

    private struct Slot: BitwiseCopyable {
        var key: UInt64
        /// 0 is free.
        var state: UInt32
    }

    private var states = GrowableBuffer<State>(capacity: 64)
    private var rules = GrowableBuffer<UInt32>(capacity: 256)
    /// Open addressing, at most half full.
    private var slots = [Slot](repeating: Slot(key: 0, state: 0), count: 128)

    init() { states.append(State(start: 0, matched: 0, pseudo: 0, untried: 0)) }

    func free() {
        states.free()
        rules.free()
    }

    /// What names a state: 64 bits, taken for the parent's state and the names themselves.
    @inline(__always)
    static func key(in parent: UInt32, _ names: UnsafeBufferPointer<UInt64>) -> UInt64 {
        var key = (UInt64(parent) &+ 1) &* 0x9E37_79B9_7F4A_7C15
        for name in names {
            key = (key ^ name) &* 0xD6E8_FEB8_6659_FD93
            key ^= key >> 32
        }
        return key
    }

    @inline(__always)
    func find(_ key: UInt64) -> UInt32? {
        let mask = slots.count - 1
        var place = Int(truncatingIfNeeded: key ^ key >> 29) & mask
        while slots[place].state != 0 {
            if slots[place].key == key { return slots[place].state }
            place = (place + 1) & mask
        }
        return nil
    }

    /// Keeps what rules make of a state; ``unknown`` when there are too many.
    mutating func insert(
        _ key: UInt64, matched: UnsafeBufferPointer<UInt32>, pseudo: UnsafeBufferPointer<UInt32>,
        untried: UnsafeBufferPointer<UInt32>
    ) -> UInt32 {
        guard states.count < Self.mostStates, rules.count < Self.mostRules else { return Self.unknown }
        let state = UInt32(states.count)
        states.append(
            State(
                start: UInt32(rules.count), matched: UInt32(matched.count), pseudo: UInt32(pseudo.count),
                untried: UInt32(untried.count)))
        rules.append(contentsOf: matched)
        rules.append(contentsOf: pseudo)
        rules.append(contentsOf: untried)
        if states.count * 2 > slots.count {
            let old = slots
            slots = Array(repeating: Slot(key: 0, state: 0), count: slots.count * 2)
            for slot in old where slot.state != 0 { place(slot) }
        }
        place(Slot(key: key, state: state))
        return state
    }

    private mutating func place(_ slot: Slot) {
        let mask = slots.count - 1
        var place = Int(truncatingIfNeeded: slot.key ^ slot.key >> 29) & mask
        while slots[place].state != 0 { place = (place + 1) & mask }
        slots[place] = slot
    }

    /// The rules of a state: those that match, those that do for pseudo-elements, and those to try. Good until the next
    /// state is kept.
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
