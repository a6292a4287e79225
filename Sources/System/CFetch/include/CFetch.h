// Bytes behind http and https URLs, by libcurl, which is loaded on first use.
#ifndef CFETCH_H
#define CFETCH_H

#include <stddef.h>
#include <stdint.h>

/// What came of a request. `bytes` is to be freed by `cfetch_free`; it is NULL on failure, and `error` then says why.
typedef struct CFetchResult {
    uint8_t *bytes;
    size_t length;
    char error[128];
} CFetchResult;

/// Gets what lies behind an absolute http or https URL, following redirects to such URLs only. Waits for it, at most
/// `milliseconds`; fails beyond `limit` bytes, and on a status of 400 and above. Thread-safe.
CFetchResult cfetch_get(const char *url, size_t limit, long milliseconds);
void cfetch_free(CFetchResult result);

#endif
