// Look-up of elements by id and class: maps made on first use, and again after edits that move ids.

struct NodeLookup: Sendable {
    var byID: [String: [NodeID]] = [:]
    var byClass: [String: [NodeID]] = [:]
}

extension MarkupTree {
    /// The elements with this id, in document order. O(1) after the first call.
    package func nodes(withID id: String) -> [NodeID] { withLookup { $0.byID[id] ?? [] } }

    /// The elements that have this class, in document order. O(1) after the first call.
    package func nodes(withClass name: String) -> [NodeID] { withLookup { $0.byClass[name] ?? [] } }

    private func withLookup(_ body: (NodeLookup) -> [NodeID]) -> [NodeID] {
        storage.lookup.withLock { lookup in
            if let lookup { return body(lookup) }
            let made = makeLookup()
            lookup = made
            return body(made)
        }
    }

    private func makeLookup() -> NodeLookup {
        var lookup = NodeLookup()
        for i in 0..<count where storage.nodes[i].kind == .element {
            let node = NodeID(i)
            if let id = attribute(node, .id), !id.isEmpty { lookup.byID[id, default: []].append(node) }
            guard let classes = attribute(node, .classNames) else { continue }
            for name in Set(classes.utf8.split(whereSeparator: \.isHTMLSpace).map { String($0) ?? "" }) {
                lookup.byClass[name, default: []].append(node)
            }
        }
        return lookup
    }
}
