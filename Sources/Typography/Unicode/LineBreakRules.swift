// The rules of UAX #14 (Unicode 15) as a state machine that reads one character at a time, with CSS's tailorings. Numbers follow
// the regular expression of §8.2 example 7, like the Unicode test data.

import FancyTextBasics
import CFancyTextUnicode

struct LineBreakRules {
    /// The class of the last character that is not a combining mark (LB9); −1 at the start of the text.
    private var last = -1
    private var lastScalar: UInt32 = 0
    private var lastRecord = UnicodeRecord()
    private var beforeLastScalar: UInt32 = 0
    /// True if there are spaces between `last` and the next character.
    private var hasSpaces = false
    private var endsWithJoiner = false
    private var regionals = 0
    /// 0: not in a number. 1: NU (NU | SY | IS)*. 2: followed by CL or CP.
    private var number = 0
    /// HL (HY | BA), for LB21a.
    private var isHebrewHyphen = false
    /// For the rules on quotation marks (LB19, LB19a).
    private var beforeLastIsEastAsian = false
    /// Set after a hyphen at the start of a word (LB20a of Unicode 16 and 17).
    private var isLeadingHyphen = false

    var endsWithMandatoryBreak: Bool {
        last == LineBreakBK || last == LineBreakLF || last == LineBreakNL || last == LineBreakCR
    }

    /// The break before the next character. Where a rule looks ahead, `following` gives the next one that is no mark.
    mutating func next(
        _ value: UInt32, _ record: UnicodeRecord, _ options: LineBreakOptions, following: () -> UnicodeRecord
    ) -> LineBreakOpportunity {
        let resolved = resolve(value, record, options)
        let isMark = resolved == LineBreakCM || resolved == LineBreakZWJ
        if isMark, last >= 0, !hasSpaces, !endsWithMandatoryBreak, last != LineBreakZW {
            // LB9: part of the character before.
            endsWithJoiner = resolved == LineBreakZWJ
            beforeLastScalar = lastScalar
            lastScalar = value
            return .none
        }
        let found = isMark ? LineBreakAL : resolved  // LB10
        let kind = decide(found, value, record, options, following)
        advance(found, value, record, options)
        endsWithJoiner = resolved == LineBreakZWJ
        return kind
    }

    /// The class of a character by LB1 and CSS's changes (CSS Text 3 §5.2, §5.3).
    private func resolve(_ value: UInt32, _ record: UnicodeRecord, _ options: LineBreakOptions) -> Int {
        let found = Int(record.lineBreak)
        if options.rules == .browser {
            let strictness = options.strictness
            switch found {
            case LineBreakCJ: return strictness == .strict ? LineBreakNS : LineBreakID
            case LineBreakNS:
                if strictness == .loose, CSSBreaks.isIterationMark(value) { return LineBreakID }
                if options.followsEastAsianRules, value == 0x301C || value == 0x30A0 { return LineBreakID }
                fallthrough
            case LineBreakEX, LineBreakIS:
                if options.followsEastAsianRules, strictness == .loose, CSSBreaks.isCenteredPunctuation(value) {
                    return LineBreakID
                }
            case LineBreakPO: if value > 0xFF, isLooseEastAsian(options, record) { return LineBreakID }
            case LineBreakQU:
                // Double curved quotation marks are full-width brackets in Chinese and Japanese.
                if options.followsEastAsianRules {
                    if value == 0x201C { return LineBreakOP }
                    if value == 0x201D { return LineBreakCL }
                }
            default: break
            }
        }
        return switch found {
        case LineBreakAI, LineBreakSG, LineBreakXX: LineBreakAL
        case LineBreakSA: record.isMark ? LineBreakCM : LineBreakAL
        case LineBreakCJ: LineBreakNS
        default: found
        }
    }

    /// Returns whether a character is a sign before or after numbers at which `loose` allows a break.
    private func isLooseEastAsian(_ options: LineBreakOptions, _ record: UnicodeRecord) -> Bool {
        options.followsEastAsianRules && options.strictness == .loose
            && (record.isWide || record.has(UnicodeFlagAmbiguous))
    }

    private static func isWide(_ record: UnicodeRecord) -> Bool { record.isWide || record.has(UnicodeFlagHalfwidth) }

    /// Returns whether a character is part of a word that `keep-all` keeps.
    private static func isKept(_ record: UnicodeRecord) -> Bool {
        record.has(UnicodeFlagLetter) && Int(record.lineBreak) != LineBreakSA
    }

    private static func isEastAsian(_ record: UnicodeRecord) -> Bool {
        isWide(record) && !record.has(UnicodeFlagInitialQuote)
            && !record.has(UnicodeFlagFinalQuote)
    }

    private mutating func advance(_ found: Int, _ value: UInt32, _ record: UnicodeRecord, _ options: LineBreakOptions) {
        beforeLastScalar = lastScalar
        lastScalar = value
        if found == LineBreakSP, last >= 0, !endsWithMandatoryBreak {
            (hasSpaces, number, isHebrewHyphen) = (true, 0, false)
            return
        }
        isHebrewHyphen = !hasSpaces && last == LineBreakHL && (found == LineBreakHY || found == LineBreakBA)
        switch found {
        case LineBreakNU: number = 1
        case LineBreakSY, LineBreakIS: if hasSpaces || number != 1 { number = 0 }
        case LineBreakCL, LineBreakCP: number = number == 1 && !hasSpaces ? 2 : 0
        default: number = 0
        }
        let startsWord =
            last < 0 || hasSpaces || endsWithMandatoryBreak || last == LineBreakZW || last == LineBreakCB
            || last == LineBreakGL
        isLeadingHyphen = startsWord && (found == LineBreakHY || CSSBreaks.isHyphen(value))
        beforeLastIsEastAsian = !hasSpaces && Self.isEastAsian(lastRecord)
        regionals = found == LineBreakRI ? (last == LineBreakRI && !hasSpaces ? regionals + 1 : 1) : 0
        // Leading spaces stand for themselves: a line may break after them.
        hasSpaces = found == LineBreakSP
        last = found == LineBreakPR && isLooseEastAsian(options, record) ? LineBreakID : found
        lastRecord = record
    }

    private func decide(
        _ next: Int, _ value: UInt32, _ record: UnicodeRecord, _ options: LineBreakOptions,
        _ following: () -> UnicodeRecord
    ) -> LineBreakOpportunity {
        if last < 0 { return .none }  // LB2
        if last == LineBreakCR { return next == LineBreakLF ? .none : .mandatory }  // LB5
        if last == LineBreakBK || last == LineBreakLF || last == LineBreakNL { return .mandatory }  // LB4
        switch next {
        case LineBreakBK, LineBreakCR, LineBreakLF, LineBreakNL: return .none  // LB6
        case LineBreakSP:  // LB7
            return options.breaksAfterEverySpace && (hasSpaces || lastScalar == 0x09) ? .allowed : .none
        case LineBreakZW: return .none
        default: break
        }
        if last == LineBreakZW { return .allowed }  // LB8
        if options.rules == .browser {
            // Browsers allow a break after white space before any character.
            if hasSpaces || lastScalar == 0x09 {
                return value == 0x09 && !options.breaksAfterEverySpace ? .none : .allowed
            }
            if value == 0x09 { return .none }
            if options.breaksAfterEverySpace, last != LineBreakGL, isSpaceSeparator(lastScalar) { return .allowed }
            if lastScalar == 0xAD, value != 0xAD, allows(next, value, record, following) { return .hyphen }
            if options.wordBreak == .keepAll, Self.isKept(lastRecord), Self.isKept(record) { return .none }
            let isBroken = options.wordBreak == .breakAll && !endsWithJoiner
            if isBroken, BreakAllTable.allows(last, lastScalar, next, value) { return .allowed }
            if lastScalar < 0x7F, value < 0x7F {
                let before = UInt8(truncatingIfNeeded: lastScalar)
                let after = UInt8(truncatingIfNeeded: value)
                if before == 0x2D, after.isASCIIDigit {
                    let isAfterWord = beforeLastScalar < 0x7F && UInt8(beforeLastScalar).isASCIIAlphanumeric
                    return isAfterWord ? .allowed : .none
                }
                return ASCIIBreaks.allows(before, after) ? .allowed : .none
            }
            if options.strictness == .loose {
                if last == LineBreakIN, next == LineBreakIN { return .allowed }
                let isIdeograph =
                    last == LineBreakID ? options.followsEastAsianRules : isBroken && lastRecord.has(UnicodeFlagLetter)
                if isIdeograph, value == 0x2010 || value == 0x2013 { return .allowed }
            }
            if let isAllowed = allowsAsUnicode16(next, record, following) { return isAllowed ? .allowed : .none }
        }
        return allows(next, value, record, following) ? .allowed : .none
    }

    /// The rules of Unicode 16 that browsers already follow, where they differ from Unicode 15's; nil elsewhere.
    private func allowsAsUnicode16(_ next: Int, _ record: UnicodeRecord, _ following: () -> UnicodeRecord) -> Bool? {
        if endsWithJoiner || last == LineBreakOP || last == LineBreakGL || last == LineBreakWJ { return nil }
        // LB19, LB19a: quotation marks between East Asian characters break like brackets.
        if next == LineBreakQU {
            return record.has(UnicodeFlagInitialQuote) && Self.isEastAsian(lastRecord) && Self.isEastAsian(following())
        }
        if last == LineBreakQU {
            switch next {
            case LineBreakCL, LineBreakCP, LineBreakEX, LineBreakIS, LineBreakSY, LineBreakGL, LineBreakWJ, LineBreakBA,
                LineBreakHY, LineBreakNS, LineBreakIN:
                return nil
            default: return lastRecord.has(UnicodeFlagFinalQuote) && Self.isEastAsian(record) && beforeLastIsEastAsian
            }
        }
        if isLeadingHyphen, next == LineBreakAL || next == LineBreakHL { return false }  // LB20a
        if last == LineBreakIS, next == LineBreakNU { return false }  // LB25
        // LB21a: after a Hebrew word and a hyphen, only text that is not Hebrew is kept on the line.
        return isHebrewHyphen && next == LineBreakHL ? true : nil
    }

    /// Applies LB8a to LB31.
    private func allows(_ next: Int, _ value: UInt32, _ record: UnicodeRecord, _ following: () -> UnicodeRecord) -> Bool
    {
        if endsWithJoiner { return false }  // LB8a
        if next == LineBreakWJ || (last == LineBreakWJ && !hasSpaces) { return false }  // LB11
        if last == LineBreakGL, !hasSpaces { return false }  // LB12
        if next == LineBreakGL, !hasSpaces, last != LineBreakBA, last != LineBreakHY { return false }  // LB12a
        switch next {
        case LineBreakCL, LineBreakCP, LineBreakEX, LineBreakIS, LineBreakSY: return false  // LB13
        default: break
        }
        if last == LineBreakOP { return false }  // LB14
        if last == LineBreakQU, next == LineBreakOP { return false }  // LB15
        if last == LineBreakCL || last == LineBreakCP, next == LineBreakNS { return false }  // LB16
        if last == LineBreakB2, next == LineBreakB2 { return false }  // LB17
        if hasSpaces { return true }  // LB18
        if next == LineBreakQU || last == LineBreakQU { return false }  // LB19
        if next == LineBreakCB || last == LineBreakCB { return true }  // LB20
        // LB21
        if next == LineBreakBA || next == LineBreakHY || next == LineBreakNS || last == LineBreakBB { return false }
        if isHebrewHyphen { return false }  // LB21a
        if last == LineBreakSY, next == LineBreakHL { return false }  // LB21b
        if next == LineBreakIN { return false }  // LB22
        let lastIsLetter = last == LineBreakAL || last == LineBreakHL
        let nextIsLetter = next == LineBreakAL || next == LineBreakHL
        if lastIsLetter && next == LineBreakNU || last == LineBreakNU && nextIsLetter { return false }  // LB23
        let lastIsIdeograph = last == LineBreakID || last == LineBreakEB || last == LineBreakEM
        let nextIsIdeograph = next == LineBreakID || next == LineBreakEB || next == LineBreakEM
        if last == LineBreakPR && nextIsIdeograph || lastIsIdeograph && next == LineBreakPO { return false }  // LB23a
        let lastIsSign = last == LineBreakPR || last == LineBreakPO
        let nextIsSign = next == LineBreakPR || next == LineBreakPO
        if lastIsSign && nextIsLetter || lastIsLetter && nextIsSign { return false }  // LB24
        // LB25
        if lastIsSign {
            if next == LineBreakNU { return false }
            if next == LineBreakOP || next == LineBreakHY, Int(following().lineBreak) == LineBreakNU { return false }
        }
        if last == LineBreakHY, next == LineBreakNU { return false }
        if number == 1, next == LineBreakNU || nextIsSign { return false }
        if number == 2, nextIsSign { return false }
        let nextIsHangul = next >= LineBreakH2 && next <= LineBreakJT
        let lastIsHangul = last >= LineBreakH2 && last <= LineBreakJT
        if lastIsHangul || nextIsHangul {
            // LB26
            if last == LineBreakJL, nextIsHangul, next != LineBreakJT { return false }
            if last == LineBreakJV || last == LineBreakH2, next == LineBreakJV || next == LineBreakJT { return false }
            if last == LineBreakJT || last == LineBreakH3, next == LineBreakJT { return false }
            // LB27
            if lastIsHangul, next == LineBreakPO { return false }
            if last == LineBreakPR, nextIsHangul { return false }
        }
        if lastIsLetter && nextIsLetter { return false }  // LB28
        if last == LineBreakIS, nextIsLetter { return false }  // LB29
        // LB30
        if lastIsLetter || last == LineBreakNU, next == LineBreakOP, !Self.isWide(record) { return false }
        if last == LineBreakCP, !Self.isWide(lastRecord), nextIsLetter || next == LineBreakNU { return false }
        if last == LineBreakRI, next == LineBreakRI, regionals % 2 == 1 { return false }  // LB30a
        let lastIsPictograph = lastRecord.has(UnicodeFlagExtendedPictographic) && lastRecord.has(UnicodeFlagUnassigned)
        if next == LineBreakEM, last == LineBreakEB || lastIsPictograph { return false }  // LB30b
        return true  // LB31
    }
}

/// The breaks that `word-break: break-all` adds between two classes (CSS Text 3 §5.2; next to punctuation measured in Chromium).
enum BreakAllTable {
    private static func set(_ classes: Int...) -> UInt64 { classes.reduce(0) { $0 | 1 << UInt64($1) } }

    private static let word = set(LineBreakAL, LineBreakNU, LineBreakHL, LineBreakAI, LineBreakXX)
    private static let rows: [UInt64] = {
        var rows = [UInt64](repeating: 0, count: 64)
        for letter in [LineBreakAL, LineBreakNU, LineBreakHL, LineBreakAI, LineBreakXX, LineBreakSA] {
            rows[letter] = word | set(LineBreakSA, LineBreakOP, LineBreakPR, LineBreakHY)
        }
        rows[LineBreakCP] = word | set(LineBreakSA, LineBreakPR, LineBreakHY)
        rows[LineBreakCL] = rows[LineBreakCP]
        rows[LineBreakEX] = word | set(LineBreakSA, LineBreakPR, LineBreakPO, LineBreakHY)
        rows[LineBreakSY] = word | set(LineBreakSA, LineBreakPR, LineBreakOP, LineBreakHY)
        rows[LineBreakPO] = word | set(LineBreakPR, LineBreakPO, LineBreakHY)
        rows[LineBreakIS] = word | set(LineBreakHY)
        rows[LineBreakPR] = set(LineBreakPO)
        rows[LineBreakHY] = set(LineBreakNU)
        return rows
    }()

    static func allows(_ last: Int, _ lastScalar: UInt32, _ next: Int, _ value: UInt32) -> Bool {
        // A plus sign counts as a letter.
        let before = lastScalar == 0x2B ? LineBreakAL : last
        let after = value == 0x2B ? LineBreakAL : next
        return rows[before & 63] >> UInt64(after) & 1 == 1
    }
}

/// The characters that CSS lists for `line-break` (CSS Text 3 §5.3).
enum CSSBreaks {
    static func isIterationMark(_ value: UInt32) -> Bool {
        [0x3005, 0x303B, 0x309D, 0x309E, 0x30FD, 0x30FE].contains(value)
    }

    /// Class HH of Unicode 17: hyphens that join words.
    static func isHyphen(_ value: UInt32) -> Bool {
        switch value {
        case 0x058A, 0x05BE, 0x1400, 0x1806, 0x2010, 0x2012, 0x2013, 0x2E17, 0x2E1A, 0x2E40, 0x2E5D: true
        default: false
        }
    }

    static func isCenteredPunctuation(_ value: UInt32) -> Bool {
        switch value {
        case 0x30FB, 0xFF1A, 0xFF1B, 0xFF65, 0x203C, 0x2047...0x2049, 0xFF01, 0xFF1F: true
        default: false
        }
    }
}
