// Differences between ICU's tables and the indexes of the Encoding Standard (WHATWG Encoding §6), and one encoding that ICU lacks.

import FancyTextBasics

struct EncodingExceptions {
    /// The characters of two-byte sequences.
    var pairs: [UInt16: String] = [:]
    /// The characters of single bytes.
    var singles: [UInt8: Unicode.Scalar] = [:]
    /// True if bytes that ICU maps to private-use characters are invalid.
    var hasNoPrivateUse = false
    /// The first and second bytes of characters of two bytes.
    var leads: [ClosedRange<UInt8>] = []
    var trails: [ClosedRange<UInt8>] = []
    /// True if a digit as the second byte may begin a character of four bytes.
    var hasFourBytes = false

    static func of(_ encoding: String) -> EncodingExceptions? {
        switch encoding {
        case "big5": big5
        case "gb18030": gb18030
        case "shift_jis":
            EncodingExceptions(
                singles: [0x80: "\u{80}", 0xA0: "\u{FFFD}"], leads: [0x81...0x9F, 0xE0...0xFC], trails: [0x00...0xFF])
        case "euc-kr":
            EncodingExceptions(
                singles: [0x80: "\u{FFFD}"], hasNoPrivateUse: true, leads: [0x81...0xFE], trails: [0x41...0xFE])
        case "koi8-u": EncodingExceptions(singles: [0xAE: "ў", 0xBE: "Ў"])
        case "windows-1253": EncodingExceptions(singles: [0xAA: "\u{FFFD}"])
        case "windows-1255": EncodingExceptions(singles: [0xCA: "\u{5BA}"])
        case "windows-874": EncodingExceptions(hasNoPrivateUse: true)
        default: nil
        }
    }

    private static let big5 = EncodingExceptions(
        pairs: table(big5Characters).merging([
            0x8862: "Ê\u{304}", 0x8864: "Ê\u{30C}", 0x88A3: "ê\u{304}", 0x88A5: "ê\u{30C}",
        ]) { $1 }, hasNoPrivateUse: true, leads: [0x81...0xFE], trails: [0x40...0x7E, 0xA1...0xFE])

    private static let gb18030 = EncodingExceptions(
        pairs: table(gb18030Characters), singles: [0x80: "\u{20AC}"], leads: [0x81...0xFE],
        trails: [0x40...0x7E, 0x80...0xFE], hasFourBytes: true)

    /// The number of bytes of a character whose first byte is 0x80 or more; truncated or invalid characters take one.
    func length(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        let start = bytes.startIndex
        guard bytes.count > 1, leads.contains(where: { $0.contains(bytes[start]) }) else { return 1 }
        if hasFourBytes, bytes[start + 1].isASCIIDigit {
            let isLong = bytes.count > 3 && (0x81...0xFE).contains(bytes[start + 2]) && bytes[start + 3].isASCIIDigit
            return isLong ? 4 : 1
        }
        return trails.contains { $0.contains(bytes[start + 1]) } ? 2 : 1
    }

    /// Parses a table: each word is the bytes of a character, then that character and those of the following codes.
    private static func table(_ words: String) -> [UInt16: String] {
        var table: [UInt16: String] = [:]
        for word in words.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            var bytes = UInt16(word.prefix(4), radix: 16) ?? 0
            for scalar in word.dropFirst(4).unicodeScalars {
                table[bytes] = String(scalar)
                bytes += 1
            }
        }
        return table
    }

    /// Index big5.
    private static let big5Characters = """
        87a4龗 87ac龖 8840㇀㇁㇂㇃㇄ 8846㇅ 8849㇆㇇ 884d㇈ 884f㇉㇊㇋㇌
        8854㇍㇎ 88a9⏚⏛ 8c43龦 8c6d龧 8c74龨 8cb7龩 8cb9龪 8cbb龫
        8cc0龬 8cd7龭龮 8cda龯 8ced龲 8d48龳 8e69箸 8e6f簆 8e7e糎
        8eab緒 8eb4縝 8ecd者 8ed0耨 8f57菁 8f69蒨 8f6e萏 8fcb覦覩
        8ffe起 906d都 907a銹 90dc靜 90f1響 91bf鼖 9244蔃 92af兙兛兝兞
        92c8鍮 92d1瑹 9447浧 94ca禛 95d9邗 9644靝 96ed瀞 96fc嬨
        9b76爁 9b78矗 9b7b纇 9bc6駖 9bde釔 9bec惞 9bf6澶 9c42輶
        9c53侻 9c62營 9c68鄄 9c6b鷰 9c77菏 9cbc尐秣 9cd0婧 9d57輋
        9d5a筑 9dc4拐 9ea9恢 9eef痹 9efd汊 9f60鬮 9f66鼗 9fcb僭
        9fd8弌 a063蠏 a077拎 a0d5瑨 a0df煢 a0e4牐
        a3c0␀␁␂␃␄␅␆␇␈␉␊␋␌␍␎␏␐␑␒␓␔␕␖␗␘␙␚␛␜␝␞␟␡ c6cf廴 c6d3无
        c6d5癶 c6d7隶 c6de〃仝 c879㇏ c8a1龰 c8a3龱 fa5f倩 fa66偽
        fabd包 fac5卄 fad5卿 fb48嘅 fbb8婷 fbf3幵 fbf9廐 fc4f彘
        fc6c悤 fcb9撐 fce2晴 fcf1杞 fdb7沜渝 fdbb港 fdf1煮 fe52猪
        fe6f瑜 feaa瓩 fedd砉
        """

    /// Index gb18030 since 2005.
    private static let gb18030Characters = """
        a3a0\u{3000} a6d9\u{FE10}\u{FE12}\u{FE11}\u{FE13}\u{FE14}\u{FE15}\u{FE16}
        a6ec\u{FE17}\u{FE18} a6f3\u{FE19} fe59\u{9FB4} fe61\u{9FB5} fe66\u{9FB6}\u{9FB7}
        fe6d\u{9FB8} fe7e\u{9FB9} fe90\u{9FBA} fea0\u{9FBB}
        """

    /// Index iso-8859-16 from 0xA0 on; lower bytes are as in Unicode.
    static let latin10: [Unicode.Scalar] = Array(
        ("\u{A0}" + "ĄąŁ€„Š§š©Ș«Ź\u{AD}źŻ°±ČłŽ”¶·žčș»ŒœŸżÀÁÂĂÄĆÆÇÈÉÊËÌÍÎÏ"
            + "ĐŃÒÓÔŐÖŚŰÙÚÛÜĘȚßàáâăäćæçèéêëìíîïđńòóôőöśűùúûüęțÿ").unicodeScalars)
}
