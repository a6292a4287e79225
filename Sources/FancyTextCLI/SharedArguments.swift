// Arguments that several commands share, and what they stand for in the library.

import ArgumentParser
import FancyText
import Glibc

extension ColorChoice: ExpressibleByArgument {}
extension DiagnosticStyle: ExpressibleByArgument {}

enum OnOff: String, CaseIterable, ExpressibleByArgument {
    case on, off
}

/// What is read, and how.
struct InputArguments: ParsableArguments {
    @Option(help: "Character encoding of the input; else taken from a byte-order mark or <meta charset>, else UTF-8.")
    var encoding: String?

    @Option(help: "Decode character references such as &amp;.")
    var entities = OnOff.on

    @Option(help: ArgumentHelp("Refuse inputs larger than this many bytes.", valueName: "bytes"))
    var maxInput: Int?

    @Option(help: ArgumentHelp("Deepest nesting of elements that is kept.", valueName: "levels"))
    var maxDepth: Int?

    @Option(help: ArgumentHelp("Stop after this many seconds.", valueName: "seconds"))
    var timeout: Double?

    var limits: Limits {
        get throws {
            var limits = Limits()
            if let maxInput {
                guard maxInput > 0 else { throw ValidationError("--max-input must be positive.") }
                limits.inputBytes = maxInput
            }
            if let maxDepth {
                guard maxDepth > 0 else { throw ValidationError("--max-depth must be positive.") }
                limits.treeDepth = maxDepth
                limits.layoutDepth = min(limits.layoutDepth, maxDepth)
            }
            if let timeout {
                guard timeout > 0 else { throw ValidationError("--timeout must be positive.") }
                limits.seconds = timeout
                Watchdog.start(seconds: timeout)
            }
            return limits
        }
    }

    /// Standard input when no file is named; a person at a terminal gets the help instead of a silent wait (SPEC C1).
    func sources(_ files: [String], helpFor command: any ParsableCommand.Type) throws -> [String] {
        guard files.isEmpty else { return files }
        if isatty(STDIN_FILENO) == 1 { throw CleanExit.helpRequest(command) }
        return ["-"]
    }

    func read(_ file: String) throws -> [UInt8] {
        try FileAccess.read(file, limit: limits.inputBytes)
    }

    static func displayName(_ file: String) -> String { file == "-" ? "<stdin>" : file }
}

/// Style sheets and what decides between them.
struct StyleArguments: ParsableArguments {
    @Option(help: ArgumentHelp("Apply a style sheet file. Repeatable.", valueName: "file"))
    var css: [String] = []

    @Option(help: ArgumentHelp("Apply style rules, as in 'b{color:red}'. Repeatable.", valueName: "rules"))
    var style: [String] = []

    @Option(help: ArgumentHelp("Style of the root, as in 'font-size:13px'.", valueName: "declarations"))
    var rootStyle: String?

    @Option(help: "Who wins: inline styles of the HTML, or the styles given here (code).")
    var policy = StylePolicy.html

    @Option(help: "What prefers-color-scheme answers.")
    var colorScheme = ColorScheme.light
}

extension StylePolicy: ExpressibleByArgument {}
extension ColorScheme: ExpressibleByArgument {}

/// How messages are printed and when they fail the run.
struct DiagnosticArguments: ParsableArguments {
    @Flag(help: "Warnings fail the run with status 2.")
    var strict = false

    @Option(help: "Form of the messages on standard error.")
    var diagnostics = DiagnosticStyle.text

    @Flag(help: "No notes or warnings, errors only.")
    var quiet = false

    var printer: DiagnosticPrinter { DiagnosticPrinter(style: diagnostics) }

    /// Prints what was collected; throws when that means failure.
    func finish(_ log: DiagnosticLog) throws {
        for entry in log.entries where !quiet || entry.severity == .error || strict { printer.print(entry) }
        guard let worst = log.worst else { return }
        if worst == .error || (strict && worst == .warning) { throw ExitCode(ExitStatus.failure.rawValue) }
    }
}

/// Where the result goes.
struct OutputArguments: ParsableArguments {
    @Option(name: [.customShort("o"), .long], help: ArgumentHelp("Write to a file; - is standard output.", valueName: "file"))
    var output: String?

    func write(_ bytes: [UInt8], to path: String? = nil) throws {
        let path = path ?? output
        if let path, path != "-" {
            try FileAccess.write(bytes, to: path)
        } else {
            try FileAccess.writeStandardOutput(bytes)
        }
    }
}

/// Fonts besides the embedded ones.
struct FontArguments: ParsableArguments {
    @Option(help: ArgumentHelp("Use a font file. Repeatable.", valueName: "file"))
    var font: [String] = []

    @Option(help: ArgumentHelp("Use the font files of a folder. Repeatable.", valueName: "folder"))
    var fontDir: [String] = []

    @Flag(help: "Use embedded and given fonts only, for the same picture on every machine.")
    var noSystemFonts = false

    @Option(help: "Hinting of the glyphs.")
    var hinting = Hinting.none

    var options: FontOptions {
        var options = FontOptions()
        options.files = font
        options.folders = fontDir
        options.usesSystemFonts = !noSystemFonts
        options.hinting = hinting
        return options
    }
}

extension Hinting: ExpressibleByArgument {}

/// `--timeout`: ends the process, from outside of whatever it is busy with, before anything was written.
enum Watchdog {
    static func start(seconds: Double) {
        signal(SIGALRM) { _ in
            let message: StaticString = "fancytext: error: stopped by --timeout\n"
            _ = write(STDERR_FILENO, message.utf8Start, message.utf8CodeUnitCount)
            _exit(2)
        }
        var timer = itimerval()
        let bounded = min(seconds, 1e6)
        timer.it_value.tv_sec = Int(bounded)
        timer.it_value.tv_usec = max(1, Int((bounded - bounded.rounded(.down)) * 1e6))
        setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &timer, nil)
    }
}
