// Output for terminals: control characters are found at any position.

import Testing

@testable import FancyTextOutputs
@testable import FancyTextWriting

@Suite struct SafeTextTests {
    private func cleaned(_ bytes: [UInt8], isForTerminal: Bool = false) -> [UInt8] {
        var text = bytes
        SafeText.clean(&text, isForTerminal: isForTerminal)
        return text
    }

    /// The expected output for a byte before an ASCII letter.
    private func expected(_ byte: UInt8, _ isForTerminal: Bool) -> [UInt8] {
        switch byte {
        case 0x00, 0x09, 0x0A: [byte]
        case 0x0D: [0x0A]
        case 0x10, 0x12, 0x14...0x17, 0x19, 0x1C...0x1F, 0x7F: isForTerminal ? [] : [byte]
        case 0x01..<0x20: []
        default: [byte]
        }
    }

    @Test(arguments: [false, true])
    func everyByteIsFoundAtEveryPlace(isForTerminal: Bool) {
        for byte in UInt8.min...UInt8.max {
            for before in [0, 1, 7, 8, 14, 15, 16, 17, 31, 32, 33, 40] {
                let start = [UInt8](repeating: 0x61, count: before)
                for end in [[0x62], [UInt8](repeating: 0x62, count: 16), [UInt8](repeating: 0x62, count: 33)] {
                    let text = cleaned(start + [byte] + end, isForTerminal: isForTerminal)
                    #expect(text == start + expected(byte, isForTerminal) + end, "\(byte) behind \(before)")
                }
            }
        }
    }

    @Test(arguments: [false, true])
    func noControlOfTwoBytesIsLeft(isForTerminal: Bool) {
        for scalar in UInt8(0x80)...0xBF {
            let control = scalar < 0xA0
            for before in [0, 1, 14, 15, 16, 31] {
                let start = [UInt8](repeating: 0x61, count: before)
                let text = cleaned(start + [0xC2, scalar] + [0x62], isForTerminal: isForTerminal)
                #expect(text == start + (control ? [] : [0xC2, scalar]) + [0x62], "U+\(scalar) after \(before)")
            }
        }
    }

    @Test func charactersOfSeveralBytesThatSteerAreTakenOut() {
        let filler = "1234567"
        for (part, left) in [
            ("\u{80}", ""), ("\u{9B}", ""), ("\u{A0}", "\u{A0}"), ("\u{AD}", "\u{AD}"), ("\u{202A}", ""),
            ("\u{202E}", ""),
            ("\u{2029}", "\u{2029}"), ("\u{2066}", ""), ("\u{2069}", ""), ("\u{2070}", "\u{2070}"), ("é日", "é日"),
            ("\r\n", "\r\n"), ("\u{1B}[1m", "[1m"), ("", ""),
        ] {
            for count in 0..<6 {
                let around = String(repeating: filler, count: count)
                #expect(
                    cleaned(Array((around + part + around).utf8)) == Array((around + left + around).utf8), "\(part)")
            }
        }
    }
}
