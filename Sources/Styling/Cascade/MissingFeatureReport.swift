// Warnings about features that have no effect here, with their places in the document.

import FancyTextBasics
import FancyTextMarkup

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
        source.diagnostic(
            reason == .emptyVariable ? .note : .warning, name.hasPrefix("@") ? .unsupportedRule : .noEffect, message,
            atByte: Int(source.tokens[token].start))
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
