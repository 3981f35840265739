/// The limits of one table, each with its default.
package struct TableLimits: Hashable, Sendable {
    package var cellBytesMax = 256 * 1024
    package var nameBytesMax = 128
    package var columnsMax = 1_024
    /// Rows and cells that one operation may touch.
    package var partsMax = 50_000
    /// How far a session's row counter may run ahead of the highest it has used.
    package var counterGapMax: UInt32 = 65_536

    /// The defaults.
    package init() {}
}
