// Text without layout: the text nodes one after another (`strip --raw`).

import FancyTextMarkup

extension MarkupTree {
    /// All text nodes with nothing between them.
    func rawText(_ options: TextOptions, sink: TextSink?) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(sink == nil ? source.count / 4 : TextWriter.pieceSize)
        appendRawText(of: 1..<count, to: &text, options, sink)
        return Self.cleaned(text, options)
    }

    /// Appends the text of a run of nodes; a sink takes what there is of it from time to time.
    func appendRawText(
        of run: Range<Int>, to out: inout [UInt8], _ options: TextOptions, _ sink: TextSink?
    ) {
        var at = run.lowerBound
        let nodes = storage.nodes.base
        while at < run.upperBound {
            let node = nodes[at]
            if node.kind == .text {
                let bytes = rawText(NodeID(at))
                if let mode = textMode(NodeID(at)) {
                    EntityDecoder.decode(bytes, mode: mode, into: &out)
                } else {
                    out.append(contentsOf: bytes)
                }
                if let sink, out.count >= TextWriter.pieceSize {
                    Self.cleaned(out, options).withUnsafeBufferPointer(sink)
                    out.removeAll(keepingCapacity: true)
                }
            } else if node.kind == .element,
                node.tag == .script || node.tag == .style || node.tag == .noscript && holdsRawText(NodeID(at))
            {
                at = Int(storage.end(UInt32(truncatingIfNeeded: at)))
                continue
            }
            at += 1
        }
    }

    static func cleaned(_ text: [UInt8], _ options: TextOptions) -> [UInt8] {
        options.keepsControls ? SafeText.withoutReturns(text) : SafeText.withoutControls(text)
    }
}
