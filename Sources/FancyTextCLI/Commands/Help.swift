// Texts of help: the short help of a command, the sections that the help of all commands shares, and topics.

import ArgumentParser
import FancyTextPlatform

/// `-h`: a command's purpose, usage and examples, shown instead of waiting silently; `--help` adds every option.
struct ShortHelp: Error {
    let text: String

    /// - Parameter command: nil for the program.
    init(command: (any Command.Type)?) {
        text = """
            \(command?.abstract ?? FancyTextCommand.abstract)

            USAGE: fancytext \(command?.parsed.usageString() ?? "<command> [options] [file …]")

            \(command?.discussion ?? FancyTextCommand.discussion)

            All options: fancytext \(command.map { "\($0.name) " } ?? "")--help

            """
    }

    /// The help for `-h`, or for a command line without arguments; nil for other command lines. A number after `-h` was meant
    /// as a height.
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

extension CommandConfiguration {
    /// A command's help: its own discussion, and exit statuses, files and topics.
    init(
        named name: String, abstract: String, discussion: String, version: String = "",
        subcommands: [any ParsableCommand.Type] = []
    ) {
        let common = """
            EXIT STATUS
              0  done
              1  select matched nothing, or --check found a difference
              2  wrong usage, bad input or a failed write
            FILES
              fancytext.json    defaults for options, in the working directory
              ../lib/fancytext  libraries that came with the program, beside its folder
            TOPICS
              of fancytext help:
              \(HelpTopic.names.replacing("packaging, ", with: "packaging,\n  "))
            """
        self.init(
            commandName: name, abstract: abstract, discussion: discussion.isEmpty ? common : "\(discussion)\n\(common)",
            version: version, subcommands: subcommands)
    }
}

/// The help and messages of ArgumentParser, in the order that people need.
enum ParserText {
    /// Help with the command's own options before those of groups.
    static func arranged(_ help: String) -> String {
        var sections = help.split(separator: "\n\n", omittingEmptySubsequences: false)
        guard let options = sections.firstIndex(where: { $0.hasPrefix("OPTIONS:\n") }),
            let first = sections.firstIndex(where: { $0.hasPrefix("USAGE:") })
        else { return help }
        let place = sections[first + 1].hasPrefix("ARGUMENTS:") ? first + 2 : first + 1
        sections.insert(sections.remove(at: options), at: place)
        return sections.joined(separator: "\n\n")
    }

    /// A completion script that offers the topics of `fancytext help`.
    static func completingTopics(_ script: String) -> String {
        let words = (FancyTextCommand.commands.map { $0.name } + HelpTopic.all).joined(separator: " ")
        let condition = "__fancytext_should_offer_completions_for_positional \"fancytext help\" -eq 1"
        if script.contains("complete -c 'fancytext'") {
            return script + "complete -c 'fancytext' -n '\(condition)' -fka '\(words)'\n"
        }
        let offer = "    __fancytext_offer_flags_options -1\n}\n\ncomplete "
        let offered = "    COMPREPLY+=($(compgen -W '\(words)' -- \"${cur}\"))\n}\n\ncomplete "
        return script.replacing("'*:subcommands:'", with: "'1:topic:(\(words))'")
            .replacing(offer, with: offer.replacing("}\n\ncomplete ", with: offered))
    }
}

enum HelpTopic {
    /// The pages in `share/doc/fancytext` that `fancytext help` shows.
    private static let pages: [(topic: String, page: String)] = [
        ("css", "Properties"), ("formats", "Formats"), ("guide", "Guide"), ("options", "Options"),
        ("packaging", "Packaging"), ("pages", "Pages"), ("recipes", "Recipes"), ("security", "Security"),
        ("templates", "Templates"), ("terminal", "Terminal"),
    ]

    static var all: [String] { ["environment"] + pages.map(\.topic) }
    static var names: String { all.joined(separator: ", ") }

    /// Returns the arguments that show a topic; `nil` if it was printed here.
    static func arguments(for topic: String) throws -> [String]? {
        if topic == "environment" {
            // Options take precedence, and earlier variables over later ones.
            let width = Terminal.variables.map(\.name.count).max() ?? 0
            let lines = Terminal.variables.map { variable in
                variable.name + String(repeating: " ", count: width - variable.name.count) + "  \(variable.meaning)\n"
            }
            try FileAccess.write(Array(lines.joined().utf8))
            return nil
        }
        guard let (_, page) = pages.first(where: { $0.topic == topic }) else {
            let commands = FancyTextCommand.commands.map { $0.name }.joined(separator: ", ")
            throw ValidationError("There is no help for '\(topic)': choose a command (\(commands)) or \(names).")
        }
        let folder = PathText.program.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
        let path = folder.joined(separator: "/") + "/share/doc/fancytext/\(page).md"
        guard access(path, R_OK) == 0 else {
            throw CommandFailure("\(path): \(String(cString: strerror(errno))); the packages and make install bring it")
        }
        return ["render", path, "--no-config", "--pager"]
    }
}
