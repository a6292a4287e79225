#define _GNU_SOURCE
#include "CLoader.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { UNTRIED = 0, LOADED = 1, MISSING = 2 };

static char beside[PATH_MAX];
static pthread_once_t beside_once = PTHREAD_ONCE_INIT;

static char program_path[PATH_MAX];
static pthread_once_t program_once = PTHREAD_ONCE_INIT;

static void find_program(void) {
    ssize_t length = readlink("/proc/self/exe", program_path, sizeof program_path - 1);
    if (length > 0) {
        program_path[length] = 0;
        return;
    }
    // Without /proc the name given to the kernel is used, which is relative to the initial working directory.
    const char *name = (const char *)getauxval(AT_EXECFN);
    if (!name || !realpath(name, program_path)) program_path[0] = 0;
}

const char *cloader_program(void) {
    pthread_once(&program_once, find_program);
    return program_path;
}

/// Finds the folder beside the program; `beside` remains empty without one. A user who may write there decides what the program
/// runs, so the folder must belong to the program's owner or to root.
static void find_beside(void) {
    if (getauxval(AT_SECURE)) return;
    char path[PATH_MAX];
    if (strlen(cloader_program()) >= sizeof path - sizeof "/lib/fancytext/") return;
    strcpy(path, cloader_program());
    if (path[0] != '/') return;
    struct stat program, folder;
    if (stat(path, &program) != 0) return;
    for (int level = 0; level < 2; level++) {
        char *slash = strrchr(path, '/');
        if (!slash) return;
        *slash = 0;
    }
    strcat(path, "/lib/fancytext/");
    if (stat(path, &folder) != 0 || !S_ISDIR(folder.st_mode) || folder.st_mode & S_IWOTH) return;
    if (folder.st_uid != 0 && folder.st_uid != program.st_uid) return;
    strcpy(beside, path);
}

static int open_and_resolve(CLibrary *library, const char *path, const char *suffix) {
    void *handle = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    if (!handle) {
        const char *message = dlerror();
        if (!message || !strstr(message, strerror(ENOENT))) library->has_failed = 1;
        return 0;
    }
    for (size_t i = 0; i < library->count; i++) {
        char name[128];
        snprintf(name, sizeof name, "%s%s", library->names[i], suffix);
        library->functions[i] = dlsym(handle, name);
        if (!library->functions[i]) {
            dlclose(handle);
            return 0;
        }
    }
    return 1;
}

/// Tries all files in a folder, or in the system's library paths when the path is empty.
static int find_in(const char *folder, CLibrary *library) {
    for (size_t i = 0; library->files[i]; i++) {
        char path[PATH_MAX];
        int length = snprintf(path, sizeof path, "%s%s%s", folder, folder[0] ? "fancytext-" : "", library->files[i]);
        if (length < 0 || (size_t)length >= sizeof path) continue;
        if (open_and_resolve(library, path, library->suffixes ? library->suffixes[i] : "")) return 1;
    }
    return 0;
}

static int find(CLibrary *library) {
    if (library->places == CLOADER_PROGRAM_AND_SYSTEM) {
        pthread_once(&beside_once, find_beside);
        if (beside[0] && find_in(beside, library)) return 1;
    }
    return find_in("", library);
}

int cloader_load(CLibrary *library) {
    int state = __atomic_load_n(&library->state, __ATOMIC_ACQUIRE);
    if (state == UNTRIED) {
        pthread_mutex_lock(&library->mutex);
        state = library->state;
        if (state == UNTRIED) {
            // Under a limit on memory, a file that exists may only lack memory now. Missing ones are not searched for again.
            struct rlimit memory;
            int is_limited = getrlimit(RLIMIT_DATA, &memory) == 0 && memory.rlim_cur != RLIM_INFINITY;
            library->has_failed = 0;
            state = find(library) ? LOADED : library->has_failed && is_limited ? UNTRIED : MISSING;
            __atomic_store_n(&library->state, state, __ATOMIC_RELEASE);
        }
        pthread_mutex_unlock(&library->mutex);
    }
    return state == LOADED;
}

const char *cloader_path(const void *function) {
    Dl_info info;
    return function && dladdr(function, &info) && info.dli_fname ? info.dli_fname : "";
}
