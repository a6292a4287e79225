// The formats of rows of data.

import ArgumentParser

enum RowFormat: String, CaseIterable {
    case ndjson, json, csv, tsv

    private static let endings: [(ending: String, format: RowFormat)] = [
        ("ndjson", .ndjson), ("jsonl", .ndjson), ("json", .json), ("csv", .csv), ("tsv", .tsv), ("tab", .tsv),
    ]

    /// The format of a file name; nil if its ending is unknown.
    static func format(of path: String) -> RowFormat? {
        let name = path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...]
        guard let dot = name.lastIndex(of: ".") else { return nil }
        let ending = name[name.index(after: dot)...].lowercased()
        return endings.first { $0.ending == ending }?.format
    }
}
