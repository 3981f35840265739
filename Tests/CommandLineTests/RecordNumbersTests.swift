// Numbers of records as --seq takes them and undo prints them.
import Testing

@testable import roundtable

@Test("numbers and ranges are read, each number once, the newest first")
func recordNumbersRead() throws {
    #expect(try RecordNumbers("118").newestFirst == [118])
    #expect(try RecordNumbers("1-3,7").newestFirst == [7, 3, 2, 1])
    #expect(try RecordNumbers("5,1-6,6").newestFirst == [6, 5, 4, 3, 2, 1])
    #expect(try RecordNumbers("9223372036854775807").newestFirst == [.max])
    #expect(try RecordNumbers("1-100000").newestFirst.count == 100_000)
}

@Test(
    "what is no number of a record is refused with exit code 2",
    arguments: [
        "", "0", "-1", "1-", "3-2", "1-2-3", "1,", ",1", "x", "1 2", "1-100001", "1-100000,7",
        "9223372036854775808", "1-9223372036854775807",
    ])
func recordNumbersRefused(text: String) {
    let failure = #expect(throws: CommandFailure.self) { try RecordNumbers(text) }
    #expect(failure?.exitCode == 2)
}

@Test("numbers are written as ranges, upwards and downwards, and can be read again")
func recordNumbersWritten() throws {
    var numbers = RecordNumbers()
    #expect(numbers.isEmpty && numbers.description == "")
    for number in [3, 4, 5, 9, 12, 11, 10] as [Int64] { numbers.add(number) }
    #expect(numbers.description == "3-5,9,10-12")
    #expect(try RecordNumbers(numbers.description).newestFirst == [12, 11, 10, 9, 5, 4, 3])
    #expect(!numbers.isSingle)
    var one = RecordNumbers()
    one.add(7)
    one.add(7)
    #expect(one.isSingle && one.description == "7")
}
