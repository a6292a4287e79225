// The visual order of the items of flex containers and grids (CSS Flexbox 1 §5, CSS Grid 2 §6.3).
//
// In: a container's boxes. Out: its items along the main axis. The text, and with it JSON, Markdown and plain text, keeps
// document order, like `innerText`: `order` is only visual (§5.4.1).

/// The items of a flex container in their order along its main axis.
package struct FlexFlow: Sendable, Equatable {
    /// Children in order-modified document order (CSS Flexbox 1 §5.4).
    package var items: [Int]
    package var isRow: Bool
    /// Absolutely positioned children, which are not items (CSS Flexbox 1 §4.1).
    package var positioned: [Int]
    /// True if the main axis runs from right to left, or from bottom to top.
    package var isMirrored: Bool
}

extension BoxTree {
    /// The items of flex container or grid `box` in order-modified document order, and its absolutely positioned children. O(n)
    /// without `order`, otherwise O(n log n).
    package func items(of box: Int) -> (inFlow: [Int], positioned: [Int]) {
        var items = children(of: box)
        let positioned = items.filter { boxes[$0].isPositioned }
        if !positioned.isEmpty { items.removeAll { boxes[$0].isPositioned } }
        let orders = items.map { boxes[$0].isAnonymous ? 0 : styles[boxes[$0].style].box.order }
        if orders.contains(where: { $0 != 0 }) {
            items = items.indices.sorted { (orders[$0], $0) < (orders[$1], $1) }.map { items[$0] }
        }
        return (items, positioned)
    }

    /// The items of flex container `box`.
    package func flexFlow(of box: Int) -> FlexFlow {
        let style = styles[boxes[box].style]
        let isRightToLeft = style.text.direction == .rtl
        let (items, positioned) = items(of: box)
        return switch style.box.flexDirection {
        case .row: FlexFlow(items: items, isRow: true, positioned: positioned, isMirrored: isRightToLeft)
        case .rowReverse: FlexFlow(items: items, isRow: true, positioned: positioned, isMirrored: !isRightToLeft)
        case .column: FlexFlow(items: items, isRow: false, positioned: positioned, isMirrored: false)
        case .columnReverse: FlexFlow(items: items, isRow: false, positioned: positioned, isMirrored: true)
        }
    }
}
