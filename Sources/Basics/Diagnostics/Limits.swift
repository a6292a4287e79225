// Named limits that keep any input from crashing, hanging or exhausting memory; and limits on the resources that a small document can
// multiply, with the meter that counts their use. Code spends a budget before it uses a resource. When the budget is used up, the run
// ends with an error that names it.

import Synchronization

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

    /// The limit of a budget.
    public subscript(_ budget: Budget) -> Int {
        get { budgets[budget] ?? budget.standard }
        set { budgets[budget] = max(0, newValue) }
    }

    /// The limits for untrusted documents: 64 KB of them take at most a second and 256 MiB.
    public static var strict: Limits {
        var limits = Limits()
        limits.inputBytes = 1 << 20
        limits.treeDepth = 512
        limits.layoutDepth = 128
        limits.inlineDepth = 64
        limits.pixels = 16_000_000
        limits.imagePixels = 16_000_000
        limits.seconds = 0.9
        for budget in Budget.allCases { limits[budget] = budget.strict }
        return limits
    }
}

/// A resource of which a small document can use a large amount.
@nonexhaustive public enum Budget: String, CaseIterable, Hashable, Sendable {
    /// Bytes of text that style sheets generate (`content`, markers, quotes), besides four for each byte of the input. Counted
    /// separately with the same limit: bytes that a template produces from a row, besides 16 for each byte of both.
    case generatedText = "generated-text"
    /// Bytes of style sheet values after `var()` is replaced, besides 16 for each byte of the document.
    case substitutedText = "substituted-text"
    /// Bytes that `select` writes, besides 16 for each byte of the document: an element that matches is written with its
    /// contents, even if they match too. A record may take a quarter of the remaining budget, and each node that is searched for
    /// its fields counts as eight bytes.
    case selectedBytes = "selected-bytes"
    /// Boxes made by layout.
    case boxes
    /// Cells of a terminal's screen, besides a row of cells for each four bytes of the document.
    case terminalCells = "terminal-cells"
    /// Bytes of pixels in the layers that are open at one time: opacity, masks, blending, filters and their buffers. A picture
    /// with many colours needs five for each of its pixels, besides 32 MiB.
    case layerBytes = "layer-bytes"
    /// Pixels painted, counted each time they are painted, besides 16 for each pixel of the canvas. Pixels of a blur or a
    /// gradient count several times. In SVG and PDF files each pixel that is stored as a picture counts 8 more, each part of a
    /// path 1,000 (besides 24 parts for each drawn item), and each page 250,000 (besides a page for each KiB of the document).
    /// Pictures on pages count only above 96 for each CSS pixel of the page, until these are six times the limit.
    case paintedPixels = "painted-pixels"
    /// Bytes of decoded images kept at one time.
    case imageBytes = "image-bytes"
    /// Pixels of all images, counted each time they are decoded, besides 50 for each byte of their files.
    case decodedPixels = "decoded-pixels"
    /// Bytes of the fonts that a document embeds or links, unpacked.
    case fontBytes = "font-bytes"
    /// Style sheets that a document and its style sheets link.
    case styleSheets = "style-sheets"
    /// Requests over the network.
    case requests
    /// Bytes of all responses from the network, unpacked.
    case fetchedBytes = "fetched-bytes"

    /// The default limit.
    public var standard: Int { row.standard }
    /// The limit for untrusted documents.
    public var strict: Int { row.strict }
    /// The unit of the budget, as a phrase for messages.
    package var counts: String { row.counts }
    package var code: Diagnostic.Code { Diagnostic.Code(rawValue: "budget." + rawValue) ?? .failure }

    private var row: (standard: Int, strict: Int, counts: String) {
        switch self {
        case .generatedText: (1 << 20, 1 << 17, "bytes of generated text")
        case .substitutedText: (8 << 20, 1 << 20, "bytes of values with var() replaced")
        case .selectedBytes: (256 << 20, 16 << 20, "bytes of selected elements")
        case .boxes: (4_000_000, 200_000, "boxes")
        case .terminalCells: (8_000_000, 2_000_000, "cells of a terminal")
        case .layerBytes: (256 << 20, 48 << 20, "bytes in open layers")
        case .paintedPixels: (600_000_000, 100_000_000, "painted pixels")
        case .imageBytes: (256 << 20, 48 << 20, "bytes of decoded images")
        case .decodedPixels: (100_000_000, 16_000_000, "decoded pixels")
        case .fontBytes: (64 << 20, 16 << 20, "bytes of fonts")
        case .styleSheets: (256, 16, "style sheets")
        case .requests: (64, 0, "requests")
        case .fetchedBytes: (64 << 20, 0, "fetched bytes")
        }
    }
}

/// Counts the resources that one rendering of a document uses. Safe to use from any thread.
package final class BudgetMeter: Sendable {
    package let limits: Limits
    private struct State {
        var used: [Budget: Int] = [:]
        /// Each budget once, in the order in which they were exceeded.
        var exceeded: [Budget] = []
    }
    private let state = Mutex(State())
    /// The clock of the work that the meter belongs to. After it stops, nothing can be spent.
    package let clock: WorkClock

    package init(_ limits: Limits = Limits()) {
        self.limits = limits
        clock = .current
    }

    /// Spends some of a budget, whose limit is higher by `more`; if not enough is left, it spends nothing and returns false.
    @discardableResult package func spend(_ amount: Int, of budget: Budget, besides more: Int = 0) -> Bool {
        guard !clock.isOver() else { return false }
        return state.withLock { state in
            let sum = state.used[budget, default: 0].addingReportingOverflow(max(0, amount))
            let limit = limits[budget].addingReportingOverflow(more)
            guard !sum.overflow, sum.partialValue <= (limit.overflow ? .max : limit.partialValue) else {
                if !state.exceeded.contains(budget) { state.exceeded.append(budget) }
                return false
            }
            state.used[budget] = sum.partialValue
            return true
        }
    }

    package func giveBack(_ amount: Int, of budget: Budget) {
        state.withLock { $0.used[budget, default: 0] -= max(0, amount) }
    }

    package func left(of budget: Budget) -> Int {
        state.withLock { max(0, limits[budget] - $0.used[budget, default: 0]) }
    }

    package var exceeded: Budget? { state.withLock { $0.exceeded.first } }

    /// A Boolean value that indicates whether a budget was exceeded, or the time is over.
    package var isSpent: Bool { clock.stop != nil || exceeded != nil }

    package func isExceeded(_ budget: Budget) -> Bool { state.withLock { $0.exceeded.contains(budget) } }
}

extension Diagnostic {
    package init(_ budget: Budget, limit: Int, at location: Location? = nil) {
        self.init(.error, budget.code, "the document needs more than \(limit) \(budget.counts)", at: location)
    }
}
