// The boxes of pseudo-elements, and the names of those that are parts of some elements.

import FancyTextMarkup

package enum PseudoBox: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    case element, before, after, marker, firstLetter, firstLine
    case placeholder, fileButton, track, bar, thumb
    /// The contents of a `details` after its summary.
    case detailsContent
    /// The number in place of a footnote, the one before its text, and the area of the notes (CSS GCPM 3 §2.2–2.4).
    case footnoteCall, footnoteMarker, footnoteArea

    /// The parts of elements that rules can style, by name, and the elements that have it; empty for all elements.
    static let parts: [String: (box: Self, tags: [TagID])] = [
        "placeholder": (.placeholder, [.input, .textarea]),
        "-webkit-input-placeholder": (.placeholder, [.input, .textarea]),
        "file-selector-button": (.fileButton, [.input]), "-webkit-file-upload-button": (.fileButton, [.input]),
        "-webkit-slider-runnable-track": (.track, [.input]), "-webkit-slider-thumb": (.thumb, [.input]),
        "-webkit-progress-bar": (.track, [.progress]), "-webkit-progress-value": (.bar, [.progress]),
        "details-content": (.detailsContent, [.details]), "footnote-call": (.footnoteCall, []),
        "footnote-marker": (.footnoteMarker, []), "footnote-area": (.footnoteArea, []),
        "-webkit-meter-bar": (.track, [.meter]), "-webkit-meter-optimum-value": (.bar, [.meter]),
    ]
    static let partNames = Set(parts.keys)
}
