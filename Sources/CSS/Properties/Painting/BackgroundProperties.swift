// Backgrounds and images (CSS Backgrounds 4, Images 4): layers, positions, gradients.

func backgroundProperties() -> [Property] {
    [
        .value("background-color", both({ $1(&$0.box.backgroundColor) }, { $1(&$0.own.backgroundIsCurrentColor) })) {
            $0.colorOrCurrent().map { ($0 ?? .transparent, $0 == nil) }
        },
        .list("background-image", { $1(&$0.own.images) }) { $0.backgroundImage() },
        .list("background-position-x", { $1(&$0.own.positionX) }) {
            $0.axisPosition([("left", false), ("right", true), ("x-start", false), ("x-end", true)])
        },
        .list("background-position-y", { $1(&$0.own.positionY) }) {
            $0.axisPosition([("top", false), ("bottom", true), ("y-start", false), ("y-end", true)])
        },
        .list("background-size", { $1(&$0.own.sizes) }) { $0.backgroundSize() },
        .list("background-repeat", { $1(&$0.own.repeats) }) { $0.backgroundRepeat() },
        .list("background-origin", { $1(&$0.own.origins) }) { $0.layerBox() },
        .list("background-clip", { $1(&$0.own.clips) }) { $0.clipBox() }.lacking { $0.contains("border-area") },
        .list("background-blend-mode", { $1(&$0.own.blendModes) }) {
            $0.isKeyword("plus-lighter") ? nil : $0.keyword()
        },
        .list("background-attachment", { $1(&$0.own.attachments) }) { $0.keyword() },
        .whole("background-position", ["background-position-x", "background-position-y"]) { cursor, values in
            guard let positions = cursor.commaList({ $0.position(allowsThree: true) }) else { return false }
            (values.own.positionX, values.own.positionY) = (positions.map(\.x), positions.map(\.y))
            return true
        },
        .whole("background", backgroundLonghands) { $0.background(&$1) },
    ]
}

private let backgroundLonghands = names(
    "background-", "color image position-x position-y size repeat origin clip attachment")

struct LayerParts<Box> {
    /// The inner `nil` is `none`.
    var image: ImageSource??
    var place: (position: Gradient.Position, size: BackgroundSize)?
    var repeats: LayerRepeats?
    var origin: Box?
    var clip: Box??

    /// Reads one of the parts besides boxes: an image, a position with or without a size, repetitions.
    mutating func read(_ cursor: inout ValueCursor, allowsThree: Bool = false) -> Bool {
        cursor.once(&place) { cursor in
            guard let position = cursor.position(allowsThree: allowsThree),
                let size = cursor.slash() ? cursor.backgroundSize() : .size(nil, nil)
            else { return nil }
            return (position, size)
        } || cursor.once(&image, { $0.backgroundImage() }) || cursor.once(&repeats, { $0.backgroundRepeat() })
    }
}

private struct BackgroundParts {
    var shared = LayerParts<BackgroundBox>()
    var attachment: BackgroundAttachment?
    /// The inner `nil` is `currentcolor`.
    var color: Color??
}

extension ValueCursor {
    /// An image; the inner `nil` is `none`.
    mutating func backgroundImage() -> ImageSource?? { optional("none") { $0.image() } }

    mutating func layerBox() -> BackgroundBox? { isKeyword("text") ? nil : keyword() }

    fileprivate mutating func clipBox() -> BackgroundBox? { keyword("border-area") ? .borderBox : keyword() }

    fileprivate mutating func axisPosition(_ sides: [(StaticString, Bool)]) -> LengthPercentage? {
        if keyword("center") { return LengthPercentage(fraction: 0.5) }
        guard let isFar = keyword(sides) else { return lengthPercentage() }
        guard let offset = lengthPercentage() else { return LengthPercentage(fraction: isFar ? 1 : 0) }
        return isFar ? offset.fromEnd : offset
    }

    mutating func backgroundSize() -> BackgroundSize? {
        if let size: BackgroundSize = keyword([("cover", .cover), ("contain", .contain)]) { return size }
        guard let width = optional("auto", { $0.lengthPercentage(atLeast: 0) }) else { return nil }
        return .size(width, optional("auto") { $0.lengthPercentage(atLeast: 0) } ?? nil)
    }

    mutating func backgroundRepeat() -> LayerRepeats? {
        if keyword("repeat-x") { return .init(x: .repeat, y: .noRepeat) }
        if keyword("repeat-y") { return .init(x: .noRepeat, y: .repeat) }
        guard let x: BackgroundRepeat = keyword() else { return nil }
        return .init(x: x, y: keyword() ?? x)
    }

    /// `<position>` and `<bg-position>` (which also allows three values): CSS Backgrounds 3 §3.6. At most `limit` words are read.
    mutating func position(allowsThree: Bool = false, limit: Int = 4) -> Gradient.Position? {
        /// Sides, each with its axis, 0 or 1, and whether it is the far one; 2 is the centre.
        let words: [(StaticString, (axis: Int, isFar: Bool))] = [
            ("left", (0, false)), ("right", (0, true)), ("top", (1, false)), ("bottom", (1, true)),
            ("center", (2, false)),
        ]
        var items: [(side: (axis: Int, isFar: Bool)?, offset: LengthPercentage)] = []
        while items.count < limit {
            let side = keyword(words)
            guard let offset = side == nil ? lengthPercentage() : .zero else { break }
            items.append((side, offset))
        }
        var places: [LengthPercentage?] = [nil, nil]
        guard !items.isEmpty, items.count != 3 || allowsThree else { return nil }
        var place = 0
        while place < items.count {
            if let side = items[place].side {
                // With more than two items, an offset belongs to the word before it.
                let hasOffset = items.count > 2 && place + 1 < items.count && items[place + 1].side == nil
                guard side.axis < 2 ? places[side.axis] == nil : !hasOffset else { return nil }
                if hasOffset { place += 1 }
                if side.axis < 2 { places[side.axis] = side.isFar ? items[place].offset.fromEnd : items[place].offset }
            } else {
                guard items.count < 3, place == 0 || places[1] == nil else { return nil }
                places[place] = items[place].offset
            }
            place += 1
        }
        if items.count > 2, places == [nil, nil] { return nil }
        let center = LengthPercentage(fraction: 0.5)
        return .init(x: places[0] ?? center, y: places[1] ?? center)
    }

    fileprivate mutating func background(_ values: inout StyleValues) -> Bool {
        let layers = layers(BackgroundParts()) { cursor, layer in
            layer.shared.read(&cursor, allowsThree: true) || cursor.once(&layer.attachment, { $0.keyword() })
                || cursor.once(&layer.shared.origin, { $0.clipBox() })
                || cursor.once(&layer.shared.clip, { $0.clipBox().map { .some($0) } })
                || cursor.once(&layer.color, { $0.colorOrCurrent() })
        }
        // Only the final layer may have the colour.
        guard let layers, layers.dropLast().allSatisfy({ $0.color == nil }) else { return false }
        let color = layers.last?.color ?? .some(.transparent)
        values.box.backgroundColor = color ?? .transparent
        values.own.backgroundIsCurrentColor = color == nil
        let parts = layers.map(\.shared)
        values.own.images = parts.map { $0.image ?? nil }
        values.own.positionX = parts.map { $0.place?.position.x ?? .zero }
        values.own.positionY = parts.map { $0.place?.position.y ?? .zero }
        values.own.sizes = parts.map { $0.place?.size ?? .size(nil, nil) }
        values.own.repeats = parts.map { $0.repeats ?? .init() }
        values.own.origins = parts.map { $0.origin == .text ? .paddingBox : $0.origin ?? .paddingBox }
        values.own.clips = parts.map { ($0.clip ?? nil) ?? $0.origin ?? .borderBox }
        values.own.attachments = layers.map { $0.attachment ?? .scroll }
        return true
    }
}
