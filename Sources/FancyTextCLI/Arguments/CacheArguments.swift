// Options for the cache of results.

import ArgumentParser

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
