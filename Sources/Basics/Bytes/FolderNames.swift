// The names of the files in a folder.

import FancyTextPlatform

/// The names of a folder's entries in order; nil if it cannot be read.
package func fileNames(inFolder folder: String) -> [String]? {
    guard let stream = opendir(folder) else { return nil }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
        names.append(
            withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            })
    }
    return names.sorted()
}
