// Documents on pages: what PDF files and pictures of single pages have in common.
//
// In: a document, options and a size. Out: the bytes of a file for each page.

import FancyTextImages
import FancyTextPainting

extension Renderer {
    /// The pages of a document; nil if neither a size nor the document's rules ask for pages.
    func pageSetup(for document: Document, _ page: PageSize?, _ options: RenderOptions) -> PageSetup? {
        guard page != nil || options.usesPageRules else { return nil }
        var document = document
        let paper = PageSize.standard
        document.setViewport(
            options.viewport ?? Viewport(width: paper.width, height: paper.height), scale: options.deviceScale,
            isPicture: true, medium: options.medium ?? .print)
        let rules = document.pageRules()
        guard page != nil || !rules.isEmpty else { return nil }
        return PageSetup(page ?? PageSize(), rules: rules, parser: document.snippetParser)
    }

    /// The pages of a display list, with the boxes in their margins.
    func paged(
        _ list: DisplayList, _ setup: PageSetup, _ plan: RenderPlan, _ document: inout Document, _ numbers: PageNumbers?
    ) throws(RenderError) -> PagedPicture {
        let styled = document.styled()
        let root = document.canvasElements.first.map { styled.styles[styled.style(of: $0)] } ?? styled.rootStyle
        let boxes = PageMarginBoxes(
            setup: setup, pages: list.pages, strings: Dictionary(grouping: list.strings, by: \.name),
            counters: list.pageCounters, counterStyles: styled.index.counterStyles,
            inherited: MarkupStyle.inheritedDeclarations(of: root))
        for name in boxes.unknownCounters {
            document.diagnostics.warn(
                .noEffect,
                "counter(\(name)) in the margin of a page is 0: it has the counters of @page rules; "
                    + "'string-set' passes others")
        }
        let parser = document.snippetParser
        let count = list.pages.count
        if let numbers, !(1...max(1, count)).contains(where: numbers.contains) {
            throw .encoding("the document has only \(count) page\(count == 1 ? "" : "s")")
        }
        if let last = numbers?.last, last > count, last < .max {
            document.diagnostics.report(
                Diagnostic(.note, .noEffect, "there is no page \(last): the document has only \(count)"))
        }
        return try PagedPicture(list, boxes, where: { numbers?.contains($0 + 1) ?? true }) { html throws(RenderError) in
            var snippet = parser.parse(html)
            let width = list.pages.indices.map { boxes.geometry(of: $0).paper.width }.max() ?? 1
            var list = try RenderPlan(&snippet, width: width, height: nil, in: plan).list(&snippet)
            list.background = .transparent
            return list
        }
    }

    /// A picture of each page of the document, with the number of the page from 1.
    ///
    /// - Parameters:
    ///   - document: The document, whose messages are kept in it.
    ///   - format: Any format; each page of a PDF is a file.
    ///   - options: The options of pictures.
    ///   - page: The size of the pages.
    ///   - numbers: The pages to make; nil for all.
    /// - Throws: ``RenderError``.
    public func pages(
        _ document: inout Document, as format: PictureFormat, _ options: RenderOptions = RenderOptions(),
        page: PageSize = PageSize(), numbers: PageNumbers? = nil
    ) throws(RenderError) -> [(number: Int, bytes: [UInt8])] {
        try pictured(&document, onPaper: true) { document throws(RenderError) in
            guard let setup = pageSetup(for: document, page, options) else { return [] }
            let plan = try RenderPlan(&document, options, for: .pages(setup), by: self)
            let list = try plan.displayList(of: &document)
            let pages = try paged(list, setup, plan, &document, numbers)
            defer { document.reportFailures(of: plan.images) }
            var result: [(number: Int, bytes: [UInt8])] = []
            for number in 0..<pages.count where numbers?.contains(number + 1) ?? true {
                let bytes = try bytes(of: pages.list(of: number), as: format, plan, document)
                result.append((number + 1, bytes))
            }
            return result
        }
    }

    func bytes(
        of list: DisplayList, as format: PictureFormat, _ plan: RenderPlan, _ document: Document,
        _ metadata: PNGMetadata? = nil
    ) throws(RenderError) -> [UInt8] {
        switch format {
        case .png: return try encode(list, plan, metadata: metadata)
        case .svg: return try svg(of: list, plan)
        case .pdf: return try pdf(of: 0..<1, with: Set(list.destinations.map(\.name)), plan, document) { _ in list }
        case .jpeg, .webp:
            try paint(list, plan)
            return try encodedCanvas(as: format, scale: plan.options.scale)
        }
    }
}
