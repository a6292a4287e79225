#include "CFontconfig.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

#define STRINGIFY_(x) #x
#define STRINGIFY(x) STRINGIFY_(x)

static CFontconfigTable table;
static const CFontconfigTable *loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    void *library = dlopen("libfontconfig.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (!library) return;
#define X(field, function)                                                    \
    table.field = (__typeof__(table.field))dlsym(library, STRINGIFY(function)); \
    if (!table.field) return;
    CFONTCONFIG_FUNCTIONS(X)
#undef X
    loaded = &table;
}

const CFontconfigTable *cfontconfig_load(void) {
    pthread_once(&once, load);
    return loaded;
}
