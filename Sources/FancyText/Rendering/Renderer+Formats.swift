// The formats of pictures; documents on pages and as vector files: what PDF, SVG and pictures of single pages have in common. In: a
// document, options and a size. Out: the bytes of a file, or of a file for each page.

import FancyTextImages
import FancyTextPainting
import FancyTextPlatform

/// Formats of picture files.
@nonexhaustive
public enum PictureFormat: Hashable, Sendable {
    /// Lossless, with the document's text as metadata.
    case png
    /// Without transparency: the background is white. The quality is 1 to 100.
    case jpeg(quality: Int = 85)
    /// The quality is 0 to 100; nil is lossless.
    case webp(quality: Int? = nil)
    /// Shapes and selectable text, with embedded glyphs. Effects that only pixels can show are embedded as pictures.
    case svg
    /// As SVG, on one page of the picture's size, or on several pages: those of `page`, else those of the document's `@page` rules
    /// if it has any.
    case pdf(page: PageSize? = nil)
}

extension Renderer {
    /// The document as a picture file's bytes. Linear in its pixels, or, for SVG and PDF, in its contents. The same document
    /// gives the same bytes with the same version of the format's library.
    ///
    /// - Throws: ``RenderError``; it is ``RenderError/encoding(_:)`` if the format's library is not installed, or if the picture
    ///   is larger than the format allows.
    public func picture(
        _ document: inout Document, as format: PictureFormat, _ options: RenderOptions = RenderOptions()
    ) throws(RenderError) -> [UInt8] {
        if case .pdf(let page) = format { return try pdf(&document, page, nil, options) }
        return try pictured(&document) { document throws(RenderError) in
            let hasMetadata = format == .png && options.writesMetadata
            let plan = try RenderPlan(
                &document, options, for: .picture(keepsText: format == .svg || hasMetadata), by: self)
            let list = try plan.displayList(of: &document)
            let metadata = hasMetadata ? try metadata(of: document, list, plan) : nil
            defer { document.reportFailures(of: plan.images) }
            return try bytes(of: list, as: format, plan, document, metadata)
        }
    }

    /// The pages of a document as a PDF file's bytes.
    ///
    /// - Parameters:
    ///   - document: The document, whose messages are kept in it.
    ///   - page: As in ``PictureFormat/pdf(page:)``.
    ///   - numbers: The pages of the file.
    ///   - options: The options of pictures.
    /// - Throws: ``RenderError``.
    public func pdf(
        _ document: inout Document, page: PageSize?, pages numbers: PageNumbers,
        _ options: RenderOptions = RenderOptions()
    ) throws(RenderError) -> [UInt8] { try pdf(&document, page, numbers, options) }

    /// The pixels on the renderer's canvas as the bytes of a JPEG or WebP file.
    func encodedCanvas(as format: PictureFormat, scale: Float) throws(RenderError) -> [UInt8] {
        let (width, height) = (canvas.width, canvas.height)
        do throws(ImageError) {
            return try canvas.withPixels { pixels in
                Result { () throws(ImageError) -> [UInt8] in
                    if case .webp(let quality) = format {
                        return try PictureEncoder.webp(pixels, width: width, height: height, quality: quality)
                    }
                    var quality = 85
                    if case .jpeg(let given) = format { quality = given }
                    return try PictureEncoder.jpeg(pixels, width: width, height: height, quality: quality, scale: scale)
                }
            }.get()
        } catch { throw .encoding("\(error)") }
    }

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
        if setup.lacksSpace {
            if setup.page.margins != nil { throw .picture("the margins leave nothing of the page") }
            document.diagnostics.warn(
                .noEffect, "the margins of an @page rule leave nothing of the page: standard ones are used")
        }
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
            return try pages.shown.map { number throws(RenderError) in
                (number + 1, try bytes(of: pages.list(of: number), as: format, plan, document))
            }
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

    func svg(of list: DisplayList, _ plan: RenderPlan) throws(RenderError) -> [UInt8] {
        let fonts = try fonts
        let writer = SVGWriter(fonts: fonts)
        let images = plan.images
        vectorPainter.paint(list, fonts: fonts, pictures: images, options: vectorOptions(plan), on: writer)
        try Self.check(images.meter)
        return writer.finish(
            size: list.size, scale: plan.options.deviceScale, title: plan.text.title, language: plan.text.language)
    }

    func pdf(
        _ document: inout Document, _ page: PageSize?, _ numbers: PageNumbers?, _ options: RenderOptions
    ) throws(RenderError) -> [UInt8] {
        var options = options
        options.medium = options.medium ?? .print
        return try pictured(&document, onPaper: true) { [options] document throws(RenderError) in
            let setup = pageSetup(for: document, page, options)
            let plan = try RenderPlan(
                &document, options, for: setup.map { .pages($0) } ?? .picture(keepsText: true), by: self)
            let list = try plan.displayList(of: &document)
            defer { document.reportFailures(of: plan.images) }
            guard let setup else { return try bytes(of: list, as: .pdf(), plan, document) }
            let pages = try paged(list, setup, plan, &document, numbers)
            let names = Set(pages.shown.flatMap { pages.destinations(of: $0).map(\.name) })
            return try pdf(of: pages.shown, with: names, plan, document, pages.list(of:))
        }
    }

    /// The bytes of a file with these pages, whose destinations have these names. One list of a page is in memory at a time.
    func pdf(
        of numbers: some Collection<Int>, with names: Set<String>, _ plan: RenderPlan, _ document: Document,
        drawsVectorFiles: Bool = true, _ list: (Int) -> DisplayList
    ) throws(RenderError) -> [UInt8] {
        let (fonts, scale) = (try fonts, plan.options.deviceScale)
        let images = plan.images
        do throws(VectorError) {
            let writer = try PDFWriter(fonts: fonts, text: plan.text, tree: document.tree, date: Self.sourceDate)
            writer.destinations = names
            var paintOptions = vectorOptions(plan)
            paintOptions.drawsVectorFiles = drawsVectorFiles
            let allowance = images.meter.limits[.paintedPixels].multipliedReportingOverflow(by: Self.freeShare)
            var freePixels = allowance.overflow ? .max : allowance.partialValue
            for page in numbers {
                let list = list(page)
                // Items that the document's length accounts for are free; those that pages repeat are not.
                let cost = (Self.itemsOfPage + list.items.count) * Self.itemCost
                let free = document.tree.source.count / 8 * Self.itemCost
                guard images.meter.spend(cost, of: .paintedPixels, besides: free) else { break }
                let (width, height) = (list.size.width, list.size.height)
                if numbers.count > 1 {
                    paintOptions.page = Rect(x: 0, y: 0, width: width, height: height)
                    let side = scale * paintOptions.density
                    paintOptions.freePixels = min(freePixels, Int(bounded: 24 * width * height * side * side))
                }
                let zoom = 0.75 * min(1, PDFWriter.longestSide / (0.75 * max(width, height)))
                let points = zoom / scale
                writer.beginPage(
                    size: Size(width: width * zoom, height: height * zoom),
                    map: Transform(scaleX: points, scaleY: points),
                    content: Rect(x: 0, y: 0, width: width * scale, height: height * scale))
                let unused = vectorPainter.paint(
                    list, fonts: fonts, pictures: images, options: paintOptions, on: writer)
                freePixels -= paintOptions.freePixels - unused
                writer.endPage()
            }
            let file = try finish(writer)
            if !images.meter.isSpent { return file }
        } catch {
            try Self.check(images.meter)
            if case .tookTooLong = error { throw .tookTooLong(seconds: images.meter.limits.seconds) }
            guard drawsVectorFiles, case .failed = error else { throw .encoding("\(error)") }
            // FreeType cannot draw some large letters of SVG files, which ends cairo's file.
            return try pdf(of: numbers, with: names, plan, document, drawsVectorFiles: false, list)
        }
        try Self.check(images.meter)
        throw .encoding("the PDF file is not complete")
    }

    /// Has cairo write the file, in a locked process if there is one. All inputs have been read before this.
    private func finish(_ writer: PDFWriter) throws(VectorError) -> [UInt8] {
        guard let lockedProcess else { return try writer.finish() }
        // If there is no time limit, the file has a minute.
        let seconds = max(0.01, WorkClock.current.secondsLeft ?? 60)
        do throws(LockedProcess.Failure) {
            return try lockedProcess.bytes(seconds: seconds) { () throws(VectorError) in try writer.finish() }
        } catch {
            switch error {
            case .work(let message): throw .failed(message)
            case .tookTooLong: throw .tookTooLong
            case .ended(let reason):
                throw .failed("cannot write the PDF file: the process that writes it ended: \(reason)")
            }
        }
    }

    /// The cost of writing an item in painted pixels.
    private static let itemCost = 500
    /// What pictures on pages may take besides the budget, as a multiple of it: their pixels are in memory until the file ends.
    private static let freeShare = 6
    /// The cost of a page without contents, in items.
    private static let itemsOfPage = 40

    /// Options for embedded pictures, with two pixels for each CSS pixel, or as many as the scale sets.
    private func vectorOptions(_ plan: RenderPlan) -> VectorPainter.Options {
        var result = VectorPainter.Options()
        result.meter = plan.images.meter
        result.scale = plan.options.deviceScale
        result.density = max(1, 2 / result.scale)
        return result
    }

    /// The time of `SOURCE_DATE_EPOCH`, as ISO 8601.
    private static var sourceDate: String? {
        guard let text = getenv("SOURCE_DATE_EPOCH"), var seconds = time_t(String(cString: text)) else { return nil }
        var parts = tm()
        guard gmtime_r(&seconds, &parts) != nil else { return nil }
        var buffer = [CChar](repeating: 0, count: 32)
        let length = strftime(&buffer, buffer.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        return length > 0 ? String(decoding: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }
}
