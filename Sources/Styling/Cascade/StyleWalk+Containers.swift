// The query containers among the open elements (CSS Conditional 5 §3): the sizes that container units refer to, and the rules whose
// container queries hold. In: the sizes of containers in an earlier layout; without one, a container fails its queries.

import FancyTextCSS
import FancyTextMarkup

/// A container, and the number of open elements around it.
typealias OpenContainer = (node: NodeID, style: StyleID, depth: Int)

extension StyleWalk {
    /// The number of open containers that are searched for one with a name or a type.
    private static var mostSearched: Int { 64 }

    /// Notes what a style that is added to the table needs from the walk.
    mutating func noteContainer(_ style: ComputedStyle) {
        if !style.box.$container { styled.hasContainers = true }
        if style.isFootnote { styled.hasFootnotes = true }
    }

    /// The entry of an element among the open containers; nil for others.
    func container(_ node: NodeID, _ style: StyleID, depth: Int) -> OpenContainer? {
        let box = styled.styles[style].box
        guard !box.$container, box.container.type != .normal || !box.container.names.isEmpty else { return nil }
        return (node, style, depth)
    }

    /// The index of the units inside of a container, given that outside of it.
    mutating func units(inside container: OpenContainer, _ outer: UInt32) -> UInt32 {
        let type = styled.styles[container.style].box.container.type
        guard type != .normal, let size = styled.containerSizes[container.node] else { return outer }
        var units = containerUnits[Int(outer)]
        units.width = size.width
        if type == .size { units.height = size.height }
        if let known = indexOfUnits[units] { return known }
        let index = UInt32(containerUnits.count)
        containerUnits.append(units)
        indexOfUnits[units] = index
        return index
    }

    /// Sets the lengths of container units, on which the style depends that is computed next.
    mutating func appendUnits(_ units: UInt32) {
        computer.containerUnits = containerUnits[Int(units)]
        // The first bit tells it from the number of a rule.
        if units != 0 { key.append(1 << 31 | units) }
    }

    /// Drops those of the matched rules whose container queries do not hold.
    mutating func dropUnmetRules(_ parent: StyleID) {
        guard index.hasContainerQueries,
            rules.matched.contains(where: { index.rules.entries[Int($0)].container != nil })
        else { return }
        rules.matched = rules.matched.filter { holds($0, for: parent) }
    }

    /// Returns whether the container queries around a rule hold for an element or pseudo-element in one of style `parent`.
    func holds(_ rule: UInt32, for parent: StyleID) -> Bool {
        var next = index.rules.entries[Int(rule)].container
        while let query = next {
            next = query.outer
            var (style, size): (ComputedStyle, ContainerSize?) = (styled.styles[parent], nil)
            if query.name != nil || query.asksForSize {
                let open = containers.suffix(Self.mostSearched)
                guard let container = open.last(where: { query.isAbout(styled.styles[$0.style].box.container) })
                else { return false }
                (style, size) = (styled.styles[container.style], styled.containerSizes[container.node])
            }
            guard query.holds(in: style, size, environment.options.media) else { return false }
        }
        return true
    }

    // MARK: Scopes

    func isInScope(_ node: NodeID, of rule: UInt32) -> Bool {
        guard index.hasScopes, let scope = index.rules.entries[Int(rule)].scope else { return true }
        return scope.condition.distance(of: node, in: tree, matching: scope.selector) != nil
    }

    /// Drops the matched rules in whose scopes the element is not. Among rules of equal specificity those of nearer roots count.
    mutating func applyScopes(to node: NodeID) {
        guard index.hasScopes, rules.matched.contains(where: { index.rules.entries[Int($0)].scope != nil })
        else { return }
        var kept = rules.matched.compactMap { rule -> (rule: UInt32, place: UInt32, distance: Int)? in
            let entry = index.rules.entries[Int(rule)]
            guard let scope = entry.scope else { return (rule, entry.place, .max) }
            return scope.condition.distance(of: node, in: tree, matching: scope.selector)
                .map { (rule, entry.place, $0) }
        }
        kept.sort { ($0.place, $1.distance, $0.rule) < ($1.place, $0.distance, $1.rule) }
        rules.matched = kept.map(\.rule)
    }
}
