// Searching for bytes in names and values.

import CFancyTextByteScan

package func occurs(
    _ wanted: [UInt8], in value: UnsafeBufferPointer<UInt8>, at offset: Int, _ ignoringCase: Bool
) -> Bool {
    guard offset >= 0, offset + wanted.count <= value.count else { return false }
    return value[offset..<offset + wanted.count].elementsEqual(wanted) {
        $0 == $1 || ignoringCase && $0.asciiLowercased == $1.asciiLowercased
    }
}

/// Returns whether `wanted` is anywhere in `value`, in linear time.
package func find(_ wanted: [UInt8], in value: UnsafeBufferPointer<UInt8>, _ ignoringCase: Bool) -> Bool {
    guard ignoringCase else {
        guard let base = value.baseAddress else { return wanted.isEmpty }
        return cbytescan_contains(base, value.count, wanted, wanted.count) != 0
    }
    let (wanted, value) = (wanted.map(\.asciiLowercased), value.map(\.asciiLowercased))
    return value.withUnsafeBufferPointer { find(wanted, in: $0, false) }
}

/// Returns whether the white-space separated list `value` contains `word`.
package func hasWord(_ value: UnsafeBufferPointer<UInt8>, _ word: [UInt8], _ fold: Bool) -> Bool {
    guard !word.isEmpty, value.count >= word.count else { return false }
    var i = 0
    while i < value.count {
        while i < value.count, value[i].isHTMLSpace { i += 1 }
        let start = i
        while i < value.count, !value[i].isHTMLSpace { i += 1 }
        if i - start == word.count, occurs(word, in: value, at: start, fold) { return true }
    }
    return false
}
