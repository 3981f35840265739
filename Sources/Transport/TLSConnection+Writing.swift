// Writing: the handler is asked for bytes only when the socket can take them. What the socket did
// not take stays pending here, as it was given, and nothing more is asked for until it has left.
import COpenSSL
import Glibc

extension TLSConnection {
    /// Writes what is pending, then what the handler gives, until it has no more, the socket takes
    /// no more, or the connection's share of the turn is used up.
    ///
    /// - Returns: about how many bytes it wrote.
    func flush() -> Int {
        isFlushQueued = false
        var total = 0
        while !isWriteBlocked, state == .open || state == .draining {
            guard total < TLSConnection.writeBytesPerTurnMax else {
                requestWrite()
                return total
            }
            if pendingByteCount > 0 {
                total += writePending()
                continue
            }
            let count = writeFilled()
            guard count >= TLSConnection.fillBytesMax else {
                // The handler gave less than was asked for: it has no more.
                if state == .draining, !isWriteBlocked { linger() }
                return total + count
            }
            total += count
        }
        return total
    }

    /// Asks the handler for bytes and writes them; keeps what the socket does not take.
    ///
    /// - Returns: how many the handler gave.
    private func writeFilled() -> Int {
        // The loop's buffer is taken out of the loop, so that a handler may do what it likes.
        var buffer: [UInt8] = []
        swap(&buffer, &loop.fillBuffer)
        buffer.removeAll(keepingCapacity: true)
        handler?.fill(&buffer, byteCountMax: TLSConnection.fillBytesMax, for: self)
        let count = buffer.count
        guard count > 0 else {
            swap(&buffer, &loop.fillBuffer)
            return 0
        }
        // The handler may have closed the connection while it was asked.
        let isWritable = state == .open || state == .draining
        let written = isWritable ? write(buffer, from: 0) : count
        if state == .open || state == .draining, written < count {
            pending = Array(buffer[written...])
            pendingStart = 0
        }
        if buffer.capacity <= 4 * TLSConnection.fillBytesMax { swap(&buffer, &loop.fillBuffer) }
        return count
    }

    private func writePending() -> Int {
        let written = write(pending, from: pendingStart)
        pendingStart += written
        if pendingStart >= pending.count {
            pending = []
            pendingStart = 0
        }
        return written
    }

    /// Writes bytes until the socket takes no more.
    ///
    /// - Returns: how many were taken; fewer than given where the write is now blocked or the
    ///   connection has ended.
    private func write(_ bytes: [UInt8], from start: Int) -> Int {
        guard let session = unsafe session else { return 0 }
        return unsafe bytes.withUnsafeBytes { buffer in
            var offset = start
            while offset < buffer.count {
                let place = unsafe buffer.baseAddress.map { unsafe $0 + offset }
                ERR_clear_error()
                let status = unsafe SSL_write(
                    session, place, Int32(clamping: buffer.count - offset))
                guard status > 0 else {
                    unsafe writeStopped(TLSOutcome(of: session, status: status))
                    break
                }
                offset += Int(status)
            }
            return offset - start
        }
    }

    private func writeStopped(_ outcome: TLSOutcome) {
        switch outcome {
        case .wantRead:
            isWriteBlocked = true
            writeWantsRead = true
            wantRead(true)
        case .wantWrite:
            isWriteBlocked = true
            wantWriteOnce()
        case .ended(let reason): end(reason)
        }
    }
}
