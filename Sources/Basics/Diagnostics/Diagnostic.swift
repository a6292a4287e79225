// Diagnostics: the one form in which every stage reports a problem, its severity and its place to the user.

/// A message about the input, with its place. Stages collect diagnostics in a ``DiagnosticLog``.
public struct Diagnostic: Hashable, Sendable {
    /// The severity of a message, the least severe first.
    public enum Severity: UInt8, Hashable, Comparable, Sendable {
        case note, warning, error

        public static func < (a: Severity, b: Severity) -> Bool { a.rawValue < b.rawValue }
    }

    /// A place in a named text: `file:line:col`, both counted from 1, columns in Unicode scalars.
    public struct Location: Hashable, Sendable {
        /// The name of the text: a path, `<string>`, `style=""`, `selector`.
        public var source: String
        /// From 1.
        public var line: Int
        /// From 1, in Unicode scalars.
        public var column: Int

        /// A place known by its line and column.
        public init(source: String, line: Int, column: Int) {
            (self.source, self.line, self.column) = (source, line, column)
        }

        package static func start(of source: String) -> Location { Location(source: source, line: 1, column: 1) }

        /// The place of the byte at `offset` in UTF-8 `text`, whose lines end in LF, CRLF or CR. O(offset).
        package init(
            source: String, offset: Int, in text: UnsafeBufferPointer<UInt8>, lines: LineIndex = LineIndex()
        ) {
            (line, column) = lines.place(of: offset, in: text)
            self.source = source
        }
    }

    /// The part of a line around a place, for showing the place with a caret below.
    public struct Excerpt: Hashable, Sendable {
        /// The line; for a long line, the part around the place.
        public var text: String
        /// The number of Unicode scalars of `text` before the place.
        public var indent: Int

        private static let longestBefore = 60
        private static let longestAfter = 40

        package init(text: String, indent: Int) { (self.text, self.indent) = (text, indent) }

        /// The line around the byte at `offset` in UTF-8 `text`; for a long line, a part of it.
        package init(offset: Int, in text: UnsafeBufferPointer<UInt8>) {
            let offset = min(max(0, offset), text.count)
            func isLineEnd(_ index: Int) -> Bool { text[index] == 0x0A || text[index] == 0x0D }
            var start = offset
            indent = 0
            while start > 0, indent < Self.longestBefore, !isLineEnd(start - 1) {
                start -= 1
                if text[start].isFirstOfCharacter { indent += 1 }
            }
            var (end, rest) = (offset, 0)
            while end < text.count, !isLineEnd(end), rest < Self.longestAfter || !text[end].isFirstOfCharacter {
                if text[end].isFirstOfCharacter { rest += 1 }
                end += 1
            }
            self.text = String(decoding: text[start..<end], as: UTF8.self)
        }
    }

    /// Warnings make the result differ from a browser's; notes do not.
    public var severity: Severity
    /// The kind of message, independent of its wording.
    public var code: Code
    /// One line, without a full stop. It names no options of a program: the program that prints it adds them.
    public var message: String
    /// The place, or the means to compute it: a message that is never printed needs no line and column.
    private enum Place: Sendable {
        case found(Location?, Excerpt?)
        case unresolved(TextPlace)
    }
    private var place: Place

    /// The place that the message is about. The first look-up in a text takes O(text), later ones take constant time.
    public var location: Location? {
        get {
            switch place {
            case .found(let location, _): location
            case .unresolved(let place): place.text.location(at: place.offset)
            }
        }
        set { place = .found(newValue, excerpt) }
    }

    /// The text around the location, when showing it with a caret helps (selectors, CSS).
    public var excerpt: Excerpt? {
        get {
            switch place {
            case .found(_, let excerpt): excerpt
            case .unresolved(let place): place.text.excerpt(at: place.offset)
            }
        }
        set { place = .found(location, newValue) }
    }

    /// A message about a known place, or without a place.
    public init(
        _ severity: Severity, _ code: Code, _ message: String, at location: Location? = nil, excerpt: Excerpt? = nil
    ) {
        (self.severity, self.code, self.message, place) = (severity, code, message, .found(location, excerpt))
    }

    /// A message about a byte of a text; its line and column are computed on first access.
    package init(_ severity: Severity, _ code: Code, _ message: String, at place: TextPlace) {
        (self.severity, self.code, self.message, self.place) = (severity, code, message, .unresolved(place))
    }

    /// The byte that the message is about; nil if its place is not a byte.
    package var textPlace: TextPlace? { if case .unresolved(let place) = place { place } else { nil } }

    public static func == (a: Diagnostic, b: Diagnostic) -> Bool {
        a.severity == b.severity && a.code == b.code && a.message == b.message && a.location == b.location
            && a.excerpt == b.excerpt
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(severity)
        hasher.combine(message)
        hasher.combine(location)
    }

    /// The identity of a diagnostic in a log. Places that are not resolved yet are compared by their byte offsets.
    fileprivate enum Identity: Hashable {
        case found(Diagnostic)
        case unresolved(Severity, String, source: String, start: Int, offset: Int)
    }

    fileprivate var identity: Identity {
        switch place {
        case .found: .found(self)
        case .unresolved(let place):
            .unresolved(severity, message, source: place.text.name, start: place.text.start, offset: place.offset)
        }
    }
}

/// A collection of diagnostics in the order in which they were found, without duplicates.
public struct DiagnosticLog: Sendable, RandomAccessCollection {
    package private(set) var entries: [Diagnostic] = []
    private var seen: Set<Diagnostic.Identity> = []
    /// The number of notes and warnings among the entries; `errorCount` is the number of errors.
    private var remarkCount = 0
    private var errorCount = 0
    /// The number of different notes and warnings that are kept, and again of errors, so that warnings never hide an error. When
    /// messages are dropped, one more note tells this.
    package var limit = 1000

    /// An empty log.
    public init() {}

    public var startIndex: Int { 0 }
    public var endIndex: Int { entries.count }
    public subscript(_ index: Int) -> Diagnostic { entries[index] }

    /// Set when further notes and warnings are dropped, so that callers need not create them.
    package var isFull: Bool { remarkCount > limit }

    /// Adds a diagnostic unless it is there. Amortized O(1).
    package mutating func report(_ diagnostic: Diagnostic) {
        let isError = diagnostic.severity == .error
        guard isError ? errorCount < limit : remarkCount <= limit else { return }
        guard seen.insert(diagnostic.identity).inserted else { return }
        let isLast = !isError && remarkCount == limit
        if isError { errorCount += 1 } else { remarkCount += 1 }
        entries.append(isLast ? Diagnostic(.note, .furtherMessages, "further diagnostics are not shown") : diagnostic)
    }

    package mutating func warn(
        _ code: Diagnostic.Code, _ message: String, at location: Diagnostic.Location? = nil,
        excerpt: Diagnostic.Excerpt? = nil
    ) {
        report(Diagnostic(.warning, code, message, at: location, excerpt: excerpt))
    }

    /// Adds the entries of another log that are missing here. O(other).
    package mutating func merge(_ other: DiagnosticLog) { for entry in other.entries { report(entry) } }

    /// The highest severity; nil for an empty log. O(n).
    public var worst: Diagnostic.Severity? { entries.map(\.severity).max() }
}

extension UInt8 { var isFirstOfCharacter: Bool { self & 0xC0 != 0x80 } }
