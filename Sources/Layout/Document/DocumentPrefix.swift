// The beginning of a document, as much as limited lines can show, so that the cost does not depend on the rest. Only
// content that block flow places below is omitted: boxes sized by all their contents are kept whole.

import FancyTextBoxes
import FancyTextStyling

struct DocumentPrefix {
    var text: BoxTree
    /// The box whose lines end early.
    var brokenBox: Int?

    /// Returns whether the omitted part could change the rest: bidi levels depend on the text after (UAX #9 §3.3).
    func isBroken(in engine: LayoutEngine) -> Bool {
        guard let brokenBox else { return false }
        let content = engine.inlines.contentOfBox[brokenBox]
        return content >= 0 && (engine.inlines.contents[content].isBidi || engine.inlines.contents[content].isPlaintext)
    }
}

extension BoxTree {
    /// The document without content that begins after about `length` bytes of its text; nil if there is none.
    /// `cutsParagraphs` lets a long paragraph end after a word. O(length).
    func prefix(ofAbout length: Int, cutsParagraphs: Bool) -> DocumentPrefix? {
        guard length < text.count, let root = boxes.first, root.kind == .block, !establishesContext(0) else {
            return nil
        }
        var ancestors = [0]
        while let box = ancestors.last, !boxes[box].holdsInlines {
            var child = box + 1
            while child < boxes[box].end, boxes[child].text.upperBound <= length { child = boxes[child].end }
            guard child < boxes[box].end else { break }
            ancestors.append(child)
            guard isInBlockFlow(child) else { break }
        }
        let last = ancestors[ancestors.count - 1]
        // A box placed on the canvas is visible wherever it is in the document.
        guard !boxes[last...].contains(where: { $0.containingBlock == 0 }) else { return nil }
        let style = styles[boxes[last].style].text
        let breaksLineByLine = style.fitLines == nil && style.wrapStyle != .balance && style.wrapStyle != .pretty
        if cutsParagraphs, boxes[last].holdsInlines, isInBlockFlow(last), breaksLineByLine,
            let prefix = breaking(last, at: length, ancestors)
        {
            return prefix
        }
        let end = boxes[last].end
        return end < boxes.count ? DocumentPrefix(text: keeping(end, ancestors)) : nil
    }

    private func isInBlockFlow(_ box: Int) -> Bool {
        boxes[box].kind == .block && !boxes[box].isPositioned && !establishesContext(box)
            && (boxes[box].isAnonymous || styles[boxes[box].style].box.float == .none)
    }

    /// Ends a paragraph after the word that reaches `length`.
    private func breaking(_ paragraph: Int, at length: Int, _ ancestors: [Int]) -> DocumentPrefix? {
        var end = paragraph + 1
        for index in boxes[paragraph].items {
            switch items[index] {
            case .atomic(let box, _), .float(let box): end = boxes[box].end
            case .open, .close, .breakOpportunity: break
            case .text(let run):
                let range = runs[run].range
                guard range.upperBound > length else { continue }
                let start = max(length, range.lowerBound)
                guard let space = text[start..<range.upperBound].firstIndex(of: 0x20) else { continue }
                var result = keeping(end, ancestors)
                result.runs[run].range = range.lowerBound..<space + 1
                result.boxes[paragraph].items = boxes[paragraph].items.lowerBound..<index + 1
                return DocumentPrefix(text: result, brokenBox: paragraph)
            }
        }
        return nil
    }

    /// The boxes before `end`; `ancestors` are the last ones at each depth.
    private func keeping(_ end: Int, _ ancestors: [Int]) -> BoxTree {
        var result = self
        result.boxes = Array(boxes[..<end])
        for box in ancestors { result.boxes[box].end = min(boxes[box].end, end) }
        return result
    }
}
