// Writes MathML as a readable line: `(−b ± √(b² − 4ac)) / 2a`.
//
// In: a `math` element. Out: its formula in one line, with parentheses where fraction bars and raised or lowered positions show
// the grouping.

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

        /// The role of a piece among its neighbours.
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

    /// The TeX that its author annotated a formula with, in one line; nil for none (MathML Core §3.5).
    package static func tex(of math: NodeID, in tree: MarkupTree) -> String? {
        let annotation = tree.subtree(math).first { node in
            tree.tag(node) == .annotation
                && ["application/x-tex", "tex", "latex"].contains(tree.attribute(node, "encoding")?.lowercased())
        }
        let words = annotation.map {
            String(decoding: tree.textContent($0, skipsHidden: false), as: UTF8.self).split(
                whereSeparator: \.isWhitespace)
        }
        return words?.isEmpty == false ? words?.joined(separator: " ") : nil
    }

    /// - Parameter isShown: whether an element has a box.
    /// - Complexity: linear in the text times the nesting, up to 100 levels.
    package static func line(of math: NodeID, in tree: MarkupTree, isShown: @escaping (NodeID) -> Bool) -> String {
        var formatter = MathText(tree: tree, isShown: isShown)
        return formatter.row(math).text.split(separator: " ").joined(separator: " ")
    }

    // MARK: Elements

    private func children(_ node: NodeID) -> [NodeID] {
        tree.children(node).filter { tree.kind($0) == .element && isShown($0) }
    }

    /// The element's children one after the other. Text between them is not shown (MathML Core §3.1).
    private mutating func row(_ node: NodeID) -> Piece {
        var row = MathRow(isTight: isTight)
        for part in children(node) { row.append(piece(part)) }
        return row.finish()
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
        switch name {
        case "mi", "mn": return token(tree.words(of: node))
        case "mtd" where parts.isEmpty: return Piece(text: tree.words(of: node), role: .word)
        case "mtext": return Piece(text: tree.words(of: node), role: .word)
        case "ms": return Piece(text: "\"\(tree.words(of: node))\"", role: .word)
        case "mo": return MathRow.operatorPiece(tree.words(of: node))
        case "mspace", "mphantom": return Piece(text: " ", role: .space)
        case "annotation", "annotation-xml", "none", "mprescripts": return Piece(text: "")
        case "semantics", "maction": return parts.first.map { piece($0) } ?? Piece(text: "")
        case "mfrac": return parts.count == 2 ? fraction(node, parts) : row(node)
        case "msqrt": return root(row(node), "√")
        case "mroot": return parts.count == 2 ? root(piece(parts[0]), radical(parts[1])) : row(node)
        case "msup": return parts.count == 2 ? scripts(parts[0], below: nil, above: parts[1]) : row(node)
        case "msub": return parts.count == 2 ? scripts(parts[0], below: parts[1], above: nil) : row(node)
        case "msubsup": return parts.count == 3 ? scripts(parts[0], below: parts[1], above: parts[2]) : row(node)
        case "munder": return parts.count == 2 ? limits(parts[0], below: parts[1], above: nil) : row(node)
        case "mover": return parts.count == 2 ? limits(parts[0], below: nil, above: parts[1]) : row(node)
        case "munderover": return parts.count == 3 ? limits(parts[0], below: parts[1], above: parts[2]) : row(node)
        case "mmultiscripts": return multiscripts(parts)
        case "mfenced": return fenced(node, parts)
        case "mtable": return table(parts)
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
        let isShort = above.level <= .script && below.level <= .script && !isTight
        let sign = isTight || isShort ? "/" : " / "
        let limit: Level = isTight ? .product : .fraction
        return Piece(text: above.bound(below: .fraction) + sign + below.bound(below: limit), level: .fraction)
    }

    private func root(_ content: Piece, _ sign: String) -> Piece {
        Piece(text: sign + content.bound(below: .script), level: .script)
    }

    private mutating func radical(_ index: NodeID) -> String {
        let index = script(index)
        switch index.text {
        case "2": return "√"
        case "3": return "∛"
        case "4": return "∜"
        default: return raised(index, "^", ScriptCharacters.superscripts) + "√"
        }
    }

    // MARK: Scripts

    /// A piece written above or below another one.
    private mutating func script(_ node: NodeID) -> Piece {
        let outer = isTight
        isTight = true
        defer { isTight = outer }
        return piece(node)
    }

    /// A script in superscript or subscript characters if all of them exist, else after a mark.
    private func raised(_ script: Piece, _ mark: String, _ table: [Unicode.Scalar: Unicode.Scalar]?) -> String {
        let text = script.text
        if text.isEmpty { return "" }
        if let table, let small = ScriptCharacters.map(text, table) { return small }
        if mark == "^", text.allSatisfy({ "′″‴'°".contains($0) }) { return text }
        if mark == "^", text == "∘" { return "°" }
        return text.count == 1 ? mark + text : "\(mark)(\(text))"
    }

    private mutating func scripts(_ base: NodeID, below: NodeID?, above: NodeID?) -> Piece {
        let base = piece(base)
        var text = base.bound(below: .script)
        if let below { text += raised(script(below), "_", ScriptCharacters.subscripts) }
        if let above { text += raised(script(above), "^", ScriptCharacters.superscripts) }
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
    private mutating func limits(_ base: NodeID, below: NodeID?, above: NodeID?) -> Piece {
        let base = piece(base)
        let under = below.map { script($0).text } ?? ""
        let over = above.map { script($0) }
        if let over, under.isEmpty, let accented = Self.accented(base, over.text) { return accented }
        if over == nil || over?.text.isEmpty == true, let mark = Self.underlines[under] {
            return Piece(text: mark.isEmpty ? base.text : Self.combined(base.text, mark), level: base.level)
        }
        var text = base.bound(below: .script)
        if !under.isEmpty { text += raised(Piece(text: under), "_", nil) }
        if let over { text += raised(over, "^", nil) }
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
        var isBefore = false
        var isLow = true
        for part in parts.dropFirst() {
            let name = tree.name(part).lowercased()
            if name == "mprescripts" {
                (isBefore, isLow) = (true, true)
                continue
            }
            let text = raised(
                script(part), isLow ? "_" : "^", isLow ? ScriptCharacters.subscripts : ScriptCharacters.superscripts)
            if isBefore { before += text } else { after += text }
            isLow.toggle()
        }
        return Piece(text: before + piece(first).bound(below: .script) + after, level: .script)
    }

    // MARK: Fences and tables

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
        let lines = rows.map { row in children(row).map { piece($0).text }.filter { !$0.isEmpty }.joined(separator: " ")
        }
        return Piece(text: lines.filter { !$0.isEmpty }.joined(separator: "; "), level: .sum)
    }
}

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
