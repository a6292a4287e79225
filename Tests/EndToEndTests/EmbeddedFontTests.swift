// The source of the embedded fonts: the C file that embeds them, passed to the compiler.

import Foundation
import FancyTextTestSupport
import Testing

private let compiler = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .map { URL(fileURLWithPath: $0 + "/clang") }.first { FileManager.default.isExecutableFile(atPath: $0.path) }

@Suite("Embedded fonts", .enabled(if: compiler != nil, "needs clang"))
struct EmbeddedFontTests {
    private static let files = [
        "INTER": "InterVariable", "INTER_ITALIC": "InterVariable-Italic", "MONO": "DejaVuSansMono",
        "MONO_BOLD": "DejaVuSansMono-Bold",
    ]

    /// Compiles the file as the manifest does for a folder of fonts. Returns the messages and the assembly.
    private func compile(_ folder: String) throws -> (errors: String, code: String) {
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/System/CEmbeddedFonts").standardized.path
        let process = Process()
        process.executableURL = try #require(compiler)
        process.arguments =
            ["-S", "-o", "-", "-I\(source)/include", "\(source)/CEmbeddedFonts.c"]
            + Self.files.map { "-DFANCYTEXT_\($0)=\"\(folder)/\($1).ttf\"" }
        let (errors, code) = (Pipe(), Pipe())
        process.standardError = errors
        process.standardOutput = code
        try process.run()
        let text = String(decoding: code.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        return (String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self), text)
    }

    @Test func foldersOfFontsAreUsed() throws {
        let scratch = try Scratch()
        for (name, file) in Self.files { try Data("font \(name)".utf8).write(to: scratch.url(file + ".ttf")) }
        let (errors, code) = try compile(scratch.url.path)
        #expect(errors.isEmpty)
        for name in Self.files.keys { #expect(code.contains("font \(name)"), "\(name)") }
    }

    @Test func missingFontsAreNamed() throws {
        let scratch = try Scratch()
        #expect(
            try compile(scratch.url.path).errors.contains("FANCYTEXT_FONTS names a folder without InterVariable.ttf"))
        for name in ["InterVariable", "InterVariable-Italic"] {
            try Data("font".utf8).write(to: scratch.url(name + ".ttf"))
        }
        #expect(
            try compile(scratch.url.path).errors.contains("FANCYTEXT_FONTS names a folder without DejaVuSansMono.ttf"))
    }
}

extension Scratch {
    fileprivate func url(_ name: String) -> URL { url.appendingPathComponent(name) }
}
