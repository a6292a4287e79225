// The process in which cairo handles documents of strangers.

import FancyTextImages
import FancyTextPlatform
import Testing

@testable import FancyText

@Suite(.serialized) struct LockedProcessTests {
    private struct Mistake: Error, CustomStringConvertible { var description: String { "a mistake" } }

    private func render(_ process: LockedProcess?, seconds: Double = 0) throws(RenderError) -> [UInt8] {
        var fonts = FontOptions()
        fonts.usesSystemFonts = false
        let renderer = Renderer(fonts: fonts)
        renderer.lockedProcess = process
        var limits = Limits()
        limits.seconds = seconds
        var document = MarkupParserBuilder.default().set(limits: limits).build().parse("<h1>Title</h1><p>and text</p>")
        return try renderer.picture(&document, as: .pdf())
    }

    @Test func filesAreTheSame() throws {
        let file = try render(LockedProcess())
        #expect(file.starts(with: "%PDF".utf8))
        #expect(try file == render(nil))
    }

    @Test func aProcessThatDiesIsAnError() {
        var process = LockedProcess()
        process.first = { _ = UnsafePointer<UInt8>(bitPattern: 8)?.pointee }
        let error = #expect(throws: RenderError.self) { _ = try render(process) }
        #expect(
            error
                == .encoding(
                    "cannot write the PDF file: the process that writes it ended: more memory than there is, or a fault"
                ))
    }

    @Test func aProcessThatTakesTooLongIsEnded() {
        var process = LockedProcess()
        process.first = { while true {} }
        #expect(throws: RenderError.tookTooLong(seconds: 0.3)) { _ = try render(process, seconds: 0.3) }
    }

    @Test func theProcessOnlyComputes() throws {
        let path = "/tmp/fancytext.locked.\(getpid())"
        let results = try LockedProcess().bytes(seconds: 5) { () throws(Mistake) -> [UInt8] in
            [
                open(path, O_WRONLY | O_CREAT, 0o600), open("/etc/passwd", O_RDWR), socket(AF_INET, 1, 0),
                kill(getppid(), 0),
            ].map { $0 < 0 && errno != 0 ? 1 : 0 }
        }
        #expect(results == [1, 1, 1, 1])
        #expect(access(path, F_OK) != 0)
    }

    @Test func mistakesComeThrough() {
        #expect(throws: LockedProcess.Failure.work("a mistake")) {
            _ = try LockedProcess().bytes(seconds: 5) { () throws(Mistake) -> [UInt8] in throw Mistake() }
        }
    }
}
