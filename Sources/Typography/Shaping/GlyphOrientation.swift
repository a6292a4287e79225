/// How characters stand in a line.
package enum GlyphOrientation: UInt8, Hashable, Sendable {
    /// As in horizontal lines.
    case alongLine
    /// Those upright that stand so in vertical text: Vertical_Orientation (UAX #50) is U, Tu or Tr.
    case mixed
    case upright
    /// Beside each other in the space of one character.
    case combined
}
