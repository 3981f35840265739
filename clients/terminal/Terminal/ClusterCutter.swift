// Text cut into clusters: what a reader takes for one character. Only as much is read as is asked
// for, and no cluster is longer than a bound, whatever the text holds.

/// Cuts text into clusters of characters, one at a time.
struct ClusterCutter {
    /// The most characters of one cluster; the longest emoji that is in use has ten.
    static let scalarsMax = 16

    private var iterator: Substring.UnicodeScalarView.Iterator
    private var pending: Unicode.Scalar?
    /// The cluster that was cut off last; a part of one where `isOverlong`.
    private(set) var scalars: [Unicode.Scalar] = []
    /// True where the cluster goes on; its rest comes as the next one.
    private(set) var isOverlong = false

    /// Begins at the start of a text.
    init(_ text: Substring) {
        iterator = text.unicodeScalars.makeIterator()
        pending = iterator.next()
    }

    /// Cuts off the next cluster; false at the end of the text.
    mutating func advance() -> Bool {
        guard let first = pending else { return false }
        scalars.removeAll(keepingCapacity: true)
        scalars.append(first)
        isOverlong = false
        pending = iterator.next()
        guard let second = pending else { return true }
        // Nothing below the combining marks joins what is before it, but CR and LF, and these two
        // are shown by a sign each.
        if first.value < 0x300, second.value < 0x300 { return true }
        var recognizer = Unicode._CharacterRecognizer()
        _ = recognizer.hasBreak(before: first)
        while let next = pending, !recognizer.hasBreak(before: next) {
            guard scalars.count < ClusterCutter.scalarsMax else {
                isOverlong = true
                return true
            }
            scalars.append(next)
            pending = iterator.next()
        }
        return true
    }
}
