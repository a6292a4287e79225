// Which features without effect a document is to be told of: those that boxes or text show.
//
// In: the styled text and the tree. Out: warnings in the log.

import FancyTextBasics
import FancyTextMarkup
import FancyTextStyling

extension BoxGenerator {
    /// Warns about the features that shown elements ask for and that have no effect. O(boxes + runs) where there are some.
    func reportMissingFeatures(log: inout DiagnosticLog) {
        // Styles that boxes were generated with come after those of elements, and ask for nothing of their own.
        let asking = styled.styles.styles.map { !$0.missing.isEmpty }
        guard asking.contains(true) else { return }
        var found: [MissingFeature] = []
        var seen: Set<MissingFeature> = []
        func note(_ style: StyleID, _ element: NodeID) {
            for id in [style, styled.style(of: element)]
            where Int(id.rawValue) < asking.count && asking[Int(id.rawValue)] {
                let computed = styled.styles[id]
                for feature in computed.missing where !seen.contains(feature) && shows(feature, computed, element) {
                    seen.insert(feature)
                    found.append(feature)
                }
            }
        }
        for box in text.boxes { note(box.style, box.element) }
        for run in text.runs { note(run.style, run.element) }
        styled.report(found, log: &log)
    }

    /// Whether the picture of an element depends on a feature.
    private func shows(_ feature: MissingFeature, _ style: ComputedStyle, _ element: NodeID) -> Bool {
        let tag = tree.tag(element)
        return switch feature.name {
        case "appearance", "-webkit-appearance", "accent-color", "field-sizing": tag.isFormControl
        case "shape-outside": style.box.float != .none
        case "background-attachment": tag != .html && tag != .body && element != tree.root
        case "backface-visibility": style.box.transform.isSpatial
        case "transform-style", "perspective": styled.styles.styles.contains { $0.box.transform.isSpatial }
        case "ruby-align", "ruby-merge", "ruby-overhang": tag == .ruby || tag == .rt
        case "text-emphasis-position": style.text.emphasisMark != nil
        case "hyphenate-limit-chars", "hyphenate-limit-lines", "hyphenate-limit-last": style.text.hyphens == .auto
        case "image-orientation": tag == .img
        case "contain-intrinsic-size": style.box.contain.contains(.size)
        default: true
        }
    }
}

extension TagID {
    /// An element that browsers draw in a look of the system's.
    fileprivate var isFormControl: Bool {
        switch self {
        case .input, .select, .textarea, .button, .progress, .meter: true
        default: false
        }
    }
}
