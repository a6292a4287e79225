// The result of a truncation for callers: the place of the omitted text, and its replacement.

import FancyTextBasics

/// The replacement of text that a limit omits.
package enum TruncationTail: Comparable, Sendable {
    /// The tail given by the caller.
    case given
    /// `…`, because the given tail does not fit.
    case ellipsis
    /// Nothing: not even `…` fits.
    case none
}

extension Diagnostic {
    /// The diagnostic for a tail that does not fit; nil if it fits.
    package init?(_ tail: TruncationTail) {
        guard tail != .given else { return nil }
        let shown = tail == .ellipsis ? "'…'" : "nothing"
        self.init(.warning, .tailDoesNotFit, "the text's ellipsis does not fit; \(shown) is shown in its place")
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
