// Work given to the other thread, and the locks that both wait for.

import FancyTextPlatform
import FancyTextTestSupport
import Testing

@testable import FancyTextBasics

@Suite(.serialized) struct BackgroundWorkTests {
    private final class Notes: @unchecked Sendable {
        var numbers: [Int] = []
    }

    @Test func workIsDoneInTheOrderInWhichItIsGiven() {
        let notes = Notes()
        var last: BackgroundWork.Ticket?
        for number in 0..<1000 {
            last = BackgroundWork.shared.start { notes.numbers.append(number) }
            // Some of it finds the thread asleep.
            if number % 100 == 0 { usleep(500) }
        }
        if let last { BackgroundWork.shared.wait(for: last) }
        #expect(notes.numbers == Array(0..<1000))
    }

    @Test func workIsNotDoneBeforeItIs() {
        let ticket = BackgroundWork.shared.start { usleep(20_000) }
        #expect(!BackgroundWork.shared.isDone(ticket))
        BackgroundWork.shared.wait(for: ticket)
        #expect(BackgroundWork.shared.isDone(ticket))
    }

    /// Looking again and again is for what takes microseconds.
    @Test func whoWaitsLongSleeps() {
        let time = processorTime { BackgroundWork.shared.wait(for: BackgroundWork.shared.start { usleep(300_000) }) }
        #expect(time < .milliseconds(100))
    }

    @Test func aLockIsHeldByOneThread() {
        let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        defer {
            pthread_mutex_destroy(mutex)
            mutex.deallocate()
        }
        let notes = Notes()
        notes.numbers = [0]
        nonisolated(unsafe) let shared = mutex
        func count(_ times: Int, pausing pause: UInt32) {
            for time in 0..<times {
                shared.lockAwake()
                let number = notes.numbers[0]
                if time % 64 == 0 { usleep(pause) }
                notes.numbers[0] = number + 1
                pthread_mutex_unlock(shared)
            }
        }
        // Held for longer than anybody looks again.
        let ticket = BackgroundWork.shared.start { count(2000, pausing: 300) }
        count(2000, pausing: 0)
        BackgroundWork.shared.wait(for: ticket)
        #expect(notes.numbers == [4000])
    }
}
