// CSS properties: their grammar, whether they inherit, and how their values are read into a style. There is one row per property;
// the other files of this folder hold families of rows. A declaration is valid exactly if its row can read it to the end.
//
// Functions that make rows are not inlined: the compiler would copy their closures for each of the 300 rows.

package struct PropertyID: Hashable, Sendable {
    package let index: UInt16

    package init(_ index: Int) { self.index = UInt16(truncatingIfNeeded: index) }

    package var property: Property { PropertyTable.shared.rows[Int(index)] }

    /// The longhand that a flow-relative name refers to in a flow; other properties return themselves.
    package func physical(_ flow: Int) -> PropertyID { PropertyID(Int(PropertyTable.physical(flow)[Int(index)])) }
}

/// A longhand's place in the order in which values are computed.
package struct ComputingRank: Comparable, BitwiseCopyable, Sendable {
    /// The stages of computing a style. A stage may use the results of the stages before it: relative lengths need the font,
    /// `currentcolor` needs the colour.
    package enum Stage: UInt8, Sendable { case fonts, color, inherited, own }

    private let rawValue: UInt32

    init(_ stage: Stage, at index: Int) { rawValue = UInt32(stage.rawValue) << 16 | UInt32(truncatingIfNeeded: index) }

    package var property: PropertyID { PropertyID(Int(rawValue & 0xFFFF)) }
    package var stage: Stage { Stage(rawValue: UInt8(truncatingIfNeeded: rawValue >> 16)) ?? .own }

    package static func < (a: ComputingRank, b: ComputingRank) -> Bool { a.rawValue < b.rawValue }
}

/// A field of the styles, as a function that calls another one with it. Writing through a key path would copy the group of values.
typealias StyleField<Value> = @Sendable (inout StyleValues, (inout Value) -> Void) -> Void

package struct Property: Sendable {
    package typealias Reader = @Sendable (inout ValueCursor, inout StyleValues) -> Bool
    typealias Reading<Value> = @Sendable (inout ValueCursor) -> Value?
    package typealias Copier = @Sendable (inout StyleValues, StyleValues) -> Void

    package enum Effect: UInt8, Sendable {
        case full
        /// No effect, and none in a still picture: a declaration gets a note.
        case none
        /// No effect, though a browser's picture depends on it: a shown element with the property gets a warning.
        case missing
    }

    package enum Kind: Sendable {
        /// Has its own value: `read` parses it, and `copy` takes it from another style for `inherit` and `initial`.
        case longhand(read: Reader, copy: Copier)
        /// Sets several longhands: `split` finds the part of the value for each of them.
        case shorthand(longhands: [String], split: @Sendable (inout ValueCursor, inout ShorthandParts) -> Bool)
        /// A flow-relative name. `of` is the physical longhand that it refers to in horizontal lines from left to right.
        case logical(of: String)
        case alias(String)
        /// Without a value; the grammar is the syntax string.
        case ineffective
    }

    package let name: String
    /// The grammar (CSS Values 4 §2) of values that are checked by it; `nil` if the property's reader checks them.
    var syntax: String?
    package var inherited = false
    /// The stage in which values are computed; `nil` is that of most inherited properties, or of those that are not.
    var stage: ComputingRank.Stage?
    package var effect = Effect.full
    package var kind: Kind
    /// Returns whether a value has no effect, though its property has one; `nil` if all values have an effect.
    package private(set) var lacksEffect: (@Sendable (String) -> Bool)?

    /// The longhands of a shorthand, or the target of another name.
    var relatedNames: [String] {
        switch kind {
        case .shorthand(let longhands, _): longhands
        case .logical(let target), .alias(let target): [target]
        case .longhand, .ineffective: []
        }
    }

    // MARK: Rows

    /// A property whose values are keywords. The table is built on use: building all would take longer than styling a short text.
    @inline(never) static func keywords<Value: Sendable>(
        _ name: String, inherited: Bool = false, _ field: @escaping StyleField<Value>,
        _ table: @autoclosure @escaping @Sendable () -> [(StaticString, Value)]
    ) -> Property { .value(name, inherited: inherited, field) { $0.keyword(table()) } }

    /// A property whose values are the cases of an enum of keywords, also by the names of a table.
    @inline(never) static func keywords<Value: RawRepresentable<String> & Sendable>(
        _ name: String, inherited: Bool = false, _ field: @escaping StyleField<Value>,
        also names: @autoclosure @escaping @Sendable () -> [(StaticString, Value)] = []
    ) -> Property { .value(name, inherited: inherited, field) { $0.keyword() ?? $0.keyword(names()) } }

    /// A property of two keywords; the second one is true.
    static func flag(
        _ name: String, inherited: Bool = false, _ field: @escaping StyleField<Bool>, _ first: StaticString,
        _ second: StaticString
    ) -> Property { .value(name, inherited: inherited, field) { $0.choice(first, second) } }

    @inline(never) static func list<Item: Sendable>(
        _ name: String, _ field: @escaping StyleField<[Item]>, _ read: @escaping Reading<Item>
    ) -> Property { .value(name, field) { $0.commaList(read) } }

    /// A property with one value, which `read` returns.
    @inline(never) static func value<Value: Sendable>(
        _ name: String, inherited: Bool = false, _ field: @escaping StyleField<Value>,
        stage: ComputingRank.Stage? = nil, _ read: @escaping Reading<Value>
    ) -> Property {
        .custom(name, inherited: inherited, stage: stage, copy: copying(field), read: setting(field, read))
    }

    /// A property whose value may be absent; `none` is the keyword for that.
    @inline(never) static func optional<Value: Sendable>(
        _ name: String, inherited: Bool = false, _ field: @escaping StyleField<Value?>, _ none: StaticString,
        _ read: @escaping Reading<Value>
    ) -> Property { .value(name, inherited: inherited, field) { $0.optional(none, read) } }

    @inline(never) private static func setting<Value>(
        _ field: @escaping StyleField<Value>, _ read: @escaping Reading<Value>
    ) -> Reader {
        { cursor, values in
            guard let value = read(&cursor) else { return false }
            field(&values) { $0 = value }
            return true
        }
    }

    @inline(never) private static func copying<Value>(_ field: @escaping StyleField<Value>) -> Copier {
        { values, other in
            var other = other
            field(&other) { value in field(&values) { $0 = value } }
        }
    }

    /// A property whose reader sets its fields itself.
    @inline(never) static func custom<Value>(
        _ name: String, _ field: @escaping StyleField<Value>, _ read: @escaping Reader
    ) -> Property { .custom(name, copy: copying(field), read: read) }

    static func custom(
        _ name: String, inherited: Bool = false, stage: ComputingRank.Stage? = nil, copy: @escaping Copier,
        read: @escaping Reader
    ) -> Property { Property(name: name, inherited: inherited, stage: stage, kind: .longhand(read: read, copy: copy)) }

    static func shorthand(
        _ name: String, _ longhands: [String],
        _ split: @escaping @Sendable (inout ValueCursor, inout ShorthandParts) -> Bool
    ) -> Property { Property(name: name, kind: .shorthand(longhands: longhands, split: split)) }

    /// A shorthand whose value is read as a whole, into the fields of all longhands.
    static func whole(_ name: String, _ longhands: [String], _ read: @escaping Reader) -> Property {
        .shorthand(name, longhands) { cursor, parts in parts.whole(&cursor, read) }
    }

    /// A shorthand whose value is read into a field of which its longhands are parts.
    @inline(never) static func whole<Value>(
        _ name: String, _ longhands: [String], _ field: @escaping StyleField<Value>, _ read: @escaping Reading<Value>
    ) -> Property { .whole(name, longhands, setting(field, read)) }

    /// A shorthand whose longhands have their values in any order, each at most once.
    static func anyOrder(_ name: String, _ longhands: [String]) -> Property {
        .shorthand(name, longhands) { cursor, parts in parts.anyOrder(longhands.indices, &cursor) }
    }

    static func logical(_ name: String, of target: String) -> Property { .init(name: name, kind: .logical(of: target)) }

    static func alias(_ name: String, of target: String) -> Property { Property(name: name, kind: .alias(target)) }

    static func ineffective(_ name: String, _ syntax: String) -> Property {
        Property(name: name, syntax: syntax, effect: .none, kind: .ineffective)
    }

    /// A property whose values are checked by a grammar; `take` receives the cursor at the start of one.
    static func checked(
        _ name: String, _ syntax: String, inherited: Bool = false, copy: @escaping Copier,
        _ take: @escaping @Sendable (ValueCursor, inout StyleValues) -> Void
    ) -> Property {
        var row = custom(name, inherited: inherited, copy: copy) { cursor, values in
            let start = cursor
            guard let id = PropertyTable.shared.find(name), PropertyTable.matches(id, &cursor) else { return false }
            take(start, &values)
            return true
        }
        row.syntax = syntax
        return row
    }

    /// A copy of the property that warns about values without effect; `lacks` identifies them by their text in lower case.
    func lacking(_ lacks: @escaping @Sendable (_ value: String) -> Bool) -> Property {
        guard case .longhand(let read, let copy) = kind else { return self }
        let (name, isInherited) = (name, inherited)
        var row = self
        row.lacksEffect = lacks
        row.kind = .longhand(
            read: { cursor, values in
                let start = cursor.index
                guard read(&cursor, &values) else { return false }
                let (source, value) = (cursor.source, start..<cursor.index)
                let isMissing = lacks(source.text(value).asciiLowercased())
                values.setMissing(name, inherited: isInherited, isMissing ? MissingFeature(name, source, value) : nil)
                return true
            },
            copy: { values, other in
                copy(&values, other)
                values.setMissing(name, inherited: isInherited, other.missing(name, inherited: isInherited))
            })
        return row
    }

    /// A copy of the property whose effect is missing, except for `neutral` values, separated by `|`; `*` means all.
    func missing(except neutral: String) -> Property {
        var row = lacking { value in
            if neutral == "*" { return false }
            let words = neutral.split(separator: "|")
            let parts = value.split(separator: ",").map {
                $0.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            }
            return parts.isEmpty || !parts.allSatisfy { part in words.contains { $0 == part } }
        }
        row.effect = .missing
        return row
    }
}

@inline(never) func both<A, B>(_ first: @escaping StyleField<A>, _ second: @escaping StyleField<B>) -> StyleField<
    (A, B)
> {
    { values, body in
        var (a, b): (A?, B?)
        first(&values) { a = $0 }
        second(&values) { b = $0 }
        guard let a, let b else { return }
        var pair = (a, b)
        body(&pair)
        first(&values) { $0 = pair.0 }
        second(&values) { $0 = pair.1 }
    }
}

func names(_ start: String, _ ends: String) -> [String] { ends.split(separator: " ").map { start + $0 } }

let sideNames = ["top", "right", "bottom", "left"]

/// The properties of four sides, their shorthand, and their flow-relative names with the shorthands of these.
///
/// - Parameters:
///   - suffix: Follows the side's name: `-width` in `border-top-width`.
///   - isBare: True if the physical longhands are named by their sides alone: `top`.
func sided(
    _ name: String, _ suffix: String = "", isBare: Bool = false, _ row: (String, _ side: Int) -> Property
) -> [Property] {
    func longhand(_ side: String) -> String { name + "-" + side + suffix }
    let physical = sideNames.map { isBare ? $0 : longhand($0) }
    let rows = physical.enumerated().map { row($1, $0) }
    let whole = Property.shorthand(name + suffix, physical) { cursor, parts in
        guard parts.take(0, &cursor) else { return false }
        for side in 1..<4 {
            if cursor.isAtEnd {
                parts.parts[side] = parts.parts[side == 3 ? 1 : 0]
            } else if !parts.take(side, &cursor) {
                return false
            }
        }
        return true
    }
    let relative = zip(["block-start", "inline-end", "block-end", "inline-start"], physical)
        .map { Property.logical(longhand($0), of: $1) }
    let pairs = ["block", "inline"].map { pair(longhand($0), [longhand($0 + "-start"), longhand($0 + "-end")]) }
    return rows + [whole] + relative + pairs
}

func logicalSizes(_ prefix: String) -> [Property] {
    [("inline-size", "width"), ("block-size", "height")].map { .logical(prefix + $0, of: prefix + $1) }
}

/// A shorthand with one value for both longhands, or one each.
func pair(_ name: String, _ longhands: [String]) -> Property {
    .shorthand(name, longhands) { cursor, parts in
        guard parts.take(0, &cursor) else { return false }
        parts.parts[1] = parts.parts[0]
        return cursor.isAtEnd || parts.take(1, &cursor)
    }
}

extension ValueCursor {
    /// At least one value, without commas.
    mutating func some<Value>(_ item: (inout ValueCursor) -> Value?) -> [Value]? {
        let items = many(item)
        return items.isEmpty ? nil : items
    }

    /// A function; `body` receives its name and must consume all of its arguments.
    mutating func anyFunction<Value>(_ body: (inout ValueCursor, String) -> Value?) -> Value? {
        functionName.flatMap { name in arguments { body(&$0, name) } }
    }

    /// The options of keywords, of which each may be given once. Returns `nil` if there is none.
    mutating func options<Options: OptionSet>(_ table: [(StaticString, Options)]) -> Options? {
        var result: Options = []
        while let option = keyword(table) {
            guard result.isDisjoint(with: option) else { return nil }
            result.formUnion(option)
        }
        return result.isEmpty ? nil : result
    }

    /// Parts of a value in any order; `part` reads one of them. Returns false if there is none.
    mutating func anyOrder(_ part: (inout ValueCursor) -> Bool) -> Bool {
        let start = index
        while part(&self) {}
        return index > start
    }
}

package final class ScratchValues {
    package var values = StyleValues.initial

    package init() {}
}

/// The assignment of a shorthand's value to its longhands: for each longhand, its part of the value's tokens.
package struct ShorthandParts {
    package enum Part {
        case initial
        /// Tokens of the shorthand's value.
        case tokens(Range<Int>)
        /// The longhand reads its part from the whole value, with a reader that the shorthand provides.
        case reader(Property.Reader)

        static func set(_ set: @escaping @Sendable (inout StyleValues) -> Void) -> Part {
            .reader { cursor, values in
                cursor.skipToEnd()
                set(&values)
                return true
            }
        }
    }

    package var parts: [Part]
    private let longhands: [PropertyID]
    private let scratch: ScratchValues

    package init(_ longhands: [PropertyID], _ scratch: ScratchValues) {
        (self.longhands, self.scratch) = (longhands, scratch)
        parts = Array(repeating: .initial, count: longhands.count)
    }

    /// Reads a value of the longhand at `index` and records its tokens. Consumes nothing if there is no such value.
    mutating func take(_ index: Int, _ cursor: inout ValueCursor) -> Bool {
        // A flow-relative longhand has the grammar of the physical one.
        guard case .longhand(let read, _) = longhands[index].physical(0).property.kind else { return false }
        let start = cursor.index
        guard read(&cursor, &scratch.values), cursor.index > start else {
            cursor.rewind(to: start)
            return false
        }
        parts[index] = .tokens(start..<cursor.index)
        return true
    }

    /// Reads a value of the first of the longhands at `indices` that has one and is not among those seen.
    mutating func takeOnce(_ indices: some Sequence<Int>, _ seen: inout Set<Int>, _ cursor: inout ValueCursor) -> Bool {
        for index in indices where !seen.contains(index) && take(index, &cursor) {
            seen.insert(index)
            return true
        }
        return false
    }

    /// The `||` combinator: at least one of the longhands at `indices`, each at most once, in any order.
    mutating func anyOrder(_ indices: Range<Int>, _ cursor: inout ValueCursor) -> Bool {
        var seen: Set<Int> = []
        while !cursor.isAtEnd, takeOnce(indices, &seen, &cursor) {}
        return !seen.isEmpty
    }

    /// Lets each longhand copy its fields from those that `read` sets.
    mutating func whole(_ cursor: inout ValueCursor, _ read: @escaping Property.Reader) -> Bool {
        guard read(&cursor, &scratch.values) else { return false }
        for (index, longhand) in longhands.enumerated() {
            guard case .longhand(_, let copy) = longhand.property.kind else { return false }
            parts[index] = .reader { cursor, values in
                var whole = StyleValues.initial
                guard read(&cursor, &whole) else { return false }
                copy(&values, whole)
                return true
            }
        }
        return true
    }
}
