// Options for rows of data that fill a template.

import ArgumentParser

struct DataArguments: Arguments {
    let data = Setting(
        "data",
        "Render the file as a template, once for each row of this one; - is standard input. {{key}} is a row's value, "
            + "and -o takes {key}.", value: "file", traits: [.program, .once])

    let dataFormat = Setting(
        "data-format", "Format of the rows (default: by the ending of the file's name).", choices: RowFormat.listed,
        traits: .program)

    @Switch(
        "resume",
        "Skip rows whose files are there from an earlier run with --resume, with the same template and options.",
        traits: .program)
    var resume

    func validate() throws {
        if !data.isGiven {
            if dataFormat.isGiven { throw ValidationError("--data-format requires --data.") }
            if resume { throw ValidationError("--resume requires --data.") }
        }
        _ = try dataFormat.choice(RowFormat.self)
    }

    func format(of path: String) throws -> RowFormat {
        if let format = try dataFormat.choice(RowFormat.self) ?? .format(of: path) { return format }
        throw ValidationError(
            "The name '\(path)' does not tell what the rows are written in: give --data-format, one of \(RowFormat.listed)."
        )
    }
}
