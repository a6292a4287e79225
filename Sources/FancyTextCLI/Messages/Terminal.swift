// The features of the terminal, from options, the environment and the terminal itself.
//
// Precedence for colours: --color > NO_COLOR > FORCE_COLOR > CLICOLOR_FORCE > CLICOLOR > TERM=dumb > is a terminal.

import FancyTextPlatform
import FancyText
import FancyTextMarkup

enum ColorChoice: String, CaseIterable { case auto, always, never }

enum ThemeChoice: String, CaseIterable {
    case auto, light, dark

    /// The background; nil to query the terminal.
    var background: TerminalBackground? { self == .auto ? nil : self == .light ? .light : .dark }
}

enum ImageChoice: String, CaseIterable { case auto, kitty, iterm, sixel, blocks, none }

enum DetailsChoice: String, CaseIterable { case open, closed }

/// The terminal of standard output.
struct Terminal {
    /// The environment variables about terminals, with their meanings.
    static let variables: [(name: String, meaning: String)] = [
        ("NO_COLOR", "if set and not empty, no colours; bold and italic stay"),
        ("FORCE_COLOR", "0 is no colours; 1, 2, 3 are 16, 256, all colours, terminal or not"),
        ("CLICOLOR_FORCE", "if set and not 0, colours, terminal or not"),
        ("CLICOLOR", "0 is no colours"),
        ("TERM", "the terminal's name: dumb has no styles, vt100 no colours, xterm-kitty all"),
        ("COLORTERM", "truecolor or 24bit: the terminal has all colours"),
        ("TERM_PROGRAM", "the terminal's program, for its colours and pictures"),
        ("KITTY_WINDOW_ID", "set by kitty: pictures are shown by its protocol"),
        ("WEZTERM_PANE", "set by WezTerm: pictures are shown by iTerm2's protocol"),
        ("LC_TERMINAL", "iTerm2: the same, over ssh too"),
        ("WT_SESSION", "set by Windows Terminal, which has all colours"),
        ("COLORFGBG", "the terminal's colours, where it does not answer for itself"),
        ("COLUMNS", "width where no terminal can be asked"),
        ("TMUX", "pictures are wrapped for tmux to hand them on"),
        ("PAGER", "what --pager shows text in (default: less)"),
        ("LESS", "options of less (default: FRX)"),
        ("FANCYTEXT_CONFIG", "a file with defaults for options"),
        ("HOME", "the folder of your own fonts, which --cache takes into account"),
    ]

    var isTerminal: Bool
    /// True if escape sequences are written.
    var isStyled: Bool
    /// False with NO_COLOR, which keeps styles but no colours.
    var hasColor: Bool
    var colors: TerminalColors
    private let term: String
    private let isPipe: Bool

    /// - Parameter isFile: whether the text goes to a file for later display on a terminal, not to standard output.
    init(_ choice: ColorChoice, isFile: Bool) {
        isTerminal = isatty(STDOUT_FILENO) == 1
        isPipe = !isTerminal && !isFile
        term = Self.environment("TERM") ?? ""
        switch choice {
        case .always: (isStyled, hasColor) = (true, true)
        case .never: (isStyled, hasColor) = (false, false)
        case .auto:
            isStyled = Self.forcesColor || (isTerminal && term != "dumb")
            hasColor = isStyled && !Self.forbidsColor && (Self.forcesColor || !Self.lacksColor(term))
        }
        colors =
            !isStyled
            ? .plain : !hasColor ? .monochrome : Self.palette(term, isAnything: choice == .always, isPipe: isPipe)
    }

    /// The options for writing text for it.
    var options: ANSIOptions {
        var options = ANSIOptions()
        options.colors = colors
        options.isForPipe = isPipe
        options.passesThroughTmux = Self.isSet("TMUX")
        return options
    }

    /// True if its links can be clicked, according to its name.
    var hasLinks: Bool {
        isStyled && isTerminal && !Self.lacksColor(term) && term != "linux"
            && !(term.hasPrefix("screen") && !Self.isSet("TMUX"))
    }

    // MARK: Colours

    private static let trueColorTerminals = [
        "xterm-kitty", "kitty", "xterm-ghostty", "ghostty", "alacritty", "foot", "wezterm", "contour", "rio", "iterm",
    ]
    private static let trueColorPrograms: Set = ["iTerm.app", "WezTerm", "ghostty", "vscode", "rio", "Hyper", "mintty"]

    /// - Parameter isPipe: whether a program reads the text, such as a mail reader, which may support less than the terminal.
    private static func palette(_ term: String, isAnything: Bool, isPipe: Bool) -> TerminalColors {
        switch environment("FORCE_COLOR").flatMap({ Int($0) }) {
        case 1: return .ansi16
        case 2: return .indexed256
        case .some(3...): return .truecolor
        default: break
        }
        let colorTerm = environment("COLORTERM") ?? ""
        if colorTerm == "truecolor" || colorTerm == "24bit" { return .truecolor }
        let palette = palette(ofTerminal: term, isAnything: isAnything && colorTerm.isEmpty)
        return isPipe && palette == .truecolor ? .indexed256 : palette
    }

    private static func palette(ofTerminal term: String, isAnything: Bool) -> TerminalColors {
        let isTrueColor = term.hasSuffix("-direct") || trueColorTerminals.contains(where: term.hasPrefix)
        if isTrueColor || (isAnything && term.isEmpty) { return .truecolor }
        // In a multiplexer these variables describe the outer terminal.
        if !term.hasPrefix("tmux"), !term.hasPrefix("screen") {
            if trueColorPrograms.contains(environment("TERM_PROGRAM") ?? "") || environment("WT_SESSION") != nil {
                return .truecolor
            }
            if environment("TERM_PROGRAM") == "Apple_Terminal" { return .indexed256 }
        }
        // Of 16 colours, none is readable on both black and white.
        return term.contains("256") || isAnything ? .indexed256 : .ansi16
    }

    /// Terminals without colours, which support bold and underlines.
    private static func lacksColor(_ term: String) -> Bool {
        let isVT = term.hasPrefix("vt") && term.dropFirst(2).first.map { $0.isNumber } ?? false
        return isVT || term == "dumb" || term.hasSuffix("-m") || term.hasSuffix("-mono")
    }

    private static func isSet(_ name: String) -> Bool { environment(name).map { !$0.isEmpty } ?? false }

    /// Whether a variable forces colours or their absence; nil without one.
    private static var forcedColor: Bool? {
        if let force = environment("FORCE_COLOR"), !force.isEmpty { return force != "0" && force != "false" }
        return isSet("CLICOLOR_FORCE") && environment("CLICOLOR_FORCE") != "0" ? true : nil
    }

    private static var forbidsColor: Bool { isSet("NO_COLOR") || !(forcedColor ?? (environment("CLICOLOR") != "0")) }

    private static var forcesColor: Bool { forcedColor ?? false }

    /// True if the environment decides about colours, which a configuration file may not change.
    static var environmentDecidesColor: Bool { forbidsColor || forcesColor }

    static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    // MARK: Width

    /// The width from standard output, error and input, then from the controlling terminal, for example if a pipe leads to a
    /// pager.
    static func columns() -> Int {
        for descriptor in [STDOUT_FILENO, STDERR_FILENO, STDIN_FILENO] {
            if let columns = size(of: descriptor)?.ws_col, columns > 0 { return Int(columns) }
        }
        let controlling = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
        if controlling >= 0 {
            defer { close(controlling) }
            if let columns = size(of: controlling)?.ws_col, columns > 0 { return Int(columns) }
        }
        if let columns = environment("COLUMNS").flatMap({ Int($0) }), columns > 0 { return min(columns, 10_000) }
        return 80
    }

    private static func size(of descriptor: Int32) -> winsize? {
        var size = winsize()
        return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 ? size : nil
    }

    // MARK: Background and pictures

    /// Finds the background, unless it is known, and the way to show pictures, and queries the terminal if necessary.
    func complete(
        _ options: inout ANSIOptions, background: TerminalBackground?, images: ImageChoice, hasPictures: Bool
    ) {
        let canAsk = isTerminal && hasColor && term != "linux"
        let asksTheme = canAsk && background == nil
        let asksImages = canAsk && images == .auto && hasPictures
        var answer = TerminalAnswer([])
        if (asksTheme || asksImages), !Self.lacksColor(term), !(term.hasPrefix("screen") && !Self.isSet("TMUX")) {
            answer = TerminalAnswer(TerminalQuestion.ask(onlyBackground: !asksImages || Self.isSet("TMUX")))
        }
        options.background =
            background ?? answer.background.map { .color($0) }
            ?? Self.isDarkByEnvironment.map { $0 ? .dark : .light } ?? options.background
        switch images {
        case .none: options.images = .none
        case .kitty: options.images = .kitty
        case .iterm: options.images = .iTerm2
        case .sixel: options.images = .sixel
        case .blocks: options.images = .halfBlocks
        case .auto: options.images = asksImages ? protocolOfPictures(answer) : .none
        }
        if let size = Self.size(of: STDOUT_FILENO), min(size.ws_xpixel, size.ws_ypixel, size.ws_col, size.ws_row) > 0 {
            options.cellPixelWidth = max(1, min(64, Int(size.ws_xpixel / size.ws_col)))
            options.cellPixelHeight = max(1, min(128, Int(size.ws_ypixel / size.ws_row)))
        }
    }

    /// The protocol from the terminal's answer, then from its name; otherwise the alternative text.
    private func protocolOfPictures(_ answer: TerminalAnswer) -> ANSIOptions.Images {
        let program = Self.environment("TERM_PROGRAM") ?? ""
        let isKitty = Self.isSet("KITTY_WINDOW_ID") || ["xterm-kitty", "xterm-ghostty"].contains(where: term.hasPrefix)
        if answer.hasKittyGraphics || isKitty || program == "ghostty" { return .kitty }
        let isITerm = program == "iTerm.app" || Self.environment("LC_TERMINAL") == "iTerm2"
        if isITerm || program == "WezTerm" || Self.isSet("WEZTERM_PANE") { return .iTerm2 }
        return answer.hasSixel ? .sixel : .none
    }

    /// `COLORFGBG`: the numbers of the colours, with the background last.
    private static var isDarkByEnvironment: Bool? {
        guard let last = environment("COLORFGBG")?.split(separator: ";").last.flatMap({ Int($0) }) else { return nil }
        return last < 7 || last == 8
    }
}

struct TerminalAnswer: Equatable {
    var background: Color?
    var hasKittyGraphics = false
    var hasSixel = false

    /// `rgb:RRRR/GGGG/BBBB`, one to four digits each (XParseColor), or `rgba:`.
    private static let color = Expression(
        #"\x1B\]11;rgba?:([0-9A-Fa-f]{1,4})/([0-9A-Fa-f]{1,4})/([0-9A-Fa-f]{1,4})(?![0-9A-Fa-f])"#, anchored: false)
    private static let kitty = Expression(#"\x1B_Gi=31;OK"#, anchored: false)
    private static let sixel = Expression(#"\x1B\[\?[0-9]++(?:;[0-9]++)*?;4[;c]"#, anchored: false)
    private static let last = Expression(#"\x1B\[\?[^c]*+c"#, anchored: false)

    /// Parses answers; other bytes are ignored.
    init(_ bytes: [UInt8]) {
        let match = Matcher()
        if Self.color.match(bytes, count: bytes.count, from: 0, with: match) {
            let channels = (1...3).compactMap(match.group).map { digits in
                let value = Int(String(decoding: bytes[digits], as: UTF8.self), radix: 16) ?? 0
                let most = (1 << (4 * digits.count)) - 1
                return UInt8((value * 255 + most / 2) / most)
            }
            background = Color(red: channels[0], green: channels[1], blue: channels[2])
        }
        hasKittyGraphics = Self.kitty.match(bytes, count: bytes.count, from: 0, with: match)
        hasSixel = Self.sixel.match(bytes, count: bytes.count, from: 0, with: match)
    }

    /// Returns whether the last query was answered.
    static func isComplete(_ bytes: [UInt8]) -> Bool { last.match(bytes, count: bytes.count, from: 0, with: Matcher()) }
}

/// Queries to the terminal: its background (OSC 11), and whether it draws pictures (kitty's query, the attributes of DA1).
///
/// The request for device attributes is sent last. All terminals answer it, so its answer ends the wait for the others.
enum TerminalQuestion {
    /// The maximum time to wait for answers, in milliseconds.
    private static let patience: Int32 = 150

    /// Queries the controlling terminal. A background process does not query, because reading would stop it.
    static func ask(onlyBackground: Bool) -> [UInt8] {
        let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return [] }
        defer { close(terminal) }
        guard tcgetpgrp(terminal) == getpgrp() else { return [] }
        var saved = termios()
        guard tcgetattr(terminal, &saved) == 0 else { return [] }
        var raw = saved
        raw.c_lflag &= ~tcflag_t(ECHO | ICANON)
        guard tcsetattr(terminal, TCSANOW, &raw) == 0 else { return [] }
        var answer: [UInt8] = []
        // Late answers are dropped, so that they are neither echoed nor read by the shell. If all answers arrived, typed input is
        // kept.
        defer { tcsetattr(terminal, TerminalAnswer.isComplete(answer) ? TCSANOW : TCSAFLUSH, &saved) }
        let pictures = onlyBackground ? "" : "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\"
        let question = Array(("\u{1B}]11;?\u{1B}\\" + pictures + "\u{1B}[c").utf8)
        guard write(terminal, question, question.count) == question.count else { return [] }
        answer = read(terminal)
        return answer
    }

    private static func read(_ terminal: Int32) -> [UInt8] {
        var answer: [UInt8] = []
        var left = patience
        while left > 0, answer.count < 4096, !TerminalAnswer.isComplete(answer) {
            var waiting = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
            let begin = secondsNow()
            guard poll(&waiting, 1, left) > 0 else { break }
            left -= max(1, Int32(bounded: (secondsNow() - begin) * 1000, by: 1e6))
            var piece = [UInt8](repeating: 0, count: 512)
            let count = FancyTextPlatform.read(terminal, &piece, piece.count)
            guard count > 0 else { break }
            answer += piece[..<count]
        }
        return answer
    }
}
