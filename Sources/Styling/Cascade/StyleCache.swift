// Caches that make equal elements cheap: declarations by their text, computed styles by their inputs.

import FancyTextBasics
import FancyTextMarkup

struct StyleCache: Sendable {
    /// Blocks other than those of rules: default styles, hints, inline styles. Block 0 is empty.
    var blocks: [DeclarationBlock]
    private var byText: [String: UInt32] = ["": 0]
    /// Default styles by tag and variant.
    private var defaults: [UInt32: UInt32] = [:]

    /// Styles by the inputs they were computed from.
    var styles: [[UInt32]: StyleID] = [:]
    /// The places of matched declarations by their blocks.
    private(set) var places: [[UInt32]: Int] = [:]
    var matched: [MatchedDeclarations] = []

    init() { blocks = [DeclarationBlock(source: CSSSource(""), declarations: [], customs: [])] }

    /// The block of an attribute's text; `parse` is called once for each distinct text.
    mutating func block(_ text: String, _ parse: () -> DeclarationBlock) -> UInt32 {
        if let known = byText[text] { return known }
        let block = parse()
        var index: UInt32 = 0
        if !block.isEmpty {
            index = UInt32(blocks.count)
            blocks.append(block)
        }
        byText[text] = index
        return index
    }

    /// The index of a tag's default style. Elements that differ only in their names can share a style.
    mutating func defaultBlock(
        _ tag: TagID, _ variant: DefaultStyles.Variant, in environment: ResolverEnvironment
    ) -> UInt32 {
        let key = UInt32(tag.rawValue) << 8 | UInt32(variant.rawValue)
        if let known = defaults[key] { return known }
        let css = DefaultStyles.css(tag, variant)
        let index = block(css) {
            environment.defaultBlocks.withLock { known in
                let block = known[css] ?? StylesheetParser.parseInline(css, context: environment.context)
                known[css] = block
                return block
            }
        }
        defaults[key] = index
        return index
    }

    mutating func insert(_ key: [UInt32], _ declarations: MatchedDeclarations) -> Int {
        places[key] = matched.count
        matched.append(declarations)
        return matched.count - 1
    }
}
