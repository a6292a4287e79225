// Functions that scan sixteen bytes at a time. With one pointer they return one bit for each byte of the kind sought (bit 0 is
// the first byte).
//
// Swift's SIMD types have no bit mask of a comparison; SSE2 makes one in one instruction. On other processors a plain loop gives
// the same masks. Bytes at and after `end` are never read and count as zero bytes.

#ifndef CBYTESCAN_H
#define CBYTESCAN_H

#include <stdint.h>
#include <string.h>

/// Returns whether `wanted` occurs in `bytes`. Linear.
int cbytescan_contains(const uint8_t *bytes, size_t count, const uint8_t *wanted, size_t length);

#define CBYTESCAN_INLINE static inline __attribute__((always_inline))

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

typedef uint8_t CByteBlock __attribute__((ext_vector_type(16)));

CBYTESCAN_INLINE CByteBlock cbytescan_load(const uint8_t *at, const uint8_t *end) {
    CByteBlock block = {0};
    if (__builtin_expect(end - at >= 16, 1)) memcpy(&block, at, 16);
    else if (end > at) memcpy(&block, at, (size_t)(end - at));
    return block;
}

/// The highest bit of each byte; comparisons set all bits.
CBYTESCAN_INLINE uint32_t cbytescan_bits(CByteBlock hits) {
#if defined(__SSE2__)
    return (uint32_t)_mm_movemask_epi8((__m128i)hits);
#else
    uint32_t bits = 0;
    for (int k = 0; k < 16; k++) bits |= (uint32_t)(hits[k] >> 7) << k;
    return bits;
#endif
}

#define CBYTESCAN_HITS(comparison) ((CByteBlock)(comparison))

/// The bytes that may begin a reference or need replacement when text is decoded.
CBYTESCAN_INLINE CByteBlock cbytescan_coded(CByteBlock block) {
    return CBYTESCAN_HITS(block == '&') | CBYTESCAN_HITS(block == '\r') | CBYTESCAN_HITS(block == 0);
}

/// The bytes that can end a tag's or an attribute's name: controls, the space, `/`, `>`, `=`.
CBYTESCAN_INLINE uint32_t cbytescan_name_ends(const uint8_t *at, const uint8_t *end) {
    CByteBlock block = cbytescan_load(at, end);
    CByteBlock marks = CBYTESCAN_HITS(block == '/') | CBYTESCAN_HITS(block == '>') | CBYTESCAN_HITS(block == '=');
    return cbytescan_bits(marks | CBYTESCAN_HITS(block <= 0x20));
}

/// The first byte from `at` on that decoding may change: `&`, a carriage return or a zero; else `end`.
CBYTESCAN_INLINE const uint8_t *cbytescan_encoded(const uint8_t *at, const uint8_t *end) {
    for (; end - at >= 32; at += 32) {
        CByteBlock next = cbytescan_load(at + 16, end);
        if (cbytescan_bits(cbytescan_coded(cbytescan_load(at, end)) | cbytescan_coded(next))) break;
    }
    for (;; at += 16) {
        uint32_t hits = cbytescan_bits(cbytescan_coded(cbytescan_load(at, end)));
        if (hits) return at + __builtin_ctz(hits);
    }
}

/// The two kinds of bytes that stop the copying of text.
typedef struct {
    /// Spaces (0x20).
    uint32_t spaces;
    /// Controls, `&`, and the lead bytes of U+0080–00BF and U+2000–2FFF, among which are controls too.
    uint32_t stops;
} CTextMasks;

CBYTESCAN_INLINE CTextMasks cbytescan_text(const uint8_t *at, const uint8_t *end) {
    CByteBlock block = cbytescan_load(at, end);
    CByteBlock stops = CBYTESCAN_HITS(block < 0x20) | CBYTESCAN_HITS(block == '&') | CBYTESCAN_HITS(block == 0x7F);
    CByteBlock leads = CBYTESCAN_HITS(block == 0xC2) | CBYTESCAN_HITS(block == 0xE2);
    CTextMasks masks = {cbytescan_bits(CBYTESCAN_HITS(block == 0x20)), cbytescan_bits(stops | leads)};
    return masks;
}

#endif
