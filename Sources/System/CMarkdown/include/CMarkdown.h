// Markdown to HTML, by cmark-gfm, which is loaded on first use.
#ifndef CMARKDOWN_H
#define CMARKDOWN_H

#include <stddef.h>

/// Whether cmark-gfm and its extensions are there. Thread-safe.
int cmarkdown_load(void);

/// CommonMark with GitHub's extensions (tables, strikethrough, task lists, bare links) and footnotes as HTML, raw HTML kept.
/// NULL without the library or memory; else to be freed by `free`. Thread-safe.
char *cmarkdown_html(const char *text, size_t length);

#endif
