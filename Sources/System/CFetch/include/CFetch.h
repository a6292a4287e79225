// Fetches http and https URLs with libcurl, which is loaded on first use.
#ifndef CFETCH_H
#define CFETCH_H

#include <stddef.h>
#include <stdint.h>

/// The result of a request. Free `bytes` with `cfetch_free`; it is NULL on failure, and `error` then has the reason.
typedef struct CFetchResult {
    uint8_t *bytes;
    size_t length;
    /// The URL after all redirects; freed by `cfetch_free`.
    char *url;
    /// The value of the Content-Type header, truncated to fit; empty without one.
    char content_type[128];
    char error[128];
} CFetchResult;

/// The addresses to which requests may go. The connected address decides, not the host name.
typedef struct CFetchPolicy {
    /// Allows any host with a public address: not this machine, private networks or link-local addresses.
    int allows_public;
    /// Names or addresses of hosts that may have any address, in lower case; ends with NULL.
    const char *const *hosts;
    /// Called with `context` for each piece of a body, unpacked, on the caller's thread; returning 0 cancels the request.
    int (*take)(void *context, size_t bytes);
    void *context;
} CFetchPolicy;

/// Fetches an absolute http or https URL, following up to five redirects to such URLs, each under the policy. Blocks for at most
/// `milliseconds`. Fails beyond `limit` bytes, unpacked, beyond 256 KiB of headers, and on a status of 400 and above. Uses no
/// proxy, because the policy could not check where a proxy connects to. Thread-safe.
CFetchResult cfetch_get(const char *url, size_t limit, long milliseconds, const CFetchPolicy *policy);
void cfetch_free(CFetchResult result);

/// Returns whether an address (`family` of sys/socket.h; 4 or 16 bytes in network order) is public.
int cfetch_is_public(int family, const uint8_t *address);

#endif
