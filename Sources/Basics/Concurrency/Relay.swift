// Passes items from one thread to another, in the order in which they were made.

/// A queue between a producer thread and a consumer thread.
package final class Relay<Item>: @unchecked Sendable {
    private let monitor = Monitor()
    // Guarded by the monitor.
    private var items: [Item] = []
    private var isDone = false

    package init() {}

    /// Appends an item; false when the consumer has stopped.
    package func put(_ item: Item) -> Bool {
        monitor.locked {
            items.append(item)
            monitor.signal()
            return !isDone
        }
    }

    /// Waits for the next item; nil after the last.
    package func next() -> Item? {
        monitor.locked {
            monitor.wait { !items.isEmpty || isDone }
            return items.isEmpty ? nil : items.removeFirst()
        }
    }

    /// Ends the relay: no item follows, or the consumer has stopped.
    package func end() {
        monitor.locked {
            isDone = true
            monitor.signal()
        }
    }
}
