// A list of the rows' files that exist, with the keys they were made from, for resuming an earlier run.
// In: the files of a run as they are written. Out: whether a row's file exists and was made from the same row, template and
// options. The list is beside the files, with a line for each; a truncated line is ignored.

import FancyTextBasics
import FancyTextPlatform

final class DoneList: @unchecked Sendable {
    private static let keyLength = 16

    private let run: [UInt8]
    private let descriptor: Int32
    /// Prefixes of keys, by digests of paths.
    private var known: [UInt64: UInt64] = [:]

    /// - Parameters:
    ///   - folder: the folder of the files, including its slash.
    ///   - run: a digest of everything that all files depend on.
    init(folder: String, run: [UInt8]) throws(CommandFailure) {
        self.run = run
        let path = folder + ".fancytext-done"
        FileAccess.makeFolder(for: path)
        if let old = try FileAccess.readRegular(path, limit: 1 << 32) {
            for line in old.split(separator: 0x0A) {
                let rest = line.dropFirst(2 * Self.keyLength)
                guard rest.first == 0x20, !line.dropLast(rest.count).contains(0x20),
                    let key = UInt64(String(decoding: line.prefix(16), as: UTF8.self), radix: 16)
                else { continue }
                known[Self.digest(String(decoding: rest.dropFirst(), as: UTF8.self))] = key
            }
        }
        descriptor = try FileAccess.openFile(path, O_WRONLY | O_CREAT | O_APPEND)
        // Ends a line that an interrupted run left incomplete.
        write("\n")
    }

    deinit { close(descriptor) }

    private static func digest(_ path: String) -> UInt64 { number(SHA256.digest(Array(path.utf8))) }

    private static func number(_ digest: [UInt8]) -> UInt64 { digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }

    /// The digest of everything that a row's file depends on, with the digest of the row's contents.
    func key(_ row: [UInt8]) -> [UInt8] { Array(SHA256.digest(run + row).prefix(Self.keyLength)) }

    /// Returns whether the file exists, and was made from the data of the key.
    func has(_ path: String, _ key: [UInt8]) -> Bool {
        known[Self.digest(path)] == Self.number(key) && PathText.exists(path)
    }

    /// Records a file that was written.
    func add(_ path: String, _ key: [UInt8]) {
        if !path.contains("\n") { write("\(SHA256.hexadecimal(key)) \(path)\n") }
    }

    private func write(_ line: String) {
        _ = Array(line.utf8).withUnsafeBytes { FancyTextPlatform.write(descriptor, $0.baseAddress, $0.count) }
    }
}
