// Detects changes of files. In: a folder and files. Out: a number that changes with them.

import Foundation

/// Watches the document, the files named by options, and all files below the document's folder, where the files it refers to must
/// be.
actor FolderWatch {
    private let folder: String
    private let files: [String]
    private var state: [String: String] = [:]
    private var lastLook: ContinuousClock.Instant?
    /// The number of changes noticed, plus 1.
    private(set) var version = 1

    /// The largest number of watched files in the folder; the document and the files of options are always watched.
    private static let mostFiles = 5000
    private static let interval = Duration.milliseconds(100)

    init(folder: String, files: [String]) {
        self.folder = folder
        self.files = files
        state = Self.look(folder, files)
    }

    /// Waits until the version differs from `known`, or until `patience` has passed, and returns the version.
    func version(after known: Int, patience: Duration) async -> Int {
        let end = ContinuousClock.now + patience
        while true {
            look()
            if version != known || ContinuousClock.now >= end { return version }
            try? await Task.sleep(for: Self.interval)
            if Task.isCancelled { return version }
        }
    }

    private func look() {
        if let lastLook, ContinuousClock.now - lastLook < Self.interval { return }
        lastLook = ContinuousClock.now
        let next = Self.look(folder, files)
        if next != state {
            state = next
            version += 1
        }
    }

    private static func look(_ folder: String, _ files: [String]) -> [String: String] {
        var state: [String: String] = [:]
        for file in files { state[file] = identity(of: file) }
        guard
            let all = FileManager.default.enumerator(
                at: URL(fileURLWithPath: folder), includingPropertiesForKeys: nil, options: [.skipsHiddenFiles])
        else { return state }
        for case let url as URL in all where state.count < mostFiles { state[url.path] = identity(of: url.path) }
        return state
    }

    private static func identity(of path: String) -> String {
        var status = stat()
        guard stat(path, &status) == 0 else { return "absent" }
        return "\(status.st_ino) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }
}
