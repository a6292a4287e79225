// Lines of styled cells: what the parts of the terminal writer hand to each other.

/// A stretch of text in one style.
struct TerminalPiece: Sendable {
    var text: [UInt8]
    /// Cells.
    var width: Int
    var style: TerminalStyle
}

/// A line, as wide as its pieces; what lies to the right of them is blank.
struct TerminalLine: Sendable {
    var pieces: [TerminalPiece] = []
    var width = 0
    /// A picture as an escape sequence, written before the pieces.
    var picture: [UInt8]?
    /// A list marker that is to stand in the indent to the left, and how much indent it has got so far.
    var hanging: TerminalPiece?
    var hangingSpace = 0

    mutating func append(_ text: [UInt8], width: Int, _ style: TerminalStyle) {
        guard !text.isEmpty else { return }
        if let last = pieces.indices.last, pieces[last].style == style {
            pieces[last].text += text
            pieces[last].width += width
        } else {
            pieces.append(TerminalPiece(text: text, width: width, style: style))
        }
        self.width += width
    }

    mutating func append(_ line: TerminalLine) {
        for piece in line.pieces { append(piece.text, width: piece.width, piece.style) }
        if let other = line.picture { picture = (picture ?? []) + other }
    }

    mutating func space(_ count: Int, background: TerminalStyle = .plain) {
        if count > 0 { append([UInt8](repeating: 0x20, count: count), width: count, background) }
    }

    /// Filled with spaces up to `width`.
    mutating func pad(to width: Int, background: TerminalStyle = .plain) {
        space(width - self.width, background: background)
    }

    /// Moved to the right; a hanging marker takes its place as soon as there is room for it.
    func indented(by count: Int, background: TerminalStyle = .plain) -> TerminalLine {
        var line = TerminalLine()
        if let hanging {
            let space = hangingSpace + count
            if space < hanging.width {
                line = self
                line.hangingSpace = space
                return line
            }
            line.space(space - hanging.width, background: background)
            line.append(hanging.text, width: hanging.width, hanging.style)
        } else {
            line.space(count, background: background)
        }
        line.append(self)
        return line
    }

    /// With a marker that found no room put in front.
    var settled: TerminalLine {
        guard let hanging else { return self }
        return indented(by: max(0, hanging.width - hangingSpace))
    }

    /// Without the blank, unstyled end, which nobody sees.
    var trimmed: TerminalLine {
        var line = self
        while let last = line.pieces.last, last.style == .plain {
            var text = last.text
            while text.last == 0x20 { text.removeLast() }
            if text.count == last.text.count { break }
            line.width -= last.text.count - text.count
            line.pieces.removeLast()
            if !text.isEmpty {
                line.pieces.append(
                    TerminalPiece(text: text, width: last.width - (last.text.count - text.count), style: last.style))
                break
            }
        }
        return line
    }
}
