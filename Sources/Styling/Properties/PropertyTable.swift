// All properties, by index and by name.

final class PropertyTable: Sendable {
    let rows: [Property]
    /// Longhand indices of each shorthand; target of each logical or alias row.
    let related: [[PropertyID]]
    /// For each property, the longhand it refers to in horizontal lines from left to right; only flow-relative names have another.
    private let usual: [UInt16]
    /// The longhands in each flow, by ``flowIndex(_:_:)``; made on first use.
    private static let flows: [[UInt16]] = (0..<10).map { flow in
        shared.rows.indices.map { index in
            guard case .logical(let name) = shared.rows[index].kind, let mode = WritingMode(rawValue: UInt8(flow / 2))
            else {
                return UInt16(index)
            }
            return shared.find(mode.name(name, flow % 2 == 0 ? .ltr : .rtl))?.index ?? shared.usual[index]
        }
    }
    let ranks: [ComputingRank]
    /// For each name, its property. Aliases map to their target.
    let named: [PropertyID]
    private let byName: [String: PropertyID]

    static let shared = PropertyTable()

    /// For each property, whether plain text may depend on it. Font sizes count too, because margins are relative to them.
    static let decidesText = shared.rows.map { row in
        let name = row.name
        return TextRelevance.isRelevant(name) || name == "font-size" || name == "font"
    }

    private init() {
        func inherited(_ rows: [Property], phase: Property.Phase? = nil) -> [Property] {
            rows.map { row in
                var row = row
                row.inherited = true
                row.phase = phase ?? row.phase
                return row
            }
        }
        let families = [
            [zoomProperty()], inherited(fontProperties(), phase: .font),
            inherited(fontFeatureProperties(), phase: .font),
            fontShorthands(), inherited(textProperties()), inherited(lineProperties()), lineEdgeProperties(),
            tableProperties(),
            decorationProperties(), fancyProperties(), boxProperties(), inlineProperties(), positionProperties(),
            containmentProperties(),
            transformProperties(), pictureProperties(), filterProperties(), maskProperties(), borderProperties(),
            borderImageProperties(),
            borderShorthands(), flexProperties(), alignmentProperties(), gapProperties(), columnProperties(),
            gridProperties(), backgroundProperties(), generatedContentProperties(), animationProperties(),
            ineffectiveProperties(),
        ]
        let rows = families.flatMap { $0 }
        let byName = Dictionary(
            rows.enumerated().map { ($1.name, PropertyID($0)) }, uniquingKeysWith: { first, _ in first })
        self.rows = rows
        self.byName = byName
        ranks = rows.indices.map { ComputingRank(rows[$0].phase, isInherited: rows[$0].inherited, at: $0) }
        var related: [[PropertyID]] = []
        for row in rows {
            let names: [String] =
                switch row.kind {
                case .shorthand(let longhands, _): longhands
                case .logical(let target), .alias(let target): [target]
                case .longhand, .ineffective: []
                }
            related.append(
                names.map { name in
                    guard let id = byName[name] else {
                        preconditionFailure("property \(row.name) refers to \(name)")
                    }
                    return id
                })
        }
        self.related = related
        // An alias may refer to another alias.
        func target(_ index: Int) -> Int {
            guard case .alias = rows[index].kind else { return index }
            return Int(related[index][0].index)
        }
        named = rows.indices.map { PropertyID(target(target($0))) }
        usual = rows.indices.map { index in
            guard case .logical = rows[index].kind else { return UInt16(index) }
            return related[index][0].index
        }
    }

    /// For each property, the longhand it refers to in a flow.
    static func physical(_ flow: Int) -> [UInt16] { flow == 0 ? shared.usual : flows[flow] }

    func find(_ name: String) -> PropertyID? { byName[name.asciiLowercased()] }
}
