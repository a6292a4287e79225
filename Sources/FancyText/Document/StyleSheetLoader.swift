// Style sheets that documents and sheets name: from files below a folder, from `data:` URLs, and over the network if that is allowed.
//
// In: a URL and the name of the text that has it. Out: the text of the sheet with its name, or the reason why it cannot be read.

import FancyTextImages

package struct StyleSheetLoader: Sendable {
    /// The folder of files; nil reads no files.
    var folder: StyleSheetFolder?
    var network = NetworkAccess(allowsPublicHosts: false)
    var allowsNetwork: Bool { !network.isNone }
    /// Records the files that are looked up.
    var reads: FileReads?

    /// A function that loads the style sheets of a document, with a limit on the bytes of a file; nil if nothing may be read. It
    /// returns a text with its name, which is the base of the URLs in the text.
    func loader(limit: Int) -> (@Sendable (_ meter: BudgetMeter) -> SheetLoader)? {
        guard folder != nil || allowsNetwork else { return nil }
        return { meter in
            let fetcher = allowsNetwork ? NetworkFetcher(network, meter) : nil
            return { url, from in
                let url = Self.resolve(url, against: from)
                do throws(ImageError) {
                    if DataURI.isDataURI(url) { return .success((try DataURI.decode(url), url)) }
                    guard URLReference.isRemote(url)
                    else { return .success(try read(url, from: from, limit: limit)) }
                    guard let fetcher else { throw .networkNotAllowed }
                    return .success((try fetcher.bytes(url), url))
                } catch {
                    let code = error.code == .missingImage ? .unreadableSheet : error.code
                    return .failure(SheetFailure("\(error)", code))
                }
            }
        }
    }

    private func read(_ url: String, from: String, limit: Int) throws(ImageError) -> (text: [UInt8], name: String) {
        // A page of the network may not name files, and a sheet in a URL has no folder.
        guard !URLReference.isRemote(from), !DataURI.isDataURI(from) else { throw .outsideBaseDirectory }
        guard let folder else { throw .noBaseDirectory }
        let own = Self.writtenFolder(of: from) ?? "."
        // Standard input and strings have no folder.
        if folder == .ofDocument, from.hasPrefix("<") { throw .noBaseDirectory }
        let fence = if case .below(let path) = folder { path } else { own }
        func read(from start: String) throws(ImageError) -> (text: [UInt8], name: String) {
            let bytes = try SandboxedFile.read(url, from: start, below: fence, limit: limit, reads: reads)
            return (bytes, url.hasPrefix("/") || start == "." ? url : start + "/" + url)
        }
        if own != fence, let sheet = try? read(from: own) { return sheet }
        return try read(from: fence)
    }

    /// Resolves a URL in a text of this name; the result is absolute for network URLs.
    static func resolve(_ url: String, against name: String) -> String {
        if URLReference.isRemote(name) { return URLReference.resolve(url, against: name) }
        return url.hasPrefix("//") ? "https:" + url : url
    }

    /// The folder part of a file name; nil for a name without a folder, or for a text that is not a file.
    package static func writtenFolder(of name: String) -> String? {
        guard !URLReference.isRemote(name), let slash = name.lastIndex(of: "/") else { return nil }
        return slash == name.startIndex ? "/" : String(name[..<slash])
    }
}
