// The sections that the help of all commands shares; the manual's sections are made from them.
//
// In: nothing. Out: sections of text for the help and the manual.

enum HelpSections {
    /// The start of the part that the short help leaves out.
    static let begin = "EXIT STATUS"

    /// Exit statuses and files.
    static let common = """
        \(begin)
          0  done
          1  select matched nothing, or --check found a difference
          2  wrong usage, bad input or a failed write
        FILES
          fancytext.json    defaults for options, in the working directory
          ../lib/fancytext  libraries that came with the program, beside its folder
        TOPICS
          of fancytext help: \(topics)
        """

    /// The pages in `share/doc/fancytext` that `fancytext help` shows.
    static let pages: [(topic: String, page: String)] = [
        ("css", "Properties"), ("formats", "Formats"), ("guide", "Guide"), ("options", "Options"),
        ("packaging", "Packaging"), ("pages", "Pages"), ("recipes", "Recipes"), ("security", "Security"),
        ("templates", "Templates"),
        ("terminal", "Terminal"),
    ]

    /// The names of all topics besides commands.
    static var topics: String { (["environment"] + pages.map(\.topic)).joined(separator: ", ") }

    /// The environment variables that are read. Options take precedence, and earlier variables over later ones.
    static var environment: String {
        let width = Terminal.variables.map(\.name.count).max() ?? 0
        return Terminal.variables.map { variable in
            variable.name + String(repeating: " ", count: width - variable.name.count) + "  " + variable.meaning
        }.joined(separator: "\n")
    }
}
