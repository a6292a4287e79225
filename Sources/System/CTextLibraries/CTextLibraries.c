#include "CTextLibraries.h"

#include <stdio.h>
#include <string.h>

#include "CLoader.h"
#include "CMemory.h"

static const char *const freetype_files[] = {"libfreetype.so.6", NULL};
static const char *const freetype_names[] = {CFREETYPE_FUNCTIONS(CLOADER_NAME)};
static CFreeTypeTable freetype;
static CLibrary freetype_library = CLIBRARY(freetype_files, freetype_names, freetype);

static const char *const harfbuzz_files[] = {"libharfbuzz.so.0", NULL};
static const char *const harfbuzz_names[] = {CHARFBUZZ_FUNCTIONS(CLOADER_NAME)};
static CHarfBuzzTable harfbuzz;
static CLibrary harfbuzz_library = CLIBRARY(harfbuzz_files, harfbuzz_names, harfbuzz);

static const char *const hyphen_files[] = {"libhyphen.so.0", NULL};
static const char *const hyphen_names[] = {"hnj_hyphen_load", "hnj_hyphen_free", "hnj_hyphen_hyphenate3"};
static CHyphenTable hyphen;
static CLibrary hyphen_library = CLIBRARY(hyphen_files, hyphen_names, hyphen);

const CFreeTypeTable *cfreetype_load(void) { return cloader_load(&freetype_library) ? &freetype : NULL; }
const CHarfBuzzTable *charfbuzz_load(void) { return cloader_load(&harfbuzz_library) ? &harfbuzz : NULL; }
const CHyphenTable *chyphen_load(void) { return cloader_load(&hyphen_library) ? &hyphen : NULL; }

CTextLibraryInfo cfreetype_info(void) {
    CTextLibraryInfo info = {"", ""};
    FT_Library library;
    if (!cfreetype_load() || freetype.initLibrary(&library) != 0) return info;
    FT_Int major, minor, patch;
    freetype.libraryVersion(library, &major, &minor, &patch);
    freetype.doneLibrary(library);
    snprintf(info.version, sizeof info.version, "%d.%d.%d", major, minor, patch);
    info.path = cloader_path((const void *)freetype.libraryVersion);
    return info;
}

CTextLibraryInfo charfbuzz_info(void) {
    CTextLibraryInfo info = {"", ""};
    if (!charfbuzz_load()) return info;
    snprintf(info.version, sizeof info.version, "%s", harfbuzz.versionString());
    info.path = cloader_path((const void *)harfbuzz.versionString);
    return info;
}

static int is_for_shaping(const char *path) {
    // HarfBuzz with what it needs, and what FreeType needs for packed fonts.
    static const char *const names[] = {
        "libharfbuzz.", "libglib-", "libgraphite2.", "libpcre2-", "libbrotli", "libpng16.", "libz.",
    };
    const char *name = strrchr(path, '/');
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++) {
        if (strncmp(name + 1, names[i], strlen(names[i])) == 0) return 1;
    }
    return 0;
}

static int is_for_drawing(const char *path) {
    const char *name = strrchr(path, '/');
    return name ? strncmp(name, "/libfreetype.", strlen("/libfreetype.")) == 0 : !*path;
}

void charfbuzz_release_code(void) { cmemory_release_code(is_for_shaping); }
void cfreetype_release_code(void) { cmemory_release_code(is_for_drawing); }
