// A thread for work whose starter waits for the end of it.

import FancyTextPlatform

/// A thread that runs a closure and ends. Its starter must join it.
package struct JoinedThread {
    private let thread: pthread_t

    private final class Work: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts `work`; nil, without running it, if no thread can be started.
    package init?(_ work: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let own = Unmanaged.passRetained(Work(work))
        let code = pthread_create(
            &thread, nil,
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

    /// Returns when the work is done.
    package func join() { pthread_join(thread, nil) }
}
