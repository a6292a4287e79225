// The distinct looks of a document's text on a terminal, and where its links lead.

import Basics
import Markup
import Styling

/// Terminal styles, backgrounds and link targets by number.
struct TerminalLooks {
    /// 0 is a cell without text.
    private(set) var styles: [TerminalStyle] = [.plain]
    /// 0 is none.
    private(set) var backgrounds: [Color?] = [nil]
    /// Link targets, cleaned; styles refer to them by index + 1.
    private(set) var links: [[UInt8]] = []
    private var styleIndex: [TerminalStyle: UInt32] = [:]
    private var backgroundIndex: [Color: UInt32] = [:]
    private var linkIndex: [String: Int] = [:]
    /// By element of the document: the link that it lies in, 0 for none; −1 while unknown.
    private var linkOfElement: [Int32] = []
    private let tree: MarkupTree?

    /// - Parameter tree: where links come from; nil for none.
    init(tree: MarkupTree?) { self.tree = tree }

    mutating func number(of style: TerminalStyle) -> UInt32 {
        if let known = styleIndex[style] { return known }
        let number = UInt32(styles.count)
        styles.append(style)
        styleIndex[style] = number
        return number
    }

    /// 0 for a colour that lets more through than it hides.
    mutating func background(_ color: Color) -> UInt32 {
        guard color.alpha >= 128 else { return 0 }
        if let known = backgroundIndex[color] { return known }
        let number = UInt32(backgrounds.count)
        backgrounds.append(color)
        backgroundIndex[color] = number
        return number
    }

    /// The link to `target` as a 1-based index; 0 for none.
    mutating func link(to target: String) -> Int {
        if let known = linkIndex[target] { return known }
        let clean = Self.cleanedURL(target)
        if !clean.isEmpty { links.append(clean) }
        linkIndex[target] = clean.isEmpty ? 0 : links.count
        return clean.isEmpty ? 0 : links.count
    }

    /// The link of the nearest `<a href>` around an element. Each element is looked at once.
    mutating func link(of element: NodeID) -> Int {
        guard let tree, Int(element.index) < tree.count else { return 0 }
        if linkOfElement.isEmpty { linkOfElement = [Int32](repeating: -1, count: tree.count) }
        var node: NodeID? = element
        var found: Int32 = 0
        while let current = node {
            let known = linkOfElement[Int(current.index)]
            if known >= 0 {
                found = known
                break
            }
            if tree.kind(current) == .element, tree.tag(current) == .a, let target = tree.attribute(current, .href) {
                found = Int32(link(to: target))
                linkOfElement[Int(current.index)] = found
                break
            }
            node = tree.parent(current)
        }
        node = element
        while let current = node, linkOfElement[Int(current.index)] < 0 {
            linkOfElement[Int(current.index)] = found
            node = tree.parent(current)
        }
        return Int(found)
    }

    /// The link around an element of another tree than the document's.
    mutating func link(of element: NodeID, in other: MarkupTree) -> Int {
        var node: NodeID? = Int(element.index) < other.count ? element : nil
        while let current = node {
            if other.kind(current) == .element, other.tag(current) == .a, let target = other.attribute(current, .href) {
                return link(to: target)
            }
            node = other.parent(current)
        }
        return 0
    }

    /// Only bytes that a URL may hold; the rest as per cent escapes, so that nothing ends the sequence early.
    static func cleanedURL(_ target: String) -> [UInt8] {
        var result: [UInt8] = []
        let hex = Array("0123456789ABCDEF".utf8)
        for byte in target.utf8.prefix(4096) {
            if byte > 0x20 && byte < 0x7F {
                result.append(byte)
            } else if byte != 0x09 && byte != 0x0A && byte != 0x0D {
                result += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
            }
        }
        return result
    }
}
