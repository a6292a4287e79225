// Container queries (CSS Conditional 5 §4): conditions of rules that depend on an ancestor of the element that they style. The
// media query evaluator reads the condition; this file finds out which container it is about.

import FancyTextCSS

final class ContainerQuery: Sendable {
    /// The name that the container must have; nil for any.
    let name: String?
    /// The axes whose sizes the condition queries. Without any, each element is a container.
    let asksForWidth, asksForHeight: Bool
    /// The condition of the rule around this one, which must hold too.
    let outer: ContainerQuery?
    private let source: CSSSource
    private let range: Range<Int>

    init?(_ source: CSSSource, _ prelude: Range<Int>, outer: ContainerQuery?) {
        var cursor = ValueCursor(source, prelude, context: ValueContext())
        guard !cursor.isAtEnd else { return nil }
        name = cursor.customIdent(except: ContainerStyle.reservedNames)
        (self.source, self.outer) = (source, outer)
        range = cursor.index..<prelude.upperBound
        var features: Set<String> = []
        var index = range.lowerBound
        while index < range.upperBound {
            let token = source.tokens[index]
            // Names in `style()` are those of properties.
            index = token.kind == .function ? Int(token.match) + 1 : index + 1
            guard token.kind == .ident else { continue }
            var feature = source.word(of: token)
            if feature.hasPrefix("min-") || feature.hasPrefix("max-") { feature.removeFirst(4) }
            features.insert(feature)
        }
        asksForWidth = !features.isDisjoint(with: ["width", "inline-size", "aspect-ratio", "orientation"])
        asksForHeight = !features.isDisjoint(with: ["height", "block-size", "aspect-ratio", "orientation"])
    }

    var asksForSize: Bool { asksForWidth || asksForHeight }

    /// Returns whether an element with a style is a container that the query is about (CSS Conditional 5 §4.1).
    func isAbout(_ container: ContainerStyle) -> Bool {
        if let name, !container.names.contains(name) { return false }
        return switch container.type {
        case .normal: !asksForSize
        case .inlineSize: !asksForHeight
        case .size: true
        }
    }

    /// Evaluates the condition in a container of a size, if that is known, without the condition of the rule around it.
    func holds(in container: ComputedStyle, _ size: ContainerSize?, _ media: MediaEnvironment) -> Bool {
        if asksForSize, size == nil { return false }
        var evaluator = MediaQueryEvaluator(media)
        evaluator.container = (size ?? ContainerSize(width: 0, height: 0), container.inherited.customProperties)
        evaluator.context.fontSize = Double(container.font.size)
        return evaluator.holds(source, range) ?? false
    }

    /// A Boolean value that indicates whether the condition can be read and asks only for features that exist.
    func isUnderstood(by evaluator: MediaQueryEvaluator) -> Bool {
        var evaluator = evaluator
        evaluator.container = (ContainerSize(width: 0, height: 0), .none)
        return evaluator.holds(source, range) != nil
    }
}
