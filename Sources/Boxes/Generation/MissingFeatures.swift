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
        let isGradient = { (style: ComputedStyle) in
            if case .image(.gradient)? = style.box.content?.first { style.box.content?.count == 1 } else { false }
        }
        let hasGradients = styled.styles.styles.contains(where: isGradient)
        for box in text.boxes where hasGradients && isGradient(styled.computed(box.element)) {
            tell("a gradient as 'content' of an element has no effect here", box.element)
        }
        for box in text.boxes where (box.kind == .flex || box.kind == .grid) && !box.isAnonymous {
            let style = styled.computed(box.element).box
            guard !style.$lineEdges, style.lineEdges.trimsTopMargin || style.lineEdges.trimsBottomMargin else {
                continue
            }
            tell("'margin-trim' of flex containers and grids has no effect here", box.element)
        }
        for node in media {
            tell("'\(tree.name(node))' is an empty box here", node)
        }
        let hasEffects = styled.styles.styles.contains { !$0.box.$effects }
        for box in text.boxes where hasEffects {
            let style = styled.computed(box.element).box
            guard !style.$effects else { continue }
            var missing = style.effects.clip?.reference.map { ("clippath", $0) }
            for case .reference(let id) in style.effects.filters + style.effects.backdropFilters {
                missing = missing ?? ("filter", id)
            }
            if let (name, id) = missing, target(id, name) == nil {
                tell(
                    "there is no '\(name == "filter" ? name : "clipPath")' element '#\(id)' in the document",
                    box.element)
            }
        }
        for box in text.boxes where text.hasFormulas && box.kind == .math {
            if tree.tag(box.element) != .mtext, let lost = textBesideElements(of: box.element) {
                tell("text in '\(tree.name(box.element))' is shown only in 'mtext', 'mi', 'mn', 'mo' or 'ms'", lost)
            }
        }
        for box in text.boxes where box.control >= 0 || box.replaced >= 0 {
            if box.replaced >= 0, tree.tag(box.element) == .svg {
                for node in tree.subtree(box.element) where tree.kind(node) == .element {
                    // Outputs in which formulas are text do not draw it.
                    if laysOutFormulas, let mistake = mistake(inPicture: node) { tell(mistake, node) }
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

    /// The first text among the child elements of an element of a formula, which is not shown (MathML Core §3.1).
    private func textBesideElements(of node: NodeID) -> NodeID? {
        let children = tree.children(node)
        guard children.contains(where: { tree.kind($0) == .element }) else { return nil }
        return children.first { child in
            tree.kind(child) == .text && tree.withText(child) { !$0.allSatisfy(\.isHTMLSpace) }
        }
    }

    /// The elements of SVG 2 and Filter Effects 1, in lower case.
    private static let pictureElements = Set(
        """
        a animate animatemotion animatetransform circle clippath defs desc discard ellipse feblend fecolormatrix \
        fecomponenttransfer fecomposite feconvolvematrix fediffuselighting fedisplacementmap fedistantlight fedropshadow \
        feflood fefunca fefuncb fefuncg fefuncr fegaussianblur feimage femerge femergenode femorphology feoffset \
        fepointlight fespecularlighting fespotlight fetile feturbulence filter foreignobject g image line lineargradient \
        marker mask metadata mpath path pattern polygon polyline radialgradient rect script set stop style svg switch \
        symbol text textpath title tref tspan use view
        """.split(separator: " ").map(String.init))

    /// What is wrong with an element of an inline picture: an unknown name, a reference to nothing, or an invalid value.
    private func mistake(inPicture node: NodeID) -> String? {
        guard tree.isForeign(node) else { return nil }
        let name = tree.name(node)
        if !Self.pictureElements.contains(name), !name.contains(":") { return "'\(name)' is no element of SVG" }
        if name == "use", let link = tree.attribute(node, "href") ?? tree.attribute(node, "xlink:href"),
            link.first == "#",
            tree.nodes(withID: String(link.dropFirst())).isEmpty
        {
            return "there is no element '\(link)' in the document"
        }
        if name == "path", let data = tree.attribute(node, "d"), data != "none", PathData.path(data) == nil {
            return "the path is drawn up to the mistake in its 'd'"
        }
        // The `fill` of an animation is how long it lasts.
        for property in name.hasPrefix("animate") || name == "set" ? [] : ["fill", "stroke"] {
            guard let value = tree.attribute(node, property)?.lowercased().split(separator: " ").first else { continue }
            let isPaint = ["url(", "var(", "context-", "inherit", "initial", "unset", "revert", "none"].contains(
                where: value.hasPrefix)
            let isColor = tree.attribute(node, property).flatMap { Color(css: $0) } != nil
            if !isPaint, !isColor { return "invalid value for '\(property)': \(value)" }
        }
        return nil
    }

    /// The part of an element that the library for SVG pictures does not draw; nil for none.
    private func missingPart(ofPicture node: NodeID) -> String? {
        switch tree.name(node) {
        case "foreignobject":
            return picture(of: node) == nil ? "this 'foreignObject'" : nil
        case "animate", "animatemotion", "animatetransform", "set": return "animation"
        default: break
        }
        if tree.attribute(node, "vector-effect") == "non-scaling-stroke" { return "'vector-effect'" }
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
