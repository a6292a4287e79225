// What went wrong, how badly and where: the one form in which every stage speaks to the user.

/// A message about the input, with its place.
///
/// Stages collect diagnostics in a ``DiagnosticLog``; only the command line turns them into text.
public struct Diagnostic: Hashable, Sendable {
    public enum Severity: UInt8, Hashable, Comparable, Sendable {
        case note, warning, error

        public static func < (a: Severity, b: Severity) -> Bool { a.rawValue < b.rawValue }
    }

    /// Where in which text: `file:line:col`, both counted from 1, columns in Unicode scalars.
    public struct Location: Hashable, Sendable {
        /// The name of the text: a path, `<stdin>`, `--style`, `style=""`, `selector`.
        public var source: String
        public var line: Int
        public var column: Int

        public init(source: String, line: Int, column: Int) {
            self.source = source
            self.line = line
            self.column = column
        }
    }

    public var severity: Severity
    public var message: String
    public var location: Location?
    /// The line of text that the location points into, when showing it with a caret helps (selectors, CSS).
    public var excerpt: String?

    public init(_ severity: Severity, _ message: String, at location: Location? = nil, excerpt: String? = nil) {
        self.severity = severity
        self.message = message
        self.location = location
        self.excerpt = excerpt
    }
}

/// Collects diagnostics; the same one is kept once.
public struct DiagnosticLog: Sendable {
    public private(set) var entries: [Diagnostic] = []
    private var seen: Set<Diagnostic> = []
    /// How many different diagnostics are kept; one more note tells that there were others.
    package var limit = 1000

    public init() {}

    public mutating func report(_ diagnostic: Diagnostic) {
        guard entries.count <= limit, seen.insert(diagnostic).inserted else { return }
        if entries.count == limit {
            entries.append(Diagnostic(.note, "further diagnostics are not shown"))
        } else {
            entries.append(diagnostic)
        }
    }

    public mutating func merge(_ other: DiagnosticLog) {
        for entry in other.entries { report(entry) }
    }

    public var worst: Diagnostic.Severity? { entries.map(\.severity).max() }
}
