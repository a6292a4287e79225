// The cache as a run uses it: what all results of the run have in common is digested once.

import FancyTextBasics
import FancyText

struct RenderCache: Sendable {
    let results: ResultCache
    /// Of the program, the options and the fonts.
    let run: [UInt8]
    /// The style sheets that documents of the run have asked for.
    let sheets = FileReads()

    /// What decides the result of a document.
    ///
    /// - Parameter places: the file's name and folders.
    func key(_ source: [UInt8], _ places: [String]) -> [UInt8] {
        var hash = SHA256()
        hash.update(run)
        for text in places {
            hash.update(Array("\(text.utf8.count):\(text)".utf8))
        }
        hash.update(source)
        return hash.finish()
    }
}
