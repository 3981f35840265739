// Whole streams: however bytes are cut or bent, the same messages or an error come out.
import TableModel
import Testing

@testable import TableWire

/// A generator of numbers from a seed (SplitMix64, by Sebastiano Vigna, public domain).
private struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// The messages that pieces of a stream hold.
private func messages(_ pieces: [ArraySlice<UInt8>]) throws -> [ClientLine] {
    var splitter = LineSplitter(lineBytesMax: 1 << 20)
    var lines: [ClientLine] = []
    for piece in pieces {
        var failure: WireError?
        try unsafe splitter.append(piece.span.bytes) { line in
            do throws(WireError) {
                lines.append(try readClientLine(line, limits: WireLimits()))
                return true
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
    }
    return lines
}

@Suite struct StreamTests {
    private let sent = clientMessages.enumerated().map { index, message in
        ClientLine(id: Int64(index), message: message)
    }

    private var stream: [UInt8] {
        var stream: [UInt8] = []
        for line in sent { write(line, to: &stream) }
        return stream
    }

    @Test("GP4: whole, byte by byte, and cut anywhere in two, a stream holds the same messages")
    func cuts() throws {
        let stream = stream
        #expect(try messages([stream[...]]) == sent)
        #expect(try messages(stream.indices.map { stream[$0...$0] }) == sent)
        // Every cut in two, each in a stream of the message that it falls into and the next one:
        // from line to line the splitter carries nothing.
        for (first, second) in zip(sent, sent.dropFirst() + sent.prefix(1)) {
            var pair: [UInt8] = []
            write(first, to: &pair)
            let length = pair.count
            write(second, to: &pair)
            for cut in 0...length {
                let found = try messages([pair[..<cut], pair[cut...]])
                #expect(found == [first, second], "\(first), cut at \(cut)")
            }
        }
    }

    @Test("GP4: random cuts give the same messages", arguments: 1...20 as ClosedRange<UInt64>)
    func randomCuts(seed: UInt64) throws {
        var dice = Dice(state: seed)
        let stream = stream
        var pieces: [ArraySlice<UInt8>] = []
        var start = 0
        while start < stream.count {
            let end = min(stream.count, start + Int.random(in: 0...90, using: &dice))
            pieces.append(stream[start..<end])
            start = end
        }
        #expect(try messages(pieces) == sent, "seed \(seed)")
    }

    @Test("GP2: a client's line with bytes changed is read or refused, and reads back the same")
    func bentClientLines() {
        var dice = Dice(state: 20_261_130)
        for round in 0..<5_000 {
            var line: [UInt8] = []
            write(sent[round % sent.count], to: &line)
            bend(&line, &dice)
            guard let message = try? unsafe readClientLine(line.span.bytes, limits: WireLimits())
            else { continue }
            // What was accepted has one spelling, and that spelling stays as it is.
            if case .op(let submitted) = message.message, submitted.refusal != nil { continue }
            var again: [UInt8] = []
            write(message, to: &again)
            var third: [UInt8] = []
            if let read = try? unsafe readClientLine(
                again.span.bytes, limits: WireLimits())
            {
                write(read, to: &third)
            }
            #expect(third == again, "round \(round): \(String(decoding: line, as: UTF8.self))")
        }
    }

    @Test("GP2: a server's line with bytes changed is read or refused, and reads back the same")
    func bentServerLines() {
        var dice = Dice(state: 20_261_201)
        for round in 0..<5_000 {
            var line: [UInt8] = []
            write(ServerLine(message: serverMessages[round % serverMessages.count]), to: &line)
            bend(&line, &dice)
            guard let message = try? unsafe readServerLine(line.span.bytes, limits: WireLimits())
            else { continue }
            var again: [UInt8] = []
            write(message, to: &again)
            var third: [UInt8] = []
            if let read = try? unsafe readServerLine(
                again.span.bytes, limits: WireLimits())
            {
                write(read, to: &third)
            }
            #expect(third == again, "round \(round): \(String(decoding: line, as: UTF8.self))")
        }
    }

    /// Changes, removes, doubles or swaps a few bytes.
    private func bend(_ line: inout [UInt8], _ dice: inout Dice) {
        let marks = bytes("\"\\{}[],:-.0159eEtfnsc \u{0}\n\u{7F}") + [0x80, 0xC3, 0xFF]
        for _ in 0..<Int.random(in: 1...3, using: &dice) {
            guard let place = line.indices.randomElement(using: &dice) else { return }
            switch Int.random(in: 0..<5, using: &dice) {
            case 0: line[place] ^= 1 << UInt8.random(in: 0..<8, using: &dice)
            case 1: line[place] = marks.randomElement(using: &dice) ?? 0
            case 2: line.remove(at: place)
            case 3: line.insert(marks.randomElement(using: &dice) ?? 0, at: place)
            default:
                let end = min(line.count, place + Int.random(in: 1...12, using: &dice))
                line.insert(
                    contentsOf: line[place..<end], at: line.indices.randomElement(using: &dice) ?? 0
                )
            }
        }
    }
}
