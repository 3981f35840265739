// The hash of a table's content as the product computes it: SHA-256 by OpenSSL.
// Which bytes are hashed, and in what order, is TableModel's business (ContentHash.swift).
import TableModel
import Transport

/// SHA-256 for `Client.contentHash` and `Table.contentHash`.
package struct ContentSHA256: ContentDigest {
    private var digest = SHA256()

    /// Starts an empty digest.
    package init() {}

    /// Adds bytes.
    package mutating func update(_ bytes: borrowing RawSpan) {
        digest.update(bytes)
    }

    /// Ends the digest: 32 bytes.
    package mutating func finish() -> [UInt8] {
        digest.finish()
    }
}
