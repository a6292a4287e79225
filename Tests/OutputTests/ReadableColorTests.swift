// Text on terminals is readable in any colour.

import Testing

@testable import FancyTextCSS
@testable import FancyTextOutputs

@Suite struct ReadableColorTests {
    /// Colours on a grid through the cube.
    private static let colors: [Color] = stride(from: 0, through: 255, by: 51).flatMap { red in
        stride(from: 0, through: 255, by: 51).flatMap { green in
            stride(from: 0, through: 255, by: 51).map { blue in
                Color(red: UInt8(red), green: UInt8(green), blue: UInt8(blue))
            }
        }
    }

    /// The colour that is written for a colour on `behind`, or on the terminal's own background.
    private func written(
        _ color: Color, on behind: Color?, _ background: TerminalBackground, _ colors: TerminalColors
    ) -> (text: Color?, behind: Color?) {
        var look = TerminalStyle()
        look.isText = true
        look.foreground = color
        var looks = TerminalLooks()
        let number = looks.number(of: look)
        let field = behind.map { looks.background($0) } ?? 0
        var readable = ReadableColors(background: background, colors: colors)
        let result = readable.resolve(number, field, looks)
        return (result.foreground, result.background)
    }

    private func contrast(_ a: Color, _ b: Color) -> Float {
        Contrast.ratio(Contrast.luminance(a), Contrast.luminance(b))
    }

    @Test func aThemesRolesHaveColors() {
        var theme = TerminalTheme(.dark)
        #expect(TerminalTheme.Role.allCases.allSatisfy { theme[$0] != nil })
        #expect(TerminalTheme(.unknown)[.codeBackground] == nil)
        theme[.link] = .white
        #expect(theme[.link] == .white && theme != TerminalTheme(.dark))
    }

    /// Keywords, strings and comments differ among 16 colours, on dark and on light.
    @Test(arguments: [TerminalBackground.dark, .light]) func tokensDifferAmong16Colours(
        _ background: TerminalBackground
    ) {
        let theme = TerminalTheme(background)
        let colors = [TerminalTheme.Role.keyword, .string, .comment].map { role in
            theme[role].flatMap { written($0, on: nil, background, .ansi16).text }
        }
        #expect(Set(colors).count == 3, "\(colors)")
    }

    @Test(arguments: [TerminalColors.truecolor, .indexed256, .ansi16])
    func everyColorCanBeReadOnEveryTerminal(_ palette: TerminalColors) {
        let grounds: [Color] = [
            .black, .white, Color(red: 0x28, green: 0x2C, blue: 0x34), Color(red: 0xFD, green: 0xF6, blue: 0xE3),
        ]
        for color in Self.colors {
            for ground in palette == .ansi16 ? Array(grounds.prefix(2)) : grounds {
                if let text = written(color, on: nil, .color(ground), palette).text {
                    #expect(contrast(text, ground) >= 4.5, "\(color) on \(ground)")
                }
            }
            if let text = written(color, on: nil, .unknown, palette).text {
                #expect(contrast(text, .black) >= 4.5 && contrast(text, .white) >= 4.5, "\(color)")
            }
        }
    }

    @Test(arguments: [TerminalColors.truecolor, .indexed256, .ansi16])
    func textOnABackgroundOfThePageKeepsToThat(_ palette: TerminalColors) throws {
        for behind in Self.colors {
            for color in [Color.black, .white, Color(red: 128, green: 128, blue: 128), behind] {
                let result = written(color, on: behind, .unknown, palette)
                let ground = try #require(result.behind)
                let text = try #require(result.text)
                #expect(contrast(text, ground) >= 4.5, "\(color) on \(behind)")
            }
        }
    }

    @Test func whatCanBeReadStays() {
        let yellow = Color(red: 0xFD, green: 0xE0, blue: 0x47)
        #expect(written(yellow, on: nil, .color(.black), .truecolor).text == yellow)
        #expect(written(.black, on: nil, .color(.black), .truecolor).text == nil)
        #expect(written(Color(red: 0x33, green: 0x33, blue: 0x33), on: nil, .unknown, .truecolor).text == nil)
    }

    @Test func picturesKeepTheirColors() {
        var look = TerminalStyle()
        look.foreground = .black
        var looks = TerminalLooks()
        let number = looks.number(of: look)
        var readable = ReadableColors(background: .color(.black), colors: .truecolor)
        #expect(readable.resolve(number, 0, looks).foreground == .black)
    }

    @Test func tmuxGetsEachSequenceWrapped() {
        let sequences = Array("\u{1B}_Ga=T;AA\u{1B}\\\u{1B}_Gm=0;BB\u{1B}\\".utf8)
        let wrapped = String(decoding: TerminalImage.throughTmux(sequences), as: UTF8.self)
        #expect(
            wrapped == "\u{1B}Ptmux;\u{1B}\u{1B}_Ga=T;AA\u{1B}\u{1B}\\\u{1B}\\"
                + "\u{1B}Ptmux;\u{1B}\u{1B}_Gm=0;BB\u{1B}\u{1B}\\\u{1B}\\")
    }
}
