// `fancytext fonts`: the families, faces and axes that rendering would use.

import ArgumentParser
import FancyText

struct FontsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fonts",
        abstract: "List the fonts that rendering would use, embedded ones first.")

    @Flag(help: "As JSON.")
    var json = false

    @OptionGroup(title: "Font options") var fonts: FontArguments

    func run() throws {
        let renderer = Renderer(fonts: try fonts.options)
        try FileAccess.writeStandardOutput(renderer.fontList(asJSON: json))
    }
}
