// The formats of rows of data.

import ArgumentParser

enum RowFormat: String, CaseIterable {
    case ndjson, json, csv, tsv

    /// The format of a file name; nil if its ending is unknown.
    static func format(of path: String) -> RowFormat? {
        switch PathText.ending(of: path) {
        case "ndjson", "jsonl": .ndjson
        case "json": .json
        case "csv": .csv
        case "tsv", "tab": .tsv
        default: nil
        }
    }
}
