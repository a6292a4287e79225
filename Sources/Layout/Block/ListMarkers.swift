// Outside markers of list items (CSS Lists 3 §3, with browsers' measures). Text ends at the item's edge, with its own
// space between; the shapes of disc, circle and square are sized by the font's ascent.

import FancyTextBoxes

extension LayoutEngine {
    private func marker(ofItem fragment: Int) -> ListMarker? {
        guard fragment >= 0, tree.boxes[fragment].box >= 0 else { return nil }
        let index = text.boxes[tree.boxes[fragment].box].marker
        return text.markers.indices.contains(index) ? text.markers[index] : nil
    }

    /// Gives an item without lines the height of its marker's line.
    mutating func finishMarker(ofItem fragment: Int, box: Int, flow: inout Flow) {
        guard flow.waitingMarkers.last == fragment, text.boxes[box].marker >= 0 else { return }
        flow.waitingMarkers.removeLast()
        settle(&flow)
        let style = text.markers[text.boxes[box].marker].style
        let info = inlines.inlineStyle(style)
        let baseline = flow.y + info.box.ascent
        placeMarker(ofItem: fragment, baseline: baseline)
        flow.y += info.box.height
        if flow.firstBaseline == nil { flow.firstBaseline = baseline }
        flow.lastBaseline = baseline
    }

    /// Returns the distance by which a line or box (in `fragment`) at `y` moves down so that pending markers on its
    /// baseline do not extend above it. Moves the boxes between it and the items, as browsers do.
    mutating func riseOfMarkers(over ascent: LayoutUnit, at y: LayoutUnit, in fragment: Int, _ flow: Flow) -> LayoutUnit
    {
        var rise = LayoutUnit.zero
        for item in flow.waitingMarkers.reversed() {
            guard let marker = marker(ofItem: item) else { continue }
            let height = markerImageSize(marker, ofItem: item)?.height ?? inlines.inlineStyle(marker.style).box.ascent
            var child = fragment
            while child > item, tree.boxes[child].parent > item { child = tree.boxes[child].parent }
            let top = child > item ? tree.boxes[child].rect.y : y + rise
            let push = height - (y + rise + ascent - top)
            guard push > .zero else { continue }
            rise += push
            var around = fragment
            while around > item {
                tree.boxes[around].rect.y += push
                around = tree.boxes[around].parent
            }
        }
        return rise
    }

    /// The size of a marker's picture; nil without one. As in browsers, a gradient uses half the font's ascent.
    private mutating func markerImageSize(_ marker: ListMarker, ofItem fragment: Int)
        -> (width: LayoutUnit, height: LayoutUnit)?
    {
        switch marker.image {
        case .url(let source)?:
            let zoom = text.styles[tree.boxes[fragment].style].box.zoom
            return replacedSizes.intrinsicSize(of: source, isLambda: false).map {
                (LayoutUnit($0.width * zoom), LayoutUnit($0.height * zoom))
            }
        case .gradient?:
            let side = LayoutUnit((inlines.inlineStyle(marker.style).text.ascent.float / 2).rounded())
            return (side, side)
        case nil: return nil
        }
    }

    /// Places the marker of item `fragment` beside a line with `baseline`, in the context's coordinates.
    mutating func placeMarker(ofItem fragment: Int, baseline: LayoutUnit) {
        guard let marker = marker(ofItem: fragment) else { return }
        let item = tree.boxes[fragment]
        let info = inlines.inlineStyle(marker.style)
        let base = item.isContextRoot ? LayoutUnit.zero : item.rect.x
        let isRightToLeft = text.styles[item.style].text.direction == .rtl
        var result = BoxFragment(
            box: item.box, style: marker.style, element: item.element, kind: .marker, parent: fragment,
            end: tree.boxes.count + 1, origin: item.isContextRoot ? fragment : item.origin, isContextRoot: false,
            axes: axes)
        // On a terminal, the marker is beside the text.
        let start = inlines.snap.isOfCells ? item.frame : Edges()
        let startEdge = base + (isRightToLeft ? item.rect.width - start.right : start.left)
        if let (width, height) = markerImageSize(marker, ofItem: fragment) {
            let gap = text.styles[marker.style].box.content == nil ? LayoutUnit(8) : .zero
            result.rect = LayoutRect(
                x: isRightToLeft ? startEdge + gap : startEdge - gap - width, y: baseline - height, width: width,
                height: height)
        } else if marker.shape != nil {
            let metrics = MarkerShapeMetrics(ascent: (info.text.ascent + info.drop).rounded)
            let size = LayoutUnit(metrics.size)
            let x =
                isRightToLeft ? startEdge + LayoutUnit(metrics.offset) - size : startEdge - LayoutUnit(metrics.offset)
            result.rect = LayoutRect(
                x: x, y: baseline - info.text.ascent + LayoutUnit(metrics.top), width: size, height: size)
        } else {
            let shaped = inlines.shapeGenerated(
                Array(marker.text.utf8), style: marker.style, level: isRightToLeft ? 1 : 0)
            let width = LayoutUnit.ceil(shaped.width)
            var x = isRightToLeft ? startEdge : startEdge - width
            if inlines.snap.isOfCells, [.center, .right, .end].contains(text.styles[item.style].text.align),
                let line = tree.lines.last, line.baseline == baseline
            {
                // On a terminal the marker is beside the text wherever that is.
                let rects = tree.inlines[line.fragments].map(\.rect)
                x = (isRightToLeft ? rects.map(\.maxX).max() : rects.map { $0.x - width }.min()) ?? x
            }
            result.rect = LayoutRect(x: x, y: baseline - info.text.ascent, width: width, height: info.text.height)
            markerLines.append(
                MarkerLine(container: tree.boxes.count, text: shaped, style: marker.style, x: x, baseline: baseline))
        }
        tree.boxes.append(result)
    }
}
