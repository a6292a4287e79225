// The files come from the Debian packages fonts-inter-variable and fonts-dejavu-core (`make deps`). A build without
// them succeeds and then looks for fonts at run time.
#include "CEmbeddedFonts.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

#define INTER "/usr/share/fonts/truetype/inter-vf/Inter-roman.var.ttf"
#define INTER_ITALIC "/usr/share/fonts/truetype/inter-vf/Inter-italic.var.ttf"
#define MONO "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"
#define MONO_BOLD "/usr/share/fonts/truetype/dejavu/DejaVuSansMono-Bold.ttf"

#if __has_embed(INTER) == __STDC_EMBED_FOUND__
static const unsigned char inter[] = {
#embed INTER
};
#define INTER_FONT {inter, sizeof inter}
#else
#define INTER_FONT {NULL, 0}
#endif

#if __has_embed(INTER_ITALIC) == __STDC_EMBED_FOUND__
static const unsigned char inter_italic[] = {
#embed INTER_ITALIC
};
#define INTER_ITALIC_FONT {inter_italic, sizeof inter_italic}
#else
#define INTER_ITALIC_FONT {NULL, 0}
#endif

#if __has_embed(MONO) == __STDC_EMBED_FOUND__
static const unsigned char mono[] = {
#embed MONO
};
#define MONO_FONT {mono, sizeof mono}
#else
#define MONO_FONT {NULL, 0}
#endif

#if __has_embed(MONO_BOLD) == __STDC_EMBED_FOUND__
static const unsigned char mono_bold[] = {
#embed MONO_BOLD
};
#define MONO_BOLD_FONT {mono_bold, sizeof mono_bold}
#else
#define MONO_BOLD_FONT {NULL, 0}
#endif

static const EmbeddedFont embedded_fonts[EmbeddedFontCount] = {INTER_FONT, INTER_ITALIC_FONT, MONO_FONT, MONO_BOLD_FONT};

EmbeddedFont embedded_font(int position) {
    EmbeddedFont none = {NULL, 0};
    return position >= 0 && position < EmbeddedFontCount ? embedded_fonts[position] : none;
}
