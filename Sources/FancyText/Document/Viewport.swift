// The screen or paper that styles are resolved for.

/// The size of a screen in CSS pixels (Media Queries 4 §4, CSS Values 4 §6.1.2).
public struct Viewport: Hashable, Sendable {
    /// CSS pixels.
    public var width: Float
    /// CSS pixels.
    public var height: Float

    /// A screen of this size.
    public init(width: Float, height: Float) {
        (self.width, self.height) = (width, height)
    }

    /// A screen with an aspect ratio of 4:3.
    init(width: Float) { self.init(width: width, height: width * 0.75) }
}

/// A medium of style sheets (Media Queries 4 §2.3).
public enum Medium: String, CaseIterable, Sendable {
    case screen, print
}
