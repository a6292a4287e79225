#include "CMarkdown.h"

#include "CLoader.h"

// The used part of cmark-gfm's interface (cmark-gfm.h, cmark-gfm-extension_api.h), so that its headers are not needed to build.
// The names of its files have the version, which must be the same for both libraries.
enum { OPTION_FOOTNOTES = 1 << 13, OPTION_UNSAFE = 1 << 17 };

#define VERSIONS(X) X(6) X(13) X(12) X(11) X(10) X(9) X(8) X(7)

#define X(version) "libcmark-gfm.so.0.29.0.gfm." #version,
static const char *const files[] = {VERSIONS(X) NULL};
#undef X
#define X(version) "libcmark-gfm-extensions.so.0.29.0.gfm." #version,
static const char *const extensionFiles[] = {VERSIONS(X) NULL};
#undef X

static struct {
    void *(*newParser)(int options);
    void (*feed)(void *parser, const char *text, size_t length);
    void *(*finish)(void *parser);
    void (*freeParser)(void *parser);
    void (*freeNode)(void *node);
    char *(*renderHTML)(void *root, int options, void *extensions);
    int (*attach)(void *parser, void *extension);
    void *(*find)(const char *name);
    void *(*extensions)(void *parser);
} cmark;
static const char *const names[] = {
    "cmark_parser_new", "cmark_parser_feed",  "cmark_parser_finish",
    "cmark_parser_free", "cmark_node_free",   "cmark_render_html",
    "cmark_parser_attach_syntax_extension", "cmark_find_syntax_extension", "cmark_parser_get_syntax_extensions",
};
static CLibrary library = CLIBRARY(files, names, cmark, );

static struct {
    void (*ensureRegistered)(void);
} gfm;
static const char *const extensionNames[] = {"cmark_gfm_core_extensions_ensure_registered"};
static CLibrary extensionLibrary = CLIBRARY(extensionFiles, extensionNames, gfm, );

static pthread_once_t once = PTHREAD_ONCE_INIT;
static void registerExtensions(void) { gfm.ensureRegistered(); }

int cmarkdown_load(void) {
    if (!cloader_load(&library) || !cloader_load(&extensionLibrary)) return 0;
    pthread_once(&once, registerExtensions);
    return 1;
}

char *cmarkdown_html(const char *text, size_t length) {
    if (!cmarkdown_load()) return NULL;
    static const char *const extensions[] = {"table", "strikethrough", "autolink", "tasklist"};
    const int options = OPTION_FOOTNOTES | OPTION_UNSAFE;
    void *parser = cmark.newParser(options);
    if (!parser) return NULL;
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++) {
        void *extension = cmark.find(extensions[i]);
        if (extension) cmark.attach(parser, extension);
    }
    cmark.feed(parser, text, length);
    void *document = cmark.finish(parser);
    char *html = document ? cmark.renderHTML(document, options, cmark.extensions(parser)) : NULL;
    if (document) cmark.freeNode(document);
    cmark.freeParser(parser);
    return html;
}
