#include "CFetch.h"

#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>

#include "CLoader.h"

// The used part of libcurl's stable interface (curl/curl.h, curl/urlapi.h), so that its headers are not needed to build.
enum {
    OPTION_WRITE_DATA = 10001,
    OPTION_URL = 10002,
    OPTION_PROXY = 10004,
    OPTION_USER_AGENT = 10018,
    OPTION_HEADER_DATA = 10029,
    OPTION_ACCEPT_ENCODING = 10102,
    OPTION_OPEN_SOCKET_DATA = 10164,
    OPTION_WRITE_FUNCTION = 20011,
    OPTION_HEADER_FUNCTION = 20079,
    OPTION_OPEN_SOCKET_FUNCTION = 20163,
    OPTION_FAIL_ON_ERROR = 45,
    OPTION_FOLLOW_LOCATION = 52,
    OPTION_NO_SIGNAL = 99,
    OPTION_TIMEOUT_MS = 155,
    OPTION_PROTOCOLS = 181,
    PROTOCOLS_HTTP_AND_HTTPS = 1 | 2,
    ERROR_OF_STATUS = 22,
    INFO_RESPONSE_CODE = 0x200000 + 2,
    INFO_CONTENT_TYPE = 0x100000 + 18,
    INFO_REDIRECT_URL = 0x100000 + 31,
    PART_URL = 0,
    PART_HOST = 5,
    MOST_REDIRECTIONS = 5,
    MOST_HEADER_BYTES = 1 << 18,
};

struct socket_address {
    int family, type, protocol;
    unsigned int length;
    struct sockaddr address;
};

static struct {
    void *(*init)(void);
    int (*setopt)(void *handle, int option, ...);
    int (*perform)(void *handle);
    int (*getinfo)(void *handle, int info, ...);
    void (*cleanup)(void *handle);
    const char *(*message)(int code);
    void *(*url)(void);
    int (*url_set)(void *url, int part, const char *text, unsigned int flags);
    int (*url_get)(void *url, int part, char **text, unsigned int flags);
    void (*url_cleanup)(void *url);
    void (*free)(void *memory);
} curl;

static const char *const files[] = {"libcurl.so.4", NULL};
static const char *const names[] = {
    "curl_easy_init", "curl_easy_setopt", "curl_easy_perform", "curl_easy_getinfo", "curl_easy_cleanup",
    "curl_easy_strerror", "curl_url", "curl_url_set", "curl_url_get", "curl_url_cleanup", "curl_free",
};
// Only the system's library is used, because it gets security updates and knows the machine's certificates.
static CLibrary library = CLIBRARY(files, names, curl, .places = CLOADER_SYSTEM);

// MARK: Addresses

struct range {
    uint32_t first;
    int bits;
};

/// Special-purpose addresses (RFC 6890) and multicast.
static const struct range special[] = {
    {0x00000000, 8},  {0x0A000000, 8},  {0x64400000, 10}, {0x7F000000, 8},  {0xA9FE0000, 16},
    {0xAC100000, 12}, {0xC0000000, 24}, {0xC0000200, 24}, {0xC0586300, 24}, {0xC0A80000, 16},
    {0xC6120000, 15}, {0xC6336400, 24}, {0xCB007100, 24}, {0xE0000000, 4},  {0xF0000000, 4},
};

static int is_public_4(const uint8_t *bytes) {
    uint32_t address = (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        if ((address ^ special[i].first) >> (32 - special[i].bits) == 0) return 0;
    return 1;
}

int cfetch_is_public(int family, const uint8_t *address) {
    if (family == AF_INET) return is_public_4(address);
    if (family != AF_INET6) return 0;
    static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
    static const uint8_t translated[12] = {0, 0x64, 0xFF, 0x9B};
    if (memcmp(address, mapped, 12) == 0 || memcmp(address, translated, 12) == 0) return is_public_4(address + 12);
    // 6to4 contains an IPv4 address.
    if (address[0] == 0x20 && address[1] == 0x02) return is_public_4(address + 2);
    // Teredo, ORCHID, documentation: 2001::/23 and 2001:db8::/32.
    if (address[0] == 0x20 && address[1] == 0x01 && (address[2] < 2 || (address[2] == 0x0D && address[3] == 0xB8))) return 0;
    // Only global unicast addresses (RFC 4291 §2.4).
    return address[0] >> 5 == 1;
}

struct door {
    int is_open;
    int has_refused;
};

/// Opens a socket if the policy allows the address.
static int open_socket(void *context, int purpose, struct socket_address *to) {
    (void)purpose;
    struct door *door = context;
    const uint8_t *bytes = NULL;
    if (to->family == AF_INET) bytes = (const uint8_t *)&((struct sockaddr_in *)&to->address)->sin_addr;
    if (to->family == AF_INET6) bytes = (const uint8_t *)&((struct sockaddr_in6 *)&to->address)->sin6_addr;
    if (!door->is_open && !(bytes && cfetch_is_public(to->family, bytes))) {
        door->has_refused = 1;
        return -1;
    }
    return socket(to->family, to->type | SOCK_CLOEXEC, to->protocol);
}

// MARK: Bodies

struct body {
    uint8_t *bytes;
    size_t length, capacity, limit, header;
    const CFetchPolicy *policy;
    int is_too_large;
};

/// Counts headers, because libcurl keeps all of them.
static size_t count_header(const void *data, size_t size, size_t count, void *context) {
    (void)data;
    struct body *body = context;
    body->header += size * count;
    if (body->header <= MOST_HEADER_BYTES) return size * count;
    body->is_too_large = 1;
    return 0;
}

/// Receives unpacked bytes; returning fewer than `count` makes libcurl stop.
static size_t append(const void *data, size_t size, size_t count, void *context) {
    struct body *body = context;
    size_t more = size * count;
    if (more > body->limit - body->length || !body->policy->take(body->policy->context, more)) {
        body->is_too_large = 1;
        return 0;
    }
    if (body->length + more > body->capacity) {
        size_t capacity = body->length + more + (body->length + more) / 2;
        if (capacity > body->limit) capacity = body->limit;
        uint8_t *grown = realloc(body->bytes, capacity);
        if (!grown) return 0;
        body->bytes = grown;
        body->capacity = capacity;
    }
    memcpy(body->bytes + body->length, data, more);
    body->length += more;
    return more;
}

// MARK: Requests

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/// Returns whether the URL's host may have any address; -1 when the URL has no host. libcurl parses the URL here as well, so that
/// the check and the request cannot disagree.
static int names_allowed_host(const char *url, const CFetchPolicy *policy) {
    void *parts = curl.url();
    char *host = NULL;
    int result = -1;
    if (parts && curl.url_set(parts, PART_URL, url, 0) == 0 && curl.url_get(parts, PART_HOST, &host, 0) == 0 && host) {
        result = 0;
        for (size_t i = 0; policy->hosts && policy->hosts[i]; i++)
            if (strcasecmp(policy->hosts[i], host) == 0) result = 1;
    }
    if (host) curl.free(host);
    if (parts) curl.url_cleanup(parts);
    return result;
}

CFetchResult cfetch_get(const char *url, size_t limit, long milliseconds, const CFetchPolicy *policy) {
    CFetchResult result = {0};
    void *handle = cloader_load(&library) ? curl.init() : NULL;
    if (!handle) {
        snprintf(result.error, sizeof result.error, "libcurl (libcurl.so.4) is not installed");
        return result;
    }
    long end = now() + milliseconds;
    struct body body = {.limit = limit, .policy = policy};
    char *next = strdup(url);
    for (int redirections = 0; next && !result.error[0]; redirections++) {
        struct door door = {.is_open = names_allowed_host(next, policy)};
        long left = end - now();
        if (door.is_open < 0) {
            snprintf(result.error, sizeof result.error, "it is not a valid URL");
            break;
        }
        if (!door.is_open && !policy->allows_public) {
            snprintf(result.error, sizeof result.error, "the host may not be asked");
            break;
        }
        if (redirections > MOST_REDIRECTIONS || left <= 0) {
            snprintf(result.error, sizeof result.error, left <= 0 ? "it takes too long" : "too many redirects");
            break;
        }
        body.length = body.header = 0;
        curl.setopt(handle, OPTION_URL, next);
        curl.setopt(handle, OPTION_PROTOCOLS, (long)PROTOCOLS_HTTP_AND_HTTPS);
        curl.setopt(handle, OPTION_FOLLOW_LOCATION, 0L);
        curl.setopt(handle, OPTION_PROXY, "");
        curl.setopt(handle, OPTION_FAIL_ON_ERROR, 1L);
        curl.setopt(handle, OPTION_NO_SIGNAL, 1L);
        curl.setopt(handle, OPTION_TIMEOUT_MS, left);
        curl.setopt(handle, OPTION_USER_AGENT, "fancytext");
        curl.setopt(handle, OPTION_ACCEPT_ENCODING, "");
        curl.setopt(handle, OPTION_WRITE_FUNCTION, append);
        curl.setopt(handle, OPTION_WRITE_DATA, &body);
        curl.setopt(handle, OPTION_HEADER_FUNCTION, count_header);
        curl.setopt(handle, OPTION_HEADER_DATA, &body);
        curl.setopt(handle, OPTION_OPEN_SOCKET_FUNCTION, open_socket);
        curl.setopt(handle, OPTION_OPEN_SOCKET_DATA, &door);
        int code = curl.perform(handle);
        char *target = NULL, *type = NULL;
        if (code == 0) curl.getinfo(handle, INFO_REDIRECT_URL, &target);
        if (code == 0 && !target) {
            curl.getinfo(handle, INFO_CONTENT_TYPE, &type);
            snprintf(result.content_type, sizeof result.content_type, "%s", type ? type : "");
            result.url = strdup(next);
        }
        free(next);
        next = target ? strdup(target) : NULL;
        long status = 0;
        if (code == ERROR_OF_STATUS && curl.getinfo(handle, INFO_RESPONSE_CODE, &status) == 0)
            snprintf(result.error, sizeof result.error, "the server answered with status %ld", status);
        else if (code != 0)
            snprintf(result.error, sizeof result.error, "%s",
                     body.is_too_large  ? "more bytes than the limit"
                     : door.has_refused ? "its address is not one of the public network; --allow-host HOST allows it"
                                        : curl.message(code));
        else if (!target && !body.length)
            snprintf(result.error, sizeof result.error, "nothing came");
    }
    free(next);
    curl.cleanup(handle);
    if (result.error[0]) {
        free(body.bytes);
        free(result.url);
        result.url = NULL;
    } else {
        result.bytes = body.bytes;
        result.length = body.length;
    }
    return result;
}

void cfetch_free(CFetchResult result) {
    free(result.bytes);
    free(result.url);
}
