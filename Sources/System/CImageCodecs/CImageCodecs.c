// libjpeg-turbo, libwebp, giflib and librsvg behind four small functions each, loaded by dlopen.
//
// libjpeg and giflib have structures in their interfaces, so their headers are needed; of libwebp and librsvg (whose headers
// bring GLib and cairo along) only the few functions used are declared here.

#include "CImageCodecs.h"

#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if __has_include(<jpeglib.h>)
#include <jpeglib.h>
#define HAS_JPEG 1
#endif
#if __has_include(<gif_lib.h>)
#include <gif_lib.h>
#define HAS_GIF 1
#endif

/// Fills a table of `count` pointers with the functions called `names`; 0 when the library or one of them is missing.
static int load(const char *const *libraries, const char *const *names, void **table, size_t count) {
    void *handle = NULL;
    for (; *libraries && !handle; libraries++) handle = dlopen(*libraries, RTLD_NOW | RTLD_LOCAL);
    if (!handle) return 0;
    for (size_t i = 0; i < count; i++) {
        table[i] = dlsym(handle, names[i]);
        if (!table[i]) return 0;
    }
    return 1;
}

// MARK: JPEG

#ifdef HAS_JPEG
#define JPEG_FUNCTIONS(X)                            \
    X(jpeg_std_error) X(jpeg_CreateDecompress)       \
    X(jpeg_mem_src) X(jpeg_read_header)              \
    X(jpeg_start_decompress) X(jpeg_read_scanlines)  \
    X(jpeg_finish_decompress) X(jpeg_destroy_decompress)

static struct {
#define X(name) __typeof__(&name) p_##name;
    JPEG_FUNCTIONS(X)
#undef X
} jpeg;
static int jpeg_is_loaded;

static void load_jpeg(void) {
#define X(name) #name,
    static const char *const names[] = {JPEG_FUNCTIONS(X)};
#undef X
    static const char *const libraries[] = {"libjpeg.so.62", "libjpeg.so.8", "libjpeg.so", NULL};
    jpeg_is_loaded = load(libraries, names, (void **)&jpeg, sizeof names / sizeof *names);
}

struct jpeg_failure {
    struct jpeg_error_mgr base;
    jmp_buf place;
};

static void jpeg_fail(j_common_ptr info) { longjmp(((struct jpeg_failure *)info->err)->place, 1); }
static void jpeg_be_quiet(j_common_ptr info) { (void)info; }

int cimage_jpeg_decode(const uint8_t *data, size_t size, int width, int height, uint8_t *pixels) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load_jpeg);
    if (!jpeg_is_loaded) return CIMAGE_MISSING;
    struct jpeg_decompress_struct info;
    struct jpeg_failure failure;
    memset(&info, 0, sizeof info);
    info.err = jpeg.p_jpeg_std_error(&failure.base);
    failure.base.error_exit = jpeg_fail;
    failure.base.output_message = jpeg_be_quiet;
    uint8_t *volatile row = NULL;
    if (setjmp(failure.place)) {
        jpeg.p_jpeg_destroy_decompress(&info);
        free(row);
        return CIMAGE_INVALID;
    }
    jpeg.p_jpeg_CreateDecompress(&info, JPEG_LIB_VERSION, sizeof info);
    jpeg.p_jpeg_mem_src(&info, (unsigned char *)data, size);
    jpeg.p_jpeg_read_header(&info, TRUE);
    // A progressive file may hold any number of scans, each over the whole picture; libjpeg's memory stays bounded by these.
    info.mem->max_memory_to_use = 512L << 20;
    int is_cmyk = info.jpeg_color_space == JCS_CMYK || info.jpeg_color_space == JCS_YCCK;
    info.out_color_space = is_cmyk ? JCS_CMYK : JCS_RGB;
    jpeg.p_jpeg_start_decompress(&info);
    if ((int)info.output_width != width || (int)info.output_height != height) longjmp(failure.place, 1);
    row = malloc((size_t)width * 4);
    if (!row) longjmp(failure.place, 1);
    while (info.output_scanline < info.output_height) {
        uint8_t *out = pixels + (size_t)info.output_scanline * width * 4;
        uint8_t *in = row;
        jpeg.p_jpeg_read_scanlines(&info, &in, 1);
        for (int x = 0; x < width; x++, out += 4) {
            if (is_cmyk) {
                // Adobe's files are stored inverted.
                int k = info.saw_Adobe_marker ? in[x * 4 + 3] : 255 - in[x * 4 + 3];
                for (int c = 0; c < 3; c++) {
                    int ink = info.saw_Adobe_marker ? in[x * 4 + c] : 255 - in[x * 4 + c];
                    out[c] = (uint8_t)(ink * k / 255);
                }
            } else {
                memcpy(out, in + x * 3, 3);
            }
            out[3] = 255;
        }
    }
    jpeg.p_jpeg_finish_decompress(&info);
    jpeg.p_jpeg_destroy_decompress(&info);
    free(row);
    return CIMAGE_OK;
}
#else
int cimage_jpeg_decode(const uint8_t *data, size_t size, int width, int height, uint8_t *pixels) {
    (void)data, (void)size, (void)width, (void)height, (void)pixels;
    return CIMAGE_MISSING;
}
#endif

// MARK: WebP

static struct {
    int (*info)(const uint8_t *, size_t, int *, int *);
    uint8_t *(*decode)(const uint8_t *, size_t, uint8_t *, size_t, int);
} webp;
static int webp_is_loaded;

static void load_webp(void) {
    static const char *const names[] = {"WebPGetInfo", "WebPDecodeRGBAInto"};
    static const char *const libraries[] = {"libwebp.so.7", "libwebp.so", NULL};
    webp_is_loaded = load(libraries, names, (void **)&webp, 2);
}

int cimage_webp_size(const uint8_t *data, size_t size, int *width, int *height) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load_webp);
    if (!webp_is_loaded) return CIMAGE_MISSING;
    return webp.info(data, size, width, height) ? CIMAGE_OK : CIMAGE_INVALID;
}

int cimage_webp_decode(const uint8_t *data, size_t size, int width, int height, uint8_t *pixels) {
    int w, h;
    int status = cimage_webp_size(data, size, &w, &h);
    if (status != CIMAGE_OK) return status;
    if (w != width || h != height) return CIMAGE_INVALID;
    size_t bytes = (size_t)width * height * 4;
    return webp.decode(data, size, pixels, bytes, width * 4) ? CIMAGE_OK : CIMAGE_INVALID;
}

// MARK: GIF

#ifdef HAS_GIF
#define GIF_FUNCTIONS(X)                        \
    X(DGifOpen) X(DGifGetRecordType)            \
    X(DGifGetImageDesc) X(DGifGetLine)          \
    X(DGifGetExtension) X(DGifGetExtensionNext) \
    X(DGifCloseFile)

static struct {
#define X(name) __typeof__(&name) p_##name;
    GIF_FUNCTIONS(X)
#undef X
} gif;
static int gif_is_loaded;

static void load_gif(void) {
#define X(name) #name,
    static const char *const names[] = {GIF_FUNCTIONS(X)};
#undef X
    static const char *const libraries[] = {"libgif.so.7", "libgif.so", NULL};
    gif_is_loaded = load(libraries, names, (void **)&gif, sizeof names / sizeof *names);
}

struct gif_input {
    const uint8_t *data;
    size_t left;
};

static int gif_read(GifFileType *file, GifByteType *to, int count) {
    struct gif_input *input = file->UserData;
    size_t length = (size_t)count < input->left ? (size_t)count : input->left;
    memcpy(to, input->data, length);
    input->data += length;
    input->left -= length;
    return (int)length;
}

static int gif_first_frame(GifFileType *file, int width, int height, uint8_t *pixels) {
    int transparent = -1;
    for (;;) {
        GifRecordType type;
        if (gif.p_DGifGetRecordType(file, &type) == GIF_ERROR) return CIMAGE_INVALID;
        if (type == TERMINATE_RECORD_TYPE) return CIMAGE_INVALID;
        if (type == EXTENSION_RECORD_TYPE) {
            int code;
            GifByteType *block;
            if (gif.p_DGifGetExtension(file, &code, &block) == GIF_ERROR) return CIMAGE_INVALID;
            while (block) {
                if (code == GRAPHICS_EXT_FUNC_CODE && block[0] >= 4) transparent = block[1] & 1 ? block[4] : -1;
                if (gif.p_DGifGetExtensionNext(file, &block) == GIF_ERROR) return CIMAGE_INVALID;
            }
        }
        if (type == IMAGE_DESC_RECORD_TYPE) break;
    }
    if (gif.p_DGifGetImageDesc(file) == GIF_ERROR) return CIMAGE_INVALID;
    GifImageDesc frame = file->Image;
    ColorMapObject *colors = frame.ColorMap ? frame.ColorMap : file->SColorMap;
    if (!colors || frame.Width <= 0 || frame.Height <= 0) return CIMAGE_INVALID;
    GifPixelType *row = malloc((size_t)frame.Width);
    if (!row) return CIMAGE_NO_MEMORY;
    static const int starts[] = {0, 4, 2, 1}, steps[] = {8, 8, 4, 2};
    int status = CIMAGE_OK;
    for (int pass = 0; pass < (frame.Interlace ? 4 : 1) && status == CIMAGE_OK; pass++) {
        int step = frame.Interlace ? steps[pass] : 1;
        for (int y = frame.Interlace ? starts[pass] : 0; y < frame.Height; y += step) {
            if (gif.p_DGifGetLine(file, row, frame.Width) == GIF_ERROR) {
                status = CIMAGE_INVALID;
                break;
            }
            int line = frame.Top + y;
            if (line < 0 || line >= height) continue;
            for (int x = 0; x < frame.Width; x++) {
                int column = frame.Left + x;
                if (column < 0 || column >= width || row[x] == transparent || row[x] >= colors->ColorCount) continue;
                GifColorType color = colors->Colors[row[x]];
                uint8_t *out = pixels + ((size_t)line * width + column) * 4;
                out[0] = color.Red;
                out[1] = color.Green;
                out[2] = color.Blue;
                out[3] = 255;
            }
        }
    }
    free(row);
    return status;
}

int cimage_gif_decode(const uint8_t *data, size_t size, int width, int height, uint8_t *pixels) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load_gif);
    if (!gif_is_loaded) return CIMAGE_MISSING;
    struct gif_input input = {data, size};
    int error = 0;
    GifFileType *file = gif.p_DGifOpen(&input, gif_read, &error);
    if (!file) return CIMAGE_INVALID;
    memset(pixels, 0, (size_t)width * height * 4);
    int status = gif_first_frame(file, width, height, pixels);
    gif.p_DGifCloseFile(file, &error);
    return status;
}
#else
int cimage_gif_decode(const uint8_t *data, size_t size, int width, int height, uint8_t *pixels) {
    (void)data, (void)size, (void)width, (void)height, (void)pixels;
    return CIMAGE_MISSING;
}
#endif

// MARK: SVG

struct svg_rectangle {
    double x, y, width, height;
};
struct svg_length {
    double length;
    int unit;
};

static struct {
    void *(*from_data)(const uint8_t *, size_t, void **);
    int (*pixel_size)(void *, double *, double *);
    void (*dimensions)(void *, int *, struct svg_length *, int *, struct svg_length *, int *, struct svg_rectangle *);
    int (*render)(void *, void *, const struct svg_rectangle *, void **);
} rsvg;
static struct {
    void *(*surface)(unsigned char *, int, int, int, int);
    void *(*create)(void *);
    void (*destroy)(void *);
    void (*flush)(void *);
    void (*surface_destroy)(void *);
} cairo;
static struct {
    void (*unref)(void *);
} gobject;
static struct {
    void (*error_free)(void *);
} glib;
static int svg_is_loaded;

static void load_svg(void) {
    static const char *const rsvg_names[] = {
        "rsvg_handle_new_from_data", "rsvg_handle_get_intrinsic_size_in_pixels", "rsvg_handle_get_intrinsic_dimensions",
        "rsvg_handle_render_document"};
    static const char *const cairo_names[] = {
        "cairo_image_surface_create_for_data", "cairo_create", "cairo_destroy", "cairo_surface_flush", "cairo_surface_destroy"};
    static const char *const gobject_names[] = {"g_object_unref"};
    static const char *const glib_names[] = {"g_error_free"};
    static const char *const rsvg_files[] = {"librsvg-2.so.2", NULL};
    static const char *const cairo_files[] = {"libcairo.so.2", NULL};
    static const char *const gobject_files[] = {"libgobject-2.0.so.0", NULL};
    static const char *const glib_files[] = {"libglib-2.0.so.0", NULL};
    svg_is_loaded = load(rsvg_files, rsvg_names, (void **)&rsvg, 4) && load(cairo_files, cairo_names, (void **)&cairo, 5) &&
                    load(gobject_files, gobject_names, (void **)&gobject, 1) && load(glib_files, glib_names, (void **)&glib, 1);
}

/// Without a base URI, librsvg follows no reference to a file.
static int svg_open(const uint8_t *data, size_t size, void **handle) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load_svg);
    if (!svg_is_loaded) return CIMAGE_MISSING;
    void *error = NULL;
    *handle = rsvg.from_data(data, size, &error);
    if (error) glib.error_free(error);
    return *handle ? CIMAGE_OK : CIMAGE_INVALID;
}

int cimage_svg_size(const uint8_t *data, size_t size, double *width, double *height, double *box_width, double *box_height) {
    void *handle;
    int status = svg_open(data, size, &handle);
    if (status != CIMAGE_OK) return status;
    int has_width = 0, has_height = 0, has_box = 0;
    struct svg_length w = {0, 0}, h = {0, 0};
    struct svg_rectangle box = {0, 0, 0, 0};
    rsvg.dimensions(handle, &has_width, &w, &has_height, &h, &has_box, &box);
    *width = *height = *box_width = *box_height = 0;
    if (has_box) *box_width = box.width, *box_height = box.height;
    rsvg.pixel_size(handle, width, height);
    // Unit 0 is per cent: no size of its own.
    if (!has_width || w.unit == 0) *width = 0;
    if (!has_height || h.unit == 0) *height = 0;
    gobject.unref(handle);
    return CIMAGE_OK;
}

int cimage_svg_draw(const uint8_t *data, size_t size, int width, int height, uint8_t *pixels) {
    void *handle;
    int status = svg_open(data, size, &handle);
    if (status != CIMAGE_OK) return status;
    memset(pixels, 0, (size_t)width * height * 4);
    void *surface = cairo.surface(pixels, 0, width, height, width * 4);
    void *context = cairo.create(surface);
    struct svg_rectangle viewport = {0, 0, width, height};
    void *error = NULL;
    int drawn = rsvg.render(handle, context, &viewport, &error);
    if (error) glib.error_free(error);
    cairo.destroy(context);
    cairo.flush(surface);
    cairo.surface_destroy(surface);
    gobject.unref(handle);
    return drawn ? CIMAGE_OK : CIMAGE_INVALID;
}
