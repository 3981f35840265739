// The program `simulate` as a process: the same seed has the same course in every process,
// whatever the process's own hash seed, and its exit code tells what happened.
import Foundation
import Testing

@testable import Simulation

/// The program beside this test's own binary; nil where it is not built.
private var program: URL? {
    let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let program = tests.deletingLastPathComponent().appendingPathComponent("simulate")
    return FileManager.default.isExecutableFile(atPath: program.path) ? program : nil
}

private func run(_ arguments: [String]) throws -> (code: Int32, output: String) {
    let process = Process()
    let pipe = Foundation.Pipe()
    process.executableURL = program
    process.arguments = arguments
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
}

@Test("a seed has the same course in every process", .enabled(if: program != nil))
func sameCourseInEveryProcess() throws {
    let outputs = try (1...3).map { _ in try run(["--seed", "7", "--steps", "40"]) }
    #expect(outputs.allSatisfy { $0.code == 0 })
    #expect(outputs[0].output.contains("trace "))
    #expect(Set(outputs.map(\.output)).count == 1)
}

@Test(
    "a failure is told by the exit code, with a plan that repeats it", .enabled(if: program != nil))
func failureIsTold() throws {
    let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("simulate-tests-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let failed = try run([
        "--seeds", "60", "--steps", "40", "--bug", "broadcast_before_durable", "--out", folder.path,
    ])
    #expect(failed.code == 1)
    let plans = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        .filter { $0.hasSuffix(".plan") }
    let plan = try #require(plans.first)
    #expect(failed.output.contains("--plan \(folder.path)/\(plan)"))
    let again = try run(["--plan", folder.path + "/" + plan])
    #expect(again.code == 1)
    let reason = try #require(failed.output.split(separator: "\n").first { $0.contains(" µs: ") })
    #expect(again.output.contains(reason))
    #expect(try run(["--nonsense"]).code == 2)
}

@Test("help is data and no error", .enabled(if: program != nil), arguments: ["--help", "-h"])
func help(word: String) throws {
    let helped = try run([word])
    #expect(helped.code == 0)
    #expect(helped.output.hasPrefix("usage: simulate"))
}
