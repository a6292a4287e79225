// Which configuration files may give which option.
//
// A file that lies in the working directory comes with a folder that may be a stranger's: it decides how things look. What
// is read, fetched, changed and written, and at what cost, is decided by the person, on the command line or in a file that
// the person named.

/// Who may give an option.
enum OptionScope {
    /// A style, a size, a look: any configuration file.
    case look
    /// A style sheet: any configuration file, one that was only found a sheet below its own folder.
    case styleSheet
    /// An output, an input, a folder, the network, an edit, a limit, what is told: a configuration file that was named.
    case named
    /// No configuration file.
    case commandLine

    /// The scope of an option by its long name; what the table lacks is for command lines.
    static func of(_ option: String) -> OptionScope { table[option] ?? .commandLine }

    /// Every option of every command.
    static let table: [String: OptionScope] = [
        // Where the result goes, and its form.
        "output": .named, "format": .look, "json": .look, "layout": .look, "glyphs": .look, "boxes": .look,
        "debug-boxes": .look, "offsets": .look,
        "quality": .look, "no-metadata": .look, "color": .look, "hyperlinks": .look, "stage": .named,
        "theme": .look, "images": .look, "wide": .look, "pager": .named,
        // Size and canvas.
        "width": .look, "height": .look, "scale": .look, "dpi": .look, "page": .look,
        "background": .look, "padding": .look, "valign": .look,
        "preset": .look, "accent": .look, "gamma": .look, "fit-lines": .look, "min-size": .look, "max-size": .look,
        "max-lines": .look, "max-height": .look, "ellipsis": .look,
        // Text. Raw text and kept controls let the input steer a terminal.
        "inner-text": .look, "speech": .look, "links": .look, "tables": .look, "raw": .named, "keep-controls": .named,
        // Styles and fonts.
        "css": .styleSheet, "style": .look, "root-style": .look, "policy": .look, "dialect": .look,
        "color-scheme": .look,
        "hinting": .look, "no-system-fonts": .look, "font": .named, "font-dir": .named,
        "emoji": .named,
        // What is read, and from where.
        "from": .named, "encoding": .named, "entities": .named, "base-dir": .named, "allow-net": .named, "base": .named,
        "lambda": .named, "check": .named, "tolerance": .named, "update": .named, "image-map": .named,
        "watch": .commandLine, "data": .named, "data-format": .named, "resume": .named,
        // What is selected and changed.
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
