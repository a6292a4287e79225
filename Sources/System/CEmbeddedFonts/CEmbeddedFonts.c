// Each family comes from the first of these places that has it:
//
//   1. the folder that FANCYTEXT_FONTS names while the package is built (`make build FONTS=folder`), with the files
//      InterVariable.ttf, InterVariable-Italic.ttf, DejaVuSansMono.ttf and DejaVuSansMono-Bold.ttf
//   2. Debian and Ubuntu: fonts-inter-variable, fonts-dejavu-core (`make deps`)
//   3. Fedora: rsms-inter-vf-fonts, dejavu-sans-mono-fonts
//   4. Arch: inter-font, ttf-dejavu; Alpine: font-inter, font-dejavu
//   5. Homebrew: brew install --cask --fontdir=/Library/Fonts font-inter font-dejavu
//
// A build without the fonts fails, because a program without them would draw other pictures, or none. Another version of a font
// gives other pictures too.
#include "CEmbeddedFonts.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

// The manifest defines FANCYTEXT_INTER and the others as the paths in the folder of FANCYTEXT_FONTS.
#ifdef FANCYTEXT_INTER
#define INTER FANCYTEXT_INTER
#define INTER_ITALIC FANCYTEXT_INTER_ITALIC
#elif __has_embed("/usr/share/fonts/truetype/inter-vf/Inter-roman.var.ttf") == __STDC_EMBED_FOUND__
#define INTER "/usr/share/fonts/truetype/inter-vf/Inter-roman.var.ttf"
#define INTER_ITALIC "/usr/share/fonts/truetype/inter-vf/Inter-italic.var.ttf"
#elif __has_embed("/usr/share/fonts/rsms-inter-vf-fonts/InterVariable.ttf") == __STDC_EMBED_FOUND__
#define INTER "/usr/share/fonts/rsms-inter-vf-fonts/InterVariable.ttf"
#define INTER_ITALIC "/usr/share/fonts/rsms-inter-vf-fonts/InterVariable-Italic.ttf"
#elif __has_embed("/usr/share/fonts/inter/InterVariable.ttf") == __STDC_EMBED_FOUND__
#define INTER "/usr/share/fonts/inter/InterVariable.ttf"
#define INTER_ITALIC "/usr/share/fonts/inter/InterVariable-Italic.ttf"
#else
#define INTER "/Library/Fonts/InterVariable.ttf"
#define INTER_ITALIC "/Library/Fonts/InterVariable-Italic.ttf"
#endif

#ifdef FANCYTEXT_MONO
#define MONO FANCYTEXT_MONO
#define MONO_BOLD FANCYTEXT_MONO_BOLD
#elif __has_embed("/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf") == __STDC_EMBED_FOUND__
#define MONO "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"
#define MONO_BOLD "/usr/share/fonts/truetype/dejavu/DejaVuSansMono-Bold.ttf"
#elif __has_embed("/usr/share/fonts/dejavu-sans-mono-fonts/DejaVuSansMono.ttf") == __STDC_EMBED_FOUND__
#define MONO "/usr/share/fonts/dejavu-sans-mono-fonts/DejaVuSansMono.ttf"
#define MONO_BOLD "/usr/share/fonts/dejavu-sans-mono-fonts/DejaVuSansMono-Bold.ttf"
#elif __has_embed("/usr/share/fonts/TTF/DejaVuSansMono.ttf") == __STDC_EMBED_FOUND__
#define MONO "/usr/share/fonts/TTF/DejaVuSansMono.ttf"
#define MONO_BOLD "/usr/share/fonts/TTF/DejaVuSansMono-Bold.ttf"
#elif __has_embed("/usr/share/fonts/dejavu/DejaVuSansMono.ttf") == __STDC_EMBED_FOUND__
#define MONO "/usr/share/fonts/dejavu/DejaVuSansMono.ttf"
#define MONO_BOLD "/usr/share/fonts/dejavu/DejaVuSansMono-Bold.ttf"
#else
#define MONO "/Library/Fonts/DejaVuSansMono.ttf"
#define MONO_BOLD "/Library/Fonts/DejaVuSansMono-Bold.ttf"
#endif

#if __has_embed(INTER) != __STDC_EMBED_FOUND__ || __has_embed(INTER_ITALIC) != __STDC_EMBED_FOUND__
#ifdef FANCYTEXT_INTER
#error "FANCYTEXT_FONTS names a folder without InterVariable.ttf or InterVariable-Italic.ttf"
#else
#error "the font Inter is missing; install its package (make deps) or name a folder (make build FONTS=folder): the places are in CEmbeddedFonts.c"
#endif
#elif __has_embed(MONO) != __STDC_EMBED_FOUND__ || __has_embed(MONO_BOLD) != __STDC_EMBED_FOUND__
#ifdef FANCYTEXT_MONO
#error "FANCYTEXT_FONTS names a folder without DejaVuSansMono.ttf or DejaVuSansMono-Bold.ttf"
#else
#error "the font DejaVu Sans Mono is missing; install its package (make deps) or name a folder (make build FONTS=folder): the places are in CEmbeddedFonts.c"
#endif
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
