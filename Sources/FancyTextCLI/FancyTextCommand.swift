// The program's entry: arguments in, one of the commands run, every error turned into text and an exit status here.

import ArgumentParser
import FancyText
import Glibc

@main
struct FancyTextCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fancytext",
        abstract: "Turns HTML-styled text into pictures, terminal text and data, without a browser.",
        discussion: """
            EXAMPLES
              fancytext render card.html -o card.png          a picture
              fancytext render note.html                      styled text on the terminal
              curl -s https://example.com | fancytext strip   plain text
              fancytext select 'h2 > a' --attr href page.html one part of it
              fancytext render note.html --format json        runs with their styles, as data
            """,
        version: version,
        subcommands: [
            RenderCommand.self, StripCommand.self, SelectCommand.self, DumpCommand.self, FontsCommand.self,
        ])

    /// Runs the command that the arguments name.
    static func main() {
        // A reader that closes its end of a pipe must show as a failed write, not kill the program.
        signal(SIGPIPE, SIG_IGN)
        do {
            if let short = shortHelp(for: CommandLine.arguments.dropFirst()) {
                try FileAccess.writeStandardOutput(Array(short.utf8))
                return
            }
            try run(Defaults.apply(to: Array(CommandLine.arguments.dropFirst())))
        } catch let failure as CommandFailure {
            DiagnosticPrinter(style: .text).print(failure)
            Glibc.exit(ExitStatus.failure.rawValue)
        } catch let status as ExitCode {
            Glibc.exit(status.rawValue)
        } catch {
            finish(error)
        }
    }

    /// Runs the command that the arguments name: read directly when they are plain, else by ArgumentParser.
    private static func run(_ arguments: [String]) throws {
        let rest = arguments.dropFirst()
        let isDone =
            switch arguments.first {
            case RenderCommand.name: try RenderCommand.runAhead(rest)
            case StripCommand.name: try StripCommand.runDirectly(rest)
            case SelectCommand.name: try SelectCommand.runDirectly(rest)
            case DumpCommand.name: try DumpCommand.runDirectly(rest)
            case FontsCommand.name: try FontsCommand.runDirectly(rest)
            default: false
            }
        if isDone { return }
        if arguments == ["--version"] { return try FileAccess.writeStandardOutput(Array("\(version)\n".utf8)) }
        var command = try parseAsRoot(arguments)
        try command.run()
    }

    private static let version = "fancytext \(FancyText.version)"

    /// `-h`: what a command does, its usage and examples; `--help` adds every option.
    private static func shortHelp(for arguments: ArraySlice<String>) -> String? {
        guard arguments.prefix(while: { $0 != "--" }).contains("-h") else { return nil }
        let named = configuration.subcommands.first { $0._commandName == arguments.first }
        let command: any ParsableCommand.Type = named ?? FancyTextCommand.self
        let name = named.map { "fancytext help \($0._commandName)" } ?? "fancytext --help"
        return """
            \(command.configuration.abstract)

            \(command == FancyTextCommand.self ? "USAGE: fancytext <command> [options] [file …]" : "USAGE: fancytext \(command.usageString())")

            \(command.configuration.discussion)

            All options: \(name)

            """
    }

    /// Help and version are answers, on standard output; wrong usage is an error, with status 2.
    private static func finish(_ error: any Error) -> Never {
        let message = fullMessage(for: error)
        guard exitCode(for: error) != .success else {
            try? FileAccess.writeStandardOutput(Array((message + "\n").utf8))
            Glibc.exit(ExitStatus.success.rawValue)
        }
        FileAccess.writeStandardError(message + "\n")
        Glibc.exit(ExitStatus.failure.rawValue)
    }
}
