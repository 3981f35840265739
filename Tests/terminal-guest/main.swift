// A program that takes its terminal and ends, or is ended, in a way that its argument names.
// TerminalDeviceTests.swift looks at what it leaves behind.
import Glibc
import Terminal

/// Set where the process goes on after it was stopped; safe because a handler only sets it and
/// the one thread only reads and clears it.
nonisolated(unsafe) private var isContinued: sig_atomic_t = 0

private func overflow(_ depth: Int) -> Int {
    // The array keeps the compiler from making a loop of it.
    var room = [depth, depth]
    if depth < Int.max { room[0] = overflow(depth + 1) }
    return room[0] + room[1]
}

private func end(_ manner: String) {
    switch manner {
    case "trap":
        let numbers = [Int](repeating: Int.max, count: CommandLine.arguments.count)
        print(numbers[0] + numbers[1])
    case "index": print(CommandLine.arguments[99])
    case "overflow": print(overflow(0))
    case "abort": abort()
    case "exit": exit(3)
    default: break
    }
}

/// Says what is typed, until it is `q`; `z` stops the process.
private func listen(_ device: TerminalDevice) {
    var decoder = InputDecoder()
    while true {
        if unsafe isContinued != 0 {
            unsafe isContinued = 0
            device.enter()
            device.write(Array("again".utf8))
        }
        var wanted = pollfd(fd: device.descriptor, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&wanted, 1, 20)  // poll: the signal may come right before the call
        guard case .bytes(let bytes) = device.read() else { continue }
        var events: [InputEvent] = []
        decoder.take(bytes, into: &events)
        for event in events {
            switch event {
            case .key(KeyPress(.character("q"))): return
            case .key(KeyPress(.character("z"))): device.suspend()
            case .key(KeyPress(.character("s"))):
                device.write(Array("size \(device.size.width)x\(device.size.height).".utf8))
            case .key(let press): device.write(Array("key \(press.key).".utf8))
            default: device.write(Array("event.".utf8))
            }
        }
    }
}

let manner = CommandLine.arguments.dropFirst().first ?? "wait"
guard
    let capabilities = try? Capabilities(
        environment: ["TERM": "xterm"], isTerminal: TerminalDevice.isAvailable),
    let device = try? TerminalDevice(capabilities: capabilities)
else {
    print("refused")
    exit(1)
}
signal(SIGCONT) { _ in unsafe isContinued = 1 }
// The tests' own threads block it, and a program begins with what its parent blocks.
var signals = sigset_t()
unsafe sigemptyset(&signals)
unsafe sigaddset(&signals, SIGCONT)
unsafe sigprocmask(SIG_UNBLOCK, &signals, nil)
device.enter()
if manner == "words" { device.setLastWords(Array("not kept\n".utf8)) }
_ = unsafe write(STDERR_FILENO, "a message\n", 10)
device.write(Array("ready \(getpid()).".utf8))
if ["wait", "words"].contains(manner) { listen(device) } else { end(manner) }
device.leave()
