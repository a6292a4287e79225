#define _GNU_SOURCE
#include "CSafety.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

// MARK: Files

// linux/openat2.h, which older systems lack.
struct how {
    uint64_t flags, mode, resolve;
};
enum { RESOLVE_NO_MAGIC_LINKS = 0x02, RESOLVE_BELOW = 0x08 };
#ifndef SYS_openat2
#define SYS_openat2 437
#endif

int csafety_open_below(const char *folder, const char *path) {
    int root = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (root < 0) return -1;
    struct how how = {
        .flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY,
        .resolve = RESOLVE_BELOW | RESOLVE_NO_MAGIC_LINKS,
    };
    int descriptor = -1;
    // A rename elsewhere may make the kernel unsure for a moment.
    for (int tries = 0; tries < 16; tries++) {
        descriptor = (int)syscall(SYS_openat2, root, path, &how, sizeof how);
        if (descriptor >= 0 || errno != EAGAIN) break;
    }
    // Filters of containers that do not know the call say EPERM.
    int problem = descriptor >= 0 ? 0 : errno == EPERM ? ENOSYS : errno;
    close(root);
    errno = problem;
    return descriptor;
}

int csafety_open_unnamed(const char *folder) {
#ifdef O_TMPFILE
    // Where links to open files stand: not in every chroot.
    static int has_links = -1;
    int known = __atomic_load_n(&has_links, __ATOMIC_RELAXED);
    if (known < 0) {
        known = access("/proc/self/fd", X_OK) == 0;
        __atomic_store_n(&has_links, known, __ATOMIC_RELAXED);
    }
    if (known) return open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
#endif
    errno = EOPNOTSUPP;
    return -1;
}

int csafety_name_file(int descriptor, const char *path) {
    char link[32];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    return linkat(AT_FDCWD, link, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

// MARK: Files that are not complete

static const char *incomplete[256];

int csafety_remove_at_end(const char *path) {
    for (int i = 0; i < (int)(sizeof incomplete / sizeof *incomplete); i++) {
        const char *none = NULL;
        if (__atomic_compare_exchange_n(&incomplete[i], &none, path, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return i;
    }
    return -1;
}

void csafety_keep_file(int number) {
    if (number >= 0) __atomic_store_n(&incomplete[number], NULL, __ATOMIC_SEQ_CST);
}

static void remove_incomplete(void) {
    for (size_t i = 0; i < sizeof incomplete / sizeof *incomplete; i++) {
        const char *path = __atomic_load_n(&incomplete[i], __ATOMIC_SEQ_CST);
        if (path) unlink(path);
    }
}

// MARK: Faults

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif

#ifndef HAS_SANITIZER
static const char *last_words;
static size_t last_words_length;
static int last_status;

static void speak_and_end(int signal) {
    (void)signal;
    ssize_t ignored = write(STDERR_FILENO, last_words, last_words_length);
    (void)ignored;
    remove_incomplete();
    _exit(last_status);
}
#endif

void csafety_guard_stack(void) {
#ifndef HAS_SANITIZER
    enum { SIZE = 1 << 16 };
    stack_t known;
    if (sigaltstack(NULL, &known) == 0 && !(known.ss_flags & SS_DISABLE)) return;
    void *memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    stack_t stack = {.ss_sp = memory, .ss_size = SIZE};
    sigaltstack(&stack, NULL);
#endif
}

void csafety_end_quietly(const char *message, int status) {
#ifdef HAS_SANITIZER
    (void)message, (void)status;
#else
    last_words = message;
    last_words_length = message ? strlen(message) : 0;
    last_status = status;
    csafety_guard_stack();
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = speak_and_end;
    action.sa_flags = SA_ONSTACK;
    static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaction(signals[i], &action, NULL);
#endif
}

static const char *time_words;
static int time_status;

static void say_time_is_up(int signal) {
    (void)signal;
    ssize_t ignored = write(STDERR_FILENO, time_words, time_words ? strlen(time_words) : 0);
    (void)ignored;
    remove_incomplete();
    _exit(time_status);
}

// Stops a clock when `seconds` is 0.
static void start_clock(int clock, double seconds) {
    struct itimerval timer = {.it_value = {.tv_sec = (time_t)seconds}};
    timer.it_value.tv_usec = (suseconds_t)((seconds - (double)timer.it_value.tv_sec) * 1e6);
    if (seconds > 0 && timer.it_value.tv_sec == 0 && timer.it_value.tv_usec == 0) timer.it_value.tv_usec = 1;
    setitimer(clock, &timer, NULL);
}

void csafety_end_after(double seconds, const char *message, int status) {
    time_words = message;
    time_status = status;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = say_time_is_up;
    sigaction(SIGALRM, &action, NULL);
    sigaction(SIGPROF, &action, NULL);
    // The parent process may have blocked them.
    sigset_t clocks;
    sigemptyset(&clocks);
    sigaddset(&clocks, SIGALRM);
    sigaddset(&clocks, SIGPROF);
    pthread_sigmask(SIG_UNBLOCK, &clocks, NULL);
    start_clock(ITIMER_PROF, seconds);
    start_clock(ITIMER_REAL, 10 * seconds);
}

void csafety_end_never(void) {
    start_clock(ITIMER_PROF, 0);
    start_clock(ITIMER_REAL, 0);
}

// MARK: Processes

int csafety_fork(void) { return fork(); }

// MARK: Limits

#if defined(__GLIBC__) && !defined(HAS_SANITIZER)
// What glibc sets them to by itself once blocks of that size have come and gone.
enum { LARGEST_HEAP_BLOCK = 32 << 20, HEAP_STEP = 1 << 20 };

void csafety_prepare_heap(void) {
    mallopt(M_MMAP_THRESHOLD, LARGEST_HEAP_BLOCK);
    mallopt(M_TRIM_THRESHOLD, 4 * LARGEST_HEAP_BLOCK);
    mallopt(M_TOP_PAD, HEAP_STEP);
}
#else
void csafety_prepare_heap(void) {}
#endif

void csafety_end(int status) {
#ifdef HAS_SANITIZER
    exit(status);
#else
    fflush(NULL);
    _exit(status);
#endif
}

static const void *volatile kept;
void csafety_keep(const void *reference) { kept = reference; }

int csafety_limit_memory(size_t bytes) {
#ifdef HAS_SANITIZER
    // Its own map of the memory counts, whose size is that of all addresses.
    (void)bytes;
    return 0;
#else
    struct rlimit limit;
    if (getrlimit(RLIMIT_DATA, &limit) != 0) return -1;
    if (limit.rlim_max != RLIM_INFINITY && bytes != SIZE_MAX && limit.rlim_max < bytes) return 0;
    limit.rlim_cur = bytes == SIZE_MAX ? limit.rlim_max : bytes;
    return setrlimit(RLIMIT_DATA, &limit);
#endif
}

size_t csafety_memory_limit(void) {
    struct rlimit limit;
    return getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? (size_t)limit.rlim_cur : SIZE_MAX;
}

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

void csafety_lock_down(size_t bytes) {
#ifndef HAS_SANITIZER
    struct rlimit memory = {bytes, bytes};
    setrlimit(RLIMIT_DATA, &memory);
#else
    (void)bytes;
#endif
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    // No file can grow.
    setrlimit(RLIMIT_FSIZE, &none);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_DUMPABLE, 0);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return;
#ifdef ARCHITECTURE
#define DENY(name) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        DENY(socket), DENY(connect), DENY(bind), DENY(listen), DENY(accept4), DENY(execve), DENY(execveat),
        DENY(ptrace), DENY(process_vm_readv), DENY(process_vm_writev), DENY(kill), DENY(tkill), DENY(mount), DENY(unshare),
        DENY(setns), DENY(keyctl), DENY(add_key), DENY(bpf), DENY(perf_event_open), DENY(userfaultfd), DENY(unlinkat),
        DENY(renameat2), DENY(mkdirat), DENY(linkat), DENY(symlinkat), DENY(fchmodat), DENY(fchownat), DENY(truncate),
#ifdef SYS_unlink
        DENY(unlink), DENY(rename), DENY(mkdir), DENY(rmdir), DENY(link), DENY(symlink), DENY(chmod), DENY(chown),
        DENY(fork), DENY(vfork), DENY(accept), DENY(creat),
#endif
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
#undef DENY
    struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
#endif
}

// MARK: Arguments

static char **arguments;

#ifdef __GLIBC__
// glibc passes the arguments to initializers.
__attribute__((constructor)) static void note_arguments(int count, char **values) {
    (void)count;
    arguments = values;
}
#endif

char **csafety_arguments(void) { return arguments; }
