// The groups of values that styles share.

public final class FontStorage: SharedStorage, @unchecked Sendable {
    public var value: FontStyle
    public init(_ value: FontStyle) { self.value = value }
}

public final class TextStorage: SharedStorage, @unchecked Sendable {
    public var value: TextStyle
    public init(_ value: TextStyle) { self.value = value }
}

public final class BoxStorage: SharedStorage, @unchecked Sendable {
    public var value: BoxStyle
    public init(_ value: BoxStyle) { self.value = value }
}

final class InheritedStorage: SharedStorage, @unchecked Sendable {
    var value: InheritedCascadeState
    init(_ value: InheritedCascadeState) { self.value = value }
}

final class OwnStorage: SharedStorage, @unchecked Sendable {
    var value: OwnCascadeState
    init(_ value: OwnCascadeState) { self.value = value }
}
