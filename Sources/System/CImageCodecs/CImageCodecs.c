// Small functions for libjpeg-turbo, libwebp, libavif, giflib and librsvg, which are loaded on first use.
//
// libjpeg and giflib have structures in their interfaces, so their headers are needed. Of libwebp, libavif and librsvg (whose headers
// need GLib and cairo) only the few functions and fields used are declared here.

#include "CImageCodecs.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CLoader.h"

#if __has_include(<jpeglib.h>)
#include <jpeglib.h>
#define HAS_JPEG 1
#endif
#if __has_include(<gif_lib.h>)
#include <gif_lib.h>
#define HAS_GIF 1
#endif

// MARK: JPEG

#ifdef HAS_JPEG
#define JPEG_FUNCTIONS(X)                                    \
    X(jpeg_std_error) X(jpeg_CreateDecompress)               \
    X(jpeg_mem_src) X(jpeg_read_header)                      \
    X(jpeg_start_decompress) X(jpeg_read_scanlines)          \
    X(jpeg_finish_decompress) X(jpeg_destroy_decompress)     \
    X(jpeg_CreateCompress) X(jpeg_mem_dest)                  \
    X(jpeg_set_defaults) X(jpeg_set_quality)                 \
    X(jpeg_simple_progression) X(jpeg_start_compress)        \
    X(jpeg_write_scanlines) X(jpeg_finish_compress)          \
    X(jpeg_destroy_compress)

static struct {
#define X(name) __typeof__(&name) p_##name;
    JPEG_FUNCTIONS(X)
#undef X
} jpeg;
#define X(name) #name,
static const char *const jpeg_names[] = {JPEG_FUNCTIONS(X)};
#undef X
// The structures of the interface are those of the version at build time.
#if JPEG_LIB_VERSION >= 80
static const char *const jpeg_files[] = {"libjpeg.so.8", NULL};
#else
static const char *const jpeg_files[] = {"libjpeg.so.62", NULL};
#endif
static CLibrary jpeg_library = CLIBRARY(jpeg_files, jpeg_names, jpeg);

struct jpeg_failure {
    struct jpeg_error_mgr base;
    jmp_buf place;
};

static void jpeg_fail(j_common_ptr info) { longjmp(((struct jpeg_failure *)info->err)->place, 1); }
static void jpeg_be_quiet(j_common_ptr info) { (void)info; }

// Each scan processes the whole picture and may take as little as 26 bytes; encoders write about ten scans.
enum { MOST_SCANS = 200 };

static void jpeg_count_scans(j_common_ptr info) {
    if (((j_decompress_ptr)info)->input_scan_number > MOST_SCANS) jpeg_fail(info);
}

int cimage_jpeg_decode(const uint8_t *data, size_t size, int width, int height, uint8_t *pixels) {
    if (!cloader_load(&jpeg_library)) return CIMAGE_MISSING;
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
    struct jpeg_progress_mgr progress = {.progress_monitor = jpeg_count_scans};
    info.progress = &progress;
    // The coefficients of a progressive file are all kept in memory.
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

int cimage_jpeg_encode(const uint8_t *pixels, int width, int height, int quality, int has_full_chroma, int density,
                       uint8_t **file, size_t *size) {
    if (!cloader_load(&jpeg_library)) return CIMAGE_MISSING;
    struct jpeg_compress_struct info;
    struct jpeg_failure failure;
    memset(&info, 0, sizeof info);
    info.err = jpeg.p_jpeg_std_error(&failure.base);
    failure.base.error_exit = jpeg_fail;
    failure.base.output_message = jpeg_be_quiet;
    // Variables changed after `setjmp` must be in memory, not in registers.
    struct {
        unsigned char *bytes;
        unsigned long count;
        uint8_t *row;
    } *volatile out = calloc(1, sizeof *out);
    if (!out) return CIMAGE_NO_MEMORY;
    if (setjmp(failure.place)) {
        jpeg.p_jpeg_destroy_compress(&info);
        free(out->row);
        free(out->bytes);
        free(out);
        return CIMAGE_NO_MEMORY;
    }
    jpeg.p_jpeg_CreateCompress(&info, JPEG_LIB_VERSION, sizeof info);
    out->row = malloc((size_t)width * 3);
    if (!out->row) longjmp(failure.place, 1);
    jpeg.p_jpeg_mem_dest(&info, &out->bytes, &out->count);
    info.image_width = (JDIMENSION)width;
    info.image_height = (JDIMENSION)height;
    info.input_components = 3;
    info.in_color_space = JCS_RGB;
    jpeg.p_jpeg_set_defaults(&info);
    jpeg.p_jpeg_set_quality(&info, quality, TRUE);
    if (has_full_chroma) info.comp_info[0].h_samp_factor = info.comp_info[0].v_samp_factor = 1;
    // With this setting every build of the library gives the same numbers.
    info.dct_method = JDCT_ISLOW;
    info.density_unit = 1;
    info.X_density = info.Y_density = (UINT16)density;
    jpeg.p_jpeg_simple_progression(&info);
    jpeg.p_jpeg_start_compress(&info, TRUE);
    while (info.next_scanline < info.image_height) {
        const uint8_t *in = pixels + (size_t)info.next_scanline * width * 4;
        uint8_t *row = out->row;
        for (int x = 0; x < width; x++, in += 4)
            for (int c = 0; c < 3; c++) row[x * 3 + c] = (uint8_t)(in[c] + (255 - in[3]));
        jpeg.p_jpeg_write_scanlines(&info, &row, 1);
    }
    jpeg.p_jpeg_finish_compress(&info);
    *file = out->bytes;
    *size = out->count;
    jpeg.p_jpeg_destroy_compress(&info);
    free(out->row);
    free(out);
    return CIMAGE_OK;
}
#else
int cimage_jpeg_encode(const uint8_t *pixels, int width, int height, int quality, int has_full_chroma, int density,
                       uint8_t **file, size_t *size) {
    (void)pixels, (void)width, (void)height, (void)quality, (void)has_full_chroma, (void)density, (void)file, (void)size;
    return CIMAGE_MISSING;
}

int cimage_jpeg_decode(const uint8_t *data, size_t size, int width, int height, uint8_t *pixels) {
    (void)data, (void)size, (void)width, (void)height, (void)pixels;
    return CIMAGE_MISSING;
}
#endif

// MARK: WebP

static struct {
    int (*info)(const uint8_t *, size_t, int *, int *);
    uint8_t *(*decode)(const uint8_t *, size_t, uint8_t *, size_t, int);
    size_t (*lossy)(const uint8_t *, int, int, int, float, uint8_t **);
    size_t (*lossless)(const uint8_t *, int, int, int, uint8_t **);
    void (*free)(void *);
} webp;
static const char *const webp_names[] = {
    "WebPGetInfo", "WebPDecodeRGBAInto", "WebPEncodeRGBA", "WebPEncodeLosslessRGBA", "WebPFree",
};
static const char *const webp_files[] = {"libwebp.so.7", NULL};
static CLibrary webp_library = CLIBRARY(webp_files, webp_names, webp);

int cimage_webp_decode(const uint8_t *data, size_t size, int width, int height, uint8_t *pixels) {
    if (!cloader_load(&webp_library)) return CIMAGE_MISSING;
    int w, h;
    if (!webp.info(data, size, &w, &h) || w != width || h != height) return CIMAGE_INVALID;
    size_t bytes = (size_t)width * height * 4;
    return webp.decode(data, size, pixels, bytes, width * 4) ? CIMAGE_OK : CIMAGE_INVALID;
}

int cimage_webp_encode(const uint8_t *pixels, int width, int height, float quality, uint8_t **file, size_t *size) {
    if (!cloader_load(&webp_library)) return CIMAGE_MISSING;
    uint8_t *made = NULL;
    size_t count = quality < 0 ? webp.lossless(pixels, width, height, width * 4, &made)
                               : webp.lossy(pixels, width, height, width * 4, quality, &made);
    if (count == 0) return CIMAGE_NO_MEMORY;
    // Copied to memory of one kind, whichever library allocated it.
    *file = malloc(count);
    if (*file) memcpy(*file, made, count);
    *size = count;
    webp.free(made);
    return *file ? CIMAGE_OK : CIMAGE_NO_MEMORY;
}

void cimage_free(uint8_t *file) { free(file); }

// MARK: AVIF

/// The first fields of `avifDecoder`, equal in libavif 0.11 and 1.
struct avif_decoder {
    uint32_t codec, threads, source, unused[4], most_pixels, limits[2], strictness;
    /// Starts with the width and the height.
    const uint32_t *image;
};

static struct {
    struct avif_decoder *(*create)(void);
    int (*set_data)(struct avif_decoder *, const uint8_t *, size_t);
    int (*parse)(struct avif_decoder *);
    int (*next)(struct avif_decoder *);
    void (*destroy)(struct avif_decoder *);
    void (*set_defaults)(void *, const void *);
    int (*convert)(const void *, void *);
    const char *(*version)(void);
} avif;
static const char *const avif_names[] = {
    "avifDecoderCreate",  "avifDecoderSetIOMemory",  "avifDecoderParse",  "avifDecoderNextImage",
    "avifDecoderDestroy", "avifRGBImageSetDefaults", "avifImageYUVToRGB", "avifVersion",
};
static const char *const avif_files[] = {"libavif.so.16", "libavif.so.15", NULL};
static CLibrary avif_library = CLIBRARY(avif_files, avif_names, avif);

int cimage_avif_decode(const uint8_t *data, size_t size, int width, int height, uint8_t *pixels) {
    if (!cloader_load(&avif_library)) return CIMAGE_MISSING;
    struct avif_decoder *decoder = avif.create();
    if (!decoder) return CIMAGE_NO_MEMORY;
    // The main picture, also of an animation; as in browsers, small mistakes of encoders are allowed.
    decoder->source = 1;
    decoder->strictness = 0;
    decoder->most_pixels = (uint32_t)width * (uint32_t)height;
    int failed = avif.set_data(decoder, data, size) || avif.parse(decoder) || avif.next(decoder)
        || decoder->image[0] != (uint32_t)width || decoder->image[1] != (uint32_t)height;
    if (!failed) {
        // An `avifRGBImage`: its depth is its third field, and the address of the pixels follows ten or, since libavif 1, twelve.
        _Alignas(8) uint32_t out[64];
        avif.set_defaults(out, decoder->image);
        out[2] = 8;
        int field = avif.version()[0] == '0' ? 10 : 12;
        memcpy(out + field, &pixels, sizeof pixels);
        out[field + 2] = (uint32_t)width * 4;
        failed = avif.convert(decoder->image, out);
    }
    avif.destroy(decoder);
    return failed ? CIMAGE_INVALID : CIMAGE_OK;
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
#define X(name) #name,
static const char *const gif_names[] = {GIF_FUNCTIONS(X)};
#undef X
static const char *const gif_files[] = {"libgif.so.7", NULL};
static CLibrary gif_library = CLIBRARY(gif_files, gif_names, gif);

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
    if (!cloader_load(&gif_library)) return CIMAGE_MISSING;
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

// Functions of librsvg, and of its dependencies cairo and GLib.
static struct {
    void *(*from_data)(const uint8_t *, size_t, void **);
    void (*set_dpi)(void *, double);
    void (*dimensions)(void *, int *, struct svg_length *, int *, struct svg_length *, int *, struct svg_rectangle *);
    int (*render)(void *, void *, const struct svg_rectangle *, void **);
    void *(*cairo_surface)(unsigned char *, int, int, int, int);
    void *(*cairo_create)(void *);
    void (*cairo_scale)(void *, double, double);
    void (*cairo_translate)(void *, double, double);
    void (*cairo_destroy)(void *);
    void (*cairo_flush)(void *);
    void (*cairo_surface_destroy)(void *);
    void (*unref)(void *);
    void (*error_free)(void *);
} svg;
static const char *const svg_names[] = {
    "rsvg_handle_new_from_data",
    "rsvg_handle_set_dpi",
    "rsvg_handle_get_intrinsic_dimensions",
    "rsvg_handle_render_document",
    "cairo_image_surface_create_for_data",
    "cairo_create",
    "cairo_scale",
    "cairo_translate",
    "cairo_destroy",
    "cairo_surface_flush",
    "cairo_surface_destroy",
    "g_object_unref",
    "g_error_free",
};
static const char *const svg_files[] = {"librsvg-2.so.2", NULL};
static CLibrary svg_library = CLIBRARY(svg_files, svg_names, svg);

/// Without a base URI, librsvg follows no reference to a file. An inch has 96 pixels, as in CSS.
static int svg_open(const uint8_t *data, size_t size, void **handle) {
    if (!cloader_load(&svg_library)) return CIMAGE_MISSING;
    void *error = NULL;
    *handle = svg.from_data(data, size, &error);
    if (error) svg.error_free(error);
    if (*handle) svg.set_dpi(*handle, 96);
    return *handle ? CIMAGE_OK : CIMAGE_INVALID;
}

/// CSS pixels; below 0 if the length is a percentage. The units are in librsvg's order.
static double svg_pixels(struct svg_length length) {
    switch (length.unit) {
    case 0: return -1;                       // per cent
    case 1: return length.length;            // px
    case 2: return length.length * 16;       // em, of the initial font size
    case 3: return length.length * 8;        // ex
    case 4: return length.length * 96;       // in
    case 5: return length.length * 96 / 2.54;  // cm
    case 6: return length.length * 96 / 25.4;  // mm
    case 7: return length.length * 96 / 72;  // pt
    case 8: return length.length * 96 / 6;   // pc
    default: return -1;
    }
}

int cimage_svg_size(const uint8_t *data, size_t size, double *width, double *height, double *box_width, double *box_height) {
    void *handle;
    int status = svg_open(data, size, &handle);
    if (status != CIMAGE_OK) return status;
    int has_width = 0, has_height = 0, has_box = 0;
    struct svg_length w = {0, 0}, h = {0, 0};
    struct svg_rectangle box = {0, 0, 0, 0};
    svg.dimensions(handle, &has_width, &w, &has_height, &h, &has_box, &box);
    *box_width = *box_height = 0;
    if (has_box) *box_width = box.width, *box_height = box.height;
    *width = has_width ? svg_pixels(w) : -1;
    *height = has_height ? svg_pixels(h) : -1;
    svg.unref(handle);
    return CIMAGE_OK;
}

int cimage_svg_draw(const uint8_t *data, size_t size, int width, int height, uint8_t *pixels) {
    void *handle;
    int status = svg_open(data, size, &handle);
    if (status != CIMAGE_OK) return status;
    memset(pixels, 0, (size_t)width * height * 4);
    int has_width = 0, has_height = 0, has_box = 0;
    struct svg_length w = {0, 0}, h = {0, 0};
    struct svg_rectangle box = {0, 0, 0, 0};
    svg.dimensions(handle, &has_width, &w, &has_height, &h, &has_box, &box);
    if (has_box && (box.width <= 0 || box.height <= 0)) {
        // Nothing is drawn (SVG 2 §8.6).
        svg.unref(handle);
        return CIMAGE_OK;
    }
    struct svg_rectangle viewport = {0, 0, width, height};
    double across = 1, down = 1;
    if (!has_box) {
        // Without a viewBox the document is drawn at its own size and stretched.
        double own_width = has_width ? svg_pixels(w) : -1, own_height = has_height ? svg_pixels(h) : -1;
        if (own_width > 0) viewport.width = own_width;
        if (own_height > 0) viewport.height = own_height;
        // A percentage of the viewport would be fitted into it and centred, but it must fill the viewport.
        if (has_width && w.unit == 0 && w.length > 0) across = w.length;
        if (has_height && h.unit == 0 && h.length > 0) down = h.length;
        double fit = across > down ? 1 / across : 1 / down;
        across *= fit, down *= fit;
    }
    void *surface = svg.cairo_surface(pixels, 0, width, height, width * 4);
    void *context = svg.cairo_create(surface);
    svg.cairo_translate(context, width / 2.0, height / 2.0);
    svg.cairo_scale(context, width / viewport.width / across, height / viewport.height / down);
    svg.cairo_translate(context, -viewport.width / 2, -viewport.height / 2);
    void *error = NULL;
    int drawn = svg.render(handle, context, &viewport, &error);
    if (error) svg.error_free(error);
    svg.cairo_destroy(context);
    svg.cairo_flush(surface);
    svg.cairo_surface_destroy(surface);
    svg.unref(handle);
    return drawn ? CIMAGE_OK : CIMAGE_INVALID;
}
