// Names of elements that the fixed table lacks, kept once for each tree.

/// Gives every name an id of its own: names in lower case one behind the other, found by open addressing.
package struct TagInterner: Sendable {
    /// The names, each ending where ``ends`` says; the first has the id ``TagID/knownCount``.
    private var bytes: [UInt8] = []
    private var ends: [UInt32] = []
    /// Positions in `ends` plus one, 0 for a free slot; as many slots as a power of two, half of them free at least.
    private var slots: [UInt16] = []

    /// The id of a name, whatever its case; ``TagID/overflow`` when there are no more.
    package mutating func intern(_ name: UnsafeBufferPointer<UInt8>) -> TagID {
        if ends.count * 2 >= slots.count { grow() }
        let slot = slot(of: name)
        if slots[slot] != 0 { return TagID(rawValue: TagID.knownCount + slots[slot] - 1) }
        let raw = ends.count + Int(TagID.knownCount)
        // A name is kept once however long; what is too long for an offset is told apart by its spelling.
        guard raw < Int(TagID.overflow.rawValue), bytes.count + name.count < 1 << 30 else { return .overflow }
        for byte in name { bytes.append(byte.asciiLowercased) }
        ends.append(UInt32(truncatingIfNeeded: bytes.count))
        slots[slot] = UInt16(truncatingIfNeeded: ends.count)
        return TagID(rawValue: UInt16(truncatingIfNeeded: raw))
    }

    /// The id of a name that has one.
    package func find(_ name: some Sequence<UInt8>) -> TagID? {
        guard !slots.isEmpty else { return nil }
        let known = Array(name).withUnsafeBufferPointer { slots[slot(of: $0)] }
        return known == 0 ? nil : TagID(rawValue: TagID.knownCount + known - 1)
    }

    /// The spelling of an id's name in lower case; nil when the id is not one of these.
    package func name(of tag: TagID) -> ArraySlice<UInt8>? {
        let at = Int(tag.rawValue) - Int(TagID.knownCount)
        guard ends.indices.contains(at) else { return nil }
        return bytes[(at == 0 ? 0 : Int(ends[at - 1]))..<Int(ends[at])]
    }

    /// Where the name is, or where it would go.
    private func slot(of name: UnsafeBufferPointer<UInt8>) -> Int {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name { hash = (hash ^ UInt64(byte.asciiLowercased)) &* 0x100_0000_01B3 }
        let mask = slots.count - 1
        var at = Int(truncatingIfNeeded: (hash &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
        while slots[at] != 0, !isName(name, Int(slots[at]) - 1) { at = (at + 1) & mask }
        return at
    }

    private func isName(_ name: UnsafeBufferPointer<UInt8>, _ position: Int) -> Bool {
        let start = position == 0 ? 0 : Int(ends[position - 1])
        guard Int(ends[position]) - start == name.count else { return false }
        for k in 0..<name.count where bytes[start + k] != name[k].asciiLowercased { return false }
        return true
    }

    private mutating func grow() {
        slots = [UInt16](repeating: 0, count: max(64, slots.count * 2))
        for position in ends.indices {
            let start = position == 0 ? 0 : Int(ends[position - 1])
            let slot = bytes.withUnsafeBufferPointer {
                self.slot(of: UnsafeBufferPointer(rebasing: $0[start..<Int(ends[position])]))
            }
            slots[slot] = UInt16(truncatingIfNeeded: position + 1)
        }
    }
}
