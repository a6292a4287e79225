// `fancytext fonts`: the available families, faces and axes, and the libraries that draw them.

import ArgumentParser
import FancyText

struct FontsCommand: ParsableCommand, DirectArguments {
    static let name = "fonts"
    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "List the fonts that rendering would use, embedded ones first, and what draws them.",
        discussion: HelpSections.common)

    @Flag(help: "As JSON.")
    var json = false

    @OptionGroup(title: "Font options") var fonts: FontArguments
    @OptionGroup(title: "Configuration") var defaults: ConfigurationArguments

    mutating func bind(_ given: inout GivenArguments) {
        json = given.flag("json")
        fonts = given.group(fonts)
        defaults = given.group(defaults)
    }

    func run() throws {
        let renderer = Renderer(fonts: try fonts.options(try SafetyArguments.parse([])))
        try OutputSink.write(renderer.fontList(asJSON: json))
    }
}
