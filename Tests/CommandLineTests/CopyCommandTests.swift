// Expressions of a copied table name its columns by the ids of the copy.
import Testing

@testable import roundtable

@Test(
    "ids in double quotes are exchanged, also for one another; texts and other names stay",
    arguments: [
        (#""c1.2" * "c1.3""#, #""c0.1" * "c1.2""#), (#"'"c1.2"' = "c1.2""#, #"'"c1.2"' = "c0.1""#),
        (#"'it''s "c1.3' || "c1.3""#, #"'it''s "c1.3' || "c1.2""#),
        (#""c1.2""x" + "c1.23""#, #""c1.2""x" + "c1.23""#), ("", ""), (#""c1.2"#, #""c1.2"#),
        ("'é' || \"c1.3\"", "'é' || \"c1.2\""),
    ])
func renamesColumns(_ expression: String, _ expected: String) {
    #expect(renaming(["c1.2": "c0.1", "c1.3": "c1.2"], in: expression) == expected)
}
