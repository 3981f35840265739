// Lower and upper case for `lower` and `upper`, of the same pinned Unicode as case folding.
// One character for one: a character whose other case is several stays as it is.
import TableValue

/// The lower case of a character, by Unicode's simple mapping of the pinned version.
func lowerCased(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    if scalar.isASCII {
        let isUpper = (0x41...0x5A).contains(scalar.value)
        return isUpper ? Unicode.Scalar(UInt8(truncatingIfNeeded: scalar.value) | 0x20) : scalar
    }
    return caseMapped(scalar, lowerCaseRanges)
}

/// The upper case of a character, by Unicode's simple mapping of the pinned version.
func upperCased(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    if scalar.isASCII {
        let isLower = (0x61...0x7A).contains(scalar.value)
        return isLower ? Unicode.Scalar(UInt8(truncatingIfNeeded: scalar.value) & 0xDF) : scalar
    }
    return caseMapped(scalar, upperCaseRanges)
}
