// Input encodings (WHATWG Encoding): any bytes in, valid UTF-8 out. A byte order mark decides first, then the caller's label, then
// `<meta charset>`; else valid UTF-8 is read as such, and other input as Windows-1252, without loss; and a check that it is text.

import FancyTextBasics
import CFancyTextICU

package enum InputEncoding {
    /// The input as UTF-8; the input itself if it is valid UTF-8. Invalid sequences become U+FFFD, with a diagnostic.
    package static func decode(_ source: SourceBytes, label: String?, sourceName: String, log: inout DiagnosticLog)
        -> SourceBytes
    {
        let bytes = source.buffer
        func report(_ severity: Diagnostic.Severity, _ message: String) {
            log.report(Diagnostic(severity, .unknownEncoding, message, at: .start(of: sourceName)))
        }
        var name: String?
        var skipped = 0
        let marks = [
            ("utf-8", [0xEF, 0xBB, 0xBF] as [UInt8]), ("utf-16be", [0xFE, 0xFF]), ("utf-16le", [0xFF, 0xFE]),
        ]
        if let (encoding, mark) = marks.first(where: { bytes.starts(with: $0.1) }) {
            (name, skipped) = (encoding, mark.count)
        } else if let label {
            name = Self.name(forLabel: label)
            if name == nil { report(.error, "unknown encoding '\(label)'") }
        }
        if name == nil, let declared = DeclaredEncoding.label(in: bytes) {
            name = Self.name(forLabel: declared)
            if name == nil { report(.warning, "unknown encoding '\(declared)' in meta") }
            // A page whose `meta` can be read as ASCII is not in UTF-16.
            if name == "utf-16le" || name == "utf-16be" { name = "utf-8" }
        }
        let firstInvalid = firstInvalidUTF8(bytes)
        switch name {
        case nil where firstInvalid != nil, "windows-1252":
            let isASCII = firstInvalid == nil && bytes.allSatisfy { $0 < 0x80 }
            return isASCII ? source : SourceBytes(decodeWindows1252(bytes))
        case nil, "utf-8":
            let text = UnsafeBufferPointer(rebasing: bytes[skipped...])
            guard let firstInvalid else { return skipped == 0 ? source : SourceBytes(Array(text)) }
            log.warn(
                .invalidUTF8, "invalid UTF-8 at byte \(firstInvalid): invalid bytes are shown as U+FFFD",
                at: Diagnostic.Location(source: sourceName, offset: firstInvalid - skipped, in: text))
            return SourceBytes(Array(String(decoding: text, as: UTF8.self).utf8))
        case "utf-16le", "utf-16be": return SourceBytes(decodeUTF16(bytes[skipped...], isBigEndian: name == "utf-16be"))
        case "iso-8859-16":
            return SourceBytes(decode(bytes) { $0 < 0xA0 ? UInt32($0) : latin10[Int($0) - 0xA0].value })
        case .some(let other):
            let converted =
                other == "gb18030"
                ? withEuros(bytes).withUnsafeBufferPointer { convert($0, from: other) } : convert(bytes, from: other)
            if let converted { return SourceBytes(converted) }
            report(.error, "the encoding \(other) needs ICU, which is not installed: read as Windows-1252")
            return SourceBytes(decodeWindows1252(bytes))
        }
    }

    // MARK: Labels

    /// The encoding of a WHATWG label, in lower case; nil for an unknown label.
    package static func name(forLabel label: String) -> String? {
        let key = label.lowercased().filter { !" \t\n\r\u{C}".contains($0) }
        return labels.first { $0.value.split(separator: " ").contains { $0 == key } }?.key
    }

    private static let labels: KeyValuePairs = [
        "utf-8": "utf8 utf-8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8",
        "windows-1252":
            "windows-1252 cp1252 x-cp1252 ansi_x3.4-1968 ascii us-ascii cp819 ibm819 iso-8859-1 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 iso-ir-100 l1 latin1 csisolatin1",
        "utf-16le": "utf-16 utf-16le unicode ucs-2 iso-10646-ucs-2 csunicode unicodefeff",
        "utf-16be": "utf-16be unicodefffe", "ibm866": "866 cp866 csibm866 ibm866",
        "iso-8859-2": "iso-8859-2 csisolatin2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2",
        "iso-8859-3": "iso-8859-3 csisolatin3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 l3 latin3",
        "iso-8859-4": "iso-8859-4 csisolatin4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 l4 latin4",
        "iso-8859-5": "iso-8859-5 csisolatincyrillic cyrillic iso-ir-144 iso8859-5 iso88595 iso_8859-5",
        "iso-8859-6":
            "iso-8859-6 arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6-e iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6",
        "iso-8859-7":
            "iso-8859-7 csisolatingreek ecma-118 elot_928 greek greek8 iso-ir-126 iso8859-7 iso88597 iso_8859-7 sun_eu_greek",
        "iso-8859-8":
            "iso-8859-8 csiso88598e csisolatinhebrew hebrew iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 visual iso-8859-8-i csiso88598i logical",
        "iso-8859-10": "iso-8859-10 csisolatin6 iso-ir-157 iso8859-10 iso885910 l6 latin6",
        "iso-8859-13": "iso-8859-13 iso8859-13 iso885913", "iso-8859-14": "iso-8859-14 iso8859-14 iso885914",
        "iso-8859-15": "iso-8859-15 csisolatin9 iso8859-15 iso885915 iso_8859-15 l9", "iso-8859-16": "iso-8859-16",
        "koi8-r": "koi8-r cskoi8r koi koi8 koi8_r", "koi8-u": "koi8-u koi8-ru",
        "macintosh": "macintosh csmacintosh mac x-mac-roman",
        "windows-874": "windows-874 dos-874 iso-8859-11 iso8859-11 iso885911 tis-620",
        "windows-1250": "windows-1250 cp1250 x-cp1250",
        "windows-1251": "windows-1251 cp1251 x-cp1251", "windows-1253": "windows-1253 cp1253 x-cp1253",
        "windows-1254":
            "windows-1254 cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 l5 latin5 x-cp1254",
        "windows-1255": "windows-1255 cp1255 x-cp1255", "windows-1256": "windows-1256 cp1256 x-cp1256",
        "windows-1257": "windows-1257 cp1257 x-cp1257",
        "windows-1258": "windows-1258 cp1258 x-cp1258", "x-mac-cyrillic": "x-mac-cyrillic x-mac-ukrainian",
        "gb18030": "gb18030 gbk chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 iso-ir-58 x-gbk",
        "big5": "big5 big5-hkscs cn-big5 csbig5 x-x-big5", "euc-jp": "euc-jp cseucpkdfmtjapanese x-euc-jp",
        "iso-2022-jp": "iso-2022-jp csiso2022jp",
        "shift_jis": "shift_jis csshiftjis ms932 ms_kanji shift-jis sjis windows-31j x-sjis",
        "euc-kr":
            "euc-kr cseuckr csksc56011987 iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949",
    ]

    /// ICU's names of encodings for which the WHATWG has other names.
    private static let icuNames = [
        "shift_jis": "windows-31j", "euc-kr": "windows-949", "big5": "Big5-HKSCS", "euc-jp": "EUC-JP",
        "windows-874": "windows-874-2000",
    ]

    // MARK: UTF-8

    /// The position of the first invalid sequence; nil when the bytes are valid UTF-8.
    package static func firstInvalidUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        do {
            _ = try UTF8Span(validating: bytes.span)
            return nil
        } catch {
            return error.byteOffsets.lowerBound
        }
    }

    // MARK: Others

    private static func decodeWindows1252(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        decode(bytes) { $0 < 0xA0 ? UInt32(Windows1252.high[Int($0 - 0x80)]) : UInt32($0) }
    }

    /// The text of an encoding in which each byte above ASCII is a character.
    private static func decode(_ bytes: UnsafeBufferPointer<UInt8>, _ character: (UInt8) -> UInt32) -> [UInt8] {
        var out: [UInt8] = []
        // Each byte above ASCII may take two more bytes.
        out.reserveCapacity(bytes.reduce(bytes.count) { $1 < 0x80 ? $0 : $0 + 2 })
        for byte in bytes { if byte < 0x80 { out.append(byte) } else { UTF8Scan.append(character(byte), to: &out) } }
        return out
    }

    private static func decodeUTF16(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, isBigEndian: Bool) -> [UInt8] {
        let pairs = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2)
        let (high, low) = isBigEndian ? (0, 1) : (1, 0)
        let units = pairs.map { UInt16(bytes[$0 + high]) << 8 | UInt16(bytes[$0 + low]) }
        var out = Array(String(decoding: units, as: UTF16.self).utf8)
        if bytes.count % 2 != 0 { UTF8Scan.append(0xFFFD, to: &out) }
        return out
    }

    /// GB 18030 with two bytes for each euro sign of one byte, which ICU does not know (Encoding §10.2.1).
    private static func withEuros(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var (result, isLead) = ([] as [UInt8], false)
        for byte in bytes {
            if byte == 0x80, !isLead { result += [0xA2, 0xE3] } else { result.append(byte) }
            isLead = byte > 0x80 && !isLead
        }
        return result
    }

    /// ISO-8859-16 from 0xA0 on, which ICU lacks; lower bytes are as in Unicode.
    private static let latin10: [Unicode.Scalar] = Array(
        ("\u{A0}" + "ĄąŁ€„Š§š©Ș«Ź\u{AD}źŻ°±ČłŽ”¶·žčș»ŒœŸżÀÁÂĂÄĆÆÇÈÉÊËÌÍÎÏ"
            + "ĐŃÒÓÔŐÖŚŰÙÚÛÜĘȚßàáâăäćæçèéêëìíîïđńòóôőöśűùúûüęțÿ").unicodeScalars)

    private static func convert(_ bytes: UnsafeBufferPointer<UInt8>, from name: String) -> [UInt8]? {
        guard let icu = cicu_load() else { return nil }
        var status: CICUStatus = 0
        guard let converter = icu.pointee.converterOpen(icuNames[name] ?? name, &status), status <= 0
        else { return nil }
        defer { icu.pointee.converterClose(converter) }
        let hasPrivate = name != "euc-kr" && name != "windows-874"
        // UTF-16, of which ICU may return a half of a pair in one piece and the other half in the next.
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count)
        var piece = [UInt16](repeating: 0, count: min(1 << 14, bytes.count + 64))
        return UnsafeRawBufferPointer(bytes).withMemoryRebound(to: CChar.self) { raw in
            guard let base = raw.baseAddress else { return [] }
            var from: UnsafePointer<CChar>? = base
            let limit = base + raw.count
            while true {
                var status: CICUStatus = 0
                let count: Int = piece.withUnsafeMutableBufferPointer { buffer in
                    guard let start = buffer.baseAddress else { return 0 }
                    var to: UnsafeMutablePointer<UInt16>? = start
                    icu.pointee.converterToUnicode(converter, &to, start + buffer.count, &from, limit, nil, 1, &status)
                    return to.map { start.distance(to: $0) } ?? 0
                }
                // ICU's results for unassigned bytes are replaced, and its private character for a space of GB 18030.
                units += piece[..<count].lazy.map {
                    $0 == 0x1A || !hasPrivate && 0xE000...0xF8FF ~= $0 ? 0xFFFD : $0 == 0xE5E5 ? 0x3000 : $0
                }
                if status == CICUStatus(CICUBufferOverflow) { continue }
                return status <= 0 ? Array(String(decoding: units, as: UTF16.self).utf8) : nil
            }
        }
    }

    private static let checkedBytes = 8192

    /// Returns whether the input can be read as text. At its beginning, less than a tenth of the characters must be invalid, and
    /// less than a twentieth controls. Input with as many tags as markup has is always text: fuzzed markup has as many controls as
    /// random bytes, in which next to nothing begins a tag.
    package static func isText(_ source: UnsafeBufferPointer<UInt8>, label: String?) -> Bool {
        guard source.count >= leastBytes else { return true }
        let head = UnsafeBufferPointer(rebasing: source.prefix(checkedBytes))
        if !head.contains(where: { $0 >= 0x80 || isForeign($0) }) { return true }
        var ignored = DiagnosticLog()
        let text = decode(SourceBytes(Array(head)), label: label, sourceName: "", log: &ignored)
        let bytes = text.buffer
        var (characters, controls, invalid, tags) = (0, 0, 0, 0)
        for (index, byte) in bytes.enumerated() where byte & 0xC0 != 0x80 {
            characters += 1
            if isForeign(byte) { controls += 1 }
            let next = index + 1 < bytes.count ? bytes[index + 1] : 0
            // The lead byte of U+FFFD, which few other characters have.
            if byte == 0xEF, next == 0xBF, index + 2 < bytes.count, bytes[index + 2] == 0xBD { invalid += 1 }
            if byte == UInt8(ascii: "<"), next.isASCIILetter || next == 0x2F || next == 0x21 { tags += 1 }
        }
        if tags * 100 >= characters { return true }
        return (controls < fewest || controls * 20 < characters) && (invalid < fewest || invalid * 10 < characters)
    }

    /// Shorter inputs are always text, even if they are only controls.
    private static let leastBytes = 64
    /// Fewer controls or invalid bytes than this are ignored.
    private static let fewest = 4

    /// Returns whether a byte is a control that text does not contain; ISO-2022-JP has escapes.
    private static func isForeign(_ byte: UInt8) -> Bool {
        byte < 0x20 && ![0x09, 0x0A, 0x0C, 0x0D, 0x1B].contains(byte) || byte == 0x7F
    }
}

/// The encoding that a page declares (HTML §13.2.3.2) by `<meta charset>`, `<meta http-equiv=content-type>` or an XML declaration.
package enum DeclaredEncoding {
    /// The number of bytes that are searched in any case; after them the search continues only in head content.
    private static let least = 1024
    /// The search limit. Scripts and styles before the declaration may be long.
    private static let most = 1 << 17

    /// The first label that names an encoding, else the first unknown label; nil if there is no label.
    static func label(in bytes: UnsafeBufferPointer<UInt8>) -> String? {
        let buffer = UnsafeBufferPointer(rebasing: bytes.prefix(most))
        var known: String?, unknown: String?
        var inHead = true
        _ = Tokenizer.contains(in: buffer) { token, attributes in
            if !inHead, token.start >= least { return true }
            guard token.kind == .startTag || token.kind == .endTag else { return false }
            inHead = inHead && standsInHead(token)
            if token.kind == .startTag, token.tag == .meta, let label = label(of: token, attributes, buffer) {
                if InputEncoding.name(forLabel: label) != nil { known = label } else { unknown = unknown ?? label }
            }
            return known != nil
        }
        let start = UnsafeBufferPointer(rebasing: buffer.prefix(least))
        return known ?? unknown ?? label(Grammar.xmlEncoding, in: start)
    }

    private static func standsInHead(_ token: Token) -> Bool {
        switch token.tag {
        case .script, .noscript, .style, .link, .meta, .object, .title, .base: true
        case .html, .head: token.kind == .startTag
        default: false
        }
    }

    /// The encoding label of a meta element.
    private static func label(
        of token: Token, _ attributes: GrowableBuffer<Attribute>, _ buffer: UnsafeBufferPointer<UInt8>
    ) -> String? {
        var content: String?
        var isContentType = false
        for k in 0..<Int(token.attributeCount) {
            let attribute = attributes[Int(token.firstAttribute) + k]
            let start = Int(attribute.valueStart)
            let value = String(decoding: buffer[start..<start + attribute.valueLength], as: UTF8.self)
            switch attribute.id {
            case .charset: return value
            case .content: content = value
            case .httpEquiv: isContentType = value.lowercased() == "content-type"
            default: break
            }
        }
        return isContentType ? content.flatMap(charset(in:)) : nil
    }

    /// The label after `charset=` in a content type (HTML §2.4.4).
    package static func charset(in content: String) -> String? {
        var content = content
        return content.withUTF8 { label(Grammar.charset, in: $0) }
    }

    /// The first group of an expression's match.
    private static func label(_ expression: Expression, in text: UnsafeBufferPointer<UInt8>) -> String? {
        let matcher = Matcher()
        guard let start = text.baseAddress, expression.match(start, count: text.count, from: 0, with: matcher)
        else { return nil }
        return matcher.group(1).map { String(decoding: text[$0], as: UTF8.self) }
    }
}
