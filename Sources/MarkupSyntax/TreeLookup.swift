// Look-up of elements by id and class (SPEC Y6): maps made on demand, thrown away by edits that touch them.

struct NodeLookup: Sendable {
    var byID: [String: [NodeID]] = [:]
    var byClass: [String: [NodeID]] = [:]
}
