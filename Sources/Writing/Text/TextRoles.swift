// Roles of elements, with those of the elements around, that Markdown and terminals show by marks and styles, pictures by fonts.

import FancyTextMarkup

/// The role of a range of text, from all elements that contain it.
package struct TextRole: OptionSet, Hashable {
    package let rawValue: UInt16

    /// The level 1 to 6, in the lowest bits; 0 outside of headings.
    package var heading: Int { Int(rawValue & 7) }
    static let code = TextRole(rawValue: 1 << 3)
    package static let key = TextRole(rawValue: 1 << 4)
    package static let preformatted = TextRole(rawValue: 1 << 5)
    package static let superscript = TextRole(rawValue: 1 << 6)
    package static let `subscript` = TextRole(rawValue: 1 << 7)
    static let strong = TextRole(rawValue: 1 << 8)
    static let emphasis = TextRole(rawValue: 1 << 9)
    package static let strike = TextRole(rawValue: 1 << 10)
    package static let underline = TextRole(rawValue: 1 << 11)
    static let mark = TextRole(rawValue: 1 << 12)
    static let link = TextRole(rawValue: 1 << 13)

    /// True for text of a program or for it.
    package var isLiteral: Bool { !isDisjoint(with: [.code, .key, .preformatted]) }

    /// The part of the role that changes the style of letters on a terminal.
    package var ofLetters: TextRole { TextRole(rawValue: rawValue & 0x3F) }

    /// The part of the role that Markdown marks in a line.
    var ofLine: TextRole { subtracting([.preformatted, TextRole(rawValue: 7)]) }

    /// The role that an element has by itself.
    package init(_ tag: TagID) {
        switch tag {
        case .code, .samp, .tt: self = .code
        case .kbd: self = .key
        case .pre, .listing, .xmp: self = .preformatted
        case .sup: self = .superscript
        case .sub: self = .subscript
        case .b, .strong: self = .strong
        case .i, .em: self = .emphasis
        case .s, .del, .strike: self = .strike
        case .u, .ins: self = .underline
        case .mark: self = .mark
        default: self.init(rawValue: UInt16(tag.headingLevel))
        }
    }

    package init(rawValue: UInt16) { self.rawValue = rawValue }
}

/// The roles of a document's elements, computed once in one pass.
package struct TextRoles {
    private var roles: [TextRole] = []

    /// - Parameter tree: the elements; if nil, no element has a role.
    package init(_ tree: MarkupTree?) {
        guard let tree else { return }
        roles = [TextRole](repeating: [], count: tree.count)
        for node in tree.subtree(tree.root) where tree.kind(node) == .element {
            let own = TextRole(tree.tag(node))
            var role = tree.parent(node).map { roles[Int($0.index)] } ?? []
            if own.heading > 0 { role.subtract(TextRole(rawValue: 7)) }
            role.formUnion(own)
            roles[Int(node.index)] = role
        }
    }

    package subscript(element: NodeID) -> TextRole { Int(element.index) < roles.count ? roles[Int(element.index)] : [] }
}
