// Break opportunities (interim).
import MarkupStyling
import TextShaping

extension Layouter {
    mutating func findBreaks(_ content: InlineContent) {
        let base = breaks.count
        breaks.append(contentsOf: repeatElement(0, count: content.textCount + 1))
        for index in 1..<max(1, content.textCount) {
            let previous = inlineText[content.textStart + index - 1]
            let byte = inlineText[content.textStart + index]
            if previous == 0x20, byte != 0x20 { breaks[base + index] = BreakFlag.soft }
            if previous == 0x2D, byte > 0x40 { breaks[base + index] = BreakFlag.soft }
        }
    }
}
