// What a caller can ask of a rendering besides the document itself.

import FancyTextBasics
import FancyTextImages
import FancyTextStyling

/// Fonts that a renderer may use besides the embedded ones.
public struct FontOptions: Hashable, Sendable {
    /// Font files, looked up before the system's by the family names they carry.
    public var files: [String] = []
    /// Folders whose font files are added likewise.
    public var folders: [String] = []
    /// Where emoji come from before all other fonts: a font file, or a folder of SVG or PNG files named by code points,
    /// such as `1f600.svg` or `emoji_u1f468_200d_1f4bb.png`.
    public var emoji: String?
    /// Whether fontconfig may be asked for families and for glyphs that no other font has.
    public var usesSystemFonts = true
    /// Of glyphs.
    public var hinting = Hinting.slight

    /// The embedded fonts and those of the system.
    public init() {}
}

/// Fitting of upright outlines to the pixel grid. Text is laid out by the designed advances with each of them.
public enum Hinting: String, CaseIterable, Sendable {
    /// The designed shapes.
    case none
    /// Up and down only: horizontal strokes are crisp, the x positions stay quarters of a pixel. As in Chromium on a
    /// system whose fontconfig says nothing else.
    case slight
    /// By the font's own instructions.
    case full
}

/// How a document becomes a picture. Lengths are CSS pixels.
public struct RenderOptions: Sendable {
    /// A length of the canvas.
    public enum Extent: Hashable, Sendable {
        /// As much as the content needs.
        case auto
        /// CSS pixels; more than 0.
        case pixels(Float)
    }
    /// Where a document stands in a canvas that is higher than it.
    public enum VerticalAlignment: String, CaseIterable, Sendable {
        case top, middle, bottom
    }

    /// Of the canvas; `auto` is as wide as the longest line needs.
    public var width = Extent.pixels(800)
    /// `auto` is as high as the content.
    public var height = Extent.auto
    /// What media queries and `vw`, `vh` answer for; nil is the canvas: its width, or 800 where that is `auto`, and its
    /// height, or three quarters of the width where that is `auto`.
    public var viewport: Viewport?
    /// Device pixels a CSS pixel, 1–16. Of SVG and PDF, what boxes snap to and pictures inside are made in.
    public var scale: Float = 1
    /// Behind everything; nil is white, or what the document's root says.
    public var background: Color?
    /// Around the document; nil is none. A snippet's implied body has a browser's margin of 8 px instead of it.
    public var padding: Float?
    /// Where the document stands in a canvas higher than it.
    public var verticalAlignment = VerticalAlignment.top
    /// Type Mode: each line takes the font size that fills the width, between these; nil is off.
    public var fitLines: ClosedRange<Float>?
    /// Lines shown at most; 0 is all.
    public var maximumLines = 0
    /// Height of the text shown at most; 0 is all.
    public var maximumHeight: Float = 0
    /// HTML that stands for the text left out; nil is an ellipsis.
    public var ellipsis: String?
    /// Exponent of the blend of glyph edges: higher is lighter for dark text; 1.2 is what Chromium has.
    public var gamma: Float = 1.2
    /// What fills the document's `<lambda>` boxes, by their ids.
    public var lambdas: [String: Lambda] = [:]
    /// Folder that images may come from; nil reads no files.
    public var baseFolder: String?
    /// The document's own folder, where relative names begin; nil is ``baseFolder``. Names of files that are not there,
    /// or that lie outside of ``baseFolder``, are looked for from that one.
    public var documentFolder: String?
    /// The document's own URL, where it came from the network: relative names are resolved against it.
    package var baseURL: String?
    /// Fetches images and fonts that http and https URLs name, from hosts with public addresses: never from this machine,
    /// private networks and links. Each may take 10 s, all of a rendering 20 s, and what ``Budget/requests`` and
    /// ``Budget/fetchedBytes`` allow. Needs libcurl.
    public var allowsNetwork = false
    /// Names of hosts that may be asked whatever their addresses are, with ``allowsNetwork`` or without.
    public var allowedHosts: Set<String> = []
    /// Draws the outlines of all boxes over the picture: blocks in blue, inline boxes in orange, parts of tables in
    /// green, flex and grid containers in violet, images in pink.
    public var outlinesBoxes = false
    /// Notes the files that renderings look for.
    package var reads: FileReads?
    /// Puts the text, its language and the scale into the picture (PNG's iTXt and pHYs).
    public var writesMetadata = true

    /// 800 pixels wide, as high as the content.
    public init() {}
}

extension Viewport {
    /// The screen of a canvas; nil where its width is not known.
    package init?(_ width: RenderOptions.Extent) {
        guard case .pixels(let width) = width else { return nil }
        self.init(width: width)
    }
}

extension RenderOptions {
    /// The viewport that was given, else that of the canvas or the terminal.
    package func viewport(in terminal: ANSIOptions? = nil) -> Viewport {
        if let viewport { return viewport }
        if let terminal { return Viewport(width: Float(terminal.width) * terminal.cellWidth) }
        var canvas = Viewport(width) ?? Viewport(width: 800)
        if case .pixels(let height) = height { canvas.height = height }
        return canvas
    }

    /// What makes a picture impossible.
    ///
    /// - Throws: ``RenderError/emptyCanvas`` for a size that is not above 0.
    func validate() throws(RenderError) {
        for extent in [width, height] {
            if case .pixels(let length) = extent, !(length > 0 && length.isFinite) { throw .emptyCanvas }
        }
    }

    /// Whether text may be left out.
    package var limitsText: Bool { maximumLines > 0 || maximumHeight > 0 }

    var network: NetworkAccess { NetworkAccess(allowsPublicHosts: allowsNetwork, hosts: allowedHosts) }

    /// The scale within its bounds.
    package var deviceScale: Float { min(max(scale, 1), Float(Self.largestScale)) }

    package static let largestScale = 16.0
}
