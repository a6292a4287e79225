// All functions except the string search are inline in the header.

// For memmem.
#define _GNU_SOURCE
#include "CByteScan.h"

int cbytescan_contains(const uint8_t *bytes, size_t count, const uint8_t *wanted, size_t length) {
    return memmem(bytes, count, wanted, length) != NULL;
}
