// The program's entry point: runs a command, and turns every error into a message and an exit status.

import ArgumentParser
import CFancyTextSafety
import FancyText
import FancyTextPlatform
import FancyTextImages

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
              fancytext render note.html --format json        runs with styles, as data
            \(HelpSections.common)
            """,
        version: version,
        subcommands: [
            RenderCommand.self, StripCommand.self, SelectCommand.self, DumpCommand.self, FontsCommand.self,
            BatchCommand.self, CacheCommand.self, PreviewCommand.self, SchemaCommand.self,
        ])

    /// All commands' names.
    static let names = [
        RenderCommand.name, StripCommand.name, SelectCommand.name, DumpCommand.name, FontsCommand.name,
        BatchCommand.name, CacheCommand.name, PreviewCommand.name, SchemaCommand.name,
    ]

    /// The command with a name; nil if there is none. A dictionary would make the runtime instantiate the types of all commands
    /// in each run.
    static func command(_ name: String?) -> (any (ParsableCommand & DirectArguments).Type)? {
        switch name {
        case RenderCommand.name: RenderCommand.self
        case StripCommand.name: StripCommand.self
        case SelectCommand.name: SelectCommand.self
        case DumpCommand.name: DumpCommand.self
        case FontsCommand.name: FontsCommand.self
        case BatchCommand.name: BatchCommand.self
        case CacheCommand.name: CacheCommand.self
        case PreviewCommand.name: PreviewCommand.self
        case SchemaCommand.name: SchemaCommand.self
        default: nil
        }
    }

    /// Runs the command that the arguments name.
    static func main() {
        // If a pipe's reader closes it, the write must fail instead of killing the program.
        signal(SIGPIPE, SIG_IGN)
        csafety_prepare_heap()
        if let name = PathText.programName, strcmp(name, PictureHelper.name) == 0 {
            return PictureHelper.serve([PictureHelper.name] + PathText.arguments)
        }
        let given = PathText.arguments
        LastWords.prepare(.asked(by: given))
        var defaults: Defaults?
        do {
            do {
                if let help = try ShortHelp(asked: given) { throw help }
                let made = try Defaults(for: given)
                defaults = made
                try run(made)
            } catch let help as ShortHelp {
                try FileAccess.writeStandardOutput(Array(help.text.utf8))
            }
        } catch let failure as CommandFailure {
            DiagnosticPrinter(style: .asked).print(failure)
            FancyTextPlatform.exit(ExitStatus.failure.rawValue)
        } catch let status as ExitCode {
            FancyTextPlatform.exit(status.rawValue)
        } catch {
            finish(error, defaults, command(defaults?.arguments.first))
        }
    }

    /// Runs the command that the arguments name: read directly if possible, otherwise by ArgumentParser.
    private static func run(_ defaults: Defaults) throws {
        let arguments = defaults.arguments
        let rest = arguments.dropFirst()
        let isDone =
            switch arguments.first {
            case RenderCommand.name: try RenderCommand.runDirectly(rest, isDefault: defaults.isGiven)
            case StripCommand.name: try StripCommand.runDirectly(rest, isDefault: defaults.isGiven)
            case SelectCommand.name: try SelectCommand.runDirectly(rest, isDefault: defaults.isGiven)
            case DumpCommand.name: try DumpCommand.runDirectly(rest, isDefault: defaults.isGiven)
            case FontsCommand.name: try FontsCommand.runDirectly(rest, isDefault: defaults.isGiven)
            case BatchCommand.name: try BatchCommand.runDirectly(rest, isDefault: defaults.isGiven)
            case CacheCommand.name: try CacheCommand.runDirectly(rest, isDefault: defaults.isGiven)
            case PreviewCommand.name: try PreviewCommand.runDirectly(rest, isDefault: defaults.isGiven)
            case SchemaCommand.name: try SchemaCommand.runDirectly(rest, isDefault: defaults.isGiven)
            default: false
            }
        if isDone { return }
        if arguments.prefix(while: { $0 != "--" }).contains("-V") {
            return try FileAccess.writeStandardOutput(Array("\(version)\n".utf8))
        }
        if let first = arguments.first, !first.hasPrefix("-"), first != "help", command(first) == nil {
            let names = configuration.subcommands.map { $0._commandName }.joined(separator: ", ")
            throw ValidationError("Unknown command '\(first)': choose one of \(names).")
        }
        if arguments == ["--version"] { return try FileAccess.writeStandardOutput(Array("\(version)\n".utf8)) }
        try command(arguments.first)?.checkOptions(rest)
        var command = try parseAsRoot(arguments)
        try check(command, rest, isDefault: defaults.isGiven)
        try command.run()
    }

    /// Checks for options that have no effect on a command's output.
    ///
    /// - Parameter isDefault: whether a configuration file sets an option.
    static func check(
        _ command: any ParsableCommand, _ arguments: some Sequence<String>, isDefault: (_ option: String) -> Bool
    ) throws {
        guard let command = command as? any DirectArguments else { return }
        let options = type(of: command).optionValues(in: arguments).map(\.name)
        try command.checkEffects(of: options.filter { !isDefault($0) })
    }

    private static let version = "fancytext \(FancyTextRelease.version)"

    /// Help and version are results, on standard output; wrong usage is an error, with status 2.
    private static func finish(
        _ error: any Error, _ defaults: Defaults?, _ command: (any ParsableCommand.Type)?
    ) -> Never {
        var full = fullMessage(for: error)
        guard exitCode(for: error) != .success else {
            do throws(CommandFailure) {
                try FileAccess.writeStandardOutput(Array((full + "\n").utf8))
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
                Error: \(message)
                Usage: fancytext \(command.usageString())
                  See 'fancytext \(command._commandName) --help' for more information.
                """
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
