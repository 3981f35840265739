// Files and folders that only their owner may read: made so from their first moment, and refused
// where they are not.
// Whose headers name `stat` first, as the compiler sees it when it takes the room as a whole.
import CLibevent
import Glibc

/// Makes a folder of mode 0700 where it is missing, with the folders above it.
///
/// - Parameter path: the folder.
/// - Throws: `TransportError` where it cannot be made or others may write into it.
package func makePrivateFolder(_ path: String) throws(TransportError) {
    var status = stat()
    if unsafe stat(path, &status) == 0 {
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw TransportError("\(path) is there but is no folder; name another")
        }
        guard status.st_mode & 0o022 == 0 else {
            throw TransportError("others may write into \(path); run: chmod 700 '\(path)'")
        }
        return
    }
    if let cut = path.lastIndex(of: "/"), cut != path.startIndex {
        let parent = String(path[..<cut])
        if unsafe access(parent, F_OK) != 0 { try makePrivateFolder(parent) }
    }
    guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
        throw .system("mkdir", on: path, code: errno)
    }
}

/// Takes from others what they may do with a file or folder.
///
/// - Parameter path: the file or folder; it need not be there.
/// - Returns: whether others could do anything with it before.
/// - Throws: `TransportError` where the mode cannot be changed.
package func makePrivate(_ path: String) throws(TransportError) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & 0o077 != 0 else { return false }
    guard unsafe chmod(path, status.st_mode & 0o7700) == 0 else {
        let code = errno
        throw .system("others may read it, and chmod", on: path, code: code)
    }
    return true
}

/// Writes a whole file of mode 0600, durable when it returns: another name first, then renamed,
/// so that a reader sees the old or the new and never a part.
///
/// - Parameters:
///   - path: the file.
///   - bytes: all that it will hold.
/// - Throws: `TransportError`; the file is then as it was.
package func writePrivateFile(_ path: String, _ bytes: [UInt8]) throws(TransportError) {
    let temporary = "\(path).\(getpid()).new"
    unsafe unlink(temporary)
    let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .system("open", on: temporary, code: errno) }
    defer { close(descriptor) }
    var offset = 0
    while offset < bytes.count {
        let written = unsafe bytes.withUnsafeBytes { buffer in
            let place = unsafe buffer.baseAddress.map { unsafe $0 + offset }
            return unsafe write(descriptor, place, buffer.count - offset)
        }
        if written < 0 && errno == EINTR { continue }
        guard written > 0 else {
            let code = errno
            unsafe unlink(temporary)
            throw .system("write", on: path, code: code)
        }
        offset += written
    }
    guard fsync(descriptor) == 0, unsafe rename(temporary, path) == 0 else {
        let code = errno
        unsafe unlink(temporary)
        throw .system("fsync or rename", on: path, code: code)
    }
    syncFolder(of: path)
}

/// Refuses a file that others may read or that is not there.
func requirePrivate(_ path: String) throws(TransportError) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw .system("stat", on: path, code: errno) }
    guard status.st_mode & 0o077 == 0 else {
        throw TransportError(
            "others may read \(path), so its key may be known; run: chmod 600 '\(path)', "
                + "and think about making a new one")
    }
}

/// Reads a file of at most a megabyte.
func readSmallFile(_ path: String) throws(TransportError) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system("open", on: path, code: errno) }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    var count = 0
    while count < bytes.count {
        let got = unsafe bytes.withUnsafeMutableBytes { buffer in
            let place = unsafe buffer.baseAddress.map { unsafe $0 + count }
            return unsafe read(descriptor, place, buffer.count - count)
        }
        if got < 0 && errno == EINTR { continue }
        guard got >= 0 else { throw .system("read", on: path, code: errno) }
        if got == 0 { break }
        count += got
    }
    return Array(bytes[..<count])
}

/// Makes a rename durable; best effort, as some file systems have no such call.
private func syncFolder(of path: String) {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
}
