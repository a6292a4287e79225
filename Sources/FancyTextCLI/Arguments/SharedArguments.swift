// Arguments that several commands share, and their values for the library.

import ArgumentParser
import FancyText
import FancyTextPlatform

struct StyleArguments: Arguments {
    @Settings("css", "Apply a style sheet file.", value: "file.css", on: [.styled, .extracts], traits: [.look, .path])
    var css

    @Settings(
        "style", "Apply style rules, as in 'b{color:red}'.", value: "rules", on: [.styled, .extracts], traits: .look)
    var style

    let rootStyle = Setting(
        "root-style", "Style of the root, as in 'font-size:13px'.", value: "declarations", on: [.styled, .extracts],
        traits: .look)

    let policy = Setting(
        "policy", "Which styles win: the HTML's inline styles (html, the default) or those given here (code).",
        choices: StylePolicy.listed, on: [.styled, .extracts], traits: .look)

    let dialect = Setting(
        "dialect",
        "Read style sheets as CSS or as GSFancyText's, with lengths in pixels (default: as each sheet looks).",
        choices: StyleSheetDialect.listed, on: [.styled, .extracts], traits: .look)

    let colorScheme = Setting(
        "color-scheme", "The value of prefers-color-scheme (default: light).", choices: ColorScheme.listed,
        on: [.styled, .extracts], traits: .look)
}

struct DiagnosticArguments: Arguments {
    @Switch("strict", "Exit with status 2 and write no file if there are warnings.", traits: .run) var strict

    let diagnostics = Setting(
        "diagnostics",
        "Print all messages on standard error, as text or JSON (default: text). Without the option, warnings and notes are "
            + "one line where standard error is a terminal, and beside text on standard output.",
        choices: DiagnosticStyle.listed, traits: .program)

    @Switch("quiet", "Print errors only.", traits: .program) var quiet

    func validate() throws { _ = try diagnostics.choice(DiagnosticStyle.self) }

    var printer: DiagnosticPrinter { DiagnosticPrinter(style: diagnostics.text == "json" ? .json : .text) }
}

/// The source of defaults for options, the last group of every command. ``Defaults`` reads these options before all others.
struct ConfigurationArguments: Arguments {
    let config = Setting(
        "config", "Take defaults for options from this file, not from FANCYTEXT_CONFIG or fancytext.json.",
        value: "file.json", traits: [.notInFiles, .program])

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
        // The last brace opens a key that nothing closes.
        if let name = output.first(where: { name in name.last { "{}".contains($0) } == "{" }) {
            throw ValidationError("-o \(name): '{' has no '}'.")
        }
        if output.count > 1, isForEachFile, !output.allSatisfy(FileName.isPattern) {
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
    var isForEachFile: Bool { files.contains(where: FileName.isPattern) }

    /// The common destination of the results of all inputs; nil if each input has its own file.
    func sharedSink(_ content: OutputSink.Content, _ safety: SafetyArguments) -> OutputSink? {
        if isForEachFile { return nil }
        let destination = OutputSink.Destination(isStandardOutput: isStandardOutput, files: files)
        return OutputSink(destination, content, keepsControls: safety.keepControls)
    }

    /// The destination of an input's result: its own file, or the shared one.
    func sink(
        for file: String, _ content: OutputSink.Content, _ safety: SafetyArguments, else shared: OutputSink
    ) -> OutputSink {
        guard isForEachFile else { return shared }
        let paths = files.map { FileName.expand($0, for: file) }
        paths.forEach(FileAccess.makeFolder)
        return OutputSink(OutputSink.Destination(files: paths), content, keepsControls: safety.keepControls)
    }
}

/// The number of inputs that are processed in parallel.
struct JobArguments: Arguments {
    let jobs = Setting(
        "jobs", "Number of files processed in parallel (default: the number of processors).", value: "n",
        traits: .program)

    /// Only for several inputs the system's number of processors is read, which takes as long as reading a card.
    func count(for inputs: Int) throws -> Int {
        try jobs.integer(in: 1...1024) ?? (inputs > 1 ? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) : 1)
    }
}

/// Fonts in addition to the embedded ones.
struct FontArguments: Arguments {
    @Settings("font", "Use a font file.", value: "file", on: .placed, traits: .path) var font
    @Settings("font-dir", "Use the font files of a folder.", value: "folder", on: .placed, traits: .path) var fontDir

    let emoji = Setting(
        "emoji", "Take emoji from a font file, or from a folder of SVG or PNG files named by code points (1f600.svg).",
        value: "file|folder", on: .placed)

    @Switch("no-system-fonts", "Use only embedded and given fonts: the same picture on every machine.", traits: .look)
    var noSystemFonts

    let hinting = Setting(
        "hinting", "Fit glyphs to the pixel grid (default: slight, up and down only).", choices: Hinting.listed,
        on: [.bitmaps, .placedStage], traits: .look)

    /// With untrusted input, installed fonts are not used, because they would reveal facts about the machine.
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

struct CacheArguments: Arguments {
    let cache = Setting("cache", "Keep results in this folder, and take them from it.", value: "folder", traits: .run)

    let cacheMaxSize = Setting(
        "cache-max-size",
        "Size of the cache in bytes, with k, M or G for thousands (default: 1G); the least recently used results are removed.",
        value: "bytes", traits: .run)

    @Switch("refresh", "Make results anew, and keep those.", traits: [.notInFiles, .run]) var refresh
    @Switch("no-cache", "Ignore --cache.", traits: .run) var noCache

    func validate() throws {
        if !cache.isGiven, refresh { throw ValidationError("--refresh requires --cache.") }
        if !cache.isGiven, cacheMaxSize.isGiven { throw ValidationError("--cache-max-size requires --cache.") }
        _ = try limit
    }

    private var limit: Int {
        get throws {
            let units: [Character: Double] = ["k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9]
            return try cacheMaxSize.value("it must be a number of bytes, as in 500M") { text in
                let unit = text.last.flatMap { units[$0] }
                guard let number = Double(unit == nil ? text : String(text.dropLast())), number > 0, number <= 1e15
                else { return nil }
                return max(1, Int(bounded: number * (unit ?? 1), by: 1e15))
            } ?? 1_000_000_000
        }
    }

    /// The options in command-line form.
    var arguments: [String] {
        guard let cache = cache.text, !noCache else { return [] }
        return ["--cache=\(cache)"] + (cacheMaxSize.text.map { ["--cache-max-size=\($0)"] } ?? [])
            + (refresh ? ["--refresh"] : [])
    }

    /// Opens the cache; nil if no cache is requested.
    func open() throws -> ResultCache? {
        guard let cache = cache.text, !noCache else { return nil }
        return try ResultCache(cache, limit: limit, refreshes: refresh)
    }
}
