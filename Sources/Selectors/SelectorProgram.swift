// Selectors compiled to plain memory, for callers that match many elements: matching needs no reference counting.
//
// In: selectors. Out: for each selector a sequence of steps, its compounds from right to left, and for each step a sequence of
// tests. Simple selectors that are rare in sheets are not compiled.

import FancyTextMarkup

/// Compiled selectors, identified by their indices.
package final class SelectorProgram: Sendable {
    struct Entry: BitwiseCopyable {
        var firstStep: UInt32
        var stepCount: UInt32
    }

    /// A compound.
    struct Step: BitwiseCopyable {
        /// The element's name, if it is a known one.
        var tag: TagID?
        var firstTest: UInt32
        var testCount: UInt32
        /// The combinator between the compound and the one to its left.
        var combinator: Combinator
    }

    struct Test: BitwiseCopyable {
        enum Kind: UInt8, BitwiseCopyable {
            case name, id, className
            /// A known attribute exists, has a value, or has a value with this prefix.
            case attribute, attributeEquals, attributePrefix
            case childIndex
            /// Entries of which at least one must match (`any`) or none may match (`none`).
            case any, none
            /// Entries of which one must match, starting from the element, with compounds joined by `+`.
            case hasNext
            case state
            /// A simple selector that is not compiled.
            case other
        }

        var kind: Kind
        var attribute: UInt8 = 0
        var ignoresCase = false
        var state = StatePseudo.root
        /// The index of the bytes of a name or value, of the entries of a group, or of an uncompiled simple selector.
        var first: UInt32 = 0
        var count: UInt32 = 0
        /// The step of a child index (An+B); `offset` is its B.
        var step: Int32 = 0
        var offset: Int32 = 0
        var fromEnd = false
        var ofType = false
    }

    nonisolated(unsafe) let entries: UnsafePointer<Entry>
    nonisolated(unsafe) let steps: UnsafePointer<Step>
    nonisolated(unsafe) let tests: UnsafePointer<Test>
    nonisolated(unsafe) let bytes: UnsafePointer<UInt8>
    let others: [Simple]
    let stepCount: Int

    /// Compiles selectors, whose indices identify them afterwards. O(length).
    package init(_ selectors: [Selector]) {
        var draft = Draft()
        draft.compile(selectors)
        entries = Self.copy(draft.entries)
        steps = Self.copy(draft.steps)
        tests = Self.copy(draft.tests)
        bytes = Self.copy(draft.bytes)
        others = draft.others
        stepCount = draft.steps.count
    }

    deinit {
        entries.deallocate()
        steps.deallocate()
        tests.deallocate()
        bytes.deallocate()
    }

    private static func copy<T: BitwiseCopyable>(_ array: [T]) -> UnsafePointer<T> {
        let memory = UnsafeMutablePointer<T>.allocate(capacity: max(1, array.count))
        memory.initialize(from: array, count: array.count)
        return UnsafePointer(memory)
    }

    private struct Draft {
        var entries: [Entry] = []
        var steps: [Step] = []
        var tests: [Test] = []
        var bytes: [UInt8] = []
        var others: [Simple] = []

        /// Entries of one list are contiguous; the entries of nested groups follow them.
        mutating func compile(_ selectors: [Selector]) {
            var number = entries.count
            entries.append(contentsOf: repeatElement(Entry(firstStep: 0, stepCount: 0), count: selectors.count))
            for selector in selectors {
                compile(selector, as: number)
                number += 1
            }
        }

        /// Steps and the tests of each step are reserved before nested groups append theirs.
        private mutating func compile(_ selector: Selector, as number: Int) {
            let compounds = selector.compounds
            let firstStep = steps.count
            for index in compounds.indices.reversed() {
                steps.append(
                    Step(
                        tag: compounds[index].tag, firstTest: 0, testCount: 0,
                        combinator: index > 0 ? selector.combinators[index - 1] : .descendant))
            }
            entries[number] = Entry(firstStep: UInt32(firstStep), stepCount: UInt32(compounds.count))
            for index in compounds.indices {
                let simples = compounds[index].simples
                let firstTest = tests.count
                let step = firstStep + compounds.count - 1 - index
                steps[step].firstTest = UInt32(firstTest)
                steps[step].testCount = UInt32(simples.count)
                tests.append(contentsOf: repeatElement(Test(kind: .other), count: simples.count))
                for place in simples.indices { tests[firstTest + place] = compile(simples[place]) }
            }
        }

        private mutating func compile(_ simple: Simple) -> Test {
            switch simple {
            case .name(let name): return text(.name, name)
            case .id(let id): return text(.id, id)
            case .className(let name): return text(.className, name)
            case .attribute(let test):
                guard let id = test.name.id else { break }
                var result: Test
                switch test.test {
                case .exists: result = Test(kind: .attribute)
                case .equals: result = text(.attributeEquals, test.value)
                case .prefix where !test.value.isEmpty: result = text(.attributePrefix, test.value)
                case .prefix, .word, .dash, .suffix, .substring: return other(simple)
                }
                result.attribute = id.rawValue
                result.ignoresCase = test.ignoresCase
                return result
            case .nth(let nth):
                guard nth.of == nil else { break }
                return Test(
                    kind: .childIndex, step: nth.step, offset: nth.offset, fromEnd: nth.fromEnd, ofType: nth.ofType)
            case .any(let group): return self.group(.any, group)
            case .none(let group): return self.group(.none, group)
            case .has(let group):
                guard group.selectors.allSatisfy(\.isOfNextSiblings) else { break }
                return self.group(.hasNext, group)
            case .state(let state): return Test(kind: .state, state: state)
            case .lang, .direction, .contains, .never: break
            }
            return other(simple)
        }

        private mutating func text(_ kind: Test.Kind, _ text: [UInt8]) -> Test {
            defer { bytes += text }
            return Test(kind: kind, first: UInt32(bytes.count), count: UInt32(text.count))
        }

        private mutating func group(_ kind: Test.Kind, _ group: SelectorGroup) -> Test {
            let first = entries.count
            compile(group.selectors)
            return Test(kind: kind, first: UInt32(first), count: UInt32(group.selectors.count))
        }

        private mutating func other(_ simple: Simple) -> Test {
            others.append(simple)
            return Test(kind: .other, first: UInt32(others.count - 1))
        }
    }
}

// MARK: Matching

extension SelectorMatcher {
    /// Returns whether the element matches a compiled selector, ignoring its pseudo-element. A matcher may be used with one
    /// program only.
    package mutating func matches(_ number: Int, of program: SelectorProgram, _ node: NodeID) -> Bool {
        lookedAt = 0
        return matchesEntry(number, of: program, node)
    }

    /// Returns whether the element matches the rightmost compound of a compiled selector. The caller has checked all of its
    /// names.
    package mutating func matchesSubject(_ number: Int, of program: SelectorProgram, _ node: NodeID) -> Bool {
        lookedAt = 0
        let step = program.steps[Int(program.entries[number].firstStep)]
        for place in Int(step.firstTest)..<Int(step.firstTest) + Int(step.testCount) {
            switch program.tests[place].kind {
            case .name, .id, .className, .attribute: break
            case .attributeEquals, .attributePrefix, .childIndex, .any, .none, .hasNext, .state, .other:
                if !matches(program.tests + place, of: program, node) { return false }
            }
        }
        return true
    }

    private mutating func matchesEntry(_ number: Int, of program: SelectorProgram, _ node: NodeID) -> Bool {
        guard tree.kind(node) == .element else { return false }
        let entry = program.entries[number]
        let first = Int(entry.firstStep)
        guard matches(program.steps + first, of: program, node) else { return false }
        return entry.stepCount == 1 || matchesRest(first, first + Int(entry.stepCount), of: program, node, 0)
    }

    /// Returns whether the compounds to the left of the step `index`, which `node` matches, match too.
    private mutating func matchesRest(
        _ index: Int, _ end: Int, of program: SelectorProgram, _ node: NodeID, _ depth: Int
    ) -> Bool {
        var index = index
        var node = node
        while index + 1 < end {
            let wanted = index + 1
            switch program.steps[index].combinator {
            case .child:
                guard let parent = parentElement(node), matches(program.steps + wanted, of: program, parent) else {
                    return false
                }
                node = parent
            case .next:
                guard let previous = previousElement(node), matches(program.steps + wanted, of: program, previous)
                else { return false }
                node = previous
            case .descendant: return someMatch(wanted, end, of: program, node, depth, isSibling: false)
            case .subsequent: return someMatch(wanted, end, of: program, node, depth, isSibling: true)
            }
            index = wanted
        }
        return true
    }

    /// The largest child index that is counted for one element at a time; larger ones are computed for all elements at once.
    private static let mostCounted: Int32 = 8

    /// The number of ancestors and siblings visited per element before results are cached. The cache takes one byte per node and
    /// step.
    private static let mostForgotten = 64

    private func parentElement(_ node: NodeID) -> NodeID? {
        guard let parent = tree.parent(node), tree.kind(parent) == .element else { return nil }
        return parent
    }

    /// Returns whether any ancestor or earlier sibling matches the steps from `wanted` on. After many visits, the result is
    /// cached for every element visited on the way, because it also holds for them.
    private mutating func someMatch(
        _ wanted: Int, _ end: Int, of program: SelectorProgram, _ node: NodeID, _ depth: Int, isSibling: Bool
    ) -> Bool {
        var at = isSibling ? previousElement(node) : parentElement(node)
        var passed: [Int] = []
        var result = false
        while let candidate = at {
            let i = Int(candidate.index)
            if lookedAt > Self.mostForgotten {
                if stepAnswers.isEmpty { stepAnswers = Array(repeating: [], count: program.stepCount) }
                if stepAnswers[wanted].isEmpty { stepAnswers[wanted] = [UInt8](repeating: 0, count: count) }
                let known = stepAnswers[wanted][i]
                if known != 0 {
                    result = known == 2
                    break
                }
                passed.append(i)
            }
            lookedAt += 1
            if matches(program.steps + wanted, of: program, candidate), depth < SelectorParser.mostCompounds,
                matchesRest(wanted, end, of: program, candidate, depth + 1)
            {
                result = true
                break
            }
            at = isSibling ? previousElement(candidate) : parentElement(candidate)
        }
        for i in passed { stepAnswers[wanted][i] = result ? 2 : 1 }
        return result
    }

    private mutating func matches(
        _ step: UnsafePointer<SelectorProgram.Step>, of program: SelectorProgram, _ node: NodeID
    ) -> Bool {
        if let tag = step.pointee.tag, tree.tag(node) != tag { return false }
        var test = program.tests + Int(step.pointee.firstTest)
        let end = test + Int(step.pointee.testCount)
        while test < end {
            if !matches(test, of: program, node) { return false }
            test += 1
        }
        return true
    }

    private mutating func matches(
        _ test: UnsafePointer<SelectorProgram.Test>, of program: SelectorProgram, _ node: NodeID
    ) -> Bool {
        var wanted: UnsafeBufferPointer<UInt8> {
            UnsafeBufferPointer(start: program.bytes + Int(test.pointee.first), count: Int(test.pointee.count))
        }
        let group = Int(test.pointee.first)..<Int(test.pointee.first) + Int(test.pointee.count)
        switch test.pointee.kind {
        case .name: return !tree.tag(node).isKnown && tree.nameBytes(node).elementsEqual(wanted)
        case .id:
            return tree.withAttribute(node, .id) { value in
                value.map { $0.count == wanted.count && occurs(wanted, in: $0, at: 0, foldsNames) } ?? false
            }
        case .className:
            return tree.withAttribute(node, .classNames) { value in
                value.map { hasWord($0, wanted, foldsNames) } ?? false
            }
        case .attribute: return tree.hasAttribute(node, AttributeID(rawValue: test.pointee.attribute))
        case .attributeEquals, .attributePrefix:
            let isWhole = test.pointee.kind == .attributeEquals
            return tree.withAttribute(node, AttributeID(rawValue: test.pointee.attribute)) { value in
                guard let value, !isWhole || value.count == wanted.count else { return false }
                return occurs(wanted, in: value, at: 0, test.pointee.ignoresCase)
            }
        case .childIndex:
            if test.pointee.step == 0, 1...Self.mostCounted ~= test.pointee.offset, !test.pointee.ofType,
                let answer = isAt(test.pointee.offset, node, fromEnd: test.pointee.fromEnd)
            {
                return answer
            }
            let nth = Nth(
                step: test.pointee.step, offset: test.pointee.offset, fromEnd: test.pointee.fromEnd,
                ofType: test.pointee.ofType)
            return nth.accepts(index(of: node, nth))
        case .any:
            for number in group where matchesEntry(number, of: program, node) { return true }
            return false
        case .none:
            for number in group where matchesEntry(number, of: program, node) { return false }
            return true
        case .hasNext:
            for number in group {
                var at: NodeID? = node
                for _ in 0..<program.entries[number].stepCount { at = at.flatMap { nextElement($0) } }
                if let at, matchesEntry(number, of: program, at) { return true }
            }
            return false
        case .state: return matches(test.pointee.state, node)
        case .other: return matches(program.others[Int(test.pointee.first)], node)
        }
    }
}
