// The kinds of messages. Their names are stable, while the wording of a message may change.

extension Diagnostic {
    /// The kind of a message, by which programs match, filter and count messages.
    ///
    /// The raw value is its name in data, `area.problem`.
    @nonexhaustive public enum Code: String, Hashable, Sendable, CaseIterable {
        // The input.
        case inputTooLarge = "input.too-large"
        case unknownEncoding = "input.unknown-encoding"
        case invalidUTF8 = "input.invalid-utf8"
        case emptyInput = "input.empty"
        // Its elements.
        case treeTooDeep = "markup.too-deep"
        case treeDeeperThanBrowsers = "markup.deeper-than-browsers"
        case formattingLimit = "markup.formatting-limit"
        case shadowRoot = "markup.shadow-root"
        case notWellFormed = "markup.not-well-formed"
        case frontMatter = "markup.front-matter"
        case scriptsNotRun = "markup.scripts-not-run"
        // Style sheets.
        case unreadableSheet = "css.unreadable-sheet"
        case invalidSyntax = "css.syntax"
        case invalidSelector = "css.invalid-selector"
        case unknownProperty = "css.unknown-property"
        case unsupportedValue = "css.unsupported-value"
        case noEffect = "css.no-effect"
        case unsupportedRule = "css.unsupported-rule"
        case nestingLimit = "css.nesting-limit"
        case dialect = "css.dialect"
        // Boxes and their places.
        case boxesTooDeep = "layout.too-deep"
        case hiddenPage = "layout.hidden-page"
        case clippedText = "layout.clipped-text"
        case tailDoesNotFit = "layout.tail-does-not-fit"
        case tooManyPages = "layout.too-many-pages"
        // Pictures.
        case layersLeftOut = "painting.layers-left-out"
        // Images, fonts and other resources that a document uses.
        case missingImage = "image.missing"
        case imageTooLarge = "image.too-large"
        case imageTooCostly = "image.too-costly"
        case imageOutsideFolder = "image.outside-folder"
        case networkNotAllowed = "image.network-not-allowed"
        case unusableFont = "font.unusable"
        case missingFamily = "font.missing-family"
        case missingGlyph = "font.missing-glyph"
        case missingLibrary = "font.missing-library"
        case unusableLambda = "lambda.unusable"
        case unfilledLambda = "lambda.unfilled"
        case unfilledTag = "template.unfilled"
        // Budgets.
        case budgetGeneratedText = "budget.generated-text"
        case budgetSubstitutedText = "budget.substituted-text"
        case budgetSelectedBytes = "budget.selected-bytes"
        case budgetBoxes = "budget.boxes"
        case budgetTerminalCells = "budget.terminal-cells"
        case budgetLayerBytes = "budget.layer-bytes"
        case budgetPaintedPixels = "budget.painted-pixels"
        case budgetImageBytes = "budget.image-bytes"
        case budgetDecodedPixels = "budget.decoded-pixels"
        case budgetFontBytes = "budget.font-bytes"
        case budgetStyleSheets = "budget.style-sheets"
        case budgetRequests = "budget.requests"
        case budgetFetchedBytes = "budget.fetched-bytes"
        case timeout = "budget.time"
        case cancelled = "run.cancelled"
        // Runs.
        case ignoredOption = "option.ignored"
        case skippedRows = "data.skipped"
        case cachedResults = "cache.hits"
        case pictureDiffers = "check.differs"
        case furtherMessages = "messages.limit"
        case failure = "failure"
    }
}
