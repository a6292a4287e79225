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
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
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
#ifndef SYS_faccessat2
#define SYS_faccessat2 439
#endif
#ifndef SYS_clone3
#define SYS_clone3 435
#endif
#ifndef SYS_rseq
#if defined(__x86_64__)
#define SYS_rseq 334
#else
#define SYS_rseq 293
#endif
#endif

int csafety_open_below(const char *folder, const char *path) {
    int root = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (root < 0) return -1;
    struct how how = {
        .flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY,
        .resolve = RESOLVE_BELOW | RESOLVE_NO_MAGIC_LINKS,
    };
    int descriptor = -1;
    // A concurrent rename can make the kernel unsure for a moment.
    for (int tries = 0; tries < 16; tries++) {
        descriptor = (int)syscall(SYS_openat2, root, path, &how, sizeof how);
        if (descriptor >= 0 || errno != EAGAIN) break;
    }
    // Container filters that do not know the call fail with EPERM.
    int problem = descriptor >= 0 ? 0 : errno == EPERM ? ENOSYS : errno;
    close(root);
    errno = problem;
    return descriptor;
}

int csafety_open_unnamed(const char *folder) {
#ifdef O_TMPFILE
    // /proc has links to open files, but not every chroot has /proc.
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

// Stops the clock when `seconds` is 0.
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
    // The parent process may have blocked these signals.
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

void csafety_end_with(int parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0);
}

// MARK: Limits

#if defined(__GLIBC__) && !defined(HAS_SANITIZER)
// The values that glibc adopts by itself once blocks of that size have been allocated and freed.
enum { LARGEST_HEAP_BLOCK = 32 << 20, HEAP_STEP = 1 << 20 };

void csafety_prepare_heap(void) {
    mallopt(M_MMAP_THRESHOLD, LARGEST_HEAP_BLOCK);
    mallopt(M_TRIM_THRESHOLD, 4 * LARGEST_HEAP_BLOCK);
    mallopt(M_TOP_PAD, HEAP_STEP);
}
#else
void csafety_prepare_heap(void) {}
#endif

int csafety_limit_memory(size_t bytes) {
#ifdef HAS_SANITIZER
    // A sanitizer's own map of the memory counts, which is as large as the address space.
    (void)bytes;
    return 0;
#else
    struct rlimit limit;
    if (getrlimit(RLIMIT_DATA, &limit) != 0) return -1;
    if (limit.rlim_max != RLIM_INFINITY && bytes != SIZE_MAX && limit.rlim_max < bytes) return 0;
    limit.rlim_cur = bytes == SIZE_MAX ? limit.rlim_max : bytes;
    // Swift's runtime writes a stack trace to this stream when memory is used up; the program's messages do not use it.
    static FILE *nowhere;
    if (bytes != SIZE_MAX && !nowhere && (nowhere = fopen("/dev/null", "we"))) stderr = nowhere;
    return setrlimit(RLIMIT_DATA, &limit);
#endif
}

size_t csafety_held_memory(void) {
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file && fscanf(file, "%*u %*u %*u %*u %*u %lu", &pages) != 1) pages = 0;
    if (file) fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
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

// linux/landlock.h, which older systems lack.
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif
enum { LANDLOCK_VERSION = 1, PATH_BENEATH = 1 };
enum { READ_FILE = 1 << 2, READ_FOLDER = 1 << 3, RIGHTS_1 = (1 << 13) - 1, REFER = 1 << 13, TRUNCATE = 1 << 14 };
struct path_rule {
    uint64_t rights;
    int32_t folder;
} __attribute__((packed));

static void allow_reading(int rules, const char *path) {
    struct path_rule rule = {READ_FILE | READ_FOLDER, open(path, O_PATH | O_CLOEXEC)};
    if (rule.folder < 0) return;
    if (syscall(SYS_landlock_add_rule, rules, PATH_BENEATH, &rule, 0) != 0) {
        // A file, which has no entries to read.
        rule.rights = READ_FILE;
        syscall(SYS_landlock_add_rule, rules, PATH_BENEATH, &rule, 0);
    }
    close(rule.folder);
}

static void allow_reading_in(int rules, const char *variable, const char *name) {
    const char *folder = getenv(variable);
    char path[4096];
    if (folder && folder[0] == '/' && snprintf(path, sizeof path, "%s%s", folder, name) < (int)sizeof path)
        allow_reading(rules, path);
}

// Limits reading to files where libraries and fonts are. Does nothing if the kernel has no Landlock.
static void restrict_files(void) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_VERSION);
    if (version < 1) return;
    uint64_t handled = RIGHTS_1 | (version >= 2 ? REFER : 0) | (version >= 3 ? TRUNCATE : 0);
    int rules = (int)syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0);
    if (rules < 0) return;
    static const char *const folders[] = {
        "/usr", "/lib", "/lib64", "/nix/store", "/etc/fonts", "/etc/ld.so.cache", "/var/cache/fontconfig",
    };
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) allow_reading(rules, folders[i]);
    allow_reading_in(rules, "HOME", "/.fonts");
    allow_reading_in(rules, "HOME", "/.local/share/fonts");
    allow_reading_in(rules, "HOME", "/.cache/fontconfig");
    allow_reading_in(rules, "XDG_DATA_HOME", "/fonts");
    allow_reading_in(rules, "XDG_CACHE_HOME", "/fontconfig");
    allow_reading_in(rules, "FONTCONFIG_FILE", "");
    allow_reading_in(rules, "FONTCONFIG_PATH", "");
    // Libraries installed with the program.
    char program[4096];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - sizeof "/../lib");
    // Without /proc, the path by which the process was started.
    const char *start = length > 0 ? NULL : (const char *)getauxval(AT_EXECFN);
    if (start && strlen(start) < sizeof program - sizeof "/../lib") length = (ssize_t)strlen(strcpy(program, start));
    if (length > 0) {
        program[length] = 0;
        char *name = strrchr(program, '/');
        if (name) {
            strcpy(name, "/../lib");
            allow_reading(rules, program);
        }
    }
    syscall(SYS_landlock_restrict_self, rules, 0);
    close(rules);
}

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
    restrict_files();
#ifdef ARCHITECTURE
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, action)
#define IF(name, count) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, count)
#define ALLOW(name) IF(name, 1), RETURN(SECCOMP_RET_ALLOW)
#define ARGUMENT(number) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[number]))
#define DENIED RETURN(SECCOMP_RET_ERRNO | EPERM)
// Allows a call unless an argument has some of these bits, or only if it does.
#define ALLOW_WITHOUT(name, number, bits) \
    IF(name, 4), ARGUMENT(number), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 1, 0), RETURN(SECCOMP_RET_ALLOW), DENIED
#define ALLOW_WITH(name, number, bits) \
    IF(name, 4), ARGUMENT(number), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1), RETURN(SECCOMP_RET_ALLOW), DENIED
    const uint32_t beyond_reading = ~(uint32_t)(O_CLOEXEC | O_NOFOLLOW | O_DIRECTORY | O_NONBLOCK | O_NOCTTY | O_NOATIME);
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
        RETURN(SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        // Memory and threads.
        ALLOW(brk), ALLOW(munmap), ALLOW(mremap), ALLOW(madvise), ALLOW(mprotect), ALLOW_WITHOUT(mmap, 3, MAP_SHARED),
        ALLOW(futex), ALLOW(set_robust_list), ALLOW(rseq), ALLOW(membarrier), ALLOW(sched_yield), ALLOW(sched_getaffinity),
        ALLOW(exit), ALLOW(exit_group), ALLOW(gettid), ALLOW(getpid), ALLOW_WITH(clone, 0, CLONE_THREAD),
        // glibc starts threads with `clone` where `clone3` does not exist.
        IF(clone3, 1), RETURN(SECCOMP_RET_ERRNO | ENOSYS),
        ALLOW(rt_sigaction), ALLOW(rt_sigprocmask), ALLOW(rt_sigreturn), ALLOW(sigaltstack), ALLOW(restart_syscall),
        ALLOW(clock_gettime), ALLOW(clock_getres), ALLOW(clock_nanosleep), ALLOW(nanosleep), ALLOW(gettimeofday),
        ALLOW(getrandom), ALLOW(uname), ALLOW(sysinfo), ALLOW(getuid), ALLOW(geteuid), ALLOW(getgid), ALLOW(getegid),
        // The socket of requests.
        ALLOW(read), ALLOW(write), ALLOW(sendto), ALLOW(recvfrom), ALLOW(ppoll),
        // Files of libraries and fonts.
        ALLOW_WITHOUT(openat, 2, beyond_reading), ALLOW(close), ALLOW(pread64), ALLOW(lseek), ALLOW(getdents64),
        ALLOW(fstat), ALLOW(newfstatat), ALLOW(statx), ALLOW(statfs), ALLOW(fstatfs), ALLOW(faccessat), ALLOW(faccessat2),
        ALLOW(readlinkat), ALLOW(getcwd), ALLOW_WITHOUT(fcntl, 1, ~(uint32_t)(F_GETFD | F_SETFD | F_GETFL)),
#ifdef SYS_open
        ALLOW(poll), ALLOW_WITHOUT(open, 1, beyond_reading), ALLOW(stat), ALLOW(lstat), ALLOW(access), ALLOW(readlink),
        ALLOW(time),
#endif
        DENIED,
    };
#undef RETURN
#undef IF
#undef ALLOW
#undef ARGUMENT
#undef DENIED
#undef ALLOW_WITHOUT
#undef ALLOW_WITH
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
