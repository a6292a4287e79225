// Reference storage for the groups of values that styles share; a new group of values gets a class here.

import FancyTextBasics

@usableFromInline package final class FontStorage: SharedStorage, @unchecked Sendable {
    @usableFromInline package let address: UnsafeMutablePointer<FontStyle>
    @usableFromInline package init(_ value: FontStyle) { address = .allocate(value) }
    deinit { address.free() }
}

@usableFromInline package final class TextStorage: SharedStorage, @unchecked Sendable {
    @usableFromInline package let address: UnsafeMutablePointer<TextStyle>
    @usableFromInline package init(_ value: TextStyle) { address = .allocate(value) }
    deinit { address.free() }
}

@usableFromInline package final class BoxStorage: SharedStorage, @unchecked Sendable {
    @usableFromInline package let address: UnsafeMutablePointer<BoxStyle>
    @usableFromInline package init(_ value: BoxStyle) { address = .allocate(value) }
    deinit { address.free() }
}

package final class InheritedStorage: SharedStorage, @unchecked Sendable {
    package let address: UnsafeMutablePointer<InheritedCascadeState>
    package init(_ value: InheritedCascadeState) { address = .allocate(value) }
    deinit { address.free() }
}

package final class OwnStorage: SharedStorage, @unchecked Sendable {
    package let address: UnsafeMutablePointer<OwnCascadeState>
    package init(_ value: OwnCascadeState) { address = .allocate(value) }
    deinit { address.free() }
}

/// The values of one element: groups that styles share until one of them changes.
@usableFromInline package struct StyleGroups: Equatable, Sendable {
    @usableFromInline var box = SharedValue<BoxStorage>(BoxStyle())
    @usableFromInline var text = SharedValue<TextStorage>(TextStyle())
    @usableFromInline var font = SharedValue<FontStorage>(FontStyle())
    /// Parts of the above that children inherit one by one.
    package var inherited = SharedValue<InheritedStorage>(InheritedCascadeState())
    package var own = SharedValue<OwnStorage>(OwnCascadeState())
}
