// The stack of open elements (HTML §13.2.4.2): each knows what is open below it, so that no question takes a search.

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
    var savedMode = Normalizer.Mode.inBody
    /// Where in the arena its first sibling by ``Normalizer/siblingDepth`` starts: there it ended, and what else it gets is put
    /// there. 0 for all others.
    var endIfLeft: UInt32 = 0
    var previousSame: Int32 = -1
    var special: Int32 = -1
    var scope: Int32 = -1
    var buttonScope: Int32 = -1
    var listScope: Int32 = -1
    var tableScope: Int32 = -1
    var itemBarrier: Int32 = -1
    var html: Int32 = 0

    @inline(__always) var isLeft: Bool { endIfLeft != 0 }
}

extension Normalizer {
    @inline(__always) var top: OpenElement { stack.base[stack.count &- 1] }
    @inline(__always) func traits(of tag: TagID) -> TagTraits {
        TagTraits(rawValue: tag.isKnown ? traits[Int(tag.rawValue)] : 0)
    }
    @inline(__always) var topTag: TagID { stack.base[stack.count &- 1].tag }

    mutating func pushRoot() {
        var element = OpenElement(node: 0, tag: .none, foreign: options.isXML)
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
            element.endIfLeft = 0
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
        var end = UInt32(truncatingIfNeeded: nodes.count)
        if element.isLeft {
            end = element.endIfLeft
            countOfLeft -= 1
        }
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
}
