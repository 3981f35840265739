// The checksum under which stores keep batches, so that damage is named instead of replayed.
// It guards against worn media, not against anybody who means harm.

/// A 64-bit checksum of bytes: eight at a time, each step multiplied and folded, so that every bit
/// of the input reaches every bit of the result.
///
/// It finds damage; it is no secret.
///
/// Complexity: linear, about one nanosecond for eight bytes.
package func checksum64(_ bytes: borrowing RawSpan, seed: UInt64) -> UInt64 {
    let multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15
    var state = seed ^ (UInt64(bytes.byteCount) &* multiplier)
    var offset = 0
    while offset + 8 <= bytes.byteCount {
        let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
        state = fold(state ^ UInt64(littleEndian: word), multiplier)
        offset += 8
    }
    var rest: UInt64 = 0
    while offset < bytes.byteCount {
        let byte = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt8.self)
        rest = rest << 8 | UInt64(byte)
        offset += 1
    }
    state = fold(state ^ rest, multiplier)
    return fold(state, 0xD6E8_FEB8_6659_FD93)
}

/// The two halves of the 128-bit product, added without carry.
private func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = (left ^ 0xA076_1D64_78BD_642F).multipliedFullWidth(by: right)
    return product.high ^ product.low
}
