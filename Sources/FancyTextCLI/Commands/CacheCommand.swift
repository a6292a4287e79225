// `fancytext cache`: the contents of a folder of results.

import ArgumentParser
import FancyTextPlatform

struct CacheCommand: Command {
    static let name = "cache"
    static let abstract = "Count or remove the results that --cache keeps."
    static let discussion = """
        EXAMPLES
          fancytext render card.html -o card.png --cache ~/.cache/fancytext
          fancytext cache --cache ~/.cache/fancytext --stats
          fancytext cache --cache ~/.cache/fancytext --clear
        """

    @Switch("stats", "Print how many results there are, and their bytes.", traits: .notInFiles) var stats
    @Switch("clear", "Remove all results.", traits: .notInFiles) var clear
    let cache = Setting("cache", "The folder of the results.", value: "folder", traits: .run)

    func validate() throws {
        if stats, clear { throw ValidationError("--stats and --clear cannot be combined.") }
        if !stats, !clear { throw ValidationError("one of --stats and --clear is needed.") }
    }

    func run() throws {
        guard let folder = cache.text else { throw ValidationError("the folder is needed: --cache FOLDER.") }
        guard PathText.exists(folder) else { throw CommandFailure(folder, errno: errno) }
        let cache = try ResultCache(folder)
        if clear { return try OutputSink.write(Array("\(cache.store.removeAll()) results removed\n".utf8)) }
        let count = cache.store.count
        let text = "\(count.pictures) result\(count.pictures == 1 ? "" : "s"), \(count.bytes) bytes\n"
        try OutputSink.write(Array(text.utf8))
    }
}
