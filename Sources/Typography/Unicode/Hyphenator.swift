// Hyphenation by patterns (`hyphens: auto`, CSS Text 3 §6.1): libhyphen with Debian's dictionaries, if installed.

import FancyTextBasics
import CFancyTextTextLibraries
import CFancyTextUnicode
import FancyTextPlatform

package final class Hyphenator {
    private let table: UnsafePointer<CHyphenTable>
    private let dictionary: OpaquePointer
    private let isUTF8: Bool
    private var marks: [CChar] = []
    private static let folder = "/usr/share/hyphen"
    /// `hyphenate-limit-chars: auto` (CSS Text 4 §6.3.2): the fewest letters of a word, and before and after the hyphen.
    private static let minimumWord = 5
    private static let minimumPart: Int32 = 2

    package static func isInstalled(for language: String) -> Bool {
        chyphen_load() != nil && dictionaryPath(language) != nil
    }

    /// nil if libhyphen or patterns for the language (BCP 47) are not installed.
    package init?(language: String) {
        guard let table = chyphen_load(), let path = Self.dictionaryPath(language),
            let dictionary = table.pointee.load(path)
        else { return nil }
        (self.table, self.dictionary) = (table, dictionary)
        isUTF8 = Self.encoding(path).hasPrefix("UTF-8")
    }

    deinit { table.pointee.free(dictionary) }

    /// `en-US` is `hyph_en_US.dic`. Without a region, a file such as `de_DE` is preferred, then the first by name.
    private static func dictionaryPath(_ language: String) -> String? {
        let parts = language.split(whereSeparator: { $0 == "-" || $0 == "_" })
        guard let primary = parts.first?.lowercased(), !primary.isEmpty,
            primary.utf8.allSatisfy({ $0 >= 0x61 && $0 <= 0x7A })
        else { return nil }
        let region = parts.count > 1 ? parts.last?.uppercased() : nil
        let regions = [region, primary == "en" ? "US" : primary.uppercased()].compactMap { $0 }
        let names = regions.map { "hyph_\(primary)_\($0).dic" } + ["hyph_\(primary).dic"]
        let found =
            names.first { access(folder + "/" + $0, R_OK) == 0 }
            ?? fileNames(inFolder: folder)?.first { $0.hasPrefix("hyph_\(primary)_") && $0.hasSuffix(".dic") }
        return found.map { folder + "/" + $0 }
    }

    /// The first line of a dictionary names its encoding.
    private static func encoding(_ path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 64)
        guard fgets(&line, 63, file) != nil else { return "" }
        return String(
            decoding: line.prefix { $0 != 0 && $0 != 10 && $0 != 13 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Adds hyphens to the breaks that ``LineBreakFinder`` found, except in words with soft hyphens. Linear.
    package func mark(_ text: UTF8Bytes, _ range: Range<Int>, into result: inout [UInt8]) {
        var (start, index, isManual) = (-1, range.lowerBound, false)
        while index <= range.upperBound {
            let isEnd = index == range.upperBound
            let (value, length) = isEnd ? (0x20, 1) : scalar(in: text, at: index, end: range.upperBound)
            let record = unicodeRecord(value)
            let isLetter =
                value < 0x80
                ? (value | 0x20) &- 0x61 < 26 : value != 0xAD && (record.has(UnicodeFlagLetter) || record.isMark)
            if isLetter {
                if start < 0 { start = index }
            } else if value == 0xAD, !isEnd {
                isManual = true
            } else {
                if start >= 0, !isManual { hyphenate(text, start..<index, range.lowerBound, &result) }
                (start, isManual) = (-1, false)
            }
            index += length
        }
    }

    private func hyphenate(_ text: UTF8Bytes, _ word: Range<Int>, _ base: Int, _ result: inout [UInt8]) {
        guard word.count >= Self.minimumWord, word.count < 400 else { return }
        // Patterns have only lower-case letters.
        var lowered: [UInt8] = []
        var starts: [Int] = []
        for (index, value) in UTF8Scalars(text, word) {
            starts.append(index)
            guard let lower = Unicode.Scalar(value)?.properties.lowercaseMapping.unicodeScalars, lower.count == 1,
                let first = lower.first, isUTF8 || first.value <= 0xFF
            else { return }
            lowered += isUTF8 ? Array(String(first).utf8) : [UInt8(first.value)]
        }
        guard starts.count >= Self.minimumWord else { return }
        let count = lowered.count
        if marks.count < count + 8 { marks = [CChar](repeating: 0, count: count + 64) }
        var replacements: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        var positions: UnsafeMutablePointer<Int32>?
        var cuts: UnsafeMutablePointer<Int32>?
        lowered.append(0)
        let status = lowered.withUnsafeBytes {
            table.pointee.hyphenate(
                dictionary, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(count), &marks, nil,
                &replacements, &positions, &cuts, Self.minimumPart, Self.minimumPart, Self.minimumPart, Self.minimumPart
            )
        }
        // Places at which the spelling would change are not used.
        for position in 0..<(starts.count - 1) where status == 0 && marks[position] & 1 == 1 {
            if let replacements, replacements[position] != nil { continue }
            let slot = starts[position + 1] - base
            if result[slot] == 0 { result[slot] = LineBreakOpportunity.hyphen.rawValue }
        }
        if let replacements {
            for position in 0..<count { free(replacements[position]) }
            free(replacements)
        }
        free(positions)
        free(cuts)
    }
}
