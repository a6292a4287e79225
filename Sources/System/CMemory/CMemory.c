// For mremap and dl_iterate_phdr.
#define _GNU_SOURCE
#include "CMemory.h"
#include <link.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

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

static int release_file(struct dl_phdr_info *object, size_t size, void *context) {
    (void)size, (void)context;
    // What may be written to, or was when it was relocated, is not in the file. The others come before it.
    ElfW(Addr) start = 0, end = 0;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD) continue;
        if (segment->p_flags & PF_W) break;
        if (end == 0) start = segment->p_vaddr;
        end = segment->p_vaddr + segment->p_filesz;
    }
    const ElfW(Addr) page = (ElfW(Addr))sysconf(_SC_PAGESIZE);
    start = object->dlpi_addr + start, end = (object->dlpi_addr + end) & -page;
    if (start % page == 0 && start < end) madvise((void *)start, end - start, MADV_DONTNEED);
    return 0;
}

void cmemory_release_heap(void) {
#if defined(__GLIBC__) && !defined(HAS_SANITIZER)
    malloc_trim(0);
#endif
}

void cmemory_release_code(void) { dl_iterate_phdr(release_file, NULL); }
