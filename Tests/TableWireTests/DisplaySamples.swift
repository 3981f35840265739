// How a table is shown, for the tests of readers and writers: one of each form.
// Samples.swift has the other messages.
import TableModel
import TableValue

@testable import TableWire

private func object(_ members: [(Text, JSONTree)]) -> JSONTree {
    // As they come back: by their keys.
    .object(members.map { JSONMember(key: $0.0, value: $0.1) }.sorted { $0.key < $1.key })
}

var sampleSettings: DisplaySettings {
    var settings = DisplaySettings()
    settings[.width] = .number(20)
    settings[.align] = .word(.right)
    settings[.decimals] = .word(.automatic)
    settings[.thousands] = .flag(true)
    settings[.hidden] = .flag(false)
    return settings
}

var sampleStyle: RowStyle {
    var style = RowStyle(name: "späť", rank: -3, condition: #""c0.2" <= 3"#)
    style.color = .red
    style.background = .gray
    style.isBold = true
    style.isDim = true
    style.mark = "!"
    return style
}

let displaySamples: [Intent] = [
    .changeDisplay(
        .column(.name("qty"), object([("width", .int(20)), ("align", .null)]))),
    .changeDisplay(.column(.id(column(12, 1)), object([]))),
    .changeDisplay(.table(object([("frozen", .int(2)), ("styles", .bool(false))]))),
    .changeDisplay(.style("late", object([("when", .text("qty < 0")), ("mark", .text("!"))]))),
    .changeDisplay(.style("late", nil)),
]

let displayChangeSamples: [Change] = [
    .columnAdded(
        Column(id: column(12, 9), name: "copy", type: .int, display: sampleSettings),
        at: ColumnPlace(after: nil)),
    .displaySet(
        .column(
            column(12, 1),
            [
                DisplayEntry(.align, nil), DisplayEntry(.date, .word(.words)),
                DisplayEntry(.widthMin, .number(1)),
            ])),
    .displaySet(.table([DisplayEntry(.frozen, .number(0)), DisplayEntry(.styles, nil)])),
    .displaySet(.style("späť", sampleStyle)), .displaySet(.style("late", nil)),
]

let displayedColumns = [
    Column(id: column(0, 1), name: "n", type: .int, display: sampleSettings)
]

/// As a server tells it.
let sampleLook: TableLook = {
    let text = """
        {"frozen":2,"styles":true,"row_styles":[{"name":"a","when":"true","rank":0,"dim":true},\
        {"name":"b","when":"\\"c0.1\\" > 2","rank":0,"color":"blue"}]}
        """
    let tree = (try? CanonicalJSON(reading: Array(text.utf8).span))?.tree ?? .null
    return (try? TableLook(reading: tree)) ?? TableLook()
}()

var sampleMine: PersonalDisplay {
    var mine = PersonalDisplay()
    mine.set(column(0, 1), sampleSettings.entries)
    mine.set(column(12, 2), [DisplayEntry(.hidden, .flag(true))])
    mine.set(nil, [DisplayEntry(.frozen, .number(1))])
    return mine
}
