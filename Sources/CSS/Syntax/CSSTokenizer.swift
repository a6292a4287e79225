// CSS text to tokens (CSS Syntax 3 §4), over UTF-8 bytes. In: bytes. Out: a flat array of tokens that point into the bytes; names
// are decoded only when they are needed. Each opening token knows the index of its closing token. Comments leave no token. Linear.

import FancyTextBasics

package struct CSSTokenizer {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0
    /// Indices of opening tokens that are not closed yet.
    private var open: [Int32] = []
    private(set) var tokens: [CSSToken] = []
    private(set) var usesFontUnits = false
    /// The start of a comment that the text does not close.
    private(set) var openComment: Int?

    package init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        tokens.reserveCapacity(bytes.count / 4 + 4)
    }

    @inline(__always)
    private func byte(_ index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0x0A }

    @inline(__always)
    private var isAtEnd: Bool { position >= bytes.count }

    package mutating func run() {
        if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { position = 3 }
        while !isAtEnd { next() }
        for index in open { tokens[Int(index)].match = UInt32(tokens.count) }
    }

    private mutating func push(_ token: CSSToken) {
        var token = token
        token.end = UInt32(position)
        tokens.append(token)
    }

    private mutating func single(_ kind: CSSToken.Kind, length: Int = 1) {
        let token = CSSToken(kind, position)
        position += length
        push(token)
    }

    /// The sign of a hash or at-keyword, and the name after it.
    private mutating func prefixedName(_ kind: CSSToken.Kind) {
        var token = CSSToken(kind, position)
        position += 1
        token.isInteger = kind == .hash && !startsIdentifier(position)  // not an id: `#123`
        name(&token)
        push(token)
    }

    private mutating func opening(_ kind: CSSToken.Kind) {
        open.append(Int32(tokens.count))
        single(kind)
    }

    /// A closing bracket closes the innermost open block when it is of its kind, else it is a plain token (§5.4.8).
    private mutating func closing(_ kind: CSSToken.Kind) {
        if let top = open.last {
            let opener = tokens[Int(top)].kind
            let fits =
                switch kind {
                case .closeBrace: opener == .openBrace
                case .closeBracket: opener == .openBracket
                default: opener == .openParen || opener == .function
                }
            if fits {
                open.removeLast()
                tokens[Int(top)].match = UInt32(tokens.count)
            }
        }
        single(kind)
    }

    private mutating func next() {
        let first = bytes[position]
        switch first {
        case 0x20, 0x09, 0x0A, 0x0D, 0x0C:
            let token = CSSToken(.whitespace, position)
            while !isAtEnd, bytes[position].isHTMLSpace { position += 1 }
            push(token)
        case 0x22, 0x27: string()
        case 0x23:  // #
            if CSSLexis.isName(byte(position + 1)) && position + 1 < bytes.count || startsEscape(position + 1) {
                prefixedName(.hash)
            } else {
                single(.delim)
            }
        case 0x28: opening(.openParen)
        case 0x29: closing(.closeParen)
        case 0x2C: single(.comma)
        case 0x3A: single(.colon)
        case 0x3B: single(.semicolon)
        case 0x5B: opening(.openBracket)
        case 0x5D: closing(.closeBracket)
        case 0x7B: opening(.openBrace)
        case 0x7D: closing(.closeBrace)
        case 0x2F where byte(position + 1) == 0x2A:  // /*
            let start = position
            position += 2
            while position < bytes.count, !(bytes[position] == 0x2A && byte(position + 1) == 0x2F) { position += 1 }
            if position == bytes.count { openComment = start }
            position = min(position + 2, bytes.count)
        case 0x2B, 0x2E: if startsNumber(position) { numeric() } else { single(.delim) }
        case 0x2D:
            if startsNumber(position) {
                numeric()
            } else if byte(position + 1) == 0x2D, byte(position + 2) == 0x3E {
                single(.cdc, length: 3)
            } else if startsIdentifier(position) {
                identifier()
            } else {
                single(.delim)
            }
        case 0x3C:
            if byte(position + 1) == 0x21, byte(position + 2) == 0x2D, byte(position + 3) == 0x2D {
                single(.cdo, length: 4)
            } else {
                single(.delim)
            }
        case 0x40: if startsIdentifier(position + 1) { prefixedName(.atKeyword) } else { single(.delim) }
        case 0x5C: if startsEscape(position) { identifier() } else { single(.delim) }
        case 0x30...0x39: numeric()
        default: if CSSLexis.isNameStart(first) { identifier() } else { single(.delim) }
        }
    }

    private func startsEscape(_ index: Int) -> Bool { CSSLexis.startsEscape(bytes, index) }

    private func startsIdentifier(_ index: Int) -> Bool { CSSLexis.startsIdentifier(bytes, index) }

    private func startsNumber(_ index: Int) -> Bool {
        var at = index
        if byte(at) == 0x2B || byte(at) == 0x2D { at += 1 }
        if byte(at) &- 0x30 < 10 { return true }
        return byte(at) == 0x2E && byte(at + 1) &- 0x30 < 10
    }

    private mutating func name(_ token: inout CSSToken) {
        token.nameStart = UInt32(position)
        (position, token.hasEscape) = CSSLexis.name(bytes, position)
        token.nameEnd = UInt32(position)
    }

    private mutating func identifier() {
        var token = CSSToken(.ident, position)
        name(&token)
        guard byte(position) == 0x28, position < bytes.count else { return push(token) }
        position += 1
        if !token.hasEscape, token.nameEnd - token.nameStart == 3, isURL(Int(token.nameStart)) {
            var at = position
            while at < bytes.count, bytes[at].isHTMLSpace { at += 1 }
            if !(at < bytes.count && (bytes[at] == 0x22 || bytes[at] == 0x27)) {
                position = at
                return url(token.start)
            }
        }
        token.kind = .function
        open.append(Int32(tokens.count))
        push(token)
    }

    private func isURL(_ at: Int) -> Bool {
        bytes[at] | 0x20 == 0x75 && bytes[at + 1] | 0x20 == 0x72 && bytes[at + 2] | 0x20 == 0x6C
    }

    /// An unquoted URL (§4.3.6).
    private mutating func url(_ start: UInt32) {
        var token = CSSToken(.url, Int(start))
        token.nameStart = UInt32(position)
        while position < bytes.count {
            let byte = bytes[position]
            if byte == 0x29 {
                token.nameEnd = UInt32(position)
                position += 1
                return push(token)
            }
            if byte.isHTMLSpace {
                token.nameEnd = UInt32(position)
                while position < bytes.count, bytes[position].isHTMLSpace { position += 1 }
                if position >= bytes.count || bytes[position] == 0x29 {
                    position = min(position + 1, bytes.count)
                    return push(token)
                }
                break
            }
            if byte == 0x22 || byte == 0x27 || byte == 0x28 || byte < 0x20 && byte != 0 || byte == 0x7F { break }
            if byte == 0x5C {
                guard startsEscape(position) else { break }
                token.hasEscape = true
                position = CSSLexis.pastEscape(bytes, position)
                continue
            }
            if byte == 0 { token.hasEscape = true }
            position += 1
        }
        if position >= bytes.count {
            token.nameEnd = UInt32(position)
            return push(token)
        }
        token.kind = .badURL
        while position < bytes.count, bytes[position] != 0x29 {
            position = startsEscape(position) ? CSSLexis.pastEscape(bytes, position) : position + 1
        }
        position = min(position + 1, bytes.count)
        push(token)
    }

    private mutating func string() {
        let string = CSSLexis.string(bytes, position)
        var token = CSSToken(string.isWhole ? .string : .badString, position)
        (token.nameStart, token.nameEnd) = (UInt32(position + 1), UInt32(string.end))
        token.hasEscape = string.hasEscape
        position = string.next
        push(token)
    }

    private mutating func numeric() {
        var token = CSSToken(.number, position)
        token.isInteger = true
        if bytes[position] == 0x2B || bytes[position] == 0x2D { position += 1 }
        skipDigits()
        if byte(position) == 0x2E, byte(position + 1) &- 0x30 < 10 {
            token.isInteger = false
            position += 1
            skipDigits()
        }
        if byte(position) | 0x20 == 0x65 {
            let sign = byte(position + 1) == 0x2B || byte(position + 1) == 0x2D ? 1 : 0
            if byte(position + 1 + sign) &- 0x30 < 10 {
                token.isInteger = false
                position += 1 + sign
                skipDigits()
            }
        }
        token.number = Double(String(decoding: bytes[Int(token.start)..<position], as: UTF8.self)) ?? 0
        if byte(position) == 0x25 {
            token.kind = .percentage
            position += 1
        } else if startsIdentifier(position) {
            token.kind = .dimension
            name(&token)
            if isFontUnit(Int(token.nameStart)..<Int(token.nameEnd)) { usesFontUnits = true }
        }
        push(token)
    }

    private mutating func skipDigits() { while byte(position) &- 0x30 < 10 { position += 1 } }

    private func isFontUnit(_ unit: Range<Int>) -> Bool {
        guard unit.count >= 2, unit.count <= 4 else { return false }
        let letters = unit.reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[$1] | 0x20) }
        return Self.fontUnits.contains(letters)
    }

    /// The units' ASCII letters as big-endian numbers.
    private static let fontUnits: [UInt32] = ["ex", "ch", "cap", "rex", "rch", "rcap"].map { unit in
        unit.utf8.reduce(0) { $0 << 8 | UInt32($1) }
    }
}

extension String {
    package func cssTrimmed() -> String {
        let bytes = utf8.trimmed(\.isHTMLSpace)
        // `\ ` at the end is an escape, not a space.
        let escaped = bytes.last == 0x5C ? utf8[bytes.endIndex...].prefix(1) : bytes[bytes.endIndex...]
        return String(decoding: Array(bytes) + escaped, as: UTF8.self)
    }

    package func asciiLowercased() -> String {
        guard utf8.contains(where: { $0 &- 0x41 < 26 }) else { return self }
        return String(decoding: utf8.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
