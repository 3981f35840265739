// Choices in brackets behind a word.
import TableClient
import TableValue
import Testing

@Test(
    "a word with choices in brackets is read, with spaces where people put them",
    arguments: [
        ("state", "state", nil), ("state(open|done)", "state", ["open", "done"]),
        ("state (open | on hold )", "state", ["open", "on hold"]), ("a()", "a", []),
        ("a(b", "a(b", nil), ("a)b", "a)b", nil), ("(x)", "", ["x"]), ("", "", nil),
        ("a(b)c", "a(b)c", nil), ("a(b|)", "a", ["b"]), ("a(é|👍🏽)", "a", ["é", "👍🏽"]),
        ("a(b(c|d))", "a", ["b(c", "d)"]),
    ] as [(String, Text, [Text]?)])
func choiceWord(written: String, word: Text, choices: [Text]?) {
    let read = ChoiceWord(written)
    #expect(read.word == word)
    #expect(read.choices == choices)
}
