// A first-in first-out list in one array, for what is decided from the front.
// It never looks at what it holds. Outbox.swift is its user.

/// A list whose front can be removed at constant cost.
struct Queue<Element: Sendable>: Sendable {
    private var storage: [Element?] = []
    private var head = 0

    /// The number of elements.
    var count: Int { storage.count - head }

    /// True where there is none.
    var isEmpty: Bool { head == storage.count }

    /// The element at a position from 0, which must be below `count`.
    subscript(position: Int) -> Element {
        get {
            guard let element = storage[head + position] else {
                preconditionFailure("an element before the front")
            }
            return element
        }
        set { storage[head + position] = newValue }
    }

    /// The first element; nil where there is none.
    var first: Element? { isEmpty ? nil : storage[head] }

    /// All elements in order.
    ///
    /// Complexity: linear.
    var all: [Element] { storage[head...].compactMap { $0 } }

    /// Adds an element at the end.
    mutating func append(_ element: Element) {
        storage.append(element)
    }

    /// Removes the first element, where there is one.
    ///
    /// Complexity: constant, spread over many calls.
    mutating func removeFirst() {
        guard !isEmpty else { return }
        storage[head] = nil
        head += 1
        guard head > 64 && head > storage.count / 2 || head == storage.count else { return }
        storage.removeFirst(head)
        head = 0
    }

    /// Removes the element at a position, which must be below `count`.
    ///
    /// Complexity: linear unless it is the first.
    mutating func remove(at position: Int) {
        guard position > 0 else { return removeFirst() }
        storage.remove(at: head + position)
    }

    /// The first position of an element for which `isAfter` is true, all those before it being
    /// false; `count` where there is none.
    ///
    /// Complexity: logarithmic.
    func partition(where isAfter: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = low + (high - low) / 2
            if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
