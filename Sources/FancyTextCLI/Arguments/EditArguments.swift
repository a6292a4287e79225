// Edits of a document before it is rendered: text, HTML, attributes and classes of elements, removals and additions.
// In: options of the command line. Out: edits, in the order in which they are made.

import ArgumentParser
import FancyText
import FancyTextMarkup

struct EditArguments: Arguments {
    @Settings("set", "Set the text of elements, as in '#title=New title'.", value: "selector=text") var setText
    @Settings("set-html", "Set the contents of elements from HTML.", value: "selector=html") var setHTML

    @Settings(
        "set-attr", "Set an attribute of elements, as in 'img.avatar=src=face.png'.", value: "selector=name=value")
    var setAttr

    @Settings("add-class", "Add a class to elements.", value: "selector=class") var addClass
    @Settings("append", "Append HTML to elements.", value: "selector=html") var append
    @Settings("remove", "Remove elements.", value: "selector") var remove

    /// The edits in the order of the help: text, HTML, attributes, classes, additions, removals.
    func parsed(_ printer: DiagnosticPrinter) throws -> [Edit] {
        func edits(
            _ option: String, _ entries: [String], needs form: String = "selector=value",
            _ change: (_ value: String, _ entry: String) throws -> Edit.Change?
        ) throws -> [Edit] {
            try entries.map { entry in
                guard let cut = Self.separator(in: entry),
                    let change = try change(String(entry[cut...].dropFirst()), entry)
                else { throw ValidationError("\(option) needs \(form), not '\(entry)'.") }
                return try Edit(option, String(entry[..<cut]), printer, change)
            }
        }
        func inserted(_ html: String, _ option: String, as change: NodeChange) throws -> Edit.Change {
            try Self.checkTags(of: html, option)
            return { $0.restructure($1.map { ($0, change) }) }
        }
        let attributes = try edits("--set-attr", setAttr, needs: "selector=name=value") { rest, entry in
            guard let cut = rest.firstIndex(of: "=") else { return nil }
            let (name, value) = (String(rest[..<cut]), String(rest[cut...].dropFirst()))
            guard AttributeName.isValid(name), !name.contains("<")
            else { throw ValidationError("'\(name)' in --set-attr '\(entry)' is no name of an attribute.") }
            return { for node in $1 { $0.setAttribute(node, name, value) } }
        }
        let classes = try edits("--add-class", addClass, needs: "selector=class, without a dot") { name, _ in
            guard let first = name.first, first != "." else { return nil }
            return { for node in $1 { $0.addClass(node, name) } }
        }
        return try edits("--set", setText) { text, _ in { $0.setText(of: $1, text) } }
            + edits("--set-html", setHTML) { html, _ in try inserted(html, "--set-html", as: .setContents(html: html)) }
            + attributes + classes
            + edits("--append", append) { html, _ in try inserted(html, "--append", as: .append(html: html)) }
            + remove.map { try Edit("--remove", $0, printer) { $0.remove($1) } }
    }

    /// Refuses HTML with a tag or comment that is not closed: the end of a text would be lost in it.
    private static func checkTags(of html: String, _ option: String) throws {
        var log = DiagnosticLog()
        _ = MarkupTree.parse(Array(html.utf8), log: &log)
        guard let place = log.entries.first(where: { $0.code == .notWellFormed })?.location else { return }
        // The text of a style or script may end with the value.
        let line = html.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(place.line - 1).first
        guard line?.dropFirst(place.column - 1).first == "<" else { return }
        throw ValidationError(
            "\(option) '\(html)': the tag or comment at line \(place.line), column \(place.column) is not closed.")
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

struct Edit: Sendable {
    /// Changes elements, which are in document order.
    typealias Change = @Sendable (_ tree: inout MarkupTree, _ nodes: [NodeID]) -> Void

    private var option: String
    private var selector: String
    private var query: SelectorQuery
    private var change: Change

    init(_ option: String, _ selector: String, _ printer: DiagnosticPrinter, _ change: @escaping Change) throws {
        (self.option, self.selector, self.change) = (option, selector, change)
        query = try SelectorQuery(argument: selector, of: option, printer)
    }

    /// - Throws: if the selector matches nothing, or an element without contents is to get some.
    func apply(to document: inout Document, named name: String) throws(CommandFailure) {
        let nodes = document.matches(of: query)
        guard !nodes.isEmpty else {
            let hasID = document.node(withID: selector) != nil
            let advice = hasID ? "; '#\(selector)' is the element with this id" : ""
            throw CommandFailure("\(name): \(option): nothing matches '\(selector)'\(advice)")
        }
        if ["--set", "--set-html", "--append"].contains(option), let void = nodes.first(where: document.tree.isVoid) {
            throw CommandFailure(
                "\(name): \(option): '\(document.tree.name(void))' has no contents; --set-attr sets its attributes")
        }
        document.edit { change(&$0, nodes) }
    }
}
