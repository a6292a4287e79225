// Reference storage for the groups of values that styles share, computed and cascaded.
//
// In: a group. Out: an object with its address, for ``SharedValue``; a new group of values gets a class here.

import FancyTextBasics

@usableFromInline
package final class FontStorage: SharedStorage, @unchecked Sendable {
    @usableFromInline package let address: UnsafeMutablePointer<FontStyle>
    @usableFromInline package init(_ value: FontStyle) { address = .allocate(value) }
    deinit { address.free() }
}

@usableFromInline
package final class TextStorage: SharedStorage, @unchecked Sendable {
    @usableFromInline package let address: UnsafeMutablePointer<TextStyle>
    @usableFromInline package init(_ value: TextStyle) { address = .allocate(value) }
    deinit { address.free() }
}

@usableFromInline
package final class BoxStorage: SharedStorage, @unchecked Sendable {
    @usableFromInline package let address: UnsafeMutablePointer<BoxStyle>
    @usableFromInline package init(_ value: BoxStyle) { address = .allocate(value) }
    deinit { address.free() }
}

final class InheritedStorage: SharedStorage, @unchecked Sendable {
    let address: UnsafeMutablePointer<InheritedCascadeState>
    init(_ value: InheritedCascadeState) { address = .allocate(value) }
    deinit { address.free() }
}

final class OwnStorage: SharedStorage, @unchecked Sendable {
    let address: UnsafeMutablePointer<OwnCascadeState>
    init(_ value: OwnCascadeState) { address = .allocate(value) }
    deinit { address.free() }
}
