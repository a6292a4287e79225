// The alignments of a box that are safe or unsafe (CSS Box Alignment 3 §4.4): in a safe one, overflowing contents start where they
// can still be seen.

package struct SafeAlignments: OptionSet, Equatable, Sendable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }
    package static let justifyContent = SafeAlignments(rawValue: 1)
    package static let alignContent = SafeAlignments(rawValue: 2)
    package static let justifyItems = SafeAlignments(rawValue: 4)
    package static let alignItems = SafeAlignments(rawValue: 8)
    package static let justifySelf = SafeAlignments(rawValue: 16)
    package static let alignSelf = SafeAlignments(rawValue: 32)

    /// True for a safe alignment, false for an unsafe one, and nil if the style does not say.
    package subscript(use: SafeAlignments) -> Bool? {
        get { contains(use) ? true : contains(use.unsafe) ? false : nil }
        set {
            subtract(use.union(use.unsafe))
            if let newValue { formUnion(newValue ? use : use.unsafe) }
        }
    }

    private var unsafe: SafeAlignments { SafeAlignments(rawValue: rawValue << 8) }
}
