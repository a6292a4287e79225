// Image sources as written in, pictures and their sizes out; each source is loaded once.
//
// What may be loaded is decided here and nowhere else: `data:` URIs; files below the base directory, after symbolic
// links are followed; `http(s)` only when the caller gives a fetcher; what code gives. Everything else is an error that
// becomes a diagnostic.

import Basics
import Glibc
import Layout
import Painting
import Typography

/// Loads and keeps the pictures of one document. One task owns it.
package final class ImageStore: PictureSource, ReplacedSizes {
    package struct Options: Sendable {
        /// The folder that files must lie below; nil allows no files.
        package var baseDirectory: String?
        /// Where relative names begin; what is not there is looked for from the base directory.
        package var folder: String?
        /// Gets the bytes behind an `http` or `https` URL; nil when the network is not allowed.
        package var fetch: (@Sendable (String) throws(ImageError) -> [UInt8])?
        package var limits = Limits()
        /// The bytes of images by their sources, and a closure that may give those of others: asked before anything else.
        package var pictures: [String: [UInt8]] = [:]
        package var load: (@Sendable (String) -> [UInt8]?)?
        /// The bytes of a picture stay when it has been decoded.
        package var keepsFiles = false
        /// Notes the files that are looked for.
        package var reads: FileReads?
        package init(baseDirectory: String? = nil) { self.baseDirectory = baseDirectory }
    }

    private struct Entry {
        var data: [UInt8]
        var header: ImageHeader
        var picture: Pixmap?
    }

    private let options: Options
    private var entries: [String: Result<Entry, ImageError>] = [:]
    private var lambdas: [String: LambdaDrawing] = [:]
    /// The sources that gave no picture, in the order in which they were asked for, each once.
    package private(set) var failures: [(source: String, error: ImageError)] = []

    package init(_ options: Options = Options()) { self.options = options }

    // MARK: Lambdas

    /// Sets what the lambda `id` shows.
    package func setLambda(_ id: String, _ drawing: LambdaDrawing) { lambdas[id] = drawing }

    package func drawing(lambda: String) -> LambdaDrawing? { lambdas[lambda] }

    /// Sets the bytes of the picture that `source` names, instead of a file's.
    ///
    /// - Throws: ``ImageError`` when the header is no image's, or names more pixels than the limit.
    package func setPicture(_ source: String, _ data: [UInt8]) throws(ImageError) {
        entries[source] = .success(try entry(data))
    }

    // MARK: Pictures

    package func intrinsicSize(of source: String, isLambda: Bool) -> Size? {
        guard isLambda else { return intrinsicSize(of: source) }
        switch lambdas[source] {
        case .picture(let name): return intrinsicSize(of: name)
        case .list(let list): return list.size
        case nil: return nil
        }
    }

    /// The picture's own size in CSS pixels, from its header; nil (and a failure, once) when there is no picture.
    package func intrinsicSize(of source: String) -> Size? {
        switch load(source) {
        case .success(let entry): Size(width: Float(entry.header.width), height: Float(entry.header.height))
        case .failure: nil
        }
    }

    package func hasOnlyRatio(_ source: String) -> Bool {
        if case .success(let entry) = load(source) { entry.header.hasOnlyRatio } else { false }
    }

    package func picture(source: String, width: Int, height: Int) -> Pixmap? {
        guard case .success(var entry) = load(source) else { return nil }
        if let picture = entry.picture,
            entry.header.format != .svg || (picture.width == width && picture.height == height)
        {
            return picture
        }
        do throws(ImageError) {
            entry.picture = try ImageDecoder.decode(
                entry.data, entry.header, size: (width, height), limit: options.limits.imagePixels)
            if entry.header.format != .svg, !options.keepsFiles { entry.data = [] }
            entries[source] = .success(entry)
            return entry.picture
        } catch {
            fail(source, error)
            return nil
        }
    }

    package func file(source: String) -> PictureFile? {
        // A file that tells its orientation would be turned by some readers only.
        guard case .success(let entry) = load(source), !entry.data.isEmpty, entry.header.orientation == 1 else {
            return nil
        }
        return PictureFile(
            format: entry.header.format, bytes: entry.data, width: entry.header.width, height: entry.header.height)
    }

    private func load(_ source: String) -> Result<Entry, ImageError> {
        if let known = entries[source] { return known }
        do throws(ImageError) {
            let given = options.pictures[source] ?? options.load?(source)
            let entry = if let given { try entry(given) } else { try entry(try bytes(of: source)) }
            entries[source] = .success(entry)
            return .success(entry)
        } catch {
            fail(source, error)
            return .failure(error)
        }
    }

    private func entry(_ data: [UInt8]) throws(ImageError) -> Entry {
        let entry = Entry(data: data, header: try ImageHeader(data))
        let area = entry.header.width.multipliedReportingOverflow(by: entry.header.height)
        guard entry.header.format == .svg || (!area.overflow && area.partialValue <= options.limits.imagePixels) else {
            throw .tooLarge(width: entry.header.width, height: entry.header.height, limit: options.limits.imagePixels)
        }
        return entry
    }

    private func fail(_ source: String, _ error: ImageError) {
        entries[source] = .failure(error)
        failures.append((source, error))
    }

    // MARK: Loading

    /// The bytes behind a source (of a picture, of a font), under the same rules.
    ///
    /// - Parameter folder: Where relative names begin, instead of the options' folder.
    package func bytes(of source: String, from folder: String? = nil) throws(ImageError) -> [UInt8] {
        if DataURI.isDataURI(source) { return try DataURI.decode(source) }
        let lowered = source.prefix(8).lowercased()
        if lowered.hasPrefix("http://") || lowered.hasPrefix("https://") || source.hasPrefix("//") {
            guard let fetch = options.fetch else { throw .networkNotAllowed }
            return try fetch(source.hasPrefix("//") ? "https:" + source : source)
        }
        guard let base = options.baseDirectory else { throw .outsideBaseDirectory }
        let limit = options.limits.inputBytes
        if let own = folder ?? options.folder,
            let bytes = try? SandboxedFile.read(source, from: own, below: base, limit: limit, reads: options.reads)
        {
            return bytes
        }
        return try SandboxedFile.read(source, below: base, limit: limit, reads: options.reads)
    }
}

extension ImageStore {
    /// A picture file of an emoji font that the user named, vectors `side` pixels high; nil when it cannot be used.
    package static func glyphPicture(_ path: String, side: Int) -> DecodedPicture? {
        guard let cut = path.lastIndex(of: "/"),
            let bytes = try? SandboxedFile.read(
                String(path[path.index(after: cut)...]), below: String(path[..<cut]), limit: 1 << 24),
            let header = try? ImageHeader(bytes)
        else { return nil }
        // The longer side is as asked for.
        let longer = max(header.width, header.height)
        let size = (width: max(1, header.width * side / longer), height: max(1, header.height * side / longer))
        guard let pixels = try? ImageDecoder.decode(bytes, header, size: size, limit: 1 << 24) else { return nil }
        return DecodedPicture(
            width: pixels.width, height: pixels.height,
            pixels: pixels.pixels.flatMap { pixel in
                [16, 8, 0, 24].map { UInt8(truncatingIfNeeded: pixel >> $0) }
            })
    }
}

/// Files that cannot leave a directory.
package enum SandboxedFile {
    /// Reads `path` (a path, or a `file:` URL) relative to `folder`, or to `base` itself.
    ///
    /// Links are resolved first, and the resolved path is opened without following further ones.
    ///
    /// - Parameter reads: notes the files that are looked for.
    package static func read(
        _ path: String, from folder: String? = nil, below base: String, limit: Int, reads: FileReads? = nil
    ) throws(ImageError) -> [UInt8] {
        let resolved = try resolve(path, from: folder ?? base, below: base, reads)
        let descriptor = open(resolved, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { throw errno == ENOENT ? .notFound : .unreadable }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, Int(status.st_size) <= limit else {
            throw .unreadable
        }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var filled = 0
        while filled < bytes.count {
            let offset = filled
            let count = bytes.withUnsafeMutableBytes { buffer in
                Glibc.read(descriptor, buffer.baseAddress.map { $0 + offset }, buffer.count - offset)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            filled += count
        }
        guard filled == bytes.count else { throw .unreadable }
        return bytes
    }

    /// The path from `base` to a regular file below it, links resolved. A pipe or device is not opened.
    package static func regularFile(_ path: String, below base: String) throws(ImageError) -> String {
        let resolved = try resolve(path, from: base, below: base)
        var status = stat()
        guard stat(resolved, &status) == 0, status.st_mode & S_IFMT == S_IFREG, access(resolved, R_OK) == 0,
            let root = realPath(base)
        else { throw .unreadable }
        return String(resolved.dropFirst(root == "/" ? 1 : root.count + 1))
    }

    /// The real path of `path`, which must lie below the real path of `base`.
    static func resolve(
        _ path: String, from folder: String, below base: String, _ reads: FileReads? = nil
    ) throws(ImageError) -> String {
        var name = path
        if name.lowercased().hasPrefix("file://") { name = String(name.dropFirst(7)) }
        // Queries and fragments name no other file; a name with such characters is tried first.
        for candidate in [name, decoded(name)] {
            guard !candidate.utf8.contains(0), !candidate.isEmpty else { continue }
            let joined = candidate.hasPrefix("/") ? candidate : folder + "/" + candidate
            reads?.note(joined)
            guard let real = realPath(joined) else { continue }
            guard let root = realPath(base.isEmpty ? "." : base) else { throw .notFound }
            guard real.hasPrefix(root == "/" ? "/" : root + "/") else { throw .outsideBaseDirectory }
            return real
        }
        throw .notFound
    }

    private static func decoded(_ name: String) -> String {
        let path = name.prefix { $0 != "?" && $0 != "#" }
        return String(decoding: DataURI.percentDecoded(path.utf8), as: UTF8.self)
    }

    private static func realPath(_ path: String) -> String? {
        guard let pointer = realpath(path, nil) else { return nil }
        defer { free(pointer) }
        return String(cString: pointer)
    }
}
