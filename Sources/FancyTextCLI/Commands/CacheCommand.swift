// `fancytext cache`: the contents of a folder of results.

import ArgumentParser
import FancyText

struct CacheCommand: ParsableCommand, DirectArguments {
    static let name = "cache"
    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Count or remove the results that --cache keeps.",
        discussion: """
            EXAMPLES
              fancytext render card.html -o card.png --cache ~/.cache/fancytext
              fancytext cache --cache ~/.cache/fancytext --stats
              fancytext cache --cache ~/.cache/fancytext --clear
            \(HelpSections.common)
            """)

    @Flag(help: "Print how many results there are, and their bytes.")
    var stats = false

    @Flag(help: "Remove all results.")
    var clear = false

    @OptionGroup var cache: CacheArguments
    @OptionGroup(title: "Configuration") var defaults: ConfigurationArguments

    mutating func bind(_ given: inout GivenArguments) {
        stats = given.flag("stats")
        clear = given.flag("clear")
        cache = given.group(cache)
        defaults = given.group(defaults)
    }

    func validate() throws {
        if stats == clear { throw ValidationError("one of --stats and --clear is needed.") }
    }

    func run() throws {
        guard let cache = try cache.open() else { throw ValidationError("the folder is needed: --cache FOLDER.") }
        let text: String
        if clear {
            text = "\(cache.clear()) results removed\n"
        } else {
            let count = cache.count
            text = "\(count.results) results, \(count.bytes) bytes\n"
        }
        try OutputSink.write(Array(text.utf8))
    }
}
