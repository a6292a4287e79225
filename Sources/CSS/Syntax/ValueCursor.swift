// Reading a property's value. In: a range of tokens. Out: typed values, already computed (CSS Values 4): lengths in CSS pixels,
// percentages as fractions. Every reader either consumes a whole component and the space after it, or nothing and returns `nil`.

/// The context that relative units and colours are computed in: the element's font, the root, the viewport.
package struct ValueContext {
    /// The enlargement of absolute lengths.
    package var zoom: Double = 1
    package var fontSize = 16.0, rootFontSize = 16.0
    package var lineHeight = 19.0, rootLineHeight = 19.0
    /// Shares of the font size: `ex`, `ch`, `cap`, `ic` (CSS Values 4 §6.1.1 gives the fallbacks).
    package var exRatio = 0.5, chRatio = 0.5, capRatio = 0.7
    package var isVertical = false
    package var viewportWidth = 800.0, viewportHeight = 600.0
    /// The sizes that container units are hundredths of.
    package var containerWidth = 800.0, containerHeight = 600.0
    /// The parent's font size and weight, and the font size of the keyword `medium`.
    package var parentFontSize = 16.0, parentWeight = 400.0, mediumSize = 16.0
    package var parentAlign = TextAlign.start
    package var parentIsRightToLeft = false
    package var userPrefersDark = false
    package var currentColor = Color.black
    package var isDark = false
    /// The base of percentages in a calculation that needs one number, such as `round(up, 5%, 10px)`.
    package var percentBase: Double = 800
    /// True if only declarations that plain text depends on are read.
    package var readsTextOnly = false
    /// True for a box in the margin of a page, whose content may be a named string.
    package var isPageMargin = false
    /// False if all lines are horizontal, whatever the style is.
    package var hasVerticalLines = true
    package var isQuirks = false
    /// The extra values that the property being read takes in quirks mode.
    var quirks: ValueQuirks = []

    package init() {}
}

/// Extra values that some properties take in quirks mode (Quirks Mode §2.2–2.3).
struct ValueQuirks: OptionSet, Sendable {
    let rawValue: UInt8
    /// A number is a length in pixels.
    static let unitlessLengths = ValueQuirks(rawValue: 1)
    /// Hexadecimal digits are a colour.
    static let hashlessColors = ValueQuirks(rawValue: 2)
}

package struct ValueCursor {
    package let source: CSSSource
    package private(set) var index: Int
    let end: Int
    private(set) var context: ValueContext
    /// Names that have a number as their value in a calculation: the channels of a relative colour.
    var variables: [(name: String, value: Double)] = []

    package init(_ text: String, context: ValueContext = ValueContext()) {
        let source = CSSSource(text)
        self.init(source, source.tokens.indices, context: context)
    }

    package init(_ source: CSSSource, _ range: Range<Int>, context: ValueContext) {
        (self.source, self.context) = (source, context)
        (index, end) = (range.lowerBound, range.upperBound)
        skipSpace()
    }

    // MARK: Tokens

    package var isAtEnd: Bool { index >= end }

    package var rest: Range<Int> { min(index, end)..<end }

    @inline(__always)
    package var token: CSSToken? { index < end ? source.tokens[index] : nil }

    @inline(__always)
    private var kind: CSSToken.Kind? { index < end ? source.tokens[index].kind : nil }

    private mutating func skipSpace() { while index < end, source.tokens[index].kind == .whitespace { index += 1 } }

    /// Skips the current token and the space after it.
    package mutating func advance() {
        index += 1
        skipSpace()
    }

    package mutating func rewind(to index: Int) { self.index = index }

    package mutating func skipToEnd() { index = end }

    /// Skips one component value: a token, or a whole block or function.
    package mutating func skipComponent() {
        guard !isAtEnd else { return }
        index = source.past(index, before: end)
        skipSpace()
    }

    /// Skips the function or block here. Returns its contents, without the space around them.
    package mutating func contents() -> Range<Int> {
        let start = index + 1
        let close = token.map { min(Int($0.match), end) } ?? start
        skipComponent()
        return source.trimmed(start..<max(start, close))
    }

    package mutating func comma() -> Bool {
        guard kind == .comma else { return false }
        advance()
        return true
    }

    package mutating func delim(_ byte: UInt8) -> Bool {
        guard index < end, source.isDelim(index, byte) else { return false }
        advance()
        return true
    }

    package mutating func slash() -> Bool { delim(0x2F) }

    // MARK: Words

    package func isKeyword(_ word: StaticString) -> Bool {
        kind == .ident && source.name(of: source.tokens[index], is: word)
    }

    package mutating func keyword(_ word: StaticString) -> Bool {
        guard isKeyword(word) else { return false }
        advance()
        return true
    }

    package mutating func keyword<T>(_ table: [(StaticString, T)]) -> T? {
        for (word, value) in table where keyword(word) { return value }
        return nil
    }

    /// The value of an enum of keywords that has the name here.
    mutating func keyword<Word: RawRepresentable<String>>() -> Word? {
        guard let token, token.kind == .ident, let word = Word(rawValue: source.word(of: token)) else { return nil }
        advance()
        return word
    }

    /// Reads one of two keywords; true for the second.
    package mutating func choice(_ first: StaticString, _ second: StaticString) -> Bool? {
        keyword(first) ? false : keyword(second) ? true : nil
    }

    package mutating func commaList<Value>(_ item: (inout ValueCursor) -> Value?) -> [Value]? {
        var items: [Value] = []
        repeat {
            guard let value = item(&self) else { return nil }
            items.append(value)
        } while comma()
        return items
    }

    /// Values separated by commas, each of parts in any order; `part` reads one of them into its value.
    mutating func layers<Layer>(_ initial: Layer, _ part: (inout ValueCursor, inout Layer) -> Bool) -> [Layer]? {
        commaList { cursor in
            var layer = initial
            let start = cursor.index
            while let token = cursor.token, token.kind != .comma {
                guard part(&cursor, &layer) else { return nil }
            }
            return cursor.index > start ? layer : nil
        }
    }

    /// All of the values here, without commas.
    package mutating func many<Value>(_ item: (inout ValueCursor) -> Value?) -> [Value] {
        var items: [Value] = []
        while let value = item(&self) { items.append(value) }
        return items
    }

    /// Reads a value, or `none`, a keyword for its absence.
    mutating func optional<Value>(_ none: StaticString, _ read: (inout ValueCursor) -> Value?) -> Value?? {
        keyword(none) ? .some(nil) : read(&self).map { .some($0) }
    }

    /// Reads a part of a value that may occur once. Returns false if it is known already, or not here.
    package mutating func once<Value>(_ part: inout Value?, _ read: (inout ValueCursor) -> Value?) -> Bool {
        guard part == nil else { return false }
        part = attempt(read)
        return part != nil
    }

    /// Reads a value, or consumes nothing.
    mutating func attempt<Value>(_ read: (inout ValueCursor) -> Value?) -> Value? {
        let start = index
        let value = read(&self)
        if value == nil { rewind(to: start) }
        return value
    }

    package mutating func once<Value>(_ part: inout Value?, _ table: [(StaticString, Value)]) -> Bool {
        once(&part) { $0.keyword(table) }
    }

    package mutating func once(_ part: inout Bool?, _ first: StaticString, _ second: StaticString) -> Bool {
        once(&part) { $0.choice(first, second) }
    }

    mutating func once(_ flag: inout Bool, _ word: StaticString) -> Bool {
        guard !flag, keyword(word) else { return false }
        flag = true
        return true
    }

    private mutating func name(of kind: CSSToken.Kind) -> String? {
        guard let token, token.kind == kind else { return nil }
        advance()
        return source.name(of: token)
    }

    package mutating func ident() -> String? { name(of: .ident) }

    /// An author-chosen name: neither a CSS-wide keyword nor `default` nor one of `reserved`.
    package mutating func customIdent(except reserved: [StaticString] = []) -> String? {
        guard let token, token.kind == .ident else { return nil }
        for word in Self.wideKeywords where source.name(of: token, is: word) { return nil }
        for word in reserved where source.name(of: token, is: word) { return nil }
        return ident()
    }

    static let wideKeywords: [StaticString] = ["inherit", "initial", "unset", "revert", "revert-layer", "default"]

    package mutating func string() -> String? { name(of: .string) }

    /// `url(…)` or `src(…)`, quoted or not.
    package mutating func url() -> String? {
        name(of: .url) ?? function("url") { $0.string() } ?? function("src") { $0.string() }
    }

    package func isFunction(_ name: StaticString) -> Bool {
        kind == .function && source.name(of: source.tokens[index], is: name)
    }

    /// The name of the function here, in lower case.
    package var functionName: String? { kind == .function ? source.word(of: source.tokens[index]) : nil }

    /// A function: `body` must consume all of its arguments.
    mutating func function<T>(_ name: StaticString, _ body: (inout ValueCursor) -> T?) -> T? {
        isFunction(name) ? arguments(body) : nil
    }

    /// The arguments of the function (or the contents of the block) here.
    package mutating func arguments<T>(_ body: (inout ValueCursor) -> T?) -> T? {
        guard let token else { return nil }
        let close = min(Int(token.match), end)
        var inner = ValueCursor(source, (index + 1)..<max(close, index + 1), context: context)
        inner.context.quirks = []
        inner.variables = variables
        guard let value = body(&inner), inner.isAtEnd else { return nil }
        index = min(close + 1, end)
        skipSpace()
        return value
    }

    // MARK: Numbers

    private mutating func calculated(_ dimension: Unit.Dimension) -> Double? {
        kind == .function ? math(of: [dimension])?.value : nil
    }

    package mutating func number(atLeast minimum: Double = -.infinity) -> Double? {
        written(.number, atLeast: minimum) ?? calculated(.number).map { max(minimum, $0) }
    }

    package mutating func integer(atLeast minimum: Int = Int(Int32.min)) -> Int? {
        /// Numbers beyond the range are clamped to it (CSS Values 4 §5.1).
        func clamped(_ number: Double) -> Int { Int(Int32(bounded: number, by: 2_147_483_648)) }
        guard let token, token.kind == .number
        else { return calculated(.number).map { max(minimum, clamped(($0 + 0.5).rounded(.down))) } }
        guard token.isInteger, clamped(token.number) >= minimum else { return nil }
        advance()
        return clamped(token.number)
    }

    /// A percentage as a fraction.
    package mutating func percentage(atLeast minimum: Double = -.infinity) -> Double? {
        (written(.percentage, atLeast: minimum) ?? calculated(.percent).map { max(minimum, $0) }).map { $0 / 100 }
    }

    /// A number, or a percentage as a fraction.
    mutating func numberOrPercentage(atLeast minimum: Double = -.infinity) -> Double? {
        number(atLeast: minimum) ?? percentage(atLeast: minimum)
    }

    /// The value of the token here, if it is of a kind and not too small.
    private mutating func written(_ kind: CSSToken.Kind, atLeast minimum: Double) -> Double? {
        guard let token, token.kind == kind, token.number >= minimum else { return nil }
        advance()
        return token.number
    }

    /// CSS pixels.
    package mutating func length(atLeast minimum: Double = -.infinity) -> Float? {
        guard let token else { return nil }
        switch token.kind {
        case .number:
            guard token.number == 0 || context.quirks.contains(.unitlessLengths), token.number >= minimum
            else { return nil }
            advance()
            return Self.clamped(token.number)
        case .dimension:
            guard let px = pixels(token), px >= minimum || token.number >= minimum else { return nil }
            advance()
            return Self.clamped(px)
        default: return calculated(.length).map { Self.clamped(max(minimum, $0)) }
        }
    }

    mutating func lengthPercentage(atLeast minimum: Double = -.infinity) -> LengthPercentage? {
        guard let token else { return nil }
        switch token.kind {
        case .percentage:
            guard token.number >= minimum else { return nil }
            advance()
            let percent = token.number == 0 ? MathValue.zeroPercent : token.number
            return LengthPercentage(fraction: Self.clamped(percent / 100))
        case .number, .dimension: return length(atLeast: minimum).map { LengthPercentage(px: $0) }
        default:
            guard kind == .function, let value = math(of: [.length, .percent], percentIsLength: true)
            else { return nil }
            if value.dimension == .percent {
                return LengthPercentage(fraction: Self.clamped(max(minimum, value.value) / 100))
            }
            guard value.percent != 0 || value.low != nil || value.high != nil
            else { return LengthPercentage(px: Self.clamped(max(minimum, value.value))) }
            func sum(_ bound: MathValue.Sum) -> LengthPercentage.Sum {
                .init(px: Self.clamped(bound.value), fraction: Self.clamped(bound.percent / 100))
            }
            var length = LengthPercentage(px: Self.clamped(value.value), fraction: Self.clamped(value.percent / 100))
            if let low = value.low { length.low = sum(low) }
            if let high = value.high { length.high = sum(high) }
            return length
        }
    }

    /// A quantity other than a length, in its canonical unit: seconds, dots for each CSS pixel, degrees.
    private mutating func quantity(_ dimension: Unit.Dimension) -> Double? {
        guard let token, token.kind == .dimension else { return calculated(dimension) }
        guard let unit = Unit(source, token), unit.dimension == dimension else { return nil }
        advance()
        return token.number * unit.scale
    }

    /// Seconds.
    mutating func time() -> Double? { quantity(.time) }

    /// Dots for each CSS pixel.
    package mutating func resolution() -> Double? { quantity(.resolution) }

    /// Degrees; `0` without a unit where CSS keeps that for old content.
    package mutating func angle(unitlessZero: Bool = false) -> Double? {
        guard unitlessZero, let token, token.kind == .number, token.number == 0 else { return quantity(.angle) }
        advance()
        return 0
    }

    /// Converts a length to CSS pixels; its percentages are of the font size.
    func pixels(of length: LengthPercentage) -> Float {
        length.isRelative ? length.resolved(against: Float(context.fontSize)) : length.px
    }

    /// CSS pixels of a dimension token; nil if its unit is not a length.
    private func pixels(_ token: CSSToken) -> Double? {
        guard let unit = Unit(source, token), unit.dimension == .length else { return nil }
        return token.number * unit.pixels(context)
    }

    /// Limits a length to a range in which sums of lengths stay finite in layout.
    package static func clamped(_ value: Double) -> Float {
        value.isNaN ? 0 : Float(max(-16_777_216, min(16_777_216, value)))
    }
}
