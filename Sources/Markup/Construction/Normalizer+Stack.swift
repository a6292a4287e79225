// The stack of open elements (HTML §13.2.4.2): each summarizes those below, so no query needs a search; and tags too deep for it.

/// An open element. There may be as many of them as elements, so the state that most share is kept in ``Scopes``.
struct OpenElement: BitwiseCopyable {
    private struct Flags: OptionSet, BitwiseCopyable {
        let rawValue: UInt8
        static let foreign = Flags(rawValue: 1)
        static let integration = Flags(rawValue: 2)
        static let ghost = Flags(rawValue: 4)
    }

    /// A node of the arena, or of ``Normalizer/inserted`` with the top bit set.
    var node: UInt32
    var tag: TagID
    private var flags: Flags = []
    var savedMode: Normalizer.Mode
    /// The arena index of its first sibling by ``Normalizer/siblingDepth``, where it ended in the arena; 0 for all others.
    var endIfLeft: UInt32 = 0
    /// The stack index of the nearest entry below with the same tag; -1 if there is no such entry.
    var previousSame: Int32 = -1
    /// The index in ``Normalizer/scopes`` of the summary of the entries up to this one.
    var scopes: UInt32 = 0

    init(
        node: UInt32, tag: TagID, foreign: Bool = false, integration: Bool = false, savedMode: Normalizer.Mode = .inBody
    ) {
        (self.node, self.tag, self.savedMode) = (node, tag, savedMode)
        if foreign { flags.insert(.foreign) }
        if integration { flags.insert(.integration) }
    }

    @inline(__always) var isLeft: Bool { endIfLeft != 0 }
    @inline(__always) var foreign: Bool { flags.contains(.foreign) }
    /// A foreign element that contains HTML (an integration point).
    @inline(__always) var integration: Bool { flags.contains(.integration) }
    /// Set when it was removed from the stack while elements above it remain: it ends with them, and no search finds it.
    @inline(__always) var isGhost: Bool {
        get { flags.contains(.ghost) }
        set { if newValue { flags.insert(.ghost) } else { flags.remove(.ghost) } }
    }
}

/// The topmost open elements that bound searches, as stack indices.
struct Scopes: BitwiseCopyable {
    var special: Int32 = 0
    var scope: Int32 = 0
    var buttonScope: Int32 = 0
    var listScope: Int32 = 0
    var tableScope: Int32 = 0
    var itemBarrier: Int32 = 0
    /// The topmost HTML element, if the current node is foreign.
    var html: Int32 = 0
}

extension Normalizer {
    @inline(__always) var top: OpenElement { stack.base[stack.count &- 1] }
    /// The bounds of searches from the current node. Those of the current node are always the last.
    @inline(__always) var bounds: Scopes { scopes.base[scopes.count &- 1] }
    @inline(__always) func traits(of tag: TagID) -> TagTraits {
        TagTraits(rawValue: tag.isKnown ? traits[Int(tag.rawValue)] : 0)
    }
    @inline(__always) var topTag: TagID { stack.base[stack.count &- 1].tag }

    @inline(__always)
    mutating func push(_ node: UInt32, _ tag: TagID, foreign: Bool = false, integration: Bool = false) {
        var element = OpenElement(node: node, tag: tag, foreign: foreign, integration: integration, savedMode: mode)
        let id = Int(tag.rawValue)
        if !foreign, id < Int(TagID.knownCount), traits[id] & Self.barriers == 0 {
            // Most elements do not affect the searches for scopes.
            element.scopes = top.scopes
            element.previousSame = topOfTag.base[id]
            topOfTag.base[id] = Int32(truncatingIfNeeded: stack.count)
        } else {
            link(&element, at: stack.count)
        }
        stack.append(element)
        update(node) { $0.flags.insert(.open) }
    }

    private static let barriers: UInt16 =
        TagTraits.special.rawValue | TagTraits.scope.rawValue | TagTraits.buttonScope.rawValue
        | TagTraits.listScope.rawValue | TagTraits.tableScope.rawValue | TagTraits.itemBarrier.rawValue

    /// Sets the summary of the entries below `element`, which is about to be pushed at `index`.
    @inline(__always) mutating func link(_ element: inout OpenElement, at index: Int) {
        let below = stack.base[index &- 1]
        let here = Int32(truncatingIfNeeded: index)
        let id = Int(element.tag.rawValue)
        if id >= topOfTag.count { extendTopOfTag(to: id) }
        element.previousSame = topOfTag.base[id]
        topOfTag.base[id] = here
        element.scopes = below.scopes
        let own: TagTraits =
            element.foreign
            ? (element.integration ? [.special, .scope, .buttonScope, .listScope, .itemBarrier] : [])
            : traits(of: element.tag)
        let startsForeign = element.foreign && !below.foreign
        guard startsForeign || own.rawValue & Self.barriers != 0 else { return }
        var bounds = scopes.base[Int(below.scopes)]
        if own.contains(.special) { bounds.special = here }
        if own.contains(.scope) { bounds.scope = here }
        if own.contains(.buttonScope) { bounds.buttonScope = here }
        if own.contains(.listScope) { bounds.listScope = here }
        if own.contains(.tableScope) { bounds.tableScope = here }
        if own.contains(.itemBarrier) { bounds.itemBarrier = here }
        if startsForeign { bounds.html = here &- 1 }
        element.scopes = UInt32(truncatingIfNeeded: scopes.count)
        scopes.append(bounds)
    }

    @inline(never) private mutating func extendTopOfTag(to id: Int) {
        while topOfTag.count <= id { topOfTag.append(-1) }
    }

    /// Removes the current node from the stack without ending it.
    @inline(__always) mutating func dropTop() {
        topOfTag.base[Int(topTag.rawValue)] = top.previousSame
        stack.count &-= 1
        scopes.count = Int(top.scopes) &+ 1
    }

    /// Pops the current node. `endTag` is the token that closed it, nil when its end is implied.
    @inline(__always) mutating func pop(closedBy endTag: UInt32?) {
        let element = top
        dropTop()
        setEnd(of: element.node, element.isLeft ? element.endIfLeft : nextIndex)
        let here = token.start
        update(element.node) { node in
            node.flags.remove(.open)
            if endTag == nil { node.flags.insert(.repaired) }
            if !node.flags.contains(.clone) { node.endSource(at: endTag ?? max(node.sourceEnd, here)) }
        }
        if top.isGhost { popGhost() }
    }

    @inline(never) private mutating func popGhost() { pop(closedBy: nil) }

    /// Sets the end of a node of the arena, or of an inserted one.
    @inline(__always) func setEnd(of ref: UInt32, _ end: UInt32) {
        if ref & Self.clonedBit == 0 {
            nodes.base[Int(ref)].size = end &- ref
        } else {
            inserted.base[Int(ref & ~Self.clonedBit)].end = end
        }
    }

    /// Pops entries down to and including stack index `index`; the last one is closed by the current token.
    mutating func pop(through index: Int32, closedByToken: Bool = true) {
        guard index > 0 else { return }
        while stack.count > Int(index) + 1 { pop(closedBy: nil) }
        if stack.count > Int(index) { pop(closedBy: closedByToken ? token.end : nil) }
    }

    /// The stack index of the topmost open element of a tag; -1 if no such element is open.
    @inline(__always) func find(_ tag: TagID) -> Int32 {
        let id = Int(tag.rawValue)
        return id < topOfTag.count ? topOfTag.base[id] : -1
    }

    // No bound is negative, so an element that is not open is in no scope.
    @inline(__always) func inScope(_ tag: TagID) -> Bool { find(tag) >= bounds.scope }
    @inline(__always) func inButtonScope(_ tag: TagID) -> Bool { find(tag) >= bounds.buttonScope }
    @inline(__always) func inListScope(_ tag: TagID) -> Bool { find(tag) >= bounds.listScope }
    @inline(__always) func inTableScope(_ tag: TagID) -> Bool { find(tag) >= bounds.tableScope }

    // MARK: Depth

    // As in browsers, when too many elements are open, the next one becomes a sibling of the current node, which ends there in the
    // arena but remains open for text: the last pass moves it.

    /// Makes the next node a sibling of the current one.
    @inline(never) mutating func leaveCurrent() {
        if fosters, isTablePart(topTag) { return }
        reportedSiblings = true
        markRepaired()
        guard !top.isLeft else { return }
        let isMoved = top.node & Self.clonedBit == 0 && nodes[Int(top.node)].flags.contains(.isMoved)
        // A fostered node has the table's parent: its sibling follows the table.
        for k in (isMoved ? max(1, Int(find(.table))) : stack.count - 1)..<stack.count where !stack[k].isLeft {
            stack[k].endIfLeft = nextIndex
        }
        needsSettling = true
    }

    /// Moves a node at the arena's end into the current node, which ends before it.
    @inline(never) mutating func moveIntoLeft(_ index: UInt32) {
        let ref = top.node
        move(index, upTo: index, before: top.endIfLeft)
        endMarks[ref] = countPlacements()
    }
}

/// A stack of the tags open below the depth limit; a run of equal tags is one entry. The oldest of very many runs are dropped.
struct TagRuns {
    private static let mostRuns = 1 << 16

    private var runs: [(tag: TagID, count: UInt32)] = []

    var isEmpty: Bool { runs.isEmpty }

    mutating func append(_ tag: TagID) {
        if runs.last?.tag == tag {
            runs[runs.count - 1].count += 1
        } else {
            if runs.count == Self.mostRuns { runs.removeFirst(Self.mostRuns / 2) }
            runs.append((tag, 1))
        }
    }

    mutating func removeLast() {
        guard let last = runs.last else { return }
        if last.count > 1 { runs[runs.count - 1].count -= 1 } else { runs.removeLast() }
    }

    /// Removes the last `tag` of the last sixteen runs with all tags above it; false if there is no such tag.
    mutating func close(_ tag: TagID) -> Bool {
        guard let k = runs.suffix(16).lastIndex(where: { $0.tag == tag }) else { return false }
        runs.removeLast(runs.count - 1 - k)
        removeLast()
        return true
    }
}
