// The tokens that the tokenizer passes to the tree builder: ranges into the source, without copies.

/// One token. Its `attributeCount` attributes are in the tokenizer's buffer, from `firstAttribute`.
package struct Token: BitwiseCopyable {
    package enum Kind: UInt8, BitwiseCopyable { case text, startTag, endTag, comment, doctype, instruction, cdata, end }

    package var kind = Kind.end
    package var selfClosing = false
    package var tag = TagID.none
    package var attributeCount: UInt32 = 0, firstAttribute: UInt32 = 0
    /// The whole token.
    package var start: UInt32 = 0, end: UInt32 = 0
    /// The text of a text token, or of a comment or document type between its delimiters.
    package var contentStart: UInt32 = 0, contentEnd: UInt32 = 0

    package init() {}
}

/// One attribute as ranges: 16 bytes. Offsets with the top bit set point into a tree's edited bytes.
@usableFromInline package struct Attribute: BitwiseCopyable {
    @usableFromInline var nameStart: UInt32
    /// The ``AttributeID`` in the upper 8 bits, the length in bytes below.
    @usableFromInline var nameInfo: UInt32
    @usableFromInline package var valueStart: UInt32
    /// The top bit marks an element's last attribute.
    @usableFromInline var valueInfo: UInt32

    @inline(__always) init(id: UInt16, name: Range<Int>, value: Range<Int>) {
        nameStart = UInt32(truncatingIfNeeded: name.lowerBound)
        nameInfo = UInt32(id) << 24 | UInt32(truncatingIfNeeded: min(name.count, 0xFF_FFFF))
        valueStart = UInt32(truncatingIfNeeded: value.lowerBound)
        valueInfo = UInt32(truncatingIfNeeded: value.count)
    }

    @inlinable @inline(__always) package var id: AttributeID {
        AttributeID(rawValue: UInt8(truncatingIfNeeded: nameInfo >> 24)) ?? .other
    }
    @inline(__always) var nameLength: Int { Int(nameInfo & 0xFF_FFFF) }
    @inlinable @inline(__always) package var valueLength: Int { Int(valueInfo & 0x7FFF_FFFF) }
    @inlinable @inline(__always) package var isLast: Bool {
        get { valueInfo & 0x8000_0000 != 0 }
        set { valueInfo = newValue ? valueInfo | 0x8000_0000 : valueInfo & 0x7FFF_FFFF }
    }
}

extension TagID {
    /// The decoding of contents that are not markup.
    package enum RawText { case none, raw, decoded }

    /// The syntax of the element's contents: markup (`none`), literal text, or text with character references.
    @inline(__always) package var rawText: RawText {
        switch self {
        case .title, .textarea: .decoded
        case .script, .style, .xmp, .iframe, .noembed, .noframes, .plaintext: .raw
        default: .none
        }
    }
}
