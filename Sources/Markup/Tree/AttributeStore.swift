// The attributes of all elements in source order, and the look-up of an element's own.

import FancyTextBasics

/// Stores attributes in the order of their start tags. An element's attributes follow its start tag's `<`, so the element's
/// source offset finds them: a directory has an entry for every 128 bytes of source, and nodes need no index.
@usableFromInline package struct AttributeStore {
    @usableFromInline package var items: GrowableBuffer<Attribute>
    /// For every 128 bytes of source, up to the last element with attributes: the first attribute to look at.
    @usableFromInline package var directory: GrowableBuffer<UInt32>
    /// The first attribute, by node, of elements whose attributes are not just those of their start tag.
    @usableFromInline package var own: [UInt32: UInt32] = [:]

    /// The number of attributes that parsing produced; attributes added by edits follow them.
    var parsedCount = 0

    @usableFromInline static var step: UInt32 { 7 }

    package init(sourceLength: Int) {
        // Capacity is only reserved: pages that are never written take no memory.
        items = GrowableBuffer(capacity: sourceLength / 24 + 64)
        directory = GrowableBuffer(capacity: sourceLength >> Int(Self.step) + 8)
    }

    package init(copying other: AttributeStore) {
        items = other.items.copy()
        directory = other.directory.copy()
        own = other.own
        parsedCount = other.parsedCount
    }

    package func free() {
        items.free()
        directory.free()
    }

    /// Records an element with attributes: its place in the source and its first attribute. The last one must be marked already.
    @inline(__always) package mutating func note(start: UInt32, first: UInt32) {
        items.base[items.count &- 1].isLast = true
        while directory.count <= Int(start >> Self.step) { directory.append(first) }
    }

    /// The first attribute of an element that has some. It takes a few steps for tags of usual length.
    @inlinable @inline(__always) package func first(of index: UInt32, _ node: Node) -> Int {
        node.flags.contains(.ownAttributes) ? firstOwn(of: index, node) : first(behind: node.sourceStart)
    }

    @usableFromInline @inline(never) func firstOwn(of index: UInt32, _ node: Node) -> Int {
        own[index].map { Int($0) } ?? first(behind: node.sourceStart)
    }

    /// The first attribute of the start tag at a source offset.
    @inlinable @inline(__always) package func first(behind start: UInt32) -> Int {
        var at = Int(directory[Int(start >> Self.step)])
        while items.base[at].nameStart <= start { at &+= 1 }
        return at
    }

    /// Appends a list of attributes for an element. The caller sets the node's flags.
    package mutating func setOwn(_ list: [Attribute], of index: UInt32) {
        own[index] = UInt32(truncatingIfNeeded: items.count)
        for (k, attribute) in list.enumerated() {
            var attribute = attribute
            attribute.isLast = k == list.count - 1
            items.append(attribute)
        }
    }

    /// Drops attribute lists that edits added and no element uses any more. The others are replaced with the results of `body`.
    package mutating func keepOwnLists(_ body: (Attribute) -> Attribute) {
        var kept = GrowableBuffer<Attribute>(capacity: 64)
        defer { kept.free() }
        for (index, first) in own where Int(first) >= parsedCount {
            own[index] = UInt32(truncatingIfNeeded: parsedCount + kept.count)
            items.forEach(from: Int(first)) { kept.append(body($0)) }
        }
        items.count = parsedCount
        items.append(contentsOf: kept.elements)
    }

    /// Updates the ids of nodes with lists of their own; `newIndex` returns nil for removed nodes.
    package mutating func renameOwn(_ newIndex: (UInt32) -> UInt32?) {
        guard !own.isEmpty else { return }
        let renamed = own.compactMap { index, first in newIndex(index).map { ($0, first) } }
        own = Dictionary(uniqueKeysWithValues: renamed)
    }
}

/// The attributes of an element, from its first one on. The buffer is plain data, so reading it copies no store.
extension GrowableBuffer<Attribute> {
    @inline(__always) package func forEach(from first: Int, _ body: (Attribute) -> Void) {
        _ = self.first(from: first) { attribute in
            body(attribute)
            return false
        }
    }

    @inline(__always) func first(from first: Int, where isWanted: (Attribute) -> Bool) -> Attribute? {
        var at = first
        while true {
            let attribute = base[at]
            if isWanted(attribute) { return attribute }
            if attribute.isLast { return nil }
            at &+= 1
        }
    }
}
