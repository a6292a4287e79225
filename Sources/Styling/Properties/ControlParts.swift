// Pseudo-elements that browsers create for parts of some elements (CSS Pseudo-Elements 4, HTML §15.5). Rules cannot style them
// here.

import FancyTextMarkup

package enum ControlParts {
    /// Each part, and the elements that have it.
    static let all: [(name: StaticString, tags: [TagID])] = [
        ("::placeholder", [.input, .textarea]), ("::-webkit-input-placeholder", [.input, .textarea]),
        ("::details-content", [.details]), ("::file-selector-button", [.input]),
        ("::-webkit-file-upload-button", [.input]), ("::-webkit-slider-thumb", [.input]),
        ("::-webkit-slider-runnable-track", [.input]), ("::-webkit-color-swatch", [.input]),
        ("::-webkit-progress-bar", [.progress]), ("::-webkit-progress-value", [.progress]),
        ("::-webkit-meter-bar", [.meter]), ("::-webkit-meter-optimum-value", [.meter]),
    ]

    /// Returns whether an input of a type has a part.
    package static func hasPart(_ name: String, _ type: InputType) -> Bool {
        switch name {
        case "::file-selector-button", "::-webkit-file-upload-button": type == .file
        case "::-webkit-slider-thumb", "::-webkit-slider-runnable-track": type == .range
        case "::-webkit-color-swatch": type == .color
        default: true
        }
    }
}
