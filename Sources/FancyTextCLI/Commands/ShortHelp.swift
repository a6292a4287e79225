// The short help: a command's purpose, shown instead of waiting silently or listing every option.

import ArgumentParser
import FancyTextPlatform

/// `-h`: a command's purpose, usage and examples; `--help` adds every option.
struct ShortHelp: Error {
    let text: String

    /// - Parameter command: nil for the program.
    init(command: (any Command.Type)?) {
        let configuration = command?.configuration ?? FancyTextCommand.configuration
        text = """
            \(configuration.abstract)

            USAGE: fancytext \(command?.parsed.usageString() ?? "<command> [options] [file …]")

            \(Self.examples(configuration))

            All options: fancytext \(command.map { "\($0.name) " } ?? "")--help

            """
    }

    /// The text before the sections that all commands share.
    private static func examples(_ configuration: CommandConfiguration) -> String {
        configuration.discussion.split(separator: "\n", omittingEmptySubsequences: false)
            .prefix { $0 != HelpSections.begin }.joined(separator: "\n")
    }

    /// The help for `-h`, or for a command line without arguments; nil for other command lines.
    ///
    /// - Throws: if a number follows `-h`, which was meant as a height.
    init?(asked arguments: [String]) throws {
        let options = arguments.prefix { $0 != "--" }
        guard arguments.isEmpty || options.contains("-h") else { return nil }
        if let place = options.firstIndex(of: "-h"), place + 1 < options.endIndex, Double(options[place + 1]) != nil {
            throw ValidationError("-h prints help; a height is given by -H \(options[place + 1]) or --height.")
        }
        self.init(command: FancyTextCommand.command(arguments.first))
    }
}

extension InputArguments {
    /// Standard input if no file is named; at a terminal, prints the short help instead of waiting silently.
    func sources(_ files: [String], helpFor command: any Command.Type) throws -> [String] {
        guard files.isEmpty else { return files }
        if isatty(STDIN_FILENO) == 1 { throw ShortHelp(command: command) }
        return ["-"]
    }
}

enum HelpTopic {
    /// Returns the arguments that show a topic; `nil` if it was printed here.
    ///
    /// - Throws: an error for an unknown topic, or for a page that is not installed.
    static func arguments(for topic: String) throws -> [String]? {
        if topic == "environment" {
            try FileAccess.writeStandardOutput(Array((HelpSections.environment + "\n").utf8))
            return nil
        }
        guard let (_, page) = HelpSections.pages.first(where: { $0.topic == topic }) else {
            let commands = FancyTextCommand.commands.map { $0.name }.joined(separator: ", ")
            throw ValidationError(
                "There is no help for '\(topic)': choose a command (\(commands)) or \(HelpSections.topics).")
        }
        let folder = PathText.program.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
        let path = folder.joined(separator: "/") + "/share/doc/fancytext/\(page).md"
        guard access(path, R_OK) == 0 else {
            throw CommandFailure("\(path): \(String(cString: strerror(errno))); the packages and make install bring it")
        }
        return ["render", path, "--no-config", "--pager"]
    }
}
