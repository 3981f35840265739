// The door of all fuzz entries: `fuzz PARSER …options of libFuzzer…`. Built only with FUZZ=1,
// with coverage and the address sanitizer; Tests/fuzz/run builds and runs it.
// What each entry demands stands in WireEntries.swift, TextEntries.swift, TerminalEntries.swift,
// ExpressionEntries.swift.

/// The parsers that bytes from outside reach, by the names that `run` gives.
private enum Parser: String, CaseIterable {
    case canary, csv, expression, json, splitter
    case clientLine = "client-line"
    case secretText = "secret-text"
    case serverLine = "server-line"
    case shownText = "shown-text"
    case terminalInput = "terminal-input"
    case valueText = "value-text"

    /// Gives the parser one input.
    func take(_ bytes: [UInt8]) {
        switch self {
        case .canary: takeCanary(bytes)
        case .clientLine: takeClientLine(bytes)
        case .csv: takeDelimited(bytes)
        case .expression: takeExpression(bytes)
        case .json: takeJSON(bytes)
        case .secretText: takeSecretText(bytes)
        case .serverLine: takeServerLine(bytes)
        case .shownText: takeShownText(bytes)
        case .splitter: takeStream(bytes)
        case .terminalInput: takeTerminalInput(bytes)
        case .valueText: takeValueText(bytes)
        }
    }
}

/// The parser that was chosen; safe because it is set once, before the driver starts.
private nonisolated(unsafe) var chosen = Parser.canary

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
private func takeCanary(_ bytes: [UInt8]) {
    guard bytes.count > 3, bytes[0] == 0x7B, bytes[1] == 0x22, bytes[2] == 0x58 else { return }
    // Overflows where the fourth byte is 255.
    let sum = bytes[3] + 1
    if sum == 0 { fail("never") }
}

// The package manager calls the main function of a module by this name.
@_cdecl("fuzz_main")
func fuzzMain(
    _ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> CInt {
    guard count > 1, let word = unsafe arguments[1],
        let parser = unsafe Parser(rawValue: String(cString: word))
    else {
        print("usage: fuzz PARSER [option of libFuzzer ...] [corpus ...]")
        print("parsers:", Parser.allCases.map(\.rawValue).sorted().joined(separator: " "))
        return 2
    }
    unsafe chosen = parser
    // The driver shall not see the parser's name: it would take it for a corpus.
    unsafe arguments[1] = unsafe arguments[0]
    var driverCount = count - 1
    var driverArguments: Arguments? = unsafe arguments + 1
    return unsafe runDriver(&driverCount, &driverArguments) { start, length in
        unsafe chosen.take(Array(UnsafeBufferPointer(start: start, count: length)))
        return 0
    }
}
