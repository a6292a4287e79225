// A whitelist of tags, for documents whose author is not trusted with all elements.

/// The names of the elements that a tree may contain.
package struct TagWhitelist: Hashable, Sendable {
    /// In lower case.
    private var names: Set<String> = []

    package init() {}

    package mutating func insert(_ name: String) { names.insert(name.lowercased()) }

    /// Returns whether an element is allowed. Elements that the parser implies are allowed with the element that implies them.
    func contains(_ name: String, _ tag: TagID) -> Bool {
        if names.contains(name) { return true }
        switch tag {
        case .html, .head, .body: return true
        case .tbody, .colgroup: return names.contains("table")
        default: return false
        }
    }

    /// The elements whose contents are not part of running text.
    static let withoutText: Set<TagID> = [
        .script, .style, .template, .title, .iframe, .noembed, .noframes, .noscript, .svg, .math, .object, .audio,
        .video, .canvas, .select, .datalist, .textarea, .rp,
    ]
}
