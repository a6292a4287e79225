// Tries forbidden calls from inside the locked process, one in each child. Prints the names of those that succeeded.
//
//     cc -I Sources/System/CSafety/include Sources/System/CSafety/CSafety.c Tests/Tools/lock_down.c -o lock_down && ./lock_down
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "CSafety.h"

static char folder[] = "/tmp/lock_down.XXXXXX";
static char file[64], other[64];

static int lands_nowhere(void) { return syscall(SYS_landlock_create_ruleset, NULL, 0, 1) < 1; }

// X(name, call): the call succeeds where it returns at least 0.
#define CALLS(X)                                                                                            \
    X("open for writing", open(file, O_WRONLY))                                                             \
    X("open with O_TRUNC", open(file, O_RDONLY | O_TRUNC))                                                  \
    X("open with O_CREAT", open(other, O_RDONLY | O_CREAT, 0600))                                           \
    X("openat2", syscall(SYS_openat2, AT_FDCWD, file, (long[3]){O_RDONLY}, 24))                             \
    X("creat", creat(other, 0600))                                                                          \
    X("truncate", truncate(file, 0))                                                                        \
    X("unlink", unlink(file))                                                                               \
    X("rename", rename(file, other))                                                                        \
    X("renameat", syscall(SYS_renameat, AT_FDCWD, file, AT_FDCWD, other))                                   \
    X("renameat2", syscall(SYS_renameat2, AT_FDCWD, file, AT_FDCWD, other, 0))                              \
    X("mkdir", mkdirat(AT_FDCWD, other, 0700))                                                              \
    X("link", linkat(AT_FDCWD, file, AT_FDCWD, other, 0))                                                   \
    X("symlink", symlinkat(file, AT_FDCWD, other))                                                          \
    X("chmod", fchmodat(AT_FDCWD, file, 0777, 0))                                                           \
    X("memfd_create", memfd_create("m", 0))                                                                 \
    X("shared mapping", mmap(NULL, 4096, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0) \
    X("fork", syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0))                                                      \
    X("fork by clone3", syscall(SYS_clone3, (long[8]){0, 0, 0, 0, SIGCHLD}, 64))                            \
    X("execve", execl("/bin/true", "true", NULL))                                                           \
    X("kill", kill(getppid(), 0))                                                                           \
    X("tgkill", syscall(SYS_tgkill, parent, parent, 0))                                                     \
    X("pidfd_open", syscall(SYS_pidfd_open, parent, 0))                                                     \
    X("prlimit", syscall(SYS_prlimit64, parent, 0, NULL, (long[2]){0}))                                     \
    X("ptrace", syscall(SYS_ptrace, 0, 0, 0, 0))                                                            \
    X("process_vm_readv", syscall(SYS_process_vm_readv, parent, NULL, 0, NULL, 0, 0))                       \
    X("socket", socket(AF_INET, SOCK_STREAM, 0))                                                            \
    X("socketpair", socketpair(AF_UNIX, SOCK_STREAM, 0, (int[2]){0}))                                       \
    X("sendmsg", sendmsg(pair, &(struct msghdr){0}, 0))                                                     \
    X("io_uring_setup", syscall(SYS_io_uring_setup, 1, (char[256]){0}))                                     \
    X("userfaultfd", syscall(SYS_userfaultfd, 0))                                                           \
    X("unshare", unshare(CLONE_NEWUSER))                                                                    \
    X("chdir", chdir("/"))                                                                                  \
    X("prctl", syscall(SYS_prctl, 4, 1, 0, 0, 0))

#define FILES(X)                                    \
    X("/etc/passwd", open("/etc/passwd", O_RDONLY)) \
    X("/proc/self/maps", open("/proc/self/maps", O_RDONLY)) \
    X("a file of the user", open(file, O_RDONLY))

// Calls that decoding needs.
#define NEEDED(X)                                                                                           \
    X("read a library", open("/usr/lib", O_RDONLY | O_DIRECTORY))                                           \
    X("private mapping", mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0) \
    X("write to the socket", (int)write(pair, "x", 1))

int main(void) {
    int parent = getpid(), pair, ends[2], status, failures = 0;
    if (!mkdtemp(folder) || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 2;
    snprintf(file, sizeof file, "%s/file", folder);
    snprintf(other, sizeof other, "%s/other", folder);
    close(open(file, O_WRONLY | O_CREAT, 0600));
    pair = ends[0];
    int has_no_landlock = lands_nowhere();
#define TRY(name, call, succeeds)                                        \
    if (fork() == 0) {                                                   \
        csafety_lock_down(256 << 20);                                    \
        _exit((call) >= 0 ? 1 : 0);                                      \
    }                                                                    \
    wait(&status);                                                       \
    if (status != ((succeeds) ? 1 << 8 : 0)) {                           \
        printf("%s: status %x\n", name, status);                         \
        failures++;                                                      \
    }
#define FORBIDDEN(name, call) TRY(name, call, 0)
#define ALLOWED(name, call) TRY(name, call, 1)
    CALLS(FORBIDDEN)
    if (!has_no_landlock) { FILES(FORBIDDEN) }
    NEEDED(ALLOWED)
    unlink(file);
    unlink(other);
    rmdir(folder);
    return failures != 0;
}
