// The program's entry point: runs a command, and turns every error into a message and an exit status.

import ArgumentParser
import CFancyTextSafety
import FancyText
import FancyTextPlatform
import FancyTextImages

@main
struct FancyTextCommand: ParsableCommand {
    static let abstract = "Turns HTML-styled text into pictures, terminal text and data, without a browser."
    static let discussion = """
        EXAMPLES
          fancytext render card.html -o card.png          a picture
          fancytext render note.html                      styled text on the terminal
          curl -s https://example.com | fancytext strip   plain text
          fancytext select 'h2 > a' --attr href page.html one part of it
          fancytext render note.html --format json        runs with styles, as data
        """
    static let configuration = CommandConfiguration(
        named: "fancytext", abstract: abstract, discussion: discussion, version: version,
        subcommands: commands.map { $0.parsed })

    static let commands: [any Command.Type] = [
        RenderCommand.self, StripCommand.self, SelectCommand.self, DumpCommand.self, FontsCommand.self,
        BatchCommand.self, CacheCommand.self, PreviewCommand.self, SchemaCommand.self,
    ]

    static func command(_ name: String?) -> (any Command.Type)? { commands.first { $0.name == name } }

    /// Runs the command that the arguments name.
    static func main() {
        // If a pipe's reader closes it, the write must fail instead of killing the program.
        signal(SIGPIPE, SIG_IGN)
        // The same for a file that grows beyond the user's limit.
        signal(SIGXFSZ, SIG_IGN)
        csafety_prepare_heap()
        if let name = PathText.programName, strcmp(name, PictureHelper.name) == 0 {
            return PictureHelper.serve([PictureHelper.name] + PathText.arguments)
        }
        let given = PathText.arguments
        Watchdog.prepare(.asked(by: given))
        var defaults: Defaults?
        do {
            if let help = try ShortHelp(asked: given) { throw help }
            let made = try Defaults(for: given)
            defaults = made
            try run(made.arguments, isDefault: made.isGiven)
        } catch let failure as CommandFailure {
            DiagnosticPrinter(style: .asked).print(failure)
            FancyTextPlatform.exit(ExitStatus.failure.rawValue)
        } catch let status as ExitCode {
            FancyTextPlatform.exit(status.rawValue)
        } catch {
            finish(error, defaults, command(defaults?.arguments.first))
        }
    }

    /// Runs the command that the arguments name, or shows the help that they request.
    static func run(_ arguments: [String], isDefault: (_ option: String) -> Bool) throws {
        let rest = arguments.dropFirst()
        if let command = command(arguments.first) {
            do {
                return try command.run(rest, isDefault: isDefault)
            } catch is HelpRequest {}
        }
        if arguments.prefix(while: { $0 != "--" }).contains("-V") || arguments == ["--version"] {
            return try FileAccess.write(Array("\(version)\n".utf8))
        }
        if arguments.first == "help", let topic = rest.first, !topic.hasPrefix("-"), command(topic) == nil {
            guard let shown = try HelpTopic.arguments(for: topic) else { return }
            return try run(shown) { _ in false }
        }
        if arguments.first == "help", let other = rest.dropFirst().first, !other.hasPrefix("-") {
            throw ValidationError("Unexpected argument '\(other)': help takes one command or topic.")
        }
        if let first = arguments.first, !first.hasPrefix("-"), first != "help", command(first) == nil {
            let names = commands.map { $0.name }.joined(separator: ", ")
            let advice = access(first, F_OK) == 0 ? ", as in fancytext render \(first)" : ""
            throw ValidationError("Unknown command '\(first)': choose one of \(names)\(advice).")
        }
        if let option = arguments.first?.split(separator: "=").first.map(String.init),
            commands.contains(where: { $0.table.options.contains { $0.isNamed(option) } })
        {
            let name = arguments.first { self.command($0) != nil }
            let mistake = name == nil ? "A command is missing" : "Options follow the command"
            throw ValidationError("\(mistake): fancytext \(name ?? "render …") \(option).")
        }
        var command = try parseAsRoot(arguments)
        try command.run()
    }

    static func words(for error: any Error) -> String { (error as? CommandFailure)?.message ?? message(for: error) }

    private static let version = "fancytext \(FancyTextRelease.version)"

    /// Help and version are results, on standard output; wrong usage is an error, with status 2.
    private static func finish(_ error: any Error, _ defaults: Defaults?, _ command: (any Command.Type)?) -> Never {
        var full = fullMessage(for: error)
        if let help = (error as? ShortHelp)?.text ?? (exitCode(for: error) == .success ? full + "\n" : nil) {
            let help = ParserText.completingTopics(ParserText.arranged(help))
            do throws(CommandFailure) {
                try FileAccess.write(Array(help.utf8))
            } catch {
                DiagnosticPrinter(style: .asked).print(error)
                FancyTextPlatform.exit(ExitStatus.failure.rawValue)
            }
            FancyTextPlatform.exit(ExitStatus.success.rawValue)
        }
        let message = message(for: error)
        if error is ValidationError, let command {
            // The error was found after parsing, when the parser no longer knows the command.
            full = """
                fancytext: error: \(message)
                Usage: fancytext \(command.parsed.usageString())
                  See 'fancytext \(command.name) --help' for more information.
                """
        } else if full.hasPrefix("Error: ") {
            full = "fancytext: error: " + full.dropFirst("Error: ".count)
        }
        let place = defaults?.place(of: message)
        if place != nil || DiagnosticStyle.asked == .json {
            DiagnosticPrinter(style: .asked).print(CommandFailure(message, at: place))
        } else {
            FileAccess.writeStandardError(full + "\n")
        }
        FancyTextPlatform.exit(ExitStatus.failure.rawValue)
    }
}

extension OptionTable {
    /// The commands that have an option, in words; "" without any.
    static func owners(of option: String) -> String {
        let owners = FancyTextCommand.commands.filter { $0.table[String(option.dropFirst(2))] != nil }.map { $0.name }
        guard option.hasPrefix("--"), !owners.isEmpty else { return "" }
        let inRequests = owners.contains { name in BatchRequest.commands.contains { $0.name == name } }
        return " It is an option of \(owners.joined(separator: ", "))"
            + (inRequests ? ", and a member of requests of batch." : ".")
    }
}
