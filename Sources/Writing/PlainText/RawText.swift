// Text without layout: the text nodes one after another (`strip --raw`).

import FancyTextMarkup

extension MarkupTree {
    /// The concatenated contents of all text nodes.
    func rawText(_ options: PlainTextOptions) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(source.count / 4)
        forEachDescendant(of: root) { node in
            if kind(node) == .text {
                if let mode = textMode(node) {
                    EntityDecoder.decode(rawText(node), mode: mode, into: &text)
                } else {
                    text.append(contentsOf: rawText(node))
                }
            }
            let tag = tag(node)
            return tag != .script && tag != .style && (tag != .noscript || !holdsRawText(node))
        }
        // A carriage return that a reference gave is a line end.
        return options.keepsControls ? text.map { $0 == 0x0D ? 0x0A : $0 } : SafeText.withoutControls(text)
    }
}
