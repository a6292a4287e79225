// The available fonts and the libraries that draw them, as text and as JSON.

import FancyTextBasics
import FancyTextTypography

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
                let axes = face.axes.map { "\($0.tag) \(range($0.minimum...max($0.minimum, $0.maximum)))" }
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
        var json = JSONBuffer()
        json.beginObject()
        json.key("libraries")
        json.beginArray()
        for library in libraries {
            json.beginObject()
            json.member("name", library.name)
            json.member("version", library.version)
            json.member("path", library.path)
            json.endObject()
        }
        json.endArray()
        json.key("families")
        json.beginArray()
        for family in families {
            json.beginObject()
            json.member("family", family.name)
            json.member("origin", family.origin.rawValue)
            json.key("faces")
            json.beginArray()
            for face in family.faces {
                json.beginObject()
                json.member("italic", face.isItalic)
                json.key("weights")
                write(face.weights, to: &json)
                json.key("stretches")
                write(face.stretches, to: &json)
                if !face.path.isEmpty { json.member("path", face.path) }
                json.member("index", face.index)
                json.key("axes")
                json.beginArray()
                for axis in face.axes {
                    json.beginObject()
                    json.member("tag", axis.tag)
                    json.member("minimum", axis.minimum)
                    json.member("default", axis.standard)
                    json.member("maximum", axis.maximum)
                    json.endObject()
                }
                json.endArray()
                json.endObject()
            }
            json.endArray()
            json.endObject()
        }
        json.endArray()
        json.endObject()
        json.endLine()
        return json.bytes
    }

    private static func write(_ range: ClosedRange<Float>, to json: inout JSONBuffer) {
        json.beginArray()
        json.number(range.lowerBound)
        json.number(range.upperBound)
        json.endArray()
    }
}
