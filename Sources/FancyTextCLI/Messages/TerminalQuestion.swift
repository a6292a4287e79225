// Queries to the terminal: its background (OSC 11), and whether it draws pictures (kitty's query, the attributes of DA1).
//
// The request for device attributes is sent last. All terminals answer it, so its answer ends the wait for the others.
//
// In: a terminal. Out: its background and the pictures that it draws, if it answers in time.

import FancyText
import FancyTextMarkup
import FancyTextPlatform

struct TerminalAnswer: Equatable {
    var background: Color?
    var hasKittyGraphics = false
    var hasSixel = false

    init() {}

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

enum TerminalQuestion {
    /// The maximum time to wait for answers, in milliseconds.
    private static let patience: Int32 = 150

    /// Queries the controlling terminal. A background process does not query, because reading would stop it.
    static func ask(onlyBackground: Bool) -> TerminalAnswer {
        let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return TerminalAnswer() }
        defer { close(terminal) }
        guard tcgetpgrp(terminal) == getpgrp() else { return TerminalAnswer() }
        var saved = termios()
        guard tcgetattr(terminal, &saved) == 0 else { return TerminalAnswer() }
        var raw = saved
        raw.c_lflag &= ~tcflag_t(ECHO | ICANON)
        guard tcsetattr(terminal, TCSANOW, &raw) == 0 else { return TerminalAnswer() }
        var answer: [UInt8] = []
        // Late answers are dropped, so that they are neither echoed nor read by the shell. If all answers arrived, typed input is
        // kept.
        defer { tcsetattr(terminal, TerminalAnswer.isComplete(answer) ? TCSANOW : TCSAFLUSH, &saved) }
        let pictures = onlyBackground ? "" : "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\"
        let question = Array(("\u{1B}]11;?\u{1B}\\" + pictures + "\u{1B}[c").utf8)
        guard write(terminal, question, question.count) == question.count else { return TerminalAnswer() }
        answer = read(terminal)
        return TerminalAnswer(answer)
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
