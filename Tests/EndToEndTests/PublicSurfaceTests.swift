// What the library offers: its public symbols as the compiler lists them, held against a list that is looked at when it
// changes.

import Foundation
import FancyTextTestSupport
import Testing

@Suite struct PublicSurfaceTests {
    /// A public declaration of one of the modules that make up the facade.
    struct Symbol {
        var path: String
        var declaration: String
        var kind: String
        var isDocumented: Bool
    }

    /// The modules whose types the facade offers under its own name; no other one has public declarations.
    private static let modules = [
        "Basics", "Markup", "Selectors", "Styling", "Boxes", "Typography", "Layout", "Painting", "Images", "Outputs",
        "FancyText",
    ]

    private static let built = TestPaths.package.appendingPathComponent(".build/debug")

    private static func run(_ program: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
    }

    /// Module maps of the C targets, of their own or made by the build.
    private static func moduleMaps() throws -> [String] {
        let system = TestPaths.package.appendingPathComponent("Sources/System")
        return try FileManager.default.contentsOfDirectory(atPath: system.path).sorted().compactMap { name in
            let candidates = [
                system.appendingPathComponent("\(name)/module.modulemap"),
                system.appendingPathComponent("\(name)/include/module.modulemap"),
                built.appendingPathComponent("\(name).build/module.modulemap"),
            ]
            return candidates.first { FileManager.default.fileExists(atPath: $0.path) }?.path
        }
    }

    private static func symbols() throws -> [Symbol] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let target =
            try JSONSerialization.jsonObject(
                with: Data(try run("swift", ["-print-target-info"]).output.utf8)) as? [String: Any]
        let triple = try #require((target?["target"] as? [String: Any])?["triple"] as? String)
        let flags = try run("pkg-config", ["--cflags-only-I", "freetype2", "harfbuzz"]).output
            .split(whereSeparator: \.isWhitespace).flatMap { ["-Xcc", String($0)] }
        let maps = try moduleMaps().flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
        var result: [Symbol] = []
        for module in modules {
            let found = try run(
                "swift",
                [
                    "symbolgraph-extract", "-module-name", module, "-target", triple, "-I",
                    built.appendingPathComponent("Modules").path, "-output-dir", folder.path,
                    "-minimum-access-level", "public",
                ] + flags + maps)
            try #require(found.status == 0, "the symbols of \(module) cannot be read")
            let data = try Data(contentsOf: folder.appendingPathComponent("\(module).symbols.json"))
            let graph = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
            result += (graph["symbols"] as? [[String: Any]] ?? []).compactMap { symbol($0, of: module) }
        }
        return result
    }

    private static func symbol(_ entry: [String: Any], of module: String) -> Symbol? {
        let identifier = entry["identifier"] as? [String: Any]
        // What the compiler derives from a conformance is no declaration.
        guard let precise = identifier?["precise"] as? String, !precise.contains("::SYNTHESIZED::"),
            entry["location"] != nil, let path = entry["pathComponents"] as? [String],
            let kind = (entry["kind"] as? [String: Any])?["identifier"] as? String
        else { return nil }
        let fragments = entry["declarationFragments"] as? [[String: Any]] ?? []
        let declaration = fragments.compactMap { $0["spelling"] as? String }.joined()
        return Symbol(
            path: "\(module).\(path.joined(separator: "."))",
            declaration: declaration.replacing("\n", with: " "), kind: kind, isDocumented: entry["docComment"] != nil)
    }

    private static var isBuilt: Bool {
        FileManager.default.fileExists(atPath: built.appendingPathComponent("Modules/FancyText.swiftmodule").path)
    }

    @Test(.enabled(if: isBuilt, "no debug build in .build"))
    func publicSymbolsAreThoseRecorded() throws {
        let lines = try Self.symbols().map { "\($0.path): \($0.declaration)" }.sorted()
        #expect(lines.count > 300)
        let text = lines.joined(separator: "\n") + "\n"
        #expect(try Golden.difference(text, from: "library/public-symbols.txt") == nil)
    }

    /// Cases of enumerations name CSS keywords and the like; what they mean is said at the type.
    @Test(.enabled(if: isBuilt, "no debug build in .build"))
    func publicSymbolsAreDocumented() throws {
        let silent = try Self.symbols().filter {
            !$0.isDocumented && !["swift.enum.case", "swift.typealias"].contains($0.kind)
                && !$0.path.hasSuffix("Index") && !$0.path.hasSuffix("description")
        }
        #expect(silent.isEmpty, "\(silent.map(\.path).joined(separator: ", "))")
    }
}
