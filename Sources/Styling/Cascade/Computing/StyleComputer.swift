// Cascading and computing (CSS Cascade 5 §6–7, CSS Variables 1). In: declaration blocks in ascending order of precedence, the
// parent's style. Out: one ComputedStyle. Blocks are read from the strongest down; the first declaration of a longhand wins.
// Winners are then computed in the order of their dependencies: variables, fonts, colour, the rest.

import FancyTextBasics
import FancyTextCSS

/// The origin of declarations, weakest first.
enum CascadeLevel: UInt8, Sendable, Comparable {
    case userAgent, customTag, hints
    /// Author rules; includes `<style>` under policy `code`.
    case author
    case inline
    /// Styles of tags and rules given in code, under policy `code`.
    case codeTag, code

    static func < (a: CascadeLevel, b: CascadeLevel) -> Bool { a.rawValue < b.rawValue }
}

struct RankedBlock: Sendable {
    var block: DeclarationBlock
    var level: CascadeLevel
    /// The order of the cascade layer; rules outside of layers have the highest.
    var layer: UInt32 = .max
    /// True if the block takes part with its important declarations, false if with its others.
    var isImportant = false
}

/// The declarations that apply to an element, and the winners among them (CSS Cascade 5 §6), computed once for all elements with
/// the same declarations.
struct MatchedDeclarations: Sendable {
    /// In ascending order of precedence; a block with important declarations occurs twice.
    let blocks: [RankedBlock]
    let hasCustoms: Bool
    /// True if the meaning of flow-relative names depends on the element.
    let setsFlow: Bool
    let usesFontUnits: Bool
    /// In the order of computing; found on first use.
    var winners: [Winner]?
    /// The last distinct style computed from these declarations.
    var lastStyle: StyleID?

    init(_ blocks: [RankedBlock]) {
        self.blocks = blocks
        hasCustoms = blocks.contains { !$0.block.customs.isEmpty }
        setsFlow = blocks.contains { $0.block.setsFlow }
        usesFontUnits = blocks.contains { $0.block.source.usesFontUnits }
    }
}

/// The position of the winning declaration of a property.
struct Winner: Sendable, BitwiseCopyable {
    var rank: ComputingRank
    var block, declaration: Int32
}

extension [Winner] {
    fileprivate subscript(stage: ComputingRank.Stage) -> ArraySlice<Winner> {
        self[partitioningIndex { $0.rank.stage.rawValue >= stage.rawValue }...].prefix { $0.rank.stage == stage }
    }
}

/// Quirks that apply unless a style overrides them, the colour inherited instead of the parent's, and whether the element is at
/// least as high as the canvas (Quirks Mode §3.3–3.4).
typealias ElementQuirks = (box: BoxQuirks, color: Color?, fillsCanvas: Bool)

struct StyleComputer {
    private let environment: ResolverEnvironment
    private let index: RuleIndex
    /// The custom properties that siblings inherit.
    private var inheritance: (from: CustomProperties, to: CustomProperties)?
    /// The root element's font size and line height in CSS pixels; `nil` before they are known.
    var rootFontSize, rootLineHeight: Double?
    /// The bases of container units for the next element; nil is the viewport's.
    var containerUnits = ContainerUnits()
    /// The fonts of elements whose declarations may use their units, in the order of the document: fonts are numbered by it.
    var fontsOfUnits: [FontStyle] = []
    private var knownFontsOfUnits: Set<FontStyle> = []
    /// For each longhand, the pass in which its winner was found.
    private var wonIn: [UInt32]
    private var pass: UInt32 = 0
    /// For properties with `revert` or `revert-layer`, the level and the layer of which weaker declarations remain.
    private var limits: [PropertyID: (level: CascadeLevel, layer: UInt64)] = [:]
    /// The winners found during the current pass.
    private var winners: [Winner] = []
    private let initial: StyleValues

    private(set) var account: ByteAccount

    init(_ environment: ResolverEnvironment, _ index: RuleIndex, sourceBytes: Int) {
        (self.environment, self.index) = (environment, index)
        initial = StyleValues(environment.initial)
        account = ByteAccount(environment.options.limits[.substitutedText] + 16 * sourceBytes)
        wonIn = Array(repeating: 0, count: PropertyTable.shared.rows.count)
    }

    private static let lineHeight = PropertyTable.shared.find("line-height")
    private static let zoom = PropertyTable.shared.find("zoom")
    private static let fontSize = PropertyTable.shared.find("font-size")
    private static let marginTop = PropertyTable.shared.find("margin-top")
    private static let marginBottom = PropertyTable.shared.find("margin-bottom")

    /// Adds the declarations of animations, which win over normal ones only (CSS Cascade 5 §6.2); `nil` if none has an effect.
    private func animated(_ blocks: [RankedBlock], _ animation: AnimationStyle) -> [RankedBlock]? {
        let added = animation.blocks(index.keyframes, below: blocks).filter { !$0.isEmpty }
        guard !added.isEmpty else { return nil }
        let level = blocks.last { !$0.isImportant && $0.block.declaresAnimation }?.level ?? .inline
        let place =
            level >= .codeTag
            ? blocks.lastIndex { !$0.isImportant && $0.level >= .codeTag }.map { $0 + 1 }
            : blocks.firstIndex { $0.isImportant || $0.level >= .codeTag }
        var result = blocks
        result.insert(
            contentsOf: added.map { RankedBlock(block: $0, level: max(level, .inline)) }, at: place ?? blocks.endIndex)
        return result
    }

    private func context(_ parent: ComputedStyle) -> ValueContext {
        var context = environment.context
        context.isDark = parent.inherited.prefersDark ?? false
        context.parentFontSize = Double(parent.font.size)
        context.parentWeight = Double(parent.font.weight)
        context.parentAlign = parent.text.align
        context.parentIsRightToLeft = parent.text.direction == .rtl
        context.fontSize = context.parentFontSize
        context.rootFontSize = rootFontSize ?? context.parentFontSize
        context.currentColor = parent.text.color
        context.lineHeight = parent.text.lineHeight.pixels(context.parentFontSize)
        context.rootLineHeight = rootLineHeight ?? context.rootFontSize * 1.2
        context.containerWidth = containerUnits.width ?? context.viewportWidth
        context.containerHeight = containerUnits.height ?? context.viewportHeight
        context.zoom = Double(parent.inherited.zoom)
        return context
    }

    /// - Parameter isAnimated: True if the declarations include those of animations.
    mutating func compute(
        _ matched: inout MatchedDeclarations, parent: ComputedStyle, isRoot: Bool = false,
        quirks: ElementQuirks? = nil, isAnimated: Bool = false
    ) -> ComputedStyle {
        var values = StyleValues(inheritingFrom: parent)
        if let color = quirks?.color { values.text.color = color }
        var context = context(parent)

        let blocks = matched.blocks
        if !index.registered.isEmpty { inheritCustoms(parent, &values) }
        if matched.hasCustoms { collectCustoms(blocks, parent, &values, context) }
        if matched.winners == nil || matched.setsFlow {
            matched.winners = findWinners(blocks, matched.setsFlow, parent, context, &values)
        }
        guard let winners = matched.winners else { return parent }
        context.isVertical = values.text.writingMode.isVertical

        if matched.usesFontUnits { useUnits(of: parent.font, parent.text, &context) }
        // The family decides the default size, so it is computed before the size.
        for winner in winners[.fonts] {
            let property = winner.rank.property
            if property == Self.fontSize {
                context.mediumSize = mediumSize(isMonospace: values.inherited.isMonospace) * context.zoom
            }
            apply(winner, blocks, &values, parent, context)
            if property == Self.zoom {
                context.parentFontSize *= Double(values.inherited.zoom) / context.zoom
                context.zoom = Double(values.inherited.zoom)
            }
        }
        adjustMonospace(&values, parent)
        context.fontSize = Double(values.font.size)
        let family = values.font.families.first
        if family == .generic(.monospace) || family == .named("DejaVu Sans Mono") {
            // The units of the embedded font, DejaVu Sans Mono.
            (context.exRatio, context.chRatio) = (1120.0 / 2048, 1233.0 / 2048)
        }
        if matched.usesFontUnits { useUnits(of: values.font, values.text, &context) }
        if isRoot { context.rootFontSize = context.fontSize / context.zoom }
        context.isDark = values.inherited.prefersDark ?? false
        context.lineHeight = values.text.lineHeight.pixels(context.fontSize)
        if matched.hasCustoms, !index.registered.isEmpty {
            values.inherited.customProperties = index.registered.computed(
                values.inherited.customProperties, inheriting: parent.inherited.customProperties, context,
                from: &account)
        }
        // The initial colour depends on the colour scheme (CSS Color 4 §3.1).
        if isRoot, context.isDark { values.text.color = .white }
        for winner in winners[.color] { apply(winner, blocks, &values, parent, context) }
        context.currentColor = values.text.color
        for winner in winners[.inherited] {
            let isLineHeight = winner.rank.property == Self.lineHeight
            // `lh` refers to the parent's line height in this property (CSS Values 4 §6.1.1).
            if isLineHeight { context.lineHeight = parent.text.lineHeight.pixels(Double(parent.font.size)) }
            apply(winner, blocks, &values, parent, context)
            if isLineHeight { context.lineHeight = values.text.lineHeight.pixels(context.fontSize) }
        }
        values.finishInherited(parent: parent, index.featureValues)

        if context.zoom != 1 {
            values.own.borderWidth = Sides(3 * values.inherited.zoom)
            values.own.outlineWidth = 3 * values.inherited.zoom
            values.box.zoom = values.inherited.zoom
        }
        for winner in winners[.own] { apply(winner, blocks, &values, parent, context) }
        values.finishOwn(parent: parent)
        // The root element always has a box (CSS Display 3 §2.8).
        if isRoot, values.box.display == .contents || values.box.display == .inline { values.box.display = .block }
        if let quirks { finish(quirks, winners, blocks, &values) }
        let style = ComputedStyle(consume values)
        guard !isAnimated, !index.keyframes.isEmpty, !style.groups.own.value.$animation,
            let added = animated(blocks, style.groups.own.value.animation)
        else { return style }
        var animated = MatchedDeclarations(added)
        return compute(&animated, parent: parent, isRoot: isRoot, quirks: quirks, isAnimated: true)
    }

    /// - Parameter values: Receives the properties of the flow, if they are declared.
    private mutating func findWinners(
        _ blocks: [RankedBlock], _ setsFlow: Bool, _ parent: ComputedStyle, _ context: ValueContext,
        _ values: inout StyleValues
    ) -> [Winner] {
        // Flow-relative names depend on the flow, so it is computed first.
        if setsFlow {
            for property in DeclarationBlock.flowProperties {
                collect(blocks, only: property, 0)
                if let winner = winners.last { apply(winner, blocks, &values, parent, context) }
            }
        }
        collect(blocks, only: nil, flowIndex(values.text.writingMode, values.text.usedDirection))
        return winners.sorted { $0.rank < $1.rank }
    }

    private func finish(
        _ quirks: ElementQuirks, _ winners: [Winner], _ blocks: [RankedBlock],
        _ values: inout StyleValues
    ) {
        var box = quirks.box
        for winner in winners[.own] {
            guard blocks[Int(winner.block)].level != .userAgent else { continue }
            if winner.rank.property == Self.marginTop { box.subtract(.marginTop) }
            if winner.rank.property == Self.marginBottom { box.subtract(.marginBottom) }
        }
        values.box.quirks = box
        if quirks.fillsCanvas { values.box.fillCanvas() }
    }

    /// The style of a first letter from the baseline of the last of its lines to the capitals of the first (CSS Inline 3 §5.2).
    mutating func enlarged(_ letter: ComputedStyle, parent: ComputedStyle) -> ComputedStyle {
        guard !letter.box.$lineEdges, let initial = letter.box.lineEdges.initialLetter else { return letter }
        func cap(_ font: FontStyle) -> Double {
            var context = environment.context
            useUnits(of: font, parent.text, &context)
            return context.capRatio
        }
        let size = Double(parent.font.size)
        let height = Double(initial.size - 1) * parent.text.lineHeight.pixels(size) + cap(parent.font) * size
        var (font, box) = (letter.font, letter.box)
        font.size = ValueCursor.clamped(height / max(0.1, cap(font)))
        box.float = parent.text.direction == .rtl ? .right : .left
        box.display = .block
        return ComputedStyle(font: font, text: letter.text, box: box)
    }

    private mutating func useUnits(of font: FontStyle, _ text: TextStyle, _ context: inout ValueContext) {
        if knownFontsOfUnits.insert(font).inserted { fontsOfUnits.append(font) }
        let ratios = environment.options.media.fontUnits[font]
        if let ratios { (context.exRatio, context.chRatio, context.capRatio) = (ratios.ex, ratios.ch, ratios.cap) }
        if text.writingMode.isVertical, text.orientation == .upright { context.chRatio = ratios?.uprightCh ?? 1 }
    }

    /// The font size of `medium` in CSS pixels.
    private func mediumSize(isMonospace: Bool) -> Double {
        Double(isMonospace ? environment.options.defaultMonospaceSize : environment.options.defaultSize)
    }

    /// Applies the default size of generic monospace to sizes that do not come from a length, as browsers do.
    private func adjustMonospace(_ values: inout StyleValues, _ parent: ComputedStyle) {
        guard !values.groups.inherited.isShared(with: parent.groups.inherited),
            values.inherited.isMonospace != parent.inherited.isMonospace
        else { return }
        switch values.inherited.sizeOrigin {
        case .keyword(let keyword):
            values.font.size = ValueCursor.size(
                ofKeyword: keyword, medium: mediumSize(isMonospace: values.inherited.isMonospace))
        case .relative:
            let factor = Float(mediumSize(isMonospace: true) / mediumSize(isMonospace: false))
            values.font.size *= values.inherited.isMonospace ? factor : 1 / factor
        case .absolute: break
        }
    }

    // MARK: The cascade

    private mutating func collect(_ blocks: [RankedBlock], only: PropertyID?, _ flow: Int) {
        winners.removeAll(keepingCapacity: true)
        pass &+= 1
        if !limits.isEmpty { limits.removeAll(keepingCapacity: true) }
        let table = PropertyTable.physical(flow)
        for index in blocks.indices.reversed() {
            let isImportant = blocks[index].isImportant
            let block = blocks[index].block
            guard isImportant ? block.hasImportant : block.hasNormal else { continue }
            let (level, layer) = (blocks[index].level, blocks[index].layer)
            let declarations = block.declarations
            for position in declarations.indices.reversed() where declarations[position].isImportant == isImportant {
                let declared = declarations[position].property
                if let only, declared != only { continue }
                let property = PropertyID(Int(table[Int(declared.index)]))
                guard wonIn[Int(property.index)] != pass else { continue }
                if !limits.isEmpty, let limit = limits[property], (level, UInt64(layer)) >= limit { continue }
                if case .wide(.revert) = declarations[position].value {
                    // `revert` skips author declarations and hints; the default sheet and custom tags remain.
                    limits[property] = (level > .customTag ? .customTag : .userAgent, .max)
                    if level == .userAgent { wonIn[Int(property.index)] = pass }
                    continue
                }
                if case .wide(.revertLayer) = declarations[position].value {
                    limits[property] = (level, UInt64(layer))
                    continue
                }
                wonIn[Int(property.index)] = pass
                winners.append(
                    Winner(
                        rank: PropertyTable.shared.ranks[Int(property.index)], block: Int32(truncatingIfNeeded: index),
                        declaration: Int32(truncatingIfNeeded: position)))
            }
        }
    }

    // MARK: Values

    private mutating func apply(
        _ winner: Winner, _ blocks: [RankedBlock], _ values: inout StyleValues, _ parent: ComputedStyle,
        _ context: ValueContext
    ) {
        let block = blocks[Int(winner.block)].block
        _ = apply(
            block.declarations[Int(winner.declaration)].value, of: block.source, winner.rank.property, &values, parent,
            context)
    }

    /// Returns false if the value is invalid.
    private mutating func apply(
        _ value: Declaration.Value, of source: CSSSource, _ property: PropertyID, _ values: inout StyleValues,
        _ parent: ComputedStyle, _ context: ValueContext
    ) -> Bool {
        guard case .longhand(let read, let copy) = property.property.kind else { return false }
        let context = context.reading(property)
        func unset() { copy(&values, property.property.inherited ? StyleValues(parent) : initial) }
        func take(_ range: Range<Int>, _ read: Property.Reader) -> Bool {
            var cursor = ValueCursor(source, range, context: context)
            return read(&cursor, &values)
        }
        switch value {
        case .tokens(let range): return take(range, read)
        case .part(let range, let reader): return take(range, reader)
        case .initial, .wide(.initial): copy(&values, initial)
        case .wide(.inherit): copy(&values, StyleValues(parent))
        case .wide(.unset), .wide(.revert), .wide(.revertLayer): unset()
        case .pending(let range, let writtenAs):
            let resolver = VariableResolver(values.inherited.customProperties)
            let text = resolver.substitute(source, range, from: &account)
            if let text, applySubstituted(text, property, writtenAs, &values, parent, context) {
                // The substituted text has no position, so the feature gets that of the declaration.
                let (name, inherited) = (property.property.name, property.property.inherited)
                if property.property.effect == .missing, values.missing(name, inherited: inherited) != nil {
                    values.setMissing(name, inherited: inherited, MissingFeature(name, source, range))
                }
                if values.own.picture[name] != nil {
                    values.own.picture[ComputedStyle.unsubstituted + name] = source.text(range)
                }
                return true
            }
            // Invalid at computed-value time (CSS Variables 1 §3.1).
            unset()
            // Frameworks leave variables without a value, or empty, for this effect. Comments separate the parts of a text.
            if text?.allSatisfy({ $0 <= 0x20 || $0 == 0x2F || $0 == 0x2A }) != true {
                let declaration = "\(writtenAs.property.name): \(source.text(range))"
                let reason = text == nil ? MissingFeature.Reason.emptyVariable : .invalidVariables
                values.setMissing(declaration, inherited: false, MissingFeature(declaration, source, range, reason))
            }
        }
        return true
    }

    private mutating func applySubstituted(
        _ text: [UInt8], _ property: PropertyID, _ writtenAs: PropertyID, _ values: inout StyleValues,
        _ parent: ComputedStyle, _ context: ValueContext
    ) -> Bool {
        // Parses the value as if it had been written in the declaration.
        let source = CSSSource(Array("\(writtenAs.property.name):".utf8) + text)
        var reader = DeclarationReader(source, context: context)
        reader.read(source.tokens.indices)
        let block = reader.takeBlock()
        let flow = flowIndex(values.text.writingMode, values.text.direction)
        guard let value = block.declarations.last(where: { $0.property.physical(flow) == property })?.value
        else { return false }
        if case .pending = value { return false }
        return apply(value, of: source, property, &values, parent, context)
    }

    // MARK: Custom properties

    private mutating func collectCustoms(
        _ blocks: [RankedBlock], _ parent: ComputedStyle, _ values: inout StyleValues, _ context: ValueContext
    ) {
        var declared: [String: CustomValue?] = [:]
        for ranked in blocks {
            for custom in ranked.block.customs where custom.isImportant == ranked.isImportant {
                guard let keyword = custom.wide else {
                    declared[custom.name] = .some(CustomValue(source: ranked.block.source, range: custom.value))
                    continue
                }
                let rule = index.registered.byName[custom.name]
                let isReset = keyword == .initial || rule?.inherits == false && keyword != .inherit
                declared[custom.name] = .some(
                    isReset ? rule?.initial : parent.inherited.customProperties.values[custom.name])
            }
        }
        let base = values.inherited.customProperties
        var merged = VariableResolver(base).merging(declared, from: &account)
        if !index.registered.isEmpty {
            merged = index.registered.checked(merged, declared: declared.keys, inheriting: base, context)
        }
        values.inherited.customProperties = merged
    }

    /// Begins with what registrations leave of the parent's.
    private mutating func inheritCustoms(_ parent: ComputedStyle, _ values: inout StyleValues) {
        let from = parent.inherited.customProperties
        if inheritance?.from !== from { inheritance = (from, index.registered.inheriting(from)) }
        if let to = inheritance?.to, to !== from { values.inherited.customProperties = to }
    }
}
