import FancyTextPainting
import Testing

@testable import FancyText

@Suite struct PixelDifferenceTests {
    @Test func equalPicturesAreEqual() {
        let picture = Pixmap(width: 2, height: 2, fill: 0xFF12_3456)
        #expect(PictureDifference(expected: picture, actual: picture).isEqual)
    }

    @Test func differencesAreCountedAndShownInRed() {
        let white = Pixmap(width: 2, height: 1, fill: 0xFFFF_FFFF)
        var other = white
        other.pixels[1] = 0xFFFF_FF00
        let result = PictureDifference(expected: white, actual: other)
        #expect(!result.isEqual && result.differingPixels == 1 && result.largestDifference == 255)
        #expect(result.picture.pixels == [0xFFFF_FFFF, 0xFF00_00FF])
    }

    @Test func otherSizesDiffer() {
        let result = PictureDifference(expected: Pixmap(width: 1, height: 1), actual: Pixmap(width: 2, height: 1))
        #expect(!result.isEqual && result.differingPixels == 1 && result.picture.width == 2)
    }
}
