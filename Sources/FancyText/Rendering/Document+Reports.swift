// Reports about a document: resources that it lacks (images, fonts, glyphs, space), each once at the first place that needs it, and
// sources that are probably not what their author meant. In: a document, and what its layout and painting lacked. Out: messages.
// Layout and painting only record missing resources; the reports depend only on the document, not on a renderer's caches.

import FancyTextBoxes
import FancyTextImages
import FancyTextLayout
import FancyTextMarkup

extension Document {
    /// - Throws: ``RenderError/overBudget(_:limit:)`` when styles or boxes took too much.
    func checkBudgets() throws(RenderError) {
        for message in diagnostics where message.severity == .error {
            if let budget = Budget.allCases.first(where: { $0.code == message.code }) {
                throw .overBudget(budget, limit: parser.syntax.limits[budget])
            }
        }
    }

    mutating func reportFailures(of images: ImageStore) {
        guard !images.failures.isEmpty else { return }
        let text = styledContents()
        var elements: [String: NodeID] = [:]
        for box in text.boxes where box.replaced >= 0 && box.kind == .image {
            let source = text.replaced[box.replaced].source
            if elements[source] == nil { elements[source] = box.element }
        }
        let inSheets = Set(images.failures.map(\.source)).filter { elements[$0] == nil }
        let mentions = inSheets.isEmpty ? [:] : styled().mentions(of: inSheets)
        for (source, error) in images.failures {
            let name = source.utf8.count > 64 ? String(source.prefix(60)) + "…" : source
            let element = elements[source]
            diagnostics.warn(
                error.code, source.isEmpty ? "an image has no source" : "image \(name): \(error)",
                at: element.map { tree.location($0) } ?? mentions[source]?.location, excerpt: mentions[source]?.excerpt)
        }
    }

    /// Reports the lambdas without contents; each is a blank box of its size.
    mutating func reportUnfilled(_ lambdas: [String: Lambda]) {
        let text = styledContents()
        var told: Set<String> = []
        for box in text.boxes where box.replaced >= 0 && box.kind == .lambda {
            let id = text.replaced[box.replaced].source
            guard lambdas[id] == nil, told.insert(id).inserted else { continue }
            let what = id.isEmpty ? "a lambda without an id" : "lambda '\(id)'"
            diagnostics.warn(.unfilledLambda, "nothing fills \(what)", at: tree.location(box.element))
        }
    }

    mutating func reportFont(_ face: FontFaceRule, of name: String, _ problem: String) {
        let mention = styled().mentions(of: [name])[name]
        diagnostics.warn(
            .unusableFont, "@font-face '\(face.family)': \(problem)", at: mention?.location, excerpt: mention?.excerpt)
    }

    mutating func reportMissing(from fonts: FontContext, _ text: BoxTree, _ layout: LayoutTree) {
        reportDescriptors(of: fonts, layout)
        for message in fonts.messages { diagnostics.warn(.unusableFont, message) }
        if !BidiParagraph.canResolve(text.text) {
            diagnostics.warn(
                .missingLibrary, "right-to-left text needs ICU, which is not installed: its order is wrong")
        }
        let languages = Set(text.styles.styles.lazy.filter { $0.text.hyphens == .auto }.map(\.font.language))
        for language in languages.sorted() where !language.isEmpty && !Hyphenator.isInstalled(for: language) {
            diagnostics.warn(
                .missingLibrary,
                "words of language '\(language)' are not hyphenated: install libhyphen and a dictionary (hyphen-*)")
        }
        if !fonts.missingFamilies.isEmpty { reportFamilies(fonts.missingFamilies, text) }
        if !fonts.missingScalars.isEmpty { reportScalars(fonts.missingScalars, text, layout) }
    }

    /// Reports descriptors without effect if text is set in a face of their family.
    private mutating func reportDescriptors(of fonts: FontContext, _ layout: LayoutTree) {
        let faces = fontFaces().filter { $0.missing != nil }
        guard !faces.isEmpty else { return }
        let used = Set(Set(layout.glyphRuns.map(\.font)).map { fonts.family($0).lowercased() })
        let missing = faces.filter { used.contains($0.family.lowercased()) }.compactMap(\.missing)
        styled().report(missing, log: &diagnostics)
    }

    /// Reports the first line that the canvas cuts off, or else the first picture in the flow, unless a box clips it on purpose or a
    /// transform may move it.
    mutating func reportOverflow(_ text: BoxTree, _ layout: LayoutTree) {
        let size = layout.size
        func isClipped(_ container: Int) -> Bool {
            sequence(first: container) { layout.boxes[$0].parent }.prefix { $0 >= 0 }.contains {
                layout.boxes[$0].clips || text.styles[layout.boxes[$0].style].isTransformed
            }
        }
        func isOutside(_ line: LineFragment) -> Bool {
            let isVertical = layout.boxes[line.container].axes.isVertical
            func isOutside(_ rect: Rect, _ baseline: LayoutUnit) -> Bool {
                (isVertical ? rect.maxY > size.height + 1 : baseline.float > size.height)
                    || rect.maxX > size.width + 1 || rect.x < -1
            }
            guard isOutside(line.rect.rect, line.baseline) else { return false }
            return layout.inlines[line.fragments].contains { piece in
                let rect = isVertical ? piece.rect.rect : layout.ink(of: piece, in: text)
                return piece.kind == .text && !piece.isHidden && isOutside(rect, piece.baseline)
            }
        }
        func report(_ name: String, _ element: NodeID) {
            diagnostics.warn(.clippedText, "\(name) is cut off at the edge of the canvas", at: tree.location(element))
        }
        let cut = layout.lines.first { isOutside($0) && !isClipped($0.container) }
        if let run = cut.flatMap({ run(at: $0.text.lowerBound, in: text) }) {
            return report("text", text.runs[run].element)
        }
        let picture = layout.boxes.indices.first { index in
            let fragment = layout.boxes[index]
            let rect = fragment.rect.rect
            guard fragment.box >= 0, text.boxes[fragment.box].isReplaced, rect.maxX > 0, rect.maxY > 0
            else { return false }
            let style = text.styles[fragment.style]
            return (rect.maxX > size.width + 1 || rect.maxY > size.height + 1 || rect.x < -1 || rect.y < -1)
                && !text.replaced[text.boxes[fragment.box].replaced].source.isEmpty
                && style.text.visibility == .visible && style.box.opacity > 0 && !isClipped(fragment.parent)
                && !text.chain(from: fragment.box).contains { text.boxes[$0].isPositioned }
        }
        if let picture { report("a picture", layout.boxes[picture].element) }
    }

    /// Reports a missing family only if text would use it: families after the first available one do not matter.
    private mutating func reportFamilies(_ missing: Set<String>, _ text: BoxTree) {
        // Problems of the document's own fonts are already reported.
        let own = Set(fontFaces().map { $0.family.lowercased() })
        var names: [String] = []
        var seen: Set<StyleID> = []
        for run in text.runs where seen.insert(run.style).inserted {
            for family in text.styles[run.style].font.families {
                guard case .named(let name) = family, missing.contains(name) else { break }
                if !names.contains(name), !own.contains(name.lowercased()) { names.append(name) }
            }
        }
        let mentions = names.isEmpty ? [:] : styled().mentions(of: Set(names))
        // The family of controls, which the document does not name.
        names.removeAll { $0 == "Arial" && mentions[$0] == nil }
        for name in names {
            diagnostics.warn(
                .missingFamily, "the font family '\(name)' is not available: add it with --font FILE",
                at: mentions[name]?.location, excerpt: mentions[name]?.excerpt)
        }
    }

    private mutating func reportScalars(_ missing: Set<UInt32>, _ text: BoxTree, _ layout: LayoutTree) {
        var places: [UInt32: Int] = [:]
        for run in layout.glyphRuns {
            for glyph in layout.glyphs[run.glyphs] where glyph.id == 0 {
                let offset = run.clusterBase + Int(glyph.cluster)
                guard let scalar = Self.scalar(at: offset, in: text.text), missing.contains(scalar) else { continue }
                places[scalar] = min(places[scalar] ?? .max, offset)
            }
        }
        // Each run is searched once for all of its missing characters.
        var searched: (run: Int, found: [UInt32: Int]) = (-1, [:])
        for (scalar, offset) in places.sorted(by: { $0.value < $1.value }) {
            let index = run(at: offset, in: text)
            var location = index.map { tree.location(text.runs[$0].element) }
            if let index, case let run = text.runs[index], !run.isGenerated, !run.source.isEmpty {
                if searched.run != index { searched = (index, tree.firstOffsets(of: missing, in: run.source)) }
                // Transformed characters are not in the source; the start of the run is the nearest known position.
                location = tree.location(offset: searched.found[scalar] ?? run.source.lowerBound)
            }
            report(missing: scalar, at: location)
        }
        for box in text.boxes where box.marker >= 0 {
            for scalar in text.markers[box.marker].text.unicodeScalars.map(\.value)
            where missing.contains(scalar) && places.updateValue(0, forKey: scalar) == nil {
                report(missing: scalar, at: tree.location(box.element))
            }
        }
    }

    private mutating func report(missing scalar: UInt32, at location: Diagnostic.Location?) {
        var digits = String(scalar, radix: 16, uppercase: true)
        while digits.utf8.count < 4 { digits = "0" + digits }
        diagnostics.warn(.missingGlyph, "no font has a glyph for U+\(digits)", at: location)
    }

    private static func scalar(at offset: Int, in text: [UInt8]) -> UInt32? {
        guard text.indices.contains(offset) else { return nil }
        return String(decoding: text[offset...].prefix(4), as: UTF8.self).unicodeScalars.first?.value
    }

    /// The index of the run that contains a byte of the text. Runs ascend and cover the text: O(log runs).
    private func run(at offset: Int, in text: BoxTree) -> Int? {
        let index = text.runs.partitioningIndex { $0.range.upperBound > offset }
        return text.runs.indices.contains(index) ? index : nil
    }

    /// Reports an input that is empty, or has neither elements nor text, as one of only a comment.
    package mutating func reportNothing() {
        let hasContents = tree.subtree(tree.root).contains { [tree] node in
            guard tree.kind(node) == .element else { return tree.kind(node) == .text && tree.showsSomething(node) }
            return ![.html, .head, .body, .title, .meta, .base].contains(tree.tag(node))
        }
        guard !hasContents else { return }
        let message = tree.source.allSatisfy(\.isHTMLSpace) ? "the input is empty" : "the input has nothing to show"
        diagnostics.warn(.emptyInput, "\(message): the picture is empty", at: tree.location(offset: 0))
    }

    /// Reports scripts, which are not run; as a warning if the document shows nothing or has no styles without them.
    package mutating func reportScripts() {
        let scripts = tree.subtree(tree.root).filter { [tree] node in
            guard tree.kind(node) == .element else { return false }
            if tree.tag(node) != .script { return tree.hasHandler(node) }
            let type = tree.attribute(node, "type")?.lowercased() ?? ""
            return type.isEmpty || type == "module" || type.contains("script")
        }
        let styling = scripts.first { script in
            let source = tree.attribute(script, "src") ?? ""
            return ["cdn.tailwindcss.com", "@tailwindcss/browser"].contains { source.contains($0) }
        }
        guard let script = styling ?? scripts.first else { return }
        let isEmpty = !tree.subtree(tree.root).contains { [tree] in tree.showsSomething($0) }
        var message = isEmpty ? "the page shows nothing until its scripts run: they are not run" : "scripts are not run"
        if styling != nil {
            message += ", so Tailwind's styles are missing: link a style sheet that its command line built"
        }
        diagnostics.report(
            Diagnostic(
                isEmpty || styling != nil ? .warning : .note, .scriptsNotRun, message, at: tree.location(script)))
    }

    private static let tag = Expression(#"\{\{\{?+[#^&]?+ *+[A-Za-z_][A-Za-z_0-9.]*+ *+\}\}"#, anchored: false)

    /// Reports the first tag of a template that is shown as it is. Code and scripts may contain such text for other reasons.
    package mutating func reportUnfilledTags() {
        let matcher = Matcher()
        func hasTag(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
            text.baseAddress.map { Self.tag.match($0, count: text.count, from: 0, with: matcher) } ?? false
        }
        guard hasTag(tree.source) else { return }
        let found = tree.subtree(tree.root).first { node in
            var isFound = false
            switch tree.kind(node) {
            case .text: isFound = tree.withText(node, hasTag)
            case .element: tree.forEachAttribute(node) { if tree.withValue($0, hasTag) { isFound = true } }
            case .root, .comment, .doctype, .instruction: return false
            }
            return isFound
                && !tree.ancestors(node).contains { [.pre, .code, .script, .template].contains(tree.tag($0)) }
        }
        guard let found else { return }
        let message = "tags such as {{name}} are shown as they are: only rows fill them"
        diagnostics.report(Diagnostic(.note, .unfilledTag, message, at: tree.location(found)))
    }
}

extension MarkupTree {
    /// Returns whether a node is a text outside of the head and of scripts, a picture or a control.
    fileprivate func showsSomething(_ node: NodeID) -> Bool {
        switch kind(node) {
        case .text:
            ![.script, .style, .title, .noscript, .template].contains(parent(node).map { tag($0) })
                && withText(node) { !$0.allSatisfy(\.isHTMLSpace) }
        case .element: [.img, .svg, .input, .textarea, .select, .video, .hr].contains(tag(node))
        case .root, .comment, .doctype, .instruction: false
        }
    }

    /// Returns whether an attribute of an element is a script: its name begins with "on".
    fileprivate func hasHandler(_ node: NodeID) -> Bool {
        var isFound = false
        forEachAttribute(node) { attribute in
            if rawName(attribute).prefix(2).elementsEqual("on".utf8, by: { $0.asciiLowercased == $1 }) {
                isFound = true
            }
        }
        return isFound
    }
}

extension LayoutTree {
    /// The rectangle of a horizontal text without the spaces at its ends, which may hang (CSS Text 3 §4.1.3).
    fileprivate func ink(of piece: InlineFragment, in text: BoxTree) -> Rect {
        let glyphs = glyphs[piece.glyphs]
        let first = glyphs.map(\.cluster).min() ?? 0
        func isSpace(_ glyph: ShapedGlyph) -> Bool {
            let place = piece.text.lowerBound + Int(glyph.cluster - first)
            return text.text.indices.contains(place) && text.text[place] == 0x20
        }
        let start = glyphs.prefix(while: isSpace).reduce(0) { $0 + $1.advance }
        let end = glyphs.reversed().prefix(while: isSpace).reduce(0) { $0 + $1.advance }
        var rect = piece.rect.rect
        rect.x += start
        rect.width = max(0, rect.width - start - end)
        return rect
    }
}
