// fontconfig, loaded on first use: reading its configuration and caches costs more than a whole small render.
#ifndef CFONTCONFIG_H
#define CFONTCONFIG_H

#include <fontconfig/fontconfig.h>

// X(field, function): the table's field, and the function that it points to.
#define CFONTCONFIG_FUNCTIONS(X)                   \
    X(loadConfig, FcInitLoadConfigAndFonts)        \
    X(configDestroy, FcConfigDestroy)              \
    X(substitute, FcConfigSubstitute)              \
    X(defaultSubstitute, FcDefaultSubstitute)      \
    X(fontSort, FcFontSort)                        \
    X(fontMatch, FcFontMatch)                      \
    X(fontList, FcFontList)                        \
    X(fontSetDestroy, FcFontSetDestroy)            \
    X(patternCreate, FcPatternCreate)              \
    X(patternDestroy, FcPatternDestroy)            \
    X(patternDelete, FcPatternDel)                 \
    X(patternAddString, FcPatternAddString)        \
    X(patternAddInteger, FcPatternAddInteger)      \
    X(patternAddDouble, FcPatternAddDouble)        \
    X(patternAddBool, FcPatternAddBool)            \
    X(patternAddCharSet, FcPatternAddCharSet)      \
    X(patternAddLangSet, FcPatternAddLangSet)      \
    X(patternGetString, FcPatternGetString)        \
    X(patternGetInteger, FcPatternGetInteger)      \
    X(patternGetDouble, FcPatternGetDouble)        \
    X(patternGetBool, FcPatternGetBool)            \
    X(patternGetRange, FcPatternGetRange)          \
    X(rangeGetDouble, FcRangeGetDouble)            \
    X(patternGetCharSet, FcPatternGetCharSet)      \
    X(charSetCreate, FcCharSetCreate)              \
    X(charSetDestroy, FcCharSetDestroy)            \
    X(charSetAdd, FcCharSetAddChar)                \
    X(charSetHas, FcCharSetHasChar)                \
    X(langSetCreate, FcLangSetCreate)              \
    X(langSetDestroy, FcLangSetDestroy)            \
    X(langSetAdd, FcLangSetAdd)                    \
    X(objectSetCreate, FcObjectSetCreate)          \
    X(objectSetAdd, FcObjectSetAdd)                \
    X(objectSetDestroy, FcObjectSetDestroy)        \
    X(weightToOpenType, FcWeightToOpenTypeDouble)  \
    X(weightFromOpenType, FcWeightFromOpenTypeDouble)

typedef struct CFontconfigTable {
#define X(field, function) __typeof__(function) *field;
    CFONTCONFIG_FUNCTIONS(X)
#undef X
} CFontconfigTable;

/// The function table, or NULL when fontconfig is not installed. Loaded once; later calls cost one atomic load.
/// Thread-safe.
const CFontconfigTable *cfontconfig_load(void);

#endif
