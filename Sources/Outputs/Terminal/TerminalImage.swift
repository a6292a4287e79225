// Pictures in terminals: half blocks, sixel, and the protocols of kitty and iTerm2; otherwise the alternative text.

import FancyTextBasics
import FancyTextCSS
import FancyTextImages
import FancyTextPainting

enum TerminalImage {
    enum Shown {
        case none
        /// Cells, row by row: half blocks, or blanks where the terminal's own background is visible.
        case halfBlocks([(glyph: UInt32, style: TerminalStyle)])
        case sequence([UInt8])
    }

    /// The escape sequences or characters that show `picture` in a block of cells.
    static func show(_ picture: Pixmap, columns: Int, rows: Int, _ options: ANSIOptions) -> Shown {
        switch options.images {
        case .none: return .none
        case .halfBlocks:
            let small = ImageScaler.scale(picture, width: columns, height: rows * 2)
            return .halfBlocks(
                (0..<rows * columns).map { place in
                    let (column, row) = (place % columns, place / columns)
                    let (top, bottom) = (opaque(small[column, row * 2]), opaque(small[column, row * 2 + 1]))
                    var style = TerminalStyle()
                    style.foreground = top ?? bottom
                    // A transparent half leaves the terminal's own background.
                    if top != nil { style.background = bottom }
                    return (top != nil ? 0x2580 : bottom != nil ? 0x2584 : 0x20, style)
                })
        case .kitty: return .sequence(kitty(png(picture), columns: columns, rows: rows))
        case .iTerm2:
            let data = png(picture)
            let size = "width=\(columns);height=\(rows);preserveAspectRatio=0;size=\(data.count)"
            return .sequence(Array("\u{1B}]1337;File=inline=1;\(size):".utf8) + Base64.encode(data) + [0x07])
        case .sixel:
            let (width, height) = (max(1, options.cellPixelWidth), max(1, options.cellPixelHeight))
            let scaled = ImageScaler.scale(picture, width: columns * width, height: rows * height)
            return .sequence(SixelEncoder.encode(scaled))
        }
    }

    /// A picture's sequence at its column, after space was made for its rows; the cursor returns to the start of the line.
    static func placed(_ picture: (column: Int, rows: Int, sequence: [UInt8]), passesThroughTmux: Bool) -> [UInt8] {
        let sequence = passesThroughTmux ? throughTmux(picture.sequence) : picture.sequence
        let room = String(repeating: "\n", count: picture.rows) + "\u{1B}[\(picture.rows)A\u{1B}7"
        let column = picture.column > 0 ? "\u{1B}[\(picture.column)C" : ""
        return Array((room + column).utf8) + sequence + Array("\u{1B}8".utf8)
    }

    /// Wraps every sequence, up to its string terminator or BEL, as `DCS tmux ; … ST` with doubled escapes.
    static func throughTmux(_ sequences: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var piece: [UInt8] = []
        func finish() {
            result += Array("\u{1B}Ptmux;".utf8)
            for byte in piece { result += byte == 0x1B ? [0x1B, 0x1B] : [byte] }
            result += [0x1B, 0x5C]
            piece = []
        }
        for byte in sequences {
            piece.append(byte)
            if byte == 0x07 || byte == 0x5C && piece.count > 2 && piece[piece.count - 2] == 0x1B { finish() }
        }
        if !piece.isEmpty { finish() }
        return result
    }

    /// The colour of a pixel; `nil` if it is mostly transparent.
    private static func opaque(_ pixel: UInt32) -> Color? {
        let color = Pixel.straight(pixel)
        return color.alpha >= 128 ? Color(red: color.red, green: color.green, blue: color.blue) : nil
    }

    private static func png(_ picture: Pixmap) -> [UInt8] { (try? PNGEncoder().encode(picture)) ?? [] }

    /// The graphics protocol of kitty: base64 in chunks of at most 4096 bytes.
    private static func kitty(_ data: [UInt8], columns: Int, rows: Int) -> [UInt8] {
        let text = Base64.encode(data)
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: max(1, text.count), by: 4096) {
            let end = min(start + 4096, text.count)
            let more = end < text.count ? 1 : 0
            let head = start == 0 ? "a=T,f=100,c=\(columns),r=\(rows),m=\(more)" : "m=\(more)"
            bytes += Array("\u{1B}_G\(head);".utf8) + text[start..<end] + [0x1B, 0x5C]
        }
        return bytes
    }
}

/// Sixels (DEC STD 070): six rows of pixels at a time, one colour after the other, in the 6 × 6 × 6 colour cube.
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
                for run in mask.indices.runs({ mask[$0] == mask[$1] }) {
                    let character = mask[run.lowerBound] + 63
                    if run.count > 3 { bytes += "!\(run.count)".utf8 }
                    bytes += repeatElement(character, count: run.count > 3 ? 1 : run.count)
                }
            }
            bytes.append(UInt8(ascii: "-"))
        }
        return bytes + [0x1B, 0x5C]
    }
}
