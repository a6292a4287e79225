#include "CICU.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

#define STRINGIFY_(x) #x
#define STRINGIFY(x) STRINGIFY_(x)

static CICU table;
static const CICU *loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    void *library = dlopen("libicuuc.so." STRINGIFY(U_ICU_VERSION_MAJOR_NUM), RTLD_LAZY | RTLD_LOCAL);
    if (!library) return;
#define X(field, function)                                                    \
    table.field = (__typeof__(table.field))dlsym(library, STRINGIFY(function)); \
    if (!table.field) return;
    CICU_COMMON_FUNCTIONS(X)
#undef X
    loaded = &table;
}

const CICU *cicu_load(void) {
    pthread_once(&once, load);
    return loaded;
}
