import Testing

@testable import HarkReport

/// Texts of others in Markdown.
@Suite struct MarkdownTextTests {
  /// CommonMark 0.31, 2.4: a backslash in front of ASCII punctuation makes it a letter like others. What
  /// combines with a character does not change what it is for a parser.
  @Test(arguments: [
    ("Acme Watch 4F2A", "Acme Watch 4F2A"),
    ("a|b", #"a\|b"#),
    ("|\u{301} p", "\\|\u{301} p"),
    ("`\u{301}c`\u{301}", "\\`\u{301}c\\`\u{301}"),
    ("<\u{200D}img src=x>", "\\<\u{200D}img src=x\\>"),
    ("*_~[x](y)", #"\*\_\~\[x\](y)"#),
    ("&lt;b&gt;", #"\&lt;b\&gt;"#),
    (#"$\Huge{x}$ $$y$$"#, #"\$\\Huge{x}\$ \$\$y\$\$"#),
    ("a\r\n\r\n- item", #"a\\r\\n\\r\\n- item"#),
    ("x\n===", #"x\\n==="#),
    ("x\u{2028}y\u{85}z\u{1B}[31m", #"x\\u2028y\\u0085z\\u001b\[31m"#),
    ("\u{202E}evil\u{2066}", #"\\u202eevil\\u2066"#),
    ("# heading", "\\# heading"), ("- item", #"\- item"#), ("+ item", #"\+ item"#),
    ("12. item", #"12\. item"#), ("1) item", #"1\) item"#), ("6.12.0", "6.12.0"), ("===", #"\==="#),
  ])
  func escaped(_ text: String, _ expected: String) {
    #expect(MarkdownText.plain(text) == expected)
  }

  /// What GitHub links by itself, behind a backslash too: issues, people, pages.
  /// https://docs.github.com/en/get-started/writing-on-github/working-with-advanced-formatting/autolinked-references-and-urls
  @Test(arguments: [
    ("packet #6", "packet #\u{200B}6"), ("owner/repo#5", "owner/repo#\u{200B}5"),
    ("@torvalds", "@\u{200B}torvalds"), ("@org/team", "@\u{200B}org/team"),
    ("a@b.example", "a@\u{200B}b.example"), ("GH-77", "GH-\u{200B}77"), ("gh-7", "gh-\u{200B}7"),
    ("https://evil.example", "https:\u{200B}//evil.example"),
    ("HTTP://evil.example", "HTTP:\u{200B}//evil.example"),
    ("www.evil.example", "www\u{200B}.evil.example"),
    ("#Feature @ 5:30, C0:DE-7", "\\#Feature @ 5:30, C0:DE-7"),
  ])
  func unlinked(_ text: String, _ expected: String) {
    #expect(MarkdownText.plain(text) == expected)
  }
}
