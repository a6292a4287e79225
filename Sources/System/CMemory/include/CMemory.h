// Memory straight from the kernel, for blocks that grow large: they grow by moving pages, where the heap would copy them
// and keep what they leave. Under a sanitizer, which watches the heap, blocks come from there.

#ifndef CMEMORY_H
#define CMEMORY_H

#include <stddef.h>

/// So many zero bytes, of which none is in memory before it is written; NULL when there is no room for them.
void *cmemory_map(size_t bytes);

/// The block of `bytes` with the size `wanted`, moved where it has to be; NULL, and the block as it was, when there is no
/// room for it.
void *cmemory_resize(void *block, size_t bytes, size_t wanted);

/// Gives a block of `bytes` back.
void cmemory_unmap(void *block, size_t bytes);

#endif
