// The declarations that apply to an element, and the winners among them, computed once for all elements with the same declarations.
// In: declaration blocks in ascending order of precedence. Out: the winners (CSS Cascade 5 §6) in the order of computing.

import FancyTextBasics

struct MatchedDeclarations: Sendable {
    /// In ascending order of precedence; a block with important declarations occurs twice.
    let blocks: [RankedBlock]
    let hasCustoms: Bool
    /// True if the meaning of flow-relative names depends on the element.
    let setsFlow: Bool
    let usesFontUnits: Bool
    /// Computed on first use.
    var winners: Winners?
    /// The last distinct style computed from these declarations.
    var lastStyle: StyleID?

    /// The position of the winning declaration of a property.
    struct Winner: Sendable, BitwiseCopyable {
        var rank: ComputingRank
        var block: Int32
        var declaration: Int32
    }

    /// The winners in the order of computing.
    struct Winners: Sendable {
        private let entries: [Winner]

        init(_ winners: [Winner]) { entries = winners.sorted { $0.rank < $1.rank } }

        subscript(stage: ComputingRank.Stage) -> ArraySlice<Winner> {
            let start = entries.partitioningIndex { $0.rank.stage.rawValue >= stage.rawValue }
            return entries[start...].prefix { $0.rank.stage == stage }
        }
    }

    init(_ blocks: [RankedBlock]) {
        self.blocks = blocks
        hasCustoms = blocks.contains { !$0.block.customs.isEmpty }
        setsFlow = blocks.contains { $0.block.setsFlow }
        usesFontUnits = blocks.contains { $0.block.source.usesFontUnits }
    }
}
