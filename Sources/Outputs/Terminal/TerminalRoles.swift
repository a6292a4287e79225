// Roles of elements that a terminal shows by a special style, and a picture by the font.
//
// In: an element. Out: its role, if it has one.

import FancyTextMarkup

/// The role of a range of text, from all elements that contain it.
struct TerminalRole: OptionSet, Hashable {
    let rawValue: UInt16

    /// The level 1 to 6, in the lowest bits; 0 outside of headings.
    var heading: Int { Int(rawValue & 7) }
    static let code = TerminalRole(rawValue: 1 << 3)
    static let key = TerminalRole(rawValue: 1 << 4)
    static let preformatted = TerminalRole(rawValue: 1 << 5)
    static let superscript = TerminalRole(rawValue: 1 << 6)
    static let `subscript` = TerminalRole(rawValue: 1 << 7)
    static let quotation = TerminalRole(rawValue: 1 << 8)

    /// The part of the role that changes the style of letters.
    var ofLetters: TerminalRole { TerminalRole(rawValue: rawValue & 0x1F) }

    fileprivate static func heading(_ level: UInt16) -> TerminalRole { TerminalRole(rawValue: level) }
}

/// The roles of a document's elements, computed once in one pass.
struct TerminalRoles {
    private var roles: [TerminalRole] = []

    /// - Parameter tree: the elements; if nil, no element has a role.
    init(_ tree: MarkupTree?) {
        guard let tree else { return }
        roles = [TerminalRole](repeating: [], count: tree.count)
        for node in tree.subtree(tree.root) where tree.kind(node) == .element {
            let own = Self.role(tree.tag(node))
            var role = tree.parent(node).map { roles[Int($0.index)] } ?? []
            if own.heading > 0 { role = TerminalRole(rawValue: role.rawValue & ~7) }
            role.formUnion(own)
            roles[Int(node.index)] = role
        }
    }

    subscript(element: NodeID) -> TerminalRole {
        Int(element.index) < roles.count ? roles[Int(element.index)] : []
    }

    private static func role(_ tag: TagID) -> TerminalRole {
        switch tag {
        case .h1: .heading(1)
        case .h2: .heading(2)
        case .h3: .heading(3)
        case .h4: .heading(4)
        case .h5: .heading(5)
        case .h6: .heading(6)
        case .code, .samp, .tt: .code
        case .kbd: [.code, .key]
        case .pre, .listing, .xmp: [.code, .preformatted]
        case .sup: .superscript
        case .sub: .subscript
        case .blockquote: .quotation
        default: []
        }
    }
}
