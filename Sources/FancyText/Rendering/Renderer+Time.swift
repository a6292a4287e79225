// The time limit of a rendering.

extension RenderError {
    init(_ stop: WorkClock.Stop, seconds: Double) {
        switch stop {
        case .timeout: self = .tookTooLong(seconds: seconds)
        case .cancelled: self = .cancelled
        }
    }
}

extension Renderer {
    /// Renders within a number of seconds, unless the task is cancelled.
    ///
    /// - Throws: The errors of `work`; ``RenderError/tookTooLong(seconds:)`` or ``RenderError/cancelled`` if it was stopped.
    func timed<Output>(seconds: Double = 0, _ work: () throws(RenderError) -> Output) throws(RenderError) -> Output {
        try WorkClock.run(seconds: seconds) { clock throws(RenderError) in
            let result = Result { () throws(RenderError) -> Output in try work() }
            if let stop = clock.stop { throw RenderError(stop, seconds: seconds) }
            return try result.get()
        }
    }

    /// Renders a document within its ``Limits/seconds``. A document whose parsing was stopped is incomplete, and is not rendered.
    func timed<Output>(
        _ document: inout Document, _ work: (inout Document) throws(RenderError) -> Output
    ) throws(RenderError) -> Output {
        let seconds = document.parser.syntax.limits.seconds
        if let stop = document.stop { throw RenderError(stop, seconds: seconds) }
        do {
            return try timed(seconds: seconds) { () throws(RenderError) in try work(&document) }
        } catch {
            switch error {
            case .tookTooLong, .cancelled: document.forgetStyles()
            case .font, .tooManyPixels, .emptyCanvas, .picture, .encoding, .overBudget: break
            }
            throw error
        }
    }

    /// Renders a document as ``timed(_:_:)`` does, with highlighted code, and on paper with open `details`.
    func pictured<Output>(
        _ document: inout Document, onPaper: Bool = false, _ work: (inout Document) throws(RenderError) -> Output
    ) throws(RenderError) -> Output {
        let highlighted = document.highlighted()
        guard var copy = onPaper ? (highlighted ?? document).withOpenDetails() ?? highlighted : highlighted else {
            return try timed(&document, work)
        }
        defer { document.diagnostics = copy.diagnostics }
        return try timed(&copy, work)
    }
}
