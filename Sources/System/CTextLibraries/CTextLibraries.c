#define _GNU_SOURCE
#include "CTextLibraries.h"

#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

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

int charfbuzz_is_installed(void) { return cloader_is_there(&harfbuzz_library) || charfbuzz_load() != NULL; }

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

/// Takes what a loaded file has besides variables from the process's memory.
static void release_file(const struct dl_phdr_info *object) {
    // What may be written to, or was when it was relocated, is not in the file. The others come before it.
    ElfW(Addr) start = 0, end = 0;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD) continue;
        if (segment->p_flags & PF_W) break;
        if (end == 0) start = segment->p_vaddr;
        end = segment->p_vaddr + segment->p_filesz;
    }
    const ElfW(Addr) page = (ElfW(Addr))sysconf(_SC_PAGESIZE);
    start = object->dlpi_addr + start, end = (object->dlpi_addr + end) & -page;
    if (start % page == 0 && start < end) madvise((void *)start, end - start, MADV_DONTNEED);
}

static int release_drawing(struct dl_phdr_info *object, size_t size, void *context) {
    (void)size, (void)context;
    // HarfBuzz with what it needs. The program has no name here.
    static const char *const names[] = {
        "libharfbuzz.", "libglib-", "libgraphite2.", "libpcre2-", "libfreetype.", "libbrotli", "libpng16.", "libz.",
    };
    const char *name = strrchr(object->dlpi_name, '/');
    int is_released = !*object->dlpi_name;
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++) {
        is_released |= strncmp(name + 1, names[i], strlen(names[i])) == 0;
    }
    if (is_released) release_file(object);
    return 0;
}

void ctext_release_code(void) { dl_iterate_phdr(release_drawing, NULL); }
