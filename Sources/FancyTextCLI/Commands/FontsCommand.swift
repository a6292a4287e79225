// `fancytext fonts`: the available families, faces and axes, and the libraries that draw them.

import FancyText

struct FontsCommand: Command {
    static let name = "fonts"
    static let abstract = "List the fonts that rendering would use, embedded ones first, and what draws them."

    @Switch("json", "As JSON.", traits: .look) var json
    @Group("Font options") var fonts: FontArguments

    func run() throws {
        try OutputSink.write(Renderer(fonts: fonts.options(SafetyArguments())).fontList(asJSON: json))
    }
}
