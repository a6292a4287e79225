// Boxes of a formula (MathML Core §3): one for each element, with its role in ``BoxTree/formulas``. Tokens are blocks with text,
// everything else is a box of kind `math`. Outputs without a layout get a line of text instead.

import FancyTextBoxes
import FancyTextCSS
import FancyTextMarkup

extension BoxGenerator {
    /// The state that elements inherit from the formula around them.
    struct FormulaContext {
        var isDisplay = false
        /// `math-depth`: how often the font is made smaller for scripts.
        var level = 0
        /// The factor of the font size at this depth, and that of the element around.
        var scale: Float = 1, outerScale: Float = 1
        /// The form of an operator by its place in its row.
        var form = MathOperator.Form.infix
        var depth = 0
    }

    /// Appends the contents of `math`, or of a cell of `mtable`.
    mutating func appendFormula(_ node: NodeID, style: StyleID, to flow: inout Flow) {
        text.differsInLayout = true
        guard isForLayout else {
            let line = MathText.line(of: node, in: tree) { [styled, styles = text.styles] node in
                styles[styled.style(of: node)].box.display != .none
            }
            flow.inline.append(generated: line, style: style, element: node, to: &text)
            return
        }
        let isCell = tree.tag(node) == .mtd
        var context = FormulaContext(isDisplay: tree.attribute(node, "display")?.lowercased() == "block")
        if isCell {
            context = cellContext
            if let row = tree.parent(node) { context = adjusted(context, by: row) }
        }
        context = adjusted(context, by: node)
        context.depth = flow.depth + 1
        appendInlineChild(of: node, style: style, to: &flow) { generator, parent, _ in
            let box = generator.openAnonymous(.math, .inlineBlock, of: style, node, in: parent)
            let parts = generator.parts(of: node)
            generator.fillRow(box, parts, .row, in: context)
            // An operator alone in a cell has no spaces.
            if isCell, parts.count == 1 { (_, _) = generator.takeSpaces(of: box + 1) }
        }
    }

    /// Returns whether a cell of `mtable` contains elements; if it does not, its text is laid out like that of any cell.
    func holdsFormula(_ cell: NodeID) -> Bool { tree.children(cell).contains { tree.kind($0) == .element } }

    private mutating func takeSpaces(of box: Int) -> (before: Float, after: Float) {
        guard text.boxes.indices.contains(box), let role = text.formulas[box] else { return (0, 0) }
        text.formulas[box]?.before = 0
        text.formulas[box]?.after = 0
        return (role.before, role.after)
    }

    private func parts(of node: NodeID) -> [NodeID] {
        let shown = tree.children(node).filter { tree.kind($0) == .element && computed($0).box.display != .none }
        // Only the first child of these is presentation (MathML Core §3.5).
        let showsFirst = tree.tag(node) == .semantics || tree.name(node).lowercased() == "maction"
        return showsFirst ? Array(shown.prefix(1)) : shown
    }

    /// The context that an element's attributes make (MathML Core §2.1.6).
    private mutating func adjusted(_ context: FormulaContext, by node: NodeID) -> FormulaContext {
        var result = context
        if let isDisplay = flag("displaystyle", of: node) { result.isDisplay = isDisplay }
        let level = tree.attribute(node, "scriptlevel")?.filter { !$0.isWhitespace } ?? ""
        if let number = Int(level), (-99...99).contains(number) {
            result.level = level.hasPrefix("+") || level.hasPrefix("-") ? context.level + number : number
            result.scale *= scriptScale(from: context.level, to: result.level, styled.style(of: node))
        }
        // Another size replaces that of the depth.
        if let size = tree.attribute(node, "mathsize"), mathLength(size, .root) != nil || size.hasSuffix("%") {
            let isRelative = ["em", "ex", "%"].contains { size.lowercased().hasSuffix($0) }
            result.scale = isRelative ? context.outerScale : 1
        }
        result.outerScale = result.scale
        return result
    }

    /// The context of a script, a numerator and the like.
    private mutating func script(_ context: FormulaContext, by steps: Int = 1, in node: NodeID) -> FormulaContext {
        let level = context.level + steps
        let factor = scriptScale(from: context.level, to: level, styled.style(of: node))
        return FormulaContext(
            level: level, scale: context.scale * factor, outerScale: context.scale, depth: context.depth)
    }

    /// The factor of the font size between two depths, by the MATH table of the font around, or 0.71 for each (MathML Core §4.5).
    private mutating func scriptScale(from outer: Int, to inner: Int, _ style: StyleID) -> Float {
        if inner < outer { return 1 / scriptScale(from: inner, to: outer, style) }
        let font = text.styles[style].font
        text.formulaFonts[font] = text.formulaFonts[font] ?? text.formulaFonts.count
        let scales = scriptScales[font] ?? ScriptScales()
        var (result, steps) = (Float(1), inner - outer)
        if outer <= 0, inner >= 2 {
            (result, steps) = (scales.second, steps - 2)
        } else if outer == 1, inner >= 2 {
            (result, steps) = (scales.second / scales.first, steps - 1)
        } else if inner == 1, outer < 1 {
            (result, steps) = (scales.first, steps - 1)
        }
        for _ in 0..<min(steps, 16) { result *= 0.71 }
        return result
    }

    private mutating func appendMath(_ node: NodeID, in context: FormulaContext, parent: Int) {
        var context = adjusted(context, by: node)
        context.depth += 1
        let parts = parts(of: node)
        let style = scaled(styled.style(of: node), context.scale)
        switch tree.tag(node) {
        case .mi, .mn, .mo, .ms, .mtext: return appendToken(node, in: context, parent: parent)
        case .mtable:
            let around = cellContext
            cellContext = FormulaContext(
                isDisplay: flag("displaystyle", of: node) ?? false, level: context.level, scale: context.scale,
                outerScale: context.scale)
            appendElementBox(node, style: style, parent: parent, depth: context.depth)
            cellContext = around
            return
        default: break
        }
        let box = openBox(.math, style: style, element: node, parent: parent)
        guard context.depth < depthLimit else {
            if tooDeep == nil { tooDeep = node }
            return finish(box, .row, in: context)
        }
        func length(_ name: String) -> Float? { tree.attribute(node, name).flatMap { mathLength($0, style) } }
        switch (tree.tag(node), parts.count) {
        case (.mfrac, 2):
            let inner = script(context, by: context.isDisplay ? 0 : 1, in: node)
            fill(box, .fraction(thickness: length("linethickness")), parts.map { ($0, inner) }, in: context)
        case (.msqrt, _):
            var inner = context
            (inner.form, inner.depth) = (.infix, context.depth + 1)
            let row = openAnonymous(.math, .block, of: style, node, in: box)
            fillRow(row, parts, .row, in: inner)
            finish(box, .root(hasIndex: false), in: context)
        case (.mroot, 2):
            let index = script(context, by: 2, in: node)
            fill(box, .root(hasIndex: true), [(parts[0], context), (parts[1], index)], in: context)
        case (.msub, 2): fillScripts(box, parts, [.sub], in: context)
        case (.msup, 2): fillScripts(box, parts, [.sup], in: context)
        case (.msubsup, 3): fillScripts(box, parts, [.sub, .sup], in: context)
        case (.munder, 2): fillLimits(box, parts, [.under], in: context)
        case (.mover, 2): fillLimits(box, parts, [.over], in: context)
        case (.munderover, 3): fillLimits(box, parts, [.under, .over], in: context)
        case (.mspace, _):
            finish(
                box, .space(width: length("width") ?? 0, ascent: length("height") ?? 0, descent: length("depth") ?? 0),
                in: context)
        case (.mpadded, _):
            let size = MathRole.Scheme.padded(
                width: length("width"), ascent: length("height"), descent: length("depth"),
                left: length("lspace") ?? 0, raise: length("voffset") ?? 0)
            fillRow(box, parts, size, in: context)
        default:
            guard tree.name(node).lowercased() == "mmultiscripts", let base = parts.first
            else { return fillRow(box, parts, .row, in: context) }
            let scripts = tree.multiscripts(parts.dropFirst())
            fillScripts(box, [base] + scripts.map(\.part), scripts.map(\.place), in: context)
        }
    }

    private mutating func finish(_ box: Int, _ scheme: MathRole.Scheme, in context: FormulaContext) {
        var role = MathRole(scheme: scheme, isDisplay: context.isDisplay)
        switch scheme {
        case .scripts: embellish(&role, box + 1)
        case .fraction:
            embellish(&role, box + 1)
            role.bar = barStyle(of: text.boxes[box].style)
        case .root: role.bar = barStyle(of: text.boxes[box].style)
        case .row, .padded: if let part = onlyPart(of: box) { embellish(&role, part) }
        case .token, .space: break
        }
        text.formulas[box] = role
        closeBox(box)
    }

    /// Makes a box an embellished operator if its part is one: the operator's space is outside of all (MathML Core §3.2.4.4).
    private mutating func embellish(_ role: inout MathRole, _ part: Int) {
        guard let inner = text.formulas[part] else { return }
        (role.before, role.after) = takeSpaces(of: part)
        role.traits = inner.traits
        role.core = inner.core ?? (tree.tag(text.boxes[part].element) == .mo ? part : nil)
    }

    /// The only child of a row that is not space-like (MathML Core §3.2.5).
    private func onlyPart(of box: Int) -> Int? {
        if text.boxes[box].isAnonymous { return nil }
        let parts = sequence(first: box + 1) { text.boxes[$0].end }.prefix { $0 < text.boxes.count }
        let shown = parts.filter { ![.mtext, .mspace].contains(tree.tag(text.boxes[$0].element)) }
        return shown.count == 1 ? shown[0] : nil
    }

    /// The style of a block whose lines are as high as their contents.
    mutating func withoutStrut(_ id: StyleID) -> StyleID {
        variant(of: id, .withoutStrut) { font, text, _ in (font.size, text.lineHeight) = (0, .number(0)) }
    }

    private mutating func barStyle(of id: StyleID) -> StyleID {
        variant(of: id, .bar) { _, text, box in
            box = BoxStyle()
            box.display = .block
            box.backgroundColor = text.color
        }
    }

    private mutating func fill(
        _ box: Int, _ scheme: MathRole.Scheme, _ parts: [(NodeID, FormulaContext)], in context: FormulaContext
    ) {
        for (part, inner) in parts { appendMath(part, in: inner, parent: box) }
        finish(box, scheme, in: context)
    }

    private mutating func fillRow(_ box: Int, _ parts: [NodeID], _ scheme: MathRole.Scheme, in context: FormulaContext)
    {
        let inner = parts.indices.map { index in
            var inner = context
            if parts.count > 1 { inner.form = index == 0 ? .prefix : index == parts.count - 1 ? .postfix : .infix }
            return (parts[index], inner)
        }
        fill(box, scheme, inner, in: context)
    }

    private mutating func fillScripts(
        _ box: Int, _ parts: [NodeID], _ places: [MathRole.Place], in context: FormulaContext
    ) {
        let inner = script(context, in: text.boxes[box].element)
        fill(box, .scripts(places), [(parts[0], context)] + parts.dropFirst().map { ($0, inner) }, in: context)
    }

    /// Limits above and below; beside, if the base moves them there outside of display style (MathML Core §3.4.2.1).
    private mutating func fillLimits(
        _ box: Int, _ parts: [NodeID], _ places: [MathRole.Place], in context: FormulaContext
    ) {
        let node = text.boxes[box].element
        let operation = tree.tag(parts[0]) == .mo ? properties(of: parts[0], in: context) : nil
        if !context.isDisplay, operation?.traits.contains(.movesLimits) == true {
            return fillScripts(box, parts, places.map { $0 == .under ? .sub : .sup }, in: context)
        }
        let (isUnder, isOver) = (flag("accentunder", of: node) == true, flag("accent", of: node) == true)
        let accents = places.map { $0 == .under ? isUnder : isOver }
        let limits = zip(parts.dropFirst(), accents).map { ($0, script(context, by: $1 ? 0 : 1, in: node)) }
        let shown = zip(places, accents).map { place, isAccent in
            !isAccent ? place : place == .under ? .accentUnder : .accentOver
        }
        fill(box, .scripts(shown), [(parts[0], context)] + limits, in: context)
    }

    private mutating func appendToken(_ node: NodeID, in context: FormulaContext, parent: Int) {
        let own = styled.style(of: node)
        // A single letter is italic (MathML Core §4.2).
        let isItalic =
            tree.tag(node) == .mi && tree.attribute(node, "mathvariant")?.lowercased() != "normal"
            && tree.words(of: node).count == 1
        var role = MathRole(scheme: .token, isDisplay: context.isDisplay)
        if isItalic { role.letter = tree.words(of: node).first }
        let style = scaled(own, context.scale, isItalic: isItalic)
        if tree.tag(node) == .mo {
            let operation = properties(of: node, in: context)
            // In whole pixels, as in Chromium.
            let em = text.styles[style].font.size.rounded()
            func space(_ name: String, _ eighteenths: Int) -> Float {
                tree.attribute(node, name).flatMap { mathLength($0, style) } ?? Float(eighteenths) / 18 * em
            }
            role.traits = operation.traits
            if operation.traits.contains(.stretchy) { role.stretched = tree.words(of: node).first }
            (role.before, role.after) = (space("lspace", operation.before), space("rspace", operation.after))
        }
        let box = openBox(.block, style: style, element: node, parent: parent)
        text.formulas[box] = role
        fill(box, tree.contents(node), of: node, depth: context.depth)
        closeBox(box)
    }

    private func properties(of node: NodeID, in context: FormulaContext) -> MathOperator {
        let form = tree.attribute(node, "form").flatMap { MathOperator.Form(rawValue: $0.lowercased()) }
        var result = MathOperator.find(tree.words(of: node), form ?? context.form)
        let flags: [(String, MathOperator.Traits)] = [
            ("stretchy", .stretchy), ("symmetric", .symmetric), ("largeop", .large), ("movablelimits", .movesLimits),
        ]
        for (name, trait) in flags {
            guard let isSet = flag(name, of: node) else { continue }
            if isSet { result.traits.insert(trait) } else { result.traits.remove(trait) }
        }
        return result
    }

    private func flag(_ name: String, of node: NodeID) -> Bool? {
        tree.attribute(node, name).flatMap { Bool($0.lowercased()) }
    }

    private mutating func scaled(_ id: StyleID, _ scale: Float, isItalic: Bool = false) -> StyleID {
        guard scale != 1 || isItalic else { return id }
        return variant(of: id, .scaled(scale, isItalic: isItalic)) { font, text, _ in
            font.size = min(font.size * scale, 100_000)
            if isItalic { text.transform = .mathAuto }
        }
    }

    /// A length of an attribute in CSS pixels (MathML Core §2.1.2); nil for other values.
    private func mathLength(_ value: String, _ style: StyleID) -> Float? {
        let value = value.filter { !$0.isWhitespace }.lowercased()
        let digits = value.prefix { $0.isNumber || "+-.".contains($0) }
        guard let number = Float(digits), number.isFinite else { return nil }
        let em = text.styles[style].font.size
        let units: [Substring: Float] = [
            "": number == 0 ? 1 : 0, "em": em, "ex": em / 2, "px": 1, "pt": 4.0 / 3, "pc": 16, "in": 96,
            "cm": 96 / 2.54, "mm": 96 / 25.4,
        ]
        return units[value.dropFirst(digits.count)].map { max(-100_000, min(100_000, number * $0)) }
    }
}

extension MarkupTree {
    /// The text of an element of a formula, with single spaces.
    func words(of node: NodeID) -> String {
        String(decoding: textContent(node), as: UTF8.self).split { " \t\n\r\u{C}".contains($0) }.joined(separator: " ")
    }

    /// The scripts of `mmultiscripts` with their places, from the parts after its base (MathML Core §3.4.3).
    func multiscripts(_ parts: ArraySlice<NodeID>) -> [(part: NodeID, place: MathRole.Place)] {
        var result: [(part: NodeID, place: MathRole.Place)] = []
        var (isBefore, isLow) = (false, true)
        for part in parts {
            if name(part).lowercased() == "mprescripts" {
                (isBefore, isLow) = (true, true)
                continue
            }
            result.append((part, isBefore ? (isLow ? .preSub : .preSup) : isLow ? .sub : .sup))
            isLow.toggle()
        }
        return result
    }
}
