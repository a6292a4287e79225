// Size and layout containment (CSS Containment 2 §3): boxes whose size and baseline do not depend on their contents.

import FancyTextBoxes
import FancyTextMarkup
import FancyTextStyling

extension LayoutEngine {
    /// The width of the content box that stands for that of the contents; nil without size containment.
    func containedWidth(_ box: Int) -> LayoutUnit? {
        guard let style = containedStyle(box), !style.containment.isDisjoint(with: [.size, .inlineSize]) else {
            return nil
        }
        return LayoutUnit(style.box.container.intrinsicWidth ?? 0)
    }

    /// The height of the content box that stands for that of the contents; nil without size containment.
    func containedHeight(_ box: Int) -> LayoutUnit? {
        guard let style = containedStyle(box), style.containment.contains(.size) else { return nil }
        return LayoutUnit(style.box.container.intrinsicHeight ?? 0)
    }

    /// The style of a box to which size containment applies.
    private func containedStyle(_ box: Int) -> ComputedStyle? {
        switch text.boxes[box].kind {
        case .block, .flex, .grid, .image, .lambda, .tableCaption: ownStyle(of: box)
        case .table, .tableCell, .tableRowGroup, .tableRow, .tableColumn, .tableColumnGroup, .ruby, .math: nil
        }
    }

    /// Hides the size and the baselines of a fragment's contents from the boxes around it.
    mutating func contain(_ index: Int) {
        let fragment = tree.boxes[index]
        guard let style = ownStyle(of: fragment.box) else { return }
        if let height = containedHeight(fragment.box) {
            tree.boxes[index].automaticHeight = height + fragment.frame.vertical
        }
        if style.containment.contains(.layout) { tree.boxes[index].baselines = (nil, nil) }
    }
}

extension LayoutTree {
    /// The sizes of the query containers of a text.
    package func containerSizes(in text: BoxTree) -> [NodeID: ContainerSize] {
        var sizes: [NodeID: ContainerSize] = [:]
        for fragment in boxes where fragment.box >= 0 && !fragment.isAnonymous && fragment.kind != .marker {
            let style = text.styles[text.boxes[fragment.box].style]
            guard !style.box.$container, style.box.container.type != .normal else { continue }
            let content = fragment.rect.inset(by: fragment.frame)
            sizes[fragment.element] = ContainerSize(
                width: Double(content.width.float), height: Double(content.height.float))
        }
        return sizes
    }
}
