// Passes items from one thread to another. In: blank items. Out: the finished items, in the order in which they were made.

/// A bounded queue between a producer thread and a consumer thread. Blanks go to the producer and items to the consumer, who
/// gives them back as blanks. So no memory is used beyond the first blanks, and a slow consumer makes the producer wait
/// (back-pressure).
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

    // MARK: The producer's

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

    // MARK: The consumer's

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
