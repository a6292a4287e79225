// What the kernel can do for a program that reads strangers' files, where Swift cannot call it.
#ifndef CSAFETY_H
#define CSAFETY_H

#include <stddef.h>

/// Opens a file below a folder, for reading, without waiting. No part of the path, links
/// included, can lead out of the folder, even if it changes meanwhile. Returns -1 and sets errno: ENOSYS where the kernel
/// cannot (before Linux 5.6, or forbidden by a filter), EXDEV where the path leads outside, and else what open gives.
int csafety_open_below(const char *folder, const char *path);

/// Opens a file without a name in a folder, for writing: it is gone with its descriptor unless it is named. -1 where the file
/// system, or the kernel, has no such files.
int csafety_open_unnamed(const char *folder);

/// Gives such a file a name in the same file system. 0, or -1 with errno: EEXIST where the name is taken.
int csafety_name_file(int descriptor, const char *path);

/// Ends the program with `message` on standard error and `status` where it would be killed by a fault of its own: an
/// illegal access, a trap, an abort, a stack without end. `message` stays the caller's, for good; NULL says nothing. Does
/// nothing under a sanitizer, which has a better report.
void csafety_end_quietly(const char *message, int status);

/// Ends the program with `message`, or NULL, and `status` after some seconds of processor time, or ten times as many by the wall
/// clock. Replaces an earlier call's time.
void csafety_end_after(double seconds, const char *message, int status);

/// Takes that back.
void csafety_end_never(void);

/// Removes a file when the program is ended so. Returns a number for `csafety_keep_file`; -1 when there are too many. `path`
/// must stay valid until then.
int csafety_remove_at_end(const char *path);
void csafety_keep_file(int number);

/// Gives the calling thread a stack of its own for that, so that an overflow of its stack can be told too.
void csafety_guard_stack(void);

/// Another process that goes on from here: 0 in it, its number in this one, or -1. For a process with a single thread; the
/// standard library's own may be idle.
int csafety_fork(void);

/// Has the kernel kill this process when the thread ends that started it in `parent`. Ends it at once where that process is gone.
void csafety_end_with(int parent);

/// Sets the allocator up for a program that works once through large arrays: blocks up to 32 MiB, which grow and are copied,
/// come from the heap instead of fresh mappings whose pages the kernel clears each time. glibc's.
void csafety_prepare_heap(void);

/// Bounds the private memory of this process (RLIMIT_DATA): allocations beyond it fail. Returns 0, or -1 on failure.
int csafety_limit_memory(size_t bytes);

/// Returns the bound on private memory, SIZE_MAX for none: the argument that makes `csafety_limit_memory` restore it.
size_t csafety_memory_limit(void);

/// Locks a process that only computes, for good: at most so many bytes of private memory, no core file, no further privileges, and
/// only the calls that decoding needs (a seccomp filter, where the kernel has it). Files can be opened for reading only, and only
/// where libraries and fonts are if the kernel has Landlock. Anything else fails with EPERM.
void csafety_lock_down(size_t bytes);

/// Returns the arguments of the process, followed by NULL; NULL where the C library is not glibc. Swift's library reads them from
/// `/proc`, which a chroot may lack.
char **csafety_arguments(void);

#endif
