// CSS properties: their grammar, whether they inherit, and how their values are read into a style.
//
// There is one row per property; the other files of this folder hold families of rows. Reading and validating are the same
// function: a declaration is valid exactly if its row can read it to the end.

import FancyTextBasics

struct PropertyID: Hashable, Sendable {
    let index: UInt16

    init(_ index: Int) { self.index = UInt16(truncatingIfNeeded: index) }

    var property: Property { PropertyTable.shared.rows[Int(index)] }

    /// The longhand that a flow-relative name refers to; other properties return themselves.
    func physical(_ direction: TextDirection) -> PropertyID {
        let table = PropertyTable.shared
        guard case .logical = table.rows[Int(index)].kind else { return self }
        return table.related[Int(index)][direction == .ltr ? 0 : 1]
    }
}

/// A longhand's place in the order in which values are computed.
struct ComputingRank: Comparable, Sendable {
    /// The stages of computing a style. A stage may use the results of the stages before it.
    enum Stage: UInt8, Sendable { case fonts, color, inherited, own }

    private let rawValue: UInt32

    init(_ phase: Property.Phase, isInherited: Bool, at index: Int) {
        let stage: Stage =
            switch phase {
            case .font: .fonts
            case .color: .color
            case .rest: isInherited ? .inherited : .own
            }
        rawValue = UInt32(stage.rawValue) << 16 | UInt32(truncatingIfNeeded: index)
    }

    var property: PropertyID { PropertyID(Int(rawValue & 0xFFFF)) }
    var stage: Stage { Stage(rawValue: UInt8(truncatingIfNeeded: rawValue >> 16)) ?? .own }

    static func < (a: ComputingRank, b: ComputingRank) -> Bool { a.rawValue < b.rawValue }
}

/// A field of the styles: two plain functions, because instantiating the key paths of all properties takes longer than styling a
/// small document.
struct StyleField<Value: Sendable>: Sendable {
    let get: @Sendable (StyleValues) -> Value
    let set: @Sendable (inout StyleValues, Value) -> Void

    init(
        _ get: @escaping @Sendable (StyleValues) -> Value, _ set: @escaping @Sendable (inout StyleValues, Value) -> Void
    ) {
        self.get = get
        self.set = set
    }
}

struct Property: Sendable {
    typealias Reader = @Sendable (inout ValueCursor, inout StyleValues) -> Bool

    /// The order in which values are computed: relative lengths need the font, `currentcolor` needs the colour.
    enum Phase: UInt8, Sendable { case font, color, rest }

    /// The effect of a property in this implementation.
    enum Effect: UInt8, Sendable {
        case full
        /// No effect, and none in a still picture: a declaration gets a note.
        case none
        /// No effect, though a browser's picture depends on it: a shown element with the property gets a warning.
        case missing
    }

    enum Kind: Sendable {
        /// Has its own value: `read` parses it, and `copy` takes it from another style for `inherit` and `initial`.
        case longhand(read: Reader, copy: @Sendable (inout StyleValues, StyleValues) -> Void)
        /// Sets several longhands: `split` finds the part of the value for each of them.
        case shorthand(longhands: [StaticString], split: @Sendable (inout ValueCursor, inout ShorthandParts) -> Bool)
        /// A flow-relative name for one of two physical longhands, by direction.
        case logical(ltr: StaticString, rtl: StaticString)
        /// Another name for a property.
        case alias(StaticString)
        /// Without a value; the grammar is the syntax string.
        case ineffective
    }

    /// A value definition. Most are made on demand, because most runs never read them.
    enum Syntax: Sendable {
        case written(String)
        case made(@Sendable () -> String)
    }

    let name: StaticString
    private let definition: Syntax
    var inherited: Bool
    var phase: Phase
    var effect: Effect
    var kind: Kind
    /// Returns whether a value has no effect, though its property has one; `nil` if all values have an effect.
    private(set) var lacksEffect: (@Sendable (String) -> Bool)?

    /// Value definition syntax (CSS Values 4 §2), for the documentation and, for properties without effect, for checking.
    var syntax: String {
        switch definition {
        case .written(let text): text
        case .made(let text): text()
        }
    }

    // MARK: Rows

    /// A property whose values are keywords.
    ///
    /// - Parameter table: Evaluated when a value is read. Building the arrays of all properties, each with its own element type,
    ///   would take longer than styling a small document.
    static func keywords<Value: Sendable>(
        _ name: StaticString, inherited: Bool = false, _ field: StyleField<Value>,
        _ table: @autoclosure @escaping @Sendable () -> [(StaticString, Value)], phase: Phase = .rest
    ) -> Property {
        Property(
            name: name, definition: .made { table().map { $0.0.description }.joined(separator: " | ") },
            inherited: inherited, phase: phase,
            effect: .full,
            kind: .longhand(
                read: { cursor, values in
                    guard let value = cursor.keyword(table()) else { return false }
                    values.give { field.set(&$0, value) }
                    return true
                }, copy: { values, other in field.set(&values, field.get(other)) }))
    }

    /// A property with one value, which `read` returns.
    static func value<Value: Sendable>(
        _ name: StaticString, _ syntax: String, inherited: Bool = false, _ field: StyleField<Value>,
        phase: Phase = .rest, _ read: @escaping @Sendable (inout ValueCursor) -> Value?
    ) -> Property {
        Property(
            name: name, definition: .written(syntax), inherited: inherited, phase: phase, effect: .full,
            kind: .longhand(
                read: { cursor, values in
                    guard let value = read(&cursor) else { return false }
                    values.give { field.set(&$0, value) }
                    return true
                }, copy: { values, other in field.set(&values, field.get(other)) }))
    }

    /// A property that sets several fields.
    static func custom(
        _ name: StaticString, _ syntax: String, inherited: Bool = false, phase: Phase = .rest,
        copy: @escaping @Sendable (inout StyleValues, StyleValues) -> Void, read: @escaping Reader
    ) -> Property {
        Property(
            name: name, definition: .written(syntax), inherited: inherited, phase: phase, effect: .full,
            kind: .longhand(read: read, copy: copy))
    }

    static func shorthand(
        _ name: StaticString, _ syntax: String, _ longhands: [StaticString],
        _ split: @escaping @Sendable (inout ValueCursor, inout ShorthandParts) -> Bool
    ) -> Property {
        .shorthand(name, .written(syntax), longhands, split)
    }

    fileprivate static func shorthand(
        _ name: StaticString, _ definition: Syntax, _ longhands: [StaticString],
        _ split: @escaping @Sendable (inout ValueCursor, inout ShorthandParts) -> Bool
    ) -> Property {
        Property(
            name: name, definition: definition, inherited: false, phase: .rest, effect: .full,
            kind: .shorthand(longhands: longhands, split: split))
    }

    /// A shorthand whose longhands each take their part of the whole value by index.
    static func shorthand<Value>(
        _ name: StaticString, _ syntax: String, _ longhands: [StaticString],
        read: @escaping @Sendable (inout ValueCursor) -> Value?,
        store: @escaping @Sendable (Value, Int, inout StyleValues) -> Void
    ) -> Property {
        .shorthand(name, syntax, longhands) { cursor, parts in
            guard read(&cursor) != nil else { return false }
            parts.parts = longhands.indices.map { index in
                .reader { cursor, values in
                    guard let value = read(&cursor) else { return false }
                    store(value, index, &values)
                    return true
                }
            }
            return true
        }
    }

    static func logical(_ name: StaticString, ltr: StaticString, rtl: StaticString) -> Property {
        Property(
            name: name, definition: .made { "<'\(ltr)'>" }, inherited: false, phase: .rest, effect: .full,
            kind: .logical(ltr: ltr, rtl: rtl))
    }

    static func alias(_ name: StaticString, of target: StaticString) -> Property {
        Property(
            name: name, definition: .made { "<'\(target)'>" }, inherited: false, phase: .rest, effect: .full,
            kind: .alias(target))
    }

    static func ineffective(_ name: StaticString, _ syntax: String, inherited: Bool = false) -> Property {
        Property(
            name: name, definition: .written(syntax), inherited: inherited, phase: .rest, effect: .none,
            kind: .ineffective)
    }

    /// A copy of the property that warns about values without effect; `lacks` identifies them.
    func lacking(_ lacks: @escaping @Sendable (_ value: String) -> Bool) -> Property {
        guard case .longhand(let read, let copy) = kind else { return self }
        let (name, isInherited) = (name, inherited)
        var row = self
        row.lacksEffect = lacks
        row.kind = .longhand(
            read: { cursor, values in
                let start = cursor.index
                guard read(&cursor, &values) else { return false }
                let value = start..<cursor.index
                let feature =
                    lacks(cursor.source.text(value).asciiLowercased())
                    ? MissingFeature(name.description, cursor.source, value) : nil
                guard values.keepsValues else {
                    values.setMissing(name, inherited: isInherited, feature)
                    return true
                }
                if let kept = values.kept {
                    values.kept = DeclaredValue { values in
                        kept.set(&values)
                        values.setMissing(name, inherited: isInherited, feature)
                    }
                }
                return true
            },
            copy: { values, other in
                copy(&values, other)
                values.setMissing(name, inherited: isInherited, other.missing(name, inherited: isInherited))
            })
        return row
    }

    /// A property whose effect is missing: its computed value is the place of the declaration that would have changed the
    /// picture.
    ///
    /// - Parameter neutral: Values, separated by `|`, that change nothing; `*` stands for all values.
    static func missing(
        _ name: StaticString, _ syntax: String, neutral: String, inherited: Bool = false
    ) -> Property {
        Property(
            name: name, definition: .written(syntax), inherited: inherited, phase: .rest, effect: .missing,
            kind: .longhand(
                read: { cursor, values in
                    guard let id = PropertyTable.shared.find(name) else { return false }
                    let start = cursor.index
                    guard PropertyTable.matches(id, &cursor) else { return false }
                    let feature = MissingFeature(name, cursor.source, start..<cursor.end, neutral: neutral)
                    values.give { $0.setMissing(name, inherited: inherited, feature) }
                    return true
                },
                copy: { values, other in
                    values.setMissing(name, inherited: inherited, other.missing(name, inherited: inherited))
                }))
    }
}

/// Four properties, one for each side, clockwise from the top.
func eachSide<Value>(
    _ names: [StaticString], _ syntax: String, _ field: StyleField<Sides<Value>>,
    _ read: @escaping @Sendable (inout ValueCursor) -> Value?
) -> [Property] {
    names.enumerated().map { side, name in
        let set: @Sendable (inout StyleValues, Value) -> Void = { values, value in
            var sides = field.get(values)
            sides[clockwise: side] = value
            field.set(&values, sides)
        }
        return .value(name, syntax, .init({ field.get($0)[clockwise: side] }, set), read)
    }
}

func sides(_ name: StaticString, _ syntax: String, _ longhands: [StaticString]) -> Property {
    .shorthand(name, syntax, longhands) { cursor, parts in parts.fourSides(&cursor) }
}

func pair(_ name: StaticString, _ longhands: [StaticString]) -> Property {
    .shorthand(name, .made { "<'\(longhands[0])'>{1,2}" }, longhands) { cursor, parts in parts.pair(&cursor) }
}

/// Scratch values for trying out declarations.
final class ScratchValues {
    var values = StyleValues.initial
}

/// The assignment of a shorthand's value to its longhands.
struct ShorthandParts {
    enum Part {
        /// The longhand's initial value.
        case initial
        /// Tokens of the shorthand's value.
        case tokens(Range<Int>)
        /// The longhand reads its part from the whole value, with a reader that the shorthand provides.
        case reader(Property.Reader)
    }

    var parts: [Part]
    private let longhands: [PropertyID]
    private let scratch: ScratchValues

    init(_ longhands: [PropertyID], _ scratch: ScratchValues) {
        self.longhands = longhands
        self.scratch = scratch
        parts = Array(repeating: .initial, count: longhands.count)
    }

    /// Reads a value of the longhand at `index` and records its tokens. Consumes nothing if there is no such value.
    mutating func take(_ index: Int, _ cursor: inout ValueCursor) -> Bool {
        // A flow-relative longhand has the grammar of the physical one.
        guard case .longhand(let read, _) = longhands[index].physical(.ltr).property.kind else { return false }
        let start = cursor.index
        guard read(&cursor, &scratch.values), cursor.index > start else {
            cursor.rewind(to: start)
            return false
        }
        parts[index] = .tokens(start..<cursor.index)
        return true
    }

    /// The `||` combinator: at least one of the longhands at `indices`, each at most once, in any order.
    mutating func anyOrder(_ indices: Range<Int>, _ cursor: inout ValueCursor) -> Bool {
        var left = Set(indices)
        outer: while !cursor.isAtEnd {
            for index in indices where left.contains(index) && take(index, &cursor) {
                left.remove(index)
                continue outer
            }
            break
        }
        return left.count < indices.count
    }

    /// One to four values for top, right, bottom, left.
    mutating func fourSides(_ cursor: inout ValueCursor, from first: Int = 0) -> Bool {
        guard take(first, &cursor) else { return false }
        parts[first + 1] = parts[first]
        parts[first + 2] = parts[first]
        parts[first + 3] = parts[first]
        guard !cursor.isAtEnd else { return true }
        guard take(first + 1, &cursor) else { return false }
        parts[first + 3] = parts[first + 1]
        guard !cursor.isAtEnd else { return true }
        guard take(first + 2, &cursor) else { return false }
        return cursor.isAtEnd || take(first + 3, &cursor)
    }

    /// One value for both, or one each.
    mutating func pair(_ cursor: inout ValueCursor) -> Bool {
        guard take(0, &cursor) else { return false }
        parts[1] = parts[0]
        return cursor.isAtEnd || take(1, &cursor)
    }

    /// A part that is set without reading the value.
    static func set(_ set: @escaping @Sendable (inout StyleValues) -> Void) -> Part {
        .reader { cursor, values in
            cursor.skipToEnd()
            set(&values)
            return true
        }
    }
}

/// All properties, by index and by name.
final class PropertyTable: Sendable {
    let rows: [Property]
    /// Longhand indices of each shorthand; target of each logical or alias row.
    let related: [[PropertyID]]
    /// For each property, the longhand it refers to in this direction. Only flow-relative names refer to another property.
    let leftToRight: [UInt16]
    let rightToLeft: [UInt16]
    let ranks: [ComputingRank]
    /// For each name, its property. Aliases map to their target.
    let named: [PropertyID]
    private let names: [StaticString]
    /// Open addressing over the names' hashes; −1 is free.
    private let index: HashIndex

    static let shared = PropertyTable()

    /// For each property, whether plain text may depend on it. Font sizes count too, because margins are relative to them.
    static let decidesText = shared.names.map { label in
        let name = UnsafeBufferPointer(start: label.utf8Start, count: label.utf8CodeUnitCount)
        return TextRelevance.isRelevant(name) || TextRelevance.sizesFont(name)
    }

    private init() {
        var rows: [Property] = []
        rows.reserveCapacity(512)
        for family in [
            fontProperties, fontFeatureProperties, fontShorthands, textProperties, lineProperties, tableProperties,
            decorationProperties, fancyProperties, boxProperties, inlineProperties, positionProperties,
            transformProperties, filterProperties, maskProperties, borderProperties, borderImageProperties,
            borderShorthands, flexProperties, alignmentProperties, gapProperties, columnProperties, gridProperties,
            backgroundProperties, generatedContentProperties, animationProperties, ineffectiveProperties,
        ] {
            rows += family()
        }
        var index = HashIndex()
        index.reserve(rows.count)
        for (position, row) in rows.enumerated() {
            let name = UnsafeBufferPointer(start: row.name.utf8Start, count: row.name.utf8CodeUnitCount)
            index.insert(position, hash: Self.hash(name))
        }
        let labels = rows.map(\.name)
        self.rows = rows
        self.index = index
        ranks = rows.indices.map { ComputingRank(rows[$0].phase, isInherited: rows[$0].inherited, at: $0) }
        names = labels
        var related: [[PropertyID]] = []
        for row in rows {
            let names: [StaticString] =
                switch row.kind {
                case .shorthand(let longhands, _): longhands
                case .logical(let ltr, let rtl): [ltr, rtl]
                case .alias(let target): [target]
                case .longhand, .ineffective: []
                }
            related.append(
                names.map { name in
                    let bytes = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
                    guard let id = Self.find(bytes, index, labels) else {
                        preconditionFailure("property \(row.name) refers to \(name)")
                    }
                    return id
                })
        }
        self.related = related
        // An alias may refer to another alias.
        func target(_ index: Int) -> Int {
            guard case .alias = rows[index].kind else { return index }
            return Int(related[index][0].index)
        }
        named = rows.indices.map { PropertyID(target(target($0))) }
        func physical(_ side: Int) -> [UInt16] {
            rows.indices.map { index in
                guard case .logical = rows[index].kind else { return UInt16(index) }
                return related[index][side].index
            }
        }
        leftToRight = physical(0)
        rightToLeft = physical(1)
    }

    @inline(__always)
    private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        SeededHash.of(bytes.lazy.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 })
    }

    private static func find(
        _ name: UnsafeBufferPointer<UInt8>, _ index: HashIndex, _ names: [StaticString]
    ) -> PropertyID? {
        index.position(of: hash(name)) { isEqual(name, names[$0]) }.map { PropertyID($0) }
    }

    @inline(__always)
    private static func isEqual(_ name: UnsafeBufferPointer<UInt8>, _ other: StaticString) -> Bool {
        guard name.count == other.utf8CodeUnitCount else { return false }
        let bytes = other.utf8Start
        for index in 0..<name.count {
            let byte = name[index]
            if bytes[index] != (byte &- 0x41 < 26 ? byte | 0x20 : byte) { return false }
        }
        return true
    }

    /// Returns the property with a name, ignoring ASCII case.
    func find(_ name: UnsafeBufferPointer<UInt8>) -> PropertyID? { Self.find(name, index, names) }

    func find(_ name: StaticString) -> PropertyID? {
        find(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }

    func find(_ name: String) -> PropertyID? { Array(name.utf8).withUnsafeBufferPointer { find($0) } }
}
