// Cells and rows that somebody else has just changed: each shines for a moment in that person's
// colour. Held within bounds, whatever comes in.
import TableClient
import TableModel
import TableValue

/// What has just been changed by others.
struct Flashes: Hashable, Sendable {
    /// A cell, or a row where the column is nil.
    struct Place: Hashable, Sendable {
        var row: RowID
        var column: ColumnID?
    }

    struct Flash: Hashable, Sendable {
        let until: ClientInstant
        let user: Text
    }

    /// Never iterated where the order counts.
    private var places: [Place: Flash] = [:]

    static let milliseconds: Int64 = 800
    static let placesMax = 1_024
    /// A record that changes more cells than this lights up the rows' numbers alone.
    static let cellsMax = 20

    /// Takes note of a record of somebody else.
    mutating func take(_ record: Record, at now: ClientInstant) {
        let flash = Flash(
            until: now.later(byMilliseconds: Flashes.milliseconds), user: record.user)
        for change in record.changes {
            switch change {
            case .cellsSet(let cells):
                let isFew = cells.count <= Flashes.cellsMax
                for cell in cells.prefix(Flashes.placesMax) {
                    add(Place(row: cell.row, column: isFew ? cell.column : nil), flash)
                }
            case .rowsInserted(let block), .rowsShown(let block): add(block.ids, flash)
            case .rowsMoved(let rows, _): add(rows, flash)
            case .cellsFilled(let column, let rows, _):
                for row in rows { add(Place(row: row, column: column), flash) }
            default: continue
            }
        }
    }

    /// Who has just changed a cell; nil for nobody.
    func user(_ row: RowID, _ column: ColumnID?) -> Text? {
        places.isEmpty ? nil : places[Place(row: row, column: column)]?.user
    }

    /// True where nothing shines.
    var isEmpty: Bool { places.isEmpty }

    /// When the next one goes out.
    ///
    /// Complexity: linear in the places, which are bounded.
    var deadline: ClientInstant? {
        places.values.reduce(nil) { earliest, flash in
            min(earliest ?? flash.until, flash.until)
        }
    }

    /// Puts those out whose time has come.
    mutating func expire(at now: ClientInstant) {
        guard !places.isEmpty else { return }
        places = places.filter { $0.value.until > now }
    }

    private mutating func add(_ rows: [RowID], _ flash: Flash) {
        for row in rows.prefix(Flashes.placesMax) { add(Place(row: row), flash) }
    }

    private mutating func add(_ place: Place, _ flash: Flash) {
        guard places.count < Flashes.placesMax || places[place] != nil else { return }
        places[place] = flash
    }
}
