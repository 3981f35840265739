// The door of all fuzz entries: `fuzz PARSER …options of libFuzzer…`. Built only with FUZZ=1,
// with coverage and the address sanitizer; Tests/fuzz/run builds and runs it.
// What each entry demands stands in WireEntries.swift and TextEntries.swift.

/// The parsers that bytes from outside reach, by the names that `run` gives.
private let entries: [String: (UnsafeRawBufferPointer) -> Void] = unsafe [
    "canary": canary, "client-line": clientLine, "csv": delimited, "json": json,
    "secret-text": secretText, "server-line": serverLine, "splitter": splitter,
    "value-text": valueText,
]

/// The entry that was chosen; safe because it is set once, before the driver starts.
private nonisolated(unsafe) var entry: (UnsafeRawBufferPointer) -> Void = unsafe canary

private typealias Callback = @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
private typealias Arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutablePointer<Arguments?>,
    _ callback: Callback
) -> CInt

/// Ends the process so that libFuzzer keeps the input.
func fail(_ reason: String) -> Never {
    fatalError(reason)
}

/// A parser with a fault on purpose: a run that does not find it is worth nothing.
private func canary(_ bytes: UnsafeRawBufferPointer) {
    guard unsafe bytes.count > 3, unsafe bytes[0] == 0x7B, unsafe bytes[1] == 0x22,
        unsafe bytes[2] == 0x58
    else { return }
    // Overflows where the fourth byte is 255.
    let sum = unsafe bytes[3] + 1
    if sum == 0 { fail("never") }
}

// The package manager calls the main function of a module by this name.
@_cdecl("fuzz_main")
func fuzzMain(
    _ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> CInt {
    guard count > 1, let word = unsafe arguments[1],
        let chosen = unsafe entries[String(cString: word)]
    else {
        print("usage: fuzz PARSER [option of libFuzzer ...] [corpus ...]")
        print("parsers:", unsafe entries.keys.sorted().joined(separator: " "))
        return 2
    }
    unsafe entry = chosen
    // The driver shall not see the parser's name: it would take it for a corpus.
    unsafe arguments[1] = unsafe arguments[0]
    var driverCount = count - 1
    var driverArguments: Arguments? = unsafe arguments + 1
    return unsafe runDriver(&driverCount, &driverArguments) { start, length in
        unsafe entry(UnsafeRawBufferPointer(start: start, count: length))
        return 0
    }
}
