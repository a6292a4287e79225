// Names of files as text, including those that are not UTF-8: a name has any bytes except NUL, while Swift's strings are Unicode.
//
// A byte that is not part of UTF-8 becomes a private-use character in the text of an argument, and the byte again when a file is
// opened.

import CFancyTextLoader
import CFancyTextSafety
import FancyTextPlatform

enum PathText {
    /// The character for byte `0x80`; the others follow.
    private static let base: UInt32 = 0x10FF00

    /// The arguments of the process without its name.
    static var arguments: [String] {
        var result: [String] = []
        var index = 1
        while programName != nil, let argument = values[index] {
            result.append(text(UnsafeRawPointer(argument), count: strlen(argument)))
            index += 1
        }
        return result
    }

    /// The name that the process was started with, as bytes with a NUL; `nil` if the caller passed no arguments at all.
    static var programName: UnsafeMutablePointer<CChar>? { values[0] }

    private static var values: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> {
        csafety_arguments() ?? CommandLine.unsafeArgv
    }

    /// The path of the program; empty if the system does not provide it.
    static var program: String { cloader_program().map { text($0, count: strlen($0)) } ?? "" }

    /// The name of the regular file that standard output goes to; `nil` if it goes elsewhere, or if the system does not tell.
    static var standardOutput: String? {
        guard fileStatus(STDOUT_FILENO)?.isRegular == true, let path = realpath("/dev/stdout", nil) else { return nil }
        defer { free(path) }
        return text(path, count: strlen(path)).split(separator: "/").last.map(String.init)
    }

    /// The text after the last dot of a name, in lower case. Hidden files, devices and standard output have no ending; /dev/shm
    /// contains ordinary files.
    static func ending(of path: String) -> String? {
        let bytes = path.utf8
        let start = bytes.lastIndex(of: UInt8(ascii: "/")).map { bytes.index(after: $0) } ?? bytes.startIndex
        guard let dot = bytes[start...].lastIndex(of: UInt8(ascii: ".")), dot > start,
            !path.hasPrefix("/dev/") || path.hasPrefix("/dev/shm/")
        else { return nil }
        let ending = path[bytes.index(after: dot)...]
        return ending.isEmpty ? nil : ending.lowercased()
    }

    static func text(_ pointer: UnsafeRawPointer, count: Int) -> String {
        let bytes = UnsafeRawBufferPointer(start: pointer, count: count)
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var result = String.UnicodeScalarView()
        var rest = bytes[...]
        while let first = rest.first {
            let length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
            if let text = String(validating: rest.prefix(length), as: UTF8.self), text.unicodeScalars.count == 1 {
                result.append(contentsOf: text.unicodeScalars)
                rest = rest.dropFirst(length)
            } else {
                result.append(Unicode.Scalar(base + UInt32(first)) ?? "\u{FFFD}")
                rest = rest.dropFirst()
            }
        }
        return String(result)
    }

    /// Returns whether a character represents a byte.
    static func isByte(_ scalar: Unicode.Scalar) -> Bool { (base + 0x80...base + 0xFF).contains(scalar.value) }

    /// Calls `body` with the name in the system's form.
    static func withCString<Result>(_ path: String, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
        guard path.unicodeScalars.contains(where: isByte) else { return path.withCString(body) }
        var bytes: [CChar] = []
        for scalar in path.unicodeScalars {
            let own = isByte(scalar) ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(String(scalar).utf8)
            bytes += own.map { CChar(bitPattern: $0) }
        }
        return (bytes + [0]).withUnsafeBufferPointer { buffer in
            // Never empty, because it ends in NUL.
            buffer.baseAddress.map(body) ?? path.withCString(body)
        }
    }

    static func exists(_ path: String) -> Bool { withCString(path) { access($0, F_OK) } == 0 }

    /// A path without `.` folders and repeated slashes.
    static func simplified(_ path: String) -> String {
        guard path.utf8.contains(UInt8(ascii: "/")) else { return path }
        return (path.hasPrefix("/") ? "/" : "") + path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    }
}
