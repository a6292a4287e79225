// The cache of a run: the parts of the key that all results of the run share are hashed once.

import FancyTextBasics
import FancyText

struct RenderCache: Sendable {
    let results: ResultCache
    /// The digest of the program, the options and the fonts.
    let run: [UInt8]
    /// The style sheets that documents of the run have named.
    let sheets = FileReads()

    /// The key of a document's result.
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
