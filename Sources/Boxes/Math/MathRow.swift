// Rows of a formula's pieces: spaces around operators and words, parentheses around fractions among factors.

struct MathRow {
    typealias Piece = MathText.Piece

    private let isTight: Bool
    private var pieces: [Piece] = []

    init(isTight: Bool) { self.isTight = isTight }

    mutating func append(_ piece: Piece) { if !piece.text.isEmpty { pieces.append(piece) } }

    /// The piece for an operator, with its role among the pieces around it.
    static func operatorPiece(_ text: String) -> Piece {
        switch text {
        case "", "\u{2061}", "\u{2062}", "\u{2064}": return Piece(text: "")
        case "\u{2063}": return Piece(text: ",", role: .separator)
        case ",", ";", ":": return Piece(text: text, role: .separator)
        case "(", "[", "{", "⟨", "⟦", "⌈", "⌊", "〈": return Piece(text: text, role: .open)
        case ")", "]", "}", "⟩", "⟧", "⌉", "⌋", "〉", "!", "%", "′", "″", "°": return Piece(text: text, role: .close)
        case "∑", "∏", "∐", "∫", "∬", "∭", "∮", "⋃", "⋂", "⨁", "⨂", "⋀", "⋁":
            return Piece(text: text, role: .largeOperator)
        case "∂", "∇", "∀", "∃", "∄", "¬", "√", "…", "⋯", "⋮", "⋱", "|", "‖", "∣", "∥", ".", "∞", "∅":
            return Piece(text: text)
        case "/", "∕", "⁄": return Piece(text: text, role: .tight)
        case let text where text.allSatisfy { $0.isLetter || $0.isNumber }:
            return Piece(text: text, role: text.count > 1 ? .word : .operand)
        default: return Piece(text: text, role: .infix)
        }
    }

    mutating func finish() -> Piece {
        if pieces.count < 2 { return pieces.first ?? Piece(text: "") }
        var result = ""
        var level = MathText.Level.product
        for index in pieces.indices {
            let piece = pieces[index]
            let isInfix = piece.role == .infix && followsOperand(index) && index + 1 < pieces.count
            if isInfix { level = .sum }
            level = max(level, piece.level == .sum ? .sum : .product)
            if isInfix, !isTight {
                result += " \(piece.text) "
                continue
            }
            if index > 0, needsSpace(index) { result += " " }
            result += isAmongFactors(index) ? "(\(piece.text))" : piece.text
            if piece.role == .separator, !isTight, index + 1 < pieces.count { result += " " }
        }
        if isWholeFence { level = .atom }
        return Piece(text: result, level: level)
    }

    /// Returns whether the piece before is an operand, so that an operator here is between two.
    private func followsOperand(_ index: Int) -> Bool {
        guard index > 0 else { return false }
        switch pieces[index - 1].role {
        case .operand, .word, .close, .space, .scriptedOperator: return true
        case .infix, .tight, .separator, .open, .largeOperator: return false
        }
    }

    private func isFactor(_ index: Int) -> Bool {
        guard pieces.indices.contains(index) else { return false }
        switch pieces[index].role {
        case .operand, .word, .open, .close, .largeOperator, .scriptedOperator: return true
        case .infix, .tight, .separator, .space: return false
        }
    }

    /// Returns whether a fraction has factors beside it. Without parentheses it would divide them or be divided by them.
    private func isAmongFactors(_ index: Int) -> Bool {
        guard pieces[index].level == .fraction else { return false }
        let follows = isFactor(index - 1) && pieces[index - 1].role != .open
        let precedes = isFactor(index + 1) && pieces[index + 1].role != .close
        return follows && !isMixedNumber(index) || precedes
    }

    /// Returns whether a fraction follows a whole number: `1 1/2`.
    private func isMixedNumber(_ index: Int) -> Bool {
        guard index > 0, pieces[index].level == .fraction else { return false }
        func isNumber(_ text: String) -> Bool { text.allSatisfy { $0.isNumber || $0 == "/" } }
        return isNumber(pieces[index - 1].text) && isNumber(pieces[index].text)
    }

    private func needsSpace(_ index: Int) -> Bool {
        let (before, piece) = (pieces[index - 1], pieces[index])
        if isMixedNumber(index) { return true }
        guard let last = before.text.last, let first = piece.text.first, last != " ", first != " " else { return false }
        guard isFactor(index - 1), isFactor(index), before.role != .open, piece.role != .close else { return false }
        let roles = [before.role, piece.role]
        // The argument of a function follows directly in parentheses.
        if roles.contains(.word) || roles.contains(.scriptedOperator) { return piece.role != .open }
        return last.isASCII && last.isNumber && first.isASCII && first.isNumber
    }

    /// True if one pair of parentheses encloses the whole row.
    private var isWholeFence: Bool {
        guard pieces.first?.role == .open, let last = pieces.last, last.role == .close, last.text.count == 1 else {
            return false
        }
        var depth = 0
        for (index, piece) in pieces.enumerated() {
            if piece.role == .open { depth += 1 }
            if piece.role == .close, !["!", "%", "′", "″", "°"].contains(piece.text) { depth -= 1 }
            if depth == 0 { return index == pieces.count - 1 }
        }
        return false
    }
}
