// Text as ICU reads it. In: characters and their places in UTF-8. Out: UTF-16, each unit with its place.

import CFancyTextICU

struct TextUnits {
    private(set) var units: [UInt16] = []
    /// For each unit, the place of its character.
    private(set) var offsets: [Int] = []

    mutating func append(_ value: UInt32, at offset: Int) {
        for unit in (Unicode.Scalar(value) ?? "\u{FFFD}").utf16 {
            units.append(unit)
            offsets.append(offset)
        }
    }

    /// Passes the base level of the first paragraph and the embedding level of each unit (UAX #9) to `body`; nil without ICU.
    func withLevels<Result>(base: UInt8, _ body: (_ base: UInt8, _ levels: UTF8Bytes) -> Result) -> Result? {
        guard let count = Int32(exactly: units.count), count > 0, let icu = cicu_load()?.pointee,
            let bidi = icu.bidiOpen()
        else { return nil }
        defer { icu.bidiClose(bidi) }
        return units.withUnsafeBufferPointer { text in
            var status: CICUStatus = 0
            icu.bidiSetText(bidi, text.baseAddress, count, base, nil, &status)
            guard let levels = icu.bidiLevels(bidi, &status), status <= 0 else { return nil }
            return body(icu.bidiBaseLevel(bidi), UnsafeBufferPointer(start: levels, count: units.count))
        }
    }
}
