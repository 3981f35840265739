// Commands on a line that breaks: they say so, and end where nothing new comes any more.
import Foundation
import TestSupport
import Testing

@Test(
    "A copy of a table that never gets through ends, and what broke is told",
    .timeLimit(.minutes(5)))
func copyThatNeverGetsThrough() throws {
    let seed: UInt64 = 11
    let stage = try Stage()
    let ann = try stage.person("ann")
    var generator = SeededRandom(seed: seed)
    var text = "n,word\n"
    for number in 1...5_000 { text += "\(number),word \(generator.next())\n" }
    try ann.must("import", "-", "long", input: text)
    let hash = try ann.must("hash", "long")
    // The snapshot has more bytes than any connection passes.
    let proxy = try CuttingProxy(to: UInt16(stage.port), seed: seed, bytesMax: 60_000)
    defer { proxy.close() }
    let address = "127.0.0.1:\(proxy.port)"
    try ann.learn(address: address, like: stage.port)
    for command in ["hash", "show"] {
        let finished = try ann.run(command, "\(address)/long", "--wait", "2")
        #expect(finished.code == 3, "\(command): \(finished.errors)")
        #expect(finished.output.isEmpty)
        #expect(finished.errors.contains("cannot be reached"), "\(command): \(finished.errors)")
        #expect(finished.errors.contains("trying again"), "\(command): \(finished.errors)")
    }
    #expect(proxy.cutCount > 0)
    proxy.stopCutting()
    #expect(try ann.must("hash", "\(address)/long", "--wait", "2") == hash)
}
