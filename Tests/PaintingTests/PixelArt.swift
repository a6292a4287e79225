// Pictures as letters: tests draw into tiny canvases and compare with a readable grid.

@testable import FancyTextPainting

/// Rows of a canvas as text, one letter for each pixel: `.` transparent or white, `#` black, `R` `G` `B` the pure colours, `o`
/// any other.
func pixelArt(_ canvas: Bitmap) -> String {
    let pixmap = canvas.makePixmap()
    return (0..<pixmap.height).map { y in
        String((0..<pixmap.width).map { x in letter(pixmap[x, y]) })
    }.joined(separator: "\n")
}

func letter(_ pixel: UInt32) -> Character {
    switch pixel {
    case 0, 0xFFFF_FFFF: "."
    case 0xFF00_0000: "#"
    case 0xFF00_00FF: "R"
    case 0xFF00_FF00: "G"
    case 0xFFFF_0000: "B"
    default: "o"
    }
}
