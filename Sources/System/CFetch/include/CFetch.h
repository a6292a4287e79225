// Bytes behind http and https URLs, by libcurl, which is loaded on first use.
#ifndef CFETCH_H
#define CFETCH_H

#include <stddef.h>
#include <stdint.h>

/// What came of a request. `bytes` is to be freed by `cfetch_free`; it is NULL on failure, and `error` then says why.
typedef struct CFetchResult {
    uint8_t *bytes;
    size_t length;
    /// The URL after all redirects; freed by `cfetch_free`.
    char *url;
    /// The value of the Content-Type header, cut to fit; empty where there is none.
    char content_type[128];
    char error[128];
} CFetchResult;

/// Where requests may go. The address that is connected to counts, whatever name led there.
typedef struct CFetchPolicy {
    /// Any host with a public address: none of this machine, of private networks or of links.
    int allows_public;
    /// Names or numbers of hosts that may have any address, in lower case; ends in NULL.
    const char *const *hosts;
    /// Asked for each piece of a body, unpacked, with `context`: 0 gives the request up. Called on the caller's thread.
    int (*take)(void *context, size_t bytes);
    void *context;
} CFetchPolicy;

/// Gets what lies behind an absolute http or https URL, following up to five redirects to such URLs, each under the
/// policy. Waits for it, at most `milliseconds`; fails beyond `limit` bytes, unpacked, beyond
/// 256 KiB of headers, and on a status of 400 and above.
/// No proxy is asked: nobody would know where it connects to. Thread-safe.
CFetchResult cfetch_get(const char *url, size_t limit, long milliseconds, const CFetchPolicy *policy);
void cfetch_free(CFetchResult result);

/// Whether an address (`family` of sys/socket.h; 4 or 16 bytes in network order) is one of the public network.
int cfetch_is_public(int family, const uint8_t *address);

#endif
