// A 64-bit hash of bytes, fixed for ever because it is stored: the server keeps it beside the
// answer of an operation, to tell the same line sent again from another one under its number.

/// The 64-bit hash of bytes: equal bytes have equal hashes on every machine and in every version.
///
/// Good for telling accidental differences, not for keeping out someone who looks for a
/// collision: a session can only deceive itself with one. Each eight bytes (the last ones filled
/// up with zeros) are mixed in by a multiplication and a shift that lose nothing; the length
/// comes first, and the finish is that of MurmurHash3 by Austin Appleby (public domain).
///
/// Complexity: linear in the bytes.
package func hash64(_ bytes: borrowing RawSpan) -> UInt64 {
    unsafe bytes.withUnsafeBytes { buffer in
        let multiplier: UInt64 = 0x9FB2_1C65_1E98_DF25
        var hash = UInt64(truncatingIfNeeded: buffer.count) ^ 0x2545_F491_4F6C_DD1D
        var place = 0
        while place &+ 8 <= buffer.count {
            let word = unsafe UInt64(
                littleEndian: buffer.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            hash = (hash ^ word) &* multiplier
            hash ^= hash &>> 32
            place &+= 8
        }
        var last: UInt64 = 0
        while place < buffer.count {
            last |= unsafe UInt64(buffer[place]) &<< UInt64((place & 7) &* 8)
            place &+= 1
        }
        hash = (hash ^ last) &* multiplier
        hash ^= hash &>> 33
        hash = hash &* 0xFF51_AFD7_ED55_8CCD
        hash ^= hash &>> 33
        hash = hash &* 0xC4CE_B9FE_1A85_EC53
        return hash ^ (hash &>> 33)
    }
}
