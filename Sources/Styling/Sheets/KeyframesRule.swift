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
        var merged: [Frame] = []
        for frame in frames.enumerated().sorted(by: { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) })
        {
            let frame = frame.element
            if let last = merged.last, last.offset == frame.offset {
                merged[merged.count - 1].block = DeclarationBlock(
                    source: last.block.source, declarations: last.block.declarations + frame.block.declarations,
                    customs: last.block.customs + frame.block.customs)
            } else {
                merged.append(frame)
            }
        }
        self.frames = merged
    }
}
