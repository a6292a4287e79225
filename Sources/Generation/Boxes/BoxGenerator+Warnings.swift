// Reports unsupported features that a document uses, and mistakes of authors that browsers pass over in silence: references to no
// element, wrong elements and values in inline pictures, text that a formula does not show. In: the boxes and the tree. Out: warnings
// in the log, each message once.

import FancyTextBasics
import FancyTextCSS
import FancyTextMarkup

extension BoxGenerator {
    /// Warns about missing features that shown elements use, and about mistakes. O(boxes + runs).
    func reportMissingFeatures(log: inout DiagnosticLog) {
        var told: Set<String> = []
        func tell(_ message: String, _ node: NodeID) {
            if told.insert(message).inserted { log.warn(.noEffect, message, at: tree.location(node)) }
        }
        reportMissingParts(tell)
        reportMistakes(tell)
        // Styles added by box generation come after those of elements and use no missing features.
        let asking = styled.styles.styles.map { !$0.missing.isEmpty }
        guard asking.contains(true) else { return }
        var found: [MissingFeature] = []
        func note(_ style: StyleID, _ element: NodeID) {
            for id in [style, styled.style(of: element)]
            where Int(id.rawValue) < asking.count && asking[Int(id.rawValue)] {
                let computed = styled.styles[id]
                for feature in computed.missing where !found.contains(feature) && shows(feature, computed, element) {
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
        // Of the elements of inline pictures.
        case "vector-effect": false
        case "math-style", "math-depth", "math-shift":
            tag == .math || tree.ancestors(element).contains { tree.tag($0) == .math }
        case "::-webkit-color-swatch": tag == .input && tree.inputType(element) == .color
        default: true
        }
    }

    /// Warns about parts of controls and of inline pictures that are not drawn, or drawn differently.
    private func reportMissingParts(_ tell: (_ message: String, _ node: NodeID) -> Void) {
        for box in text.boxes {
            let content = styled.computed(box.element).box.content
            guard content?.count == 1, case .image(.gradient)? = content?.first else { continue }
            tell("a gradient as 'content' of an element has no effect here", box.element)
        }
        for box in text.boxes where box.holdsItems && !box.isAnonymous {
            let style = styled.computed(box.element).box
            if !style.$lineEdges, style.lineEdges.trimsTopMargin || style.lineEdges.trimsBottomMargin {
                tell("'margin-trim' of flex containers and grids has no effect here", box.element)
            }
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
        case "foreignobject":
            guard let svg = picture(of: node) else { return "this 'foreignObject'" }
            let isInEffect = tree.ancestors(node).prefix { $0 != svg }.contains { group in
                ["clip-path", "filter", "mask"].contains { tree.hasAttribute(group, $0) }
                    || !styled.computed(group).box.$effects || !styled.computed(group).box.$mask
            }
            return isInEffect ? "an effect around 'foreignObject'" : nil
        case "animate", "animatemotion", "animatetransform", "set": return "animation"
        default: break
        }
        let isPicture = tree.tag(node) == .svg
        let style = styled.computed(node)
        if tree.attribute(node, "vector-effect") == "non-scaling-stroke"
            || style.missing.contains(where: { $0.name == "vector-effect" })
        {
            return "'vector-effect'"
        }
        if !isPicture, style.box.outlineWidth > 0 { return "'outline'" }
        if style.box.decorations.contains(where: { $0.style != .solid }) { return "this style of 'text-decoration'" }
        // A text in another one is part of it.
        if tree.tag(node) == .text, !tree.ancestors(node).contains(where: { tree.tag($0) == .text }),
            tree.subtree(node).contains(where: { !styled.computed($0).box.decorations.isEmpty })
        {
            var texts = PictureTexts(tree, styled, PictureShapes(tree, styled, viewport: node), advances)
            texts.place(node)
            if !texts.measured.isEmpty { return "'text-decoration' of letters that are placed one by one" }
        }
        var mistake: String?
        tree.forEachAttribute(node) { attribute in
            let name = tree.attributeName(attribute)
            // The size of a box is a property.
            guard PictureAttributes.checked.contains(name), mistake == nil,
                !isPicture || name != "width" && name != "height"
            else { return }
            let value = tree.withValue(attribute) { String(decoding: $0, as: UTF8.self) }
            guard PictureAttributes.used(value, of: name) != value else { return }
            let written = String(decoding: tree.rawName(attribute), as: UTF8.self)
            mistake = (name == "points" ? "the end of '" : "'") + "\(written)=\"\(value.prefix(40))\"'"
        }
        if mistake != nil || isPicture { return mistake }
        let box = style.box
        let shapes = PictureShapes(tree, styled, viewport: node)
        if !box.$effects, let clip = box.effects.clip, clip.reference == nil,
            shapes.outline(of: clip, around: node) == nil
        {
            return "this 'clip-path'"
        }
        let isKnown = shapes.referenceBox(of: node, box.transform) != nil
        return box.transform.isTransforming && !isKnown ? "'transform-box'" : nil
    }

    // MARK: Mistakes

    private func reportMistakes(_ tell: (_ message: String, _ node: NodeID) -> Void) {
        for box in text.boxes {
            if let missing = missingTarget(of: box.element) {
                tell("there is no \(missing) in the document", box.element)
            }
            if box.kind == .math {
                let name = tree.name(box.element)
                // Text directly in an element that is no token is not shown (MathML Core §3.1).
                let lost = tree.children(box.element).first { tree.kind($0) == .text && !isBlank($0) }
                if tree.tag(box.element) != .mtext, let lost {
                    tell("text in '\(name)' is shown only in 'mtext', 'mi', 'mn', 'mo' or 'ms'", lost)
                }
                let count = tree.children(box.element).count { tree.kind($0) == .element }
                if let needed = Self.operands[name], needed != count {
                    tell("'\(name)' needs \(needed) elements", box.element)
                }
            }
            // Outputs in which formulas are text do not draw inline pictures.
            guard isForLayout, box.replaced >= 0, tree.tag(box.element) == .svg else { continue }
            for node in tree.subtree(box.element) where tree.kind(node) == .element && tree.isForeign(node) {
                if let mistake = mistake(inPicture: node) { tell(mistake, node) }
            }
        }
    }

    /// The missing element that an element's clip path or filters refer to; nil if all exist.
    private func missingTarget(of element: NodeID) -> String? {
        let style = styled.computed(element).box
        guard !style.$effects else { return nil }
        if let id = style.effects.clip?.reference, target(id, "clippath") == nil {
            return "'clipPath' element '#\(id)'"
        }
        for case .reference(let id) in style.effects.filters + style.effects.backdropFilters
        where target(id, "filter") == nil { return "'filter' element '#\(id)'" }
        return nil
    }

    /// The number of elements in those of formulas that have a fixed one; others are shown as rows (MathML Core §3.3).
    private static let operands = [
        "mfrac": 2, "mroot": 2, "msub": 2, "msup": 2, "munder": 2, "mover": 2, "msubsup": 3, "munderover": 3,
    ]

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

    /// The message about an element of an inline picture: an unknown name, a reference to nothing, or an invalid value.
    private func mistake(inPicture node: NodeID) -> String? {
        let name = tree.name(node)
        if !Self.pictureElements.contains(name), !name.contains(":") { return "'\(name)' is no element of SVG" }
        switch name {
        case "path":
            if let data = tree.attribute(node, "d"), data != "none", PathData.path(data) == nil {
                return "the path is drawn up to the mistake in its 'd'"
            }
        // The `fill` of an animation is how long it lasts.
        case "animate", "animatemotion", "animatetransform", "set": return nil
        default: break
        }
        for (attribute, value) in tree.attributes(node) {
            let isLink = ["use", "textpath"].contains(name) && ["href", "xlink:href"].contains(attribute)
            let link = value.hasPrefix("url(#") && value.last == ")" ? value.dropFirst(4).dropLast() : value[...]
            if isLink || link.count < value.count, link.first == "#",
                tree.nodes(withID: String(link.dropFirst())).isEmpty
            {
                return "there is no element '\(link)' in the document"
            }
        }
        for property in ["fill", "stroke"] {
            guard let value = tree.attribute(node, property), !value.isEmpty, Color(css: value) == nil,
                !Self.paints.contains(where: value.lowercased().hasPrefix)
            else { continue }
            return "invalid value for '\(property)': \(value)"
        }
        return nil
    }

    /// The beginnings of paints other than colours (SVG 2 §13.2).
    private static let paints = ["none", "url(", "var(", "context-", "inherit", "initial", "unset", "revert"]
}
