// Pictures in terminals: half blocks, sixel, and the protocols of kitty and iTerm2; else the alternative text.

import Basics
import Boxes
import Images
import Painting
import Styling

extension ANSIWriter {
    /// A replaced box as lines.
    mutating func replacedLines(_ item: StyledBox, width: Int, background: Color?) -> [TerminalLine] {
        guard item.replaced >= 0 else { return [] }
        let content = text.replaced[item.replaced]
        if options.images != .none, let picture = picture(item, content, width: width) {
            return TerminalImage.lines(
                picture.pixels, columns: picture.columns, rows: picture.rows, options.images, colors: options.colors)
        }
        let bytes = DisplayWidth.sanitized(
            content.alternative.utf8.map { $0 == 0x0A || $0 == 0x0D || $0 == 0x09 ? 0x20 : $0 })
        guard !bytes.isEmpty else { return [] }
        var line = TerminalLine()
        let style = terminalStyle(item.style, background: background, link: target(ofLink: item.link))
        line.append(bytes, width: DisplayWidth.cells(bytes), style)
        return [line]
    }

    /// The picture and how many cells it takes: its CSS size, or its own, at most the width.
    private func picture(_ item: StyledBox, _ content: ReplacedContent, width: Int) -> (
        pixels: Pixmap, columns: Int, rows: Int
    )? {
        guard let pictures else { return nil }
        let isLambda = item.kind == .lambda
        guard let natural = pictures.intrinsicSize(of: content.source, isLambda: isLambda), natural.width > 0,
            natural.height > 0
        else { return nil }
        let style = text.styles[item.style].box
        var size = natural
        let ratio = natural.height / natural.width
        if case .length(let length) = style.width {
            size.width = length.px + length.fraction * Float(width) * options.cellWidth
            size.height = size.width * ratio
        }
        if case .length(let length) = style.height, length.fraction == 0 {
            size.height = length.px
            if case .length = style.width {} else { size.width = size.height / ratio }
        }
        let columns = max(1, min(width, cells(size.width)))
        let shrink = min(1, Float(columns) * options.cellWidth / max(1, size.width))
        let rows = max(1, min(200, pixelInt((size.height * shrink / options.cellHeight).rounded())))
        let (w, h) = (columns * Int(options.cellWidth), rows * Int(options.cellHeight))
        var source = content.source
        if isLambda {
            guard case .picture(let name) = pictures.drawing(lambda: source) else { return nil }
            source = name
        }
        return pictures.picture(source: source, width: w, height: h).map { ($0, columns, rows) }
    }
}

enum TerminalImage {
    /// Lines that show `picture` in a block of cells.
    static func lines(
        _ picture: Pixmap, columns: Int, rows: Int, _ method: ANSIOptions.Images, colors: TerminalColors
    ) -> [TerminalLine] {
        var lines = [TerminalLine](repeating: TerminalLine(), count: rows)
        switch method {
        case .none: return []
        case .halfBlocks:
            let small = ImageScaler.scale(picture, width: columns, height: rows * 2)
            for row in 0..<rows {
                for column in 0..<columns {
                    let (top, bottom) = (
                        Pixel.straight(small[column, row * 2]), Pixel.straight(small[column, row * 2 + 1])
                    )
                    var style = TerminalStyle()
                    // A transparent half leaves the terminal's own background.
                    switch (top.alpha >= 128, bottom.alpha >= 128) {
                    case (true, true):
                        (style.foreground, style.background) = (opaque(top), opaque(bottom))
                        lines[row].append(Array("▀".utf8), width: 1, style)
                    case (true, false):
                        style.foreground = opaque(top)
                        lines[row].append(Array("▀".utf8), width: 1, style)
                    case (false, true):
                        style.foreground = opaque(bottom)
                        lines[row].append(Array("▄".utf8), width: 1, style)
                    case (false, false): lines[row].space(1)
                    }
                }
            }
            return lines
        case .kitty:
            lines[0].picture = kitty(png(picture), columns: columns, rows: rows)
        case .iTerm2:
            let data = png(picture)
            var bytes = Array(
                "\u{1B}]1337;File=inline=1;width=\(columns);height=\(rows);preserveAspectRatio=0;size=\(data.count):"
                    .utf8)
            bytes += base64(data)
            bytes.append(0x07)
            lines[0].picture = bytes
        case .sixel:
            lines[0].picture = SixelEncoder.encode(ImageScaler.scale(picture, width: columns * 8, height: rows * 18))
        }
        // The cursor goes down by itself below these pictures; the other rows are already taken.
        return [lines[0]]
    }

    private static func opaque(_ color: Color) -> Color { Color(red: color.red, green: color.green, blue: color.blue) }

    private static func png(_ picture: Pixmap) -> [UInt8] {
        (try? PNGEncoder().encode(picture)) ?? []
    }

    /// The graphics protocol of kitty: base64 in chunks of at most 4096 bytes.
    private static func kitty(_ data: [UInt8], columns: Int, rows: Int) -> [UInt8] {
        let text = base64(data)
        var bytes: [UInt8] = []
        var start = 0
        repeat {
            let end = min(start + 4096, text.count)
            let more = end < text.count ? 1 : 0
            let head = start == 0 ? "a=T,f=100,c=\(columns),r=\(rows),m=\(more)" : "m=\(more)"
            bytes += Array("\u{1B}_G\(head);".utf8) + text[start..<end] + [0x1B, 0x5C]
            start = end
        } while start < text.count
        return bytes
    }

    static func base64(_ data: [UInt8]) -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var result: [UInt8] = []
        result.reserveCapacity((data.count + 2) / 3 * 4)
        for start in stride(from: 0, to: data.count, by: 3) {
            let count = min(3, data.count - start)
            var bits = 0
            for offset in 0..<3 { bits = bits << 8 | (offset < count ? Int(data[start + offset]) : 0) }
            for group in 0..<4 {
                result.append(group <= count ? alphabet[(bits >> (18 - 6 * group)) & 63] : UInt8(ascii: "="))
            }
        }
        return result
    }
}

/// Sixels (DEC STD 070): six rows of pixels at a time, one colour after the other, in the 6 × 6 × 6 cube.
enum SixelEncoder {
    static func encode(_ picture: Pixmap) -> [UInt8] {
        var bytes = Array("\u{1B}P0;1q\"1;1;\(picture.width);\(picture.height)".utf8)
        func index(_ pixel: UInt32) -> Int {
            let color = Pixel.straight(pixel)
            if color.alpha < 128 { return -1 }
            func level(_ value: UInt8) -> Int { (Int(value) * 5 + 127) / 255 }
            return level(color.red) * 36 + level(color.green) * 6 + level(color.blue)
        }
        let indices = picture.pixels.map(index)
        for color in Set(indices).sorted() where color >= 0 {
            bytes += Array("#\(color);2;\(color / 36 * 20);\(color / 6 % 6 * 20);\(color % 6 * 20)".utf8)
        }
        for band in stride(from: 0, to: picture.height, by: 6) {
            var masks: [Int: [UInt8]] = [:]
            for row in band..<min(band + 6, picture.height) {
                for column in 0..<picture.width {
                    let color = indices[row * picture.width + column]
                    if color >= 0 {
                        masks[color, default: [UInt8](repeating: 0, count: picture.width)][column] |=
                            1 << UInt8(row - band)
                    }
                }
            }
            for (place, color) in masks.keys.sorted().enumerated() {
                if place > 0 { bytes.append(UInt8(ascii: "$")) }
                bytes += Array("#\(color)".utf8)
                let mask = masks[color] ?? []
                var column = 0
                while column < mask.count {
                    var end = column + 1
                    while end < mask.count && mask[end] == mask[column] { end += 1 }
                    let character = mask[column] + 63
                    if end - column > 3 {
                        bytes += Array("!\(end - column)".utf8) + [character]
                    } else {
                        bytes += [UInt8](repeating: character, count: end - column)
                    }
                    column = end
                }
            }
            bytes.append(UInt8(ascii: "-"))
        }
        return bytes + [0x1B, 0x5C]
    }
}
