// All properties, by index and by name, and those that plain text depends on.

import FancyTextBasics
import Synchronization

package final class PropertyTable: Sendable {
    package let rows: [Property]
    /// Longhand indices of each shorthand; target of each logical or alias row.
    package let related: [[PropertyID]]
    /// For each property, the longhand it refers to in horizontal lines from left to right; only flow-relative names have another.
    private let usual: [UInt16]
    /// The longhands in each flow, by ``flowIndex(_:_:)``; made on first use.
    private static let flows: [[UInt16]] = (0..<10).map { flow in
        shared.rows.indices.map { index in
            guard case .logical(let name) = shared.rows[index].kind, let mode = WritingMode(rawValue: UInt8(flow / 2))
            else { return UInt16(index) }
            return shared.find(mode.name(name, flow % 2 == 0 ? .ltr : .rtl))?.index ?? shared.usual[index]
        }
    }
    package let ranks: [ComputingRank]
    /// For each name, its property. Aliases map to their target.
    package let named: [PropertyID]
    private let byName: [String: PropertyID]

    package static let shared = PropertyTable()

    /// For each property, whether plain text may depend on it. Font sizes count too, because margins are relative to them.
    package static let decidesText = shared.rows.map {
        TextRelevance.isRelevant($0.name) || $0.name == "font-size" || $0.name == "font"
    }

    private init() {
        func inherited(_ rows: [Property], in stage: ComputingRank.Stage? = nil) -> [Property] {
            rows.map { row in
                var row = row
                (row.inherited, row.stage) = (true, stage ?? row.stage)
                return row
            }
        }
        let families = [
            [zoomProperty()], inherited(fontProperties(), in: .fonts), inherited(fontFeatureProperties(), in: .fonts),
            fontShorthands(), inherited(textProperties()), edgeProperties(), decorationProperties(), fancyProperties(),
            boxProperties(), inlineProperties(), positionProperties(), containmentProperties(), transformProperties(),
            pictureProperties(), effectProperties(), borderProperties(), borderShorthands(), flexProperties(),
            columnProperties(), gridProperties(), backgroundProperties(), generatedContentProperties(),
            animationProperties(), ineffectiveProperties(),
        ]
        let rows = families.flatMap { $0 }
        let byName = Dictionary(
            rows.enumerated().map { ($1.name, PropertyID($0)) }, uniquingKeysWith: { first, _ in first })
        let related = rows.map { row in
            row.relatedNames.map { name in
                guard let id = byName[name] else { preconditionFailure("property \(row.name) refers to \(name)") }
                return id
            }
        }
        // An alias may refer to another alias.
        func target(_ index: Int) -> Int {
            if case .alias = rows[index].kind { Int(related[index][0].index) } else { index }
        }
        (self.rows, self.byName, self.related) = (rows, byName, related)
        ranks = rows.enumerated().map { ComputingRank($1.stage ?? ($1.inherited ? .inherited : .own), at: $0) }
        named = rows.indices.map { PropertyID(target(target($0))) }
        usual = rows.indices.map { if case .logical = rows[$0].kind { related[$0][0].index } else { UInt16($0) } }
    }

    /// For each property, the longhand it refers to in a flow.
    package static func physical(_ flow: Int) -> [UInt16] { flow == 0 ? shared.usual : flows[flow] }

    package func find(_ name: String) -> PropertyID? { byName[name.asciiLowercased()] }

    /// Grammars of properties without effect, each parsed on first use.
    private static let grammars = Mutex<[UInt16: ValueSyntax]>([:])

    package static func matches(_ id: PropertyID, _ cursor: inout ValueCursor) -> Bool {
        let grammar = grammars.withLock { known in
            let grammar = known[id.index] ?? ValueSyntax(id.property.syntax ?? "<any-value>")
            known[id.index] = grammar
            return grammar
        }
        return grammar.matches(&cursor)
    }
}

/// The properties that can change a document's plain text. All others only affect colour, size and position.
package enum TextRelevance {
    /// Names without vendor prefixes.
    package static let names: Set<String> = [
        "all", "animation", "animation-delay", "animation-direction", "animation-duration", "animation-fill-mode",
        "animation-iteration-count", "animation-name", "animation-play-state", "animation-timing-function",
        "box-orient", "content", "content-visibility", "counter-increment", "counter-reset", "counter-set", "direction",
        "display", "float", "line-clamp", "list-style", "list-style-image", "list-style-position", "list-style-type",
        "margin", "margin-after", "margin-before", "margin-block", "margin-block-end", "margin-block-start",
        "margin-bottom", "margin-end", "margin-inline", "margin-inline-end", "margin-inline-start", "margin-left",
        "margin-right", "margin-start", "margin-top", "position", "quotes", "text-transform", "text-wrap",
        "text-wrap-mode", "unicode-bidi", "visibility", "white-space", "white-space-collapse", "writing-mode",
    ]

    /// Returns whether a property may change text; this library's own properties (`-ft-…`) and custom ones always do.
    package static func isRelevant(_ name: String) -> Bool {
        let name = name.asciiLowercased()
        if name.hasPrefix("--") || name.hasPrefix("-ft-") { return true }
        let plain = name.hasPrefix("-") ? name.dropFirst().drop { $0 != "-" }.dropFirst() : name[...]
        return names.contains(String(plain))
    }
}
