// Colours written as CSS functions.

import Testing

@testable import FancyTextBasics
@testable import FancyTextCSS

@Suite struct ColorTests {
    /// Whiteness and blackness of more than 100% in total give a grey by their ratio (CSS Color 4 §8).
    @Test(arguments: [
        ("hwb(0 100% 100%)", "#808080ff"), ("hwb(120 80% 60%)", "#929292ff"), ("hwb(200deg 60% 80%)", "#6d6d6dff"),
        ("hwb(0 150% 0%)", "#ffffffff"), ("hwb(0 0% 150%)", "#000000ff"), ("hwb(0 300% 100% / 50%)", "#bfbfbf80"),
        ("hwb(0 50% 50%)", "#808080ff"), ("hwb(120 0% 0%)", "#00ff00ff"), ("hwb(120 20% 40%)", "#339933ff"),
    ])
    func hwb(_ css: String, _ hex: String) throws {
        #expect(try #require(Color(css: css)).hex == hex)
    }
}
