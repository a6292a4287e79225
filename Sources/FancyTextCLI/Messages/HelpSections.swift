// The sections that the help of all commands shares; the manual's sections are made from them.
//
// In: nothing. Out: sections of text for the help and the manual.

enum HelpSections {
    /// The start of the part that the short help leaves out.
    static let begin = "EXIT STATUS"

    /// Exit statuses, environment and files.
    static let common = """
        \(begin)
          0  done
          1  select matched nothing, or --check found a difference
          2  wrong usage, bad input or a failed write
        ENVIRONMENT
        \(variables)
        FILES
          fancytext.json    defaults for options, in the working directory
          ../lib/fancytext  libraries that came with the program, beside its folder
        """

    private static var variables: String {
        let width = Terminal.variables.map(\.name.count).max() ?? 0
        var lines: [String] = []
        for variable in Terminal.variables {
            let padding = String(repeating: " ", count: width - variable.name.count)
            lines.append("  \(variable.name)\(padding)  \(variable.meaning)")
        }
        return lines.joined(separator: "\n")
    }
}
