// Text off a tree: the fast way, which gives what PlainTextWriter gives.
//
// One walk in document order. Boxes come from the elements' tags and plain attributes, or from computed styles where
// style sheets decide; TextWriter keeps spaces and line breaks. Where only generated boxes tell what shows, the walk
// gives up.

import FancyTextBasics
import FancyTextBoxes
import FancyTextMarkup
import FancyTextStyling

/// What to do when the walk leaves an element.
struct Leaving: OptionSet, BitwiseCopyable {
    let rawValue: UInt16
    static let block = Leaving(rawValue: 1)
    static let inlineBlock = Leaving(rawValue: 2)
    static let listItem = Leaving(rawValue: 4)
    static let list = Leaving(rawValue: 8)
    static let definitions = Leaving(rawValue: 16)
    static let quote = Leaving(rawValue: 32)
    static let link = Leaving(rawValue: 64)
    static let summary = Leaving(rawValue: 128)
    /// Behind a superscript or subscript with a mark, a deletion or an insertion.
    static let mark = Leaving(rawValue: 256)
    /// Behind what `::after` shows.
    static let generated = Leaving(rawValue: 512)
    /// Behind a list whose contents are set in, items apart.
    static let inset = Leaving(rawValue: 1024)
    /// Behind a link in a line.
    static let anchor = Leaving(rawValue: 2048)
}

/// An element that the walk is in.
struct Frame: BitwiseCopyable {
    var end: UInt32
    var node: UInt32
    var box: TextBox
    var leaving: Leaving
    var indent: Int16 = 0
    var breaks: UInt8 = 0
    /// This row or table has had a cell or a row.
    var hasParts = false
}

struct List {
    var next: Int
    var step: Int
}

/// Where a walk through a tree is: it may pause between any two nodes.
struct TextWalk {
    /// The elements that the walk is in, from the outside; the first one is what it began with.
    var frames = GrowableBuffer<Frame>(capacity: 64)
    var lists: [List] = []
    /// How many `dl` are open: lists in them have no margins, nor have they in lists.
    var definitions = 0
    /// How many `summary` are open: items in them have markers like theirs.
    var summaries = 0
    var quotes = 0
    /// For each open link how much text there was before.
    var links: [Int] = []
    /// What ends each open ``Leaving/mark``, and how much text there was when it began.
    var marks: [(closing: String, start: Int)] = []
    /// The next node.
    var at: UInt32
}

extension MarkupTree {
    /// The tree's text by the default style sheet and the plainest style attributes; nil when that does not tell it. Linear.
    ///
    /// - Parameter sink: takes the text in pieces as it is made, so that it is never whole in memory; the last piece is
    ///   the result.
    package func defaultText(_ options: TextOptions, sink: TextSink? = nil) -> [UInt8]? {
        switch options.mode {
        case .raw: return rawText(options, sink: sink)
        case .innerText:
            return InnerText.collect(
                root, of: self, styles: DefaultTextStyles(documentMode), options: options, sink: sink)
        case .readable:
            guard !options.alwaysReadsBoxes else { return nil }
            var extractor = TextExtractor(self, DefaultTextStyles(documentMode), options: options)
            return extractor.extract(sink: sink)
        }
    }
}

extension StylesAhead {
    /// The tree's text by its styles, read as they come; nil when only boxes tell it. Linear.
    func extractedText(_ options: TextOptions, sink: TextSink? = nil) -> [UInt8]? {
        guard !options.alwaysReadsBoxes, let styles = CascadeTextStyles(self) else { return nil }
        var extractor = TextExtractor(tree, styles, options: options)
        return extractor.extract(sink: sink)
    }
}

struct TextExtractor<Styles: ExtractionStyles> {
    var tree: MarkupTree
    var styles: Styles
    let options: TextOptions
    /// What the tree holds needs the cascade, or its boxes; the text so far is that of the boxes too.
    var needsBoxes = false
    var notes = LinkNotes()
    /// Up to where the source's memory is given back, and behind which place of a text it is worth while again.
    private var released = 0
    private var releaseAt: UInt32 = 0
    /// The last marker that is the same for every item.
    var bullet: (style: String, bytes: [UInt8], columns: Int) = ("", [], 0)
    /// The marker's style of the last item that had it from its parent, which the items beside it have too.
    var itemStyle: (list: NodeID?, style: String) = (nil, "")

    init(_ tree: MarkupTree, _ styles: Styles, options: TextOptions) {
        self.tree = tree
        self.styles = styles
        self.options = options
    }

    mutating func extract(sink: TextSink?) -> [UInt8]? {
        // Of the whole page mostly less than a third is text; pages that stay unwritten cost nothing.
        collect(expected: tree.source.count / 3, sink) { extractor, writer in
            var walk = extractor.beginWalk(extractor.tree.root, writer, extractor.styles.root)
            extractor.advance(
                &walk, &writer, upTo: extractor.tree.subtreeEnd(extractor.tree.root).index, tableDepth: 0)
            extractor.endWalk(&walk, &writer)
        }
    }

    /// The text that `body` writes, and the notes; nil when that is not all.
    mutating func collect(
        expected: Int, _ sink: TextSink?, _ body: (inout TextExtractor, inout TextWriter) -> Void
    ) -> [UInt8]? {
        var text = TextWriter.collect(options, source: sourceBytes, expected: expected, sink: sink) { writer in
            body(&self, &writer)
            if writer.hasNull { needsBoxes = true }
        }
        guard !needsBoxes else { return nil }
        notes.append(to: &text)
        return text
    }

    // MARK: The walk

    /// The source, alive as long as the tree.
    var sourceBytes: UnsafeBufferPointer<UInt8> {
        tree.storage.source.buffer
    }

    /// A walk of what `top` holds.
    func beginWalk(_ top: NodeID, _ writer: TextWriter, _ parent: TextBox) -> TextWalk {
        var walk = TextWalk(at: 0)
        begin(&walk, top, writer, parent)
        return walk
    }

    /// Begins a walk, or begins it anew, with what `top` holds.
    func begin(_ walk: inout TextWalk, _ top: NodeID, _ writer: TextWriter, _ parent: TextBox) {
        walk.at = top.index + 1
        walk.frames.count = 0
        walk.frames.append(
            Frame(
                end: .max, node: top.index, box: parent, leaving: [],
                indent: Int16(truncatingIfNeeded: writer.indent)))
    }

    func box(_ n: NodeID, parent: TextBox) -> TextBox {
        box(n, tree.storage.nodes[Int(n.index)], parent: parent)
    }

    @inline(__always)
    private func box(_ n: NodeID, _ node: Node, parent: TextBox) -> TextBox {
        var box = styles.box(n, node, in: tree, parent: parent)
        if node.flags.contains(.foreign), !ForeignText.shows(in: node.tag) { box.showsText = false }
        return box
    }

    /// Leaves what the walk is in, which ends it.
    mutating func endWalk(_ walk: inout TextWalk, _ writer: inout TextWriter) {
        leaveAll(&walk, &writer)
        walk.frames.free()
    }

    /// Leaves what the walk is in; it may begin anew.
    mutating func leaveAll(_ walk: inout TextWalk, _ writer: inout TextWriter) {
        while walk.frames.count > 1 {
            walk.frames.count &-= 1
            leave(walk.frames.base[walk.frames.count], &writer, &walk)
        }
    }

    /// Goes on to the node `end`.
    mutating func advance(_ walk: inout TextWalk, _ writer: inout TextWriter, upTo end: UInt32, tableDepth: Int) {
        let readsLinks = options.links != .none
        let styles = styles
        let nodes = tree.storage.nodes.base
        let source = tree.storage.sourceBase
        let decodes = tree.storage.decodesEntities
        // Nothing is behind the end, though elements that are still open may seem to end there.
        var at = min(walk.at, end)
        defer { walk.at = at }
        var box = walk.frames.base[walk.frames.count &- 1].box
        // The end of the innermost frame; the outermost one ends with the walk.
        var innerEnd = walk.frames.count > 1 ? walk.frames.base[walk.frames.count &- 1].end : .max
        while true {
            while innerEnd <= at {
                walk.frames.count &-= 1
                let frame = walk.frames.base[walk.frames.count]
                if !frame.leaving.isEmpty { leave(frame, &writer, &walk) }
                let outer = walk.frames.base[walk.frames.count &- 1]
                box = outer.box
                innerEnd = walk.frames.count > 1 ? outer.end : .max
            }
            guard at < end, !needsBoxes else { break }
            let node = nodes[Int(at)]
            if node.kind == .text {
                let n = NodeID(index: at)
                at &+= 1
                guard box.isVisible else { continue }
                switch box.display {
                case .table, .rowGroup, .row:
                    if isBlank(n) { continue }
                    needsBoxes = true
                case .flex, .inlineFlex:
                    if isBlank(n) { continue }
                    // Texts that nothing stands between are items of their own.
                    let isLast = at >= innerEnd && !walk.frames.base[walk.frames.count &- 1].leaving.isEmpty
                    if at < end, nodes[Int(at)].kind != .element, !isLast { needsBoxes = true }
                default: break
                }
                guard box.showsText else { continue }
                if box.transform != .none {
                    writeTransformed(n, box, &writer)
                } else if node.flags.contains(.edited) {
                    writer.write(decoded: tree.rawText(n), box.whiteSpace)
                } else {
                    if node.sourceStart > releaseAt { releaseSource(upTo: Int(node.sourceStart)) }
                    let length = Int(node.sourceEnd) &- Int(node.sourceStart)
                    writer.write(
                        UnsafeBufferPointer(start: source + Int(node.sourceStart), count: length), box.whiteSpace,
                        decodes: decodes && !node.flags.contains(.raw))
                }
            } else if node.kind == .element {
                let n = NodeID(index: at)
                let own = self.box(n, node, parent: box)
                if own.display == .inline, !own.isOutOfFlow, box.display != .flex, box.display != .inlineFlex,
                    !hasOwnRule(node.tag, readsLinks), !styles.hasGeneratedContent(n)
                {
                    // Plain inline elements, which are most.
                    var leaving = Leaving()
                    if node.tag == .a {
                        if Permalink.isOne(n, in: tree) {
                            at = min(tree.storage.end(at), end)
                            continue
                        }
                        if node.size > 1, tree.hasAttribute(n, .href) {
                            writer.beginLink()
                            leaving = .anchor
                        }
                    }
                    at &+= 1
                    if node.size > 1 {
                        let end = tree.storage.end(n.index)
                        walk.frames.append(Frame(end: end, node: n.index, box: own, leaving: leaving))
                        box = own
                        innerEnd = end
                    }
                    continue
                }
                // Pages that wait for a script are shown.
                if node.tag == .html || node.tag == .body, own.display == .none || !own.isVisible { needsBoxes = true }
                // A template's content is no part of the page.
                if own.display == .none || node.tag == .template {
                    at = min(tree.storage.end(at), end)
                    continue
                }
                at = min(enter(n, own, box, &writer, &walk, tableDepth), end)
                let inner = walk.frames.base[walk.frames.count &- 1]
                box = inner.box
                innerEnd = walk.frames.count > 1 ? inner.end : .max
            } else {
                at &+= 1
            }
        }
    }

    @inline(never)
    private mutating func releaseSource(upTo place: Int) {
        released = tree.storage.source.release(from: released, upTo: place)
        releaseAt = UInt32(truncatingIfNeeded: released + tree.releaseStep)
    }

    /// Inline elements that are more than their content.
    @inline(__always)
    private func hasOwnRule(_ tag: TagID, _ readsLinks: Bool) -> Bool {
        switch tag {
        case .br, .wbr, .q, .template, .sup, .sub, .del, .ins: true
        case .a: readsLinks
        default: false
        }
    }

    private func isBlank(_ n: NodeID) -> Bool { tree.rawText(n).allSatisfy(\.isHTMLSpace) }

    /// Goes into an element; returns the node to go on with.
    private mutating func enter(
        _ n: NodeID, _ own: TextBox, _ parent: TextBox, _ writer: inout TextWriter, _ walk: inout TextWalk,
        _ tableDepth: Int
    ) -> UInt32 {
        let tag = tree.tag(n)
        let end = tree.storage.end(n.index)
        var box = own
        var leaving = Leaving()
        var breaks = 0
        let isFlexItem = parent.display == .flex || parent.display == .inlineFlex
        if box.isOutOfFlow || isFlexItem { box.blockify() }
        switch tag {
        case .frameset:
            needsBoxes = true
            return end
        case .a where box.display == .inline && !styles.hasGeneratedContent(n):
            if Permalink.isOne(n, in: tree) { return end }
        case .br:
            if isFlexItem { needsBoxes = true }
            if box.isVisible { writer.forceBreak() }
            return end
        case .wbr: return end
        case .hr:
            writer.writeRule()
            return end
        default: break
        }
        switch box.display {
        case .none: return end
        case .unknown, .ruby, .rubyText, .inlineTable:
            needsBoxes = true
            return end
        case .replaced, .replacedBlock:
            writeReplaced(n, tag, box, &writer)
            return end
        case .contents: box.display = parent.display
        case .inline, .column, .rowGroup: break
        case .inlineBlock, .inlineFlex:
            if tag == .svg, !ForeignText.hasText(n, in: tree) {
                writer.writeAlternative(box.isVisible ? ForeignText.title(of: n, in: tree) : "")
                return end
            }
            writer.beginInlineBlock(isControl: tag == .button)
            leaving = .inlineBlock
        case .block, .flex, .listItem, .caption:
            if tag == .svg, !ForeignText.hasText(n, in: tree) {
                writer.requireBreaks(1)
                writer.writeAlternative(box.isVisible ? ForeignText.title(of: n, in: tree) : "")
                writer.requireBreaks(1)
                return end
            }
            let isNested = !Styles.isComputed && (walk.definitions > 0 || !walk.lists.isEmpty)
            let hasMargin = box.hasMarginAbove || box.hasMarginBelow
            breaks = hasMargin && !(isNested && (DefaultStyles.isList(tag) || tag == .dl)) ? 2 : 1
            writer.requireBreaks(breaks)
            leaving = .block
        case .table:
            breaks = box.hasMarginAbove || box.hasMarginBelow ? 2 : 1
            writer.requireBreaks(breaks)
            if styles.hasGeneratedContent(n) { needsBoxes = true }
            if options.tables != .none, tableDepth < TableText.deepest, !options.isSpeech,
                let parts = dataParts(of: n, box)
            {
                writeTable(n, box, parts, &writer, walk, tableDepth: tableDepth + 1)
                writer.requireBreaks(breaks)
                return end
            }
            if isOutOfOrder(n) { needsBoxes = true }
            leaving = .block
        case .row: startRow(&writer, &walk.frames)
        case .cell: startCell(&writer, &walk.frames)
        }
        var frame = Frame(
            end: end, node: n.index, box: box, leaving: leaving, indent: Int16(truncatingIfNeeded: writer.indent),
            breaks: UInt8(truncatingIfNeeded: breaks))
        let isGenerating = styles.hasGeneratedContent(n)
        let takesMarks = box.display == .inline && box.isVisible && !options.isSpeech
        // Brackets of a style sheet tell a superscript as well.
        let takesScripts = takesMarks && !isGenerating
        switch tag {
        case .ol, .ul, .menu, .dir:
            walk.lists.append(startOfList(n, tag))
            frame.leaving.insert(.list)
            if leaving == .block, box.display == .block, !options.isSpeech, styles.hasMarkers(n, in: tree) {
                writer.indent = min(writer.indent + TextWriter.listInset, TextWriter.widestIndent)
                frame.leaving.insert(.inset)
            }
        case .dl:
            walk.definitions += 1
            frame.leaving.insert(.definitions)
        case .summary:
            walk.summaries += 1
            frame.leaving.insert(.summary)
        case .q where !Styles.isComputed:
            if box.isVisible { writer.writeOwn(quote(n, level: walk.quotes, isOpen: true)) }
            walk.quotes += 1
            frame.leaving.insert(.quote)
        case .sup where takesScripts, .sub where takesScripts:
            switch ScriptForm(of: n, in: tree, after: writer.lastOfWord, keepsCase: box.transform == .none) {
            case .plain: break
            case .characters(let text):
                writer.write(own: text)
                return end
            case .marked(let opening, let closing):
                walk.marks.append((closing, writer.position))
                writer.writeOwn(opening)
                frame.leaving.insert(.mark)
            }
        case .del where takesMarks, .ins where takesMarks:
            if let marks = ChangeMarks.around(n, in: tree) {
                walk.marks.append((marks.closing, writer.position))
                writer.writeOwn(marks.opening)
                frame.leaving.insert(.mark)
            }
        case .a where tree.hasAttribute(n, .href):
            if options.links != .none {
                walk.links.append(writer.position)
                frame.leaving.insert(.link)
            }
            if own.display == .inline, box.display == .inline {
                writer.beginLink()
                frame.leaving.insert(.anchor)
            }
        default: break
        }
        let isItem = tag == .li || box.display == .listItem
        if leaving == .block, isItem, walk.frames[walk.frames.count - 1].leaving.contains(.inset) {
            writer.indent = max(0, writer.indent - TextWriter.listInset)
        }
        if box.display == .listItem {
            if walk.summaries > 0 { needsBoxes = true }
            startItem(n, &writer, &walk.lists)
            frame.leaving.insert(.listItem)
        } else if box.indent > 0, leaving == .block {
            writer.indent = min(writer.indent + Int(box.indent), TextWriter.widestIndent)
        }
        if isGenerating {
            writeGenerated(.before, of: n, in: box, &writer, &walk)
            frame.leaving.insert(.generated)
        }
        walk.frames.append(frame)
        return n.index + 1
    }

    /// What `::before` or `::after` shows, in the kind of box that it makes.
    private mutating func writeGenerated(
        _ pseudo: PseudoBox, of n: NodeID, in parent: TextBox, _ writer: inout TextWriter, _ walk: inout TextWalk
    ) {
        switch styles.generated(pseudo, of: n, in: tree) {
        case .none: break
        case .unknown: needsBoxes = true
        case .quote:
            if pseudo == .before {
                writer.writeOwn(quote(n, level: walk.quotes, isOpen: true))
                walk.quotes += 1
            } else if walk.quotes > 0 {
                // One that was never opened is not closed.
                walk.quotes -= 1
                writer.writeOwn(quote(n, level: walk.quotes, isOpen: false))
            }
        case .text(var text, var box):
            switch parent.display {
            case .flex, .inlineFlex: box.blockify()
            case .row, .rowGroup, .table, .inlineTable: needsBoxes = true
            default: if box.isOutOfFlow { box.blockify() }
            }
            func write(_ writer: inout TextWriter) {
                guard box.isVisible else { return }
                text.withUTF8 { writer.write(decoded: $0, box.whiteSpace) }
            }
            switch box.display {
            case .inline, .contents: write(&writer)
            case .inlineBlock, .inlineFlex:
                writer.beginInlineBlock()
                write(&writer)
                writer.endInlineBlock()
            case .block, .flex:
                let breaks = box.hasMarginAbove || box.hasMarginBelow ? 2 : 1
                writer.requireBreaks(breaks)
                write(&writer)
                writer.requireBreaks(breaks)
            case .none, .listItem, .table, .inlineTable, .rowGroup, .row, .cell, .caption, .column, .ruby, .rubyText,
                .replaced, .replacedBlock, .unknown:
                needsBoxes = true
            }
        }
    }

    private mutating func leave(_ frame: Frame, _ writer: inout TextWriter, _ walk: inout TextWalk) {
        let leaving = frame.leaving
        let node = NodeID(index: frame.node)
        if leaving.contains(.generated) { writeGenerated(.after, of: node, in: frame.box, &writer, &walk) }
        if leaving.contains(.quote) {
            walk.quotes -= 1
            if frame.box.isVisible { writer.writeOwn(quote(node, level: walk.quotes, isOpen: false)) }
        }
        if leaving.contains(.link) {
            // Whether a link that holds nothing makes a box depends on what is around it.
            let start = walk.links.removeLast()
            if start == writer.position { needsBoxes = true }
            notes.write(tree.attribute(node, .href), as: options.links, from: start, &writer)
        }
        if leaving.contains(.anchor) { writer.endLink() }
        if leaving.contains(.mark) {
            let mark = walk.marks.removeLast()
            writer.writeNote(mark.closing, mark.start)
        }
        if leaving.contains(.list) { walk.lists.removeLast() }
        if leaving.contains(.definitions) { walk.definitions -= 1 }
        if leaving.contains(.summary) { walk.summaries -= 1 }
        if leaving.contains(.block) {
            writer.indent = Int(frame.indent)
            if leaving.contains(.listItem) { writer.marker = [] }
            writer.requireBreaks(Int(frame.breaks))
        }
        if leaving.contains(.inlineBlock) { writer.endInlineBlock() }
    }

    /// A quotation mark of the element's language.
    private func quote(_ n: NodeID, level: Int, isOpen: Bool) -> String {
        Quotes.mark(
            level: level, isOpen: isOpen, in: Quotes.pairs(forLanguage: ExtractedText.language(of: n, in: tree)))
    }

    // MARK: Rows and cells of tables that are no data

    private func startRow(_ writer: inout TextWriter, _ frames: inout GrowableBuffer<Frame>) {
        var table = frames.count - 1
        while table >= 0, frames[table].box.display != .table, frames[table].box.display != .inlineTable { table -= 1 }
        guard table >= 0 else {
            writer.requireBreaks(1)
            return
        }
        if frames[table].hasParts { writer.requireBreaks(1) }
        frames.base[table].hasParts = true
    }

    private func startCell(_ writer: inout TextWriter, _ frames: inout GrowableBuffer<Frame>) {
        let last = frames.count - 1
        guard last >= 0, frames[last].box.display == .row else { return }
        if frames[last].hasParts { writer.space = true }
        frames.base[last].hasParts = true
    }

    // MARK: What is not text

    /// Images, controls and lambdas by the text that stands for them.
    private func writeReplaced(_ n: NodeID, _ tag: TagID, _ box: TextBox, _ writer: inout TextWriter) {
        let isBlock = box.display == .replacedBlock
        switch tag {
        case .img, .lambda:
            if isBlock { writer.requireBreaks(1) }
            writer.writeAlternative(box.isVisible ? tree.attribute(n, .alt) ?? "" : "")
            if isBlock { writer.requireBreaks(1) }
        case .input:
            if isBlock { writer.requireBreaks(1) }
            if box.isVisible { writer.writeInput(n, of: tree) }
            if isBlock { writer.requireBreaks(1) }
        case .object, .applet: if isBlock { writer.requireBreaks(1) }
        case .textarea:
            if isBlock { writer.requireBreaks(1) } else { writer.placeAtom() }
        // The default style sheet hides media.
        case .iframe, .video, .audio, .canvas:
            if Styles.isComputed {
                if isBlock { writer.requireBreaks(1) } else { writer.placeNothing() }
            }
        default: break
        }
    }

    private func writeTransformed(_ n: NodeID, _ box: TextBox, _ writer: inout TextWriter) {
        var text = ExtractedText.transformed(n, of: tree, box.transform)
        text.withUTF8 { writer.write(decoded: $0, box.whiteSpace) }
    }
}

/// What nodes say to those who read their text.
enum ExtractedText {
    /// The text of a node as `text-transform` makes it.
    static func transformed(_ n: NodeID, of tree: MarkupTree, _ transform: TextBox.Transform) -> String {
        transformed(tree.text(n), transform, language: language(of: n, in: tree))
    }

    static func transformed(_ text: String, _ transform: TextBox.Transform, language: String) -> String {
        var style = TextStyle()
        switch transform {
        case .none: break
        case .uppercase: style.transform = .uppercase
        case .lowercase: style.transform = .lowercase
        case .capitalize: style.transform = .capitalize
        }
        return TextTransform.apply(style, to: text, startsWord: true, language: language)
    }

    static func language(of n: NodeID, in tree: MarkupTree) -> String {
        var at: NodeID? = n
        while let element = at {
            if tree.kind(element) == .element,
                let language = tree.attribute(element, .lang) ?? tree.attribute(element, .xmlLang)
            {
                return language
            }
            at = tree.parent(element)
        }
        return ""
    }
}
