// Fetches pictures, fonts and style sheets from URLs, if the network is allowed.

import FancyTextBasics
import CFancyTextFetch
import FancyTextMarkup
import FancyTextPlatform
import Synchronization

package struct NetworkAccess: Hashable, Sendable {
    /// True if all hosts with a public address are allowed.
    package var allowsPublicHosts: Bool
    /// Names, or addresses, of hosts that may have any address.
    package var hosts: Set<String>

    package init(allowsPublicHosts: Bool, hosts: Set<String> = []) {
        (self.allowsPublicHosts, self.hosts) = (allowsPublicHosts, Set(hosts.map { $0.lowercased() }))
    }

    package var isNone: Bool { !allowsPublicHosts && hosts.isEmpty }
}

package struct FetchedFile: Sendable {
    package var bytes: [UInt8]
    /// The URL after all redirects.
    package var url: String
    /// The value of the Content-Type header; empty without one.
    package var contentType: String

    /// The label of the encoding in the Content-Type header (RFC 9110 §8.3.1); `nil` if it has none.
    package var charset: String? { DeclaredEncoding.charset(in: contentType) }
}

/// Fetches for one rendering; URLs known ahead are fetched several at a time.
package final class NetworkFetcher: Sendable {
    private static let milliseconds = 10_000
    /// The time limit of all requests of a rendering together.
    private static let allMilliseconds = 20_000
    private static let mostAtOnce = 8

    private let access: NetworkAccess
    private let meter: BudgetMeter
    /// The end of the time, in milliseconds of the monotonic clock.
    private let end: Int
    private let fetched = Mutex<[String: Result<FetchedFile, ImageError>]>([:])

    package init(_ access: NetworkAccess, _ meter: BudgetMeter) {
        (self.access, self.meter) = (access, meter)
        let seconds = meter.limits.seconds
        end = Self.now + (seconds > 0 ? min(Self.allMilliseconds, Int(bounded: seconds * 1000)) : Self.allMilliseconds)
    }

    private static var now: Int { Int(secondsNow() * 1000) }

    package func bytes(_ url: String) throws(ImageError) -> [UInt8] { try file(url).bytes }

    /// The file of an http or https URL. Waits for the response, unless the URL was fetched ahead.
    package func file(_ url: String) throws(ImageError) -> FetchedFile {
        if let known = fetched.withLock({ $0.removeValue(forKey: url) }) { return try known.get() }
        // A response that exceeded the budget leaves a part of it unspent, but no more requests are made.
        guard !meter.isExceeded(.fetchedBytes) else { throw .overBudget(.fetchedBytes) }
        guard meter.left(of: .fetchedBytes) > 0 else {
            meter.spend(1, of: .fetchedBytes)
            throw .overBudget(.fetchedBytes)
        }
        guard meter.spend(1, of: .requests) else { throw .overBudget(.requests) }
        return try get(url, limit: meter.limits.inputBytes, milliseconds: min(Self.milliseconds, end - Self.now))
    }

    /// Fetches URLs that will be requested, several at a time, and keeps the responses. Waits for all of them.
    package func fetchAhead(_ urls: [String]) {
        let new = fetched.withLock { known in urls.filter { known[$0] == nil } }
        guard new.count > 1 else { return }
        let next = Mutex(new.reversed() as [String])
        let work: @Sendable () -> Void = { [self] in
            while let url = next.withLock({ $0.popLast() }) {
                let result = Result { () throws(ImageError) in try file(url) }
                fetched.withLock { $0[url] = result }
            }
        }
        let threads = (1..<max(1, min(Self.mostAtOnce, new.count))).compactMap { _ in WorkThread(work) }
        work()
        for thread in threads { thread.join() }
    }

    /// - Parameter limit: more bytes, unpacked, are an error, as exceeding the budget of all requests is while bytes arrive.
    private func get(_ url: String, limit: Int, milliseconds: Int) throws(ImageError) -> FetchedFile {
        guard milliseconds > 0 else { throw .fetchFailed("all requests together take too long") }
        let names = access.hosts.sorted().map { strdup($0) }
        defer { for name in names { free(name) } }
        var hosts = names.map { UnsafePointer<CChar>($0) } + [nil]
        let result = hosts.withUnsafeMutableBufferPointer { hosts in
            var policy = CFetchPolicy(
                allows_public: access.allowsPublicHosts ? 1 : 0, hosts: hosts.baseAddress.map { UnsafePointer($0) },
                take: { context, bytes in
                    guard let context else { return 0 }
                    let meter = Unmanaged<BudgetMeter>.fromOpaque(context).takeUnretainedValue()
                    return meter.spend(bytes, of: .fetchedBytes) ? 1 : 0
                },
                context: Unmanaged.passUnretained(meter).toOpaque())
            return cfetch_get(url, limit, milliseconds, &policy)
        }
        defer { cfetch_free(result) }
        func text<Characters>(_ characters: Characters) -> String {
            withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
        guard let bytes = result.bytes else { throw .fetchFailed(text(result.error)) }
        return FetchedFile(
            bytes: Array(UnsafeBufferPointer(start: bytes, count: result.length)),
            url: result.url.map { String(cString: $0) } ?? url, contentType: text(result.content_type))
    }
}
