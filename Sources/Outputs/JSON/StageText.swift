// The results of the pipeline's stages as text, for `dump`. In: lines of JSON. Out: a line for each object, indented below the
// object that contains it, or below its parent in a list of boxes.

import FancyTextBasics

package enum StageText {
    package static func text(_ json: [UInt8]) -> [UInt8] {
        var out = ""
        for line in json.split(separator: 0x0A) {
            var parser = JSONParser(Array(line))
            if let value = parser.parse() { write(value.members ?? [], 0, to: &out) }
        }
        return Array(out.utf8)
    }

    /// The separators before the values of members whose names are left out.
    private static let separators = [
        "kind": " ", "type": " ", "name": " ", "x": " ", "y": ",", "width": " ", "height": "×",
    ]
    /// Deeper levels are not indented further.
    private static let deepest = 64
    private static let longestText = 200

    private static func write(_ members: [JSONMember], _ depth: Int, to out: inout String) {
        var line = ""
        var lists: [[JSONValue]] = []
        for (name, value) in members.map({ ($0.name, $0.value) }) where name != "parent" {
            if name == "glyphs", case .array(let glyphs) = value {
                let triples = glyphs.map { ($0.members ?? []).compactMap(\.value.writtenText).joined(separator: ",") }
                line += " " + triples.joined(separator: " ")
            } else if case .array(let elements) = value, elements.first?.members != nil {
                lists.append(elements)
            } else if name == "style", let fields = value.members {
                lists.append(fields.map { .object([$0]) })
            } else {
                line += separators[name].map { $0 + (value.writtenText ?? "") } ?? " \(name) \(text(value))"
            }
        }
        out += String(repeating: "  ", count: min(depth, deepest)) + line.dropFirst() + "\n"
        for list in lists {
            var depths: [Int] = []
            for element in list {
                let parent = element.member("parent")?.writtenText.flatMap { Int($0) }
                depths.append(parent.map { depths.indices.contains($0) ? depths[$0] + 1 : 0 } ?? 0)
                write(element.members ?? [], depth + 1 + (depths.last ?? 0), to: &out)
            }
        }
    }

    private static func text(_ value: JSONValue) -> String {
        if let start = value.member("start")?.writtenText, let end = value.member("end")?.writtenText {
            return "\(start)..<\(end)"
        }
        var shown = value
        if case .string(let text) = value, text.count > longestText {
            shown = .string(text.prefix(longestText - 1) + "…")
        }
        return String(decoding: shown.json(), as: UTF8.self)
    }
}
