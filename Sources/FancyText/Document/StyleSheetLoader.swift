// Style sheets that documents and sheets name: from files below a folder, and over the network where that is allowed.

import FancyTextBasics
import FancyTextImages
import FancyTextStyling

struct StyleSheetLoader: Sendable {
    /// nil reads no files.
    var folder: StyleSheetFolder?
    var network = NetworkAccess(allowsPublicHosts: false)
    var allowsNetwork: Bool { !network.isNone }
    /// Notes the files that are looked for.
    var reads: FileReads?

    /// What styling asks for a document's sheets; nil when nothing may be read. The name that it gives with a text is the
    /// base of the URLs in it.
    ///
    /// - Parameter limit: Bytes of a file.
    func loader(limit: Int) -> (@Sendable (_ meter: BudgetMeter) -> SheetLoader)? {
        guard folder != nil || allowsNetwork else { return nil }
        return { meter in
            let fetcher = allowsNetwork ? NetworkFetcher(network, meter) : nil
            return { url, from in
                let url = Self.resolve(url, against: from)
                guard URLReference.isRemote(url) else { return read(url, from: from, limit: limit) }
                guard let bytes = try? fetcher?.bytes(url) else { return nil }
                return (bytes, url)
            }
        }
    }

    private func read(_ url: String, from: String, limit: Int) -> (text: [UInt8], name: String)? {
        // A page of the network names no files.
        guard !URLReference.isRemote(from), let folder else { return nil }
        let own = Self.writtenFolder(of: from) ?? "."
        let fence: String
        switch folder {
        case .ofDocument:
            // What came through a pipe or as a string has no folder.
            if from.hasPrefix("<") { return nil }
            fence = own
        case .below(let path): fence = path
        }
        for start in own == fence ? [own] : [own, fence] {
            let bytes = try? SandboxedFile.read(url, from: start, below: fence, limit: limit, reads: reads)
            if let bytes { return (bytes, url.hasPrefix("/") || start == "." ? url : start + "/" + url) }
        }
        return nil
    }

    /// A URL in a text of this name: absolute when it is of the network.
    static func resolve(_ url: String, against name: String) -> String {
        if URLReference.isRemote(name) { return URLReference.resolve(url, against: name) }
        return url.hasPrefix("//") ? "https:" + url : url
    }

    /// The folder that the name of a file says; nil when it has none, like the names of what is no file.
    static func writtenFolder(of name: String) -> String? {
        guard !URLReference.isRemote(name), let slash = name.lastIndex(of: "/") else { return nil }
        return slash == name.startIndex ? "/" : String(name[..<slash])
    }
}
