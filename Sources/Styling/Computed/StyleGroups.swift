// The groups of values that styles share.

import Basics

public final class FontStorage: StoredValue<FontStyle>, SharedStorage, @unchecked Sendable {}

public final class TextStorage: StoredValue<TextStyle>, SharedStorage, @unchecked Sendable {}

public final class BoxStorage: StoredValue<BoxStyle>, SharedStorage, @unchecked Sendable {}

final class InheritedStorage: StoredValue<InheritedCascadeState>, SharedStorage, @unchecked Sendable {}

final class OwnStorage: StoredValue<OwnCascadeState>, SharedStorage, @unchecked Sendable {}
