// FreeType, which is linked, and HarfBuzz and libhyphen, loaded on first use, because a run that needs neither should not pay for
// the dynamic linking of a font stack. For the latter two there is a table of the functions used.
#ifndef CTEXTLIBRARIES_H
#define CTEXTLIBRARIES_H

#include <freetype/freetype.h>
#include <freetype/ftadvanc.h>
#include <freetype/ftbitmap.h>
#include <freetype/ftcolor.h>
#include <freetype/ftimage.h>
#include <freetype/ftmm.h>
#include <freetype/ftmodapi.h>
#include <freetype/ftoutln.h>
#include <freetype/ftsizes.h>
#include <freetype/ftdriver.h>
#include <freetype/ftmodapi.h>
#include <freetype/ftsnames.h>
#include <freetype/ftsynth.h>
#include <freetype/ttnameid.h>
#include <freetype/tttables.h>

#include <harfbuzz/hb-ot.h>
#include <harfbuzz/hb.h>

// X(field, function): the table's field, and the function that it points to.
#define CHARFBUZZ_FUNCTIONS(X)                                       \
    X(versionString, hb_version_string)                              \
    X(blobCreate, hb_blob_create)                                    \
    X(blobDestroy, hb_blob_destroy)                                  \
    X(faceCreate, hb_face_create)                                    \
    X(faceCreateForTables, hb_face_create_for_tables)                \
    X(faceDestroy, hb_face_destroy)                                  \
    X(fontCreate, hb_font_create)                                    \
    X(fontDestroy, hb_font_destroy)                                  \
    X(fontSetScale, hb_font_set_scale)                               \
    X(fontSetVariations, hb_font_set_variations)                     \
    X(fontNominalGlyph, hb_font_get_nominal_glyph)                   \
    X(fontAdvance, hb_font_get_glyph_h_advance)                      \
    X(fontExtents, hb_font_get_glyph_extents)                        \
    X(bufferCreate, hb_buffer_create)                                \
    X(bufferDestroy, hb_buffer_destroy)                              \
    X(bufferClear, hb_buffer_clear_contents)                         \
    X(bufferAddUTF8, hb_buffer_add_utf8)                             \
    X(bufferAdd, hb_buffer_add)                                      \
    X(bufferSetContentType, hb_buffer_set_content_type)              \
    X(bufferSetDirection, hb_buffer_set_direction)                   \
    X(bufferSetScript, hb_buffer_set_script)                         \
    X(bufferSetLanguage, hb_buffer_set_language)                     \
    X(bufferSetFlags, hb_buffer_set_flags)                           \
    X(bufferInfos, hb_buffer_get_glyph_infos)                        \
    X(bufferPositions, hb_buffer_get_glyph_positions)                \
    X(shape, hb_shape)                                               \
    X(languageFromString, hb_language_from_string)                   \
    X(scriptFromTag, hb_script_from_iso15924_tag)                    \
    X(layoutFeatureTags, hb_ot_layout_table_get_feature_tags)        \
    X(faceScalars, hb_face_collect_unicodes)                         \
    X(mathHasData, hb_ot_math_has_data)                              \
    X(mathConstant, hb_ot_math_get_constant)                         \
    X(mathVariants, hb_ot_math_get_glyph_variants)                   \
    X(mathOverlap, hb_ot_math_get_min_connector_overlap)             \
    X(mathAssembly, hb_ot_math_get_glyph_assembly)                   \
    X(setCreate, hb_set_create)                                      \
    X(setDestroy, hb_set_destroy)                                    \
    X(setNext, hb_set_next)                                          \
    X(unicodeFunctions, hb_unicode_funcs_get_default)                \
    X(unicodeCompose, hb_unicode_compose)                            \
    X(unicodeDecompose, hb_unicode_decompose)

typedef struct CHarfBuzzTable {
#define X(field, function) __typeof__(function) *field;
    CHARFBUZZ_FUNCTIONS(X)
#undef X
} CHarfBuzzTable;

typedef struct HyphenDictionary HyphenDictionary;

typedef struct CHyphenTable {
    HyphenDictionary *(*load)(const char *path);
    void (*free)(HyphenDictionary *dictionary);
    // The library's hnj_hyphen_hyphenate2 with the minima given per call.
    int (*hyphenate)(HyphenDictionary *dictionary, const char *word, int size, char *hyphens, char *hyphenated, char ***rep,
                     int **pos, int **cut, int leftMin, int rightMin, int compoundLeftMin, int compoundRightMin);
} CHyphenTable;

/// The function tables, or NULL when the library is not installed. Loaded once; later calls cost one atomic load.
/// Thread-safe.
const CHarfBuzzTable *charfbuzz_load(void);
const CHyphenTable *chyphen_load(void);

/// The version of a library, such as "2.12.1", and the path of its file, valid for the life of the program. Both are empty when
/// the library is not installed.
typedef struct CTextLibraryInfo {
    char version[32];
    const char *path;
} CTextLibraryInfo;

CTextLibraryInfo cfreetype_info(void);
CTextLibraryInfo charfbuzz_info(void);

#endif
