// Which files of rows are there, and of what they were made: for runs that go on where an earlier one ended.
//
// In: the files of a run as they are written. Out: whether a row's file is there, made of the same row, template and
// options. The list lies beside the files, a line for each, and a line that is cut short counts for nothing.

import FancyTextBasics
import FancyText
import FancyTextPlatform

final class DoneList: @unchecked Sendable {
    private static let name = ".fancytext-done"
    private static let keyLength = 16

    private let run: [UInt8]
    private let path: String
    private let descriptor: Int32
    /// Beginnings of keys, by digests of paths.
    private var known: [UInt64: UInt64] = [:]

    /// - Parameters:
    ///   - folder: where the files lie, with its slash.
    ///   - run: a digest of what decides all of them.
    /// - Throws: ``CommandFailure`` when the list cannot be written.
    init(folder: String, run: [UInt8]) throws(CommandFailure) {
        self.run = run
        path = folder + Self.name
        FileAccess.makeFolder(for: path)
        if let old = try FileAccess.readRegular(path, limit: 1 << 32) {
            for line in old.split(separator: 0x0A) where line.count > 2 * Self.keyLength {
                guard let space = line.firstIndex(of: 0x20), space == line.startIndex + 2 * Self.keyLength,
                    let key = UInt64(String(decoding: line.prefix(16), as: UTF8.self), radix: 16)
                else { continue }
                known[Self.digest(String(decoding: line[(space + 1)...], as: UTF8.self))] = key
            }
        }
        descriptor = PathText.withCString(path) { open($0, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o666) }
        if descriptor < 0 { throw CommandFailure(path, errno: errno) }
        // What a run left that was stopped within a line.
        write(Array("\n".utf8))
    }

    deinit { close(descriptor) }

    static func digest(_ path: String) -> UInt64 { number(SHA256.digest(Array(path.utf8))) }

    private static func number(_ digest: [UInt8]) -> UInt64 { digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }

    /// The digest of all that a row's file is made of.
    ///
    /// - Parameter row: a digest of what the row says.
    func key(_ row: [UInt8]) -> [UInt8] { Array(SHA256.digest(run + row).prefix(Self.keyLength)) }

    /// Whether the file is there, made of what the key says.
    func has(_ path: String, _ key: [UInt8]) -> Bool {
        known[Self.digest(path)] == Self.number(key) && PathText.withCString(path) { access($0, F_OK) } == 0
    }

    /// Notes a file that has appeared.
    func add(_ path: String, _ key: [UInt8]) {
        guard !path.contains("\n") else { return }
        write(Array((SHA256.hexadecimal(key) + " " + path + "\n").utf8))
    }

    private func write(_ bytes: [UInt8]) {
        _ = bytes.withUnsafeBytes { FancyTextPlatform.write(descriptor, $0.baseAddress, $0.count) }
    }
}
