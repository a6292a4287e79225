// `fancytext schema`: the JSON Schema of a command's output.
//
// In: a command's name. Out: a schema on standard output.

import ArgumentParser
import FancyText

struct SchemaCommand: Command {
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

    @Operand("name", "Whose JSON: \(SchemaName.listed).", choices: SchemaName.listed) var subject
    @Group("Configuration") var defaults: ConfigurationArguments

    func run() throws {
        guard let schema = try _subject.choice(SchemaName.self) else { return }
        try OutputSink.write(schema.text)
    }
}
