// ICU, loaded on first use: its data library alone costs more than a whole small render.
#ifndef CICU_H
#define CICU_H

#include <unicode/ubidi.h>
#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/ucnv.h>
#include <unicode/uscript.h>
#include <unicode/ustring.h>
#include <unicode/utext.h>
#include <unicode/utypes.h>
#include <unicode/uversion.h>

// X(field, function): the table's field, and the ICU function that it points to.
#define CICU_COMMON_FUNCTIONS(X)                 \
    X(breakOpen, ubrk_open)                      \
    X(breakClose, ubrk_close)                    \
    X(breakSetUText, ubrk_setUText)              \
    X(breakSetText, ubrk_setText)                \
    X(breakFirst, ubrk_first)                    \
    X(breakNext, ubrk_next)                      \
    X(breakFollowing, ubrk_following)            \
    X(breakIsBoundary, ubrk_isBoundary)          \
    X(breakRuleStatus, ubrk_getRuleStatus)       \
    X(textOpenUTF8, utext_openUTF8)              \
    X(textClose, utext_close)                    \
    X(bidiOpen, ubidi_open)                      \
    X(bidiOpenSized, ubidi_openSized)            \
    X(bidiClose, ubidi_close)                    \
    X(bidiSetPara, ubidi_setPara)                \
    X(bidiGetLevels, ubidi_getLevels)            \
    X(bidiReorderVisual, ubidi_reorderVisual)    \
    X(bidiGetParaLevel, ubidi_getParaLevel)      \
    X(charType, u_charType)                      \
    X(charDirection, u_charDirection)            \
    X(charMirror, u_charMirror)                  \
    X(charName, u_charName)                      \
    X(hasBinaryProperty, u_hasBinaryProperty)    \
    X(intPropertyValue, u_getIntPropertyValue)   \
    X(scriptOf, uscript_getScript)               \
    X(scriptHas, uscript_hasScript)              \
    X(scriptShortName, uscript_getShortName)     \
    X(stringToUpper, u_strToUpper)               \
    X(stringToLower, u_strToLower)               \
    X(converterOpen, ucnv_open)                  \
    X(converterClose, ucnv_close)                \
    X(converterToUnicode, ucnv_toUnicode)        \
    X(converterReset, ucnv_reset)

typedef struct CICU {
#define X(field, function) __typeof__(function) *field;
    CICU_COMMON_FUNCTIONS(X)
#undef X
} CICU;

/// The function table, or NULL when ICU of the version built against is not installed.
/// Loaded once; later calls cost one atomic load. Thread-safe.
const CICU *cicu_load(void);

#endif
