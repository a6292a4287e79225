// URLs in, bytes out: how pictures and fonts are fetched, where the network is allowed.

import CFetch

package enum NetworkFetcher {
    /// How long one request may take.
    package static let milliseconds = 10_000

    /// The bytes behind an http or https URL. Waits for them.
    ///
    /// - Parameter limit: more bytes are an error.
    package static func fetch(_ url: String, limit: Int) throws(ImageError) -> [UInt8] {
        let result = cfetch_get(url, limit, milliseconds)
        defer { cfetch_free(result) }
        guard let bytes = result.bytes else {
            throw .fetchFailed(
                withUnsafeBytes(of: result.error) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
        }
        return Array(UnsafeBufferPointer(start: bytes, count: result.length))
    }
}
