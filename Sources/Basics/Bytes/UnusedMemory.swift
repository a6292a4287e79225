// Memory that the process has and does not need: what large documents and large pictures give back.
//
// In: that much memory is about to be used. Out: code, and what the heap has free, are back with the system.

import CMemory

package enum UnusedMemory {
    /// A buffer that grows from so many bytes holds far more than was expected of its source: there the faults for a hundred
    /// pages of code do not count any more, nor those for small pages, but their memory does.
    static let leastGrown = 1 << 22

    /// Gives back the code of the program and its libraries, half of which starting alone has used; what is used again comes
    /// back from the files. Takes about 0.1 ms, and as much for what comes back.
    package static func releaseCode() { cmemory_release_code() }

    /// Gives back the code and what the heap has free.
    package static func release() {
        releaseCode()
        cmemory_release_heap()
    }
}
