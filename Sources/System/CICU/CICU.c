#include "CICU.h"

#include "CLoader.h"

// ICU has its version in the names of its files and functions. The newest one found is used; a distribution has only one.
#define VERSIONS(X)                                                                                              \
    X(79) X(78) X(77) X(76) X(75) X(74) X(73) X(72) X(71) X(70) X(69) X(68) X(67) X(66) X(65) X(64) X(63)

#define X(version) "libicuuc.so." #version,
static const char *const files[] = {VERSIONS(X) NULL};
#undef X
#define X(version) "_" #version,
static const char *const suffixes[] = {VERSIONS(X)};
#undef X

static const char *const names[] = {
    "ubrk_open",  "ubrk_close", "ubrk_setText", "ubrk_first", "ubrk_next",
    "ucnv_open", "ucnv_close", "ucnv_toUnicode",
    "ubidi_open", "ubidi_close", "ubidi_setPara", "ubidi_getParaLevel", "ubidi_getLevels",
};

static CICU table;
static CLibrary library = CLIBRARY(files, names, table, .suffixes = suffixes);

const CICU *cicu_load(void) { return cloader_load(&library) ? &table : NULL; }
