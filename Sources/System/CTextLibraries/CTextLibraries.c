#include "CTextLibraries.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

#define STRINGIFY_(x) #x
#define STRINGIFY(x) STRINGIFY_(x)
#define RESOLVE(field, function)                                              \
    table.field = (__typeof__(table.field))dlsym(library, STRINGIFY(function)); \
    if (!table.field) return NULL;

static const CFreeTypeTable *resolve_freetype(void) {
    static CFreeTypeTable table;
    void *library = dlopen("libfreetype.so.6", RTLD_LAZY | RTLD_LOCAL);
    if (!library) return NULL;
    CFREETYPE_FUNCTIONS(RESOLVE)
    return &table;
}

static const CHarfBuzzTable *resolve_harfbuzz(void) {
    static CHarfBuzzTable table;
    void *library = dlopen("libharfbuzz.so.0", RTLD_LAZY | RTLD_LOCAL);
    if (!library) return NULL;
    CHARFBUZZ_FUNCTIONS(RESOLVE)
    return &table;
}

static const CHyphenTable *resolve_hyphen(void) {
    static CHyphenTable table;
    void *library = dlopen("libhyphen.so.0", RTLD_LAZY | RTLD_LOCAL);
    if (!library) return NULL;
    RESOLVE(load, hnj_hyphen_load)
    RESOLVE(free, hnj_hyphen_free)
    RESOLVE(hyphenate, hnj_hyphen_hyphenate3)
    return &table;
}

#define LOADER(name, type)                                          \
    static const type *name##_table;                                \
    static pthread_once_t name##_once = PTHREAD_ONCE_INIT;          \
    static void name##_open(void) { name##_table = resolve_##name(); } \
    const type *c##name##_load(void) {                              \
        pthread_once(&name##_once, name##_open);                    \
        return name##_table;                                        \
    }

LOADER(freetype, CFreeTypeTable)
LOADER(harfbuzz, CHarfBuzzTable)
LOADER(hyphen, CHyphenTable)
