// Layout asks the image store how large pictures are by nature.

import TextLayout
import TextShaping

extension ImageStore: ReplacedSizes {
    /// A lambda's own size is that of the picture it shows; its attributes and styles may say otherwise.
    package func intrinsicSize(of source: String, isLambda: Bool) -> Size? {
        guard isLambda else { return intrinsicSize(of: source) }
        switch drawing(lambda: source) {
        case .picture(let picture): return Size(width: Float(picture.width), height: Float(picture.height))
        case .list(let list): return list.size
        case nil: return nil
        }
    }
}
