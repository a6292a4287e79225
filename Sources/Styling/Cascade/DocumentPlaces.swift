// Places in a document and its style sheets: those of messages about CSS, of features that have no effect here, and of the first
// mention of a name. Only messages need these places, so the texts are scanned again.

import FancyTextBasics
import FancyTextCSS
import FancyTextMarkup

extension DiagnosticLog {
    /// Reports the messages about `css` at its `place` in the document, or about the node; imported sheets keep their places.
    mutating func report(
        _ own: DiagnosticLog, about css: CSSSource, at place: EmbeddedText?, within tree: MarkupTree, _ node: NodeID
    ) {
        for entry in own.entries where entries.count <= limit {
            guard let found = entry.textPlace, found.text === css else {
                report(entry)
                continue
            }
            let (severity, code, message) = (entry.severity, entry.code, entry.message)
            if let place {
                report(Diagnostic(severity, code, message, at: TextPlace(place, found.offset)))
            } else {
                report(Diagnostic(severity, code, message, at: tree.location(node), excerpt: entry.excerpt))
            }
        }
    }
}

// MARK: Features without effect

extension StyledTree {
    /// Warns about features, each at the place in the document or its sheets that uses it. O(nodes).
    package func report(_ features: [MissingFeature], log: inout DiagnosticLog) {
        var logs: [(source: CSSSource, log: DiagnosticLog)] = []
        for feature in features {
            let index = logs.firstIndex { $0.source === feature.source } ?? logs.count
            if index == logs.count { logs.append((feature.source, DiagnosticLog())) }
            logs[index].log.report(feature.diagnostic)
        }
        // The nodes of the texts that are parts of the document.
        var nodes: [[UInt8]: NodeID] = [:]
        for (source, _) in logs where source.name == tree.sourceName { nodes[source.bytes] = tree.root }
        for node in tree.subtree(tree.root) where !nodes.isEmpty && tree.kind(node) == .element {
            if tree.tag(node) == .style, let text = tree.firstChild(node), tree.kind(text) == .text {
                let bytes = tree.withText(text) { Array($0) }
                if nodes[bytes] == tree.root { nodes[bytes] = text }
            } else if let value = tree.attribute(node, .style).map({ Array($0.utf8) }), nodes[value] == tree.root {
                nodes[value] = node
            }
        }
        for (source, own) in logs {
            guard let node = nodes[source.bytes], node != tree.root else {
                log.merge(own)
                continue
            }
            let place = tree.kind(node) == .text ? tree.embedded(text: node) : tree.embedded(.style, of: node)
            log.report(own, about: source, at: place, within: tree, node)
        }
    }
}

extension MissingFeature {
    fileprivate var diagnostic: Diagnostic {
        Diagnostic(
            reason == .emptyVariable ? .note : .warning, name.hasPrefix("@") ? .unsupportedRule : .noEffect, message,
            at: TextPlace(source, Int(source.tokens[token].start)))
    }

    private var message: String {
        switch reason {
        case .emptyVariable: return "a variable has no value: '\(name)' has no effect"
        case .invalidVariables: return "invalid with its variables replaced: '\(name)'"
        case .unsupported: break
        }
        if name.hasPrefix("@") { return "\(name) is not supported: ignored" }
        if name == "transform" { return "perspective of a tilted box has no effect here" }
        let isValue = PropertyTable.shared.find(name)?.property.effect == .full
        return isValue ? "this value of '\(name)' has no effect here" : "'\(name)' has no effect here"
    }
}

// MARK: Names in CSS

extension StyledTree {
    /// Warns about keyframes and counter styles that elements name and no rule defines. O(styles + nodes with such a style).
    func reportUndefinedNames(_ log: inout DiagnosticLog) {
        var told: Set<String> = []
        for (number, style) in styles.styles.enumerated() {
            var counters = [style.text.listStyleType]
            for case .counter(_, _, let style) in style.box.content ?? [] { counters.append(style) }
            let names = style.groups.own.value.animation.names.compactMap(\.self).filter { index.keyframes[$0] == nil }
            let messages =
                names.map { "there is no '@keyframes \($0)'" }
                + counters.compactMap(index.counterStyles.undefinedName).map {
                    "there is no counter style '\($0)': it counts as decimal"
                }
            for message in messages where told.insert(message).inserted {
                let id = StyleID(rawValue: UInt32(number))
                let node =
                    nodeStyles.firstIndex(of: id).map { NodeID($0) }
                    ?? pseudoStyles.filter { $0.value == id }.map(\.key.node).min()
                log.warn(.noEffect, message, at: node.map { tree.location($0) })
            }
        }
    }

    /// The first place of each of `names` in CSS: in attributes and `<style>`, in document order, then in external sheets. Names
    /// are compared as URLs or, ignoring ASCII case, as font families. Linear in the length of these texts.
    package func mentions(of names: Set<String>) -> [String: NamePlace] {
        var search = NameSearch(names)
        for node in tree.subtree(tree.root) where tree.kind(node) == .element {
            if search.isDone { break }
            if tree.tag(node) == .style, let text = tree.firstChild(node), tree.kind(text) == .text {
                let css = CSSSource(tree.withText(text) { Array($0) }, name: tree.sourceName)
                let place = tree.embedded(text: text)
                search.read(css) { mention(place, $0, node) }
            }
            guard tree.hasAttributes(node) else { continue }
            for attribute in [AttributeID.style, .face] {
                guard let value = tree.attribute(node, attribute) else { continue }
                let css = CSSSource(value, name: tree.sourceName)
                let place = tree.embedded(attribute, of: node)
                search.read(css) { mention(place, $0, node) }
            }
        }
        for sheet in outsideSheets where !search.isDone { search.read(sheet) { mention(sheet, $0, tree.root) } }
        return search.found
    }

    private func mention(_ place: (any PlacedText)?, _ offset: Int, _ node: NodeID) -> NamePlace {
        NamePlace(location: place?.location(at: offset) ?? tree.location(node), excerpt: place?.excerpt(at: offset))
    }
}
