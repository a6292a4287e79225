// Images that a document names, loaded ahead of its renderings by code that may wait.

extension Document {
    /// The sources of the document's images, as it has them, each once.
    public var imageSources: [String] {
        mutating get {
            let text = styledContents()
            var known: Set<String> = []
            return text.boxes.filter { $0.replaced >= 0 && $0.kind == .image }.map { text.replaced[$0.replaced].source }
                .filter { !$0.isEmpty && known.insert($0).inserted }
        }
    }

    /// Loads the document's images concurrently; later renderings use them. If `loader` returns nil for an image, the parser's
    /// loader and ``RenderOptions`` are tried.
    public mutating func loadImages(with loader: @escaping @Sendable (_ source: String) async -> [UInt8]?) async {
        let sources = imageSources
        let loaded = await withTaskGroup(of: (String, [UInt8]?).self) { group in
            for source in sources { group.addTask { (source, await loader(source)) } }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        pictures.merge(loaded) { $1 }
    }
}
