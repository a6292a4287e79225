// Element and attribute names as small integers: what a name means is decided once, when its token is read.

import CFancyTextByteScan
import CFancyTextTags
import FancyTextBasics

/// The name of an element: known names have constants, others are interned per tree.
@usableFromInline package typealias TagID = MarkupTag

extension TagID {
    /// The name with an id, which may be outside the table: the enumeration is open.
    @inlinable package init(_ id: UInt16) { self = TagID(rawValue: id) ?? TagID.none }

    /// A Boolean value that indicates whether the name is in the fixed table (HTML, SVG, MathML).
    @inlinable package var isKnown: Bool { rawValue < TagID.knownCount }

    /// The known name spelled by these bytes, whatever their case.
    package static func named(_ name: [UInt8]) -> TagID? {
        let id = NameTable.tags.find(NameKey(name))
        return id == 0 ? nil : TagID(id)
    }
}

extension AttributeID {
    package static func named(_ name: [UInt8]) -> AttributeID? {
        let id = NameTable.attributes.find(NameKey(name))
        return id == 0 ? nil : AttributeID(rawValue: UInt8(truncatingIfNeeded: id))
    }
}

/// The properties of a known element for tree construction (HTML §13.2.4.2, §13.2.6).
package struct TagTraits: OptionSet, Sendable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }
    static let special = TagTraits(rawValue: 1)
    static let scope = TagTraits(rawValue: 2)
    static let buttonScope = TagTraits(rawValue: 4)
    static let listScope = TagTraits(rawValue: 8)
    static let tableScope = TagTraits(rawValue: 16)
    /// Ends the search for an open li, dd or dt: special elements except address, div and p.
    static let itemBarrier = TagTraits(rawValue: 32)
    static let formatting = TagTraits(rawValue: 64)
    static let void = TagTraits(rawValue: 128)
    static let impliedEnd = TagTraits(rawValue: 256)
    static let closesParagraph = TagTraits(rawValue: 512)
    /// A name of SVG or MathML; in HTML content it is an unknown name.
    static let foreignOnly = TagTraits(rawValue: 1024)
}

extension TagID {
    @inline(__always) var traits: TagTraits { TagTraits(rawValue: isKnown ? TagID.knownTraits[Int(rawValue)] : 0) }
    package var isVoid: Bool { traits.contains(.void) }
    /// The level of a heading, from 1 to 6; 0 for other elements.
    package var headingLevel: Int {
        (TagID.h1.rawValue...TagID.h6.rawValue).contains(rawValue) ? Int(rawValue - TagID.h1.rawValue) + 1 : 0
    }
    /// A Boolean value that indicates whether HTML gives the name a meaning outside of SVG and MathML.
    package var isHTML: Bool { isKnown && rawValue != 0 && !traits.contains(.foreignOnly) }
}

/// Up to sixteen bytes of a name in lower case; no known name is longer.
package struct NameKey {
    package private(set) var bytes: UInt128 = 0
    package private(set) var count = 0

    @inline(__always) package init() {}

    package init(_ name: UnsafeBufferPointer<UInt8>) { for byte in name { add(byte.asciiLowercased) } }

    package init(_ name: [UInt8]) { self = name.withUnsafeBufferPointer(NameKey.init) }

    /// Adds a byte that is already in lower case.
    @inline(__always) package mutating func add(_ byte: UInt8) {
        if count < 16 { bytes |= UInt128(byte) &<< UInt128(count &* 8) }
        count &+= 1
    }

    /// Reads a name up to a control, space, `/`, `>` or `=`; returns where it ends. Setting the lower-case bit changes other
    /// characters too, but turns none of them into a known name.
    @inline(__always) package static func scan(
        _ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int, into key: inout NameKey
    ) -> Int {
        var i = start
        var ends: UInt32
        repeat {
            // Zero bytes after the end terminate the name.
            ends = cbytescan_name_ends(bytes + i, bytes + end)
            i &+= ends == 0 ? 16 : ends.trailingZeroBitCount
        } while ends == 0
        for byte in UnsafeBufferPointer(start: bytes + start, count: min(i &- start, 16)) { key.add(byte | 0x20) }
        key.count = i &- start
        return i
    }

    @inline(__always) package var hash: Int {
        let (low, high) = (UInt64(truncatingIfNeeded: bytes), UInt64(truncatingIfNeeded: bytes >> 64))
        return Int(truncatingIfNeeded: ((low ^ (high &* 0x9E37_79B9_7F4A_7C15)) &* 0x7899_F4F0_CF98_78D3) >> 54)
    }
}

/// The table of known names: open addressing with 1,024 slots, at most a quarter full.
package struct NameTable: @unchecked Sendable {
    private struct Slot {
        var bytes: UInt128 = 0
        var id: UInt16 = 0
    }

    private let slots: UnsafeMutablePointer<Slot>

    package static let tags = NameTable(TagID.knownNames)
    package static let attributes = NameTable(AttributeID.knownNames)

    private init(_ names: [StaticString]) {
        slots = .allocate(capacity: 1024)
        slots.initialize(repeating: Slot(), count: 1024)
        for (id, name) in names.enumerated() where id != 0 {
            let key = NameKey(name.bytes)
            var at = key.hash & 1023
            while slots[at].id != 0 { at = (at + 1) & 1023 }
            slots[at] = Slot(bytes: key.bytes, id: UInt16(id))
        }
    }

    /// The id of a name, 0 when it is not known.
    @inline(__always) package func find(_ key: NameKey) -> UInt16 {
        guard key.count <= 16 else { return 0 }
        var at = key.hash & 1023
        while true {
            if slots[at].bytes == key.bytes { return slots[at].id }
            if slots[at].id == 0 { return 0 }
            at = (at &+ 1) & 1023
        }
    }
}

/// Gives each name that the table lacks an id, once for each tree.
package struct TagInterner: Sendable {
    /// The names in lower case; the first has the id ``TagID/knownCount``.
    private var names: [[UInt8]] = []
    private var ids: [[UInt8]: TagID] = [:]

    /// The id of a name, whatever its case; ``TagID/overflow`` when there are no more.
    package mutating func intern(_ name: UnsafeBufferPointer<UInt8>) -> TagID {
        let name = name.map(\.asciiLowercased)
        if let known = ids[name] { return known }
        let raw = names.count + Int(TagID.knownCount)
        // When ids run out, names are compared by their spelling instead.
        guard raw < Int(TagID.overflow.rawValue) else { return .overflow }
        let id = TagID(UInt16(truncatingIfNeeded: raw))
        ids[name] = id
        names.append(name)
        return id
    }

    /// The spelling of an id's name in lower case; nil when the id is not from this table.
    package func name(of tag: TagID) -> [UInt8]? {
        let position = Int(tag.rawValue) - Int(TagID.knownCount)
        return names.indices.contains(position) ? names[position] : nil
    }
}
