// Glyphs of the first document that another thread loads while the document is laid out, and draws while this one does: for
// programs that render one picture and end. What it has not come to is done where it is needed.

import FancyTextBasics
import CFancyTextTextLibraries
import FancyTextPlatform

/// What two threads do for one context. The results are those that the context alone would have.
final class GlyphsAhead: @unchecked Sendable {
    /// Device pixels for each CSS pixel that the glyphs will have.
    let scale: Float
    // The context's own.
    /// Bits of the glyphs of each font that were asked for.
    private var asked: [[UInt64]] = []
    private var waiting: [(font: FontInstance, glyphs: [UInt32])] = []

    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    // Guarded by the mutex: pictures that either thread has drawn.
    private var index = HashIndex()
    private var keys: [Key] = []
    private var masks: [GlyphMask] = []

    /// Which picture.
    struct Key: Equatable {
        var variant: GlyphVariant
        var place: UInt64

        var hash: Int {
            let mixed = place << 32 ^ UInt64(variant.font.rawValue) << 56 ^ UInt64(variant.scale.bitPattern)
            return Int(truncatingIfNeeded: (mixed &* 0x9E37_79B9_7F4A_7C15) >> 40)
        }
    }

    init(scale: Float) {
        self.scale = scale
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    // MARK: Outlines

    /// Notes a glyph of shaped text.
    func note(_ glyph: UInt32, of font: FontInstance) {
        let place = Int(font.id.rawValue)
        while asked.count <= place { asked.append([]) }
        let word = Int(glyph >> 6)
        guard word < 1 << 10 else { return }
        // Made here: the other thread may not look at the font's other faces.
        if asked[place].isEmpty { _ = font.face.hintsSubstitutes }
        while asked[place].count <= word { asked[place].append(contentsOf: repeatElement(0, count: 16)) }
        guard asked[place][word] >> UInt64(glyph & 63) & 1 == 0 else { return }
        asked[place][word] |= 1 << UInt64(glyph & 63)
        if waiting.last?.font !== font { waiting.append((font, [])) }
        waiting[waiting.count - 1].glyphs.append(glyph)
    }

    /// Has the other thread load the outlines of the glyphs that were noted.
    func loadNoted(_ load: @escaping (FontInstance, UInt32) -> Void) {
        guard !waiting.isEmpty else { return }
        let noted = waiting
        waiting.removeAll()
        BackgroundWork.shared.start {
            for (font, glyphs) in noted {
                for glyph in glyphs { load(font, glyph) }
            }
        }
    }

    // MARK: Pictures

    func find(_ key: Key) -> GlyphMask? {
        mutex.lockAwake()
        defer { pthread_mutex_unlock(mutex) }
        return index.position(of: key.hash) { keys[$0] == key }.map { masks[$0] }
    }

    /// Adds a picture; where the other thread was faster, its own stays.
    func insert(_ mask: GlyphMask, _ key: Key) {
        mutex.lockAwake()
        defer { pthread_mutex_unlock(mutex) }
        guard index.position(of: key.hash, where: { keys[$0] == key }) == nil else { return }
        index.insert(keys.count, hash: key.hash)
        keys.append(key)
        masks.append(mask)
    }
}

extension FontContext {
    /// Has the glyphs of the text that is shaped from here on loaded and drawn by another thread too, until
    /// ``endAhead()``. What that thread may not touch is left to this one: fonts in colours, of pictures or of strikes.
    ///
    /// - Parameter scale: device pixels for each CSS pixel that they will have.
    package func beginAhead(scale: Float) { ahead = GlyphsAhead(scale: scale) }

    package func endAhead() { ahead = nil }

    /// Has the other thread draw pictures of glyphs that text was shaped to, from the last one on, while this one draws
    /// them from the first one on.
    ///
    /// - Parameter forEach: gives the glyphs, on the other thread.
    package func drawAhead(
        _ forEach:
            @escaping (_ draw: (_ font: FontID, _ glyph: UInt32, _ subpixel: Int, _ scale: Float) -> Void) -> Void
    ) {
        guard let ahead else { return }
        // The fonts of text that was laid out are all there.
        let fonts = instances
        for font in fonts where isPlain(font) { _ = font.face.hintsSubstitutes }
        BackgroundWork.shared.start { [self] in
            forEach { font, glyph, subpixel, scale in
                let instance = fonts[Int(font.rawValue)]
                guard isPlain(instance), glyph != ShapedGlyph.invisible, instance.size * scale > 0 else { return }
                let variant = GlyphVariant(font: font, scale: scale, skew: 0, stretch: 1)
                let key = GlyphsAhead.Key(variant: variant, place: GlyphCache.key(glyph: glyph, subpixel: subpixel))
                guard ahead.find(key) == nil, let outline = loadAhead(glyph, of: instance, scale: scale) else { return }
                ahead.insert(drawOutline(outline, subpixel: subpixel & 3) ?? GlyphMask.empty(), key)
            }
        }
    }

    /// Notes shaped glyphs.
    func noteAhead(_ glyph: UInt32, of font: FontInstance) {
        guard let ahead, glyph != ShapedGlyph.invisible, isPlain(font) else { return }
        ahead.note(glyph, of: font)
    }

    func loadNoted() {
        guard let ahead else { return }
        ahead.loadNoted { [self] font, glyph in _ = loadAhead(glyph, of: font, scale: ahead.scale) }
    }

    /// The other thread's way to an outline; nil for a glyph that this one has to look closer at.
    private func loadAhead(_ glyph: UInt32, of instance: FontInstance, scale: Float) -> LoadedOutline? {
        loadedOutline(glyph, of: instance, scale: scale, isAhead: true)
    }

    private func isPlain(_ font: FontInstance) -> Bool {
        font.face.isScalable && !font.face.hasColor && font.face.pictures == nil && !font.face.isPacked
    }
}
