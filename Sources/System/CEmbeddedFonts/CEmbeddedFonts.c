// The files come from the Debian packages fonts-inter-variable and fonts-dejavu-core (`make deps`). A program without fonts
// would draw other pictures, or none, so a build without them fails.
#include "CEmbeddedFonts.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

#define INTER "/usr/share/fonts/truetype/inter-vf/Inter-roman.var.ttf"
#define INTER_ITALIC "/usr/share/fonts/truetype/inter-vf/Inter-italic.var.ttf"
#define MONO "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"
#define MONO_BOLD "/usr/share/fonts/truetype/dejavu/DejaVuSansMono-Bold.ttf"

#if __has_embed(INTER) != __STDC_EMBED_FOUND__ || __has_embed(INTER_ITALIC) != __STDC_EMBED_FOUND__
#error "the default font is missing: install the package fonts-inter-variable (make deps)"
#elif __has_embed(MONO) != __STDC_EMBED_FOUND__ || __has_embed(MONO_BOLD) != __STDC_EMBED_FOUND__
#error "the default monospace font is missing: install the package fonts-dejavu-core (make deps)"
#else

static const unsigned char inter[] = {
#embed INTER
};
static const unsigned char inter_italic[] = {
#embed INTER_ITALIC
};
static const unsigned char mono[] = {
#embed MONO
};
static const unsigned char mono_bold[] = {
#embed MONO_BOLD
};

static const EmbeddedFont embedded_fonts[EmbeddedFontCount] = {
    {inter, sizeof inter},
    {inter_italic, sizeof inter_italic},
    {mono, sizeof mono},
    {mono_bold, sizeof mono_bold},
};

EmbeddedFont embedded_font(int position) {
    EmbeddedFont none = {NULL, 0};
    return position >= 0 && position < EmbeddedFontCount ? embedded_fonts[position] : none;
}

#endif
