// The shared traversal: order, results, skipped nodes, and depth.

import FancyTextBasics
import FancyTextMarkup
import Testing

@Suite struct VisitorTests {
    /// Records its calls, and treats elements by their names.
    private struct Recorder: TreeWalker {
        var events = ""

        mutating func enterRoot(_ node: NodeID, in tree: MarkupTree) -> Descent {
            events += "{"
            return .contents
        }

        mutating func leaveRoot(_ node: NodeID, in tree: MarkupTree) { events += "}" }

        mutating func enterElement(_ node: NodeID, in tree: MarkupTree) -> Descent {
            events += "<" + tree.name(node)
            switch tree.name(node) {
            case "b": return .skip
            case "u": return tree.nextSibling(node).flatMap { tree.nextSibling($0) }.map { .resume($0) } ?? .contents
            default: return .contents
            }
        }

        mutating func leaveElement(_ node: NodeID, in tree: MarkupTree) { events += tree.name(node) + ">" }

        mutating func defaultVisit(_ node: NodeID, in tree: MarkupTree) {
            events += tree.kind(node) == .text ? tree.text(node) : tree.name(node)
        }
    }

    private func events(_ text: String) -> String {
        let tree = MarkupTree.parse(text)
        var recorder = Recorder()
        tree.visit(tree.root, with: &recorder)
        return recorder.events
    }

    @Test(arguments: [
        ("", "{}"),
        ("a<i>b<p></p>c</i>", "{a<ib<pp>ci>}"),
        ("<b>a<i>b</i></b>c", "{<bb>c}"),
        ("<i><u>1<b>2</b></u><s>3</s><q>4</q></i>5", "{<i<uu><q4q>i>5}"),
        ("<i><b>x</b></i>", "{<i<bb>i>}"),
        ("<!doctype x><!--y--><p>z", "{#doctype#comment<html<headhead><body<pzp>body>html>}"),
        ("<p><!--y--><?z></p>", "{<p#comment#instructionp>}"),
    ])
    func nodesComeInOrder(_ text: String, _ expected: String) { #expect(events(text) == expected) }

    @Test func siblingsAreVisitedWithoutTheirParent() throws {
        let tree = MarkupTree.parse("<p>a<i>b</i>c</p>d")
        var recorder = Recorder()
        tree.visit(tree.contents(try #require(tree.firstChild(tree.root))), with: &recorder)
        #expect(recorder.events == "a<ibi>c")
    }

    /// Counts the nodes that are left or have no contents.
    private struct Counter: TreeWalker {
        var count = 0

        mutating func leaveRoot(_ node: NodeID, in tree: MarkupTree) { count += 1 }
        mutating func leaveElement(_ node: NodeID, in tree: MarkupTree) { count += 1 }
        mutating func defaultVisit(_ node: NodeID, in tree: MarkupTree) { count += 1 }
    }

    @Test func depthTakesNoStack() {
        let depth = 100_000
        var options = SyntaxOptions()
        options.limits.treeDepth = depth + 10
        let tree = MarkupTree.parse(String(repeating: "<b>", count: depth) + "x", options: options)
        var counter = Counter()
        tree.visit(tree.root, with: &counter)
        #expect(counter.count == depth + 2)
        let json = tree.json(tree.root)
        #expect(json.suffix(2) == Array("]}".utf8))
        let html = tree.html(tree.root, outer: false)
        #expect(html.count == depth * 7 + 1 && html.suffix(4) == Array("</b>".utf8))
        #expect(tree.textContent(tree.root) == Array("x".utf8))
    }

    // MARK: Restructuring

    /// Writes the expected HTML after some nodes changed.
    private struct Expectation: TreeWalker {
        let changes: [NodeID: NodeChange]
        var html = ""

        init(changes: [NodeID: NodeChange]) { self.changes = changes }

        mutating func enterElement(_ node: NodeID, in tree: MarkupTree) -> Descent {
            if case .insertBefore(let other) = changes[node] { html += other }
            switch changes[node] {
            case nil, .append, .insertBefore, .setText, .setContents: html += "<\(tree.name(node))>"
            case .unwrap, .remove, .replace: break
            }
            switch changes[node] {
            case nil, .append, .insertBefore, .unwrap: return .contents
            case .replace(let other), .setText(let other), .setContents(let other): html += other
            case .remove: break
            }
            return .skip
        }

        mutating func leaveElement(_ node: NodeID, in tree: MarkupTree) {
            if case .append(let other) = changes[node] { html += other }
            switch changes[node] {
            case nil, .append, .insertBefore, .setText, .setContents: html += "</\(tree.name(node))>"
            case .unwrap, .remove, .replace: break
            }
        }

        mutating func visitText(_ node: NodeID, in tree: MarkupTree) {
            switch changes[node] {
            case nil, .append, .setText, .setContents: html += tree.text(node)
            case .remove, .unwrap: break
            case .replace(let other): html += other
            case .insertBefore(let other): html += other + tree.text(node)
            }
        }
    }

    @Test func restructuringIsWhatItSays() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            var html = ""
            var open: [String] = []
            for _ in 0..<Int.random(in: 1...60, using: &generator) {
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: html += "x\(html.count)"
                case 1 where !open.isEmpty: html += "</\(open.removeLast())>"
                default:
                    open.append(["div", "section", "article"].randomElement(using: &generator) ?? "div")
                    html += "<\(open.last ?? "")>"
                }
            }
            var tree = MarkupTree.parse(html)
            let handles = tree.handles(of: (0..<tree.count).map { NodeID($0) })
            var changes: [NodeID: NodeChange] = [:]
            for index in 1..<max(1, tree.count) where Int.random(in: 0..<4, using: &generator) == 0 {
                let kinds: [NodeChange] = [
                    .remove, .unwrap, .replace(html: "<nav>n</nav>!<hr>"), .replace(html: ""),
                    .insertBefore(html: "<i>i</i>"),
                    .setText("text"), .setText(""), .setContents(html: "<b>b</b>c"), .append(html: "d<nav>e</nav>"),
                ]
                changes[NodeID(index)] = kinds.randomElement(using: &generator)
            }
            var expectation = Expectation(changes: changes)
            tree.visit(tree.root, with: &expectation)
            let names = (0..<tree.count).map { tree.name(NodeID($0)) }
            tree.restructure(changes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
            #expect(String(decoding: tree.html(tree.root, outer: false), as: UTF8.self) == expectation.html, "\(html)")
            for (index, handle) in handles.enumerated() {
                guard let node = tree.node(of: handle) else { continue }
                #expect(tree.name(node) == names[index], "\(html)")
            }
            TreeShape.check(tree, html)
        }
    }
}
