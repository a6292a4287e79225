// The distinct styles of a document's text on a terminal, and the targets of its links.

import FancyTextBoxes
import FancyTextStyling

/// Terminal styles, backgrounds and link targets by number.
struct TerminalLooks {
    /// Index 0 is a cell without text.
    private(set) var styles: [TerminalStyle] = [.plain]
    /// Index 0 means no background.
    private(set) var backgrounds: [Color?] = [nil]
    /// Link targets, cleaned; styles refer to them by index + 1.
    private(set) var links: [[UInt8]] = []
    private var styleIndex: [TerminalStyle: UInt32] = [:]
    private var backgroundIndex: [Color?: UInt32] = [:]
    private var linkIndex: [String: Int] = [:]

    mutating func number(of style: TerminalStyle) -> UInt32 { Self.number(of: style, in: &styles, &styleIndex) }

    /// The index of a background; 0 for a colour with an alpha below one half.
    mutating func background(_ color: Color) -> UInt32 {
        color.alpha < 128 ? 0 : Self.number(of: color, in: &backgrounds, &backgroundIndex)
    }

    private static func number<Value: Hashable>(
        of value: Value, in values: inout [Value], _ index: inout [Value: UInt32]
    ) -> UInt32 {
        if let known = index[value] { return known }
        let number = UInt32(values.count)
        values.append(value)
        index[value] = number
        return number
    }

    /// The 1-based index of the link to `target`; 0 for none.
    ///
    /// - Parameter resolve: returns the absolute target; nil for a link that must not be followed.
    mutating func link(to target: String, _ resolve: (String) -> String?) -> Int {
        if let known = linkIndex[target] { return known }
        let clean = resolve(target).map(Self.cleanedURL) ?? []
        if !clean.isEmpty { links.append(clean) }
        linkIndex[target] = clean.isEmpty ? 0 : links.count
        return clean.isEmpty ? 0 : links.count
    }

    /// Returns a link's URL if a terminal may open it: an absolute URL that pictures may contain too, or a file's. Returns `nil`
    /// for others.
    static func followable(_ target: String) -> String? {
        let destination = LinkDestination(target)
        guard let scheme = destination.scheme else { return nil }
        return scheme == "file" ? destination.url : LinkDestination.offered(target)
    }

    /// Percent-encodes all bytes that a URL must not contain, so that none ends the sequence early.
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
