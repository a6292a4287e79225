// Memory of edits: edits append to the arena, so unreachable data is dropped from time to time.

import FancyTextBasics

extension MarkupTree {
    /// The number of bytes added by edits and of attributes in the arena, including those no longer used.
    package var editStorage: (bytes: Int, attributes: Int) { (storage.edited.count, storage.attributes.items.count) }

    /// Drops edited bytes and attributes that no node uses, once half of them may be unused: amortized O(1) for each edited byte.
    func compactWhenWasteful() {
        let isWasteful =
            storage.edited.count > storage.editedLimit || storage.attributes.items.count > storage.attributeLimit
        guard isWasteful else { return }
        var bytes = GrowableBuffer<UInt8>(capacity: storage.edited.count / 2)
        func moved(_ start: UInt32, _ length: Int) -> UInt32 {
            let offset = UInt32(truncatingIfNeeded: bytes.count)
            bytes.append(contentsOf: storage.bytes(start | editedBit, length))
            return offset
        }
        for i in 0..<storage.nodes.count {
            let node = storage.nodes[i]
            guard node.kind != .element, node.flags.contains(.edited) else { continue }
            let start = moved(node.sourceStart, Int(node.sourceLength))
            storage.nodes.base[i].setSource(start, UInt32(truncatingIfNeeded: bytes.count))
        }
        storage.attributes.keepOwnLists { attribute in
            var attribute = attribute
            if attribute.nameStart & editedBit != 0 {
                attribute.nameStart = moved(attribute.nameStart, attribute.nameLength) | editedBit
            }
            if attribute.valueStart & editedBit != 0 {
                attribute.valueStart = moved(attribute.valueStart, attribute.valueLength) | editedBit
            }
            return attribute
        }
        storage.edited.free()
        storage.edited = bytes
        storage.editedLimit = max(TreeStorage.leastEdited, 2 * bytes.count)
        storage.attributeLimit = max(TreeStorage.leastAttributes, 2 * storage.attributes.items.count)
    }
}
