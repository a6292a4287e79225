// cairo's PDF surface, loaded on first use. Only the functions used of cairo are declared, so its headers are not needed to
// build. Those of FreeType and librsvg are from the copies that this cairo uses, so that faces and drawings of one library never
// reach another copy of it.
#ifndef CCAIRO_H
#define CCAIRO_H

#include <stddef.h>
#include <stdint.h>

typedef struct CCairoContext CCairoContext;
typedef struct CCairoSurface CCairoSurface;
typedef struct CCairoPattern CCairoPattern;
typedef struct CCairoFontFace CCairoFontFace;
typedef struct CCairoFontOptions CCairoFontOptions;
typedef struct CCairoFreeTypeFace CCairoFreeTypeFace;
typedef struct CCairoFreeType CCairoFreeType;

typedef struct CCairoMatrix {
    double xx, yx, xy, yy, x0, y0;
} CCairoMatrix;

typedef struct CCairoGlyph {
    unsigned long index;
    double x, y;
} CCairoGlyph;

typedef struct CCairoCluster {
    int bytes, glyphs;
} CCairoCluster;

typedef struct CCairoUserKey {
    int unused;
} CCairoUserKey;

enum {
    CCAIRO_SUCCESS = 0,
    CCAIRO_NO_MEMORY = 1,
    CCAIRO_WRITE_ERROR = 11,
    CCAIRO_FORMAT_ARGB32 = 0,
    CCAIRO_FORMAT_RGB24 = 1,
    CCAIRO_FILL_NON_ZERO = 0,
    CCAIRO_FILL_EVEN_ODD = 1,
    CCAIRO_EXTEND_NONE = 0,
    CCAIRO_EXTEND_PAD = 3,
    CCAIRO_EXTEND_REPEAT = 1,
    CCAIRO_FILTER_GOOD = 1,
    CCAIRO_FILTER_NEAREST = 3,
    CCAIRO_CLUSTERS_BACKWARD = 1,
    CCAIRO_OFF = 1,
    CCAIRO_OUTLINE_OPEN = 1,
    CCAIRO_METADATA_TITLE = 0,
    CCAIRO_METADATA_AUTHOR = 1,
    CCAIRO_METADATA_SUBJECT = 2,
    CCAIRO_METADATA_KEYWORDS = 3,
    CCAIRO_METADATA_CREATOR = 4,
    CCAIRO_METADATA_CREATED = 5,
};

// X(field, function, result, parameters)
#define CCAIRO_FUNCTIONS(X)                                                                                                \
    X(version, cairo_version_string, const char *, (void))                                                                 \
    X(pdfSurface, cairo_pdf_surface_create_for_stream, CCairoSurface *,                                                    \
      (int (*write)(void *, const unsigned char *, unsigned int), void *, double, double))                                 \
    X(setPageSize, cairo_pdf_surface_set_size, void, (CCairoSurface *, double, double))                                    \
    X(setMetadata, cairo_pdf_surface_set_metadata, void, (CCairoSurface *, int, const char *))                             \
    X(addOutline, cairo_pdf_surface_add_outline, int, (CCairoSurface *, int, const char *, const char *, int))             \
    X(imageSurface, cairo_image_surface_create_for_data, CCairoSurface *, (unsigned char *, int, int, int, int))           \
    X(setUserData, cairo_surface_set_user_data, int,                                                                       \
      (CCairoSurface *, const CCairoUserKey *, void *, void (*free)(void *)))                                              \
    X(setMIMEData, cairo_surface_set_mime_data, int,                                                                       \
      (CCairoSurface *, const char *, const unsigned char *, unsigned long, void (*free)(void *), void *))                 \
    X(finishSurface, cairo_surface_finish, void, (CCairoSurface *))                                                        \
    X(destroySurface, cairo_surface_destroy, void, (CCairoSurface *))                                                      \
    X(surfaceStatus, cairo_surface_status, int, (CCairoSurface *))                                                         \
    X(create, cairo_create, CCairoContext *, (CCairoSurface *))                                                            \
    X(destroy, cairo_destroy, void, (CCairoContext *))                                                                     \
    X(status, cairo_status, int, (CCairoContext *))                                                                        \
    X(statusText, cairo_status_to_string, const char *, (int))                                                             \
    X(showPage, cairo_show_page, void, (CCairoContext *))                                                                  \
    X(save, cairo_save, void, (CCairoContext *))                                                                           \
    X(restore, cairo_restore, void, (CCairoContext *))                                                                     \
    X(transform, cairo_transform, void, (CCairoContext *, const CCairoMatrix *))                                           \
    X(newPath, cairo_new_path, void, (CCairoContext *))                                                                    \
    X(moveTo, cairo_move_to, void, (CCairoContext *, double, double))                                                      \
    X(lineTo, cairo_line_to, void, (CCairoContext *, double, double))                                                      \
    X(curveTo, cairo_curve_to, void, (CCairoContext *, double, double, double, double, double, double))                    \
    X(closePath, cairo_close_path, void, (CCairoContext *))                                                                \
    X(setFillRule, cairo_set_fill_rule, void, (CCairoContext *, int))                                                      \
    X(fill, cairo_fill, void, (CCairoContext *))                                                                           \
    X(stroke, cairo_stroke, void, (CCairoContext *))                                                                       \
    X(setLineWidth, cairo_set_line_width, void, (CCairoContext *, double))                                                 \
    X(setMiterLimit, cairo_set_miter_limit, void, (CCairoContext *, double))                                               \
    X(resetClip, cairo_reset_clip, void, (CCairoContext *))                                                                \
    X(clip, cairo_clip, void, (CCairoContext *))                                                                           \
    X(paint, cairo_paint, void, (CCairoContext *))                                                                         \
    X(paintWithAlpha, cairo_paint_with_alpha, void, (CCairoContext *, double))                                             \
    X(setOperator, cairo_set_operator, void, (CCairoContext *, int))                                                       \
    X(pushGroup, cairo_push_group, void, (CCairoContext *))                                                                \
    X(popGroup, cairo_pop_group_to_source, void, (CCairoContext *))                                                        \
    X(setColor, cairo_set_source_rgba, void, (CCairoContext *, double, double, double, double))                            \
    X(setSource, cairo_set_source, void, (CCairoContext *, CCairoPattern *))                                               \
    X(linear, cairo_pattern_create_linear, CCairoPattern *, (double, double, double, double))                              \
    X(radial, cairo_pattern_create_radial, CCairoPattern *, (double, double, double, double, double, double))              \
    X(surfacePattern, cairo_pattern_create_for_surface, CCairoPattern *, (CCairoSurface *))                                \
    X(addStop, cairo_pattern_add_color_stop_rgba, void, (CCairoPattern *, double, double, double, double, double))         \
    X(setExtend, cairo_pattern_set_extend, void, (CCairoPattern *, int))                                                   \
    X(setFilter, cairo_pattern_set_filter, void, (CCairoPattern *, int))                                                   \
    X(setPatternMatrix, cairo_pattern_set_matrix, void, (CCairoPattern *, const CCairoMatrix *))                           \
    X(destroyPattern, cairo_pattern_destroy, void, (CCairoPattern *))                                                      \
    X(setFontFace, cairo_set_font_face, void, (CCairoContext *, CCairoFontFace *))                                         \
    X(setFontMatrix, cairo_set_font_matrix, void, (CCairoContext *, const CCairoMatrix *))                                 \
    X(setFontOptions, cairo_set_font_options, void, (CCairoContext *, const CCairoFontOptions *))                          \
    X(fontOptions, cairo_font_options_create, CCairoFontOptions *, (void))                                                 \
    X(setHinting, cairo_font_options_set_hint_style, void, (CCairoFontOptions *, int))                                     \
    X(setMetricsHinting, cairo_font_options_set_hint_metrics, void, (CCairoFontOptions *, int))                            \
    X(destroyFontOptions, cairo_font_options_destroy, void, (CCairoFontOptions *))                                         \
    X(showText, cairo_show_text_glyphs, void,                                                                              \
      (CCairoContext *, const char *, int, const CCairoGlyph *, int, const CCairoCluster *, int, int))                     \
    X(glyphPath, cairo_glyph_path, void, (CCairoContext *, const CCairoGlyph *, int))                                      \
    X(beginTag, cairo_tag_begin, void, (CCairoContext *, const char *, const char *))                                      \
    X(endTag, cairo_tag_end, void, (CCairoContext *, const char *))                                                        \
    X(fontFace, cairo_ft_font_face_create_for_ft_face, CCairoFontFace *, (CCairoFreeTypeFace *, int))                      \
    X(destroyFontFace, cairo_font_face_destroy, void, (CCairoFontFace *))                                                  \
    X(setFontUserData, cairo_font_face_set_user_data, int,                                                                 \
      (CCairoFontFace *, const CCairoUserKey *, void *, void (*free)(void *)))                                             \
    X(initFreeType, FT_Init_FreeType, int, (CCairoFreeType **))                                                            \
    X(newFace, FT_New_Memory_Face, int, (CCairoFreeType *, const unsigned char *, long, long, CCairoFreeTypeFace **))      \
    X(doneFace, FT_Done_Face, int, (CCairoFreeTypeFace *))

typedef struct CCairoTable {
#define X(field, function, result, parameters) result(*field) parameters;
    CCAIRO_FUNCTIONS(X)
#undef X
} CCairoTable;

/// The functions, or NULL when cairo is not installed. Thread-safe; later calls cost one atomic load.
const CCairoTable *ccairo_load(void);

/// Creates a face from a font file's bytes, which are copied; NULL when FreeType cannot read them. Thread-safe.
CCairoFontFace *ccairo_font_face(const uint8_t *bytes, size_t size);

/// Creates a picture of premultiplied ARGB words, `width * height` of them, which are copied.
CCairoSurface *ccairo_picture(const uint32_t *pixels, int width, int height, int is_opaque);

/// Embeds a picture in the file as the bytes of a JPEG, which are copied.
void ccairo_set_jpeg(CCairoSurface *picture, const uint8_t *data, size_t size);

/// Draws an SVG file as vectors into a rectangle of a context; 0 when librsvg is not installed or cannot read it.
int ccairo_draw_svg(CCairoContext *context, const uint8_t *data, size_t size, double x, double y, double width,
                    double height);

#endif
