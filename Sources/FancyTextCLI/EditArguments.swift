// Edits of a document before it is rendered (SPEC Y6): text, HTML and classes of elements, removals and additions.

import ArgumentParser
import FancyText

struct EditArguments: DirectArguments {
    @Option(
        name: .customLong("set"),
        help: ArgumentHelp(
            "Set the text of elements, as in '#title=New title'. Repeatable.", valueName: "selector=text"))
    var setText: [String] = []

    @Option(
        name: .customLong("set-html"),
        help: ArgumentHelp("Set the contents of elements from HTML. Repeatable.", valueName: "selector=html"))
    var setHTML: [String] = []

    @Option(help: ArgumentHelp("Add a class to elements. Repeatable.", valueName: "selector=class"))
    var addClass: [String] = []

    @Option(help: ArgumentHelp("Append HTML to elements. Repeatable.", valueName: "selector=html"))
    var append: [String] = []

    @Option(help: ArgumentHelp("Remove elements. Repeatable.", valueName: "selector"))
    var remove: [String] = []

    mutating func bind(_ given: inout GivenArguments) {
        setText = given.options("set")
        setHTML = given.options("set-html")
        addClass = given.options("add-class")
        append = given.options("append")
        remove = given.options("remove")
    }

    var isEmpty: Bool { setText.isEmpty && setHTML.isEmpty && addClass.isEmpty && append.isEmpty && remove.isEmpty }

    /// Makes the edits in the order of the help: text, HTML, classes, additions, removals.
    ///
    /// - Throws: when a selector is not one, or matches nothing.
    func apply(to document: inout Document, printer: DiagnosticPrinter) throws {
        for entry in setText { try edit(entry, "--set", &document, printer) { $0.setText($2, of: $1) } }
        for entry in setHTML { try edit(entry, "--set-html", &document, printer) { $0.setHTML($2, of: $1) } }
        for entry in addClass { try edit(entry, "--add-class", &document, printer) { $0.addClass($2, to: $1) } }
        for entry in append { try edit(entry, "--append", &document, printer) { $0.append($2, to: $1) } }
        for selector in remove {
            let nodes = try matches(selector, "--remove", document, printer)
            for node in nodes.reversed() { document.remove(node) }
        }
    }

    private func edit(
        _ entry: String, _ option: String, _ document: inout Document, _ printer: DiagnosticPrinter,
        _ change: (inout Document, NodeID, String) -> Void
    ) throws {
        guard let cut = Self.separator(in: entry) else {
            throw CommandFailure("\(option) needs selector=value, not '\(entry)'")
        }
        let value = String(entry[entry.index(after: cut)...])
        // From the end, so that the ids of the matches before stay.
        for node in try matches(String(entry[..<cut]), option, document, printer).reversed() {
            change(&document, node, value)
        }
    }

    /// The first `=` outside of an attribute selector's brackets.
    private static func separator(in entry: String) -> String.Index? {
        var depth = 0
        for index in entry.indices {
            switch entry[index] {
            case "[", "(": depth += 1
            case "]", ")": depth -= 1
            case "=" where depth <= 0: return index
            default: break
            }
        }
        return nil
    }

    private func matches(
        _ selector: String, _ option: String, _ document: Document, _ printer: DiagnosticPrinter
    ) throws -> [NodeID] {
        let nodes: [NodeID]
        do {
            nodes = try document.select(selector)
        } catch {
            printer.print(selector: selector, error)
            throw ExitCode(ExitStatus.failure.rawValue)
        }
        guard !nodes.isEmpty else { throw CommandFailure("\(option): nothing matches '\(selector)'") }
        return nodes
    }
}
