// The cache as a run uses it: what all results of the run have in common is digested once.

import Basics
import FancyText

struct RenderCache: Sendable {
    let results: ResultCache
    /// Of the program, the options and the fonts.
    let run: [UInt8]
    /// The style sheets that documents of the run have asked for.
    let sheets = FileReads()

    /// What decides the result of a document.
    func key(_ source: [UInt8], of file: String, _ input: InputArguments) -> [UInt8] {
        var hash = SHA256()
        hash.update(run)
        // Messages name the file, links and pictures begin at its folder.
        for text in [file, input.baseFolder(of: file), input.documentFolder(of: file), input.link(to: file)] {
            hash.update(Array(text.map { "\($0.utf8.count):\($0)" }?.utf8 ?? "-".utf8))
        }
        hash.update(source)
        return hash.finish()
    }
}
