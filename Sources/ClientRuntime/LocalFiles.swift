// Small files as a whole, and what is done to files by their names.
// What is in a file it does not know; files that are read piece by piece are in LocalFile.swift.
import Glibc

/// Whole small files.
package enum LocalFiles {
    /// The bytes of a file; nil where there is none.
    ///
    /// Errors: the file is there but cannot be read, or is larger than `byteCountMax`.
    package static func contents(
        of path: String, byteCountMax: Int
    ) throws(LocalFileError) -> [UInt8]? {
        guard unsafe access(path, F_OK) == 0 else { return nil }
        let file = try LocalFile.reading(path)
        var contents: [UInt8] = []
        var piece: [UInt8] = []
        while true {
            try file.read(upTo: 64 << 10, into: &piece)
            if piece.isEmpty { return contents }
            contents += piece
            guard contents.count <= byteCountMax else {
                throw LocalFileError("\(path) is larger than \(byteCountMax) bytes")
            }
        }
    }

    /// Replaces a file as one step that a crash cannot halve; only its owner may read it.
    package static func replace(_ path: String, with bytes: [UInt8]) throws(LocalFileError) {
        let draft = path + ".new"
        let file = try LocalFile.writing(draft, mode: 0o600)
        // A draft left by a crash keeps its old access bits; this sets them again.
        guard fchmod(file.descriptor, 0o600) == 0 else {
            throw LocalFileError("cannot protect", draft, code: errno)
        }
        try file.write(bytes)
        try file.synchronize()
        try rename(draft, to: path)
    }

    /// True where there is something of that name that this process may read.
    package static func isReadable(_ path: String) -> Bool {
        unsafe access(path, R_OK) == 0
    }

    /// True where there is an ordinary file of that name, or nothing: what may be replaced.
    package static func isReplaceable(_ path: String) -> Bool {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return errno == ENOENT }
        return status.st_mode & S_IFMT == S_IFREG
    }

    /// Gives a file the name of another, which it replaces.
    ///
    /// The corresponding C function is `rename`.
    package static func rename(_ path: String, to newPath: String) throws(LocalFileError) {
        guard unsafe Glibc.rename(path, newPath) == 0 else {
            throw LocalFileError("cannot replace", newPath, code: errno)
        }
    }

    /// Removes a file; nothing where there is none.
    package static func remove(_ path: String) {
        _ = unsafe unlink(path)
    }

    /// Makes a folder that only its owner may enter, and those above it.
    package static func makePrivateFolder(_ path: String) throws(LocalFileError) {
        if unsafe mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
            throw LocalFileError("cannot make the folder", path, code: errno)
        }
        try makePrivateFolder(String(path[..<slash]))
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw LocalFileError("cannot make the folder", path, code: errno)
        }
    }
}
