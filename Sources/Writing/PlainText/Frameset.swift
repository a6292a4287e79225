// A page of frames (HTML §16.3) for readers that do not load frames: the frames' names, and the text for browsers without frames.

import FancyTextMarkup

package enum Frameset {
    /// A page with a link for each frame and the contents of `noframes`; nil for pages without frames. O(n).
    package static func page(for tree: MarkupTree) -> MarkupTree? {
        guard let html = tree.rootAndBody.first,
            let frameset = tree.children(html).first(where: { tree.tag($0) == .frameset })
        else { return nil }
        var source = "<!DOCTYPE html>"
        for node in tree.subtree(frameset) where tree.tag(node) == .frame {
            let address = tree.attribute(node, .src) ?? ""
            let label = [tree.attribute(node, .title), tree.attribute(node, .name), address]
                .lazy.compactMap { $0 }.first { !$0.isEmpty }
            guard let label else { continue }
            source += "<div>Frame: <a href=\"\(Notation.escaped(address))\">\(Notation.escaped(label))</a></div>"
        }
        for node in tree.subtree(html) where tree.tag(node) == .noframes {
            // Raw text, which browsers without frames parse as markup.
            source += "<div>" + String(decoding: tree.textContent(node, skipsHidden: false), as: UTF8.self) + "</div>"
        }
        return MarkupTree.parse(source)
    }
}
