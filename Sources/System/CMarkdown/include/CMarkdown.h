// Markdown to HTML, by cmark-gfm, which is loaded on first use.
#ifndef CMARKDOWN_H
#define CMARKDOWN_H

#include <stddef.h>

/// Returns whether cmark-gfm and its extensions are available. Thread-safe.
int cmarkdown_load(void);

/// Converts CommonMark with GitHub's extensions (tables, strikethrough, task lists, bare links) and footnotes to HTML; raw HTML
/// is kept. Returns NULL without the library or memory; else a text to be freed with `free`. Thread-safe.
char *cmarkdown_html(const char *text, size_t length);

#endif
