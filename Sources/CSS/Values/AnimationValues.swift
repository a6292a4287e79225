// Values of `animation-*` (CSS Animations 1 and 2) and the moment of each animation that a still picture shows.

/// The lists of `animation-*`; each is repeated to the length of the list of names.
package struct AnimationStyle: RareGroup {
    package enum Direction: String, Sendable { case normal, reverse, alternate, alternateReverse = "alternate-reverse" }

    package struct Fill: OptionSet, Equatable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        package static let backwards = Fill(rawValue: 1)
        package static let forwards = Fill(rawValue: 2)
    }

    /// The name of each animation; `nil` is `none`.
    package var names: [String?] = [nil]
    /// In seconds.
    var durations: [Double] = [0], delays: [Double] = [0]
    var iterations: [Double] = [1]
    var directions: [Direction] = [.normal]
    var fills: [Fill] = [[]]
    var pauses = [false]
    package var easings: [Easing] = [.ease]
    /// For each animation, true if it runs by time; false if by scrolling, or not at all.
    var runsByTime = [true]

    package init() {}

    /// The progress that a still picture shows: the end, or an endless animation's start; `nil` for none (Web Animations 1 §4.8).
    package func progress(_ index: Int) -> Double? {
        guard runsByTime[cycling: index] else { return nil }
        let (duration, delay, count) = (durations[cycling: index], delays[cycling: index], iterations[cycling: index])
        let (fill, isPaused) = (fills[cycling: index], pauses[cycling: index])
        let activeDuration = duration == 0 || count == 0 ? 0 : duration * count
        let isBefore = isPaused && delay > 0
        let isDuring = !isBefore && (isPaused || activeDuration.isInfinite) && -delay < activeDuration
        guard isDuring || fill.contains(isBefore ? .backwards : .forwards) else { return nil }
        let time = isBefore ? 0 : isDuring ? max(0, -delay) : activeDuration
        let overall = duration > 0 ? time / duration : isBefore ? 0 : count
        var simple = overall.isInfinite ? 0 : overall.truncatingRemainder(dividingBy: 1)
        let isAtEnd = simple == 0 && time == activeDuration && count != 0 && !isBefore
        if isAtEnd { simple = 1 }
        let iteration = overall.isInfinite ? 0 : overall.rounded(.down) - (isAtEnd ? 1 : 0)
        let isOdd = iteration.truncatingRemainder(dividingBy: 2) == 1
        let isReversed =
            switch directions[cycling: index] {
            case .normal: false
            case .reverse: true
            case .alternate: isOdd
            case .alternateReverse: !isOdd
            }
        return isReversed ? 1 - simple : simple
    }
}

extension Array {
    /// The element at an index of a list that is repeated as often as needed.
    package subscript(cycling index: Int) -> Element { self[index % count] }
}

/// An easing function (CSS Easing 2).
package enum Easing: Equatable, Sendable {
    /// Points of a polyline: inputs ascend.
    case linear([SIMD2<Double>])
    /// The two inner control points.
    case cubic(SIMD4<Double>)
    case steps(Int, jumpsAtStart: Bool, jumpsAtEnd: Bool)

    static let ease = Easing.cubic(SIMD4(0.25, 0.1, 0.25, 1))

    package func callAsFunction(_ input: Double) -> Double {
        switch self {
        case .linear(let points):
            guard let end = points.firstIndex(where: { $0.x > input }), end > 0
            else { return input < 0.5 ? points.first?.y ?? input : points.last?.y ?? input }
            let (a, b) = (points[end - 1], points[end])
            return a.y + (b.y - a.y) * (input - a.x) / (b.x - a.x)
        case .cubic(let points):
            if input <= 0 || input >= 1 { return max(0, min(1, input)) }
            func bezier(_ t: Double, _ a: Double, _ b: Double) -> Double {
                let s = 1 - t
                return 3 * s * s * t * a + 3 * s * t * t * b + t * t * t
            }
            // The first coordinate ascends with the parameter.
            var (low, high) = (0.0, 1.0)
            for _ in 0..<48 {
                let middle = (low + high) / 2
                if bezier(middle, points.x, points.z) < input { low = middle } else { high = middle }
            }
            return bezier(low, points.y, points.w)
        case .steps(let count, let jumpsAtStart, let jumpsAtEnd):
            let jumps = Double(count) + (jumpsAtStart ? 1 : 0) + (jumpsAtEnd ? 1 : 0) - 1
            let step = (input * Double(count)).rounded(.down) + (jumpsAtStart ? 1 : 0)
            return max(0, min(1, step / max(1, jumps)))
        }
    }
}
