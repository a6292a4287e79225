// The boxes of elements, for measuring tools and for outlines. In: a layout. Out: border boxes, fragment by fragment.

import FancyTextBasics
import FancyTextBoxes
import FancyTextCSS
import FancyTextLayout
import FancyTextMarkup
import FancyTextPainting

/// A border box of an element, one for each line or column that it is broken into.
package struct ElementBox: Sendable {
    package enum Kind: Sendable { case block, inline, table, container, replaced }
    package var element: NodeID
    package var kind: Kind
    /// In CSS pixels, before transforms.
    package var rect: Rect
}

extension LayoutTree {
    /// The boxes of the document's elements in document order. O(n log n).
    package func elementBoxes(in styled: BoxTree) -> [ElementBox] {
        var result: [ElementBox] = []
        for box in boxes where !box.isAnonymous && !box.isHidden {
            let kind: ElementBox.Kind? =
                switch box.kind {
                case .canvas, .marker, .tableWrapper: nil
                case .block, .ruby: .block
                case .flex, .grid: .container
                case .table, .tableRowGroup, .tableRow, .tableCell, .tableCaption, .tableColumn: .table
                case .image, .lambda: .replaced
                }
            guard let kind else { continue }
            let parts = box.parts.isEmpty ? [box] : parts(of: box)
            result += parts.map { ElementBox(element: box.element, kind: kind, rect: $0.rect.rect) }
        }
        let styleCount = styled.styles.styles.count
        for fragment in lines.lazy.flatMap({ inlines[$0.fragments] })
        where fragment.kind == .box && Int(fragment.style.rawValue) < styleCount {
            result.append(ElementBox(element: fragment.element, kind: .inline, rect: fragment.rect.rect))
        }
        return result.indices.sorted { (result[$0].element, $0) < (result[$1].element, $1) }.map { result[$0] }
    }
}

extension DisplayList {
    /// Draws the outlines of all boxes over the picture, with a colour for each kind.
    package mutating func outline(_ boxes: [ElementBox]) {
        for box in boxes where box.rect.width > 0 && box.rect.height > 0 {
            let color =
                switch box.kind {
                case .block: Color(red: 37, green: 99, blue: 235, alpha: 200)
                case .inline: Color(red: 234, green: 88, blue: 12, alpha: 200)
                case .table: Color(red: 22, green: 163, blue: 74, alpha: 200)
                case .container: Color(red: 147, green: 51, blue: 234, alpha: 200)
                case .replaced: Color(red: 219, green: 39, blue: 119, alpha: 200)
                }
            items.append(.border(BorderItem(line: color, around: RoundedRect(rect: box.rect))))
        }
    }
}
