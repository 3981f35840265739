// An array in pages: growing never moves what is there, and a copy shares every page until it
// is written. Everything that is kept per row stands in one of these.

/// An array in pages of 1,024 elements.
///
/// A write to a page that a copy of the table shares copies that page and the list of pages,
/// never the elements of other pages.
struct PagedArray<Element: Sendable>: Sendable {
    static var pageBits: Int { 10 }
    static var pageSize: Int { 1 << pageBits }

    private(set) var count = 0
    private var pages: [[Element]] = []

    subscript(index: Int) -> Element {
        get { pages[index >> Self.pageBits][index & (Self.pageSize - 1)] }
        _modify {
            yield &pages[index >> Self.pageBits][index & (Self.pageSize - 1)]
        }
    }

    subscript(index: UInt32) -> Element {
        get { self[Int(index)] }
        _modify { yield &self[Int(index)] }
    }

    mutating func append(_ element: Element) {
        if count & (Self.pageSize - 1) == 0 {
            pages.append([element])
        } else {
            pages[count >> Self.pageBits].append(element)
        }
        count += 1
    }

    mutating func removeLast() {
        count -= 1
        if count & (Self.pageSize - 1) == 0 {
            pages.removeLast()
        } else {
            pages[count >> Self.pageBits].removeLast()
        }
    }
}
