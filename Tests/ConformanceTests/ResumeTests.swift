// clients/conformance/resume.jsonl: dialogues with connections that break, played to the real
// client core: what it sends again, byte for byte, and what never.
import TableModel
import TableWire
import Testing

/// Plays one dialogue.
private struct Dialogue {
    let client = ScriptedClient()
    /// The bytes of each operation as they were last sent.
    var before: [ClientNumber: [UInt8]] = [:]

    mutating func play(_ step: [String: Any], _ place: Comment) throws {
        if let deed = step["do"] as? String {
            try act(deed, step, place)
        } else if let wanted = step["client"] as? [[String: Any]] {
            try compare(wanted, place)
        } else if let messages = step["server"] as? [[String: Any]] {
            for message in messages {
                try #require(client.isConnected, place)
                try client.hears(message)
            }
        } else {
            check(try #require(step["expect"] as? [String: Any], place), place)
        }
    }

    private func act(_ deed: String, _ step: [String: Any], _ place: Comment) throws {
        switch deed {
        case "connect": try client.connect()
        case "submit": try client.submit(try #require(step["body"], place))
        case "cut": try client.cut()
        case "reconnect":
            #expect(client.isWaiting, place)
            _ = client.takeSent()
        default: Issue.record("unknown: \(deed)")
        }
    }

    private mutating func compare(_ wanted: [[String: Any]], _ place: Comment) throws {
        let isLoginWanted = wanted.contains { $0["type"] as? String == "login" }
        let found = client.takeSent(withLogin: isLoginWanted)
        try #require(found.map(\.type) == wanted.map { $0["type"] as? String ?? "" }, place)
        for (line, want) in zip(found, wanted) {
            for (key, value) in want where key != "same_as_before" {
                #expect(areEqual(line.members[key], value), "\(place) \(key)")
            }
            guard let number = line.members["cseq"] as? ClientNumber else { continue }
            if want["same_as_before"] as? Bool == true {
                #expect(before[number] == line.bytes, place)
            }
            before[number] = line.bytes
        }
    }

    private func check(_ wanted: [String: Any], _ place: Comment) {
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
            #expect(areEqual(found, value), "\(place) \(key)")
        }
        if wanted["decided"] != nil { client.forgetDecided() }
    }
}

@Test("resume: I1, I2: what is sent again, and what not", arguments: ConformanceLine.all("resume"))
func resumeLine(_ line: ConformanceLine) throws {
    var dialogue = Dialogue()
    try dialogue.client.open()
    for (number, step) in try line.objects("steps").enumerated() {
        try dialogue.play(step, "step \(number)")
    }
}
