// Animations (CSS Animations 1 and 2, CSS Easing 2).

func animationProperties() -> [Property] {
    [
        .list("animation-name", { $1(&$0.own.animation.names) }) { $0.keyframesName() },
        .list("animation-duration", { $1(&$0.own.animation.durations) }) { $0.animationDuration() },
        .list("animation-delay", { $1(&$0.own.animation.delays) }) { $0.time() },
        .list("animation-iteration-count", { $1(&$0.own.animation.iterations) }) { $0.iterationCount() },
        .list("animation-direction", { $1(&$0.own.animation.directions) }) { $0.keyword() },
        .list("animation-fill-mode", { $1(&$0.own.animation.fills) }) { $0.keyword(animationFills) },
        .list("animation-play-state", { $1(&$0.own.animation.pauses) }) { $0.choice("running", "paused") },
        .list("animation-timing-function", { $1(&$0.own.animation.easings) }) { $0.easing() },
        // Scroll timelines have no position in a still picture: their animations are left out, with a warning.
        Property.list("animation-timeline", { $1(&$0.own.animation.runsByTime) }) { $0.isTimeOnly() }
            .missing(except: "auto|none"),
        .whole("animation", animationLonghands) { cursor, values in
            // The name is the word that no other property takes (CSS Animations 1 §4.9).
            let animations = cursor.layers(SingleAnimation()) { cursor, one in
                cursor.once(&one.duration, { $0.animationDuration() }) || cursor.once(&one.delay, { $0.time() })
                    || cursor.once(&one.easing, { $0.easing() })
                    || cursor.once(&one.iterations, { $0.iterationCount() })
                    || cursor.once(&one.direction, { $0.keyword() }) || cursor.once(&one.fill, animationFills)
                    || cursor.once(&one.isPaused, "running", "paused") || cursor.once(&one.name, { $0.keyframesName() })
            }
            guard let animations else { return false }
            var style = AnimationStyle()
            style.names = animations.map { $0.name ?? nil }
            (style.durations, style.delays) = (animations.map { $0.duration ?? 0 }, animations.map { $0.delay ?? 0 })
            style.iterations = animations.map { $0.iterations ?? 1 }
            style.directions = animations.map { $0.direction ?? .normal }
            style.fills = animations.map { $0.fill ?? [] }
            style.pauses = animations.map { $0.isPaused ?? false }
            style.easings = animations.map { $0.easing ?? .ease }
            values.own.animation = style
            return true
        },
    ]
}

private let animationLonghands = names(
    "animation-", "name duration delay iteration-count direction fill-mode play-state timing-function timeline")
private let animationFills: [(StaticString, AnimationStyle.Fill)] = [
    ("none", []), ("forwards", .forwards), ("backwards", .backwards), ("both", [.forwards, .backwards]),
]

private struct SingleAnimation {
    /// The inner `nil` is `none`.
    var name: String??
    var duration, delay, iterations: Double?
    var direction: AnimationStyle.Direction?
    var fill: AnimationStyle.Fill?
    var isPaused: Bool?
    var easing: Easing?
}

extension ValueCursor {
    /// The timeline of an animation: true for the time of the document.
    fileprivate mutating func isTimeOnly() -> Bool? {
        if keyword("auto") { return true }
        guard customIdent() != nil || isFunction("scroll") || isFunction("view") else { return nil }
        if functionName != nil { skipComponent() }
        return false
    }

    /// An animation's name; the inner `nil` is `none`.
    package mutating func keyframesName() -> String?? { optional("none") { $0.string() ?? $0.customIdent() } }

    fileprivate mutating func animationDuration() -> Double? {
        keyword("auto") ? 0 : time().flatMap { $0 >= 0 ? $0 : nil }
    }

    fileprivate mutating func iterationCount() -> Double? { keyword("infinite") ? .infinity : number(atLeast: 0) }

    package mutating func easing() -> Easing? {
        let keywords: [(StaticString, Easing)] = [
            ("linear", .linear([SIMD2(0, 0), SIMD2(1, 1)])), ("ease", .ease), ("ease-in", .cubic(SIMD4(0.42, 0, 1, 1))),
            ("ease-out", .cubic(SIMD4(0, 0, 0.58, 1))), ("ease-in-out", .cubic(SIMD4(0.42, 0, 0.58, 1))),
            ("step-start", .steps(1, jumpsAtStart: true, jumpsAtEnd: false)),
            ("step-end", .steps(1, jumpsAtStart: false, jumpsAtEnd: true)),
        ]
        if let easing = keyword(keywords) { return easing }
        switch functionName {
        case "cubic-bezier":
            return arguments { inner in
                guard let numbers = inner.commaList({ $0.number() }), numbers.count == 4, 0...1 ~= numbers[0],
                    0...1 ~= numbers[2]
                else { return nil }
                return .cubic(SIMD4(numbers[0], numbers[1], numbers[2], numbers[3]))
            }
        case "steps":
            return arguments { inner in
                let table: [(StaticString, (start: Bool, end: Bool))] = [
                    ("jump-start", (true, false)), ("start", (true, false)), ("jump-end", (false, true)),
                    ("end", (false, true)), ("jump-none", (false, false)), ("jump-both", (true, true)),
                ]
                guard let count = inner.integer(atLeast: 1),
                    let jumps = inner.comma() ? inner.keyword(table) : (false, true),
                    jumps.start || jumps.end || count > 1
                else { return nil }
                return .steps(count, jumpsAtStart: jumps.start, jumpsAtEnd: jumps.end)
            }
        case "linear": return arguments { $0.linearEasing() }
        default: return nil
        }
    }

    /// `linear()` (CSS Easing 2 §2.2): outputs with up to two inputs. Missing inputs are spaced evenly between their neighbours.
    private mutating func linearEasing() -> Easing? {
        var outputs: [(x: Double?, y: Double)] = []
        repeat {
            var inputs: [Double] = []
            var output: Double?
            while let token, token.kind != .comma {
                if token.kind == .percentage, inputs.count < 2, let input = percentage() {
                    inputs.append(input)
                } else if !once(&output, { $0.number() }) {
                    return nil
                }
            }
            guard let output else { return nil }
            outputs += inputs.isEmpty ? [(nil, output)] : inputs.map { ($0, output) }
        } while comma()
        guard outputs.count > 1 else { return nil }
        let last = outputs.count - 1
        (outputs[0].x, outputs[last].x) = (outputs[0].x ?? 0, outputs[last].x ?? 1)
        var points: [SIMD2<Double>] = []
        for (index, output) in outputs.enumerated() {
            let next = outputs[index...].firstIndex { $0.x != nil } ?? last
            let (before, end) = (points.last?.x ?? -.infinity, outputs[next].x ?? 1)
            let x = next == index ? end : before + (end - before) / Double(next - index + 1)
            points.append(SIMD2(max(before, x), output.y))
        }
        return .linear(points)
    }
}
