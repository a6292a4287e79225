// Work that another thread does before its result is needed.
//
// A short run of the program waits for the font libraries to be loaded and for fresh memory to be cleared, one after the
// other, while the other processors are idle. Here such work starts early and is collected where it is needed.

import Glibc

/// Work on a thread of its own. One task owns it: it starts it, and waits for its end before it uses what it made.
final class Ahead {
    private let thread: pthread_t?

    private final class Job {
        let run: () -> Void
        init(_ run: @escaping () -> Void) { self.run = run }
    }

    /// Starts `work`, which must not touch anything that the caller uses before ``wait()``. Where no thread can be had,
    /// the work is done at once.
    init(_ work: @escaping () -> Void) {
        var thread = pthread_t()
        let job = Unmanaged.passRetained(Job(work))
        let code = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<Job>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, job.toOpaque())
        if code == 0 {
            self.thread = thread
        } else {
            self.thread = nil
            job.takeRetainedValue().run()
        }
    }

    /// Returns when the work is done.
    func wait() {
        if let thread { pthread_join(thread, nil) }
    }
}
