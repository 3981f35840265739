// The content hash: a tree of digests over the live rows, cut by the rows' own ids so that
// equal tables have equal trees whatever their histories.
import TableValue

/// Computes a 32-byte digest of bytes given piece by piece (SHA-256 in the product).
package protocol ContentDigest {
    /// Starts an empty digest.
    init()
    /// Adds bytes.
    mutating func update(_ bytes: borrowing RawSpan)
    /// Ends the digest: 32 bytes.
    mutating func finish() -> [UInt8]
}

/// Where the tree is cut.
enum HashCut {
    /// A group of rows ends with a row whose mixed id has these bits zero.
    static var groupMask: UInt64 { 0xFF }
    /// A group of groups ends with a row whose mixed id has these bits zero.
    static var superMask: UInt64 { 0x3FFF }

    /// Spreads a row id over 64 bits.
    static func mix(_ row: RowID) -> UInt64 {
        var bits = UInt64(bitPattern: row.rawValue)
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits >> 31
    }
}

extension Table {
    /// The content hash of docs/protocol.md: 32 bytes over schema and live rows in order.
    ///
    /// Complexity: linear in what changed since the last call, and in the rows for the first.
    package mutating func contentHash<Digest: ContentDigest>(using digest: Digest.Type) -> [UInt8] {
        var rowBytes = CanonicalBytes()
        var groupBytes = CanonicalBytes()
        var tableBytes = CanonicalBytes()
        tableBytes.begin(.table)
        tableBytes.append(UInt32(columns.count))
        for column in columns { tableBytes.append(column) }
        tableBytes.append(UInt64(rowCount))
        rowBytes.begin(.rows)
        groupBytes.begin(.groups)
        var rowsOpen = false
        var groupsOpen = false
        var leaf: UInt32? = rows.order.firstLeaf
        while let current = leaf {
            for entry in rows.order.leaves[current].entries where entry < RowOrder.hiddenBit {
                appendRow(entry, to: &rowBytes)
                rowsOpen = true
                let mixed = HashCut.mix(rows.ids[entry])
                guard mixed & HashCut.groupMask == 0 else { continue }
                groupBytes.append(digest: finish(&rowBytes, .rows, digest))
                rowsOpen = false
                groupsOpen = true
                guard mixed & HashCut.superMask == 0 else { continue }
                tableBytes.append(digest: finish(&groupBytes, .groups, digest))
                groupsOpen = false
            }
            leaf = rows.order.neighbour(of: current, step: 1)
        }
        if rowsOpen {
            groupBytes.append(digest: finish(&rowBytes, .rows, digest))
            groupsOpen = true
        }
        if groupsOpen { tableBytes.append(digest: finish(&groupBytes, .groups, digest)) }
        return finish(&tableBytes, .table, digest)
    }

    private func appendRow(_ slot: UInt32, to bytes: inout CanonicalBytes) {
        bytes.append(rows.ids[slot].rawValue)
        for index in schema.liveOrder { bytes.append(cells[index].value(slot)) }
    }

    private func finish<Digest: ContentDigest>(
        _ bytes: inout CanonicalBytes, _ kind: CanonicalBytes.Kind, _ type: Digest.Type
    ) -> [UInt8] {
        var digest = Digest()
        unsafe digest.update(bytes.bytes.span.bytes)
        bytes.begin(kind)
        return digest.finish()
    }
}
