// Named limits that keep any input from crashing, hanging or exhausting memory.

/// Limits by name, each with a default and a command-line option.
public struct Limits: Hashable, Sendable {
    /// Largest input in bytes.
    public var inputBytes = 1 << 30
    /// Deepest nesting of elements in the tree; deeper elements become siblings, with a diagnostic.
    public var treeDepth = 100_000
    /// Deepest nesting for styling and layout; deeper elements are laid out as if flattened, with a diagnostic.
    public var layoutDepth = 512
    /// Deepest nesting of inline boxes. The contents of deeper inline elements are placed in the deepest box, in their own
    /// styles. Each line has a fragment of every inline box that is open on it.
    public var inlineDepth = 128
    /// Largest picture in pixels.
    public var pixels = 100_000_000
    /// Largest decoded image in pixels.
    public var imagePixels = 50_000_000
    /// The most seconds that parsing a document, or rendering it once, may take; 0 means no limit.
    ///
    /// The processor time of the calling thread counts, so other threads and a busy machine do not use it up. Ten times as many
    /// seconds of wall-clock time end the work too. After that, ``Document/diagnostics`` has an error with the code
    /// ``Diagnostic/Code/timeout``, and renderers throw ``RenderError/tookTooLong(seconds:)``.
    public var seconds = 0.0
    /// The limits that differ from ``Budget/standard``.
    var budgets: [Budget: Int] = [:]

    /// The defaults.
    public init() {}
}
