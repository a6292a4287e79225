// Shared libraries, loaded on first use: most runs need few of them, and a run that draws nothing needs none.
//
// A library is first looked up in the folder `../lib/fancytext` of the program, as `fancytext-NAME`, then by its name among the
// system's libraries. The different name makes sure that a system library that depends on the original gets the original. No
// other place is searched: not the working directory, and no path in a document.
#ifndef CLOADER_H
#define CLOADER_H

#include <pthread.h>
#include <stddef.h>

typedef enum CLoaderPlaces {
    /// The copy beside the program, or else the system's library.
    CLOADER_PROGRAM_AND_SYSTEM,
    /// Only the system's library, because it reads the machine's own configuration and caches.
    CLOADER_SYSTEM,
} CLoaderPlaces;

/// A library and its functions in use. It must live as long as the program.
typedef struct CLibrary {
    /// The file names, the best first, followed by NULL.
    const char *const *files;
    /// For each file the suffix of its functions' names; NULL when there is none.
    const char *const *suffixes;
    /// The names of `count` functions, and the places for their addresses.
    const char *const *names;
    void **functions;
    size_t count;
    CLoaderPlaces places;
    pthread_mutex_t mutex;
    int state;
    /// True if a file could not be opened for another reason than that it does not exist.
    int has_failed;
} CLibrary;

// The names of a table's fields from an X list, X(field, function).
#define CLOADER_NAME(field, function) #function,

/// The initial value of a `CLibrary` whose functions go to the fields of `table_`, all of them pointers in the order of
/// `names_`; further members may follow.
#define CLIBRARY(files_, names_, table_, ...)                                                     \
    {                                                                                             \
        .files = (files_), .names = (names_), .functions = (void **)&(table_),                    \
        .count = sizeof(names_) / sizeof *(names_), .mutex = PTHREAD_MUTEX_INITIALIZER, __VA_ARGS__ \
    }

/// Loads the first file that can be opened and has all the functions; returns 0 if there is no such file. Later calls cost one
/// atomic load. Thread-safe.
int cloader_load(CLibrary *library);

/// The path of the program; an empty text when it is unknown. Needs no /proc. Thread-safe.
const char *cloader_program(void);

/// The path of the file that a function was loaded from; an empty text when it is unknown.
const char *cloader_path(const void *function);

#endif
