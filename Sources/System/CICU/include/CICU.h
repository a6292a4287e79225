// ICU, loaded on first use: its data library alone costs more than a whole small render.
//
// The few functions used are declared here as in ICU's stable C interface. So neither building nor importing this module needs
// ICU's headers (Foundation has its own, which conflict with them), and any version works.
#ifndef CICU_H
#define CICU_H

#include <stdint.h>

/// UErrorCode: errors are positive, warnings negative.
typedef int32_t CICUStatus;

enum {
    /// U_BUFFER_OVERFLOW_ERROR
    CICUBufferOverflow = 15,
    /// UBRK_LINE
    CICULineBreaks = 2,
    /// UBIDI_DEFAULT_LTR: the level of the first strong character, else 0.
    CICUBidiAutomatic = 0xFE,
};

typedef struct CICUBreakIterator CICUBreakIterator;
typedef struct CICUConverter CICUConverter;
typedef struct CICUBidi CICUBidi;

/// Text is UTF-16, lengths are in code units, and flags are 0 or 1.
typedef struct CICU {
    /// ubrk_open
    CICUBreakIterator *(*breakOpen)(int32_t kind, const char *locale, const uint16_t *text, int32_t length, CICUStatus *status);
    /// ubrk_close
    void (*breakClose)(CICUBreakIterator *iterator);
    /// ubrk_setText
    void (*breakSetText)(CICUBreakIterator *iterator, const uint16_t *text, int32_t length, CICUStatus *status);
    /// ubrk_first
    int32_t (*breakFirst)(CICUBreakIterator *iterator);
    /// ubrk_next
    int32_t (*breakNext)(CICUBreakIterator *iterator);
    /// ucnv_open
    CICUConverter *(*converterOpen)(const char *name, CICUStatus *status);
    /// ucnv_close
    void (*converterClose)(CICUConverter *converter);
    /// ucnv_toUnicode
    void (*converterToUnicode)(
        CICUConverter *converter, uint16_t **target, const uint16_t *targetEnd, const char **source, const char *sourceEnd,
        int32_t *offsets, int8_t isLast, CICUStatus *status);
    /// ubidi_open
    CICUBidi *(*bidiOpen)(void);
    /// ubidi_close
    void (*bidiClose)(CICUBidi *bidi);
    /// ubidi_setPara: the text must remain as long as the result is read.
    void (*bidiSetText)(
        CICUBidi *bidi, const uint16_t *text, int32_t length, uint8_t level, uint8_t *levels, CICUStatus *status);
    /// ubidi_getParaLevel
    uint8_t (*bidiBaseLevel)(const CICUBidi *bidi);
    /// ubidi_getLevels
    const uint8_t *(*bidiLevels)(CICUBidi *bidi, CICUStatus *status);
} CICU;

/// The function table, or NULL when ICU is not installed. Loaded once; later calls cost one atomic load. Thread-safe.
const CICU *cicu_load(void);

#endif
