// The groups of values that styles share.

import Basics

@usableFromInline package final class FontStorage: StoredValue<FontStyle>, SharedStorage, @unchecked Sendable {}

@usableFromInline package final class TextStorage: StoredValue<TextStyle>, SharedStorage, @unchecked Sendable {}

@usableFromInline package final class BoxStorage: StoredValue<BoxStyle>, SharedStorage, @unchecked Sendable {}

final class InheritedStorage: StoredValue<InheritedCascadeState>, SharedStorage, @unchecked Sendable {}

final class OwnStorage: StoredValue<OwnCascadeState>, SharedStorage, @unchecked Sendable {}
