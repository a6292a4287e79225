// Arguments that several commands share, and their values for the library.

import ArgumentParser
import FancyTextBasics
import FancyText
import FancyTextPlatform
import FancyTextStyling

struct StyleArguments: Arguments {
    @Settings("css", "Apply a style sheet file.", value: "file.css", on: [.styled, .extracts], traits: [.look, .path])
    var css

    @Settings(
        "style", "Apply style rules, as in 'b{color:red}'.",
        value: "rules", on: [.styled, .extracts], traits: .look)
    var style

    @Setting(
        "root-style", "Style of the root, as in 'font-size:13px'.",
        value: "declarations", on: [.styled, .extracts], traits: .look)
    var rootStyle

    @Setting(
        "policy", "Which styles win: the HTML's inline styles (html, the default) or those given here (code).",
        choices: StylePolicy.listed, on: [.styled, .extracts], traits: .look)
    var policy

    @Setting(
        "dialect",
        "Read style sheets as CSS or as GSFancyText's, with lengths in pixels (default: as each sheet looks).",
        choices: StyleSheetDialect.listed, on: [.styled, .extracts], traits: .look)
    var dialect

    @Setting(
        "color-scheme", "The value of prefers-color-scheme (default: light).",
        choices: ColorScheme.listed, on: [.styled, .extracts], traits: .look)
    var colorScheme
}

struct DiagnosticArguments: Arguments {
    @Switch("strict", "Exit with status 2 and write no file if there are warnings.", traits: .run) var strict

    @Setting(
        "diagnostics",
        "Print all messages on standard error, as text or JSON (default: text). Without the option, warnings and notes are "
            + "one line where standard error is a terminal, and beside text on standard output.",
        choices: DiagnosticStyle.listed, traits: .program)
    var diagnostics

    @Switch("quiet", "Print errors only.", traits: .program) var quiet

    func validate() throws { _ = try diagnostics.choice(DiagnosticStyle.self) }

    var printer: DiagnosticPrinter {
        DiagnosticPrinter(style: diagnostics.text == DiagnosticStyle.json.rawValue ? .json : .text)
    }

}

/// The source of defaults for options, the last group of every command. ``Defaults`` reads these options before all other
/// arguments.
struct ConfigurationArguments: Arguments {
    @Setting(
        "config", "Take defaults for options from this file, not from FANCYTEXT_CONFIG or fancytext.json.",
        value: "file.json", traits: [.notInFiles, .program])
    var config

    @Switch("no-config", "Ignore FANCYTEXT_CONFIG and fancytext.json.", traits: [.notInFiles, .program]) var noConfig

    func validate() throws {
        if config.isGiven, noConfig { throw ValidationError("--config and --no-config cannot be combined.") }
    }
}

struct OutputArguments: Arguments {
    @Settings("output", "Write to a file; - is standard output.", short: "o", value: "file", traits: .run) var output

    func validate() throws {
        if let name = output.first(where: { $0.contains("{{") }) {
            throw ValidationError("-o \(name): keys in names of files have single braces, as in {id}.")
        }
        if let name = output.first(where: { FileName.hasOpenKey($0) }) {
            throw ValidationError("-o \(name): '{' has no '}'.")
        }
        if output.count > 1, isForEachFile, !output.allSatisfy({ FileName.isPattern($0) }) {
            throw ValidationError("-o with {stem} and -o without it cannot be combined.")
        }
        let paths = output.map(PathText.simplified)
        for (index, name) in output.enumerated() where paths[..<index].contains(paths[index]) {
            throw ValidationError("-o \(name) is given twice.")
        }
    }

    var files: [String] { output.filter { $0 != "-" } }

    var isStandardOutput: Bool { output.isEmpty || output.contains("-") }

    /// True if each input has its own output file.
    var isForEachFile: Bool { files.contains { FileName.isPattern($0) } }

    /// The common destination of the results of all inputs; nil if each input has its own file.
    func sharedSink(_ content: OutputSink.Content, _ safety: SafetyArguments) -> OutputSink? {
        isForEachFile
            ? nil
            : OutputSink(
                OutputSink.Destination(isStandardOutput: isStandardOutput, files: files), content,
                keepsControls: safety.keepControls)
    }

    /// The destination of an input's result: its own file, or the shared one.
    func sink(
        for file: String, _ content: OutputSink.Content, _ safety: SafetyArguments, else shared: OutputSink
    ) -> OutputSink {
        guard isForEachFile else { return shared }
        let paths = files.map { FileName.expand($0, for: file) }
        for path in paths { FileAccess.makeFolder(for: path) }
        return OutputSink(.files(paths), content, keepsControls: safety.keepControls)
    }
}

/// Names of output files made from the names of inputs.
enum FileName {
    static func isPattern(_ path: String) -> Bool { RowFileName(path).keys.contains("stem") }

    /// Returns whether a key is not closed.
    static func hasOpenKey(_ path: String) -> Bool {
        guard let open = path.lastIndex(of: "{") else { return false }
        return !path[open...].contains("}")
    }

    /// Returns whether each page has a file of its own.
    static func hasPages(_ path: String) -> Bool { RowFileName(path).keys.contains("page") }

    /// The pattern with each `{stem}` replaced by ``stem(of:)``.
    static func expand(_ pattern: String, for file: String) -> String {
        RowFileName(pattern).replacing("stem", by: stem(of: file))
    }

    /// An input's name without folder and ending; for a URL, the last part of its path, or otherwise the host.
    private static func stem(of file: String) -> String {
        if file == "-" { return "stdin" }
        let isRemote = URLReference.isRemote(file)
        let path = isRemote ? URLReference.path(of: file) : file[...]
        if isRemote, path.isEmpty { return URLReference.host(of: file) }
        let name = String(path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...])
        return name.lastIndex(of: ".").map { $0 == name.startIndex ? name : String(name[..<$0]) } ?? name
    }

    /// Checks that no two results go to the same file, that none replaces an input, and that the names have no unknown keys.
    ///
    /// - Parameters:
    ///   - patterns: the output paths of each input.
    ///   - isShared: whether all inputs have one result.
    static func check(_ patterns: [String], for files: [String], isShared: Bool = false) throws(CommandFailure) {
        var targets: Set<String> = []
        let inputs = Set(files.map(PathText.simplified))
        for pattern in patterns where pattern != "-" {
            if let key = RowFileName(pattern).keys.first(where: { !["stem", "page"].contains($0) }) {
                throw CommandFailure("\(pattern): '{\(key)}' needs rows (--data); inputs have {stem}, and pages {page}")
            }
            for file in isShared ? files.prefix(1) : files[...] {
                let target = PathText.simplified(expand(pattern, for: file))
                guard targets.insert(target).inserted else {
                    throw CommandFailure("\(target): more than one result would be written to this file")
                }
                if inputs.contains(target) { throw CommandFailure("\(target): the result would replace this input") }
            }
        }
    }
}

/// The number of inputs that are processed in parallel.
struct JobArguments: Arguments {
    @Setting(
        "jobs", "Number of files processed in parallel (default: the number of processors).",
        value: "n", traits: .program)
    var jobs

    /// - Parameter inputs: the number of inputs. Only for several inputs the system's number of processors is read, which takes
    ///   as long as reading a card.
    func count(for inputs: Int) throws -> Int {
        try jobs.integer(in: 1...1024)
            ?? (inputs > 1 ? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) : 1)
    }
}

/// Fonts in addition to the embedded ones.
struct FontArguments: Arguments {
    @Settings("font", "Use a font file.", value: "file", on: .placed, traits: .path) var font
    @Settings("font-dir", "Use the font files of a folder.", value: "folder", on: .placed, traits: .path) var fontDir

    @Setting(
        "emoji", "Take emoji from a font file, or from a folder of SVG or PNG files named by code points (1f600.svg).",
        value: "file|folder", on: .placed)
    var emoji

    @Switch("no-system-fonts", "Use only embedded and given fonts: the same picture on every machine.", traits: .look)
    var noSystemFonts

    @Setting(
        "hinting", "Fit glyphs to the pixel grid (default: slight, up and down only).",
        choices: Hinting.listed, on: [.bitmaps, .placedStage], traits: .look)
    var hinting

    /// - Parameter safety: with untrusted input, installed fonts are not used, because they would reveal facts about the machine.
    func options(_ safety: SafetyArguments) throws -> FontOptions {
        var options = FontOptions()
        for path in font + fontDir + emoji.values where access(path, R_OK) != 0 {
            throw CommandFailure(path, errno: errno)
        }
        for path in font where fileStatus(at: path)?.isFolder == true {
            throw CommandFailure("\(path): this is a folder: use --font-dir")
        }
        for path in fontDir where fileStatus(at: path)?.isFolder != true { throw CommandFailure(path, errno: ENOTDIR) }
        options.emoji = emoji.text
        options.files = font
        options.folders = fontDir
        options.usesSystemFonts = !noSystemFonts && !safety.untrusted
        options.hinting = try hinting.choice() ?? options.hinting
        return options
    }
}
