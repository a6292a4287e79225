// The result of a truncation for callers: the place of the omitted text, and its replacement.

import FancyTextBasics

/// The replacement of text that a limit omits.
package enum TruncationTail: UInt8, Comparable, Sendable {
    /// The tail given by the caller.
    case given
    /// `…`, because the given tail does not fit.
    case ellipsis
    /// Nothing: not even `…` fits.
    case none

    package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

extension Diagnostic {
    /// The diagnostic for a tail that does not fit; nil if it fits.
    package init?(_ tail: TruncationTail) {
        let shown: String
        switch tail {
        case .given: return nil
        case .ellipsis: shown = "'…' is shown in its place"
        case .none: shown = "nothing is shown in its place"
        }
        self.init(.warning, .tailDoesNotFit, "the text's ellipsis does not fit; \(shown)")
    }
}

/// The place at which the limit of a document omits text.
package struct Truncation: Hashable, Sendable {
    /// The block container of the last line: index into ``BoxTree/boxes``. All text after it is omitted.
    package var box: Int
    /// The first omitted byte of its text.
    package var start: Int
    /// The first byte that is shown again; nil if the rest is omitted.
    package var resume: Int?
    package var tail: TruncationTail

    package init(box: Int, start: Int, resume: Int? = nil, tail: TruncationTail) {
        (self.box, self.start, self.resume, self.tail) = (box, start, resume, tail)
    }
}
