// For mremap.
#define _GNU_SOURCE
#include "CMemory.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define HAS_SANITIZER
#endif
#endif

#ifdef HAS_SANITIZER
void *cmemory_map(size_t bytes) { return calloc(1, bytes); }

void *cmemory_resize(void *block, size_t bytes, size_t wanted) {
    (void)bytes;
    return realloc(block, wanted);
}

void cmemory_unmap(void *block, size_t bytes) {
    (void)bytes;
    free(block);
}
#else
void *cmemory_map(size_t bytes) {
    void *block = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return block == MAP_FAILED ? NULL : block;
}

void *cmemory_resize(void *block, size_t bytes, size_t wanted) {
#ifdef MREMAP_MAYMOVE
    void *moved = mremap(block, bytes, wanted, MREMAP_MAYMOVE);
    return moved == MAP_FAILED ? NULL : moved;
#else
    void *moved = cmemory_map(wanted);
    if (moved) {
        memcpy(moved, block, bytes < wanted ? bytes : wanted);
        munmap(block, bytes);
    }
    return moved;
#endif
}

void cmemory_unmap(void *block, size_t bytes) { munmap(block, bytes); }
#endif
