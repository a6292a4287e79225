// The orientations of characters in a line (CSS Writing Modes 4 §5.1, §9.1).

/// The orientation of characters relative to their line.
package enum GlyphOrientation: UInt8, Hashable, Sendable {
    /// As in horizontal lines.
    case alongLine
    /// Characters are upright if they are so in vertical text: Vertical_Orientation (UAX #50) is U, Tu or Tr.
    case mixed
    case upright
    /// Beside each other in the space of one character.
    case combined
}
