// `fancytext schema`: the JSON Schema of a command's output.
//
// In: a command's name. Out: a schema on standard output.

import ArgumentParser
import FancyText

struct SchemaCommand: ParsableCommand, DirectArguments {
    static let name = "schema"
    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Print the JSON Schema (draft 2020-12) of what a command prints as JSON.",
        discussion: """
            EXAMPLES
              fancytext schema render > render.schema.json
              fancytext schema diagnostics
            \(HelpSections.common)
            """)

    @Argument(
        help: ArgumentHelp("Whose JSON: \(SchemaName.listed).", valueName: "name"), completion: SchemaName.completion)
    var subject: String

    @OptionGroup(title: "Configuration") var defaults: ConfigurationArguments

    mutating func bind(_ given: inout GivenArguments) {
        subject = given.argument()
        defaults = given.group(defaults)
    }

    func run() throws {
        guard let schema = try OptionText("<name>", subject).choice(SchemaName.self) else { return }
        try OutputSink.write(Array((schema.text + "\n").utf8))
    }
}
