// Errors in options that must be reported before others.
//
// ArgumentParser takes the argument after an unknown option for a file, and reports that first.
//
// In: the words of a command line. Out: an error for the first mistake, with the most similar name.

import ArgumentParser
import FancyTextStyling

extension DirectArguments {
    /// - Throws: an error for the first option that the command does not have, or whose value is below 0.
    static func checkOptions(_ arguments: some Sequence<String>) throws {
        var given = GivenArguments()
        var values = Self()
        values.bind(&given)
        switch given.firstMistake(in: arguments) {
        case nil: return
        case .unknown(let option)?:
            let nearest = OptionMistake.nearest(to: option, among: given.names)
            throw ValidationError(
                "Unknown option '\(option)'." + (nearest.map { " Did you mean '\($0)'?" } ?? ""))
        case .negative(let option, let value)?:
            throw ValidationError("The value '\(value)' is invalid for '\(option)': it must not be negative.")
        }
    }
}

enum OptionMistake {
    case unknown(String)
    case negative(option: String, value: String)

    /// ArgumentParser's own options.
    static let general: Set = [
        "--help", "--help-hidden", "--version", "--generate-completion-script", "--experimental-dump-help", "-h", "-V",
    ]

    /// The name with the smallest edit distance, if that is at most half of its length.
    static func nearest(to option: String, among names: [String]) -> String? {
        guard option.hasPrefix("--") else { return nil }
        let ranked = names.filter { $0.hasPrefix("--") }.map { (name: $0, edits: edits(option, $0)) }
        guard let best = ranked.min(by: { $0.edits < $1.edits }) else { return nil }
        return best.edits <= max(1, (option.count - 2) / 2) ? best.name : nil
    }

    /// The number of insertions, deletions and replacements between two names (Levenshtein).
    private static func edits(_ a: String, _ b: String) -> Int {
        let (a, b) = (Array(a.utf8), Array(b.utf8))
        var row = Array(0...b.count)
        for (i, x) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, y) in b.enumerated() {
                let replaced = diagonal + (x == y ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, row[j] + 1, row[j + 1] + 1)
            }
        }
        return row[b.count]
    }
}
