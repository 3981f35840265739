// The header of a file into names of columns: each allowed, each unique, as near as can be to
// what the file says. It never refuses; who imports tells the user what became of which name.
package import TableValue

/// Names for the columns of a file from the fields of its header.
///
/// White space at the ends goes and so does what is not seen, control characters become spaces; a
/// name of which nothing is left to be seen becomes `column_3` by its position; one that is too
/// long is cut; one that looks like the id of a column gets `column` in front. Of names that
/// clash after case folding the first keeps it, the others get the lowest free number behind
/// it: `Due`, `Due 2`. A name that the file itself has is never given away.
///
/// Complexity: linear in the bytes, as long as few names clash.
///
/// - Parameters:
///   - header: the fields of the header, or empty texts where the file has none.
///   - bytesMax: the bytes that a name may have, at least 32.
/// - Returns: as many names as fields.
package func columnNames(fromHeader header: [Text], bytesMax: Int = 128) -> [Text] {
    let wishes = header.enumerated().map { position, field in
        allowedName(field, position: position, bytesMax: bytesMax)
    }
    var taken: Set<Text> = []
    var isFirst = Array(repeating: false, count: wishes.count)
    // What stands in the file so goes before what was made of something else.
    for isUnchanged in [true, false] {
        for index in wishes.indices where (wishes[index] == header[index]) == isUnchanged {
            isFirst[index] = taken.insert(simpleCaseFolded(wishes[index])).inserted
        }
    }
    // Where the search for a free number goes on, so that a thousand equal names stay cheap.
    var nextNumber: [Text: Int] = [:]
    return zip(wishes, isFirst).map { wish, isFirst in
        if isFirst { return wish }
        let key = simpleCaseFolded(wish)
        var number = nextNumber[key] ?? 2
        while true {
            let suffix = " \(number)"
            let name = Text(cut(wish.string, bytesMax: bytesMax - suffix.utf8.count) + suffix)
            number += 1
            if taken.insert(simpleCaseFolded(name)).inserted {
                nextNumber[key] = number
                return name
            }
        }
    }
}

/// The nearest to a field that may be the name of a column.
private func allowedName(_ field: Text, position: Int, bytesMax: Int) -> Text {
    var name = ""
    for scalar in field.string.unicodeScalars {
        // A control character becomes a space, several together become one; what would not be
        // seen goes.
        let character = nameCharacter(scalar, behind: name.unicodeScalars.last)
        if case .unseen = character { continue }
        let isAllowed = if case .allowed = character { true } else { false }
        let isGap = !isAllowed || isWhiteSpace(scalar)
        if isGap && (name.isEmpty || (!isAllowed && name.utf8.last == Byte.space)) { continue }
        name.unicodeScalars.append(isAllowed ? scalar : " ")
        // What is cut off below need not be looked at.
        if name.utf8.count > bytesMax { break }
    }
    name = cut(name, bytesMax: bytesMax)
    let unnamed = Text("column_\(position + 1)")
    if name.isEmpty { return unnamed }
    guard nameProblem(Text(name), of: .column, bytesMax: bytesMax) != nil else {
        return Text(name)
    }
    guard NameKind.column.hasIDShape(Text(name)) else { return unnamed }
    return Text(cut("column " + name, bytesMax: bytesMax))
}

/// The longest beginning of so many bytes that ends with a whole character that may end a name.
private func cut(_ name: String, bytesMax: Int) -> String {
    var scalars = name.unicodeScalars[...]
    var count = name.utf8.count
    while let last = scalars.last, count > bytesMax || mayNotEndName(last) {
        count -= UTF8.width(last)
        scalars.removeLast()
    }
    return String(scalars)
}
