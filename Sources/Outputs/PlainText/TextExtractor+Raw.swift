// Text without layout: the text nodes one after another (`strip --raw`, SPEC S2), and what keeps terminals safe (S4).

import Markup

extension TextExtractor {
    /// Appends the text of a run of nodes; a sink takes what there is of it from time to time.
    func appendRaw(_ run: Range<Int>, to out: inout [UInt8], _ sink: TextSink?) {
        var at = run.lowerBound
        let nodes = tree.storage.nodes.base
        while at < run.upperBound {
            let node = nodes[at]
            if node.kind == .text {
                let bytes = tree.rawText(NodeID(at))
                if let mode = tree.textMode(NodeID(at)) {
                    EntityDecoder.decode(bytes, mode: mode, into: &out)
                } else {
                    out.append(contentsOf: bytes)
                }
                if let sink, out.count >= TextWriter.pieceSize {
                    cleaned(out).withUnsafeBufferPointer(sink)
                    out.removeAll(keepingCapacity: true)
                }
            } else if node.kind == .element, node.tag == .script || node.tag == .style {
                at = Int(tree.storage.end(UInt32(truncatingIfNeeded: at)))
                continue
            }
            at += 1
        }
    }

    func cleaned(_ text: [UInt8]) -> [UInt8] {
        options.keepsControls ? Self.withoutReturns(text) : Self.withoutControls(text)
    }

    /// A carriage return that a reference gave is a line end in the output.
    static func withoutReturns(_ text: [UInt8]) -> [UInt8] {
        text.contains(0x0D) ? text.map { $0 == 0x0D ? 0x0A : $0 } : text
    }

    /// Text that may go to a terminal (SPEC S4): no C0, C1 and bidi controls but tab and newline.
    package static func withoutControls(_ text: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(text.count)
        var i = 0
        while i < text.count {
            let byte = text[i]
            if byte == 0x0D {
                out.append(0x0A)
            } else if byte < 0x20 && byte != 0x0A && byte != 0x09 || byte == 0x7F {
                // Dropped.
            } else if byte == 0xC2, i + 1 < text.count, text[i + 1] < 0xA0 {
                i += 1
            } else if byte == 0xE2, i + 2 < text.count,
                text[i + 1] == 0x80 && (0xAA...0xAE).contains(text[i + 2])
                    || text[i + 1] == 0x81 && (0xA6...0xA9).contains(text[i + 2])
            {
                i += 2
            } else {
                out.append(byte)
            }
            i += 1
        }
        return out
    }
}
