// `fancytext dump`: what a stage of the pipeline hands to the next, for people who debug a document.

import ArgumentParser
import FancyText

extension DumpStage: ExpressibleByArgument {}

enum DumpFormat: String, CaseIterable, ExpressibleByArgument {
    case text, json
}

struct DumpCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump",
        abstract: "Print what a stage of the pipeline makes of HTML.",
        discussion: """
            STAGES
              tokens, normalized, tree, styles, text, layout, display
            EXAMPLES
              echo '<p>one<p>two' | fancytext dump --stage tree
              fancytext dump --stage layout card.html
            """)

    @Option(help: "The stage to show.")
    var stage: DumpStage

    @Option(help: "Form of the dump.")
    var format = DumpFormat.text

    @Argument(help: "A file to read; - or none is standard input.")
    var file: String?

    @OptionGroup var output: OutputArguments

    @Option(help: ArgumentHelp("layout, display: width in CSS pixels, or auto.", valueName: "n|auto"))
    var width: ExtentArgument?

    @OptionGroup(title: "Style options") var styles: StyleArguments
    @OptionGroup(title: "Font options") var fonts: FontArguments
    @OptionGroup(title: "Input options") var input: InputArguments
    @OptionGroup(title: "Messages") var diagnostics: DiagnosticArguments

    func run() throws {
        let source = try input.sources(file.map { [$0] } ?? [], helpFor: Self.self)[0]
        let parser = try ParserFactory(input: input, styles: styles, viewportWidth: width?.extent).makeParser()
        let bytes = try input.read(source)
        var options = RenderOptions()
        if let width { options.width = width.extent }
        let renderer = Renderer(fonts: fonts.options)
        var document = parser.parse(bytes, name: InputArguments.displayName(source))
        let result = try renderer.dump(&document, stage: stage, asJSON: format == .json, options)
        try diagnostics.finish(document.diagnostics)
        try output.write(result)
    }
}
