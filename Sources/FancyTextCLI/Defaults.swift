// Defaults for options from a configuration file (SPEC C8): flag > environment > file.
//
// `FANCYTEXT_CONFIG` names the file, else `fancytext.json` in the working directory: an object whose keys are long
// option names, or command names with such objects. Its values are put before the person's own arguments, which win.

import Glibc

enum Defaults {
    /// The arguments with the configuration's defaults put after the command's name.
    static func apply(to arguments: [String]) throws(CommandFailure) -> [String] {
        guard let command = arguments.first, commands.contains(command) else { return arguments }
        let named = Terminal.environment("FANCYTEXT_CONFIG")
        let path = named ?? "fancytext.json"
        guard named != nil || access(path, R_OK) == 0 else { return arguments }
        let bytes = try FileAccess.read(path, limit: 1 << 20)
        var parser = JSONParser(bytes)
        guard let value = parser.parse(), case .object(let members) = value else {
            throw CommandFailure("\(path): not a JSON object (at byte \(parser.position))")
        }
        var own: [(String, JSONValue)] = []
        for (key, value) in members {
            if case .object(let nested) = value, key == command {
                own += nested
            } else if !commands.contains(key) {
                if let known = optionNames[command], known.contains(key) { own.append((key, value)) }
            }
        }
        var defaults: [String] = []
        for (key, value) in own {
            guard !mentions(arguments, key) else { continue }
            for element in value.elements {
                switch element {
                case .bool(true): defaults.append("--\(key)")
                case .bool(false), .null: break
                case .string(let text): defaults += ["--\(key)=\(text)"]
                case .number(let text): defaults += ["--\(key)=\(text)"]
                case .array, .object:
                    throw CommandFailure("\(path): \(key) must be a string, number, boolean or list of them")
                }
            }
        }
        return [command] + defaults + arguments.dropFirst()
    }

    private static func mentions(_ arguments: [String], _ key: String) -> Bool {
        arguments.contains { $0 == "--\(key)" || $0.hasPrefix("--\(key)=") }
    }

    private static let commands = ["render", "strip", "select", "dump", "fonts"]

    /// Options that a configuration shared by all commands may hold; a key that a command lacks is not for it.
    private static let shared = [
        "encoding", "entities", "max-input", "max-depth", "timeout", "css", "style", "root-style",
        "policy", "color-scheme", "strict", "diagnostics", "quiet",
    ]
    private static let optionNames: [String: [String]] = [
        "render": shared + [
            "width", "height", "scale", "background", "padding", "color", "hyperlinks", "images", "font", "font-dir",
            "no-system-fonts", "hinting", "base-dir", "allow-net", "max-pixels", "max-image-pixels", "no-metadata",
            "gamma",
        ],
        "strip": shared + ["width", "links", "tables"],
        "select": shared + ["base", "separator"],
        "dump": shared,
        "fonts": ["font", "font-dir", "no-system-fonts"],
    ]
}
