// The program started by `fancytext preview`: a local page that shows a picture and updates it when files change.
//
// In: the options from `fancytext preview`, as one JSON object. Out: the page's address on standard output; the program runs
// until it is ended. A `fancytext batch` process draws the pictures, so a crash costs one picture only.

import FlyingFox
import Foundation

/// The options that `fancytext preview` passes on.
struct PreviewOptions: Decodable, Sendable {
    /// The path of the program that draws.
    var program: String
    /// The document or template.
    var file: String
    /// 0 lets the system choose a free port.
    var port: UInt16
    /// Members of requests: options of `render`.
    var options: [String: OptionValue]
    /// Files that the options name.
    var files: [String]
}

/// The value of an option in a request of `fancytext batch`.
enum OptionValue: Decodable, Sendable {
    case flag(Bool)
    case text(String)
    case list([String])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else {
            self = .list(try container.decode([String].self))
        }
    }

    /// The value as JSONSerialization writes it.
    var object: Any {
        switch self {
        case .flag(let flag): flag
        case .text(let text): text
        case .list(let list): list
        }
    }
}

@main
struct Preview {
    static func main() async {
        guard let argument = CommandLine.arguments.dropFirst().first, CommandLine.arguments.count == 2,
            let options = try? JSONDecoder().decode(PreviewOptions.self, from: Data(argument.utf8))
        else { fail("this program is a part of fancytext; run: fancytext preview card.html") }
        guard FileManager.default.isReadableFile(atPath: options.file) else {
            fail("\(options.file): No such file that can be read")
        }
        signal(SIGPIPE, SIG_IGN)
        let server = PreviewServer(options)
        do {
            try await server.run { address in
                FileHandle.standardOutput.write(Data((address + "\n").utf8))
            }
        } catch {
            let isInUse = "\(error)".contains("errno: \(EADDRINUSE)")
            fail(
                isInUse
                    ? "port \(options.port) is in use; choose another with --port, or leave it out for one that is free"
                    : "port \(options.port) cannot be listened on: \(error)")
        }
    }

    private static func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data("fancytext: error: \(message)\n".utf8))
        exit(2)
    }
}
