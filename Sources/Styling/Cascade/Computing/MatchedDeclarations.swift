// The declarations that apply to an element, and the winners among them, computed once for all elements with the same declarations.
// In: declaration blocks in ascending order of precedence. Out: the winners (CSS Cascade 5 §6) in the order of computing.

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
        private let ends: SIMD4<Int32>

        init(_ winners: [Winner]) {
            entries = winners.sorted { $0.rank < $1.rank }
            var ends = SIMD4<Int32>.zero
            for winner in winners { ends[Int(winner.rank.stage.rawValue)] &+= 1 }
            for stage in 1..<4 { ends[stage] &+= ends[stage - 1] }
            self.ends = ends
        }

        subscript(stage: ComputingRank.Stage) -> ArraySlice<Winner> {
            let stage = Int(stage.rawValue)
            return entries[(stage == 0 ? 0 : Int(ends[stage - 1]))..<Int(ends[stage])]
        }
    }

    init(_ blocks: [RankedBlock]) {
        self.blocks = blocks
        hasCustoms = blocks.contains { !$0.block.customs.isEmpty }
        setsFlow = blocks.contains { $0.block.setsFlow }
        usesFontUnits = blocks.contains { $0.block.source.usesFontUnits }
    }
}
