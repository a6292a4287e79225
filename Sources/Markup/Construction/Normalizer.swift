// The normalizer: tokens in, a tree in document order out.
//
// HTML's tree construction (§13.2.6) writes nodes straight into the arena. What it moves or inserts behind the end –
// elements split by misnesting, content thrown out of tables – is written down and put in place by one last pass
// (Normalizer+Placement.swift), so the arena only ever grows at its end. Questions like "is a p in button scope" are
// answered from what each open element remembers of those below it, never by a search, so deep input stays linear.

import Basics

/// An open element, and what is open below it: stack indices, itself included.
struct OpenElement: BitwiseCopyable {
    /// A node of the arena, or of ``Normalizer/inserted`` with the top bit set.
    var node: UInt32
    var tag: TagID
    /// SVG or MathML; `integration` elements hold HTML again.
    var foreign = false
    var integration = false
    /// Removed from the stack while elements above it stay: its end comes with theirs, and nothing finds it.
    var isGhost = false
    /// Ended in the arena where its first sibling by ``Normalizer/siblingDepth`` starts; what else it gets is put there.
    var isLeft = false
    var savedMode = Normalizer.Mode.inBody
    var previousSame: Int32 = -1
    var special: Int32 = -1
    var scope: Int32 = -1
    var buttonScope: Int32 = -1
    var listScope: Int32 = -1
    var tableScope: Int32 = -1
    var itemBarrier: Int32 = -1
    var html: Int32 = 0
}

/// An entry of the list of active formatting elements (§13.2.4.3).
struct FormattingEntry {
    var node: UInt32 = 0
    var tag = TagID.none
    var isMarker = false
    /// A hash of the attributes, for Noah's Ark; nil until it is asked for.
    var identity: UInt64?
    var source: (UInt32, UInt32) = (0, 0)
    /// The first attribute, or ``noAttributes``.
    var attributes = FormattingEntry.noAttributes

    static let noAttributes = UInt32.max

    /// What a node is that reopens the element.
    var cloneFlags: Node.Flags {
        attributes == Self.noAttributes ? [.clone, .repaired] : [.clone, .repaired, .hasAttributes]
    }
}

package struct Normalizer {
    enum Mode: UInt8, BitwiseCopyable {
        case initial, beforeHTML, beforeHead, inHead, inHeadNoscript, afterHead, inBody
        case inTable, inCaption, inColumnGroup, inTableBody, inRow, inCell, inTemplate, afterBody, afterAfterBody
    }

    /// A node that the last pass puts between two nodes of the arena.
    struct InsertedNode: BitwiseCopyable {
        var node: Node
        /// It ends before this node of the arena, behind the things placed there before the mark was taken.
        var end: UInt32 = 0
        var endMark: UInt32 = 0
    }

    /// What goes before a node of the arena, or inside it.
    struct Placement: BitwiseCopyable {
        var anchor: UInt32
        /// A subtree of the arena that goes there, or ``none``.
        var from: UInt32
        /// The clone that goes there; with a subtree, the node that it ends with.
        var ref: UInt32

        static let none = UInt32.max
    }

    static let clonedBit: UInt32 = 0x8000_0000

    let source: SourceBytes
    let options: SyntaxOptions
    let sourceBase: UnsafePointer<UInt8>
    /// The static tables, held here because every access to a global checks that it is made.
    let traits = TagID.traitTable
    let startActions = Normalizer.startActions
    let endActions = Normalizer.endActions
    var tokenizer: Tokenizer
    var token = Token()
    var nodes: GrowableBuffer<Node>
    var large = LargeSubtrees()
    var attributes: AttributeStore
    /// Text that is made of several places of the source.
    var edited = GrowableBuffer<UInt8>(capacity: 8)
    var stack: GrowableBuffer<OpenElement>
    /// The topmost open element of each tag, by its id; -1 when none is open.
    var topOfTag: GrowableBuffer<Int32>
    var mode = Mode.inBody
    var isDocument = false
    /// Not written as a document, though it may be read as one.
    let isSnippet: Bool
    /// Until a document type says something else.
    var documentMode = DocumentMode.quirks
    var bodyNode: UInt32?
    var htmlNode: UInt32?
    var formElement: UInt32?
    var formatting: [FormattingEntry] = []
    /// Formatting elements may be reopened this often in all (no input multiplies tokens).
    var reopeningsLeft: Int
    /// Open elements that splitting misnested tags may still touch.
    var splittingLeft: Int
    /// Elements below the depth limit: known only by name, so that their end tags do no harm.
    var tooDeep = TagRuns()
    var depthLimit: Int
    /// With more entries than this on the stack, elements become siblings of the current node; what is never open, with
    /// one more.
    let siblingDepth: Int
    var skipsNewline = false
    var fosters = false
    var inserted = GrowableBuffer<InsertedNode>(capacity: 8)
    var placedBefore = GrowableBuffer<Placement>(capacity: 8)
    /// Clones that become the first children of a node, the outermost last.
    var placedInside = GrowableBuffer<Placement>(capacity: 8)
    /// Of nodes that end behind something placed: how many placements there were by then.
    var endMarks: [UInt32: UInt32] = [:]
    var needsSettling = false
    var hasStyle = false
    /// Names outside the table that some end tag, attribute or self-closing tag shows to be tags.
    private(set) var namesInUse = TagSet()
    /// Names outside the table that nothing so far shows to be tags.
    private(set) var namesInDoubt = TagSet()
    var reportedReopening = false
    /// Where the open elements end that are left: ``OpenElement/isLeft``.
    var endsOfLeft: [UInt32: UInt32] = [:]
    var reportedDepth = false
    var reportedSiblings = false
    /// Up to where the source's memory is given back.
    private var released = 0

    /// - Parameter reserved: of how many bytes of source the nodes and attributes get room beforehand.
    init(_ source: SourceBytes, _ options: SyntaxOptions, reserved: Int = .max) {
        let reserved = min(reserved, source.count)
        self.source = source
        isSnippet = options.isFragment || !DocumentCheck.isDocument(source.buffer)
        self.options = options
        tokenizer = Tokenizer(source.buffer)
        sourceBase = tokenizer.bytes
        // Reserved, not touched: pages that are never written cost nothing.
        nodes = GrowableBuffer(capacity: reserved / 16 + 64)
        attributes = AttributeStore(sourceLength: reserved)
        stack = GrowableBuffer(capacity: 64)
        topOfTag = GrowableBuffer(capacity: 256)
        while topOfTag.count < Int(TagID.knownCount) { topOfTag.append(-1) }
        reopeningsLeft = 16_384 + source.count / 16
        splittingLeft = 1_000_000 + source.count
        siblingDepth = options.siblingDepth.map { $0 + 1 } ?? .max
        depthLimit = max(16, min(options.limits.treeDepth, 1 << 24))
        nodes.append(Node(.root, [], .none, distance: 0, source: (0, 0)))
        pushRoot()
        isDocument = options.isAlwaysDocument || !isSnippet
        mode = isDocument ? .initial : .inBody
    }

    /// Builds the tree of the whole source.
    static func build(_ source: SourceBytes, _ options: SyntaxOptions, log: inout DiagnosticLog) -> TreeStorage {
        var builder = Normalizer(source, options)
        builder.read(atLeast: .max)
        return builder.finish(log: &log)
    }

    /// Reads tokens until there are `least` nodes, or to the end of the source; false at the end.
    @discardableResult
    mutating func read(atLeast least: Int) -> Bool {
        repeat {
            if tokenizer.position &- released > SourceBytes.releaseStep {
                released = source.release(from: released, upTo: tokenizer.position)
            }
            let foreign = top.foreign
            tokenizer.next(&token, &attributes.items, inForeign: foreign)
            // Only the very next token can be the newline that a `<pre>` swallows.
            if skipsNewline, token.kind != .text { skipsNewline = false }
            if foreign, token.kind != .end { processForeign() } else { process() }
            if nodes.count >= least, token.kind != .end { return true }
        } while token.kind != .end
        return false
    }

    /// Snippets are in no-quirks mode, also those that are read as pages.
    var treeMode: DocumentMode { isSnippet ? .noQuirks : documentMode }

    /// The tree, at the end of the source.
    mutating func finish(log: inout DiagnosticLog) -> TreeStorage {
        closeAll(log: &log)
        attributes.seal()
        let storage = TreeStorage(
            source: source, sourceBase: sourceBase, nodes: nodes, large: large, attributes: attributes, edited: edited,
            interner: tokenizer.interner, options: options)
        storage.isDocument = isDocument
        storage.documentMode = treeMode
        storage.mayHaveStyle = hasStyle
        return storage
    }

    private mutating func closeAll(log: inout DiagnosticLog) {
        if isDocument {
            // The end closes templates, and then is met where they stand.
            while find(.template) > 0 { closeTemplate() }
            if bodyNode == nil { ensureBody() }
        }
        while stack.count > 1 { pop(closedBy: nil) }
        setEnd(of: 0, UInt32(truncatingIfNeeded: nodes.count))
        stack.free()
        topOfTag.free()
        large.seal()
        if needsSettling || !namesInDoubt.isEmpty { settle() }
        inserted.free()
        placedBefore.free()
        placedInside.free()
        let start = Diagnostic.Location(source: options.sourceName, line: 1, column: 1)
        if reportedDepth {
            log.report(
                Diagnostic(
                    .warning, .treeTooDeep,
                    "elements are nested deeper than \(depthLimit): deeper ones became siblings",
                    at: start))
        }
        if reportedSiblings {
            log.report(
                Diagnostic(
                    .warning, .treeDeeperThanBrowsers,
                    "elements are nested deeper than \(siblingDepth - 1): deeper ones became siblings, as in browsers",
                    at: start))
        }
        if reportedReopening {
            log.report(
                Diagnostic(
                    .warning, .formattingLimit,
                    "so many formatting elements were left open that they are no longer reopened", at: start))
        }
    }

    // MARK: The stack of open elements

    @inline(__always) var top: OpenElement { stack.base[stack.count &- 1] }
    @inline(__always) func traits(of tag: TagID) -> TagTraits {
        TagTraits(rawValue: tag.isKnown ? traits[Int(tag.rawValue)] : 0)
    }
    @inline(__always) var topTag: TagID { stack.base[stack.count &- 1].tag }

    private mutating func pushRoot() {
        var element = OpenElement(node: 0, tag: .none)
        element.special = 0
        element.scope = 0
        element.buttonScope = 0
        element.listScope = 0
        element.tableScope = 0
        element.itemBarrier = 0
        stack.append(element)
    }

    @inline(__always)
    mutating func push(_ node: UInt32, _ tag: TagID, foreign: Bool = false, integration: Bool = false) {
        let id = Int(tag.rawValue)
        if !foreign, id < Int(TagID.knownCount), traits[id] & Self.barriers == 0 {
            // Of no meaning to the searches for scopes, as most are: it knows what the one below knows.
            var element = top
            element.node = node
            element.tag = tag
            element.foreign = false
            element.integration = false
            element.isGhost = false
            element.isLeft = false
            element.savedMode = mode
            element.previousSame = topOfTag.base[id]
            let here = Int32(truncatingIfNeeded: stack.count)
            element.html = here
            topOfTag.base[id] = here
            stack.append(element)
        } else {
            var element = OpenElement(node: node, tag: tag, foreign: foreign, integration: integration, savedMode: mode)
            link(&element, at: stack.count)
            stack.append(element)
        }
        if node & Self.clonedBit == 0 {
            nodes.base[Int(node)].flags.insert(.open)
        } else {
            inserted.base[Int(node & ~Self.clonedBit)].node.flags.insert(.open)
        }
    }

    private static let barriers: UInt16 =
        TagTraits.special.rawValue | TagTraits.scope.rawValue | TagTraits.buttonScope.rawValue
        | TagTraits.listScope.rawValue
        | TagTraits.tableScope.rawValue | TagTraits.itemBarrier.rawValue

    /// Fills in what `element`, about to stand at `index`, knows of the elements below it.
    @inline(__always)
    mutating func link(_ element: inout OpenElement, at index: Int) {
        let below = stack.base[index &- 1]
        let here = Int32(truncatingIfNeeded: index)
        let id = Int(element.tag.rawValue)
        if id >= topOfTag.count { extendTopOfTag(to: id) }
        element.previousSame = topOfTag.base[id]
        topOfTag.base[id] = here
        let own: TagTraits =
            element.foreign
            ? (element.integration ? [.special, .scope, .buttonScope, .listScope, .itemBarrier] : [])
            : traits(of: element.tag)
        element.special = own.contains(.special) ? here : below.special
        element.scope = own.contains(.scope) ? here : below.scope
        element.buttonScope = own.contains(.buttonScope) ? here : below.buttonScope
        element.listScope = own.contains(.listScope) ? here : below.listScope
        element.tableScope = own.contains(.tableScope) ? here : below.tableScope
        element.itemBarrier = own.contains(.itemBarrier) ? here : below.itemBarrier
        element.html = element.foreign ? below.html : here
    }

    @inline(never)
    private mutating func extendTopOfTag(to id: Int) {
        while topOfTag.count <= id { topOfTag.append(-1) }
    }

    /// Pops the current node. `endTag` is the token that closed it, nil when its end is implied.
    @inline(__always)
    mutating func pop(closedBy endTag: UInt32?) {
        let element = top
        stack.count &-= 1
        topOfTag.base[Int(element.tag.rawValue)] = element.previousSame
        let end = element.isLeft ? forgetLeft(element.node) : UInt32(truncatingIfNeeded: nodes.count)
        close(element.node, at: end, closedBy: endTag)
        if top.isGhost { pop(ghost: top) }
    }

    @inline(never)
    private mutating func pop(ghost: OpenElement) {
        pop(closedBy: nil)
    }

    @inline(__always)
    private mutating func close(_ ref: UInt32, at end: UInt32, closedBy endTag: UInt32?) {
        if ref & Self.clonedBit == 0 {
            setEnd(of: ref, end)
            Self.close(&nodes.base[Int(ref)], endTag, token.start)
        } else {
            inserted.base[Int(ref & ~Self.clonedBit)].end = end
            Self.close(&inserted.base[Int(ref & ~Self.clonedBit)].node, endTag, token.start)
        }
    }

    @inline(__always)
    mutating func setEnd(of index: UInt32, _ end: UInt32) {
        let size = UInt64(end &- index)
        nodes.base[Int(index)].size = size
        if size >= Node.large { large.note(index, end: end) }
    }

    @inline(__always)
    static func close(_ node: inout Node, _ endTag: UInt32?, _ here: UInt32) {
        node.flags.remove(.open)
        if let endTag {
            if !node.flags.contains(.clone) { node.sourceEnd = endTag }
        } else {
            node.flags.insert(.repaired)
            if !node.flags.contains(.clone) { node.sourceEnd = max(node.sourceEnd, here) }
        }
    }

    /// Pops until stack index `index` is gone; the last one is closed by the current token.
    mutating func pop(through index: Int32, closedByToken: Bool = true) {
        guard index > 0 else { return }
        while stack.count > Int(index) + 1 { pop(closedBy: nil) }
        if stack.count > Int(index) { pop(closedBy: closedByToken ? token.end : nil) }
    }

    /// The stack index of the topmost open element of a tag, -1 when none is.
    @inline(__always)
    func find(_ tag: TagID) -> Int32 {
        let id = Int(tag.rawValue)
        return id < topOfTag.count ? topOfTag.base[id] : -1
    }

    @inline(__always) func inScope(_ tag: TagID) -> Bool { let at = find(tag); return at >= 0 && at >= top.scope }
    @inline(__always) func inButtonScope(_ tag: TagID) -> Bool {
        let at = find(tag); return at >= 0 && at >= top.buttonScope
    }
    @inline(__always) func inListScope(_ tag: TagID) -> Bool {
        let at = find(tag); return at >= 0 && at >= top.listScope
    }
    @inline(__always) func inTableScope(_ tag: TagID) -> Bool {
        let at = find(tag); return at >= 0 && at >= top.tableScope
    }

    // MARK: Unknown names

    mutating func noteInDoubt(_ tag: TagID) {
        if !namesInUse.contains(tag) { namesInDoubt.insert(tag) }
    }

    mutating func noteInUse(_ tag: TagID) {
        namesInUse.insert(tag)
        namesInDoubt.remove(tag)
    }

    /// Marks the current node's source as not saying what its tree says.
    mutating func markRepaired() {
        let ref = top.node
        if ref & Self.clonedBit == 0 { nodes.base[Int(ref)].flags.insert(.repaired) }
    }

    // MARK: Insertion

    /// How far the node `index` is from its parent, the current node; children of clones are attached by the last pass.
    @inline(__always)
    func distance(from index: UInt32) -> Int { Int(index) &- Int(top.node) }

    @inline(__always)
    mutating func insertText(_ start: UInt32, _ end: UInt32, flags: Node.Flags = []) {
        guard start < end else { return }
        var at = start
        if skipsNewline {
            skipsNewline = false
            if sourceBase[Int(at)] == 0x0D { at &+= 1 }
            if at < end, sourceBase[Int(at)] == 0x0A { at &+= 1 }
            guard at < end else { return }
        }
        let index = UInt32(truncatingIfNeeded: nodes.count)
        let isFostered = fosters && isTablePart(topTag)
        if isFostered, joinFosteredText(at, end) { return }
        nodes.append(Node(.text, flags, .none, distance: distance(from: index), source: (at, end)))
        if isFostered {
            noteFoster(index)
        } else if top.isLeft {
            moveIntoLeft(index)
        }
    }

    /// A node without children: comment, doctype, instruction.
    mutating func insertLeaf(_ kind: MarkupTree.Kind) {
        if kind == .comment, options.dropsComments { return }
        if stack.count &- 1 > siblingDepth { leaveCurrent() }
        let index = UInt32(truncatingIfNeeded: nodes.count)
        nodes.append(Node(kind, [], .none, distance: distance(from: index), source: (token.start, token.end)))
    }

    /// Appends an element for the current start tag; returns its index. It is not yet open.
    @inline(__always)
    mutating func insertElement(flags: Node.Flags = []) -> UInt32 {
        let index = UInt32(truncatingIfNeeded: nodes.count)
        var flags = flags
        if token.attributeCount > 0 {
            flags.insert(.hasAttributes)
            attributes.note(start: token.start, first: token.firstAttribute)
        }
        nodes.append(
            Node(.element, flags, token.tag, distance: distance(from: index), source: (token.start, token.end)))
        if fosters, isTablePart(topTag) { noteFoster(index) }
        return index
    }

    /// Inserts the current start tag's element and opens it.
    @inline(__always)
    mutating func open(foreign: Bool = false, integration: Bool = false, flags: Node.Flags = []) {
        if stack.count >= depthLimit {
            openTooDeep()
            return
        }
        if stack.count > siblingDepth { leaveCurrent() }
        let index = insertElement(flags: foreign ? [.foreign] : flags)
        push(index, token.tag, foreign: foreign, integration: integration)
    }

    /// Inserts an element that has no token: `tbody`, `head`, `p` of a stray `</p>` and the like.
    mutating func openImplied(_ tag: TagID) {
        guard stack.count < depthLimit else { return }
        if stack.count > siblingDepth { leaveCurrent() }
        let index = UInt32(truncatingIfNeeded: nodes.count)
        nodes.append(
            Node(.element, [.repaired], tag, distance: distance(from: index), source: (token.start, token.start)))
        if fosters, isTablePart(topTag) { noteFoster(index) }
        push(index, tag)
    }

    @inline(never)
    private mutating func openTooDeep() {
        reportedDepth = true
        _ = insertElement(flags: [.repaired])
        tooDeep.append(token.tag)
    }

    /// Inserts an element without content.
    @inline(__always)
    mutating func insertVoid(foreign: Bool = false) {
        if stack.count &- 1 > siblingDepth { leaveCurrent() }
        _ = insertElement(flags: foreign ? [.foreign] : [])
    }

    // MARK: Foster parenting (§13.2.6.1): what a table cannot hold goes before it

    @inline(__always)
    func isTablePart(_ tag: TagID) -> Bool {
        tag == .table || tag == .tbody || tag == .tr || tag == .thead || tag == .tfoot
    }

    @inline(never)
    mutating func noteFoster(_ index: UInt32) {
        if let table = fosterTable { move(index, upTo: index, before: table) }
    }

    /// The table before which things go; nil when it is a copy, which has no place in the arena.
    var fosterTable: UInt32? {
        let table = find(.table)
        guard table > 0, stack[Int(table)].node & Self.clonedBit == 0 else { return nil }
        return stack[Int(table)].node
    }

    /// Notes that the subtree from one node of the arena to the end of another goes before a third.
    mutating func move(_ from: UInt32, upTo last: UInt32, before anchor: UInt32) {
        nodes.base[Int(from)].flags.insert(.isMoved)
        place(Placement(anchor: anchor, from: from, ref: last))
    }

    mutating func place(_ placement: Placement) {
        nodes.base[Int(placement.anchor)].flags.insert(.isAnchor)
        placedBefore.append(placement)
        needsSettling = true
    }

    /// Text behind text that goes before the same table joins it (§13.2.6.1, "insert a character"); false when there is none.
    private mutating func joinFosteredText(_ start: UInt32, _ end: UInt32) -> Bool {
        guard placedBefore.count > 0 else { return false }
        let last = placedBefore[placedBefore.count - 1]
        guard let table = fosterTable, last.anchor == table, last.from == last.ref else { return false }
        var node = nodes[Int(last.from)]
        guard node.kind == .text, !node.flags.contains(.raw) else { return false }
        if !node.flags.contains(.edited) {
            let kept = UInt32(truncatingIfNeeded: edited.count)
            keepText(node.sourceStart, node.sourceEnd)
            node.flags.insert(.edited)
            node.setSource(kept, UInt32(truncatingIfNeeded: edited.count))
        }
        guard Int(node.sourceEnd) == edited.count else { return false }
        keepText(start, end)
        node.sourceEnd = UInt32(truncatingIfNeeded: edited.count)
        nodes[Int(last.from)] = node
        return true
    }

    /// Appends text of the source to the edited bytes, decoded.
    private mutating func keepText(_ start: UInt32, _ end: UInt32) {
        let text = UnsafeBufferPointer(start: sourceBase + Int(start), count: Int(end - start))
        var decoded: [UInt8] = []
        EntityDecoder.decode(text, mode: options.decodesEntities ? .references : [], into: &decoded)
        decoded.withUnsafeBufferPointer { edited.append(contentsOf: $0) }
    }
}

/// Whether the input is a document or a fragment.
enum DocumentCheck {
    /// True when the source has a doctype or an html, head or body tag: a quick look for candidates, then, when the
    /// first one may stand in a comment or a script, the tokens themselves.
    static func isDocument(_ source: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let base = source.baseAddress else { return false }
        let end = source.count
        var at = firstIndex(of: 0x3C, in: base, from: 0, to: end)
        let first = at
        while at < end {
            if isCandidate(base, at, end) { return at == first || confirmed(source) }
            at = firstIndex(of: 0x3C, in: base, from: at + 1, to: end)
        }
        return false
    }

    @inline(__always)
    private static func isCandidate(_ base: UnsafePointer<UInt8>, _ at: Int, _ end: Int) -> Bool {
        guard at + 5 < end else { return false }
        var i = at + 1
        if base[i] == 0x2F { i += 1 }
        switch base[i] | 0x20 {
        case 0x62: return matches("body", base, i, end)
        case 0x68: return matches("head", base, i, end) || matches("html", base, i, end)
        case 0x21: return matches("!doctype", base, i, end)
        default: return false
        }
    }

    private static func matches(_ name: StaticString, _ base: UnsafePointer<UInt8>, _ at: Int, _ end: Int) -> Bool {
        let count = name.utf8CodeUnitCount
        guard at + count < end else { return false }
        for k in 0..<count where base[at + k].asciiLowercased != name.utf8Start[k] { return false }
        return name.utf8Start[0] == 0x21 || ByteClass.table[Int(base[at + count])] & ByteClass.endsTagName != 0
    }

    private static func confirmed(_ buffer: UnsafeBufferPointer<UInt8>) -> Bool {
        var tokenizer = Tokenizer(buffer)
        var token = Token()
        var attributes = GrowableBuffer<Attribute>(capacity: 64)
        defer { attributes.free() }
        while true {
            attributes.count = 0
            tokenizer.next(&token, &attributes, inForeign: false)
            switch token.kind {
            case .end: return false
            case .doctype: return true
            case .startTag, .endTag:
                if token.tag == .html || token.tag == .head || token.tag == .body { return true }
                if token.kind == .startTag, token.tag.rawText != .none {
                    tokenizer.readRawText(of: token.tag, &token)
                }
            case .text, .comment, .instruction, .cdata: break
            }
        }
    }
}
