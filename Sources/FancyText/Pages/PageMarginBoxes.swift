// The boxes in the margins of pages, as markup that is laid out like any other (CSS Paged Media 3 §5). In: the pages of a
// document with their rules and named strings. Out: HTML with a sheet for each page, one below the other.

import FancyTextLayout
import FancyTextPainting

struct PageMarginBoxes {
    let setup: PageSetup
    let pages: [DisplayPage]
    /// The values of named strings by their names, each in the order of the pages.
    let strings: [String: [PageString]]
    let counters: [[String: Int]]
    let counterStyles: CounterStyles
    /// The inherited properties of the root element.
    let inherited: String

    /// The tops of the sheets, and the bottom of the last one.
    private(set) lazy var tops: [Float] = pages.indices.reduce(into: [0]) { tops, page in
        tops.append((tops.last ?? 0) + geometry(of: page).paper.height)
    }

    func geometry(of page: Int) -> PageGeometry {
        setup.geometry(PageKind(number: page, name: pages[page].name, isBlank: pages[page].isBlank))
    }

    /// The markup of the sheets that are shown; nil if there is nothing in their margins.
    mutating func html(where shown: (Int) -> Bool) -> String? {
        var result = ""
        for page in pages.indices where shown(page) {
            let geometry = geometry(of: page)
            guard !geometry.css.isEmpty || !geometry.boxes.isEmpty else { continue }
            let (paper, margins) = (geometry.paper, geometry.margins)
            let rule =
                "all:unset;display:block;\(geometry.css)box-sizing:border-box;position:absolute;float:none;margin:0!important;"
            // The background covers the sheet, the border is around the page's area (CSS Paged Media 3 §4.1).
            let sheet =
                "\(rule)inset:0;width:auto;height:auto;border:0!important;box-shadow:none!important;outline:0!important"
            let area =
                "\(rule)left:\(margins.left)px;top:\(margins.top)px;background:none!important;overflow:visible;"
                + "width:\(paper.width - margins.left - margins.right)px;"
                + "height:\(paper.height - margins.top - margins.bottom)px"
            result += Self.element(
                "all:initial;position:absolute;top:\(tops[page])px;left:0;width:\(paper.width)px;"
                    + "height:\(paper.height)px;overflow:clip;display:block;\(inherited)",
                Self.element(sheet, "") + Self.element(area, "")
                    + Self.element("all:unset;\(geometry.css)display:contents", boxes(geometry, page)))
        }
        return result.isEmpty ? nil : result
    }

    private static func element(_ style: String, _ content: String) -> String {
        "<ft-box style=\"\(Notation.escaped(style))\">\(content)</ft-box>"
    }

    /// The names of the boxes from the top left corner to the bottom right one, with the page in the middle.
    private static let names = [
        ["top-left-corner"], ["top-left", "top-center", "top-right"], ["top-right-corner"],
        ["left-top", "left-middle", "left-bottom"], [], ["right-top", "right-middle", "right-bottom"],
        ["bottom-left-corner"], ["bottom-left", "bottom-center", "bottom-right"], ["bottom-right-corner"],
    ]

    /// The four corners, and the boxes of each side in a row or column.
    private func boxes(_ page: PageGeometry, _ number: Int) -> String {
        let (paper, margins) = (page.paper, page.margins)
        func parts(_ start: Float, of length: Float, _ end: Float) -> [(start: Float, length: Float)] {
            [(0, start), (start, length - start - end), (length - end, end)]
        }
        let columns = parts(margins.left, of: paper.width, margins.right)
        let rows = parts(margins.top, of: paper.height, margins.bottom)
        return Self.names.enumerated().map { place, names in
            let (column, row, isRow) = (columns[place % 3], rows[place / 3], place / 3 != 1)
            let rules = names.map { name in page.boxes.first { $0.name == name } }
            guard rules.contains(where: { $0 != nil }) else { return "" }
            // With a box in the middle, which is centred, those on both sides are equally large.
            let hasMiddle = names.count == 3 && rules[1] != nil
            let content = zip(names, rules).enumerated().map { index, pair -> String in
                let (name, rule) = pair
                guard let rule else { return hasMiddle ? Self.element("all:unset;display:block;flex:1 1 0", "") : "" }
                let isSide = hasMiddle && index != 1
                return Self.element(
                    "all:unset;display:block;flex:\(isSide ? "1 1 0" : hasMiddle ? "0 1 auto" : "1 1 auto");"
                        + "margin:\(Self.margins(name, rule.css));text-align:\(Self.textAlign(name));align-content:\(Self.verticalAlign(rule));"
                        + "\(rule.css)\(Self.sets(isRow ? "width" : "height", in: rule.css) ? "flex:none" : "")",
                    text(rule.content ?? [], number))
            }.joined()
            return Self.element(
                "all:unset;position:absolute;left:\(column.start)px;top:\(row.start)px;width:\(column.length)px;"
                    + "height:\(row.length)px;display:flex;flex-direction:\(isRow ? "row" : "column")", content)
        }.joined()
    }

    /// Margins that place a box with a size of its own in its part of the side.
    private static func margins(_ name: String, _ css: String) -> String {
        switch name {
        case "top-right", "bottom-right": "0 0 0 auto"
        case "left-bottom", "right-bottom": "auto 0 0"
        case "top-center", "bottom-center": sets("height", in: css) ? "auto" : "0 auto"
        case "left-middle", "right-middle": sets("width", in: css) ? "auto" : "auto 0"
        default: "0"
        }
    }

    private static func textAlign(_ name: String) -> String {
        switch name {
        case "top-left", "bottom-left", "top-right-corner", "bottom-right-corner": "left"
        case "top-right", "bottom-right", "top-left-corner", "bottom-left-corner": "right"
        default: "center"
        }
    }

    private static func verticalAlign(_ rule: PageMarginRule) -> String {
        switch rule.verticalAlign {
        case "top", "text-top": return "start"
        case "bottom", "text-bottom": return "end"
        case "middle": return "center"
        default: break
        }
        if rule.name.hasSuffix("-top") { return "start" }
        return rule.name == "left-bottom" || rule.name == "right-bottom" ? "end" : "center"
    }

    /// The characters of a text that fit into any margin box.
    private static let longestText = 1000
    /// The parts of a value of `content` that are shown.
    private static let mostParts = 100

    private func text(_ content: [ContentPart], _ page: Int) -> String {
        content.prefix(Self.mostParts).map { part in
            switch part {
            case .string(let text): Notation.escaped(text.prefix(Self.longestText))
            case .counter(let name, _, let style):
                Notation.escaped(counterStyles.text(counters[page][name] ?? 0, style: style))
            case .image(.url(let url)): "<img alt=\"\" src=\"\(Notation.escaped(url))\">"
            case .named(let name, let choice): Notation.escaped(string(name, choice, page).prefix(Self.longestText))
            case .image, .elementText, .attribute, .target, .openQuote, .closeQuote, .noOpenQuote, .noCloseQuote: ""
            }
        }.joined()
    }

    /// The counters in the margins that no `@page` rule changes.
    var unknownCounters: [String] {
        guard let known = counters.last else { return [] }
        let shown = Set(pages.indices.prefix(8)).flatMap { geometry(of: $0).boxes }.flatMap { $0.content ?? [] }
        let names = shown.compactMap { part -> String? in
            if case .counter(let name, _, _) = part { name } else { nil }
        }
        return Set(names).subtracting(known.keys).sorted()
    }

    /// The value of a named string on a page (CSS Generated Content for Paged Media 3 §1.2).
    private func string(_ name: String, _ choice: StringChoice, _ page: Int) -> String {
        let all = strings[name] ?? []
        let start = all.partitioningIndex { $0.page >= page }
        let before = start > 0 ? all[start - 1].value : ""
        let here = all[start...].prefix { $0.page == page }
        return switch choice {
        case .first: here.first?.value ?? before
        case .last: here.last?.value ?? before
        case .start: here.first.map { $0.isAtTop ? $0.value : before } ?? before
        case .firstExcept: here.isEmpty ? before : ""
        }
    }

    private static func sets(_ property: String, in css: String) -> Bool {
        css.split(separator: ";").contains { (declaration: Substring) in
            declaration.drop { $0.isWhitespace }.prefix { $0 != ":" && !$0.isWhitespace }.lowercased() == property
        }
    }
}
