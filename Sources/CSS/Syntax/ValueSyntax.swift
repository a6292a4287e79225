// Value definition syntax (CSS Values 4 §2), executed: checks values that have no effect here. In: a syntax and a cursor. Out:
// whether the value matches. The first alternative that matches wins, so longer ones come first in the table.

import FancyTextBasics

package struct ValueSyntax: Sendable {
    private indirect enum Node: Sendable {
        case keyword(String)
        case type(String, minimum: Double)
        case sequence([Node])
        case oneOf([Node])
        case anyOf([Node])
        case repeated(Node, ClosedRange<Int>, commas: Bool)
    }

    private let root: Node

    package init(_ text: String) {
        var words = text.split(separator: " ").map(String.init)[...]
        root = Self.parse(&words)
    }

    package func matches(_ cursor: inout ValueCursor) -> Bool { Self.match(root, &cursor) && cursor.isAtEnd }

    // MARK: Reading the syntax

    private static func parse(_ words: inout ArraySlice<String>) -> Node {
        // Precedence from loose to tight: `|`, `||`, juxtaposition.
        func level(_ separators: ArraySlice<String>) -> Node {
            guard let separator = separators.first else {
                var nodes: [Node] = []
                while let word = words.first, word != "|", word != "||", !word.hasPrefix("]") { nodes.append(unit()) }
                return nodes.count == 1 ? nodes[0] : .sequence(nodes)
            }
            var nodes = [level(separators.dropFirst())]
            while words.first == separator {
                words.removeFirst()
                nodes.append(level(separators.dropFirst()))
            }
            if nodes.count == 1 { return nodes[0] }
            return separator == "|" ? .oneOf(nodes) : .anyOf(nodes)
        }
        func unit() -> Node {
            let word = words.removeFirst()
            if word == "[" {
                let inner = level(["|", "||"])
                let suffix = words.isEmpty ? "" : String(words.removeFirst().dropFirst())
                return multiplied(inner, suffix)
            }
            if word.hasPrefix("<"), let close = word.lastIndex(of: ">") {
                let body = word[word.index(after: word.startIndex)..<close]
                let type = Node.type(
                    String(body.prefix { $0 != "[" }), minimum: body.hasSuffix("[0,∞]") ? 0 : -.infinity)
                return multiplied(type, String(word[word.index(after: close)...]))
            }
            let name = word.prefix { $0.isLetter || $0.isNumber || $0 == "-" }
            return multiplied(.keyword(name.lowercased()), String(word.dropFirst(name.count)))
        }
        return level(["|", "||"])
    }

    private static func multiplied(_ node: Node, _ suffix: String) -> Node {
        if suffix.isEmpty { return node }
        if suffix == "?" { return .repeated(node, 0...1, commas: false) }
        if suffix == "+" || suffix == "#" { return .repeated(node, 1...10_000, commas: suffix == "#") }
        let numbers = suffix.split { !$0.isNumber }.compactMap { Int($0) }
        return .repeated(node, (numbers.first ?? 1)...(numbers.last ?? 1), commas: suffix.hasPrefix("#"))
    }

    // MARK: Matching

    private static func match(_ node: Node, _ cursor: inout ValueCursor) -> Bool {
        let start = cursor.index
        if matchParts(of: node, &cursor) { return true }
        cursor.rewind(to: start)
        return false
    }

    /// Matches a node; the cursor may be anywhere if it does not.
    private static func matchParts(of node: Node, _ cursor: inout ValueCursor) -> Bool {
        switch node {
        case .keyword(let word): return cursor.ident()?.asciiLowercased() == word
        case .type(let name, let minimum): return type(name, minimum, &cursor)
        case .sequence(let nodes): return nodes.allSatisfy { match($0, &cursor) }
        case .oneOf(let nodes): return nodes.contains { match($0, &cursor) }
        case .anyOf(let nodes):
            var left = Array(nodes.indices)
            while let found = left.firstIndex(where: { index in
                let before = cursor.index
                return match(nodes[index], &cursor) && cursor.index > before
            }) {
                left.remove(at: found)
            }
            return left.count < nodes.count
        case .repeated(let inner, let range, let commas):
            var count = 0
            while count < range.upperBound {
                let before = cursor.index
                if commas, count > 0, !cursor.comma() { break }
                guard match(inner, &cursor), cursor.index > before else {
                    cursor.rewind(to: before)
                    break
                }
                count += 1
            }
            return count >= range.lowerBound
        }
    }

    /// The transform functions; their arguments are not checked.
    private static let transforms: Set = [
        "matrix", "matrix3d", "translate", "translatex", "translatey", "translatez", "translate3d", "scale", "scalex",
        "scaley", "scalez", "scale3d", "rotate", "rotatex", "rotatey", "rotatez", "rotate3d", "skew", "skewx", "skewy",
        "perspective",
    ]

    private static func type(_ name: String, _ minimum: Double, _ cursor: inout ValueCursor) -> Bool {
        switch name {
        case "length": return cursor.length(atLeast: minimum) != nil
        case "length-percentage": return cursor.lengthPercentage(atLeast: minimum) != nil
        case "percentage": return cursor.percentage(atLeast: minimum) != nil
        case "number": return cursor.number(atLeast: minimum) != nil
        case "integer": return cursor.integer() != nil
        case "angle": return cursor.angle() != nil
        case "color": return cursor.color() != nil
        case "string": return cursor.string() != nil
        case "url": return cursor.url() != nil
        case "image": return cursor.image() != nil
        case "custom-ident": return cursor.customIdent() != nil
        case "time": return cursor.time() != nil
        case "transform-function", "any-function":
            guard let function = cursor.functionName, name == "any-function" || transforms.contains(function)
            else { return false }
            cursor.skipComponent()
            return true
        case "any-value":
            guard !cursor.isAtEnd else { return false }
            cursor.skipToEnd()
            return true
        default: return false
        }
    }
}
