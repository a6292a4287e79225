#include "CTextLibraries.h"

#include <stdio.h>
#include <string.h>

#include "CLoader.h"

static const char *const harfbuzz_files[] = {"libharfbuzz.so.0", NULL};
static const char *const harfbuzz_names[] = {CHARFBUZZ_FUNCTIONS(CLOADER_NAME)};
static CHarfBuzzTable harfbuzz;
static CLibrary harfbuzz_library = CLIBRARY(harfbuzz_files, harfbuzz_names, harfbuzz);

static const char *const hyphen_files[] = {"libhyphen.so.0", NULL};
static const char *const hyphen_names[] = {"hnj_hyphen_load", "hnj_hyphen_free", "hnj_hyphen_hyphenate3"};
static CHyphenTable hyphen;
static CLibrary hyphen_library = CLIBRARY(hyphen_files, hyphen_names, hyphen);

const CHarfBuzzTable *charfbuzz_load(void) { return cloader_load(&harfbuzz_library) ? &harfbuzz : NULL; }
const CHyphenTable *chyphen_load(void) { return cloader_load(&hyphen_library) ? &hyphen : NULL; }

CTextLibraryInfo cfreetype_info(void) {
    CTextLibraryInfo info = {"", ""};
    FT_Library library;
    if (FT_Init_FreeType(&library) != 0) return info;
    FT_Int major, minor, patch;
    FT_Library_Version(library, &major, &minor, &patch);
    FT_Done_FreeType(library);
    snprintf(info.version, sizeof info.version, "%d.%d.%d", major, minor, patch);
    info.path = cloader_path((const void *)FT_Library_Version);
    return info;
}

CTextLibraryInfo charfbuzz_info(void) {
    CTextLibraryInfo info = {"", ""};
    if (!charfbuzz_load()) return info;
    snprintf(info.version, sizeof info.version, "%s", harfbuzz.versionString());
    info.path = cloader_path((const void *)harfbuzz.versionString);
    return info;
}
