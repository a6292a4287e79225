// Attributes of elements: looked up by id or by name, decoded on access.

import FancyTextBasics

extension MarkupTree {
    /// The attribute's decoded value, "" if it has no value; nil if the element has no such attribute.
    package func attribute(_ n: NodeID, _ id: AttributeID) -> String? {
        findAttribute(n, id).map(value)
    }

    /// The decoded value of the attribute with any name, compared without regard to ASCII case.
    package func attribute(_ n: NodeID, _ name: String) -> String? { findAttribute(n, AttributeName(name)).map(value) }

    private func value(_ attribute: Attribute) -> String {
        withValue(attribute) { String(decoding: $0, as: UTF8.self) }
    }

    package func hasAttribute(_ n: NodeID, _ id: AttributeID) -> Bool { findAttribute(n, id) != nil }
    package func hasAttribute(_ n: NodeID, _ name: String) -> Bool { findAttribute(n, AttributeName(name)) != nil }

    /// Calls `body` with the decoded value, nil when the element has no such attribute; copies only what needs decoding.
    @inlinable @inline(__always)
    package func withAttribute<R>(_ n: NodeID, _ id: AttributeID, _ body: (UnsafeBufferPointer<UInt8>?) -> R) -> R {
        findAttribute(n, id).map { withValue($0) { body($0) } } ?? body(nil)
    }

    /// All attributes in source order, names in lower case.
    package func attributes(_ n: NodeID) -> [(name: String, value: String)] {
        var all: [(name: String, value: String)] = []
        forEachAttribute(n) { all.append((attributeName($0), value($0))) }
        return all
    }

    @inlinable package func hasAttributes(_ n: NodeID) -> Bool {
        storage.nodes.base[Int(n.index)].flags.contains(.hasAttributes)
    }

    @inline(__always) package func forEachAttribute(_ n: NodeID, _ body: (Attribute) -> Void) {
        guard hasAttributes(n) else { return }
        storage.attributes.items.forEach(from: storage.attributes.first(of: n.index, storage.nodes[Int(n.index)]), body)
    }

    @inline(__always) @usableFromInline func findAttribute(_ n: NodeID, _ id: AttributeID) -> Attribute? {
        guard hasAttributes(n) else { return nil }
        let first = storage.attributes.first(of: n.index, storage.nodes[Int(n.index)])
        return storage.attributes.items.first(from: first) { $0.id == id }
    }

    package func findAttribute(_ n: NodeID, _ name: AttributeName) -> Attribute? {
        if let id = name.id { return findAttribute(n, id) }
        guard hasAttributes(n) else { return nil }
        let first = storage.attributes.first(of: n.index, storage.nodes[Int(n.index)])
        return storage.attributes.items.first(from: first) { $0.id == .other && name.matches(rawName($0)) }
    }

    /// The name as spelled in the source; needed only for attributes whose name is not in the table.
    package func rawName(_ attribute: Attribute) -> UnsafeBufferPointer<UInt8> {
        storage.bytes(attribute.nameStart, attribute.nameLength)
    }

    package func attributeName(_ attribute: Attribute) -> String {
        if isXML, attribute.nameLength > 0 { return String(decoding: rawName(attribute), as: UTF8.self) }
        if attribute.id != .other { return AttributeID.knownNames[Int(attribute.id.rawValue)].description }
        let name = rawName(attribute)
        guard name.contains(0) else { return String(decoding: name.map(\.asciiLowercased), as: UTF8.self) }
        let decoded = EntityDecoder.decoded(name, mode: .keepsNUL)
        return String(decoding: decoded.map(\.asciiLowercased), as: UTF8.self)
    }

    /// The value's bytes, decoded.
    @inlinable @inline(__always)
    package func withValue<R>(_ attribute: Attribute, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
        if let value = plainValue(attribute) { return body(value) }
        return decodedValue(attribute).withUnsafeBufferPointer(body)
    }

    /// The value if decoding does not change it, which is the usual case; nil for others.
    @usableFromInline func plainValue(_ attribute: Attribute) -> UnsafeBufferPointer<UInt8>? {
        let raw = storage.bytes(attribute.valueStart, attribute.valueLength)
        return attribute.valueStart & editedBit != 0 || !EntityDecoder.needsDecoding(raw) ? raw : nil
    }

    @usableFromInline func decodedValue(_ attribute: Attribute) -> [UInt8] {
        EntityDecoder.decoded(storage.bytes(attribute.valueStart, attribute.valueLength), mode: valueMode)
    }

    var valueMode: EntityDecoder.Mode {
        storage.options.decodesEntities ? [.references, .attribute, .keepsNUL] : .keepsNUL
    }
}

/// An attribute name to look up: by id when it is a known one, else by its bytes.
package struct AttributeName: Hashable, Sendable {
    package let id: AttributeID?
    package let bytes: [UInt8]

    package init(_ name: String) { self.init(Array(name.utf8)) }

    package init(_ name: [UInt8]) {
        bytes = name.map(\.asciiLowercased)
        id = AttributeID.named(bytes)
    }

    /// Returns whether an attribute name can be written in HTML (HTML §13.1.2.3).
    package static func isValid(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { byte in byte > 0x20 && byte != 0x7F && !"\"'>/=".utf8.contains(byte) }
    }

    /// Returns whether `name` is the same name in any ASCII case.
    func matches(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        name.count == bytes.count && name.elementsEqual(bytes) { $0.asciiLowercased == $1 }
    }
}
