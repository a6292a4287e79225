// The parts of a cached result's key.

import Foundation
import Testing

@testable import FancyTextCLI

@Suite struct RenderKeyTests {
    private func key(_ arguments: [String]) throws -> [UInt8] {
        var key = RenderKey()
        try key.add(options: RenderCommand.table.decisiveValues(in: arguments))
        return key.digest
    }

    @Test func everyOptionThatChangesResultsChangesTheKey() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("key-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let sheets = ["1", "2"].map { folder.appendingPathComponent($0).path }
        for sheet in sheets { try Data(sheet.utf8).write(to: URL(fileURLWithPath: sheet)) }
        let none = try key([])
        var keys: Set = [none]
        for option in RenderCommand.table.options where !option.isPositional {
            let name = option.name
            for argument in option.kind == .flag ? ["--\(name)"] : sheets.map({ "--\(name)=\($0)" }) {
                let own = try key([argument])
                if option.traits.contains(.run) {
                    #expect(own == none, "\(argument)")
                } else {
                    #expect(keys.insert(own).inserted, "\(argument) shares its key")
                }
            }
        }
        #expect(keys.count > 60)
    }

    @Test func aSheetCountsByItsContents() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("sheet-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("a".utf8).write(to: file)
        let before = try key(["--css", file.path])
        try Data("b".utf8).write(to: file)
        #expect(try key(["--css", file.path]) != before)
    }
}
