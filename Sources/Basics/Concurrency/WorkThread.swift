// Threads of the operating system.

import FancyTextPlatform

/// A thread that runs a closure and ends. Its starter must join or detach it.
package struct WorkThread {
    private let thread: pthread_t

    private final class Work: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts `work`; nil, without running it, if no thread can be started. A stack size of nil is the system's default.
    package init?(stackSize: Int? = nil, _ work: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        if let stackSize { pthread_attr_setstacksize(&attributes, stackSize) }
        let own = Unmanaged.passRetained(Work(work))
        let code = pthread_create(
            &thread, &attributes,
            { context in
                if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, own.toOpaque())
        guard code == 0 else {
            own.release()
            return nil
        }
        self.thread = thread
    }

    package func join() { pthread_join(thread, nil) }

    package func detach() { pthread_detach(thread) }
}
