// The Unicode Bidirectional Algorithm (UAX #9, Unicode 15) for one run of text: from characters to embedding levels.
//
// In: scalars with their bidi classes and the base direction. Out: a level for every character; characters that rule X9 removes
// get the level of the character before them. Linear, except for the sorting of bracket pairs.

import FancyTextBasics
import CFancyTextUnicode

struct BidiAlgorithm {
    private static let maximumDepth: UInt8 = 125
    /// Marks for "no character".
    private static let none = -1

    private(set) var scalars: [UInt32] = []
    private var original: [UInt8] = []
    private var classes: [UInt8] = []
    private(set) var levels: [UInt8] = []
    /// The levels after X1–X8, which X10 compares.
    private var explicit: [UInt8] = []
    /// For isolate initiators the matching PDI, for PDIs their initiator, else −1 (BD9).
    private var matches: [Int] = []

    mutating func reserve(_ count: Int) {
        scalars.reserveCapacity(count)
        original.reserveCapacity(count)
    }

    mutating func append(_ scalar: UInt32) {
        scalars.append(scalar)
        original.append(unicodeRecord(scalar).bidi)
    }

    var count: Int { scalars.count }

    /// Computes `levels`; returns the level of the first paragraph.
    mutating func resolve(base: BidiBase) -> UInt8 {
        classes = original
        levels = [UInt8](repeating: 0, count: count)
        findMatches()
        var first: UInt8?
        var start = 0
        while start < count {
            var end = start
            while end < count, Int(original[end]) != BidiB { end += 1 }
            if end < count { end += 1 }
            let level: UInt8 =
                switch base {
                case .ltr: 0
                case .rtl: 1
                case .auto: firstStrongLevel(start..<end)
                }
            if first == nil { first = level }
            resolveParagraph(start..<end, level)
            start = end
        }
        return first ?? (base == .rtl ? 1 : 0)
    }

    @inline(__always) private static func isIsolateInitiator(_ value: Int) -> Bool {
        value == BidiLRI || value == BidiRLI || value == BidiFSI
    }
    /// Returns whether X9 removes a class.
    @inline(__always) private static func isRemoved(_ value: Int) -> Bool {
        value == BidiBN || (value >= BidiLRE && value <= BidiPDF)
    }

    /// BD9, within each paragraph.
    private mutating func findMatches() {
        matches = [Int](repeating: Self.none, count: count)
        var open: [Int] = []
        for index in 0..<count {
            let value = Int(original[index])
            if value == BidiB {
                open.removeAll()
            } else if Self.isIsolateInitiator(value) {
                open.append(index)
            } else if value == BidiPDI, let initiator = open.popLast() {
                matches[initiator] = index
                matches[index] = initiator
            }
        }
    }

    /// P2 and P3: the level of the first L, R or AL outside of isolates; 0 without one.
    private func firstStrongLevel(_ range: Range<Int>) -> UInt8 {
        var index = range.lowerBound
        while index < range.upperBound {
            let value = Int(original[index])
            if value == BidiL { return 0 }
            if value == BidiR || value == BidiAL { return 1 }
            if value == BidiPDI, matches[index] == Self.none || matches[index] < range.lowerBound {
                index += 1
                continue
            }
            if Self.isIsolateInitiator(value) {
                guard matches[index] != Self.none else { return 0 }
                index = matches[index]
            }
            index += 1
        }
        return 0
    }

    // MARK: X1–X8

    private struct Status {
        var level: UInt8
        /// BidiL, BidiR or −1 for none.
        var override: Int
        var isIsolate: Bool

        /// The least higher level of a direction.
        func next(isRight: Bool) -> UInt8 { isRight ? (level + 1) | 1 : (level + 2) & ~1 }
    }

    private mutating func resolveParagraph(_ range: Range<Int>, _ base: UInt8) {
        var stack = [Status(level: base, override: Self.none, isIsolate: false)]
        var overflowIsolates = 0
        var overflowEmbeddings = 0
        var validIsolates = 0
        for index in range {
            let value = Int(original[index])
            let top = stack[stack.count - 1]
            switch value {
            case BidiLRE, BidiRLE, BidiLRO, BidiRLO:
                levels[index] = top.level
                let next = top.next(isRight: value == BidiRLE || value == BidiRLO)
                if next <= Self.maximumDepth, overflowIsolates == 0, overflowEmbeddings == 0 {
                    let override = value == BidiLRO ? BidiL : value == BidiRLO ? BidiR : Self.none
                    stack.append(Status(level: next, override: override, isIsolate: false))
                } else if overflowIsolates == 0 {
                    overflowEmbeddings += 1
                }
            case BidiLRI, BidiRLI, BidiFSI:
                levels[index] = top.level
                if top.override != Self.none { classes[index] = UInt8(top.override) }
                var isRight = value == BidiRLI
                if value == BidiFSI {
                    let end = matches[index] == Self.none ? range.upperBound : matches[index]
                    isRight = firstStrongLevel((index + 1)..<end) == 1
                }
                let next = top.next(isRight: isRight)
                if next <= Self.maximumDepth, overflowIsolates == 0, overflowEmbeddings == 0 {
                    validIsolates += 1
                    stack.append(Status(level: next, override: Self.none, isIsolate: true))
                } else {
                    overflowIsolates += 1
                }
            case BidiPDI:
                if overflowIsolates > 0 {
                    overflowIsolates -= 1
                } else if validIsolates > 0 {
                    overflowEmbeddings = 0
                    while let last = stack.last, !last.isIsolate { stack.removeLast() }
                    stack.removeLast()
                    validIsolates -= 1
                }
                let status = stack[stack.count - 1]
                levels[index] = status.level
                if status.override != Self.none { classes[index] = UInt8(status.override) }
            case BidiPDF:
                if overflowIsolates == 0 {
                    if overflowEmbeddings > 0 {
                        overflowEmbeddings -= 1
                    } else if !top.isIsolate, stack.count >= 2 {
                        stack.removeLast()
                    }
                }
                levels[index] = stack[stack.count - 1].level
            case BidiB: levels[index] = base
            case BidiBN: levels[index] = top.level
            default:
                levels[index] = top.level
                if top.override != Self.none { classes[index] = UInt8(top.override) }
            }
        }
        resolveSequences(range, base)
        resetWhiteSpace(range, base)
    }

    // MARK: X10

    /// Builds the isolating run sequences and resolves each.
    private mutating func resolveSequences(_ range: Range<Int>, _ base: UInt8) {
        if explicit.count != count { explicit = levels }
        explicit.replaceSubrange(range, with: levels[range])
        // Level runs over the characters that X9 keeps; for a PDI that begins one, the run's number.
        var runs: [[Int]] = []
        var runOf = [Int](repeating: Self.none, count: range.count)
        var last = -1
        for index in range where !Self.isRemoved(Int(original[index])) && Int(original[index]) != BidiB {
            if last >= 0, levels[last] == levels[index] {
                runs[runs.count - 1].append(index)
            } else {
                runs.append([index])
            }
            runOf[index - range.lowerBound] = runs.count - 1
            last = index
        }
        for first in runs.indices {
            let head = runs[first][0]
            if Int(original[head]) == BidiPDI, matches[head] != Self.none, matches[head] >= range.lowerBound {
                continue
            }
            var sequence = runs[first]
            while true {
                let tail = sequence[sequence.count - 1]
                guard Self.isIsolateInitiator(Int(original[tail])), matches[tail] != Self.none,
                    matches[tail] < range.upperBound
                else { break }
                let next = runOf[matches[tail] - range.lowerBound]
                guard next != Self.none else { break }
                sequence += runs[next]
            }
            resolveSequence(sequence, range, base)
        }
    }

    /// The neighbouring level that X10 compares for sos and eos; characters removed by X9 are skipped.
    private func levelBefore(_ index: Int, _ range: Range<Int>, _ base: UInt8) -> UInt8 {
        let before = (range.lowerBound..<index).last { !Self.isRemoved(Int(original[$0])) }
        return before.map { explicit[$0] } ?? base
    }

    private func levelAfter(_ index: Int, _ range: Range<Int>, _ base: UInt8) -> UInt8 {
        let value = Int(original[index])
        if Self.isIsolateInitiator(value), matches[index] == Self.none { return base }
        let after = ((index + 1)..<range.upperBound).first { !Self.isRemoved(Int(original[$0])) }
        return after.flatMap { Int(original[$0]) == BidiB ? nil : explicit[$0] } ?? base
    }

    private mutating func resolveSequence(_ sequence: [Int], _ range: Range<Int>, _ base: UInt8) {
        let level = levels[sequence[0]]
        let start = max(level, levelBefore(sequence[0], range, base)) & 1 == 1 ? BidiR : BidiL
        let end = max(level, levelAfter(sequence[sequence.count - 1], range, base)) & 1 == 1 ? BidiR : BidiL
        resolveWeak(sequence, start)
        let embedding = level & 1 == 1 ? BidiR : BidiL
        resolveBrackets(sequence, start, embedding)
        resolveNeutrals(sequence, start, end, embedding)
        for index in sequence {  // I1, I2
            let value = Int(classes[index])
            if level & 1 == 0 {
                if value == BidiR {
                    levels[index] = level + 1
                } else if value == BidiAN || value == BidiEN {
                    levels[index] = level + 2
                }
            } else if value == BidiL || value == BidiEN || value == BidiAN {
                levels[index] = level + 1
            }
        }
    }

    // MARK: W1–W7

    private mutating func resolveWeak(_ sequence: [Int], _ start: Int) {
        var previous = start
        for index in sequence {  // W1
            if Int(classes[index]) == BidiNSM {
                let isolates = Self.isIsolateInitiator(previous) || previous == BidiPDI
                classes[index] = UInt8(isolates ? BidiON : previous)
            }
            previous = Int(classes[index])
        }
        var strong = start
        for index in sequence {  // W2, W3
            switch Int(classes[index]) {
            case BidiL, BidiR: strong = Int(classes[index])
            case BidiAL:
                strong = BidiAL
                classes[index] = UInt8(BidiR)
            case BidiEN: if strong == BidiAL { classes[index] = UInt8(BidiAN) }
            default: break
            }
        }
        if sequence.count >= 3 {
            for position in 1..<(sequence.count - 1) {  // W4
                let value = Int(classes[sequence[position]])
                guard value == BidiES || value == BidiCS else { continue }
                let before = Int(classes[sequence[position - 1]])
                guard before == Int(classes[sequence[position + 1]]) else { continue }
                if before == BidiEN || (before == BidiAN && value == BidiCS) {
                    classes[sequence[position]] = UInt8(before)
                }
            }
        }
        var position = 0
        while position < sequence.count {  // W5
            guard Int(classes[sequence[position]]) == BidiET else {
                position += 1
                continue
            }
            var end = position
            while end < sequence.count, Int(classes[sequence[end]]) == BidiET { end += 1 }
            let touchesNumber =
                (position > 0 && Int(classes[sequence[position - 1]]) == BidiEN)
                || (end < sequence.count && Int(classes[sequence[end]]) == BidiEN)
            if touchesNumber { for slot in position..<end { classes[sequence[slot]] = UInt8(BidiEN) } }
            position = end
        }
        strong = start
        for index in sequence {  // W6, W7
            switch Int(classes[index]) {
            case BidiES, BidiET, BidiCS: classes[index] = UInt8(BidiON)
            case BidiL, BidiR: strong = Int(classes[index])
            case BidiEN: if strong == BidiL { classes[index] = UInt8(BidiL) }
            default: break
            }
        }
    }

    // MARK: N0

    /// L or R for a class that is strong in N0–N2, where numbers count as R; −1 for a neutral.
    @inline(__always) private static func strength(_ value: Int) -> Int {
        switch value {
        case BidiL: BidiL
        case BidiR, BidiEN, BidiAN: BidiR
        default: none
        }
    }

    private static func canonical(_ bracket: UInt32) -> UInt32 {
        bracket == 0x2329 ? 0x3008 : bracket == 0x232A ? 0x3009 : bracket
    }

    private mutating func resolveBrackets(_ sequence: [Int], _ start: Int, _ embedding: Int) {
        var stack: [(closing: UInt32, position: Int)] = []
        var pairs: [(open: Int, close: Int)] = []
        scan: for (position, index) in sequence.enumerated() where Int(classes[index]) == BidiON {
            var kind: UInt8 = 0
            let paired = unicode_bracket(scalars[index], &kind)
            guard paired != 0 else { continue }
            if kind == 1 {
                if stack.count == 63 { break scan }
                stack.append((Self.canonical(paired), position))
            } else {
                let closing = Self.canonical(scalars[index])
                guard let found = stack.lastIndex(where: { $0.closing == closing }) else { continue }
                pairs.append((stack[found].position, position))
                stack.removeSubrange(found...)
            }
        }
        if pairs.isEmpty { return }
        pairs.sort { $0.open < $1.open }
        for pair in pairs {
            var hasEmbedding = false
            var hasOpposite = false
            for position in (pair.open + 1)..<pair.close {
                let found = Self.strength(Int(classes[sequence[position]]))
                if found == embedding {
                    hasEmbedding = true
                    break
                }
                if found != Self.none { hasOpposite = true }
            }
            var direction = embedding
            if !hasEmbedding {
                guard hasOpposite else { continue }
                let last = sequence[..<pair.open].last { Self.strength(Int(classes[$0])) != Self.none }
                direction = last.map { Self.strength(Int(classes[$0])) } ?? start
            }
            for position in [pair.open, pair.close] {
                classes[sequence[position]] = UInt8(direction)
                // Marks that W1 made neutral take the direction of their bracket.
                var next = position + 1
                while next < sequence.count, Int(original[sequence[next]]) == BidiNSM {
                    classes[sequence[next]] = UInt8(direction)
                    next += 1
                }
            }
        }
    }

    // MARK: N1, N2

    private mutating func resolveNeutrals(_ sequence: [Int], _ start: Int, _ end: Int, _ embedding: Int) {
        var before = start
        /// The position after the last strong character.
        var first = 0
        for position in 0...sequence.count {
            let after = position < sequence.count ? Self.strength(Int(classes[sequence[position]])) : end
            if after == Self.none { continue }
            let direction = before == after ? before : embedding
            for slot in first..<position { classes[sequence[slot]] = UInt8(direction) }
            (before, first) = (after, position + 1)
        }
    }

    // MARK: L1

    private mutating func resetWhiteSpace(_ range: Range<Int>, _ base: UInt8) {
        // Characters removed by X9 get the level before them, so that they never split a run.
        var before = base
        for index in range {
            if Self.isRemoved(Int(original[index])) { levels[index] = before } else { before = levels[index] }
        }
        var isTrailing = true
        for index in range.reversed() {
            let value = Int(original[index])
            if value == BidiB || value == BidiS {
                levels[index] = base
                isTrailing = true
            } else if value == BidiWS || Self.isIsolateInitiator(value) || value == BidiPDI || Self.isRemoved(value) {
                if isTrailing { levels[index] = base }
            } else {
                isTrailing = false
            }
        }
    }
}
