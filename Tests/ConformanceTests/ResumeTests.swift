// clients/conformance/resume.jsonl: dialogues with connections that break, played to the real
// client core: what it sends again, byte for byte, and what never.
import TableModel
import TableWire
import Testing

/// Plays one dialogue, and collects what is otherwise than it says.
private struct Dialogue {
    let client: ScriptedClient
    /// The bytes of each operation as they were last sent.
    var before: [ClientNumber: [UInt8]] = [:]
    var complaints: [String] = []

    mutating func play(_ step: [String: Any], _ place: String) throws {
        if let deed = step["do"] as? String {
            try act(deed, step, place)
        } else if let wanted = step["client"] as? [[String: Any]] {
            try compare(wanted, place)
        } else if let messages = step["server"] as? [[String: Any]] {
            for message in messages {
                guard client.isConnected else { throw Complaint("\(place): no connection") }
                try client.hears(message)
            }
        } else {
            check(try needed(step["expect"] as? [String: Any], "\(place): no step"), place)
        }
    }

    private mutating func act(_ deed: String, _ step: [String: Any], _ place: String) throws {
        switch deed {
        case "connect": try client.connect()
        case "submit": try client.submit(try needed(step["body"], "\(place): no body"))
        case "cut": try client.cut()
        case "reconnect":
            if !client.isWaiting { complaints.append("\(place): it does not come back") }
            _ = client.takeSent()
        default: throw Complaint("\(place): unknown: \(deed)")
        }
    }

    private mutating func compare(_ wanted: [[String: Any]], _ place: String) throws {
        let isLoginWanted = wanted.contains { $0["type"] as? String == "login" }
        let found = client.takeSent(withLogin: isLoginWanted)
        guard found.map(\.type) == wanted.map({ $0["type"] as? String ?? "" }) else {
            throw Complaint("\(place): it sends \(found.map(\.type))")
        }
        for (line, want) in zip(found, wanted) {
            for (key, value) in want where key != "same_as_before" {
                if !areEqual(line.members[key], value) {
                    complaints.append("\(place): \(key) is \(line.members[key] ?? "missing")")
                }
            }
            guard let number = line.members["cseq"] as? ClientNumber else { continue }
            if want["same_as_before"] as? Bool == true, before[number] != line.bytes {
                complaints.append("\(place): other bytes than before")
            }
            before[number] = line.bytes
        }
    }

    private mutating func check(_ wanted: [String: Any], _ place: String) {
        let confirmed = client.confirmed()
        for (key, value) in wanted {
            let found: Any? =
                switch key {
                case "pending": client.pending
                case "decided":
                    client.decided.map { [$0.number, $0.outcome.status.rawValue] as [Any] }
                case "seq": confirmed?.sequence
                case "hash": confirmed?.hash
                case "in_doubt": client.inDoubt
                case "sends_no_op": !client.takeSent().contains { $0.type == "op" }
                default: nil
                }
            if !areEqual(found, value) {
                complaints.append("\(place): \(key) is \(found ?? "missing")")
            }
        }
        if wanted["decided"] != nil { client.forgetDecided() }
    }
}

/// Plays a line to a client that has a rule bent where one is given.
///
/// Returns what is otherwise than the line says.
private func complaints(
    of line: ConformanceLine, bentBy bend: Bend<Talk>? = nil
) throws -> [String] {
    var dialogue = Dialogue(client: ScriptedClient(bentBy: bend))
    try dialogue.client.open()
    for (number, step) in try line.objects("steps").enumerated() {
        try dialogue.play(step, "step \(number)")
    }
    return dialogue.complaints
}

@Test("resume: I1, I2: what is sent again, and what not", arguments: ConformanceLine.all("resume"))
func resumeLine(_ line: ConformanceLine) throws {
    #expect(try complaints(of: line) == [])
}

@Test("resume: each bent rule fails a line about it", arguments: bentDialogues)
func bentDialogue(_ bend: Bend<Talk>) {
    expectNoticed(bend, by: ConformanceLine.all("resume")) { line in
        (try? complaints(of: line, bentBy: bend)) ?? ["it cannot be played"]
    }
}
