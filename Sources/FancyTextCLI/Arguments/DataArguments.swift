// Options for rows of data that fill a template.

import ArgumentParser
import FancyText

struct DataArguments: DirectArguments {
    @Option(
        help: ArgumentHelp(
            "Render the file as a template, once for each row of this one; - is standard input. {{key}} is a row's value, "
                + "and -o takes {key}.", valueName: "file"), completion: .file())
    var data: String?

    @Option(
        help: ArgumentHelp(
            "What the rows are written in (default: as the file's name ends).", valueName: RowFormat.listed),
        completion: RowFormat.completion)
    var dataFormat: String?

    @Flag(
        help: "Skip rows whose files are there from an earlier run with --resume, with the same template and options.")
    var resume = false

    mutating func bind(_ given: inout GivenArguments) {
        data = given.option("data")
        dataFormat = given.option("data-format")
        resume = given.flag("resume")
    }

    func validate() throws {
        if data == nil {
            if dataFormat != nil { throw ValidationError("--data-format requires --data.") }
            if resume { throw ValidationError("--resume requires --data.") }
        }
        _ = try OptionText("--data-format", dataFormat).choice(RowFormat.self)
    }

    /// The format of a file of rows.
    func format(of path: String) throws -> RowFormat {
        if let format = try OptionText("--data-format", dataFormat).choice(RowFormat.self) ?? .format(of: path) {
            return format
        }
        throw ValidationError(
            "The name '\(path)' does not tell what the rows are written in: give --data-format, one of \(RowFormat.listed)."
        )
    }
}
