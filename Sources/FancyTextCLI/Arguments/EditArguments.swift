// Edits of a document before it is rendered: text, HTML, attributes and classes of elements, removals and additions.
//
// In: options of the command line. Out: edits, in the order in which they are made.

import ArgumentParser
import FancyText
import FancyTextMarkup

struct EditArguments: Arguments {
    @Settings("set", "Set the text of elements, as in '#title=New title'.", value: "selector=text") var setText
    @Settings("set-html", "Set the contents of elements from HTML.", value: "selector=html") var setHTML

    @Settings(
        "set-attr", "Set an attribute of elements, as in 'img.avatar=src=face.png'.",
        value: "selector=name=value")
    var setAttr

    @Settings("add-class", "Add a class to elements.", value: "selector=class") var addClass
    @Settings("append", "Append HTML to elements.", value: "selector=html") var append
    @Settings("remove", "Remove elements.", value: "selector") var remove

    /// The edits in the order of the help: text, HTML, attributes, classes, additions, removals.
    ///
    /// - Throws: if an edit has no selector, or an invalid one.
    func parsed(_ printer: DiagnosticPrinter) throws -> [Edit] {
        func edits(_ option: String, _ entries: [String], _ change: @escaping Edit.Change) throws -> [Edit] {
            try entries.map { entry in
                guard let cut = Self.separator(in: entry) else {
                    throw ValidationError("\(option) needs selector=value, not '\(entry)'.")
                }
                return try Edit(
                    option, String(entry[..<cut]), String(entry[entry.index(after: cut)...]), printer, change)
            }
        }
        let attributes = try setAttr.map { entry in
            guard let cut = Self.separator(in: entry), let second = entry[cut...].dropFirst().firstIndex(of: "=") else {
                throw ValidationError("--set-attr needs selector=name=value, not '\(entry)'.")
            }
            let name = String(entry[entry.index(after: cut)..<second])
            guard AttributeName.isValid(name), !name.contains("<") else {
                throw ValidationError("'\(name)' in --set-attr '\(entry)' is no name of an attribute.")
            }
            return try Edit("--set-attr", String(entry[..<cut]), String(entry[entry.index(after: second)...]), printer)
            {
                for node in $1 { $0.setAttribute(node, name, $2) }
            }
        }
        let classes = try edits("--add-class", addClass) { for node in $1 { $0.addClass(node, $2) } }
        if let entry = addClass.first(where: { $0.last == "=" }) {
            throw ValidationError("--add-class needs selector=class, not '\(entry)'.")
        }
        return try edits("--set", setText) { $0.setText(of: $1, $2) }
            + edits("--set-html", setHTML) { tree, nodes, html in
                tree.restructure(nodes.map { ($0, .setContents(html: html)) })
            }
            + attributes
            + classes
            + edits("--append", append) { tree, nodes, html in
                tree.restructure(nodes.map { ($0, .append(html: html)) })
            }
            + remove.map { try Edit("--remove", $0, "", printer) { tree, nodes, _ in tree.remove(nodes) } }
    }

    /// The first `=` outside of an attribute selector's brackets, or of all if they are not closed: the selector is then invalid.
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
        return depth > 0 ? entry.firstIndex(of: "=") : nil
    }
}

/// One edit of the command line.
struct Edit: Sendable {
    /// Changes elements, which are in document order.
    typealias Change = @Sendable (_ tree: inout MarkupTree, _ nodes: [NodeID], _ value: String) -> Void

    private var option: String
    private var selector: String
    private var query: SelectorQuery
    private var value: String
    private var change: Change

    init(
        _ option: String, _ selector: String, _ value: String, _ printer: DiagnosticPrinter, _ change: @escaping Change
    ) throws {
        self.option = option
        self.selector = selector
        self.value = value
        self.change = change
        query = try SelectorQuery(argument: selector, of: option, printer)
    }

    /// - Throws: if the selector matches nothing.
    func apply(to document: inout Document, named name: String) throws(CommandFailure) {
        let nodes = document.matches(of: query)
        guard !nodes.isEmpty else { throw CommandFailure("\(name): \(option): nothing matches '\(selector)'") }
        document.edit { change(&$0, nodes, value) }
    }
}
