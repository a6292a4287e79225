// The placement of elements in running text.

import FancyTextBasics
import FancyTextBoxes
import FancyTextMarkup
import FancyTextStyling

/// The box that an element generates, as far as text extraction needs it.
package enum ExtractionDisplay: UInt8, Sendable, BitwiseCopyable {
    case none, contents, inline, inlineBlock, block, listItem, table, inlineTable, rowGroup, row, cell, caption, column
    /// A block whose children become blocks: flex and grid containers.
    case flex, inlineFlex
    case ruby, rubyText
    /// External content: images, controls, media. Its children are not rendered.
    case replaced, replacedBlock
    /// Only the cascade and the boxes determine it.
    case unknown
}

/// The placement of an element in running text, as one number, so that the traversal of a tree keeps it in a register.
package struct TextBox: Sendable, BitwiseCopyable {
    package enum WhiteSpace: UInt8, Sendable, BitwiseCopyable { case normal, nowrap, pre, preWrap, preLine }
    package enum Transform: UInt8, Sendable, BitwiseCopyable { case none, uppercase, lowercase, capitalize }

    /// From the lowest bit: 8 bits each of the display, the white space, the transform, flags and the indent.
    private var bits = UInt64(ExtractionDisplay.inline.rawValue)

    private static var hidden: UInt64 { 1 << 24 }
    private static var outOfFlow: UInt64 { 1 << 25 }
    private static var rightToLeft: UInt64 { 1 << 26 }
    private static var marginAbove: UInt64 { 1 << 27 }
    private static var marginBelow: UInt64 { 1 << 28 }
    private static var withoutText: UInt64 { 1 << 29 }

    package init() {}

    @inline(__always)
    private func byte(_ place: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: bits &>> place) }

    @inline(__always)
    private mutating func setByte(_ place: UInt64, _ value: UInt8) {
        bits = bits & ~(0xFF &<< place) | UInt64(value) &<< place
    }

    @inline(__always)
    private mutating func setFlag(_ flag: UInt64, _ value: Bool) { bits = value ? bits | flag : bits & ~flag }

    // The raw values of the cases count up from 0.
    package var display: ExtractionDisplay {
        @inline(__always) get { unsafeBitCast(byte(0), to: ExtractionDisplay.self) }
        @inline(__always) set { setByte(0, newValue.rawValue) }
    }
    package var whiteSpace: WhiteSpace {
        @inline(__always) get { unsafeBitCast(byte(8), to: WhiteSpace.self) }
        @inline(__always) set { setByte(8, newValue.rawValue) }
    }
    package var transform: Transform {
        @inline(__always) get { unsafeBitCast(byte(16), to: Transform.self) }
        @inline(__always) set { setByte(16, newValue.rawValue) }
    }
    package var isVisible: Bool {
        @inline(__always) get { bits & Self.hidden == 0 }
        @inline(__always) set { setFlag(Self.hidden, !newValue) }
    }
    /// True if the element shows its own text; most elements of SVG do not.
    var showsText: Bool {
        @inline(__always) get { bits & Self.withoutText == 0 }
        @inline(__always) set { setFlag(Self.withoutText, !newValue) }
    }
    /// True if the element is floating or absolutely positioned, and therefore a block.
    package var isOutOfFlow: Bool {
        @inline(__always) get { bits & Self.outOfFlow != 0 }
        @inline(__always) set { setFlag(Self.outOfFlow, newValue) }
    }
    package var isRightToLeft: Bool {
        @inline(__always) get { bits & Self.rightToLeft != 0 }
        @inline(__always) set { setFlag(Self.rightToLeft, newValue) }
    }
    /// True if the margin above is at least half a line.
    package var hasMarginAbove: Bool {
        @inline(__always) get { bits & Self.marginAbove != 0 }
        @inline(__always) set { setFlag(Self.marginAbove, newValue) }
    }
    /// True if the margin below is at least half a line.
    package var hasMarginBelow: Bool {
        @inline(__always) get { bits & Self.marginBelow != 0 }
        @inline(__always) set { setFlag(Self.marginBelow, newValue) }
    }
    /// The number of columns by which the content is indented from the left.
    package var indent: UInt8 {
        @inline(__always) get { byte(32) }
        @inline(__always) set { setByte(32, newValue) }
    }

    /// Turns an inline box into a block, if it is out of flow or in a flex container.
    mutating func blockify() {
        switch display {
        case .inline, .inlineBlock, .ruby, .rubyText: display = .block
        case .inlineFlex: display = .flex
        case .inlineTable: display = .table
        case .replaced: display = .replacedBlock
        case .none, .contents, .block, .listItem, .table, .rowGroup, .row, .cell, .caption, .column, .flex,
            .replacedBlock,
            .unknown:
            break
        }
    }
}
