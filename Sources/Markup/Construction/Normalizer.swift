// The normalizer: tokens in, a tree in document order out. HTML's tree construction (§13.2.6) appends nodes to the arena; one last
// pass places those that it moves or inserts earlier (Normalizer+Placement.swift). Questions like "is a p in button scope" are
// answered from a summary that each open element keeps of those below it, so the time stays linear for deep input.

import FancyTextBasics

/// An entry of the list of active formatting elements (§13.2.4.3).
struct FormattingEntry {
    var node: UInt32 = 0
    var tag = TagID.none
    /// The number of markers that this entry stands for; 0 for an element. One entry each would outgrow the tree of nested tables.
    var markers: UInt32 = 0
    /// A hash of the attributes, for the Noah's Ark clause; computed on first use.
    var identity: UInt64?
    var source: (UInt32, UInt32) = (0, 0)
    /// The first attribute, or ``noAttributes``.
    var attributes = FormattingEntry.noAttributes

    static let noAttributes = UInt32.max

    var isMarker: Bool { markers > 0 }

    var cloneFlags: Node.Flags {
        attributes == Self.noAttributes ? [.clone, .repaired] : [.clone, .repaired, .hasAttributes]
    }
}

package struct Normalizer {
    enum Mode: UInt8, BitwiseCopyable {
        case initial, beforeHTML, beforeHead, inHead, inHeadNoscript, afterHead, inBody
        case inTable, inCaption, inColumnGroup, inTableBody, inRow, inCell, inTemplate, afterBody, afterAfterBody
        case inFrameset, afterFrameset, afterAfterFrameset
    }

    /// A node that the last pass puts between two nodes of the arena.
    struct InsertedNode: BitwiseCopyable {
        var node: Node
        /// The node ends before this node of the arena, after the things placed there before its ``endMarks`` was taken.
        var end: UInt32 = 0
    }

    /// A node to be placed before a node of the arena, or inside it. There may be half as many placements as nodes.
    struct Placement: BitwiseCopyable {
        var anchor: UInt32
        /// A node of the arena, with its subtree, or a clone.
        var what: UInt32

        @inline(__always) var isClone: Bool { what & Normalizer.clonedBit != 0 }
    }

    static let clonedBit: UInt32 = 0x8000_0000

    let source: SourceBytes
    let options: SyntaxOptions
    let sourceBase: UnsafePointer<UInt8>
    /// A static table. It is kept here because each access to a global checks whether it is initialized.
    let traits = TagID.knownTraits
    var tokenizer: Tokenizer
    var token = Token()
    var nodes: GrowableBuffer<Node>
    var attributes: AttributeStore
    /// Text joined from several places of the source.
    var edited = GrowableBuffer<UInt8>(capacity: 8)
    var stack: GrowableBuffer<OpenElement>
    /// The summaries of open elements that differ from those below, in stack order.
    var scopes = GrowableBuffer<Scopes>(capacity: 64)
    /// The topmost open element of each tag, by its id; -1 when none is open.
    var topOfTag: GrowableBuffer<Int32>
    var mode = Mode.inBody
    var isDocument = false
    /// The closed head, and the index of the node after it.
    var closedHead: (node: UInt32, end: UInt32)?
    /// True unless the source is written as a document; it may still be read as one.
    let isSnippet: Bool
    /// In XHTML any tag may be empty, CDATA sections are text, references count in `style` and other raw text, no newline is dropped,
    /// and there are no quirks.
    let isXHTML: Bool
    /// The prefixes of XHTML that stand for the namespaces of HTML, SVG and MathML; one that is bound again keeps its meaning.
    var prefixes: Set<String> = []
    /// The mode until a document type sets another.
    var documentMode = DocumentMode.quirks
    var bodyNode: UInt32?
    var htmlNode: UInt32?
    var formElement: UInt32?
    var formatting: [FormattingEntry] = []
    /// The number of formatting elements that may still be reopened, so that no input multiplies tokens.
    var reopeningsLeft: Int
    /// The number of open elements that splitting misnested tags may still move.
    var splittingLeft: Int
    /// Elements below the depth limit. Only their names are known, so that their end tags close nothing else.
    var tooDeep = TagRuns()
    var depthLimit: Int
    /// An element opened with more entries than this on the stack becomes a sibling; leaves may be one level deeper.
    let siblingDepth: Int
    var skipsNewline = false
    var fosters = false
    var inserted = GrowableBuffer<InsertedNode>(capacity: 8)
    var placedBefore = GrowableBuffer<Placement>(capacity: 8)
    var countedPlacements = 0
    /// The last node of each moved sequence that ends with another node than its first, by the first.
    var movedEnds: [UInt32: UInt32] = [:]
    /// Clones that become the first children of a node, the outermost last.
    var placedInside = GrowableBuffer<Placement>(capacity: 8)
    /// The number of placements when a node was ended before an anchor that already had some, by the node.
    var endMarks: [UInt32: UInt32] = [:]
    var needsSettling = false
    var hasStyle = false
    /// The ends, by their starts, of the unclosed start tags of a fragment that may be dropped or become text.
    var unclosed: [UInt32: UInt32] = [:]
    /// Unknown names of a fragment that count as elements, because one of their tags has an attribute value.
    var unknownElements: Set<TagID> = []
    var reportedReopening = false
    var xmlMistake: (message: String, offset: Int)?
    var reportedDepth = false
    var reportedSiblings = false
    private let clock = WorkClock.current
    private var tokensSeen = 0

    init(_ source: SourceBytes, _ options: SyntaxOptions) {
        self.source = source
        isSnippet = options.isFragment || !DocumentCheck.isDocument(source.buffer)
        isXHTML = !options.isXML && DocumentCheck.isXHTML(source.buffer, named: options.sourceName)
        self.options = options
        tokenizer = Tokenizer(source.buffer)
        sourceBase = tokenizer.bytes
        // Capacity is only reserved: pages that are never written take no memory.
        nodes = GrowableBuffer(capacity: source.count / 16 + 64)
        attributes = AttributeStore(sourceLength: source.count)
        stack = GrowableBuffer(capacity: 64)
        topOfTag = GrowableBuffer(capacity: 256)
        while topOfTag.count < Int(TagID.knownCount) { topOfTag.append(-1) }
        reopeningsLeft = 16_384 + source.count / 16
        splittingLeft = 1_000_000 + source.count
        siblingDepth = options.siblingDepth.map { $0 + 1 } ?? .max
        depthLimit = max(16, min(options.limits.treeDepth, 1 << 24))
        nodes.append(Node(.root, [], .none, distance: 0, source: (0, 0)))
        scopes.append(Scopes())
        stack.append(OpenElement(node: 0, tag: .none, foreign: options.isXML))
        isDocument = !options.isXML && (options.isAlwaysDocument || !isSnippet)
        mode = isDocument ? .initial : .inBody
    }

    static func build(_ source: SourceBytes, _ options: SyntaxOptions, log: inout DiagnosticLog) -> TreeStorage {
        var builder = Normalizer(source, options)
        builder.read()
        return builder.finish(log: &log)
    }

    private mutating func read() {
        repeat {
            tokensSeen &+= 1
            // The rest of the source is skipped when the time is over.
            if tokensSeen & 0xFF == 0, clock.isOver() { tokenizer.position = tokenizer.count }
            let foreign = top.foreign
            tokenizer.next(&token, &attributes.items, inForeign: foreign || isXHTML)
            if isXHTML, token.kind == .startTag || token.kind == .endTag { dropPrefix() }
            // Only the very next token can be the newline that a `<pre>` swallows.
            if skipsNewline, token.kind != .text { skipsNewline = false }
            switch token.kind {
            // In every mode they are placed where the parser is.
            case .comment, .instruction: insertLeaf()
            case .end: process()
            case .text, .startTag, .endTag, .doctype, .cdata: if foreign { processForeign() } else { processHTML() }
            }
        } while token.kind != .end
    }

    /// Processes a token outside of SVG and MathML. A start tag of XHTML may end its element, too.
    @inline(__always) mutating func processHTML() {
        let tag = token.tag
        process()
        guard isXHTML, token.kind == .startTag, token.selfClosing, topTag == tag, !top.foreign,
            !traits(of: tag).contains(.void)
        else { return }
        token.kind = .endTag
        process()
    }

    private mutating func finish(log: inout DiagnosticLog) -> TreeStorage {
        closeAll(log: &log)
        attributes.parsedCount = attributes.items.count
        let storage = TreeStorage(
            source: source, nodes: nodes, attributes: attributes, edited: edited, interner: tokenizer.interner,
            options: options)
        storage.isDocument = isDocument
        // XHTML and snippets are in no-quirks mode, even if these are read as documents.
        storage.documentMode = isSnippet || isXHTML ? .noQuirks : documentMode
        storage.differsFromSource = isXHTML
        storage.mayHaveStyle = hasStyle
        return storage
    }

    private mutating func closeAll(log: inout DiagnosticLog) {
        if isDocument {
            // The end of the source closes open templates, then is processed in their place.
            while find(.template) > 0 { closeTemplate() }
            // Every document has a body.
            while bodyNode == nil, mode.rawValue < Mode.inBody.rawValue { processElsewhere() }
        }
        if options.isXML, stack.count > 1 {
            noteXML("<\(topName)> is not closed", nodes.base[Int(top.node)].sourceStart)
        }
        while stack.count > 1 { pop(closedBy: nil) }
        setEnd(of: 0, nextIndex)
        stack.free()
        scopes.free()
        topOfTag.free()
        if needsSettling || !unclosed.isEmpty { settle() }
        inserted.free()
        placedBefore.free()
        placedInside.free()
        func report(_ message: String, at offset: Int) {
            let place =
                options.origin?.location(at: offset)
                ?? Diagnostic.Location(source: options.sourceName, offset: offset, in: source.buffer)
            log.warn(.notWellFormed, message, at: place)
        }
        for name in tokenizer.repeated {
            let text = String(decoding: source.buffer[name], as: UTF8.self)
            report("duplicate attribute '\(text)': the first value is used", at: name.lowerBound)
        }
        if let (message, offset) = xmlMistake {
            report(message, at: offset)
        } else if let (offset, what) = tokenizer.unfinished {
            report("unclosed \(what): the rest of the input is part of it", at: offset)
        }
        func nested(_ depth: Int) -> String { "elements are nested deeper than \(depth): deeper ones became siblings" }
        let reopening = "so many formatting elements were left open that they are no longer reopened"
        let start = Diagnostic.Location.start(of: options.sourceName)
        if reportedDepth { log.warn(.treeTooDeep, nested(depthLimit), at: start) }
        if reportedSiblings {
            log.warn(.treeDeeperThanBrowsers, nested(siblingDepth - 1) + ", as in browsers", at: start)
        }
        if reportedReopening { log.warn(.formattingLimit, reopening, at: start) }
    }

    /// The text of the token, or its content between delimiters.
    var tokenText: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: source.buffer[Int(token.contentStart)..<Int(token.contentEnd)])
    }

    var tokenAttributes: UnsafeBufferPointer<Attribute> {
        UnsafeBufferPointer(start: attributes.items.base + Int(token.firstAttribute), count: Int(token.attributeCount))
    }

    func markRepaired() { update(top.node) { $0.flags.insert(.repaired) } }

    /// Changes a node of the arena, or an inserted one.
    @inline(__always) func update(_ ref: UInt32, _ change: (inout Node) -> Void) {
        if ref & Self.clonedBit == 0 {
            change(&nodes.base[Int(ref)])
        } else {
            change(&inserted.base[Int(ref & ~Self.clonedBit)].node)
        }
    }

    // MARK: Insertion

    @inline(__always) var nextIndex: UInt32 { UInt32(truncatingIfNeeded: nodes.count) }

    /// Appends a child of the current node; returns its index. The last pass attaches children of clones.
    @inline(__always) @discardableResult mutating func append(
        _ kind: MarkupTree.Kind, _ flags: Node.Flags, _ tag: TagID, source: (UInt32, UInt32)
    ) -> UInt32 {
        let index = nextIndex
        nodes.append(Node(kind, flags, tag, distance: index &- top.node, source: source))
        return index
    }

    @inline(__always) mutating func insertText(_ start: UInt32, _ end: UInt32, flags: Node.Flags = []) {
        guard start < end else { return }
        var at = start
        if skipsNewline {
            skipsNewline = false
            if sourceBase[Int(at)] == 0x0D { at &+= 1 }
            if at < end, sourceBase[Int(at)] == 0x0A {
                at &+= 1
            } else if at < end, sourceBase[Int(at)] == 0x26, options.decodesEntities {
                let text = sourceBase + Int(at)
                let reference = EntityDecoder.reference(text, at: 0, end: Int(end - at), inAttribute: false)
                let first = reference.entry >= 0 ? EntityDecoder.value(reference.entry).first : nil
                if first == 0x0A || reference.first == 0x0A { at &+= UInt32(truncatingIfNeeded: reference.length) }
            }
            guard at < end else { return }
        }
        let isFostered = fosters && isTablePart(topTag)
        if isFostered, joinFosteredText(at, end) { return }
        let index = append(.text, flags, .none, source: (at, end))
        if isFostered { noteFoster(index) } else if top.isLeft { moveIntoLeft(index) }
    }

    /// Inserts a node without children for the current token: a comment, doctype or instruction.
    mutating func insertLeaf() {
        let kind: MarkupTree.Kind = token.kind == .comment ? .comment : token.kind == .doctype ? .doctype : .instruction
        if kind == .comment, options.dropsComments { return }
        if stack.count &- 1 > siblingDepth { leaveCurrent() }
        append(kind, [], .none, source: (token.start, token.end))
    }

    /// Appends an element for the current start tag; returns its index. It is not yet open.
    @inline(__always) mutating func insertElement(flags: Node.Flags = []) -> UInt32 {
        var flags = flags
        if token.attributeCount > 0 {
            flags.insert(.hasAttributes)
            attributes.note(start: token.start, first: token.firstAttribute)
        }
        return appendElement(flags, token.tag, source: (token.start, token.end))
    }

    /// Appends an element, which a table moves before itself; returns its index.
    @inline(__always)
    mutating func appendElement(_ flags: Node.Flags, _ tag: TagID, source: (UInt32, UInt32)) -> UInt32 {
        let index = append(.element, flags, tag, source: source)
        if fosters, isTablePart(topTag) { noteFoster(index) }
        return index
    }

    /// Inserts the current start tag's element and opens it.
    @inline(__always) mutating func open(foreign: Bool = false, integration: Bool = false, flags: Node.Flags = []) {
        if stack.count >= depthLimit { return openTooDeep() }
        if stack.count > siblingDepth { leaveCurrent() }
        let index = insertElement(flags: foreign ? [.foreign] : flags)
        push(index, token.tag, foreign: foreign, integration: integration)
    }

    /// Inserts an element that has no start tag: `tbody`, `head`, the `p` of a stray `</p>` and others.
    mutating func openImplied(_ tag: TagID) {
        guard stack.count < depthLimit else { return }
        if stack.count > siblingDepth { leaveCurrent() }
        push(appendElement(.repaired, tag, source: (token.start, token.start)), tag)
    }

    @inline(never) private mutating func openTooDeep() {
        reportedDepth = true
        // A row of empty elements without attributes may be as long as the input, so only one of each name is kept.
        if token.attributeCount > 0 || token.tag == .form || !followsEmpty(token.tag) {
            _ = insertElement(flags: [.repaired])
        }
        tooDeep.append(token.tag)
    }

    /// Returns whether one of the last few nodes is an empty child of the current element with this name and no attributes.
    private func followsEmpty(_ tag: TagID) -> Bool {
        var index = nodes.count
        for _ in 0..<4 {
            index -= 1
            guard index > Int(top.node) else { return false }
            let node = nodes[index]
            guard node.kind == .element, node.flags.subtracting([.foreign, .isAnchor, .isMoved]) == .repaired,
                Int(node.distance) == index - Int(top.node)
            else { return false }
            if node.tag == tag { return true }
        }
        return false
    }

    @inline(__always) mutating func insertVoid(foreign: Bool = false) {
        if stack.count &- 1 > siblingDepth { leaveCurrent() }
        _ = insertElement(flags: foreign ? [.foreign] : [])
    }
}
