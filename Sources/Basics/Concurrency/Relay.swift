// Items that one thread makes and another takes. In: room for items. Out: the items, in the order in which they were made.

/// A line of items between a thread that makes them and one that takes them, in order. The room for them goes round: blanks
/// to the maker, items to the taker, blanks back, so that no more memory is used than the first blanks have.
package final class Relay<Item, Blank>: @unchecked Sendable {
    private let monitor = Monitor()
    // Guarded by the monitor.
    private var blanks: [Blank]
    private var items: [Item] = []
    private var isDone = false

    package init(_ blanks: [Blank]) { self.blanks = blanks }

    private func locked<R>(_ body: () -> R) -> R {
        monitor.locked {
            defer { monitor.signal() }
            return body()
        }
    }

    // MARK: The maker's

    /// Waits for a free slot; nil when the consumer has stopped.
    package func takeBlank() -> Blank? {
        locked {
            monitor.wait { !blanks.isEmpty || isDone }
            return isDone ? nil : blanks.removeFirst()
        }
    }

    /// Appends an item; false when the consumer has stopped.
    package func put(_ item: Item) -> Bool {
        locked {
            items.append(item)
            return !isDone
        }
    }

    // MARK: The taker's

    /// Waits for the next item; nil after the last.
    package func next() -> Item? {
        locked {
            monitor.wait { !items.isEmpty || isDone }
            return items.isEmpty ? nil : items.removeFirst()
        }
    }

    /// Set when ``next()`` would return at once.
    package var isReady: Bool { locked { isDone || !items.isEmpty } }

    package func giveBack(_ blank: Blank) { locked { blanks.append(blank) } }

    // MARK: Both

    /// Ends the relay: no item follows, or the consumer has stopped.
    package func end() { locked { isDone = true } }
}
