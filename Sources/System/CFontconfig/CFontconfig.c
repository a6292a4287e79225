#include "CFontconfig.h"

#include "CLoader.h"

static const char *const files[] = {"libfontconfig.so.1", NULL};
static const char *const names[] = {CFONTCONFIG_FUNCTIONS(CLOADER_NAME)};
static CFontconfigTable table;
// Only the system's library is used, because it matches the format of the machine's configuration and caches.
static CLibrary library = CLIBRARY(files, names, table, .places = CLOADER_SYSTEM);

const CFontconfigTable *cfontconfig_load(void) { return cloader_load(&library) ? &table : NULL; }
