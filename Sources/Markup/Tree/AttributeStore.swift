// The attributes of all elements, in the order of the source, and how an element finds its own.

import FancyTextBasics

/// Stores attributes in the order of their start tags. An element's attributes follow its start tag's `<`, so the element's
/// source offset finds them: a directory has an entry for every 128 bytes of source, and nodes need no index.
@usableFromInline
package struct AttributeStore {
    @usableFromInline package var items: GrowableBuffer<Attribute>
    /// For every 128 bytes of source, up to the last element with attributes: the first attribute to look at.
    @usableFromInline package var directory: GrowableBuffer<UInt32>
    /// The first attribute of the elements that have others than their start tag's, by node: what edits changed, and
    /// html and body with several tags.
    @usableFromInline package var own: [UInt32: UInt32] = [:]

    /// The number of attributes that parsing produced; attributes added by edits follow them.
    private(set) var parsedCount = 0

    @usableFromInline static var step: UInt32 { 7 }

    package init(sourceLength: Int) {
        // Reserved, not touched: pages that are never written cost nothing.
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

    /// Notes an element with attributes: its place in the source, and its first attribute, the last one's mark set.
    @inline(__always)
    package mutating func note(start: UInt32, first: UInt32) {
        items.base[items.count &- 1].isLast = true
        while directory.count <= Int(start >> Self.step) { directory.append(first) }
    }

    /// The first attribute of an element that has some. A few steps where tags are of the usual lengths.
    @inlinable @inline(__always)
    package func first(of index: UInt32, _ node: Node) -> Int {
        node.flags.contains(.ownAttributes) ? firstOwn(of: index, node) : first(behind: node.sourceStart)
    }

    @usableFromInline @inline(never)
    func firstOwn(of index: UInt32, _ node: Node) -> Int {
        own[index].map { Int($0) } ?? first(behind: node.sourceStart)
    }

    /// The first attribute of the start tag at a place of the source.
    @inlinable @inline(__always)
    package func first(behind start: UInt32) -> Int {
        var at = Int(directory[Int(start >> Self.step)])
        while items.base[at].nameStart <= start { at &+= 1 }
        return at
    }

    /// Gives an element a list of attributes of its own, which are appended. The node's flags are the caller's.
    package mutating func setOwn(_ list: [Attribute], of index: UInt32) {
        own[index] = UInt32(truncatingIfNeeded: items.count)
        for (k, attribute) in list.enumerated() {
            var attribute = attribute
            attribute.isLast = k == list.count - 1
            items.append(attribute)
        }
    }

    /// Says that parsing is done.
    package mutating func seal() { parsedCount = items.count }

    /// Drops the lists that edits brought in and no element has any more; those in use are what `body` makes of them.
    package mutating func keepOwnLists(_ body: (Attribute) -> Attribute) {
        var kept = GrowableBuffer<Attribute>(capacity: 64)
        defer { kept.free() }
        for (index, first) in own where Int(first) >= parsedCount {
            own[index] = UInt32(truncatingIfNeeded: parsedCount + kept.count)
            var at = Int(first)
            while true {
                kept.append(body(items[at]))
                if items[at].isLast { break }
                at += 1
            }
        }
        items.count = parsedCount
        items.append(contentsOf: UnsafeBufferPointer(start: kept.base, count: kept.count))
    }

    /// Renames the nodes that have attributes of their own; nil for those that are gone.
    package mutating func renameOwn(_ newIndex: (UInt32) -> UInt32?) {
        guard !own.isEmpty else { return }
        var renamed: [UInt32: UInt32] = [:]
        for (index, first) in own { if let index = newIndex(index) { renamed[index] = first } }
        own = renamed
    }
}
