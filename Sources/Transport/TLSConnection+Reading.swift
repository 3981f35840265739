// Reading: as much as has come, up to a share of the turn, into the loop's one buffer. What is
// read goes straight to the handler; nothing is kept here.
import COpenSSL
import Glibc

extension TLSConnection {
    /// Reads what is there and delivers it; leaves the rest for the next turn once the
    /// connection's share of this one is used up.
    func readAll() {
        var total = 0
        while state == .open, !isReadingPaused {
            guard let session = unsafe session else { return }
            let (count, outcome) = unsafe fillReadBuffer(session)
            total += count
            if count > 0 {
                let bytes = unsafe UnsafeRawBufferPointer(rebasing: loop.readBuffer[..<count])
                unsafe handler?.received(RawSpan(_unsafeBytes: bytes), on: self)
            }
            guard state == .open else { return }
            switch outcome {
            case .wantRead: return
            case .wantWrite:
                readWantsWrite = true
                wantWriteOnce()
                return
            case .ended(let reason):
                end(reason)
                return
            case nil: break
            }
            // OpenSSL may hold bytes that the kernel no longer tells of.
            guard unsafe SSL_has_pending(session) == 1 else { return }
            if total >= TLSConnection.readBytesPerTurnMax {
                queueRead()
                return
            }
        }
    }

    /// Reads until the buffer is full or no more bytes are at hand.
    private func fillReadBuffer(_ session: OpaquePointer) -> (count: Int, outcome: TLSOutcome?) {
        let buffer = unsafe loop.readBuffer
        var count = 0
        repeat {
            let room = buffer.count - count
            let place = unsafe buffer.baseAddress.map { unsafe $0 + count }
            ERR_clear_error()
            let status = unsafe SSL_read(session, place, Int32(clamping: room))
            guard status > 0 else { return (count, unsafe TLSOutcome(of: session, status: status)) }
            count += Int(status)
        } while count < buffer.count && (unsafe SSL_has_pending(session) == 1)
        return (count, nil)
    }

    /// Reads on in the next turn, whether or not the kernel has anything to tell.
    func queueRead() {
        guard !isReadQueued else { return }
        isReadQueued = true
        loop.readQueue.append(self)
    }

    /// Reads on after `queueRead`.
    func readOn() {
        isReadQueued = false
        if state == .open, !isReadingPaused { readAll() }
    }
}
