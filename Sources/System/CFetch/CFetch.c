#include "CFetch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CLoader.h"

// The part of libcurl's stable interface that is used (curl/curl.h), so that its headers are not needed to build.
enum {
    OPTION_WRITE_DATA = 10001,
    OPTION_URL = 10002,
    OPTION_USER_AGENT = 10018,
    OPTION_ACCEPT_ENCODING = 10102,
    OPTION_WRITE_FUNCTION = 20011,
    OPTION_FAIL_ON_ERROR = 45,
    OPTION_FOLLOW_LOCATION = 52,
    OPTION_MAX_REDIRECTIONS = 68,
    OPTION_NO_SIGNAL = 99,
    OPTION_TIMEOUT_MS = 155,
    OPTION_PROTOCOLS = 181,
    OPTION_REDIRECTION_PROTOCOLS = 182,
    PROTOCOLS_HTTP_AND_HTTPS = 1 | 2,
};

static struct {
    void *(*init)(void);
    int (*setopt)(void *handle, int option, ...);
    int (*perform)(void *handle);
    void (*cleanup)(void *handle);
    const char *(*message)(int code);
} curl;

static const char *const files[] = {"libcurl.so.4", NULL};
static const char *const names[] = {
    "curl_easy_init", "curl_easy_setopt", "curl_easy_perform", "curl_easy_cleanup", "curl_easy_strerror",
};
// The system's own: it is kept secure, and knows where the machine's certificates are.
static CLibrary library = CLIBRARY(files, names, curl, .places = CLOADER_SYSTEM);

struct body {
    uint8_t *bytes;
    size_t length, capacity, limit;
    int is_too_large;
};

/// Takes some bytes; fewer than `count` make libcurl stop.
static size_t append(const void *data, size_t size, size_t count, void *context) {
    struct body *body = context;
    size_t more = size * count;
    if (more > body->limit - body->length) {
        body->is_too_large = 1;
        return 0;
    }
    if (body->length + more > body->capacity) {
        size_t capacity = (body->length + more) * 2;
        uint8_t *grown = realloc(body->bytes, capacity);
        if (!grown) return 0;
        body->bytes = grown;
        body->capacity = capacity;
    }
    memcpy(body->bytes + body->length, data, more);
    body->length += more;
    return more;
}

CFetchResult cfetch_get(const char *url, size_t limit, long milliseconds) {
    CFetchResult result = {0};
    void *handle = cloader_load(&library) ? curl.init() : NULL;
    if (!handle) {
        snprintf(result.error, sizeof result.error, "libcurl (libcurl.so.4) is not installed");
        return result;
    }
    struct body body = {.limit = limit};
    curl.setopt(handle, OPTION_URL, url);
    curl.setopt(handle, OPTION_PROTOCOLS, (long)PROTOCOLS_HTTP_AND_HTTPS);
    curl.setopt(handle, OPTION_REDIRECTION_PROTOCOLS, (long)PROTOCOLS_HTTP_AND_HTTPS);
    curl.setopt(handle, OPTION_FOLLOW_LOCATION, 1L);
    curl.setopt(handle, OPTION_MAX_REDIRECTIONS, 5L);
    curl.setopt(handle, OPTION_FAIL_ON_ERROR, 1L);
    curl.setopt(handle, OPTION_NO_SIGNAL, 1L);
    curl.setopt(handle, OPTION_TIMEOUT_MS, milliseconds);
    curl.setopt(handle, OPTION_USER_AGENT, "fancytext");
    curl.setopt(handle, OPTION_ACCEPT_ENCODING, "");
    curl.setopt(handle, OPTION_WRITE_FUNCTION, append);
    curl.setopt(handle, OPTION_WRITE_DATA, &body);
    int code = curl.perform(handle);
    curl.cleanup(handle);
    if (code == 0 && body.bytes) {
        result.bytes = body.bytes;
        result.length = body.length;
        return result;
    }
    free(body.bytes);
    snprintf(result.error, sizeof result.error, "%s",
             body.is_too_large ? "more bytes than the limit" : code == 0 ? "nothing came" : curl.message(code));
    return result;
}

void cfetch_free(CFetchResult result) { free(result.bytes); }
