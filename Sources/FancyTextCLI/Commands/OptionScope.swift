// The configuration files that may set each option.
//
// A file found in the working directory may belong to a stranger's folder, so it only sets the appearance. The user decides about
// inputs, network access, edits, outputs and limits, on the command line or in a named file.

/// The sources that may set an option.
enum OptionScope {
    /// A style, a size or the appearance: any configuration file.
    case look
    /// A style sheet: any configuration file; for a found one, only a sheet below its own folder.
    case styleSheet
    /// An output, an input, a folder, the network, an edit, a limit or messages: a named configuration file.
    case named
    /// No configuration file.
    case commandLine

    /// The scope of an option by its long name; options that are not in the table are only for command lines.
    static func of(_ option: String) -> OptionScope { table[option] ?? .commandLine }

    /// Every option of every command.
    static let table: [String: OptionScope] = [
        // Destination and form of the result.
        "output": .named, "format": .look, "json": .look, "layout": .look, "glyphs": .look, "boxes": .look,
        "debug-boxes": .look, "offsets": .look,
        "quality": .look, "no-metadata": .look, "color": .look, "hyperlinks": .look, "stage": .named,
        "theme": .look, "images": .look, "wide": .look, "pager": .named,
        // Size and canvas.
        "width": .look, "height": .look, "scale": .look, "dpi": .look, "page": .look,
        "background": .look, "padding": .look, "valign": .look,
        "preset": .look, "accent": .look, "gamma": .look, "fit-lines": .look, "min-size": .look, "max-size": .look,
        "max-lines": .look, "max-height": .look, "ellipsis": .look,
        // Text. Raw text and kept controls would let the input control a terminal.
        "inner-text": .look, "speech": .look, "links": .look, "tables": .look, "raw": .named, "keep-controls": .named,
        // Styles and fonts.
        "css": .styleSheet, "style": .look, "root-style": .look, "policy": .look, "dialect": .look,
        "color-scheme": .look,
        "hinting": .look, "no-system-fonts": .look, "font": .named, "font-dir": .named,
        "emoji": .named,
        // Inputs and their sources.
        "from": .named, "encoding": .named, "entities": .named, "base-dir": .named, "allow-net": .named, "base": .named,
        "lambda": .named, "check": .named, "tolerance": .named, "update": .named, "image-map": .named,
        "watch": .commandLine, "data": .named, "data-format": .named, "resume": .named,
        // Selection and edits.
        "inner": .named, "text": .named, "attr": .named, "field": .named, "tsv": .named, "count": .named,
        "csv": .named, "trim": .named, "pretty": .look, "xml": .named, "with-filename": .named,
        "no-filename": .named, "main": .named, "first": .named, "nth": .named, "separator": .named, "": .commandLine,
        "set": .named, "set-html": .named, "set-attr": .named,
        "add-class": .named, "append": .named, "remove": .named,
        // Costs and messages.
        "untrusted": .named, "limit": .named, "max-memory": .named, "allow-host": .named,
        "jobs": .named, "timeout": .named, "max-input": .named, "max-depth": .named, "max-pixels": .named,
        "max-image-pixels": .named, "strict": .named, "quiet": .named, "diagnostics": .named,
        "cache": .named, "cache-max-size": .named, "refresh": .commandLine,
        "no-cache": .named, "stats": .commandLine, "clear": .commandLine,
        "port": .named,
        "config": .commandLine, "no-config": .commandLine,
    ]
}
