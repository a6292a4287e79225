// Helpers for the tests of styling.

import Foundation
import FancyTextTestSupport

enum Conformance {
    static var isPresent: Bool { TestPaths.conformance != nil }

    /// The cases of a suite: one JSON object per line.
    static func lines(_ path: String) throws -> [[String: Any]] {
        guard let folder = TestPaths.conformance else { return [] }
        let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
        return try text.split(separator: "\n").compactMap {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
    }
}
