// Image decoders and encoders, loaded on first use: most documents have no pictures.
#ifndef CIMAGECODECS_H
#define CIMAGECODECS_H

#include <stddef.h>
#include <stdint.h>

enum {
    CIMAGE_OK = 0,
    /// The data is damaged or not of this format.
    CIMAGE_INVALID = 1,
    /// The library is not installed.
    CIMAGE_MISSING = 2,
    CIMAGE_NO_MEMORY = 3,
};

// All decoders write straight (not premultiplied) RGBA, `width * height * 4` bytes, into `pixels`. `width` and `height` must be
// those of the file's header and are checked against it. Thread-safe.

int cimage_jpeg_decode(const uint8_t *data, size_t size, int width, int height, uint8_t *pixels);

int cimage_webp_decode(const uint8_t *data, size_t size, int width, int height, uint8_t *pixels);

/// Decodes the main picture, without its rotation.
int cimage_avif_decode(const uint8_t *data, size_t size, int width, int height, uint8_t *pixels);

/// Decodes the first frame, on a transparent background.
int cimage_gif_decode(const uint8_t *data, size_t size, int width, int height, uint8_t *pixels);

/// The size in CSS pixels, below 0 for a side that the document does not define, and the sides of its viewBox, 0 without one.
int cimage_svg_size(const uint8_t *data, size_t size, double *width, double *height, double *box_width, double *box_height);
/// Draws the document into the whole picture; `pixels` gets premultiplied BGRA, which is what cairo draws.
int cimage_svg_draw(const uint8_t *data, size_t size, int width, int height, uint8_t *pixels);

// Encoders write a file into newly allocated memory, which the caller frees with `cimage_free`. `pixels` has 4 bytes a pixel, row
// by row.

/// A progressive JPEG file of premultiplied RGBA over white.
/// `quality` is 1 to 100; with `has_full_chroma`, colours are as fine as lightness; `density` is in dots for each inch.
int cimage_jpeg_encode(const uint8_t *pixels, int width, int height, int quality, int has_full_chroma, int density,
                       uint8_t **file, size_t *size);

/// A WebP file of straight RGBA: `quality` is 0 to 100, and without loss when it is negative.
int cimage_webp_encode(const uint8_t *pixels, int width, int height, float quality, uint8_t **file, size_t *size);

void cimage_free(uint8_t *file);

#endif
