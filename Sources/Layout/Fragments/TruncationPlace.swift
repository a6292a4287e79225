// What others are told of a truncation: where text is left out, and what stands for it.

import FancyTextBasics

/// What stands for the text that a limit leaves out.
package enum TruncationTail: UInt8, Comparable, Sendable {
    /// The tail that was asked for.
    case given
    /// `…`, because the one asked for does not fit.
    case ellipsis
    /// Nothing: not even `…` fits.
    case none

    package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

extension Diagnostic {
    /// What a reader is told of a tail that does not fit; nil where it fits.
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

/// Where the limit of a document leaves text out.
package struct Truncation: Hashable, Sendable {
    /// The block container of the last line: index into ``StyledText/boxes``. All text after it is left out.
    package var box: Int
    /// The first byte of its text that is left out.
    package var start: Int
    /// The first byte that is shown again; nil where the rest is left out.
    package var resume: Int?
    package var tail: TruncationTail
}
