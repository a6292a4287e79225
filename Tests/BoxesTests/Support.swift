// Helpers for the tests of box generation.

@testable import FancyTextBasics
@testable import FancyTextBoxes
@testable import FancyTextGeneration
@testable import FancyTextMarkup
@testable import FancyTextStyling

/// The boxes of markup with the default styles.
func boxes(_ html: String) -> BoxTree {
    var log = DiagnosticLog()
    let tree = MarkupTree.parse(html)
    return BoxGenerator.generate(
        MarkupStyleResolver(options: StyleOptions()).resolve(tree, log: &log), log: &log)
}

/// The text of each paragraph of markup.
func paragraphs(_ html: String) -> [String] {
    let text = boxes(html)
    return text.boxes.indices.filter { text.boxes[$0].holdsInlines }.map { text.string($0) }
}

extension BoxTree {
    /// The text of a box, without white space at its ends.
    func string(_ box: Int) -> String {
        var bytes = text[boxes[box].text][...]
        while bytes.first == 0x0A || bytes.first == 0x20 { bytes.removeFirst() }
        while bytes.last == 0x0A || bytes.last == 0x20 { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
