// Lists as HTML: items in the lists of their levels, with their markers.

extension StyledTextWriter {
    /// Ends lists, starting with the innermost, while they satisfy a predicate.
    mutating func closeLists(while fits: (OpenList) -> Bool) {
        while let list = lists.last, fits(list) {
            html += list.itemEnd + (list.isOrdered ? "</ol>" : "</ul>")
            lists.removeLast()
        }
    }

    /// Begins an item with a marker in a list of its level.
    mutating func beginItem(
        _ marker: StyledText.Marker?, of run: StyledText.Run, _ style: MarkupStyle, names: Names, at index: Int,
        level: Int, in parent: MarkupStyle, keeps: Bool
    ) {
        let known = lists.first { $0.level == level }?.isOrdered
        let isOrdered =
            run.range.upperBound < text.paragraphs[index].contentStart ? known ?? false : marker?.number != nil
        closeLists { $0.level > level || $0.level == level && $0.isOrdered != isOrdered }
        var style = style
        if let list = lists.last, list.level == level {
            html += list.itemEnd
        } else {
            var margins = MarkupStyle()
            var last = index
            if lists.isEmpty {
                last = end(ofList: index, level: level, isOrdered: isOrdered)
                margins.paragraphStyle.paragraphSpacingBefore = style.paragraphStyle.paragraphSpacingBefore
                margins.paragraphStyle.paragraphSpacing = text.paragraphs[last].style.paragraphStyle.paragraphSpacing
                // Margins at the ends of the outermost list belong to the list.
                style.paragraphStyle.paragraphSpacingBefore = nil
            }
            open(isOrdered ? "ol" : "ul", nil, "", "all:unset;display:block", margins.css)
            last = lists.first?.last ?? last
            lists.append(OpenList(isOrdered: isOrdered, level: level, style: parent, last: last))
        }
        if lists[0].last == index { style.paragraphStyle.paragraphSpacing = nil }
        var list = lists.removeLast()
        list.style = setOut(style)
        let around = lists.last?.style ?? parent
        list.itemEnd = openItem(marker, run: run, style: list.style, names: names, in: around, keeps: keeps)
        (list.head, list.tail) = (style.paragraphStyle.headIndent ?? 0, style.paragraphStyle.tailIndent ?? 0)
        lists.append(list)
    }

    /// The last paragraph of an outermost list that begins here.
    func end(ofList index: Int, level: Int, isOrdered: Bool) -> Int {
        let cell = text.paragraphs[index].cell
        var last = index
        while last + 1 < text.paragraphs.count {
            let next = text.paragraphs[last + 1]
            guard next.cell == cell, next.listLevel >= level else { break }
            if next.listLevel == level, let marker = next.marker, (marker.number != nil) != isOrdered { break }
            last += 1
        }
        return last
    }

    /// Makes a style relative to an open item, which is indented.
    func setOut(_ style: MarkupStyle) -> MarkupStyle {
        guard let list = lists.last, list.head != 0 || list.tail != 0 else { return style }
        var result = style
        let head = (style.paragraphStyle.headIndent ?? 0) - list.head
        let tail = (style.paragraphStyle.tailIndent ?? 0) - list.tail
        result.paragraphStyle.headIndent = head == 0 ? nil : head
        result.paragraphStyle.tailIndent = tail == 0 ? nil : tail
        result.paragraphStyle.firstLineHeadIndent = style.paragraphStyle.firstLineHeadIndent.map { $0 - list.head }
        return result
    }

    func label(of run: StyledText.Run) -> String {
        let shown = text.text(of: run)
        return shown.hasSuffix("\t") ? shown.dropLast() + " " : String(shown)
    }

    /// Begins a list item and returns its end.
    mutating func openItem(
        _ marker: StyledText.Marker?, run: StyledText.Run, style: MarkupStyle, names: Names, in parent: MarkupStyle,
        keeps: Bool
    ) -> String {
        let tag = blockTag(names.tag)
        var attributes = ""
        let declarations = StyleDeclarations.block(style, in: parent, keepsSpaces: keeps)
        var css = ["all:unset;display:list-item", declarations].filter { !$0.isEmpty }.joined(separator: ";")
        var rule = ""
        if let marker {
            let name = style.paragraphStyle.listStyle ?? marker.label
            var list = MarkupStyle()
            list.paragraphStyle.listStyle = name
            css += ";" + list.css
            if marker.isInside { css += ";list-style-position:inside" }
            let counted = CounterStyles.predefined.marker(marker.number ?? 0, style: name)
            if name != marker.label, counted != marker.label { rule = "content:" + CSSWriter.quoted(marker.label) }
            if let number = marker.number {
                if tag == "li" { attributes += " value=\(number)" } else { css += ";counter-set:list-item \(number)" }
            }
        }
        let markerCSS = markerDeclarations(run.style, in: style)
        if !markerCSS.isEmpty { rule += (rule.isEmpty ? "" : ";") + markerCSS }
        if !rule.isEmpty {
            let number = markerNumbers[rule] ?? markerRules.count
            if number == markerRules.count {
                markerRules.append(rule)
                markerNumbers[rule] = number
            }
            attributes += " data-marker=\"\(number)\""
        }
        open(tag, names, attributes, css)
        return "</\(tag)>"
    }

    /// The declarations of a marker's style that differ from the default, which has tabular figures and no transform.
    func markerDeclarations(_ marker: MarkupStyle, in item: MarkupStyle) -> String {
        var (marker, usual) = (marker, item)
        // The default style of markers already has these figures.
        if let features = marker.font.features, features.first == feature("tnum") {
            marker.font.features = features.count > 1 ? Array(features.dropFirst()) : nil
        }
        usual.textTransform = nil
        usual.backgroundColor = marker.backgroundColor
        marker.link = item.link
        return StyleDeclarations.inline(marker, in: usual)
    }
}
