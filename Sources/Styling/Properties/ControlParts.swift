// Pseudo-elements that browsers create for parts of some elements (CSS Pseudo-Elements 4, HTML §15.5) and that have no effect here.

import FancyTextMarkup

package enum ControlParts {
    /// Each part that rules cannot style here, and the elements that have it.
    static let all: [(name: String, tags: [TagID])] = [
        ("::-webkit-color-swatch", [.input])
    ]
}
