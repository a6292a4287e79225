// Text without layout: the text nodes one after another (`strip --raw`).

import FancyTextMarkup

extension MarkupTree {
    /// The concatenated contents of all text nodes.
    func rawText(_ options: PlainTextOptions) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(source.count / 4)
        var at = 1
        let nodes = storage.nodes.base
        while at < count {
            let node = nodes[at]
            if node.kind == .text {
                let bytes = rawText(NodeID(at))
                if let mode = textMode(NodeID(at)) {
                    EntityDecoder.decode(bytes, mode: mode, into: &text)
                } else {
                    text.append(contentsOf: bytes)
                }
            } else if node.kind == .element,
                node.tag == .script || node.tag == .style || node.tag == .noscript && holdsRawText(NodeID(at))
            {
                at = Int(storage.end(UInt32(truncatingIfNeeded: at)))
                continue
            }
            at += 1
        }
        // A carriage return that a reference gave is a line end.
        return options.keepsControls ? text.map { $0 == 0x0D ? 0x0A : $0 } : SafeText.withoutControls(text)
    }
}
