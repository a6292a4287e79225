#include "CCairo.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "CLoader.h"

static const char *const cairo_files[] = {"libcairo.so.2", NULL};
// FreeType's functions are looked up in the library that cairo itself depends on.
#define X(field, function, result, parameters) #function,
static const char *const cairo_names[] = {CCAIRO_FUNCTIONS(X)};
#undef X
static CCairoTable cairo;
static CLibrary cairo_library = CLIBRARY(cairo_files, cairo_names, cairo);

const CCairoTable *ccairo_load(void) { return cloader_load(&cairo_library) ? &cairo : NULL; }

// cairo keeps faces as long as it likes and frees them on any thread that calls it, while FreeType allows one call at a time for
// each library.
static pthread_mutex_t faces_mutex = PTHREAD_MUTEX_INITIALIZER;
static CCairoFreeType *faces_library;
static const CCairoUserKey face_key, pixels_key;

struct owned_face {
    CCairoFreeTypeFace *face;
    unsigned char bytes[];
};

static void free_face(void *data) {
    struct owned_face *owned = data;
    pthread_mutex_lock(&faces_mutex);
    cairo.doneFace(owned->face);
    pthread_mutex_unlock(&faces_mutex);
    free(owned);
}

CCairoFontFace *ccairo_font_face(const uint8_t *bytes, size_t size) {
    enum { NO_HINTING = 1 << 1, NO_BITMAPS = 1 << 3 };
    if (!ccairo_load()) return NULL;
    struct owned_face *owned = malloc(sizeof *owned + size);
    if (!owned) return NULL;
    memcpy(owned->bytes, bytes, size);
    pthread_mutex_lock(&faces_mutex);
    int is_open = (faces_library || cairo.initFreeType(&faces_library) == 0) &&
                  cairo.newFace(faces_library, owned->bytes, (long)size, 0, &owned->face) == 0;
    pthread_mutex_unlock(&faces_mutex);
    if (!is_open) {
        free(owned);
        return NULL;
    }
    CCairoFontFace *face = cairo.fontFace(owned->face, NO_HINTING | NO_BITMAPS);
    // Without memory for the record, the face is never freed, which is safe.
    cairo.setFontUserData(face, &face_key, owned, free_face);
    return face;
}

CCairoSurface *ccairo_picture(const uint32_t *pixels, int width, int height, int is_opaque) {
    size_t size = (size_t)width * height * 4;
    unsigned char *copy = malloc(size ? size : 1);
    if (!copy) return NULL;
    memcpy(copy, pixels, size);
    CCairoSurface *surface =
        cairo.imageSurface(copy, is_opaque ? CCAIRO_FORMAT_RGB24 : CCAIRO_FORMAT_ARGB32, width, height, width * 4);
    if (cairo.setUserData(surface, &pixels_key, copy, free) != CCAIRO_SUCCESS) free(copy);
    return surface;
}

void ccairo_set_jpeg(CCairoSurface *picture, const uint8_t *data, size_t size) {
    unsigned char *copy = malloc(size ? size : 1);
    if (!copy) return;
    memcpy(copy, data, size);
    if (cairo.setMIMEData(picture, "image/jpeg", copy, size, free, copy) != CCAIRO_SUCCESS) free(copy);
}

struct rectangle {
    double x, y, width, height;
};

static struct {
    void *(*from_data)(const uint8_t *, size_t, void **);
    void (*set_dpi)(void *, double);
    int (*render)(void *, CCairoContext *, const struct rectangle *, void **);
    void (*unref)(void *);
    void (*error_free)(void *);
} svg;
static const char *const svg_names[] = {
    "rsvg_handle_new_from_data",
    "rsvg_handle_set_dpi",
    "rsvg_handle_render_document",
    "g_object_unref",
    "g_error_free",
};
static const char *const svg_files[] = {"librsvg-2.so.2", NULL};
static CLibrary svg_library = CLIBRARY(svg_files, svg_names, svg);

int ccairo_draw_svg(CCairoContext *context, const uint8_t *data, size_t size, double x, double y, double width,
                    double height) {
    if (!ccairo_load() || !cloader_load(&svg_library)) return 0;
    void *error = NULL;
    void *handle = svg.from_data(data, size, &error);
    if (error) svg.error_free(error);
    if (!handle) return 0;
    svg.set_dpi(handle, 96);
    struct rectangle viewport = {x, y, width, height};
    error = NULL;
    cairo.save(context);
    int is_drawn = svg.render(handle, context, &viewport, &error);
    cairo.restore(context);
    if (error) svg.error_free(error);
    svg.unref(handle);
    return is_drawn;
}
