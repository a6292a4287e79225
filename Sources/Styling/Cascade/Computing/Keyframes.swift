// Keyframes (CSS Animations 1 §3). In: the frames of a rule, a progress through them, the element's other declarations. Out: blocks
// of declarations for the cascade's animation level.

import FancyTextCSS

extension KeyframesRule {
    private static let easing = PropertyTable.shared.find("animation-timing-function")

    /// The declarations of the rule at a moment. `below` are those without animations, in ascending order of precedence.
    func blocks(at progress: Double, easing: Easing, below: [RankedBlock]) -> [DeclarationBlock] {
        guard let source = frames.first?.block.source else { return [] }
        var exact: [Declaration] = []
        var mixed: [DeclarationBlock] = []
        var seen: Set<PropertyID> = []
        for property in frames.flatMap({ $0.block.declarations.map(\.property) })
        where property != Self.easing && seen.insert(property).inserted {
            let (from, to, share) = interval(progress, easing) { $0.declarations.contains { $0.property == property } }
            let ends = [from, to].map { frame -> Declaration? in
                let end = frame?.block.declarations.last { $0.property == property }
                // `revert-layer` is the value without animations (CSS Cascade 5 §7.3.5).
                if case .wide(.revertLayer)? = end?.value { return nil }
                return end
            }
            if share != 0, share != 1, let block = mix(ends, of: property, share, below) {
                mixed.append(block)
            } else if let declaration = ends[share < 0.5 ? 0 : 1] {
                exact.append(declaration)
            }
        }
        var customs: [CustomDeclaration] = []
        var names: Set<String> = []
        for name in frames.flatMap({ $0.block.customs.map(\.name) }) where names.insert(name).inserted {
            let (from, to, share) = interval(progress, easing) { $0.customs.contains { $0.name == name } }
            if let custom = (share < 0.5 ? from : to)?.block.customs.last(where: { $0.name == name }) {
                customs.append(custom)
            }
        }
        return [DeclarationBlock(source: source, declarations: exact, customs: customs)] + mixed
    }

    /// The frames before and after a moment that declare a value (`nil` is the style without animation), and the progress between.
    private func interval(
        _ progress: Double, _ easing: Easing, _ declares: (DeclarationBlock) -> Bool
    ) -> (from: Frame?, to: Frame?, share: Double) {
        let declaring = frames.filter { declares($0.block) }
        let from = declaring.last { $0.offset <= progress }
        let to = declaring.first { $0.offset > progress }
        let (start, end) = (from?.offset ?? 0, to?.offset ?? 1)
        guard end > start else { return (from, to, 0) }
        return (from, to, (from.flatMap { Self.easing(of: $0) } ?? easing)((progress - start) / (end - start)))
    }

    /// The easing function from a frame to the next one; `nil` uses the animation's.
    private static func easing(of frame: Frame) -> Easing? {
        guard case .tokens(let range)? = frame.block.declarations.last(where: { $0.property == easing })?.value
        else { return nil }
        var cursor = ValueCursor(frame.block.source, range, context: ValueContext())
        return cursor.easing()
    }

    // MARK: Between two frames

    /// The declaration of a mixed value; `nil` if the values cannot be mixed and change at once.
    private func mix(
        _ ends: [Declaration?], of property: PropertyID, _ share: Double, _ below: [RankedBlock]
    ) -> DeclarationBlock? {
        let values = ends.map { end -> (value: ValueMix.Value, writtenAs: String)? in
            if let end { return value(end, of: frames[0].block.source) }
            for ranked in below.reversed() where !ranked.isImportant {
                if let declared = ranked.block.declarations.last(where: { $0.property == property && !$0.isImportant })
                {
                    return value(declared, of: ranked.block.source)
                }
            }
            let source = CSSSource(property.property.name == "opacity" ? "1" : "none")
            return (ValueMix.Value(source: source, range: 0..<1), property.property.name)
        }
        guard let (from, first) = values[0], let (to, second) = values[1] else { return nil }
        // Two values of the same shorthand make one of that shorthand, of which the longhand's part counts.
        let name = first == second ? first : property.property.name
        func block(_ text: String) -> DeclarationBlock? {
            let block = StylesheetParser.parseInline("\(name):\(text)", context: ValueContext())
            let part = block.declarations.filter { $0.property == property }
            return part.isEmpty ? nil : DeclarationBlock(source: block.source, declarations: part, customs: [])
        }
        if property.property.name == "visibility" {
            return [from, to].contains { $0.text == "visible" } ? block("visible") : nil
        }
        // Integers are rounded if the property accepts nothing else.
        return ValueMix(share: share).mix(from, to).flatMap(block)
            ?? ValueMix(share: share, roundsIntegers: true).mix(from, to).flatMap(block)
    }

    private func value(_ declaration: Declaration, of source: CSSSource) -> (value: ValueMix.Value, writtenAs: String)?
    {
        switch declaration.value {
        case .tokens(let range):
            return (ValueMix.Value(source: source, range: range), declaration.property.property.name)
        case .part(let range, _):
            var name = range.lowerBound - 1
            while name > 0, source.tokens[name].kind == .whitespace || source.tokens[name].kind == .colon { name -= 1 }
            guard name >= 0, source.tokens[name].kind == .ident else { return nil }
            return (ValueMix.Value(source: source, range: range), source.word(of: source.tokens[name]))
        case .initial, .wide, .pending: return nil
        }
    }
}

extension AnimationStyle {
    /// The declarations of an element's animations, in ascending order of precedence. `below` are those without animations.
    func blocks(_ keyframes: [String: KeyframesRule], below: [RankedBlock]) -> [DeclarationBlock] {
        names.indices.flatMap { index -> [DeclarationBlock] in
            guard let name = names[index], let rule = keyframes[name], let progress = progress(index) else { return [] }
            return rule.blocks(at: progress, easing: easings[cycling: index], below: below)
        }
    }
}
