// What a document may use of what it can multiply, by name, and the one account of it.
//
// A few bytes of a style sheet can ask for gigabytes: text before each of a thousand boxes, layers in layers, a picture of
// fifty million pixels in six kilobytes. Each such thing has a budget. Whoever makes one asks the meter first; past the
// budget nothing more of it is made, and the run ends with an error that names the budget.

import Synchronization

/// Something that a small document can ask for much of.
public enum Budget: String, CaseIterable, Hashable, Sendable {
    /// Bytes of text that style sheets generate (`content`, markers, quotes), besides four for each byte of the input; apart
    /// from these, bytes that a template makes of a row, besides 16 for each byte of both.
    case generatedText = "generated-text"
    /// Bytes that values of style sheets become when `var()` is replaced, besides 16 for each byte of the document.
    case substitutedText = "substituted-text"
    /// Bytes that `select` writes, besides 16 for each byte of the document: elements that match come with those in them that
    /// match as well. A record may take a quarter of what is left, and each node that is looked at for its members counts
    /// eight bytes.
    case selectedBytes = "selected-bytes"
    /// Boxes that layout makes.
    case boxes
    /// Cells of a terminal's screen, besides a row of it for each four bytes of the document.
    case terminalCells = "terminal-cells"
    /// Bytes of pixels in the layers that are open at one time: opacity, masks, blending, filters and what they work on. A
    /// picture in many colours must have five for each of its pixels, besides 32 MiB.
    case layerBytes = "layer-bytes"
    /// Pixels that painting touches, each time that it does, besides 16 for each pixel of the canvas; those of a blur or a
    /// gradient count several times. In SVG and PDF files each pixel of what becomes a picture counts 8 more, and each part of
    /// a path 1,000, besides 24 parts for each item that is drawn, and each page of paper 250,000, besides
    /// a page for each KiB of the document.
    case paintedPixels = "painted-pixels"
    /// Bytes of decoded images that are kept at one time.
    case imageBytes = "image-bytes"
    /// Pixels of all images, each time that they are decoded, besides 50 for each byte of their files.
    case decodedPixels = "decoded-pixels"
    /// Bytes of the fonts that a document brings, unpacked.
    case fontBytes = "font-bytes"
    /// Style sheets that a document and its sheets name.
    case styleSheets = "style-sheets"
    /// Requests over the network.
    case requests
    /// Bytes of all answers from the network, unpacked.
    case fetchedBytes = "fetched-bytes"

    /// What a document may use unless told otherwise.
    public var standard: Int {
        switch self {
        case .generatedText: 1 << 20
        case .substitutedText: 8 << 20
        case .selectedBytes: 256 << 20
        case .boxes: 4_000_000
        case .terminalCells: 8_000_000
        case .layerBytes: 256 << 20
        case .paintedPixels: 600_000_000
        case .imageBytes: 256 << 20
        case .decodedPixels: 100_000_000
        case .fontBytes: 64 << 20
        case .styleSheets: 256
        case .requests: 64
        case .fetchedBytes: 64 << 20
        }
    }

    /// What a stranger's document may use.
    public var strict: Int {
        switch self {
        case .generatedText: 1 << 17
        case .substitutedText: 1 << 20
        case .selectedBytes: 16 << 20
        case .boxes: 200_000
        case .terminalCells: 2_000_000
        case .layerBytes: 48 << 20
        case .paintedPixels: 100_000_000
        case .imageBytes: 48 << 20
        case .decodedPixels: 16_000_000
        case .fontBytes: 16 << 20
        case .styleSheets: 16
        case .requests, .fetchedBytes: 0
        }
    }

    /// What it counts, in words.
    package var counts: String {
        switch self {
        case .generatedText: "bytes of generated text"
        case .substitutedText: "bytes of values with var() replaced"
        case .selectedBytes: "bytes of what is selected"
        case .boxes: "boxes"
        case .terminalCells: "cells of a terminal"
        case .layerBytes: "bytes in open layers"
        case .paintedPixels: "painted pixels"
        case .imageBytes: "bytes of decoded images"
        case .decodedPixels: "decoded pixels"
        case .fontBytes: "bytes of fonts"
        case .styleSheets: "style sheets"
        case .requests: "requests"
        case .fetchedBytes: "fetched bytes"
        }
    }

    /// Of the message that it is used up.
    package var code: Diagnostic.Code {
        switch self {
        case .generatedText: .budgetGeneratedText
        case .substitutedText: .budgetSubstitutedText
        case .selectedBytes: .budgetSelectedBytes
        case .boxes: .budgetBoxes
        case .terminalCells: .budgetTerminalCells
        case .layerBytes: .budgetLayerBytes
        case .paintedPixels: .budgetPaintedPixels
        case .imageBytes: .budgetImageBytes
        case .decodedPixels: .budgetDecodedPixels
        case .fontBytes: .budgetFontBytes
        case .styleSheets: .budgetStyleSheets
        case .requests: .budgetRequests
        case .fetchedBytes: .budgetFetchedBytes
        }
    }
}

extension Limits {
    /// What the document may use of something.
    public subscript(_ budget: Budget) -> Int {
        get { budgets[budget] ?? budget.standard }
        set { budgets[budget] = max(0, newValue) }
    }

    /// For documents that strangers send: 64 KB of them take no more than a second and 256 MiB.
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

/// Counts what one rendering of a document uses. Any thread may ask.
package final class BudgetMeter: Sendable {
    package let limits: Limits
    private struct State {
        var used: [Budget: Int] = [:]
        /// Each once, in the order in which they did not suffice.
        var exceeded: [Budget] = []
    }
    private let state = Mutex(State())
    /// The clock of the work that the meter belongs to. After its end nothing is left of any budget.
    package let clock: WorkClock

    package init(_ limits: Limits = Limits()) {
        self.limits = limits
        clock = .current
    }

    /// Takes some of a budget; false, and nothing taken, when that much is not left.
    ///
    /// - Parameter more: What is allowed besides the limit.
    @discardableResult
    package func spend(_ amount: Int, of budget: Budget, besides more: Int = 0) -> Bool {
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

    /// Gives back what is in use no longer.
    package func giveBack(_ amount: Int, of budget: Budget) {
        state.withLock { $0.used[budget, default: 0] -= max(0, amount) }
    }

    /// What is left of a budget.
    package func left(of budget: Budget) -> Int {
        state.withLock { max(0, limits[budget] - $0.used[budget, default: 0]) }
    }

    /// The first budget that did not suffice.
    package var exceeded: Budget? { state.withLock { $0.exceeded.first } }

    /// A Boolean value that indicates whether a budget did not suffice, or the time is over.
    package var isSpent: Bool { clock.stop != nil || exceeded != nil }

    /// Whether more of a budget was asked for than there is.
    package func isExceeded(_ budget: Budget) -> Bool { state.withLock { $0.exceeded.contains(budget) } }
}

extension Diagnostic {
    /// The message that a budget is used up.
    package init(_ budget: Budget, limit: Int, at location: Location? = nil) {
        self.init(
            .error, budget.code, "the document asks for more than \(limit) \(budget.counts)", at: location)
    }
}
