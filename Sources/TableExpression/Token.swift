// The words and signs that an expression's text is made of. Lexer.swift finds them.
// What they mean together is Parser.swift's business.
import TableValue

/// A word with a meaning of its own, which a column is only named in quotes.
enum Keyword: String, CaseIterable {
    case and, or, not, `in`, between, like, escape, `is`, null, `true`, `false`
    case `case`, when, then, `else`, end, cast, tryCast = "try_cast", `as`, distinct, from
}

/// A sign.
enum Sign: String, CaseIterable {
    case open = "("
    case close = ")"
    case comma = ","
    case plus = "+"
    case minus = "-"
    case times = "*"
    case over = "/"
    case modulo = "%"
    case join = "||"
    case equal = "="
    case unequal = "<>"
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
}

/// A word or sign, and where it stands.
struct Token: Equatable {
    enum Kind: Equatable {
        case keyword(Keyword)
        /// A bare word that is no keyword: a column, a function or a type.
        case word(Text)
        /// A name in double quotes, without them.
        case quotedName(Text)
        /// A text in single quotes, without them.
        case text(Text)
        /// Digits, perhaps with a point and an exponent.
        case number(Text)
        case sign(Sign)
        case end
    }

    var kind: Kind
    var place: SourcePlace

    /// The token in words for a person; what stands in quotes is not repeated.
    var described: String {
        switch kind {
        case .keyword(let keyword): "\"\(keyword.rawValue)\""
        case .word: "a name"
        case .quotedName: "a quoted name"
        case .text: "a text"
        case .number: "a number"
        case .sign(let sign): "\"\(sign.rawValue)\""
        case .end: "the end"
        }
    }
}
