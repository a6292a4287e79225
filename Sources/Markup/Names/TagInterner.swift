// Names of elements that the fixed table lacks, kept once for each tree.

import FancyTextBasics

/// Gives every name an id. Names are stored in lower case one after the other and found by their hashes.
package struct TagInterner: Sendable {
    /// The names, separated by ``ends``; the first has the id ``TagID/knownCount``.
    private var bytes: [UInt8] = []
    private var ends: [UInt32] = []
    private var index = HashIndex()

    /// The id of a name, whatever its case; ``TagID/overflow`` when there are no more.
    package mutating func intern(_ name: UnsafeBufferPointer<UInt8>) -> TagID {
        let hash = Self.hash(of: name)
        if let known = find(name, hash) { return known }
        let raw = ends.count + Int(TagID.knownCount)
        // When ids or offsets run out, names are compared by their spelling instead.
        guard raw < Int(TagID.overflow.rawValue), bytes.count + name.count < 1 << 30 else { return .overflow }
        for byte in name { bytes.append(byte.asciiLowercased) }
        index.insert(ends.count, hash: hash)
        ends.append(UInt32(truncatingIfNeeded: bytes.count))
        return TagID(UInt16(truncatingIfNeeded: raw))
    }

    package func find(_ name: some Sequence<UInt8>) -> TagID? {
        Array(name).withUnsafeBufferPointer { find($0, Self.hash(of: $0)) }
    }

    /// The spelling of an id's name in lower case; nil when the id is not from this table.
    package func name(of tag: TagID) -> ArraySlice<UInt8>? {
        let position = Int(tag.rawValue) - Int(TagID.knownCount)
        return ends.indices.contains(position) ? name(at: position) : nil
    }

    private func name(at position: Int) -> ArraySlice<UInt8> {
        bytes[(position == 0 ? 0 : Int(ends[position - 1]))..<Int(ends[position])]
    }

    private static func hash(of name: UnsafeBufferPointer<UInt8>) -> UInt64 {
        SeededHash.of(name.lazy.map(\.asciiLowercased))
    }

    private func find(_ name: UnsafeBufferPointer<UInt8>, _ hash: UInt64) -> TagID? {
        let position = index.position(of: hash) { self.name(at: $0).elementsEqual(name) { $0 == $1.asciiLowercased } }
        return position.map { TagID(TagID.knownCount + UInt16(truncatingIfNeeded: $0)) }
    }
}
