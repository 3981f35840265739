// Joins the app with the terminal and the client core on one event loop: input to events, actions
// to the world, frames to the screen, sixty a second at most. It never waits for the network, and
// decides nothing that can be seen.
import ClientRuntime
import Glibc
import TableClient
import TableModel
import TableValue
import TableWire
import Terminal
import TerminalApp
import Transport

/// The terminal client's shell, confined to the thread that runs it.
final class TerminalShell {
    private let driver: ClientDriver
    private let device: TerminalDevice
    private var app: App
    private var decoder = InputDecoder()
    private var writer: FrameWriter
    private var probe: TerminalProbe
    private var widths = WidthRules()

    private var watch: DescriptorWatch?
    private var signals: [SignalWatch] = []
    private var appTimer: LoopTimer?
    private var escapeTimer: LoopTimer?
    private var frameTimer: LoopTimer?

    private var appActions: [AppAction] = []
    /// Something may look otherwise than on the screen.
    private var isStale = true
    private var frameMicroseconds: Int64 = 0
    private var isDone = false
    private var failure: CommandFailure?
    /// What the device says where a signal ends the process.
    private var lastWords: String?
    private var hasLoggedIn = false
    /// The minute of the clock that the app was told last.
    private var toldMinute = -1
    private let patienceMicroseconds: Int64
    private let startMicroseconds: Int64

    /// The shortest time between two frames.
    private static let frameIntervalMicroseconds: Int64 = 16_000

    /// Takes nothing yet but the terminal's descriptor.
    init(
        driver: ClientDriver, table: TableReference, options: AppOptions,
        capabilities: Capabilities, patienceSeconds: Double
    ) throws {
        self.driver = driver
        device = try TerminalDevice(capabilities: capabilities)
        writer = FrameWriter(depth: capabilities.colorDepth)
        if capabilities.isRemote { decoder.escapeMilliseconds = 50 }
        probe = TerminalProbe(size: device.size)
        app = App(table: table, size: device.size, options: options)
        startMicroseconds = driver.loop.nowMicroseconds
        patienceMicroseconds = Int64(min(max(patienceSeconds, 0), 1e6) * 1e6)
    }

    /// Shows the table until the user quits; then gives the terminal back.
    func run(_ request: OpenRequest) throws {
        let loop = driver.loop
        appTimer = LoopTimer(on: loop) { [unowned self] in take(.ticked) }
        escapeTimer = LoopTimer(on: loop) { [unowned self] in escapeTimedOut() }
        frameTimer = LoopTimer(on: loop) { [unowned self] in isStale = true }
        signals = [
            SignalWatch(on: loop, number: SIGWINCH) { [unowned self] in
                take(.resized(device.size))
            },
            SignalWatch(on: loop, number: SIGCONT) { [unowned self] in enterAgain() },
        ]
        watch = try DescriptorWatch(on: loop, descriptor: device.descriptor) {
            [unowned self] readiness in
            if readiness == .readable { readInput() } else { device.flush() }
        }
        device.enter()
        device.write(probe.question)
        driver.perform { $0.open(request, at: $1, into: &$2) }
        loop.onTurnEnd = { [unowned self] in turnEnded() }
        turnEnded()
        while !isDone { loop.runTurn() }
        loop.onTurnEnd = {}
        watch = nil
        device.leave()
        driver.leave()
        try sayFarewell()
    }

    /// Says what ended the program, and what is lost with it.
    private func sayFarewell() throws(CommandFailure) {
        device.setLastWords([])
        guard let words = app.farewell else {
            if let failure { throw failure }
            return
        }
        guard let failure else { throw .local(words) }
        talk("roundtable: \(words)")
        throw failure
    }

    /// Sees to it that a signal that ends the process does not do so in silence.
    private func noteLastWords() {
        let words = app.farewell
        guard words != lastWords else { return }
        lastWords = words
        let line = words.map { TerminalSafe.line("roundtable: \($0)") + "\n" } ?? ""
        device.setLastWords(Array(line.utf8))
    }

    // MARK: Input

    private func readInput() {
        switch device.read() {
        case .none: return
        case .ended: isDone = true
        case .bytes(let bytes):
            tellTime()
            // One by one: whether Esc begins a key with Alt depends on what is open by then.
            var events: [InputEvent] = []
            for byte in bytes {
                app.instruct(&decoder)
                decoder.take(CollectionOfOne(byte), into: &events)
                take(&events)
            }
            waitForRest()
        }
    }

    /// Tells the app the time of day where the user is, once a minute at most.
    private func tellTime() {
        var seconds = time(nil)
        let minute = seconds / 60
        guard minute != toldMinute else { return }
        toldMinute = minute
        var local = unsafe tm()
        guard unsafe localtime_r(&seconds, &local) != nil else { return }
        let offset = unsafe local.tm_gmtoff / 60
        take(
            .clock(
                Moment(
                    microsecondsSinceEpoch: Int64(seconds) * 1_000_000,
                    offsetMinutes: Int16(clamping: offset))))
    }

    private func escapeTimedOut() {
        var events: [InputEvent] = []
        decoder.timedOut(into: &events)
        take(&events)
        waitForRest()
    }

    private func waitForRest() {
        guard let milliseconds = decoder.waitMilliseconds else {
            escapeTimer?.cancel()
            return
        }
        escapeTimer?.set(at: driver.loop.nowMicroseconds + Int64(milliseconds) * 1_000)
    }

    private func take(_ events: inout [InputEvent]) {
        for event in events {
            if case .replied(let reply) = event, probe.take(reply) { probed() }
            take(.input(event))
        }
        events.removeAll(keepingCapacity: true)
    }

    /// The terminal has told everything about itself.
    private func probed() {
        widths = probe.widths
        if probe.hasKittyKeyboard { device.useKittyKeyboard() }
        writer.invalidate()
    }

    // MARK: Events and actions

    private func take(_ event: AppEvent) {
        driver.perform { client, now, clientActions in
            app.update(
                event, client: &client, at: now, clientActions: &clientActions,
                into: &appActions)
        }
        isStale = true
        while !appActions.isEmpty {
            let due = appActions
            appActions.removeAll(keepingCapacity: true)
            for action in due { carryOut(action) }
        }
    }

    private func carryOut(_ action: AppAction) {
        switch action {
        case .copy(let text):
            if let bytes = clipboardSequence(text.utf8) { device.write(bytes) }
        case .redraw: writer.invalidate()
        case .suspend:
            device.suspend()
            enterAgain()
        case .quit: isDone = true
        }
    }

    /// The process goes on after it was stopped.
    private func enterAgain() {
        device.enter()
        writer.invalidate()
        take(.resized(device.size))
    }

    private func takeNotices() {
        while let notice = driver.takeNotice() {
            switch notice {
            case .loggedIn: hasLoggedIn = true
            case .reconnecting(_, let reason): checkFirstContact(reason)
            case .failed(let error):
                // Without a table there is nothing to stay for.
                if !app.hasTable {
                    failure = .refused(code: error.code.rawValue, message: error.message)
                    isDone = true
                }
            default: break
            }
            take(.noticed(notice))
        }
    }

    /// Before the first login a server that cannot be reached ends the command, as it ends others.
    private func checkFirstContact(_ reason: String) {
        guard !hasLoggedIn,
            driver.loop.nowMicroseconds - startMicroseconds >= patienceMicroseconds
                || driver.failure?.kind == .wrongServer
        else { return }
        let why = driver.failure?.reason ?? reason
        failure = .unreachable("\(driver.server) cannot be reached: \(why)")
        isDone = true
    }

    // MARK: Frames

    private func turnEnded() {
        takeNotices()
        noteLastWords()
        // Rows may have come that nothing tells of.
        if app.isLoading { isStale = true }
        if isStale, !isDone { draw() }
        if let deadline = app.deadline {
            appTimer?.set(at: deadline.microseconds)
        } else {
            appTimer?.cancel()
        }
        watch?.watchesWriting = device.isWritePending
    }

    private func draw() {
        guard !device.isWritePending else { return }
        let now = driver.loop.nowMicroseconds
        let due = frameMicroseconds + TerminalShell.frameIntervalMicroseconds
        guard now >= due else {
            frameTimer?.set(at: due)
            return
        }
        var frame = CellBuffer(size: app.shownSize, widths: widths)
        driver.perform { client, now, _ in
            app.draw(into: &frame, client: &client, at: now)
        }
        var bytes: [UInt8] = []
        writer.write(frame, into: &bytes)
        if !bytes.isEmpty { device.write(bytes) }
        frameMicroseconds = now
        isStale = false
    }
}
