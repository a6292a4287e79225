// Writing modes (CSS Writing Modes 4): the sides, sizes, names and styles of a horizontal flow, whose lines run to the right and
// follow each other downwards, as those of the page, or vice versa.

package enum WritingMode: UInt8, Hashable, Sendable {
    case horizontalTB, verticalRL, verticalLR, sidewaysRL, sidewaysLR

    package var isVertical: Bool { self != .horizontalTB }

    /// True if lines follow each other from right to left.
    package var startsRight: Bool { self == .verticalRL || self == .sidewaysRL }

    /// The side of the page that a side of the flow is; clockwise from the top.
    func side(_ side: Int) -> Int {
        switch self {
        case .horizontalTB: side
        case .verticalRL, .sidewaysRL: (side + 1) % 4
        case .verticalLR: 3 - side
        case .sidewaysLR: (side + 3) % 4
        }
    }

    /// The sides of the page in the order of the flow's sides.
    package func sides<Value>(_ page: Sides<Value>) -> Sides<Value> { Sides { page[clockwise: side($0)] } }

    /// The sides of a flow in the order of the page's sides.
    package func page<Value>(_ flow: Sides<Value>) -> Sides<Value> {
        var result = flow
        for index in 0..<4 { result[clockwise: side(index)] = flow[clockwise: index] }
        return result
    }

    /// The name of the page's property for a property of a flow in horizontal lines from left to right.
    func name(_ name: String, _ direction: TextDirection) -> String {
        var parts = name.split(separator: "-").map(String.init)
        let places = parts.indices.filter { sideNames.contains(parts[$0]) }
        for place in places {
            guard var own = sideNames.firstIndex(of: parts[place]) else { continue }
            if direction == .rtl, own % 2 == 1 { own = 4 - own }
            parts[place] = sideNames[side(own)]
        }
        // The names of corners have the top or bottom first.
        if places.count == 2, parts[places[0]] == "left" || parts[places[0]] == "right" {
            parts.swapAt(places[0], places[1])
        }
        if places.isEmpty, isVertical {
            let others = ["width": "height", "height": "width", "x": "y", "y": "x"]
            parts = parts.map { others[$0] ?? $0 }
        }
        return parts.joined(separator: "-")
    }
}

/// `text-orientation`: whether characters in vertical lines stand upright.
package enum TextOrientation: String, Sendable { case mixed, upright, sideways }

/// `text-combine-upright`: characters beside each other in the space of one, in a vertical line.
package enum CombineUpright: Hashable, Sendable {
    case none, all
    /// Runs of at most so many digits.
    case digits(Int)
}

/// The flow on which the sides of flow-relative names depend, as an index.
package func flowIndex(_ mode: WritingMode, _ direction: TextDirection) -> Int {
    Int(mode.rawValue) * 2 + Int(direction.rawValue)
}
