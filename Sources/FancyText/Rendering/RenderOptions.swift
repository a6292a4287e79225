// The options of a rendering.

import FancyTextImages

/// The options for rendering a document. Lengths are CSS pixels.
public struct RenderOptions: Sendable {
    /// A length of the canvas.
    public enum Extent: Hashable, Sendable {
        /// As large as the content.
        case auto
        /// CSS pixels; more than 0.
        case pixels(Float)
    }
    /// The vertical position of a document in a canvas that is higher.
    public enum VerticalAlignment: String, CaseIterable, Sendable {
        case top, middle, bottom
    }

    /// The width of the canvas; `auto` is the width of the longest line.
    public var width: Extent
    /// The height of the canvas; `auto` is the height of the content.
    public var height: Extent
    /// The viewport of media queries and `vw`, `vh`. nil is the canvas: its width, or 800 if that is `auto`, and its height, or
    /// three quarters of the width if that is `auto`.
    public var viewport: Viewport?
    /// The medium that `@media` rules answer for; nil is print for PDF and for pages, and the screen for all else.
    public var medium: Medium?
    /// True if a PDF of a document with `@page` rules has pages.
    public var usesPageRules: Bool
    /// Device pixels per CSS pixel, 1–16. For SVG and PDF it sets the grid that boxes snap to, and the resolution of embedded
    /// pictures.
    public var scale: Float
    /// The background of the canvas; nil is the root's background, or white.
    public var background: Color?
    /// The padding around the document; nil is none. It replaces the 8 px margin of a snippet's implied body.
    public var padding: Float?
    /// The vertical position of the document in a canvas that is higher.
    public var verticalAlignment: VerticalAlignment
    /// Type Mode: each line gets the font size in this range that fills the width; nil is off.
    public var fitLines: ClosedRange<Float>?
    /// The maximum number of lines; 0 shows all.
    public var maximumLines: Int
    /// The maximum height of the text; 0 shows all.
    public var maximumHeight: Float
    /// HTML that replaces the truncated text; nil is an ellipsis.
    public var ellipsis: String?
    /// The gamma for blending glyph edges: higher is lighter for dark text; 1.2 is Chromium's value.
    public var gamma: Float
    /// The contents of the document's `<lambda>` boxes, by their ids.
    public var lambdas: [String: Lambda]
    /// The folder that images may be in; nil reads no files.
    public var baseFolder: String?
    /// The document's own folder, which is the base of relative names; nil is ``baseFolder``. Names of files that are missing
    /// there, or are outside of ``baseFolder``, are looked up in ``baseFolder``.
    public var documentFolder: String?
    /// The document's own URL, if it came from the network; it is the base of relative names.
    package var baseURL: String?
    /// The base of the document's links, if it is not ``baseURL``.
    package var linkBase: String?
    /// Fetches images and fonts of http and https URLs, from hosts with public addresses: never from this machine, private
    /// networks or link-local addresses. Each may take 10 s, all of a rendering 20 s, within ``Budget/requests`` and
    /// ``Budget/fetchedBytes``. Needs libcurl.
    public var allowsNetwork: Bool
    /// Names of hosts that are allowed regardless of their addresses, with or without ``allowsNetwork``.
    public var allowedHosts: Set<String>
    /// Draws the outlines of all boxes over the picture: blocks in blue, inline boxes in orange, parts of tables in
    /// green, flex and grid containers in violet, images in pink.
    public var outlinesBoxes: Bool
    /// Records the files that renderings look up.
    package var reads: FileReads?
    /// Writes the text, its language and the scale into the picture's metadata (PNG's iTXt and pHYs).
    public var writesMetadata: Bool

    /// A canvas of 800 pixels width, as high as the content; each argument sets the property of its name.
    public init(
        width: Extent = .pixels(800), height: Extent = .auto, viewport: Viewport? = nil, medium: Medium? = nil,
        usesPageRules: Bool = true, scale: Float = 1, background: Color? = nil, padding: Float? = nil,
        verticalAlignment: VerticalAlignment = .top, fitLines: ClosedRange<Float>? = nil, maximumLines: Int = 0,
        maximumHeight: Float = 0, ellipsis: String? = nil, gamma: Float = 1.2, lambdas: [String: Lambda] = [:],
        baseFolder: String? = nil, documentFolder: String? = nil, allowsNetwork: Bool = false,
        allowedHosts: Set<String> = [], outlinesBoxes: Bool = false, writesMetadata: Bool = true
    ) {
        (self.width, self.height, self.viewport, self.medium) = (width, height, viewport, medium)
        (self.usesPageRules, self.scale, self.background) = (usesPageRules, scale, background)
        (self.padding, self.verticalAlignment, self.fitLines) = (padding, verticalAlignment, fitLines)
        (self.maximumLines, self.maximumHeight, self.ellipsis) = (maximumLines, maximumHeight, ellipsis)
        (self.gamma, self.lambdas, self.baseFolder) = (gamma, lambdas, baseFolder)
        (self.documentFolder, self.allowsNetwork) = (documentFolder, allowsNetwork)
        (self.allowedHosts, self.outlinesBoxes) = (allowedHosts, outlinesBoxes)
        self.writesMetadata = writesMetadata
    }

    /// The given viewport, or otherwise that of the canvas or the terminal.
    package func viewport(in terminal: ANSIOptions? = nil) -> Viewport {
        if let viewport { return viewport }
        if let terminal { return Viewport(width: Float(terminal.width) * terminal.cellWidth) }
        var canvas = Viewport(width) ?? Viewport(width: 800)
        if case .pixels(let height) = height { canvas.height = height }
        return canvas
    }

    /// - Throws: ``RenderError/emptyCanvas`` for a size that is not above 0.
    func validate() throws(RenderError) {
        for extent in [width, height] {
            if case .pixels(let length) = extent, !(length > 0 && length.isFinite) { throw .emptyCanvas }
        }
    }

    /// True if text may be truncated.
    package var limitsText: Bool { maximumLines > 0 || maximumHeight > 0 }

    var network: NetworkAccess { NetworkAccess(allowsPublicHosts: allowsNetwork, hosts: allowedHosts) }

    /// The scale, clamped to its limits.
    package var deviceScale: Float { min(max(scale, 1), Float(Self.largestScale)) }

    package static let largestScale = 16.0
}

extension Viewport {
    /// The screen of a canvas; nil if its width is unknown.
    package init?(_ width: RenderOptions.Extent) {
        guard case .pixels(let width) = width else { return nil }
        self.init(width: width)
    }
}
