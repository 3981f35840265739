import TableFiles
import TableValue
import Testing

@Test("a table of Markdown in which nothing acts")
func markdown() {
    let rows: [[Value]] = [
        [.text("a|b"), .int(1)], [.text("<b>&\\`*x*` [y](z)"), .null], [.text(""), .int(-2)],
        [.text("a_b _c_ \u{1B}\n"), .int(3)],
    ]
    #expect(
        written(.markdown, columns("dep_time:text,qty:int"), rows)
            == "| dep_time | qty |\n| --- | ---: |\n| a\\|b | 1 |\n"
            + "| &lt;b>&amp;\\\\\\`\\*x\\*\\` \\[y\\](z) |  |\n| \"\" | -2 |\n"
            + "| a_b \\_c\\_ \\\\u{1B}\\\\n | 3 |\n")
    #expect(written(.markdown, [], [[]]) == "")
}
