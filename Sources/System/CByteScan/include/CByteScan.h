// Functions that scan sixteen bytes at a time. With one pointer they return one bit for each byte of the kind sought (bit 0 is
// the first byte); with two pointers, one bit for each position at which both have the same byte.
//
// Swift's SIMD types have no bit mask of a comparison; SSE2 makes one in one instruction. On other processors plain loops give
// the same masks. Bytes at and after `end` are never read and count as zero bytes.

#ifndef CBYTESCAN_H
#define CBYTESCAN_H

#include <stdint.h>
#include <string.h>

/// Returns whether `wanted` occurs in `bytes`. Linear.
int cbytescan_contains(const uint8_t *bytes, size_t count, const uint8_t *wanted, size_t length);

#define CBYTESCAN_INLINE static inline __attribute__((always_inline))

/// The two kinds of bytes that stop the copying of text.
typedef struct {
    /// Spaces (0x20).
    uint32_t spaces;
    /// Controls, `&`, and the lead bytes of U+0080–00BF and U+2000–2FFF, among which are controls too.
    uint32_t stops;
} CTextMasks;

#if defined(__SSE2__)
#include <emmintrin.h>

typedef __m128i CByteBlock;

CBYTESCAN_INLINE CByteBlock cbytescan_load(const uint8_t *at, const uint8_t *end) {
    if (__builtin_expect(end - at >= 16, 1)) return _mm_loadu_si128((const __m128i *)at);
    uint8_t copy[16] = {0};
    if (end > at) memcpy(copy, at, (size_t)(end - at));
    return _mm_loadu_si128((const __m128i *)copy);
}

CBYTESCAN_INLINE uint32_t cbytescan_bits(CByteBlock hits) { return (uint32_t)_mm_movemask_epi8(hits); }

CBYTESCAN_INLINE uint32_t cbytescan_equal_block(CByteBlock block, uint8_t byte) {
    return cbytescan_bits(_mm_cmpeq_epi8(block, _mm_set1_epi8((char)byte)));
}

CBYTESCAN_INLINE uint32_t cbytescan_name_ends_block(CByteBlock block) {
    __m128i low = _mm_cmpeq_epi8(_mm_max_epu8(block, _mm_set1_epi8(0x20)), _mm_set1_epi8(0x20));
    __m128i slash = _mm_cmpeq_epi8(block, _mm_set1_epi8('/'));
    __m128i greater = _mm_cmpeq_epi8(block, _mm_set1_epi8('>'));
    __m128i equals = _mm_cmpeq_epi8(block, _mm_set1_epi8('='));
    return cbytescan_bits(_mm_or_si128(_mm_or_si128(low, slash), _mm_or_si128(greater, equals)));
}

CBYTESCAN_INLINE CTextMasks cbytescan_text_block(CByteBlock block) {
    __m128i low = _mm_cmpeq_epi8(_mm_max_epu8(block, _mm_set1_epi8(0x1F)), _mm_set1_epi8(0x1F));
    // 0xC2 and 0xE2 differ in one bit.
    __m128i lead = _mm_cmpeq_epi8(_mm_or_si128(block, _mm_set1_epi8(0x20)), _mm_set1_epi8((char)0xE2));
    __m128i ampersand = _mm_cmpeq_epi8(block, _mm_set1_epi8('&'));
    __m128i delete = _mm_cmpeq_epi8(block, _mm_set1_epi8(0x7F));
    CTextMasks masks;
    masks.spaces = cbytescan_equal_block(block, 0x20);
    masks.stops = cbytescan_bits(_mm_or_si128(_mm_or_si128(low, lead), _mm_or_si128(ampersand, delete)));
    return masks;
}

CBYTESCAN_INLINE void cbytescan_store(uint8_t *to, CByteBlock block) { _mm_storeu_si128((__m128i *)to, block); }

CBYTESCAN_INLINE uint32_t cbytescan_high_block(CByteBlock block) { return cbytescan_bits(block); }

/// Returns whether one of 64 bytes is above 0x7F. Reads all of them.
CBYTESCAN_INLINE int cbytescan_any_high_64(const uint8_t *at) {
    __m128i all = _mm_setzero_si128();
    for (int k = 0; k < 4; k++) all = _mm_or_si128(all, _mm_loadu_si128((const __m128i *)(at + 16 * k)));
    return cbytescan_bits(all) != 0;
}

CBYTESCAN_INLINE uint32_t cbytescan_line_ends_block(CByteBlock block) {
    __m128i feeds = _mm_cmpeq_epi8(block, _mm_set1_epi8('\n'));
    return cbytescan_bits(_mm_or_si128(feeds, _mm_cmpeq_epi8(block, _mm_set1_epi8('\r'))));
}

CBYTESCAN_INLINE uint32_t cbytescan_continuations_block(CByteBlock block) {
    // Signed, 0x80 to 0xBF are the least.
    return cbytescan_bits(_mm_cmplt_epi8(block, _mm_set1_epi8((char)0xC0)));
}

/// Returns whether all of 32 bytes are ASCII characters that do not end a line. Reads all of them.
CBYTESCAN_INLINE int cbytescan_is_line_of_ascii_32(const uint8_t *at) {
    __m128i a = _mm_loadu_si128((const __m128i *)at), b = _mm_loadu_si128((const __m128i *)(at + 16));
    __m128i feed = _mm_set1_epi8('\n'), carriage = _mm_set1_epi8('\r');
    __m128i feeds = _mm_or_si128(_mm_cmpeq_epi8(a, feed), _mm_cmpeq_epi8(b, feed));
    __m128i returns = _mm_or_si128(_mm_cmpeq_epi8(a, carriage), _mm_cmpeq_epi8(b, carriage));
    return cbytescan_bits(_mm_or_si128(_mm_or_si128(feeds, returns), _mm_or_si128(a, b))) == 0;
}

CBYTESCAN_INLINE uint32_t cbytescan_suspects_block(CByteBlock block) {
    __m128i low = _mm_cmpeq_epi8(_mm_max_epu8(block, _mm_set1_epi8(0x1F)), _mm_set1_epi8(0x1F));
    __m128i plain = _mm_or_si128(_mm_cmpeq_epi8(block, _mm_set1_epi8('\n')), _mm_cmpeq_epi8(block, _mm_set1_epi8('\t')));
    plain = _mm_or_si128(plain, _mm_cmpeq_epi8(block, _mm_setzero_si128()));
    // 0xC2 and 0xE2 differ in one bit.
    __m128i lead = _mm_cmpeq_epi8(_mm_or_si128(block, _mm_set1_epi8(0x20)), _mm_set1_epi8((char)0xE2));
    __m128i other = _mm_or_si128(lead, _mm_cmpeq_epi8(block, _mm_set1_epi8(0x7F)));
    return cbytescan_bits(_mm_or_si128(_mm_andnot_si128(plain, low), other));
}

CBYTESCAN_INLINE __m128i cbytescan_encoded_bytes(CByteBlock block) {
    __m128i hits = _mm_cmpeq_epi8(block, _mm_set1_epi8('&'));
    hits = _mm_or_si128(hits, _mm_cmpeq_epi8(block, _mm_set1_epi8('\r')));
    return _mm_or_si128(hits, _mm_cmpeq_epi8(block, _mm_setzero_si128()));
}

CBYTESCAN_INLINE uint32_t cbytescan_encoded_block(CByteBlock block) { return cbytescan_bits(cbytescan_encoded_bytes(block)); }

/// Returns whether one of 32 bytes may begin a reference or need replacement when text is decoded. Reads all of them.
CBYTESCAN_INLINE int cbytescan_any_encoded_32(const uint8_t *at) {
    __m128i first = cbytescan_encoded_bytes(_mm_loadu_si128((const __m128i *)at));
    __m128i second = cbytescan_encoded_bytes(_mm_loadu_si128((const __m128i *)(at + 16)));
    return cbytescan_bits(_mm_or_si128(first, second)) != 0;
}

/// A bit for each of 64 positions at which two places have the same byte. Reads all bytes.
CBYTESCAN_INLINE uint64_t cbytescan_equal_64(const uint8_t *a, const uint8_t *b) {
    uint64_t result = 0;
    for (int k = 0; k < 4; k++) {
        __m128i left = _mm_loadu_si128((const __m128i *)(a + 16 * k));
        __m128i right = _mm_loadu_si128((const __m128i *)(b + 16 * k));
        result |= (uint64_t)cbytescan_bits(_mm_cmpeq_epi8(left, right)) << (16 * k);
    }
    return result;
}

#else

CBYTESCAN_INLINE int cbytescan_any_high_64(const uint8_t *at) {
    uint8_t all = 0;
    for (int k = 0; k < 64; k++) all |= at[k];
    return all >> 7;
}

CBYTESCAN_INLINE uint64_t cbytescan_equal_64(const uint8_t *a, const uint8_t *b) {
    uint64_t result = 0;
    for (int k = 0; k < 64; k++) result |= (uint64_t)(a[k] == b[k]) << k;
    return result;
}

typedef struct {
    uint8_t bytes[16];
} CByteBlock;

CBYTESCAN_INLINE CByteBlock cbytescan_load(const uint8_t *at, const uint8_t *end) {
    CByteBlock block = {{0}};
    if (end - at >= 16) memcpy(block.bytes, at, 16);
    else if (end > at) memcpy(block.bytes, at, (size_t)(end - at));
    return block;
}

CBYTESCAN_INLINE uint32_t cbytescan_equal_block(CByteBlock block, uint8_t byte) {
    uint32_t bits = 0;
    for (int k = 0; k < 16; k++) bits |= (uint32_t)(block.bytes[k] == byte) << k;
    return bits;
}

CBYTESCAN_INLINE uint32_t cbytescan_name_ends_block(CByteBlock block) {
    uint32_t bits = 0;
    for (int k = 0; k < 16; k++) {
        uint8_t byte = block.bytes[k];
        bits |= (uint32_t)((byte <= 0x20) | (byte == '/') | (byte == '>') | (byte == '=')) << k;
    }
    return bits;
}

CBYTESCAN_INLINE CTextMasks cbytescan_text_block(CByteBlock block) {
    CTextMasks masks = {0, 0};
    for (int k = 0; k < 16; k++) {
        uint8_t byte = block.bytes[k];
        masks.spaces |= (uint32_t)(byte == 0x20) << k;
        masks.stops |= (uint32_t)((byte < 0x20) | ((byte | 0x20) == 0xE2) | (byte == '&') | (byte == 0x7F)) << k;
    }
    return masks;
}

CBYTESCAN_INLINE void cbytescan_store(uint8_t *to, CByteBlock block) { memcpy(to, block.bytes, 16); }

CBYTESCAN_INLINE uint32_t cbytescan_high_block(CByteBlock block) {
    uint32_t bits = 0;
    for (int k = 0; k < 16; k++) bits |= (uint32_t)(block.bytes[k] >> 7) << k;
    return bits;
}

CBYTESCAN_INLINE uint32_t cbytescan_line_ends_block(CByteBlock block) {
    return cbytescan_equal_block(block, '\n') | cbytescan_equal_block(block, '\r');
}

CBYTESCAN_INLINE uint32_t cbytescan_continuations_block(CByteBlock block) {
    uint32_t bits = 0;
    for (int k = 0; k < 16; k++) bits |= (uint32_t)((block.bytes[k] & 0xC0) == 0x80) << k;
    return bits;
}

CBYTESCAN_INLINE int cbytescan_is_line_of_ascii_32(const uint8_t *at) {
    int other = 0;
    for (int k = 0; k < 32; k++) other |= (at[k] == '\n') | (at[k] == '\r') | (at[k] >> 7);
    return !other;
}

CBYTESCAN_INLINE uint32_t cbytescan_encoded_block(CByteBlock block) {
    return cbytescan_equal_block(block, '&') | cbytescan_equal_block(block, '\r') | cbytescan_equal_block(block, 0);
}

CBYTESCAN_INLINE uint32_t cbytescan_suspects_block(CByteBlock block) {
    uint32_t bits = 0;
    for (int k = 0; k < 16; k++) {
        uint8_t byte = block.bytes[k];
        int isLow = byte < 0x20 && byte != '\n' && byte != '\t' && byte != 0;
        bits |= (uint32_t)(isLow || byte == 0x7F || (byte | 0x20) == 0xE2) << k;
    }
    return bits;
}

CBYTESCAN_INLINE int cbytescan_any_encoded_32(const uint8_t *at) {
    return (cbytescan_encoded_block(cbytescan_load(at, at + 16)) | cbytescan_encoded_block(cbytescan_load(at + 16, at + 32))) != 0;
}

#endif

/// The bytes equal to `byte`.
CBYTESCAN_INLINE uint32_t cbytescan_equal(const uint8_t *at, const uint8_t *end, uint8_t byte) {
    return cbytescan_equal_block(cbytescan_load(at, end), byte);
}

/// The bytes that can end a tag's or an attribute's name: controls, the space, `/`, `>`, `=`.
CBYTESCAN_INLINE uint32_t cbytescan_name_ends(const uint8_t *at, const uint8_t *end) {
    return cbytescan_name_ends_block(cbytescan_load(at, end));
}

/// The bytes above 0x7F.
CBYTESCAN_INLINE uint32_t cbytescan_high(const uint8_t *at, const uint8_t *end) {
    return cbytescan_high_block(cbytescan_load(at, end));
}

/// The first byte from `at` on that decoding may change: `&`, a carriage return or a zero. Without one it returns a place fewer
/// than sixteen bytes before `end`.
CBYTESCAN_INLINE const uint8_t *cbytescan_encoded(const uint8_t *at, const uint8_t *end) {
    while (end - at >= 32 && !cbytescan_any_encoded_32(at)) at += 32;
    for (; end - at >= 16; at += 16) {
        uint32_t hits = cbytescan_encoded_block(cbytescan_load(at, end));
        if (hits) return at + __builtin_ctz(hits);
    }
    return at;
}

/// The first byte from `at` on that may control a terminal, alone or with the next bytes: a control except tab, line feed and
/// NUL, or the lead byte of U+0080–00BF or U+2000–2FFF. `end` when there is none.
CBYTESCAN_INLINE const uint8_t *cbytescan_suspect(const uint8_t *at, const uint8_t *end) {
    for (; at < end; at += 16) {
        // Bytes after the end count as zeros.
        uint32_t suspects = cbytescan_suspects_block(cbytescan_load(at, end));
        if (suspects) return at + __builtin_ctz(suspects);
    }
    return end;
}

/// Copies sixteen bytes to `to`, and returns where copying text must stop.
CBYTESCAN_INLINE CTextMasks cbytescan_copy_text(uint8_t *to, const uint8_t *at, const uint8_t *end) {
    CByteBlock block = cbytescan_load(at, end);
    cbytescan_store(to, block);
    return cbytescan_text_block(block);
}

#endif
