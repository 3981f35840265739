// Clients and readers that get one rule wrong: what they send and hear, and the lines they read,
// are bent. ResumeTests.swift, ErrorTests.swift and WireTests.swift show that lines notice each.
import Foundation
import TableModel
import TableWire

/// How a client goes on after a cut, and what it makes of answers.
let bentDialogues: [Bend<Talk>] = [
    Bend("I1: a gap in the stream is passed over") { talk in
        guard talk.isHeard, talk.type == "record", let seq = talk.message["seq"] as? Int,
            seq > talk.head
        else { return }
        talk.message["seq"] = talk.head + 1
    },
    Bend("I1: the place that is held is not said") { talk in
        if talk.type == "open" { talk.message["have"] = nil }
    },
    Bend("I2: sent again under a new number") { talk in
        guard talk.isAgain, let number = talk.message["cseq"] as? Int else { return }
        talk.message["cseq"] = number + 100
    },
    Bend("I2: sent again as it would be meant now") { talk in
        if talk.isAgain { talk.message["base"] = talk.head + 1 }
    },
    Bend("I2: nothing is sent again") { talk in
        if talk.isAgain { talk.passes = false }
    },
    Bend("I2: what was decided meanwhile does not count") { talk in
        if talk.isHeard, talk.type == "opened" { talk.message["last_cseq"] = 0 }
    },
    Bend("I2: the first secret for ever") { talk in
        if talk.isHeard, talk.type == "opened" { talk.message["token"] = "k1" }
    },
    Bend("I2: the session is begun anew") { talk in
        if talk.type == "open" { talk.message["resume"] = nil }
    },
    Bend("C6: only records are answers") { talk in
        if talk.isHeard, talk.type == "reply" { talk.passes = false }
    },
    Bend("C3: a refusal is no answer") { talk in
        let outcome = talk.message["outcome"] as? [String: Any]
        if talk.isHeard, outcome?["status"] as? String == "rejected" { talk.passes = false }
    },
]

/// What a client does about codes.
let bentCodes: [Bend<Talk>] = [
    Bend("a final end is come back from") { talk in
        if talk.message["code"] as? String == "cseq_reused" {
            talk.message["code"] = "going_away"
        }
    },
    Bend("an orderly stop is final") { talk in
        if talk.message["code"] as? String == "going_away" {
            talk.message["code"] = "cseq_reused"
        }
    },
    Bend("a code that nobody knows is passed over") { talk in
        if talk.message["code"] as? String == "brand_new" { talk.passes = false }
    },
    Bend("a session that is lost goes on") { talk in
        if talk.message["code"] as? String == "session_expired" {
            talk.message["code"] = "going_away"
        }
    },
    Bend("the wait is forgotten") { talk in talk.message["retry_seconds"] = nil },
    Bend("refusals are not told") { talk in
        if talk.type == "reply" { talk.passes = false }
    },
]

/// A line that is read, and how.
struct Reading {
    var bytes: [UInt8]
    let receiver: String
    var limits = WireLimits()
}

/// What a reader takes.
let bentReaders: [Bend<Reading>] = [
    Bend("objects may not stand in one another as deep") { $0.limits.depthMax = 4 },
    Bend("numbers may be twice as long") { $0.limits.numberBytesMax *= 2 },
    Bend("keys may come twice, and whatever else a usual library takes") { reading in
        let object = try? JSONSerialization.jsonObject(with: Data(reading.bytes))
        guard let object = object as? [String: Any], let read = try? bytes(of: object) else {
            return
        }
        reading.bytes = read
    },
    Bend("fields that nobody knows are passed over") { reading in
        guard var object = try? object(of: reading.bytes) else { return }
        for key in ["colour", "color", "x", "more", "extra", "surprise"] { object[key] = nil }
        if let read = try? bytes(of: object) { reading.bytes = read }
    },
    Bend("a mark of byte order may stand before a line") { reading in
        if reading.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reading.bytes.removeFirst(3) }
    },
    Bend("NUL in names is a space") { reading in
        let text = String(decoding: reading.bytes, as: UTF8.self)
        reading.bytes = Array(text.replacing("\\u0000", with: " ").utf8)
    },
    Bend("halves of surrogate pairs are replaced") { reading in
        let text = String(decoding: reading.bytes, as: UTF8.self)
        reading.bytes = Array(text.replacing(#/\\u[dD][89a-fA-F][0-9a-fA-F]{2}/#, with: "?").utf8)
    },
]
