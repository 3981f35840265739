// Cuts an expression's bytes into tokens, once, from left to right.
// It knows words and signs, not their order: that is Parser.swift's.
import TableValue

/// Cuts a text into tokens; the last one is `end`.
///
/// Complexity: linear in the bytes.
func tokens(of source: Text, limits: ExpressionLimits) throws(ExpressionError) -> [Token] {
    guard source.byteCount <= limits.textBytesMax else {
        throw ExpressionError(
            .tooLong, at: SourcePlace(limits.textBytesMax, limits.textBytesMax),
            "the expression is longer than \(limits.textBytesMax) bytes")
    }
    var lexer = Lexer(source: source)
    var found: [Token] = []
    while true {
        let token = try lexer.next()
        found.append(token)
        if token.kind == .end { return found }
    }
}

/// True for a byte that a bare word may go on with, a digit included.
func isWordByte(_ byte: UInt8) -> Bool {
    isWordStart(byte) || (byte >= 0x30 && byte <= 0x39)
}

/// True for a byte that a bare word may begin with.
func isWordStart(_ byte: UInt8) -> Bool {
    let letter = (byte | 0x20) &- UInt8(ascii: "a")
    return letter < 26 || byte == UInt8(ascii: "_") || byte >= 0x80
}

/// The byte of the first character that may stand in a quoted name or a text only: spaces, controls
/// and what is not seen; nil where the word has none.
func strangeByte(in word: Text) -> Int? {
    var previous: Unicode.Scalar?
    var byte = 0
    for scalar in word.string.unicodeScalars {
        let isBlank = isWhiteSpace(scalar) || scalar.value == 0x2800
        if !scalar.isASCII, isBlank || nameCharacter(scalar, behind: previous) != .allowed {
            return byte
        }
        previous = scalar
        byte += UTF8.width(scalar)
    }
    return nil
}

private struct Lexer {
    let source: Text
    var index = 0

    var count: Int { source.byteCount }

    /// The byte at a distance from here; 0 behind the end.
    func byte(_ distance: Int = 0) -> UInt8 {
        let place = index + distance
        return place < count ? source.string.utf8.span[place] : 0
    }

    func text(_ start: Int, _ end: Int) -> Text {
        let bytes = source.string.utf8.span.extracting(start..<end)
        return unsafe Text(validating: bytes.bytes) ?? ""
    }

    mutating func next() throws(ExpressionError) -> Token {
        while index < count, [0x20, 0x09, 0x0A, 0x0D].contains(byte()) { index += 1 }
        let start = index
        guard index < count else { return token(.end, start) }
        let first = byte()
        if isWordStart(first) { return try word() }
        switch first {
        case 0x30...0x39: return try number()
        case UInt8(ascii: "'"):
            // Read before the token is made, whose place ends where reading has come to.
            let content = try quoted("a text", "'")
            return token(.text(content), start)
        case UInt8(ascii: "\""):
            return try quotedName()
        default: return try sign()
        }
    }

    private func token(_ kind: Token.Kind, _ start: Int) -> Token {
        Token(kind: kind, place: SourcePlace(start, index))
    }

    /// The end of the character that begins at a byte.
    private func characterEnd(_ start: Int) -> Int {
        var end = start + 1
        let bytes = source.string.utf8.span
        while end < count, bytes[end] & 0xC0 == 0x80 { end += 1 }
        return end
    }

    // MARK: Words

    private mutating func word() throws(ExpressionError) -> Token {
        let start = index
        while index < count, isWordByte(byte()) { index += 1 }
        let word = text(start, index)
        if let byte = strangeByte(in: word) {
            throw ExpressionError(
                .syntax, at: SourcePlace(start + byte, characterEnd(start + byte)),
                "this character may stand in a text or a quoted name only")
        }
        if let keyword = keyword(word) { return token(.keyword(keyword), start) }
        return token(.word(word), start)
    }

    private mutating func quotedName() throws(ExpressionError) -> Token {
        let start = index
        let name = try quoted("a quoted name", "\"")
        guard !name.isEmpty else {
            throw ExpressionError(
                .syntax, at: SourcePlace(start, index), "a quoted name is empty",
                expected: "the name of a column")
        }
        return token(.quotedName(name), start)
    }

    /// What stands between two quotes, where a doubled quote stands for itself.
    private mutating func quoted(
        _ what: String, _ quote: Unicode.Scalar
    ) throws(ExpressionError) -> Text {
        let start = index
        let mark = UInt8(truncatingIfNeeded: quote.value)
        var content: [UInt8] = []
        let bytes = source.string.utf8.span
        index += 1
        while index < count {
            let next = bytes[index]
            index += 1
            if next == mark {
                guard byte() == mark else {
                    return Text(String(decoding: content, as: UTF8.self))
                }
                index += 1
            }
            content.append(next)
        }
        throw ExpressionError(
            .syntax, at: SourcePlace(start, start + 1), "\(what) that begins here has no end",
            expected: "a closing \(quote)")
    }

    // MARK: Numbers

    private mutating func number() throws(ExpressionError) -> Token {
        let start = index
        skipDigits()
        if byte() == UInt8(ascii: ".") {
            index += 1
            try digits(start, "digits behind the point")
        }
        if byte() | 0x20 == UInt8(ascii: "e") {
            index += 1
            if byte() == UInt8(ascii: "-") || byte() == UInt8(ascii: "+") { index += 1 }
            try digits(start, "digits of the exponent")
        }
        if isWordByte(byte()) || byte() == UInt8(ascii: ".") {
            throw ExpressionError(
                .syntax, at: SourcePlace(start, characterEnd(index)),
                "a name cannot begin with a digit, and a number cannot go on like this; "
                    + "put spaces between them, or the name in double quotes")
        }
        return token(.number(text(start, index)), start)
    }

    private mutating func skipDigits() {
        while (0x30...0x39).contains(byte()) { index += 1 }
    }

    private mutating func digits(_ start: Int, _ what: String) throws(ExpressionError) {
        let first = index
        skipDigits()
        guard index > first else {
            throw ExpressionError(
                .syntax, at: SourcePlace(start, index), "the number is not complete",
                expected: what)
        }
    }

    // MARK: Signs

    private mutating func sign() throws(ExpressionError) -> Token {
        let start = index
        let two = count - index >= 2 ? [byte(), byte(1)] : [byte(), 0]
        if two == Array("!=".utf8) {
            index += 2
            return token(.sign(.unequal), start)
        }
        try refuseForeign(two)
        for sign in Sign.allCases where sign.rawValue.utf8.count == 2 {
            if Array(sign.rawValue.utf8) == two {
                index += 2
                return token(.sign(sign), start)
            }
        }
        for sign in Sign.allCases where Array(sign.rawValue.utf8) == [byte()] {
            index += 1
            return token(.sign(sign), start)
        }
        throw ExpressionError(
            .syntax, at: SourcePlace(start, characterEnd(start)), hint(byte()))
    }

    /// Refuses signs of other languages by the name of what to write instead.
    private func refuseForeign(_ two: [UInt8]) throws(ExpressionError) {
        let place = SourcePlace(index, index + 2)
        if two == Array("==".utf8) {
            throw ExpressionError(.syntax, at: place, "equality is one sign: =", expected: "=")
        }
        if two == Array("&&".utf8) {
            throw ExpressionError(.syntax, at: place, "write and", expected: "and")
        }
        if two == Array("--".utf8) || two == Array("/*".utf8) {
            throw ExpressionError(
                .syntax, at: place,
                "there are no comments here; put a space between two signs")
        }
    }

    private func hint(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "."):
            "a point stands in numbers only, behind a digit; the id of a column is quoted: "
                + "\"c12.3\""
        case UInt8(ascii: "!"): "write not"
        case UInt8(ascii: "|"): "texts are joined with ||, and alternatives with or"
        case UInt8(ascii: "`"), UInt8(ascii: "["): "a name is quoted with double quotes"
        case UInt8(ascii: ";"): "an expression ends without a sign"
        default: "this character has no meaning here"
        }
    }
}

/// The keyword that a bare word is, in whatever case; nil for any other word.
func keyword(_ word: Text) -> Keyword? {
    guard word.byteCount <= 8 else { return nil }
    var lower = ""
    for scalar in word.string.unicodeScalars {
        guard scalar.isASCII else { return nil }
        lower.unicodeScalars.append(simpleCaseFolded(scalar))
    }
    return Keyword(rawValue: lower)
}
