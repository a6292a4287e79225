// Documents as vector files: SVG and PDF.
//
// In: a document and options. Out: the bytes of a file.

import FancyTextBasics
import FancyTextPlatform
import FancyTextImages
import FancyTextOutputs
import FancyTextPainting
import FancyTextTypography

extension Renderer {
    func svg(_ document: inout Document, _ options: RenderOptions) throws(RenderError) -> [UInt8] {
        let plan = try RenderPlan(&document, options, for: .picture(keepsText: true), by: self)
        let (list, fonts) = (try plan.displayList(of: &document), try fonts)
        var images = plan.images
        defer { document.reportFailures(of: images) }
        let writer = SVGWriter(fonts: fonts)
        var paintOptions = vectorOptions(options)
        paintOptions.meter = images.meter
        vectorPainter.paint(list, fonts: fonts, pictures: &images, options: paintOptions, on: writer)
        try Self.check(images.meter)
        return writer.finish(
            size: list.size, scale: options.deviceScale, title: plan.text.title, language: plan.text.language)
    }

    func pdf(
        _ document: inout Document, _ page: PageSize?, _ options: RenderOptions
    ) throws(RenderError) -> [UInt8] {
        let medium = page.map { RenderPlan.Medium.pages($0) } ?? .picture(keepsText: true)
        let plan = try RenderPlan(&document, options, for: medium, by: self)
        var (list, fonts) = (try plan.displayList(of: &document), try fonts)
        var images = plan.images
        defer { document.reportFailures(of: images) }
        do throws(VectorError) {
            let writer = try PDFWriter(
                fonts: fonts, text: plan.text, tree: document.tree, date: Self.sourceDate)
            writer.destinations = Set(list.destinations.map(\.name))
            if let page {
                try paint(
                    &list, on: page, freePages: document.sourceLength >> 10, fonts: fonts, &images, options, writer)
            } else {
                let (width, height) = (list.size.width, list.size.height)
                let zoom = 0.75 * min(1, PDFWriter.longestSide / (0.75 * max(width, height)))
                let points = zoom / options.deviceScale
                writer.beginPage(
                    size: Size(width: width * zoom, height: height * zoom),
                    map: Transform(scaleX: points, scaleY: points),
                    content: Rect(
                        x: 0, y: 0, width: width * options.deviceScale, height: height * options.deviceScale))
                var paintOptions = vectorOptions(options)
                paintOptions.meter = images.meter
                vectorPainter.paint(list, fonts: fonts, pictures: &images, options: paintOptions, on: writer)
                writer.endPage()
            }
            let file = try finish(writer)
            if !images.meter.isSpent { return file }
        } catch {
            try Self.check(images.meter)
            if case .tookTooLong = error {
                throw .tookTooLong(seconds: document.parser.syntax.limits.seconds)
            }
            throw .encoding("\(error)")
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

    private func paint(
        _ list: inout DisplayList, on page: PageSize, freePages: Int, fonts: FontContext, _ images: inout ImageStore,
        _ options: RenderOptions, _ writer: PDFWriter
    ) throws(VectorError) {
        // From pixels of the document to points of the page.
        let zoom = page.contentWidth / max(1, list.size.width)
        let height = max(1, page.height - 2 * page.margin) / zoom
        let places = PageBreaks.places(length: list.size.height, page: height, solid: list.solidRows)
        let background = list.pageBackground
        let scale = options.deviceScale
        let pages = DisplayPages(list, places: places)
        for (number, (top, bottom)) in zip(places, places.dropFirst()).enumerated() {
            guard number < freePages || images.meter.spend(Self.pageCost, of: .paintedPixels) else { return }
            let points = 0.75 * zoom / scale
            let content = Rect(x: 0, y: top, width: list.size.width, height: bottom - top)
            let margin = page.margin * 0.75
            let whole = Transform(
                scaleX: points, scaleY: points, x: margin, y: margin - top * scale * points)
            // The page has the canvas's colour up to its edges.
            writer.beginPage(
                size: Size(width: page.width * 0.75, height: page.height * 0.75), map: Transform(),
                content: Rect(x: 0, y: 0, width: page.width * 0.75, height: page.height * 0.75))
            if background.alpha > 0 {
                writer.fill(
                    Path(
                        RoundedRect(
                            rect: Rect(x: 0, y: 0, width: page.width * 0.75, height: page.height * 0.75))),
                    isEvenOdd: false, with: .color(background))
            }
            writer.place(whole)
            writer.pushClip(
                Path(
                    RoundedRect(
                        rect: Rect(
                            x: 0, y: content.y * scale, width: content.width * scale, height: content.height * scale))),
                isEvenOdd: false)
            var paintOptions = vectorOptions(options)
            paintOptions.page = content
            paintOptions.items = pages.items(of: number)
            paintOptions.links = pages.links(of: number)
            paintOptions.meter = images.meter
            vectorPainter.paint(list, fonts: fonts, pictures: &images, options: paintOptions, on: writer)
            writer.pop()
            writer.pop()
            writer.endPage()
        }
    }

    /// The cost of a page in painted pixels, except for one free page for each KiB of the document.
    private static let pageCost = 250_000

    /// Options for embedded pictures, with two pixels for each CSS pixel, or as many as the scale sets.
    private func vectorOptions(_ options: RenderOptions) -> VectorPainter.Options {
        var result = VectorPainter.Options()
        result.scale = options.deviceScale
        result.density = max(1, 2 / options.deviceScale)
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

extension PageSize {
    /// What the margins leave of the paper's width.
    var contentWidth: Float { max(1, width - 2 * margin) }
}

extension DisplayList {
    /// The background that covers the whole canvas.
    fileprivate var pageBackground: Color {
        if case .fill(let shape, .color(let color)) = items.first, color.alpha == 255, shape.isRectangle,
            shape.rect == Rect(x: 0, y: 0, width: size.width, height: size.height)
        {
            return color
        }
        return background
    }
}
