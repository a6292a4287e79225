// `fancytext dump`: the results of the pipeline's stages, for debugging a document.

import ArgumentParser
import FancyText

enum DumpFormat: String, CaseIterable { case text, json }

struct DumpCommand: Command {
    static let name = "dump"
    static let outputs = Outputs.dump
    static let abstract = "Print what a stage of the pipeline makes of HTML."
    static let discussion = """
        STAGES
          tokens, normalized, tree, styles, text, layout, display
        EXAMPLES
          echo '<p>one<p>two' | fancytext dump --stage tree
          fancytext dump --stage layout card.html
        """

    let stage = Setting("stage", "The stage to show.", choices: DumpStage.listed)

    let format = Setting(
        "format", "Form of the dump; else taken from the ending of -o, else text.", choices: DumpFormat.listed,
        traits: .look)

    @Operands("files", "The file to read; standard input if it is - or missing.") var files
    @Group() var output: OutputArguments

    let width = Setting(
        "width", "layout, display: width in CSS pixels, or auto.", value: "n|auto", on: .placedStage, traits: .look)

    @Group("Style options") var styles: StyleArguments
    @Group("Font options") var fonts: FontArguments
    @Group("Input options") var input: InputArguments
    @Group("Messages") var diagnostics: DiagnosticArguments

    var writtenOutputs: Outputs {
        get throws { [.layout, .display].contains(try stage.choice() ?? DumpStage.tree) ? .placedStage : .otherStage }
    }

    func validate() throws {
        if files.count > 1 { throw ValidationError("dump reads a single file.") }
        if !stage.isGiven { throw ValidationError("Missing --stage: one of \(DumpStage.listed).") }
    }

    /// `--format`, or JSON if the output's name requires it.
    private func chosenFormat() throws -> DumpFormat {
        if let format = try format.format(DumpFormat.self) {
            try FileEnding.check(output.files, is: format.rawValue)
            return format
        }
        if !output.files.isEmpty, output.files.allSatisfy({ FileEnding.format(of: $0) == .json }) { return .json }
        try FileEnding.checkText(output.files)
        return .text
    }

    func run() throws {
        let stage = try stage.choice() ?? DumpStage.tree
        let format = try chosenFormat()
        let extent = try width.extent
        let source = try input.sources(files, helpFor: Self.self)[0]
        try input.enforceLimits()
        let parser = try input.makeParser(styles) {
            $0.syntax.isScripting = false
            if let viewport = extent.flatMap(Viewport.init) { $0.setMedia(viewport) }
        }
        let options = try input.renderOptions(width: width)
        let fonts = try fonts.options(input.safety)
        let run = InputRun(jobs: 1, shared: output.sharedSink(.text, input.safety), messages: diagnostics)
        let total = try run.run([source]) { [input, options] in
            let renderer = Renderer(ofProgram: fonts)
            return { file, result in
                let source = try input.open(file)
                var document = source.parse(by: parser)
                let options = input.placed(options, file, at: source.url)
                let dump = try renderer.dump(&document, stage: stage, asJSON: format == .json, options)
                try result.report(document.diagnostics)
                result.sink.append(dump)
            }
        }
        try run.finish(total)
    }
}
