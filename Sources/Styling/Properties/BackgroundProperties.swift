// Backgrounds and images (CSS Backgrounds 4, Images 4): layers, positions, gradients.

func backgroundProperties() -> [Property] {
    [
        .value(
            "background-color", "<color>",
            .init(
                { ($0.box.backgroundColor, $0.own.backgroundIsCurrentColor) },
                { ($0.box.backgroundColor, $0.own.backgroundIsCurrentColor) = $1 })
        ) { $0.colorOrCurrent().map { ($0 ?? .transparent, $0 == nil) } },
        .value("background-image", "[ none | <image> ]#", .init({ $0.own.images }, { $0.own.images = $1 })) {
            $0.commaList { $0.backgroundImage() }
        },
        .value(
            "background-position-x", "[ center | [ [ left | right | x-start | x-end ]? <length-percentage>? ]! ]#",
            .init({ $0.own.positionX }, { $0.own.positionX = $1 })
        ) {
            $0.commaList { $0.axisPosition([("left", false), ("right", true), ("x-start", false), ("x-end", true)]) }
        },
        .value(
            "background-position-y", "[ center | [ [ top | bottom | y-start | y-end ]? <length-percentage>? ]! ]#",
            .init({ $0.own.positionY }, { $0.own.positionY = $1 })
        ) {
            $0.commaList { $0.axisPosition([("top", false), ("bottom", true), ("y-start", false), ("y-end", true)]) }
        },
        .value(
            "background-size", "[ cover | contain | [ auto | <length-percentage [0,∞]> ]{1,2} ]#",
            .init({ $0.own.sizes }, { $0.own.sizes = $1 })
        ) { $0.commaList { $0.backgroundSize() } },
        .value(
            "background-repeat", "[ repeat-x | repeat-y | [ repeat | space | round | no-repeat ]{1,2} ]#",
            .init({ $0.own.repeats }, { $0.own.repeats = $1 })
        ) { $0.commaList { $0.backgroundRepeat() } },
        .value(
            "background-origin", "[ border-box | padding-box | content-box ]#",
            .init({ $0.own.origins }, { $0.own.origins = $1 })
        ) { $0.commaList { $0.keyword(Array(backgroundBoxes.prefix(3))) } },
        .value(
            "background-clip", "[ border-box | padding-box | content-box | text | border-area ]#",
            .init({ $0.own.clips }, { $0.own.clips = $1 })
        ) { $0.commaList { $0.keyword(backgroundBoxes) } }.lacking { $0.contains("border-area") },
        .alias("-webkit-background-clip", of: "background-clip"),
        .alias("-webkit-background-size", of: "background-size"),
        .alias("-webkit-background-origin", of: "background-origin"),
        .value(
            "background-blend-mode",
            "[ normal | multiply | screen | overlay | darken | lighten | color-dodge | color-burn | hard-light | soft-light | difference | exclusion | hue | saturation | color | luminosity ]#",
            .init({ $0.own.blendModes }, { $0.own.blendModes = $1 })
        ) { $0.commaList { $0.keyword(blendModes) } },
        .shorthand(
            "background-position", "<bg-position>#", ["background-position-x", "background-position-y"],
            read: { $0.commaList { $0.position(allowsThree: true) } },
            store: { positions, axis, values in
                if axis == 0 {
                    values.own.positionX = positions.map(\.x)
                } else {
                    values.own.positionY = positions.map(\.y)
                }
            }),
        .shorthand(
            "background", "[ <bg-layer> , ]* <final-bg-layer>", backgroundLonghands,
            read: { $0.background() }, store: { $0.store($1, &$2) }),
    ]
}

private let backgroundLonghands: [StaticString] = [
    "background-color", "background-image", "background-position-x", "background-position-y", "background-size",
    "background-repeat", "background-origin", "background-clip", "background-attachment",
]
let backgroundBoxes: [(StaticString, BackgroundBox)] = [
    ("border-box", .borderBox), ("padding-box", .paddingBox), ("content-box", .contentBox), ("text", .text),
    ("border-area", .borderBox),
]

/// A parsed `background` shorthand.
private struct BackgroundShorthand {
    struct Layer {
        var image: ImageSource?
        var position = Gradient.Position(x: .zero, y: .zero)
        var size = BackgroundSize.size(nil, nil)
        var repeats = OwnCascadeState.BackgroundRepeats()
        var origin = BackgroundBox.paddingBox
        var clip = BackgroundBox.borderBox
    }

    var layers: [Layer] = []
    var color: Color?? = nil
    var attachment: MissingFeature?

    /// Stores the values of one of ``backgroundLonghands``.
    func store(_ longhand: Int, _ values: inout StyleValues) {
        switch longhand {
        case 0:
            let color = color ?? .some(.transparent)
            values.own.backgroundIsCurrentColor = color == nil
            values.box.backgroundColor = color ?? .transparent
        case 1: values.own.images = layers.map(\.image)
        case 2: values.own.positionX = layers.map(\.position.x)
        case 3: values.own.positionY = layers.map(\.position.y)
        case 4: values.own.sizes = layers.map(\.size)
        case 5: values.own.repeats = layers.map(\.repeats)
        case 6: values.own.origins = layers.map(\.origin)
        case 7: values.own.clips = layers.map(\.clip)
        default: values.setMissing("background-attachment", inherited: false, attachment)
        }
    }
}

extension ValueCursor {
    mutating func commaList<T>(_ item: (inout ValueCursor) -> T?) -> [T]? {
        var items: [T] = []
        repeat {
            guard let value = item(&self) else { return nil }
            items.append(value)
        } while comma()
        return items
    }

    /// An image; the inner `nil` is `none`.
    mutating func backgroundImage() -> ImageSource?? {
        keyword("none") ? .some(nil) : image().map { .some($0) }
    }

    fileprivate mutating func axisPosition(_ sides: [(StaticString, Bool)]) -> LengthPercentage? {
        if keyword("center") { return LengthPercentage(fraction: 0.5) }
        guard let isFar = keyword(sides) else { return lengthPercentage() }
        let start = index
        guard let offset = lengthPercentage() else {
            rewind(to: start)
            return LengthPercentage(fraction: isFar ? 1 : 0)
        }
        return isFar ? offset.fromEnd : offset
    }

    mutating func backgroundSize() -> BackgroundSize? {
        if let size = keyword(
            [("cover", BackgroundSize.cover), ("contain", .contain)] as [(StaticString, BackgroundSize)])
        {
            return size
        }
        guard let width = margin(atLeast: 0) else { return nil }
        let start = index
        guard let height = margin(atLeast: 0) else {
            rewind(to: start)
            return .size(width, nil)
        }
        return .size(width, height)
    }

    private mutating func margin(atLeast minimum: Double) -> LengthPercentage?? {
        keyword("auto") ? .some(nil) : lengthPercentage(atLeast: minimum).map { .some($0) }
    }

    mutating func backgroundRepeat() -> OwnCascadeState.BackgroundRepeats? {
        if keyword("repeat-x") { return .init(x: .repeat, y: .noRepeat) }
        if keyword("repeat-y") { return .init(x: .noRepeat, y: .repeat) }
        let table: [(StaticString, BackgroundRepeat)] = [
            ("repeat", .repeat), ("no-repeat", .noRepeat), ("space", .space), ("round", .round),
        ]
        guard let x = keyword(table) else { return nil }
        return .init(x: x, y: keyword(table) ?? x)
    }

    /// `<position>` and `<bg-position>` (which also allows three values): CSS Backgrounds 3 §3.6.
    ///
    /// - Parameter limit: The maximum number of words and lengths to read; the rest belongs to another value.
    mutating func position(allowsThree: Bool = false, limit: Int = 4) -> Gradient.Position? {
        enum Word { case left, right, top, bottom, center }
        enum Item {
            case word(Word)
            case offset(LengthPercentage)
        }
        let words: [(StaticString, Word)] = [
            ("left", .left), ("right", .right), ("top", .top), ("bottom", .bottom), ("center", .center),
        ]
        var items: [Item] = []
        while items.count < limit {
            let start = index
            if let word = keyword(words) {
                items.append(.word(word))
            } else if let offset = lengthPercentage() {
                items.append(.offset(offset))
            } else {
                rewind(to: start)
                break
            }
        }
        var x: LengthPercentage?
        var y: LengthPercentage?
        func set(_ word: Word, _ offset: LengthPercentage?) -> Bool {
            let near = offset ?? .zero
            let far = near.fromEnd
            switch word {
            case .left: if x != nil { return false } else { x = near }
            case .right: if x != nil { return false } else { x = far }
            case .top: if y != nil { return false } else { y = near }
            case .bottom: if y != nil { return false } else { y = far }
            case .center: return offset == nil
            }
            return true
        }
        let half = LengthPercentage(fraction: 0.5)
        switch items.count {
        case 1:
            switch items[0] {
            case .offset(let offset): return .init(x: offset, y: half)
            case .word(let word): return set(word, nil) ? .init(x: x ?? half, y: y ?? half) : nil
            }
        case 2:
            switch (items[0], items[1]) {
            case (.offset(let a), .offset(let b)): return .init(x: a, y: b)
            case (.offset(let a), .word(let word)):
                guard word == .top || word == .bottom || word == .center, set(word, nil) else { return nil }
                return .init(x: a, y: y ?? half)
            case (.word(let word), .offset(let b)):
                guard word == .left || word == .right || word == .center, set(word, nil) else { return nil }
                return .init(x: x ?? half, y: b)
            case (.word(let a), .word(let b)):
                return set(a, nil) && set(b, nil) ? .init(x: x ?? half, y: y ?? half) : nil
            }
        case 3, 4:
            guard items.count == 4 || allowsThree else { return nil }
            var index = 0
            while index < items.count {
                guard case .word(let word) = items[index] else { return nil }
                index += 1
                var offset: LengthPercentage?
                if index < items.count, case .offset(let value) = items[index] {
                    offset = value
                    index += 1
                }
                guard set(word, offset) else { return nil }
            }
            return x == nil && y == nil ? nil : .init(x: x ?? half, y: y ?? half)
        default: return nil
        }
    }

    fileprivate mutating func background() -> BackgroundShorthand? {
        var result = BackgroundShorthand()
        repeat {
            var layer = BackgroundShorthand.Layer()
            var seen: Set<Int> = []
            var boxes = 0
            guard result.color == nil else { return nil }  // only the final layer may have the colour
            while let token, token.kind != .comma {
                let start = index
                if !seen.contains(0), let image = backgroundImage() {
                    seen.insert(0)
                    layer.image = image
                } else if !seen.contains(1),
                    let isFixed = keyword(
                        [("scroll", false), ("fixed", true), ("local", false)] as [(StaticString, Bool)])
                {
                    seen.insert(1)
                    if isFixed { result.attachment = MissingFeature("background-attachment", source, start..<index) }
                } else if !seen.contains(2), let repeats = backgroundRepeat() {
                    seen.insert(2)
                    layer.repeats = repeats
                } else if boxes < 2, let box = keyword(backgroundBoxes) {
                    if boxes == 0 {
                        (layer.origin, layer.clip) = (box == .text ? .paddingBox : box, box)
                    } else {
                        layer.clip = box
                    }
                    boxes += 1
                } else if !seen.contains(3), let position = position(allowsThree: true) {
                    seen.insert(3)
                    layer.position = position
                    if slash() {
                        guard let size = backgroundSize() else { return nil }
                        layer.size = size
                    }
                } else {
                    rewind(to: start)
                    guard result.color == nil, let color = colorOrCurrent() else { return nil }
                    result.color = .some(color)
                    seen.insert(4)
                }
            }
            guard !seen.isEmpty || boxes > 0 else { return nil }
            result.layers.append(layer)
        } while comma()
        return result
    }
}
