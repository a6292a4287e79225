// SHA-256 (FIPS 180-4 §6.2): names and checksums of stored files. In: bytes, piece by piece. Out: 32 bytes.

package struct SHA256 {
    private var state: SIMD8<UInt32> = [
        0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
    ]
    private var block: [UInt8] = []
    private var count = 0
    private var schedule = [UInt32](repeating: 0, count: 64)

    package init() { block.reserveCapacity(64) }

    package static func digest(_ bytes: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finish()
    }

    package static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.reduce(into: "") { $0 += ($1 < 16 ? "0" : "") + String($1, radix: 16) }
    }

    package mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        count += bytes.count
        var rest = bytes[...]
        if !block.isEmpty {
            let part = rest.prefix(64 - block.count)
            block += part
            rest = rest.dropFirst(part.count)
            guard block.count == 64 else { return }
            block.withUnsafeBytes { Self.compress($0, &state, &schedule) }
            block.removeAll(keepingCapacity: true)
        }
        while rest.count >= 64 {
            Self.compress(UnsafeRawBufferPointer(rebasing: rest.prefix(64)), &state, &schedule)
            rest = rest.dropFirst(64)
        }
        block += rest
    }

    /// Returns the digest of all bytes passed; no more may follow.
    package mutating func finish() -> [UInt8] {
        let bits = UInt64(count) * 8
        var padding: [UInt8] = [0x80]
        padding += repeatElement(0, count: (119 - count % 64) % 64)
        padding += withUnsafeBytes(of: bits.bigEndian) { Array($0) }
        update(padding)
        return state.indices.flatMap { word in withUnsafeBytes(of: state[word].bigEndian) { Array($0) } }
    }

    private static func compress(
        _ block: UnsafeRawBufferPointer, _ state: inout SIMD8<UInt32>, _ schedule: inout [UInt32]
    ) {
        func rotate(_ word: UInt32, _ bits: UInt32) -> UInt32 { word >> bits | word << (32 - bits) }
        for index in 0..<16 {
            schedule[index] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
        }
        for index in 16..<64 {
            let (old, recent) = (schedule[index - 15], schedule[index - 2])
            let first = rotate(old, 7) ^ rotate(old, 18) ^ (old >> 3)
            let second = rotate(recent, 17) ^ rotate(recent, 19) ^ (recent >> 10)
            schedule[index] = schedule[index - 16] &+ first &+ schedule[index - 7] &+ second
        }
        var (a, b, c, d, e, f, g, h) = (
            state[0], state[1], state[2], state[3], state[4], state[5], state[6], state[7]
        )
        for index in 0..<64 {
            let sum = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
            let choice = (e & f) ^ (~e & g)
            let first = h &+ sum &+ choice &+ constants[index] &+ schedule[index]
            let majority = (a & b) ^ (a & c) ^ (b & c)
            let second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) &+ majority
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ second)
        }
        state &+= SIMD8(a, b, c, d, e, f, g, h)
    }

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4 §4.2.2).
    private static let constants: [UInt32] = [
        0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4, 0xAB1C_5ED5,
        0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE, 0x9BDC_06A7, 0xC19B_F174,
        0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F, 0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA,
        0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7, 0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967,
        0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC, 0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85,
        0xA2BF_E8A1, 0xA81A_664B, 0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070,
        0x19A4_C116, 0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
        0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7, 0xC671_78F2,
    ]
}
