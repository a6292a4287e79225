// The available fonts and the libraries that draw them, as text and as JSON.

enum FontListWriter {
    static func write(_ families: [FontFamilyListing], libraries: [TextLibraryListing], asJSON: Bool) -> [UInt8] {
        guard !asJSON else { return json(families, libraries) }
        let drawing = libraries.map { "\($0.name) \($0.version)  (\($0.path))\n" }
        return Array((drawing + ["\n"] + families.map(text)).joined().utf8)
    }

    private static func text(_ family: FontFamilyListing) -> String {
        var result = "\(family.name)  (\(family.origin.rawValue))\n"
        for face in family.faces {
            result += "  " + (face.isItalic ? "italic" : "upright") + ", weight \(range(face.weights))"
            if face.stretches != 100...100 { result += ", width \(range(face.stretches))%" }
            if !face.axes.isEmpty {
                let axes = face.axes.map { "\($0.name) \(range($0.minimum...max($0.minimum, $0.maximum)))" }
                result += ", axes " + axes.joined(separator: " ")
            }
            if !face.path.isEmpty { result += "\n    \(face.path)" }
            result += "\n"
        }
        return result
    }

    private static func range(_ range: ClosedRange<Float>) -> String {
        func number(_ value: Float) -> String { value == value.rounded() ? String(Int(value)) : String(value) }
        return range.lowerBound == range.upperBound
            ? number(range.lowerBound) : "\(number(range.lowerBound))–\(number(range.upperBound))"
    }

    private static func json(_ families: [FontFamilyListing], _ libraries: [TextLibraryListing]) -> [UInt8] {
        JSONBuffer.record { json in
            json.objects("libraries", libraries) { json, library in
                json.member("name", library.name)
                json.member("version", library.version)
                json.member("path", library.path)
            }
            json.objects("families", families) { json, family in
                json.member("family", family.name)
                json.member("origin", family.origin.rawValue)
                json.objects("faces", family.faces) { json, face in
                    json.member("italic", face.isItalic)
                    json.array("weights", [face.weights.lowerBound, face.weights.upperBound]) { $0.number($1) }
                    json.array("stretches", [face.stretches.lowerBound, face.stretches.upperBound]) { $0.number($1) }
                    if !face.path.isEmpty { json.member("path", face.path) }
                    json.member("index", face.index)
                    json.objects("axes", face.axes) { json, axis in
                        json.member("tag", axis.name)
                        json.member("minimum", axis.minimum)
                        json.member("default", axis.standard)
                        json.member("maximum", axis.maximum)
                    }
                }
            }
        }
    }
}
