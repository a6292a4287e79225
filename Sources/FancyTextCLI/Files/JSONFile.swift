// A file with a JSON object, and places in it for messages.
// In: a path. Out: the members of the object, or an error at its place.

import FancyTextBasics

extension JSONValue {
    /// The first member of an object with the name of an earlier one.
    var repeatedMember: JSONMember? {
        var names: Set<String> = []
        return members?.first { !names.insert($0.name).inserted }
    }
}

struct JSONFile {
    let path: String
    let members: [JSONMember]
    private let bytes: [UInt8]

    /// - Parameter contents: the name of the contents in messages.
    init(_ path: String, _ bytes: [UInt8], contents: String) throws(CommandFailure) {
        (self.path, self.bytes) = (path, bytes)
        func location(_ position: Int) -> Diagnostic.Location { Self.location(position, path, bytes) }
        var parser = JSONParser(bytes)
        guard let value = parser.parse() else { throw CommandFailure(parser.message, at: location(parser.position)) }
        guard let members = value.members
        else { throw CommandFailure("\(contents) must be a JSON object", at: location(0)) }
        self.members = members
        if let twice = ([value] + members.map(\.value)).lazy.compactMap(\.repeatedMember).first {
            throw CommandFailure("'\(twice.name)' is given twice", at: location(twice.position))
        }
    }

    func location(of member: JSONMember) -> Diagnostic.Location { Self.location(member.position, path, bytes) }

    private static func location(_ position: Int, _ path: String, _ bytes: [UInt8]) -> Diagnostic.Location {
        bytes.withUnsafeBufferPointer { Diagnostic.Location(source: path, offset: position, in: $0) }
    }
}
