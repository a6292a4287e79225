// Kernel features that protect a program that reads untrusted files, where Swift cannot call them.
#ifndef CSAFETY_H
#define CSAFETY_H

#include <stddef.h>

/// Opens a file below a folder for reading, without blocking. No part of the path, including links, can lead out of the folder,
/// even if it changes meanwhile. Returns -1 and sets errno: ENOSYS if the kernel has no such call (before Linux 5.6, or forbidden
/// by a filter), EXDEV if the path leads outside, and otherwise the error of `open`.
int csafety_open_below(const char *folder, const char *path);

/// Opens a file without a name in a folder for writing. It vanishes when it is closed, unless it was named. Returns -1 if the
/// file system or the kernel does not support such files.
int csafety_open_unnamed(const char *folder);

/// Names such a file, in the same file system. Returns 0, or -1 with errno: EEXIST if the name exists.
int csafety_name_file(int descriptor, const char *path);

/// Ends the program with `message` on standard error and `status` on a fault of its own: an illegal access, a trap, an abort, a
/// stack overflow. `message` must remain valid; NULL prints nothing. Does nothing under a sanitizer, which has a better report.
void csafety_end_quietly(const char *message, int status);

/// Ends the program with `message`, or NULL, and `status` after some seconds of processor time, or ten times as many of
/// wall-clock time. Replaces the time of an earlier call.
void csafety_end_after(double seconds, const char *message, int status);

/// Cancels `csafety_end_after`.
void csafety_end_never(void);

/// Removes a file when a fault or the time limit ends the program. Returns a number for `csafety_keep_file`; -1 when there are
/// too many files. `path` must stay valid until then.
int csafety_remove_at_end(const char *path);
void csafety_keep_file(int number);

/// Gives the calling thread a signal stack, so that an overflow of its own stack is reported too.
void csafety_guard_stack(void);

/// Creates a copy of the process that continues here. Returns 0 in the copy, its process id in this process, or -1. The process
/// must have a single thread, except idle threads of the standard library.
int csafety_fork(void);

/// Makes the kernel kill this process when the thread of `parent` that started it ends. If `parent` has ended already, the
/// process ends at once.
void csafety_end_with(int parent);

/// Tunes glibc's allocator for a program that works once through large arrays. Blocks up to 32 MiB that grow and are copied come
/// from the heap, not from new mappings whose pages the kernel clears each time.
void csafety_prepare_heap(void);

/// Bounds the private memory of this process (RLIMIT_DATA): allocations beyond it fail. Returns 0, or -1 on failure.
int csafety_limit_memory(size_t bytes);

/// Returns the private memory of this process; 0 if unknown.
size_t csafety_held_memory(void);

/// Returns the bound on private memory, SIZE_MAX for none: the argument that makes `csafety_limit_memory` restore it.
size_t csafety_memory_limit(void);

/// Locks a process that only computes, permanently: at most `bytes` of private memory, no core file, no further privileges, and
/// only the system calls that decoding needs (a seccomp filter, if the kernel supports it). Files can only be opened for reading,
/// and with Landlock only where libraries and fonts are. Anything else fails with EPERM.
void csafety_lock_down(size_t bytes);

/// Returns the arguments of the process, followed by NULL; NULL where the C library is not glibc. Swift's library reads them from
/// `/proc`, which a chroot may lack.
char **csafety_arguments(void);

#endif
