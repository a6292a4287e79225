// A parsed `@keyframes` rule (CSS Animations 1 §3).

final class KeyframesRule: Sendable {
    struct Frame: Sendable {
        /// 0 is the first moment, 1 the last.
        var offset: Double
        var block: DeclarationBlock
    }

    let name: String
    /// One frame per offset, in ascending order.
    let frames: [Frame]
    /// The index in ``Stylesheet/layers``; −1 outside of layers.
    let layer: Int

    init(name: String, frames: [Frame], layer: Int) {
        self.name = name
        self.layer = layer
        self.frames = Dictionary(grouping: frames, by: \.offset).sorted { $0.key < $1.key }.map { offset, frames in
            let block = DeclarationBlock(
                source: frames[0].block.source, declarations: frames.flatMap(\.block.declarations),
                customs: frames.flatMap(\.block.customs))
            return Frame(offset: offset, block: block)
        }
    }
}
