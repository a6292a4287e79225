// Memory of edits: what edits bring in is appended, so from time to time what no node points to any more is dropped.

extension MarkupTree {
    /// Bytes that edits brought in and attributes of the arena, those no longer in use included.
    package var editStorage: (bytes: Int, attributes: Int) { (storage.edited.count, storage.attributes.count) }

    /// Drops edited bytes and attributes that no node uses once half of them may be unused: amortized O(1) an edited byte.
    func compactWhenWasteful() {
        guard storage.edited.count > storage.editedLimit || storage.attributes.count > storage.attributeLimit else {
            return
        }
        var bytes = GrowableBuffer<UInt8>(capacity: storage.edited.count / 2)
        var attributes = GrowableBuffer<Attribute>(capacity: storage.attributes.count / 2)
        func moved(_ start: UInt32, _ length: Int) -> UInt32 {
            let offset = UInt32(truncatingIfNeeded: bytes.count)
            bytes.append(contentsOf: storage.bytes(start | editedBit, length))
            return offset
        }
        // Elements that were reopened share the attributes of the first one.
        var movedAttributes: [UInt32: UInt32] = [:]
        for i in 0..<storage.nodes.count {
            var node = storage.nodes[i]
            if node.kind == .element, node.extra != Node.noAttributes {
                if let known = movedAttributes[node.extra] {
                    node.extra = known
                } else {
                    let first = UInt32(truncatingIfNeeded: attributes.count)
                    forEachAttribute(NodeID(i)) { attribute in
                        var attribute = attribute
                        if attribute.nameStart & editedBit != 0 {
                            attribute.nameStart = moved(attribute.nameStart, attribute.nameLength) | editedBit
                        }
                        if attribute.valueStart & editedBit != 0 {
                            attribute.valueStart = moved(attribute.valueStart, attribute.valueLength) | editedBit
                        }
                        attributes.append(attribute)
                    }
                    movedAttributes[node.extra] = first
                    node.extra = first
                }
            } else if node.kind != .element, node.flags.contains(.edited) {
                let length = Int(node.sourceEnd) - Int(node.sourceStart)
                node.sourceStart = moved(node.sourceStart, length)
                node.sourceEnd = node.sourceStart + UInt32(truncatingIfNeeded: length)
            }
            storage.nodes[i] = node
        }
        storage.edited.free()
        storage.attributes.free()
        storage.edited = bytes
        storage.attributes = attributes
        storage.editedLimit = max(TreeStorage.leastEdited, 2 * bytes.count)
        storage.attributeLimit = max(TreeStorage.leastAttributes, 2 * attributes.count)
    }
}
