// Reports unsupported features that boxes or text of a document use.
//
// In: the styled text and the tree. Out: warnings in the log.

import FancyTextBasics
import FancyTextMarkup
import FancyTextStyling

extension BoxGenerator {
    /// Warns about features that shown elements use and that are not implemented. O(boxes + runs) if there are any, else
    /// O(styles).
    func reportMissingFeatures(log: inout DiagnosticLog) {
        reportMissingParts(log: &log)
        reportMistakes(log: &log)
        // Styles added by box generation come after those of elements and use no missing features.
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

    /// Returns whether the picture of an element depends on a feature.
    private func shows(_ feature: MissingFeature, _ style: ComputedStyle, _ element: NodeID) -> Bool {
        let tag = tree.tag(element)
        return switch feature.name {
        case "appearance": [.input, .select, .textarea, .button, .progress, .meter].contains(tag)
        case "shape-outside": style.box.float != .none
        case "ruby-align", "ruby-merge", "ruby-overhang": tag == .ruby || tag == .rt
        case "hyphenate-limit-chars", "hyphenate-limit-lines", "hyphenate-limit-last": style.text.hyphens == .auto
        case "image-orientation": tag == .img
        case "::-webkit-color-swatch": tag == .input && tree.inputType(element) == .color
        default: true
        }
    }

    /// Warns about parts of controls and of inline pictures that are not drawn, or drawn differently; each kind once. O(boxes +
    /// nodes of inline pictures).
    private func reportMissingParts(log: inout DiagnosticLog) {
        var told: Set<String> = []
        func tell(_ message: String, _ node: NodeID) {
            guard told.insert(message).inserted else { return }
            log.warn(.noEffect, message, at: tree.location(node))
        }
        for box in text.boxes {
            let content = styled.computed(box.element).box.content
            guard content?.count == 1, case .image(.gradient)? = content?.first else { continue }
            tell("a gradient as 'content' of an element has no effect here", box.element)
        }
        for box in text.boxes where (box.kind == .flex || box.kind == .grid) && !box.isAnonymous {
            let style = styled.computed(box.element).box
            guard !style.$lineEdges, style.lineEdges.trimsTopMargin || style.lineEdges.trimsBottomMargin else {
                continue
            }
            tell("'margin-trim' of flex containers and grids has no effect here", box.element)
        }
        for node in media { tell("'\(tree.name(node))' is an empty box here", node) }
        for box in text.boxes where box.control >= 0 || box.replaced >= 0 {
            if box.replaced >= 0, tree.tag(box.element) == .svg {
                for node in tree.subtree(box.element) where tree.kind(node) == .element {
                    if let part = missingPart(ofPicture: node) {
                        tell("\(part) has no effect in an inline svg here", node)
                    }
                }
            }
            guard box.control >= 0 else { continue }
            if tree.hasAttribute(box.element, "autofocus") { tell("'autofocus' has no effect here", box.element) }
            if tree.tag(box.element) == .select, tree.isListBox(box.element),
                let line = tree.children(box.element).first(where: { tree.tag($0) == .hr })
            {
                tell("lines in a list box are not shown", line)
            }
        }
    }

    /// The part of an element that the library for SVG pictures does not draw; nil for none.
    private func missingPart(ofPicture node: NodeID) -> String? {
        switch tree.name(node) {
        case "foreignobject": return picture(of: node) == nil ? "this 'foreignObject'" : nil
        case "animate", "animatemotion", "animatetransform", "set": return "animation"
        default: break
        }
        if tree.attribute(node, "vector-effect") == "non-scaling-stroke" { return "'vector-effect'" }
        var mistake: String?
        tree.forEachAttribute(node) { attribute in
            let name = tree.attributeName(attribute)
            // The size of a box is a property.
            guard PictureAttributes.checked.contains(name), mistake == nil,
                tree.tag(node) != .svg || name != "width" && name != "height"
            else { return }
            let value = tree.withValue(attribute) { String(decoding: $0, as: UTF8.self) }
            guard PictureAttributes.used(value, of: name) != value else { return }
            mistake =
                (name == "points" ? "the end of '" : "'")
                + "\(String(decoding: tree.rawName(attribute), as: UTF8.self))=\"\(value.prefix(40))\"'"
        }
        if let mistake { return mistake }
        guard tree.tag(node) != .svg else { return nil }
        let box = styled.computed(node).box
        let transform = box.transform
        let shapes = PictureShapes(tree, styled, viewport: node)
        if !box.$effects, let clip = box.effects.clip, clip.reference == nil,
            shapes.outline(of: clip, around: node) == nil
        {
            return "this 'clip-path'"
        }
        let isKnown = shapes.referenceBox(of: node, transform) != nil
        return transform.isTransforming && !isKnown ? "'transform-box'" : nil
    }
}
