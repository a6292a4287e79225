// Memory mapped directly from the kernel, for blocks that become large. They grow by moving pages, while the heap would copy them
// and keep the old blocks. Under a sanitizer, which watches the heap, blocks come from the heap.

#ifndef CMEMORY_H
#define CMEMORY_H

#include <stddef.h>

/// Allocates zeroed bytes; a page takes memory when it is first written. NULL if there is not enough address space.
void *cmemory_map(size_t bytes);

/// Resizes a block from `bytes` to `wanted`, moving it if necessary. On failure it returns NULL, and the block is unchanged.
void *cmemory_resize(void *block, size_t bytes, size_t wanted);

/// Frees a block of `bytes`.
void cmemory_unmap(void *block, size_t bytes);

#endif
