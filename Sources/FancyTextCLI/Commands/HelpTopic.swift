// `fancytext help TOPIC`, where the topic is not a command: the environment, or a page that came with the program.
//
// In: the topic's name. Out: text on standard output, or the arguments that show a page.

import ArgumentParser
import FancyTextPlatform

enum HelpTopic {
    /// Returns the arguments that show a topic; `nil` if it was printed here.
    ///
    /// - Throws: an error for an unknown topic, or for a page that is not installed.
    static func arguments(for topic: String) throws -> [String]? {
        if topic == "environment" {
            try FileAccess.writeStandardOutput(Array((HelpSections.environment + "\n").utf8))
            return nil
        }
        guard let (_, page) = HelpSections.pages.first(where: { $0.topic == topic }) else {
            let commands = FancyTextCommand.commands.map { $0.name }.joined(separator: ", ")
            throw ValidationError(
                "There is no help for '\(topic)': choose a command (\(commands)) or \(HelpSections.topics).")
        }
        let folder = PathText.program.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
        let path = folder.joined(separator: "/") + "/share/doc/fancytext/\(page).md"
        guard access(path, R_OK) == 0 else {
            throw CommandFailure("\(path): \(String(cString: strerror(errno))); the packages and make install bring it")
        }
        return ["render", path, "--no-config", "--pager"]
    }
}
