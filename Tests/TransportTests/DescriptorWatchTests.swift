// A watched descriptor tells when it can be read from and written to, again and again.
import Glibc
import Testing

@testable import Transport

/// Both ends of a pipe that waits for nobody.
private struct Pipe: ~Copyable {
    let reading: Int32
    let writing: Int32

    init() throws {
        var ends: [Int32] = [0, 0]
        try #require(unsafe pipe(&ends) == 0)
        reading = ends[0]
        writing = ends[1]
        _ = fcntl(writing, F_SETFL, O_NONBLOCK)
        _ = fcntl(reading, F_SETFL, O_NONBLOCK)
    }

    func write(_ count: Int) -> Int {
        let bytes = [UInt8](repeating: 7, count: count)
        return unsafe Glibc.write(writing, bytes, count)
    }

    func read(_ count: Int) -> Int {
        var bytes = [UInt8](repeating: 0, count: count)
        return unsafe Glibc.read(reading, &bytes, count)
    }

    deinit {
        close(reading)
        close(writing)
    }
}

@Suite("Descriptor watch")
struct DescriptorWatchTests {
    @Test("It tells as long as something is left to read, and of the end")
    func reading() throws {
        let loop = try EventLoop()
        let pipe = try Pipe()
        var told = 0
        let watch = try DescriptorWatch(on: loop, descriptor: pipe.reading) { readiness in
            #expect(readiness == .readable)
            told += 1
        }
        #expect(pipe.write(2) == 2)
        loop.runTurn()
        #expect(told == 1)
        #expect(pipe.read(1) == 1)
        loop.runTurn()
        #expect(told == 2, "a byte is left")
        watch.watchesReading = false
        let timer = LoopTimer(on: loop) {}
        timer.set(at: loop.nowMicroseconds)
        loop.runTurn()
        #expect(told == 2, "nobody asked any more")
    }

    @Test("It tells that a full descriptor takes bytes again, only while it is asked to")
    func writing() throws {
        let loop = try EventLoop()
        let pipe = try Pipe()
        while pipe.write(4_096) > 0 {}
        var told: [DescriptorWatch.Readiness] = []
        let watch = try DescriptorWatch(on: loop, descriptor: pipe.writing) { told.append($0) }
        watch.watchesWriting = true
        let timer = LoopTimer(on: loop) {}
        timer.set(at: loop.nowMicroseconds)
        loop.runTurn()
        #expect(told.isEmpty, "the pipe is full")
        while pipe.read(4_096) > 0 {}
        loop.runTurn()
        #expect(told == [.writable])
        watch.watchesWriting = false
        timer.set(at: loop.nowMicroseconds)
        loop.runTurn()
        #expect(told == [.writable])
    }

    @Test("It ends with its last reference")
    func ends() throws {
        let loop = try EventLoop()
        let pipe = try Pipe()
        var told = 0
        var watch: DescriptorWatch? = try DescriptorWatch(on: loop, descriptor: pipe.reading) { _ in
            told += 1
        }
        #expect(pipe.write(1) == 1)
        #expect(watch != nil)
        watch = nil
        let timer = LoopTimer(on: loop) {}
        timer.set(at: loop.nowMicroseconds)
        loop.runTurn()
        #expect(told == 0)
    }

    @Test("A plain file is refused")
    func plainFile() throws {
        let loop = try EventLoop()
        let file = unsafe open(#filePath, O_RDONLY)
        defer { close(file) }
        #expect(throws: TransportError.self) {
            _ = try DescriptorWatch(on: loop, descriptor: file) { _ in }
        }
    }
}
