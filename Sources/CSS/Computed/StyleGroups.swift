// The groups of values that styles share.

import FancyTextBasics

/// The values of one element: groups that styles share until one of them changes.
@usableFromInline package struct StyleGroups: Equatable, Sendable {
    @usableFromInline var box = SharedValue(BoxStyle())
    @usableFromInline var text = SharedValue(TextStyle())
    @usableFromInline var font = SharedValue(FontStyle())
    /// Parts of the above that children inherit one by one.
    package var inherited = SharedValue(InheritedCascadeState())
    package var own = SharedValue(OwnCascadeState())
}
