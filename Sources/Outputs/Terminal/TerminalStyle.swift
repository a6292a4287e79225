// The part of a style that a terminal can show, and the shortest escape sequence between two styles (ECMA-48 §8.3.117, with the
// common extensions for colour, underline styles and links).

import FancyTextBoxes
import FancyTextCSS

/// The colours that a terminal supports.
public enum TerminalColors: UInt8, Hashable, Sendable, CaseIterable {
    /// No escape sequences.
    case plain
    /// Bold, italic and underline, but no colours (`NO_COLOR`).
    case monochrome
    case ansi16, indexed256, truecolor
}

struct TerminalStyle: Hashable, Sendable {
    var isBold = false, isFaint = false, isItalic = false, isStruck = false, isOverlined = false
    var underline: DecorationStyle?
    var underlineColor, foreground: Color?
    /// The theme's colour, which replaces `foreground` on text without a background of the page.
    var accent: Color?
    var background: Color?
    /// The 1-based index of the link; 0 for none.
    var link = 0
    /// True for text, which must be readable; pictures keep their colours.
    var isText = false

    static let plain = TerminalStyle()

    /// True if a space in this style is invisible.
    var isBlank: Bool { underline == nil && !isStruck && !isOverlined }
}

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

    /// The 1-based index of the link to `target`, which `resolve` makes absolute; 0 for one that must not be followed.
    mutating func link(to target: String, _ resolve: (String) -> String?) -> Int {
        if let known = linkIndex[target] { return known }
        let clean = resolve(target).map(Self.cleanedURL) ?? []
        if !clean.isEmpty { links.append(clean) }
        linkIndex[target] = clean.isEmpty ? 0 : links.count
        return clean.isEmpty ? 0 : links.count
    }

    /// Returns a link's URL if a terminal may open it: an absolute URL that pictures may contain too, or a file's; `nil` for others.
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

/// Writes text with styles, and switches all of them off at the end of each line.
struct TerminalPen {
    /// The output; callers that append text to it must set the style first.
    var bytes: [UInt8] = []
    private var current = TerminalStyle.plain
    private let colors: TerminalColors
    private let links: [[UInt8]]
    private let writesLinks: Bool
    /// True if curly and coloured underlines (`4:3`, `58:2`) are written, which few terminals of 16 colours support.
    private let hasFineUnderlines, isForPipe: Bool

    init(colors: TerminalColors, links: [[UInt8]], writesLinks: Bool, isForPipe: Bool = false) {
        (self.isForPipe, self.colors, self.links, self.writesLinks) = (isForPipe, colors, links, writesLinks)
        hasFineUnderlines = !isForPipe && (colors == .truecolor || colors == .indexed256)
    }

    mutating func endLine() {
        become(.plain)
        bytes.append(0x0A)
    }

    /// Sets the style of the text that is written next.
    mutating func become(_ wanted: TerminalStyle) {
        var wanted = wanted
        wanted.isText = false
        wanted.accent = nil
        if wanted == current { return }
        if wanted.link != current.link && writesLinks {
            // The id joins the lines of one link.
            bytes.append(contentsOf: (wanted.link > 0 ? "\u{1B}]8;id=\(wanted.link);" : "\u{1B}]8;;").utf8)
            if wanted.link > 0 { bytes.append(contentsOf: links[wanted.link - 1]) }
            bytes.append(contentsOf: "\u{1B}\\".utf8)
        }
        if colors != .plain {
            if isForPipe {
                // mutt knows neither 22 nor 24, and reads 39 as a colour.
                if hasAttributes(current) { append("0") }
                for code in transition(.plain, wanted) { append(code) }
            } else {
                let codes = transition(current, wanted)
                if !codes.isEmpty { append(codes.joined(separator: ";")) }
            }
        }
        current = wanted
    }

    private mutating func append(_ codes: String) { bytes.append(contentsOf: "\u{1B}[\(codes)m".utf8) }

    /// The codes for the changes; a reset if no attribute remains.
    private func transition(_ from: TerminalStyle, _ to: TerminalStyle) -> [String] {
        guard hasAttributes(to) else { return hasAttributes(from) ? ["0"] : [] }
        var result: [String] = []
        // One code switches both off.
        let resets = from.isBold && !to.isBold || from.isFaint && !to.isFaint
        if resets { result.append("22") }
        if to.isBold, resets || !from.isBold { result.append("1") }
        if to.isFaint, resets || !from.isFaint { result.append("2") }
        if from.isItalic != to.isItalic { result.append(to.isItalic ? "3" : "23") }
        if from.underline != to.underline { result.append(to.underline.map(underlineCode) ?? "24") }
        if from.isStruck != to.isStruck { result.append(to.isStruck ? "9" : "29") }
        if from.isOverlined != to.isOverlined { result.append(to.isOverlined ? "53" : "55") }
        if colors != .monochrome {
            if from.foreground != to.foreground { result.append(to.foreground.map { colorCode($0, base: 30) } ?? "39") }
            if from.background != to.background { result.append(to.background.map { colorCode($0, base: 40) } ?? "49") }
            if hasFineUnderlines, from.underlineColor != to.underlineColor {
                result.append(to.underlineColor.map { colorCode($0, base: 50) } ?? "59")
            }
        }
        return result
    }

    private func hasAttributes(_ style: TerminalStyle) -> Bool {
        var plain = style
        plain.link = 0
        if colors == .monochrome { (plain.foreground, plain.background, plain.underlineColor) = (nil, nil, nil) }
        return plain != .plain
    }

    private func underlineCode(_ style: DecorationStyle) -> String {
        switch style {
        case .solid: "4"
        case .double: hasFineUnderlines ? "4:2" : isForPipe ? "4" : "21"
        case .wavy: hasFineUnderlines ? "4:3" : "4"
        case .dotted: hasFineUnderlines ? "4:4" : "4"
        case .dashed: hasFineUnderlines ? "4:5" : "4"
        }
    }

    /// - Parameter base: 30 for the foreground, 40 for the background, 50 for underlines.
    private func colorCode(_ color: Color, base: Int) -> String {
        switch colors {
        case .plain, .monochrome: return ""
        case .truecolor:
            return base == 50
                ? "58:2::\(color.red):\(color.green):\(color.blue)"
                : "\(base + 8);2;\(color.red);\(color.green);\(color.blue)"
        case .indexed256:
            let index = TerminalPalette.nearest256(color)
            return base == 50 ? "58:5:\(index)" : "\(base + 8);5;\(index)"
        case .ansi16:
            let index = TerminalPalette.nearest16(color)
            return "\(index < 8 ? base + index : base + 52 + index)"
        }
    }
}

/// The colours of terminals without truecolor (xterm's defaults).
enum TerminalPalette {
    private static let levels = [0, 95, 135, 175, 215, 255]

    static let basic: [Color] = [
        0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5, 0x7F7F7F, 0xFF0000, 0x00FF00,
        0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
    ].map { Color(rgb: $0) }

    static let cube: [Color] = (16..<256).map(color)

    /// The colour of an index; the first 16 are xterm's.
    static func color(_ index: Int) -> Color {
        if index < 16 { return basic[max(0, index)] }
        func color(_ r: Int, _ g: Int, _ b: Int) -> Color {
            Color(red: UInt8(clamping: r), green: UInt8(clamping: g), blue: UInt8(clamping: b))
        }
        if index >= 232 {
            let grey = 8 + 10 * (index - 232)
            return color(grey, grey, grey)
        }
        let place = index - 16
        return color(levels[place / 36], levels[place / 6 % 6], levels[place % 6])
    }

    /// The nearest colour in the 6 × 6 × 6 cube (16–231) or the grey ramp (232–255); the first 16 depend on the user's theme.
    static func nearest256(_ color: Color) -> Int {
        func level(_ value: UInt8) -> Int {
            levels.indices.min { abs(levels[$0] - Int(value)) < abs(levels[$1] - Int(value)) } ?? 0
        }
        let (r, g, b) = (level(color.red), level(color.green), level(color.blue))
        let mean = (Int(color.red) + Int(color.green) + Int(color.blue)) / 3
        let step = max(0, min(23, (mean - 3) / 10))
        let cube = 16 + 36 * r + 6 * g + b
        return distance(color, self.color(232 + step)) < distance(color, self.color(cube)) ? 232 + step : cube
    }

    static func nearest16(_ color: Color) -> Int {
        basic.indices.min { distance(color, basic[$0]) < distance(color, basic[$1]) } ?? 0
    }

    /// The squared distance, weighted by the eye's sensitivity to each channel (similar to "redmean" for medium reds).
    static func distance(_ a: Color, _ b: Color) -> Int {
        let (dr, dg, db) = (Int(a.red) - Int(b.red), Int(a.green) - Int(b.green), Int(a.blue) - Int(b.blue))
        return 3 * dr * dr + 6 * dg * dg + 2 * db * db
    }
}
