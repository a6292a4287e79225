// The fonts embedded in fancytext, so that text can be drawn where no font is installed.
#ifndef CEMBEDDEDFONTS_H
#define CEMBEDDEDFONTS_H

#include <stddef.h>

typedef struct EmbeddedFont {
    /// A TrueType file; NULL if there is no font at the position.
    const unsigned char *bytes;
    size_t length;
} EmbeddedFont;

enum { EmbeddedFontCount = 4 };

/// In order: Inter roman and italic (variable), DejaVu Sans Mono regular and bold.
EmbeddedFont embedded_font(int position);

#endif
