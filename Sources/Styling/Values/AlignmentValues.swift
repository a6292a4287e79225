// The alignments of a box that are safe (CSS Box Alignment 3 §4.4): overflowing contents start where they can still be seen.

package struct SafeAlignments: OptionSet, Equatable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let justifyContent = SafeAlignments(rawValue: 1)
    package static let alignContent = SafeAlignments(rawValue: 2)
    package static let justifyItems = SafeAlignments(rawValue: 4)
    package static let alignItems = SafeAlignments(rawValue: 8)
    package static let justifySelf = SafeAlignments(rawValue: 16)
    package static let alignSelf = SafeAlignments(rawValue: 32)
}
