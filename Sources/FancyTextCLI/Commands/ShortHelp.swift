// The short help: what a command does, instead of a silent wait or of every option.

import ArgumentParser
import FancyText
import Glibc

/// `-h`: what a command does, its usage and examples; `--help` adds every option.
struct ShortHelp: Error {
    let text: String

    init(command: any ParsableCommand.Type) {
        let isRoot = command == FancyTextCommand.self
        let usage = isRoot ? "fancytext <command> [options] [file …]" : "fancytext \(command.usageString())"
        text = """
            \(command.configuration.abstract)

            USAGE: \(usage)

            \(command.configuration.discussion)

            All options: \(isRoot ? "fancytext --help" : "fancytext \(command._commandName) --help")

            """
    }

    /// The help that `-h`, or no argument at all, asks for; nil when it is not asked for.
    init?(asked arguments: [String]) {
        guard arguments.isEmpty || arguments.prefix(while: { $0 != "--" }).contains("-h") else { return nil }
        let named = FancyTextCommand.configuration.subcommands.first { $0._commandName == arguments.first }
        self.init(command: named ?? FancyTextCommand.self)
    }
}

extension InputArguments {
    /// Standard input when no file is named; a person at a terminal gets the short help instead of a silent wait.
    func sources(_ files: [String], helpFor command: any ParsableCommand.Type) throws -> [String] {
        guard files.isEmpty else { return files }
        if isatty(STDIN_FILENO) == 1 { throw ShortHelp(command: command) }
        return ["-"]
    }
}
