// What the terminal can do, from flags and environment (--color > NO_COLOR > FORCE_COLOR > TERM=dumb > is a terminal).

import FancyText
import Glibc
import Outputs

enum ColorChoice: String, CaseIterable {
    case auto, always, never
}

/// The terminal that an output stream leads to.
struct Terminal {
    var isTerminal: Bool
    /// Escape sequences are written at all.
    var isStyled: Bool
    /// With NO_COLOR, styles stay but colours go.
    var hasColor: Bool
    var isTrueColor: Bool
    var has256Colors: Bool
    var columns: Int

    init(descriptor: Int32, choice: ColorChoice) {
        isTerminal = isatty(descriptor) == 1
        let noColor = Self.forbidsColor
        let forced = Self.forcesColor
        let term = Self.environment("TERM") ?? ""
        switch choice {
        case .always:
            isStyled = true
            hasColor = true
        case .never:
            isStyled = false
            hasColor = false
        case .auto:
            isStyled = forced || (isTerminal && term != "dumb")
            hasColor = isStyled && !noColor
        }
        let colorTerm = Self.environment("COLORTERM") ?? ""
        let forcedLevel = Self.environment("FORCE_COLOR").flatMap { Int($0) }
        isTrueColor =
            colorTerm == "truecolor" || colorTerm == "24bit" || forcedLevel == 3 || term.hasSuffix("-direct")
            || (choice == .always && colorTerm.isEmpty && term.isEmpty)
        has256Colors = isTrueColor || term.contains("256") || forcedLevel == 2
        columns = Self.columns(descriptor)
    }

    /// How text is written for it.
    var options: ANSIOptions {
        var options = ANSIOptions()
        options.width = columns
        options.colors =
            !isStyled
            ? .plain : !hasColor ? .monochrome : isTrueColor ? .truecolor : has256Colors ? .indexed256 : .ansi16
        return options
    }

    private static func columns(_ descriptor: Int32) -> Int {
        var size = winsize()
        if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
        if let columns = environment("COLUMNS").flatMap({ Int($0) }), columns > 0 { return min(columns, 10_000) }
        return 80
    }

    private static var forbidsColor: Bool { environment("NO_COLOR").map { !$0.isEmpty } ?? false }

    private static var forcesColor: Bool {
        [environment("FORCE_COLOR"), environment("CLICOLOR_FORCE")].contains {
            $0.map { !$0.isEmpty && $0 != "0" } ?? false
        }
    }

    /// Whether the environment says what a configuration file may not overrule.
    static var environmentDecidesColor: Bool { forbidsColor || forcesColor }

    static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
