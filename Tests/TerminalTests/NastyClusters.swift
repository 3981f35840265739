// Texts on which terminals, libraries or programs have come to grief.

/// Clusters and short texts whose width is doubtful, or that would act on a terminal.
let nastyClusters: [String] = [
    "\u{6771}", "\u{FF76}\u{FF9E}", "e\u{301}", "\u{1F1E9}\u{1F1EA}", "\u{1F1E9}", "\u{200B}",
    "\u{202E}", "\u{E0B0}", "\u{3000}", "\u{0E19}\u{0E33}",
    // A family, a profession with a skin tone, the rainbow flag, a heart on fire.
    "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}",
    "\u{1F469}\u{1F3FD}\u{200D}\u{1F52C}", "\u{1F3F3}\u{FE0F}\u{200D}\u{1F308}",
    "\u{2764}\u{FE0F}\u{200D}\u{1F525}",
    "\u{1F44D}\u{1F3FD}", "a\u{1F3FD}", "\u{1F3FD}", "\u{2764}\u{FE0F}", "\u{2601}\u{FE0F}",
    "\u{2614}\u{FE0E}", "1\u{FE0F}\u{20E3}", "1\u{20E3}", "7\u{FE0F}",
    "\u{0915}\u{094D}\u{0937}\u{093F}", "\u{0915}\u{093E}", "\u{0B95}\u{0BC6}\u{0BBE}",
    // Hangul in letters, old Hangul, a filler, a vowel by itself.
    "\u{1112}\u{1161}\u{11AB}", "\u{1100}\u{119E}", "\u{3164}", "\u{1161}",
    "\u{268C}", "\u{1FAE0}", "\u{1FAE8}", "\u{1FAE9}", "\u{1FAEA}",
    "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
    "\u{301}", "\u{93E}", "\u{200D}", "\u{FE0F}", "\u{FEFF}", "\u{AD}", "\u{34F}",
    "\u{0645}\u{06CC}\u{200C}\u{062E}", "\u{05E9}\u{05DC}\u{05D5}\u{05DD}",
    "\u{0}", "\t", "\n", "\r\n", "\u{7F}", "\u{9B}31m", "\u{85}", "\u{2028}",
    "\u{1B}]0;title\u{7}", "\u{1B}[2J", "\u{1B}c", "\u{FFFE}", "\u{378}", "\u{10FFFF}",
    "z" + String(repeating: "\u{335}", count: 100),
]
