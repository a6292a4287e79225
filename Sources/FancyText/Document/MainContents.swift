// The article of a page, found by its text: blocks with long paragraphs, commas and few links outweigh menus, teasers and
// comments. The weights are those of browsers' reading modes (Readability). In: a tree. Out: the nodes to remove. Sums over the
// arena in document order make each question about a subtree O(1).

import FancyTextMarkup

struct MainContents {
    private let tree: MarkupTree
    private let matcher = Matcher()
    /// The nodes whose contents are no part of an article.
    private var isSkipped: [Bool]
    /// For each node, the sums of all nodes before it.
    private var sums: [Sums] = []
    private let isInline: [Bool]

    private struct Sums {
        var text: Int32 = 0, linked: Int32 = 0, commas: Int32 = 0, headings: Int32 = 0, listed: Int32 = 0
        var paragraphs: Int32 = 0, pictures: Int32 = 0, items: Int32 = 0, inputs: Int32 = 0, frames: Int32 = 0
        /// The text in blocks and cells, without that between them.
        var inBlocks: Int32 = 0
        var code: Int32 = 0

        static func - (a: Sums, b: Sums) -> Sums {
            Sums(
                text: a.text - b.text, linked: a.linked - b.linked, commas: a.commas - b.commas,
                headings: a.headings - b.headings, listed: a.listed - b.listed, paragraphs: a.paragraphs - b.paragraphs,
                pictures: a.pictures - b.pictures, items: a.items - b.items, inputs: a.inputs - b.inputs,
                frames: a.frames - b.frames, inBlocks: a.inBlocks - b.inBlocks, code: a.code - b.code)
        }
        var unlinked: Int32 { text - linked }
        var linkDensity: Double { text > 0 ? Double(linked) / Double(text) : 0 }
    }

    /// The nodes that are no part of the article; nil if the page has none. O(nodes).
    static func removals(from tree: MarkupTree) -> [NodeID]? {
        for isStrict in [true, false] {
            let contents = MainContents(tree, isStrict: isStrict)
            guard let nodes = contents.article() else { continue }
            let removals = contents.removals(keeping: nodes)
            let whole = contents.sum(tree.root)
            let left = removals.reduce(whole) { $0 - contents.sum($1) }
            // A shorter text is an article if there is little else than links around it.
            let isMost = 2 * left.unlinked > whole.unlinked && whole.linked > left.text
            if left.text >= leastText || isMost && left.text >= leastText / 4 { return removals }
        }
        return nil
    }

    private init(_ tree: MarkupTree, isStrict: Bool) {
        self.tree = tree
        isSkipped = Array(repeating: false, count: tree.count)
        isInline = (0..<Int(TagID.knownCount)).map { DefaultStyles.isInline(TagID(UInt16($0))) }
        // In tables and code, names say nothing about articles.
        var tableEnd = tree.root
        tree.forEachDescendant(of: tree.root) { node in
            let tag = tree.tag(node)
            if tag == .table || tag == .code || tag == .pre { tableEnd = max(tableEnd, tree.subtreeEnd(node)) }
            guard tree.kind(node) == .element, isOutside(node, isStrict: isStrict && node >= tableEnd)
            else { return true }
            for inside in tree.subtree(node) { isSkipped[Int(inside.index)] = true }
            return false
        }
        addUp()
    }

    private mutating func addUp() {
        sums.reserveCapacity(tree.count + 1)
        var sum = Sums()
        var (linkEnd, headingEnd, itemEnd, blockEnd, codeEnd) = (0, 0, 0, 0, 0)
        for index in 0..<tree.count {
            sums.append(sum)
            let node = NodeID(index)
            guard !isSkipped[index] else { continue }
            if tree.kind(node) == .text {
                let (length, commas) = Self.measure(tree, node)
                sum.text += length
                sum.commas += commas
                if index < linkEnd { sum.linked += length }
                if index < headingEnd { sum.headings += length }
                if index < itemEnd { sum.listed += length }
                if index < blockEnd { sum.inBlocks += length }
                if index < codeEnd { sum.code += length }
            } else if tree.kind(node) == .element {
                let end = Int(tree.subtreeEnd(node).index)
                switch tree.tag(node) {
                case .a:
                    // Links within the page are part of its text.
                    let isInside = tree.attribute(node, .href)?.hasPrefix("#") ?? true
                    if !isInside { linkEnd = max(linkEnd, end) }
                case .h1, .h2, .h3, .h4, .h5, .h6: headingEnd = max(headingEnd, end)
                case .p:
                    sum.paragraphs += 1
                    blockEnd = max(blockEnd, end)
                case .li:
                    sum.items += 1
                    (itemEnd, blockEnd) = (max(itemEnd, end), max(blockEnd, end))
                case .pre, .code: (codeEnd, blockEnd) = (max(codeEnd, end), max(blockEnd, end))
                case .td, .span, .blockquote, .dl, .div, .ol, .ul, .table: blockEnd = max(blockEnd, end)
                case .img, .picture, .svg: sum.pictures += 1
                case .input, .select, .textarea, .button: sum.inputs += 1
                case .iframe, .object, .embed: sum.frames += 1
                default: break
                }
            }
        }
        sums.append(sum)
    }

    /// The length of a text with white space collapsed, and its commas in several scripts.
    private static func measure(_ tree: MarkupTree, _ node: NodeID) -> (length: Int32, commas: Int32) {
        var (length, commas): (Int32, Int32) = (0, 0)
        var isSpace = true
        for scalar in tree.text(node).unicodeScalars {
            switch scalar.value {
            case 0x09, 0x0A, 0x0C, 0x0D, 0x20, 0xA0:
                if !isSpace { length += 1 }
                isSpace = true
                continue
            case 0x2C, 0x60C, 0x3001, 0xFE50, 0xFE10, 0xFE11, 0x2E41, 0x2E34, 0x2E32, 0xFF0C: commas += 1
            default: break
            }
            isSpace = false
            length += 1
        }
        return (length, commas)
    }

    private func sum(_ node: NodeID) -> Sums { sums[Int(tree.subtreeEnd(node).index)] - sums[Int(node.index)] }

    /// Parts of classes and ids that frames of articles have.
    private static let outsideNames = Expression(
        "(?i)-ad-|ad-break|adbox|advert|agegate|banner|breadcrumb|combx|comment|community|cookie|disqus|extra|footer|gdpr"
            + "|header|legends|menu|newsletter|pager|pagination|popup|promo|related|remark|replies|rss|shoutbox|sidebar"
            + "|skyscraper|social|sponsor|subscribe|supplemental", anchored: false)
    /// Parts of names that articles have too.
    private static let insideNames = Expression(
        "(?i)and|article|body|column|content|main|mathjax|shadow", anchored: false)
    private static let goodNames = Expression(
        "(?i)article|body|content|entry|hentry|h-entry|main|page|pagination|post|text|blog|story", anchored: false)
    private static let badNames = Expression(
        "(?i)-ad-|hidden|banner|combx|comment|com-|contact|footer|gdpr|masthead|media|meta|outbrain|promo|related|scroll"
            + "|share|shoutbox|sidebar|skyscraper|sponsor|shopping|tags|widget", anchored: false)
    private static let shareNames = Expression("(?i)share|sharing", anchored: false)

    private func names(of node: NodeID) -> [[UInt8]] {
        guard tree.hasAttributes(node) else { return [] }
        return [tree.attribute(node, .classNames), tree.attribute(node, .id)].compactMap { $0.map { Array($0.utf8) } }
    }

    private func contains(_ name: [UInt8], _ parts: Expression) -> Bool {
        parts.match(name, count: name.count, from: 0, with: matcher)
    }

    private func weight(of node: NodeID) -> Double {
        names(of: node).reduce(0) { weight, name in
            weight - (contains(name, Self.badNames) ? 25 : 0) + (contains(name, Self.goodNames) ? 25 : 0)
        }
    }

    private func isOutside(_ node: NodeID, isStrict: Bool) -> Bool {
        switch tree.tag(node) {
        case .html, .body, .article, .main: return false
        case .head, .script, .style, .noscript, .template, .nav, .aside, .search, .footer, .iframe, .object, .embed,
            .button, .select, .textarea, .dialog:
            return true
        default: break
        }
        guard tree.hasAttributes(node) else { return false }
        if tree.hasAttribute(node, .hidden) { return true }
        let style = tree.attribute(node, .style)?.lowercased().filter { $0 != " " } ?? ""
        if style.contains("display:none") || style.contains("visibility:hidden") { return true }
        if tree.attribute(node, "aria-hidden")?.lowercased() == "true",
            !(tree.attribute(node, .classNames)?.contains("fallback-image") ?? false)
        {
            return true
        }
        switch tree.attribute(node, .role)?.lowercased() {
        case "menu", "menubar", "complementary", "navigation", "alert", "alertdialog", "dialog", "banner", "search",
            "contentinfo":
            return true
        default: break
        }
        guard isStrict, tree.tag(node) != .a, tree.tag(node).headingLevel == 0, !isHead(node) else { return false }
        let all = names(of: node)
        return all.contains { contains($0, Self.outsideNames) } && !all.contains { contains($0, Self.insideNames) }
    }

    // MARK: The article

    /// Longer titles name no heading.
    private static let longestTitle = 1000
    private static let leastText = 500

    /// The elements that hold the article: the best block, and its siblings that continue it; nil if there is too little text.
    private func article() -> [NodeID]? {
        let scores = scores()
        guard var top = scores.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key else { return nil }
        top = commonAncestor(of: scores, top) ?? top
        // The article may be in several blocks of one parent.
        var last = scores[top] ?? 0
        let least = last / 3
        for parent in blocks(around: top) {
            guard let score = scores[parent], score >= least else { break }
            if score > last {
                top = parent
                break
            }
            last = score
        }
        // Definitions are parts of an article.
        top = ([top] + blocks(around: top)).last { tree.tag($0) == .dl }.flatMap { tree.parent($0) } ?? top
        // A block alone in its parent has its siblings there.
        for parent in blocks(around: top) {
            let elements = tree.children(parent).filter { tree.kind($0) == .element && !isSkipped[Int($0.index)] }
            guard elements.count == 1 else { break }
            top = parent
        }
        var nodes = withSiblings(top, scores)
        // A block may only be a part of what is marked as the article.
        let text = nodes.reduce(0) { $0 + sum($1).unlinked }
        let marked = ([top] + blocks(around: top)).first { [.main, .article].contains(tree.tag($0)) }
        if let marked, sum(marked).unlinked > 2 * text { nodes = [marked] }
        guard let title = title(before: nodes[0]) else { return nodes }
        return [blocks(around: title).first { isHead($0) && tree.subtreeEnd($0) <= nodes[0] } ?? title] + nodes
    }

    /// Returns whether a part of an element marked as the article has its title, and so may have its standfirst and author.
    private func isHead(_ node: NodeID) -> Bool {
        tree.parent(node).map { tree.tag($0) } == .article
            && tree.subtree(node).prefix(64).contains { tree.tag($0) == .h1 }
    }

    /// The last heading before the article that the page's title names.
    private func title(before article: NodeID) -> NodeID? {
        func words(_ node: NodeID) -> String {
            let text = String(decoding: tree.textContent(node), as: UTF8.self)
            return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        let elements = tree.subtree(tree.root).lazy.filter { tree.kind($0) == .element }
        let title = elements.first { tree.tag($0) == .title }.map(words)
        if title?.utf8.count ?? 0 > Self.longestTitle { return nil }
        let headings = Array(elements).filter { $0 < article && tree.tag($0) == .h1 && article >= tree.subtreeEnd($0) }
        return headings.last { heading in
            let text = words(heading)
            guard let title else { return headings.count == 1 }
            return !text.isEmpty && (title.hasPrefix(text) || text.count >= 15 && title.contains(text))
        }
    }

    /// The scores of the blocks that hold paragraphs.
    private func scores() -> [NodeID: Double] {
        var scores: [NodeID: Double] = [:]
        for index in 1..<max(1, tree.count) where !isSkipped[index] {
            let node = NodeID(index)
            guard tree.kind(node) == .element, let sum = paragraph(node), sum.text >= 25 else { continue }
            let points = 2 + Double(sum.commas) + min(Double(sum.text) / 100, 3)
            for (level, ancestor) in tree.ancestors(node).prefix(5).enumerated() where tree.kind(ancestor) == .element {
                let share = level == 0 ? 1 : level == 1 ? 2 : Double(level * 3)
                scores[ancestor, default: initialScore(ancestor)] += points / share
            }
        }
        for (node, score) in scores { scores[node] = score * (1 - sum(node).linkDensity) }
        return scores
    }

    /// The text of a paragraph: of an element for text, or the lines of a block between its blocks.
    private func paragraph(_ node: NodeID) -> Sums? {
        switch tree.tag(node) {
        case .p, .td, .pre, .h2, .h3, .h4, .h5, .h6, .section: return sum(node)
        case .div, .article, .main, .center, .dd:
            let lines = tree.children(node).filter { isLine($0) }
            guard !lines.isEmpty else { return nil }
            return lines.reduce(into: Sums()) {
                let part = sum($1)
                $0.text += part.text
                $0.commas += part.commas
            }
        default: return nil
        }
    }

    private func isLine(_ node: NodeID) -> Bool {
        guard tree.kind(node) == .element else { return tree.kind(node) == .text }
        let tag = tree.tag(node)
        return Int(tag.rawValue) >= isInline.count || isInline[Int(tag.rawValue)]
    }

    private func initialScore(_ node: NodeID) -> Double {
        let score: Double =
            switch tree.tag(node) {
            case .div: 5
            case .pre, .td, .blockquote: 3
            case .address, .ol, .ul, .dl, .dd, .dt, .li, .form: -3
            case .h1, .h2, .h3, .h4, .h5, .h6, .th: -5
            default: 0
            }
        return score + weight(of: node)
    }

    /// The ancestor that at least three other good blocks share.
    private func commonAncestor(of scores: [NodeID: Double], _ top: NodeID) -> NodeID? {
        let best = scores[top] ?? 0
        let others = scores.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(5)
            .filter { $0.key != top && best > 0 && $0.value / best >= 0.75 }.map(\.key)
        guard others.count >= 3 else { return nil }
        return blocks(around: top).first { ancestor in
            others.count { ancestor < $0 && $0 < tree.subtreeEnd(ancestor) } >= 3
        }
    }

    /// The elements that contain a node, the nearest first, up to the body.
    private func blocks(around node: NodeID) -> some Sequence<NodeID> {
        tree.ancestors(node).prefix { tree.kind($0) == .element && tree.tag($0) != .body }
    }

    /// The block and those of its siblings that belong to the article.
    private func withSiblings(_ top: NodeID, _ scores: [NodeID: Double]) -> [NodeID] {
        guard let parent = tree.parent(top) else { return [top] }
        let best = scores[top] ?? 0
        let least = max(10, best * 0.2)
        let ownClass = tree.attribute(top, .classNames) ?? ""
        return tree.children(parent).filter { node in
            if node == top { return true }
            guard tree.kind(node) == .element, !isSkipped[Int(node.index)] else { return false }
            let isAlike = !ownClass.isEmpty && tree.attribute(node, .classNames) == ownClass
            if let score = scores[node], score + (isAlike ? best * 0.2 : 0) >= least { return true }
            guard tree.tag(node) == .p else { return false }
            let sum = sum(node)
            if sum.text > 80 { return sum.linkDensity < 0.25 }
            return sum.text > 0 && sum.linked == 0
                && String(decoding: tree.textContent(node), as: UTF8.self).contains(". ")
        }
    }

    // MARK: Cleaning

    /// Everything outside of the given nodes, and what is in them without being text of the article.
    private func removals(keeping nodes: [NodeID]) -> [NodeID] {
        var result: [NodeID] = []
        let tops = Set(nodes)
        var kept: Set<NodeID> = []
        for node in nodes {
            for ancestor in tree.ancestors(node) { if !kept.insert(ancestor).inserted { break } }
        }
        tree.forEachDescendant(of: tree.root) { node in
            if tops.contains(node) {
                clean(node, &result)
            } else if kept.contains(node) {
                return true
                // The title and the styles in the head stay.
            } else if tree.tag(node) != .head {
                result.append(node)
            }
            return false
        }
        return result
    }

    private func clean(_ top: NodeID, _ result: inout [NodeID]) {
        var figureEnd = top
        tree.forEachDescendant(of: top) { node in
            if tree.tag(node) == .figure { figureEnd = max(figureEnd, tree.subtreeEnd(node)) }
            let isClutter =
                isSkipped[Int(node.index)]
                || tree.kind(node) == .element && isClutter(node, isInFigure: node < figureEnd)
            if isClutter { result.append(node) }
            return !(isClutter || tree.tag(node) == .table && isData(node) || tree.tag(node) == .pre)
        }
    }

    /// Returns whether a block in an article is something else: links to share, a form, a list of links.
    private func isClutter(_ node: NodeID, isInFigure: Bool) -> Bool {
        let sum = sum(node)
        if sum.text < 500, names(of: node).contains(where: { contains($0, Self.shareNames) }) { return true }
        switch tree.tag(node) {
        case .h1, .h2: return weight(of: node) < 0
        case .form, .fieldset, .table, .ul, .div: break
        default: return false
        }
        if tree.tag(node) == .table, isData(node) { return false }
        let weight = weight(of: node)
        if weight < 0 { return true }
        guard sum.commas < 10, 2 * sum.code < sum.text || sum.text == 0 else { return false }
        let isList = tree.tag(node) == .ul || tree.tag(node) == .ol || Double(sum.listed) > 0.9 * Double(sum.text)
        let (text, density) = (Double(sum.text), sum.linkDensity)
        let headings = text > 0 ? Double(sum.headings) / text : 0
        let isClutter =
            !isInFigure && sum.pictures > 1 && sum.paragraphs * 2 < sum.pictures
            || !isList && sum.items - 100 > sum.paragraphs || sum.inputs > sum.paragraphs / 3
            || !isList && !isInFigure && headings < 0.9 && text < 25 && (sum.pictures == 0 || sum.pictures > 2)
                && density > 0
            || !isList && weight < 25 && density > 0.2 || weight >= 25 && density > 0.5
            || sum.frames > 1 || sum.frames == 1 && text < 75 || sum.pictures == 0 && sum.inBlocks == 0
        return isClutter && !(isList && sum.pictures > 0 && sum.pictures == sum.items)
    }

    /// Returns whether a table has data, and is not there for its layout.
    private func isData(_ table: NodeID) -> Bool {
        if tree.attribute(table, .role)?.lowercased() == "presentation" { return false }
        if tree.attribute(table, "datatable") == "0" { return false }
        if tree.hasAttribute(table, "summary") { return true }
        var (rows, cells) = (0, 0)
        for node in tree.subtree(table).dropFirst() where tree.kind(node) == .element {
            switch tree.tag(node) {
            case .caption, .col, .colgroup, .tfoot, .thead, .th: return true
            case .table: return false
            case .tr: rows += 1
            case .td: cells += 1
            default: break
            }
        }
        let columns = rows > 0 ? cells / rows : 0
        return rows > 1 && columns > 1 && (rows >= 10 || columns > 4 || cells > 10)
    }
}

extension Document {
    /// Removes the frame of a page: navigation, asides, the page's header and footer, searches. If an element is marked as the
    /// main contents, only that remains (HTML §4.4.14, WAI-ARIA 1.2 landmark roles). O(n).
    package mutating func keepMain() {
        if let removed = MainContents.removals(from: tree) {
            tree.remove(removed)
            return forgetStyles()
        }
        var mains: [NodeID] = []
        var frame: [NodeID] = []
        for node in tree.subtree(tree.root) where tree.kind(node) == .element {
            switch (tree.attribute(node, .role)?.lowercased(), tree.tag(node)) {
            case ("main", _): mains.append(node)
            case ("navigation", _), ("banner", _), ("contentinfo", _), ("complementary", _), ("search", _):
                frame.append(node)
            case (_, .main): mains.append(node)
            case (_, .nav), (_, .aside), (_, .search): frame.append(node)
            case (_, .header), (_, .footer):
                // A header or footer of an article or section belongs to its contents.
                let isInside = tree.ancestors(node).contains { [.article, .section, .main].contains(tree.tag($0)) }
                if !isInside { frame.append(node) }
            default: break
            }
        }
        if let first = mains.first {
            // One main element is shown; others are hidden, or inside it.
            let main = mains.first { !tree.hasAttribute($0, .hidden) } ?? first
            var inside = main
            while let parent = tree.parent(inside), tree.tag(inside) != .body {
                frame += tree.children(parent).filter { $0 != inside }
                inside = parent
            }
        }
        tree.remove(frame)
        forgetStyles()
    }
}
