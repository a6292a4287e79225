// Writes MathML as a readable line: `(−b ± √(b² − 4ac)) / 2a`. In: a `math` element. Out: its formula in one line, with parentheses
// where bars and raised or lowered positions show the grouping.

import FancyTextMarkup

package struct MathText {
    /// The binding strength of a piece, the strongest first.
    enum Level: Comparable {
        /// A number, a name, something in parentheses.
        case atom
        /// A base with scripts, a root.
        case script
        /// Factors beside each other.
        case product
        case fraction
        /// Terms with operators between them.
        case sum
    }

    struct Piece {
        var text: String
        var level = Level.atom
        var role = Role.operand

        enum Role {
            case operand
            /// A name of several letters or words, separated from adjacent letters.
            case word
            /// Has spaces on both sides after an operand: `=`.
            case infix
            /// Has no spaces on either side: `/`.
            case tight
            case separator
            case open, close
            /// A sum or integral; and one with scripts, or a named function with them, which are followed by a space.
            case largeOperator, scriptedOperator
            case space
        }

        /// The text, in parentheses unless it binds more strongly than `limit`.
        func bound(below limit: Level) -> String { level < limit ? text : "(\(text))" }
    }

    private let tree: MarkupTree
    private let isShown: (NodeID) -> Bool
    /// Set inside a script, where operators have no spaces.
    private var isTight = false
    private var depth = 0
    /// The nesting from which elements are written as plain text.
    private static let deepest = 100

    /// The TeX that its author annotated a whole formula with, in one line; nil for none (MathML Core §3.5).
    package static func tex(of math: NodeID, in tree: MarkupTree) -> String? {
        let annotation = tree.subtree(math).first { node in
            tree.tag(node) == .annotation
                && ["application/x-tex", "tex", "latex"].contains(tree.attribute(node, "encoding")?.lowercased())
                && tree.ancestors(node).prefix { $0 >= math }.dropFirst().allSatisfy { around in
                    tree.children(around).count { tree.kind($0) == .element } == 1
                }
        }
        guard let annotation else { return nil }
        let words = String(decoding: tree.textContent(annotation, skipsHidden: false), as: UTF8.self)
            .split(whereSeparator: \.isWhitespace)
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// - Parameter isShown: whether an element has a box.
    /// - Complexity: linear in the text times the nesting, up to 100 levels.
    package static func line(of math: NodeID, in tree: MarkupTree, isShown: @escaping (NodeID) -> Bool) -> String {
        var formatter = MathText(tree: tree, isShown: isShown)
        return formatter.row(math).text.split(separator: " ").joined(separator: " ")
    }

    private func children(_ node: NodeID) -> [NodeID] {
        tree.children(node).filter { tree.kind($0) == .element && isShown($0) }
    }

    /// The element's children one after the other. Text between them is not shown (MathML Core §3.1).
    private mutating func row(_ node: NodeID) -> Piece {
        let pieces = children(node).map { piece($0) }.filter { !$0.text.isEmpty }
        return MathRow(isTight: isTight, pieces: pieces).joined()
    }

    private func token(_ text: String) -> Piece {
        let isWord = text.count > 1 && text.contains(where: \.isLetter)
        return Piece(text: text, role: isWord ? .word : .operand)
    }

    private mutating func piece(_ node: NodeID) -> Piece {
        guard depth < Self.deepest else { return token(tree.words(of: node)) }
        depth += 1
        defer { depth -= 1 }
        let parts = children(node)
        let name = tree.name(node).lowercased()
        switch (name, parts.count) {
        case ("mi", _), ("mn", _): return token(tree.words(of: node))
        case ("mtd", 0), ("mtext", _): return Piece(text: tree.words(of: node), role: .word)
        case ("ms", _): return Piece(text: "\"\(tree.words(of: node))\"", role: .word)
        case ("mo", _): return MathRow.operatorPiece(tree.words(of: node))
        case ("mspace", _), ("mphantom", _): return Piece(text: " ", role: .space)
        case ("annotation", _), ("annotation-xml", _), ("none", _), ("mprescripts", _): return Piece(text: "")
        case ("semantics", _), ("maction", _): return parts.first.map { piece($0) } ?? Piece(text: "")
        case ("mfrac", 2): return fraction(node, parts)
        case ("msqrt", _): return root(row(node), "√")
        case ("mroot", 2):
            let (radicand, index) = (piece(parts[0]), script(parts[1]))
            return root(radicand, ["2": "√", "3": "∛", "4": "∜"][index.text] ?? raised(index, isLow: false) + "√")
        case ("msub", 2), ("msup", 2), ("msubsup", 3):
            return scripts(parts, below: name != "msup", above: name != "msub")
        case ("munder", 2), ("mover", 2), ("munderover", 3):
            return limits(parts, below: name != "mover", above: name != "munder")
        case ("mmultiscripts", _): return multiscripts(parts)
        case ("mfenced", _): return fenced(node, parts)
        case ("mtable", _): return table(parts)
        default: return row(node)
        }
    }

    private mutating func fraction(_ node: NodeID, _ parts: [NodeID]) -> Piece {
        let (above, below) = (piece(parts[0]), piece(parts[1]))
        // A fraction without a bar is a binomial coefficient.
        let thickness = (tree.attribute(node, "linethickness") ?? "1").prefix { $0.isNumber || $0 == "." }
        if Double(thickness) == 0 {
            return Piece(text: above.bound(below: .fraction) + " choose " + below.bound(below: .fraction), level: .sum)
        }
        let isShort = above.level <= .script && below.level <= .script
        let sign = isTight || isShort ? "/" : " / "
        let limit: Level = isTight ? .product : .fraction
        return Piece(text: above.bound(below: .fraction) + sign + below.bound(below: limit), level: .fraction)
    }

    private func root(_ content: Piece, _ sign: String) -> Piece {
        Piece(text: sign + content.bound(below: .script), level: .script)
    }

    private mutating func script(_ node: NodeID) -> Piece {
        let outer = isTight
        isTight = true
        defer { isTight = outer }
        return piece(node)
    }

    /// A script in superscript or subscript characters if all of them exist, else after a mark.
    private func raised(_ script: Piece, isLow: Bool, isLimit: Bool = false) -> String {
        let text = script.text
        if text.isEmpty { return "" }
        let table = isLow ? ScriptCharacters.subscripts : ScriptCharacters.superscripts
        if !isLimit, let small = ScriptCharacters.map(text, table) { return small }
        if !isLow, text.allSatisfy({ "′″‴'°".contains($0) }) { return text }
        if !isLow, text == "∘" { return "°" }
        let mark = isLow ? "_" : "^"
        return text.count == 1 ? mark + text : "\(mark)(\(text))"
    }

    private mutating func scripts(_ parts: [NodeID], below: Bool, above: Bool) -> Piece {
        let base = piece(parts[0])
        var text = base.bound(below: .script)
        if below { text += raised(script(parts[1]), isLow: true) }
        if above { text += raised(script(parts[parts.count - 1]), isLow: false) }
        return scripted(base, text)
    }

    /// A base with its scripts; an operator remains one.
    private func scripted(_ base: Piece, _ text: String) -> Piece {
        switch base.role {
        case .word, .largeOperator, .scriptedOperator: Piece(text: text, level: .script, role: .scriptedOperator)
        case .infix: Piece(text: text, role: .infix)
        case .close: Piece(text: text, role: .close)
        case .operand, .tight, .separator, .open, .space: Piece(text: text, level: .script)
        }
    }

    /// Limits of a sum, or an accent.
    private mutating func limits(_ parts: [NodeID], below: Bool, above: Bool) -> Piece {
        let base = piece(parts[0])
        let under = below ? script(parts[1]).text : ""
        let over = above ? script(parts[parts.count - 1]) : nil
        if let over, under.isEmpty, let accented = Self.accented(base, over.text) { return accented }
        if over == nil || over?.text.isEmpty == true, let mark = Self.underlines[under] {
            return Piece(text: mark.isEmpty ? base.text : Self.combined(base.text, mark), level: base.level)
        }
        var text = base.bound(below: .script)
        text += raised(Piece(text: under), isLow: true, isLimit: true)
        if let over { text += raised(over, isLow: false, isLimit: true) }
        return scripted(base, text)
    }

    private static let accents: [String: String] = [
        "^": "\u{302}", "ˆ": "\u{302}", "̂": "\u{302}", "~": "\u{303}", "˜": "\u{303}", "¯": "\u{305}", "‾": "\u{305}",
        "―": "\u{305}", "_": "\u{305}", "→": "\u{20D7}", "⃗": "\u{20D7}", "⟶": "\u{20D7}", "˙": "\u{307}",
        ".": "\u{307}", "¨": "\u{308}", "ˇ": "\u{30C}", "˘": "\u{306}", "´": "\u{301}", "`": "\u{300}", "⏞": "",
        "︷": "", "⏠": "", "⎴": "",
    ]
    private static let underlines = [
        "_": "\u{332}", "¯": "\u{332}", "‾": "\u{332}", "̲": "\u{332}", "⏟": "", "︸": "", "⎵": "",
    ]

    /// An accent over one character, or a line over several.
    private static func accented(_ base: Piece, _ accent: String) -> Piece? {
        guard let mark = accents[accent] else { return nil }
        if mark.isEmpty { return base }
        guard base.text.count == 1 || mark == "\u{305}" else { return nil }
        return Piece(text: combined(base.text, mark), level: base.level, role: base.role)
    }

    private static func combined(_ text: String, _ mark: String) -> String {
        text.map { $0 == " " ? " " : String($0) + mark }.joined()
    }

    private mutating func multiscripts(_ parts: [NodeID]) -> Piece {
        guard let first = parts.first else { return Piece(text: "") }
        var (before, after) = ("", "")
        for (part, place) in tree.multiscripts(parts.dropFirst()) {
            let text = raised(script(part), isLow: place == .sub || place == .preSub)
            if place == .sub || place == .sup { after += text } else { before += text }
        }
        return Piece(text: before + piece(first).bound(below: .script) + after, level: .script)
    }

    private mutating func fenced(_ node: NodeID, _ parts: [NodeID]) -> Piece {
        let separators = Array((tree.attribute(node, "separators") ?? ",").filter { !$0.isWhitespace })
        var text = tree.attribute(node, "open") ?? "("
        for (index, part) in parts.enumerated() {
            if index > 0, let last = separators.last {
                text += String(index <= separators.count ? separators[index - 1] : last) + (isTight ? "" : " ")
            }
            text += piece(part).text
        }
        return Piece(text: text + (tree.attribute(node, "close") ?? ")"))
    }

    private mutating func table(_ rows: [NodeID]) -> Piece {
        func joined(_ texts: [String], _ separator: String) -> String {
            texts.filter { !$0.isEmpty }.joined(separator: separator)
        }
        let lines = rows.map { row in joined(children(row).map { piece($0).text }, " ") }
        return Piece(text: joined(lines, "; "), level: .sum)
    }
}

/// Rows of a formula's pieces: spaces around operators and words, parentheses around fractions among factors.
struct MathRow {
    typealias Piece = MathText.Piece

    let isTight: Bool
    let pieces: [Piece]

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

    func joined() -> Piece {
        if pieces.count < 2 { return pieces.first ?? Piece(text: "") }
        var result = ""
        var level = MathText.Level.product
        for index in pieces.indices {
            let piece = pieces[index]
            let isInfix = piece.role == .infix && followsOperand(index) && index + 1 < pieces.count
            if isInfix || piece.level == .sum { level = .sum }
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
        index > 0 && [.operand, .word, .close, .space, .scriptedOperator].contains(pieces[index - 1].role)
    }

    private func isFactor(_ index: Int) -> Bool {
        let roles: [Piece.Role] = [.operand, .word, .open, .close, .largeOperator, .scriptedOperator]
        return pieces.indices.contains(index) && roles.contains(pieces[index].role)
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
        guard pieces.first?.role == .open, let last = pieces.last, last.role == .close, last.text.count == 1
        else { return false }
        var depth = 0
        for (index, piece) in pieces.enumerated() {
            if piece.role == .open { depth += 1 }
            if piece.role == .close, !["!", "%", "′", "″", "°"].contains(piece.text) { depth -= 1 }
            if depth == 0 { return index == pieces.count - 1 }
        }
        return false
    }
}

/// Superscript and subscript characters, for outputs that have no raised text.
package enum ScriptCharacters {
    package static let superscripts = table(
        "0⁰1¹2²3³4⁴5⁵6⁶7⁷8⁸9⁹+⁺-⁻−⁻=⁼(⁽)⁾aᵃbᵇcᶜdᵈeᵉfᶠgᵍhʰiⁱjʲkᵏlˡmᵐnⁿoᵒpᵖrʳsˢtᵗuᵘvᵛwʷxˣyʸzᶻTᵀNᴺMᴹ")
    package static let subscripts = table("0₀1₁2₂3₃4₄5₅6₆7₇8₈9₉+₊-₋−₋=₌(₍)₎aₐeₑhₕiᵢjⱼkₖlₗmₘnₙoₒpₚrᵣsₛtₜuᵤvᵥxₓ")

    private static func table(_ pairs: String) -> [Unicode.Scalar: Unicode.Scalar] {
        let scalars = Array(pairs.unicodeScalars)
        var table: [Unicode.Scalar: Unicode.Scalar] = [:]
        for at in stride(from: 0, to: scalars.count - 1, by: 2) { table[scalars[at]] = scalars[at + 1] }
        return table
    }

    /// The text in characters of `table`; `nil` if one of them is missing.
    package static func map(_ text: some StringProtocol, _ table: [Unicode.Scalar: Unicode.Scalar]) -> String? {
        let mapped = text.unicodeScalars.compactMap { table[$0] }
        return mapped.count == text.unicodeScalars.count ? String(String.UnicodeScalarView(mapped)) : nil
    }
}
