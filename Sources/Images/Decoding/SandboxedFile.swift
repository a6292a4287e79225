// Reads files that a document names, only below one folder. A name that leads out is refused before any file is looked up, so the
// result tells nothing about files outside. The kernel follows links (`openat2` with RESOLVE_BENEATH), of which none leads out, even
// if another program creates it meanwhile.

import FancyTextBasics
import CFancyTextSafety
import FancyTextPlatform

package enum SandboxedFile {
    /// Reads `path` (a path, or a `file:` URL) relative to `folder`, or to `base` itself.
    ///
    /// - Parameter reads: records the files that are looked up.
    package static func read(
        _ path: String, from folder: String? = nil, below base: String, limit: Int, reads: FileReads? = nil
    ) throws(ImageError) -> [UInt8] {
        let descriptor = try open(path, from: folder ?? base, below: base, reads)
        defer { close(descriptor) }
        guard let status = fileStatus(descriptor), !status.isFolder else { throw .isFolder }
        guard status.isRegular, Int(status.st_size) <= limit,
            let bytes = readAll(descriptor, limit: limit), bytes.count <= limit
        else { throw .unreadable }
        return bytes
    }

    /// The path from `base` to a regular file below it, with links resolved. A pipe or device is not opened.
    package static func regularFile(_ path: String, below base: String) throws(ImageError) -> String {
        let descriptor = try open(path, from: base, below: base)
        defer { close(descriptor) }
        guard fileStatus(descriptor)?.isRegular == true, let root = realPath(base),
            let file = realPath("/proc/self/fd/\(descriptor)"), let name = relative(file, to: root)
        else { throw .unreadable }
        return name
    }

    private static func open(
        _ path: String, from folder: String, below base: String, _ reads: FileReads? = nil
    ) throws(ImageError) -> Int32 {
        guard let root = realPath(base.isEmpty ? "." : base), let start = realPath(folder.isEmpty ? "." : folder)
        else { throw .notFound }
        var name = path
        if name.lowercased().hasPrefix("file://") { name = String(name.dropFirst(7)) }
        var problem = ImageError.notFound
        // A query or fragment does not change the file; a name with these characters is tried first.
        let file = String(decoding: DataURI.percentDecoded(name.prefix { $0 != "?" && $0 != "#" }.utf8), as: UTF8.self)
        for candidate in [name, file] where !candidate.isEmpty && !candidate.utf8.contains(0) {
            let whole = normalized(candidate.hasPrefix("/") ? candidate : start + "/" + candidate)
            let written = base.hasPrefix("/") ? relative(whole, to: normalized(base)) : nil
            guard let inner = relative(whole, to: root) ?? written else {
                problem = .outsideBaseDirectory
                continue
            }
            reads?.note(root + "/" + inner)
            do throws(ImageError) {
                return try open(inner, below: root)
            } catch {
                guard error == .notFound else { throw error }
            }
        }
        throw problem
    }

    private static func open(_ inner: String, below root: String) throws(ImageError) -> Int32 {
        let descriptor = csafety_open_below(root, inner)
        if descriptor >= 0 { return descriptor }
        switch errno {
        case ENOENT, ENOTDIR: throw .notFound
        // A link may lead out and back in.
        case EXDEV: return try openReal(inner, below: root, missing: .outsideBaseDirectory)
        case ENOSYS: return try openReal(inner, below: root, missing: .notFound)
        default: throw .unreadable
        }
    }

    /// Opens the file with resolved links and then checks its path, which can no longer change; tests act `meanwhile`.
    static func openReal(
        _ inner: String, below root: String, missing: ImageError, meanwhile: () -> Void = {}
    ) throws(ImageError) -> Int32 {
        guard let real = realPath(root + "/" + inner) else { throw missing }
        guard relative(real, to: root) != nil else { throw .outsideBaseDirectory }
        meanwhile()
        let descriptor = FancyTextPlatform.open(real, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw errno == ENOENT ? .notFound : .unreadable }
        guard let opened = realPath("/proc/self/fd/\(descriptor)"), relative(opened, to: root) != nil else {
            close(descriptor)
            throw .outsideBaseDirectory
        }
        return descriptor
    }

    /// The part of a path after `root`; nil when the path is not below it.
    private static func relative(_ path: String, to root: String) -> String? {
        let start = root == "/" ? "/" : root + "/"
        guard path.hasPrefix(start), path.utf8.count > start.utf8.count else { return nil }
        return String(path.dropFirst(start.count))
    }

    /// The path without `.` and `..`, as in a URL (RFC 3986 §5.2.4); links are not resolved.
    static func normalized(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }

    private static func realPath(_ path: String) -> String? {
        guard let pointer = realpath(path, nil) else { return nil }
        defer { free(pointer) }
        return String(cString: pointer)
    }
}
