// The substitute of a missing picture: a frame and a broken-image icon (HTML §15.4.3). Layout makes a line of the alternative text.

import FancyTextBasics
import FancyTextBoxes
import FancyTextCSS
import FancyTextPainting

extension DisplayListBuilder {
    mutating func paintMissing(_ fallback: ImageFallback, in content: RoundedRect) {
        switch fallback {
        case .nothing, .room: return
        case .frame(let hasIcon):
            add(.border(BorderItem(line: Color(red: 192, green: 192, blue: 192), around: content)))
            if !hasIcon { return }
        case .text: break
        }
        add(.pushClip(content))
        let (corner, place) = (content.rect, fallback.iconPlace)
        for (outline, color) in Self.tornPicture {
            let points = outline.map { Point(x: corner.x + place.x + $0.0, y: corner.y + place.y + $0.1) }
            add(.path(Path(polygon: points), .color(color)))
        }
        add(.pop)
    }

    /// The broken-image icon: a sheet with a folded corner and a landscape, torn at the lower right; 16 × 16.
    private static let tornPicture: [(outline: [(Float, Float)], color: Color)] = [
        // The sky, a cloud and the hills.
        ([(1, 1), (10, 1), (10, 6), (15, 6), (15, 10), (8, 15), (1, 15)], Color(red: 205, green: 220, blue: 247)),
        ([(2, 9), (2, 7), (3, 6), (4, 5), (6, 5), (8, 7), (8, 9)], .white),
        ([(1, 15), (4, 11), (6, 10), (8, 10), (11, 12), (8, 15)], hill),
        ([(11, 15), (14, 12.5), (15, 14), (15, 15)], hill),
        // The edges of the sheet on both sides of the tear.
        ([(0, 0), (10, 0), (11, 1), (1, 1), (1, 15), (7, 15), (6, 16), (0, 16)], edge),
        ([(10, 16), (11, 15), (15, 15), (15, 14), (16, 14), (16, 16)], edge),
        // The folded corner.
        ([(10, 0), (16, 5), (16, 11), (15, 11), (15, 6), (10, 6)], edge),
        ([(11, 2), (14, 5), (11, 5)], .white),
    ]
    private static let edge = Color(red: 150, green: 150, blue: 150)
    private static let hill = Color(red: 88, green: 172, blue: 58)
}
