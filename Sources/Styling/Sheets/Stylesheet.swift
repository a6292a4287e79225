// A parsed style sheet: flat lists of the rules that apply in the medium, in source order.

import FancyTextBasics
import FancyTextCSS
import FancyTextMarkup
import FancyTextSelectors

struct StyleRule: Sendable {
    /// The selector list, with nesting resolved.
    var selectors: String
    /// The byte offset of the selector.
    var offset: Int
    var block: DeclarationBlock
    /// The index in ``Stylesheet/layers``; −1 outside of layers.
    var layer: Int
    /// The condition of the `@container` rule around it.
    var container: ContainerQuery?
    /// The `@scope` rule around it, and its selectors there.
    var scope: (condition: ScopeCondition, selectors: [Selector])?
}

/// `@font-face` (CSS Fonts 4 §4).
package struct FontFaceRule: Hashable, Sendable {
    package enum Source: Hashable, Sendable {
        case local(String)
        case url(String)
    }

    package var family: String
    package var sources: [Source]
    package var weight: ClosedRange<Float> = 400...400
    package var stretch: ClosedRange<Float> = 100...100
    package var isItalic = false
    package var unicodeRanges: [ClosedRange<UInt32>] = []
    package var adjustment = FontAdjustment()
    /// A descriptor without effect that changes text set in the face.
    package var missing: MissingFeature?
    /// The name of the sheet, which the sources' URLs are relative to.
    package var sheet: String
}

/// `@keyframes` (CSS Animations 1 §3).
final class KeyframesRule: Sendable {
    /// The offset 0 is the first moment, 1 the last.
    typealias Frame = (offset: Double, block: DeclarationBlock)

    let name: String
    /// One frame per offset, in ascending order.
    let frames: [Frame]
    /// The index in ``Stylesheet/layers``; −1 outside of layers.
    let layer: Int

    init(name: String, frames: [Frame], layer: Int) {
        (self.name, self.layer) = (name, layer)
        self.frames = Dictionary(grouping: frames, by: \.offset).sorted { $0.key < $1.key }.map { offset, frames in
            let block = DeclarationBlock(
                source: frames[0].block.source, declarations: frames.flatMap(\.block.declarations),
                customs: frames.flatMap(\.block.customs))
            return (offset, block)
        }
    }
}

/// The contents of a sheet, including its imports.
struct Stylesheet: Sendable {
    var rules: [StyleRule] = []
    var fontFaces: [FontFaceRule] = []
    var keyframes: [KeyframesRule] = []
    var pageRules: [PageRule] = []
    var registrations: [CustomRegistration] = []
    var featureValues: [FontFeatureValues.Rule] = []
    var counterRules: [CounterRule] = []
    var imports: [CSSSource] = []
    /// Names of the layers in the order of their first appearance; nested ones are joined by dots.
    var layers: [String] = []
    /// The index of each of these names.
    var layerIndices: [String: Int] = [:]
}

/// Loads the sheet of an `@import` or `<link>`, given its URL and the name of the sheet or document that refers to it. Returns
/// the text and the name.
package typealias SheetLoader = @Sendable (_ url: String, _ from: String) -> LoadedSheet
package typealias LoadedSheet = Result<(text: [UInt8], name: String), SheetFailure>

/// The reason why a sheet must not or cannot be read, in words, and the code of its diagnostic.
package struct SheetFailure: Error {
    let reason: String
    let code: Diagnostic.Code

    package init(_ reason: String, _ code: Diagnostic.Code = .unreadableSheet) {
        (self.reason, self.code) = (reason, code)
    }
}

struct StylesheetEnvironment {
    var media: MediaEnvironment
    var context: ValueContext
    var dialect = StyleSheetDialect.automatic
    var findsDialectByLengths = true
    var importLoader: SheetLoader?

    static func load(_ url: String, from: String, by loader: SheetLoader?) -> LoadedSheet {
        let loaded = loader?(url, from) ?? .failure(SheetFailure("reading style sheets is not allowed"))
        return loaded.flatMap { sheet in
            let text = decoded(sheet.text)
            return text.contains(0) ? .failure(SheetFailure("it is not text")) : .success((text, sheet.name))
        }
    }

    /// The text of a sheet as UTF-8, from the encoding of its byte order mark or `@charset` (CSS Syntax 3 §3.2).
    private static func decoded(_ text: [UInt8]) -> [UInt8] {
        let start = "@charset \"".utf8
        let isMarked = text.starts(with: [0xFE, 0xFF]) || text.starts(with: [0xFF, 0xFE])
        guard isMarked || text.starts(with: start) else { return text }
        let label = text.dropFirst(start.count).prefix(64).prefix { $0 != UInt8(ascii: "\"") }
        let name = InputEncoding.name(forLabel: String(decoding: label, as: UTF8.self)) ?? "utf-8"
        guard isMarked || !name.hasPrefix("utf-") else { return text }
        var log = DiagnosticLog()
        let source = InputEncoding.decode(SourceBytes(text), label: name, sourceName: "", log: &log)
        return Array(source.buffer)
    }
}
