// Line break opportunities: UAX #14 with CSS's tailorings (CSS Text 3 §5). In: text, the CSS options of its spans. Out: for every
// byte the break before it. ICU finds words of Thai, Lao, Khmer, Burmese.

import CFancyTextICU
import CFancyTextUnicode
import FancyTextBasics
import FancyTextCSS

package enum LineBreakOpportunity: UInt8, Hashable, Sendable {
    case none = 0, allowed = 1, mandatory = 2
    /// Allowed, and a hyphen is shown if the break is taken: after U+00AD, or inside a word by patterns.
    case hyphen = 3
}

package struct LineBreakOptions: Hashable, Sendable {
    /// The rules that CSS leaves to the browser.
    package enum Rules: UInt8, Hashable, Sendable {
        /// Browsers' rules: always after a space, and Blink's pairs within ASCII.
        case browser
        /// UAX #14's default rules without tailoring.
        case unicode
    }
    package enum EastAsian: UInt8, Hashable, Sendable { case none, japanese, chinese }

    package var rules = Rules.browser
    package var strictness = LineBreakStrictness.auto
    package var wordBreak = WordBreak.normal
    /// The content's language, as far as it affects the rules.
    package var eastAsian = EastAsian.none
    /// `white-space-collapse: break-spaces`: a line may break after every single space.
    package var breaksAfterEverySpace = false
    /// Preserved white space, or words that are kept: on a terminal, lines of code are broken after blanks.
    package var isCode = false

    package init() {}

    /// True if the rules of CSS Text 3 §5.3 for Chinese and Japanese apply; with `auto` only in Chinese, as in Chromium.
    var followsEastAsianRules: Bool {
        switch strictness {
        case .auto: eastAsian == .chinese
        case .loose, .normal: eastAsian != .none
        case .strict, .anywhere: false
        }
    }

    package init(_ style: TextStyle, language: String) {
        strictness = style.lineBreak
        wordBreak = style.wordBreak
        isCode = style.whiteSpaceCollapse == .preserve || style.wordBreak == .keepAll
        let isJapanese = FontStyle.isLanguage(language, of: ["ja"])
        eastAsian = isJapanese ? .japanese : FontStyle.isLanguage(language, of: ["zh"]) ? .chinese : .none
    }
}

package struct LineBreakSpan: Sendable {
    package var range: Range<Int>
    package var options: LineBreakOptions
    package init(range: Range<Int>, options: LineBreakOptions) { (self.range, self.options) = (range, options) }
}

/// Finds line break opportunities. It keeps ICU's iterator, so use one with each ``FontContext``.
package final class LineBreakFinder {
    private var dictionary: OpaquePointer?
    private var didOpenDictionary = false
    /// True if ASCII words are broken only after the hyphens of words of letters, not in options, dates, file names and the like.
    /// Blink's pairs allow breaks before brackets, which UAX #14 does not (LB13, LB19).
    private let keepsNames: Bool

    package init(keepsNames: Bool = false) { self.keepsNames = keepsNames }

    deinit { if let dictionary, let icu = cicu_load() { icu.pointee.breakClose(dictionary) } }

    /// Fills `result` with one ``LineBreakOpportunity`` for each byte and the end, which is mandatory after a line feed. Linear.
    /// The spans are ascending and without gaps over the range.
    package func find(_ text: UTF8Bytes, _ range: Range<Int>, spans: [LineBreakSpan], into result: inout [UInt8]) {
        result.removeAll(keepingCapacity: true)
        result.append(contentsOf: repeatElement(0, count: range.count + 1))
        guard !spans.isEmpty, !range.isEmpty else { return }
        result.withUnsafeMutableBufferPointer { result in
            findScalars(text, range, spans, result)
            if keepsNames { joinNames(text, range, spans, result) }
        }
    }

    /// Removes the breaks within ASCII words except after hyphens in words of letters; in code, those too.
    private func joinNames(
        _ text: UTF8Bytes, _ range: Range<Int>, _ spans: [LineBreakSpan], _ result: UnsafeMutableBufferPointer<UInt8>
    ) {
        var (start, span) = (range.lowerBound, 0)
        while start < range.upperBound {
            let end = text[start..<range.upperBound].firstIndex { $0 <= 0x20 } ?? range.upperBound
            let isCompound = end > start && Self.isCompound(text[start..<end])
            for index in start..<end where result[index - range.lowerBound] == 1 && index > start {
                guard text[index - 1] < 0x80 else { continue }
                while span < spans.count - 1, spans[span].range.upperBound < index { span += 1 }
                let isHyphen = text[index - 1] == 0x2D
                if spans[span].options.isCode || (isHyphen ? !isCompound : text[index] < 0x80) {
                    result[index - range.lowerBound] = 0
                }
            }
            start = end + 1
        }
    }

    /// Returns whether a word consists of letters and hyphens between them, apart from punctuation around it.
    private static func isCompound(_ word: Slice<UTF8Bytes>) -> Bool {
        let opening = word.drop { [0x22, 0x27, 0x28, 0x5B].contains($0) }
        let closing: [UInt8] = [0x21, 0x22, 0x27, 0x29, 0x2C, 0x2E, 0x3A, 0x3B, 0x3F, 0x5D]
        guard let last = opening.lastIndex(where: { !closing.contains($0) }) else { return false }
        return opening.first != 0x2D && opening[...last].allSatisfy { $0 == 0x2D || $0 >= 0x80 || $0.isASCIILetter }
    }

    private func findScalars(
        _ text: UTF8Bytes, _ range: Range<Int>, _ spans: [LineBreakSpan], _ result: UnsafeMutableBufferPointer<UInt8>
    ) {
        var rules = LineBreakRules()
        var (span, index, boundary) = (0, range.lowerBound, range.lowerBound)
        var (complexStart, lastIsVirama) = (-1, false)
        while index < range.upperBound {
            while span < spans.count - 1, spans[span].range.upperBound <= index { span += 1 }
            let options = spans[span].options
            let (value, length) = scalar(in: text, at: index, end: range.upperBound)
            let record = unicodeRecord(value)
            let kind = rules.next(value, record, options) {
                Self.character(in: text, index + length..<range.upperBound)
            }
            if options.strictness == .anywhere {
                // Breaks between typographic character units (CSS Text 3 §5.3), whatever the classes.
                if index == boundary {
                    boundary = GraphemeBreaker.next(text, index, end: range.upperBound)
                    // A conjunct is one unit, although its parts are separate clusters.
                    let conjoins = lastIsVirama && record.has(UnicodeFlagLetter)
                    let isSpace = value == 0x20 || value == 0x0A || value == 0x0D || value == 0xAD
                    if index > range.lowerBound, kind != .mandatory, !conjoins,
                        !isSpace || (value == 0x20 && options.breaksAfterEverySpace)
                    {
                        result[index - range.lowerBound] = 1
                    }
                }
                lastIsVirama = record.isMark && Unicode.Scalar(value)?.properties.canonicalCombiningClass.rawValue == 9
                if kind == .mandatory { result[index - range.lowerBound] = kind.rawValue }
            } else {
                result[index - range.lowerBound] = kind.rawValue
                boundary = index + length
            }
            let isComplex =
                Int(record.lineBreak) == LineBreakSA && options.rules == .browser && options.wordBreak != .breakAll
            if isComplex {
                if complexStart < 0 { complexStart = index }
            } else if complexStart >= 0 {
                findWords(text, complexStart..<index, range.lowerBound, result)
                complexStart = -1
            }
            index += length
        }
        if complexStart >= 0 { findWords(text, complexStart..<range.upperBound, range.lowerBound, result) }
        if rules.endsWithMandatoryBreak { result[range.count] = LineBreakOpportunity.mandatory.rawValue }
    }

    /// The first character that is not a combining mark.
    private static func character(in text: UTF8Bytes, _ range: Range<Int>) -> UnicodeRecord {
        for (_, value) in UTF8Scalars(text, range) {
            let record = unicodeRecord(value)
            if Int(record.lineBreak) != LineBreakCM, Int(record.lineBreak) != LineBreakZWJ { return record }
        }
        return UnicodeRecord()
    }

    /// Marks breaks between the words of a script without spaces, by ICU's dictionaries.
    private func findWords(
        _ text: UTF8Bytes, _ run: Range<Int>, _ base: Int, _ result: UnsafeMutableBufferPointer<UInt8>
    ) {
        guard run.count > 3, let icu = cicu_load()?.pointee else { return }
        var status: CICUStatus = 0
        if !didOpenDictionary {
            didOpenDictionary = true
            dictionary = icu.breakOpen(Int32(CICULineBreaks), "th", nil, 0, &status)
        }
        guard let dictionary else { return }
        var units = TextUnits()
        for (index, value) in UTF8Scalars(text, run) { units.append(value, at: index) }
        guard let count = Int32(exactly: units.units.count) else { return }
        status = 0
        units.units.withUnsafeBufferPointer { buffer in
            icu.breakSetText(dictionary, buffer.baseAddress, count, &status)
            guard status <= 0 else { return }
            _ = icu.breakFirst(dictionary)
            while true {
                let position = icu.breakNext(dictionary)
                guard position > 0, position < count else { break }
                let slot = units.offsets[Int(position)] - base
                if result[slot] == 0 { result[slot] = LineBreakOpportunity.allowed.rawValue }
            }
        }
    }
}

/// The breaks between two ASCII characters as in Blink: fewer than UAX #14's, which would break addresses, dates and prices.
enum ASCIIBreaks {
    /// The pairs that allow a break: each first character's row, with a bit for each second one.
    private static let pairs: [SIMD2<UInt64>] = {
        var rows = [SIMD2<UInt64>](repeating: .zero, count: 128)
        func allow(_ before: String, _ after: some Sequence<UInt8>) {
            for first in before.utf8 {
                for second in after { rows[Int(first)][Int(second >> 6)] |= 1 << UInt64(second & 63) }
            }
        }
        let visible = Array(UInt8(0x21)...0x7E)
        // Before an opening bracket, after closing punctuation.
        allow("!\"#%&)*+,.:;=>\\]|}~", "(<[{".utf8)
        // After a question mark or hyphen, unless more punctuation follows; a hyphen before a digit is a minus.
        allow("?", visible.filter { !"!\"'),./:;?]}".utf8.contains($0) })
        allow("-", visible.filter { !"!$),./:;?]}".utf8.contains($0) && !$0.isASCIIDigit })
        // Between white space and any other character.
        allow(" \t", visible)
        return rows
    }()

    static func allows(_ before: UInt8, _ after: UInt8) -> Bool {
        pairs[Int(before & 127)][Int(after >> 6 & 1)] >> UInt64(after & 63) & 1 == 1
    }
}
