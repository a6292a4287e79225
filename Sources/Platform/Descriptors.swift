// Files, pipes, processes and the clock, as functions that complete in spite of signals; `errno` has the reason of a failure.

/// The status of an open file; `nil` on failure.
package func fileStatus(_ descriptor: Int32) -> stat? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? status : nil
}

/// The status of the file at a path, after links are followed; `nil` on failure.
package func fileStatus(at path: UnsafePointer<CChar>) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
}

extension stat {
    package var isRegular: Bool { st_mode & S_IFMT == S_IFREG }
    package var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
}

/// Fills memory from a file or pipe. Returns the number of bytes, which is less only at the end; `nil` on failure.
package func readFully(_ descriptor: Int32, into memory: UnsafeMutableRawBufferPointer) -> Int? {
    var done = 0
    while done < memory.count {
        let got = read(descriptor, memory.baseAddress.map { $0 + done }, memory.count - done)
        if got == 0 { break }
        if got > 0 { done += got } else if errno != EINTR { return nil }
    }
    return done
}

/// The bytes of a file or pipe up to its end, or the first `limit` and some more; `nil` on failure.
package func readAll(_ descriptor: Int32, limit: Int = .max) -> [UInt8]? {
    // One byte more than a file's size, so that the end is found without growing.
    let status = fileStatus(descriptor)
    var wanted = status?.isRegular == true ? Int(status?.st_size ?? 0) + 1 : 1 << 16
    var bytes: [UInt8] = []
    while bytes.count <= limit {
        var got: Int?
        let piece = [UInt8](unsafeUninitializedCapacity: wanted) { memory, count in
            got = readFully(descriptor, into: UnsafeMutableRawBufferPointer(start: memory.baseAddress, count: wanted))
            count = got ?? 0
        }
        guard let got else { return nil }
        if bytes.isEmpty { bytes = piece } else { bytes += piece }
        if got < wanted { break }
        wanted = max(1 << 16, bytes.count)
    }
    return bytes
}

/// Writes all bytes to a file or pipe; `false` on failure.
package func writeFully(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Bool {
    var done = 0
    while done < bytes.count {
        let wrote = write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
        if wrote >= 0 { done += wrote } else if errno != EINTR { return false }
    }
    return true
}

/// Waits until a child process ends, and returns its status as `waitpid` does.
@discardableResult package func waitForEnd(of process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status
}

/// The time of a clock in seconds, by default of one that is never set; infinity for that of a process that has ended.
package func secondsNow(_ clock: clockid_t = CLOCK_MONOTONIC) -> Double {
    var time = timespec()
    return clock_gettime(clock, &time) == 0 ? Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9 : .infinity
}
