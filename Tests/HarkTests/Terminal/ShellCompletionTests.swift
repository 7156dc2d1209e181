import Foundation
import HarkTestSupport
import Testing

@testable import hark

/// Candidates as each shell needs them. Words are passed as bash 5.2, zsh 5.9 and fish 3.6 pass them.
@Suite struct ShellCompletionTests {
  private static let capture = Project.capture("pebble-session/pebble-session.btsnoop")

  private static func candidates(
    _ shell: String, _ command: String, _ option: String, _ words: [String], at cursor: Int? = nil
  ) throws -> [String] {
    let all = ["hark", command] + words
    let place = cursor ?? words.last?.count ?? 0
    let arguments = ["---completion", command, "--", option, "\(all.count - 1)", "\(place)"] + all
    let text = try OtherProgram.run(
      "/usr/bin/env", ["SAP_SHELL=\(shell)", HarkProgram.url.path] + arguments
    ).text
    // The last line for zsh is a blank, which its script removes.
    return text.split(separator: "\n").map(String.init).filter { $0 != " " }
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func `lists complete their last name`(_ shell: String)
    throws
  {
    #expect(
      try Self.candidates(shell, "timeline", "--lane", ["--lane", "gatt,ke"]) == ["gatt,keys"])
    #expect(
      try Self.candidates(shell, "timeline", "--lane", ["--lane", "gatt,ga"]) == ["gatt,gap"])
    #expect(
      try Self.candidates(shell, "packets", "--field", ["-e", "att.opcode,frame.time_r"])
        == ["att.opcode,frame.time_relative"])
    #expect(
      try Self.candidates(shell, "findings", "--rule", ["--rule", "keys.wrong-size,keys.nonce"])
        == ["keys.wrong-size,keys.nonce-reuse"])
  }

  @Test func `help completes commands, topics and protocols`() throws {
    let topics = CompletionScript.topics
    #expect(Set(["timeline", "keys", "filters", "protocols", "att", "smp"]).isSubset(of: topics))
    let script = try OtherProgram.run(
      HarkProgram.url.path, ["--generate-completion-script", "bash"]
    ).text
    let folder = try TestFolder()
    try script.write(toFile: folder.path("hark.bash"), atomically: true, encoding: .utf8)
    for (typed, found) in [
      ("tim", ["timeline"]), ("prot", ["protocols"]), ("--ver", ["--version"]),
    ] {
      let (text, stated, _) = try OtherProgram.run(
        "/bin/bash",
        [
          "-c",
          "source $0; COMP_WORDS=(hark help $1); COMP_CWORD=2; COMP_LINE=\"hark help $1\"; "
            + "COMP_POINT=${#COMP_LINE}; _hark hark $1 help; printf '%s\\n' \"${COMPREPLY[@]}\"",
          folder.path("hark.bash"), typed,
        ])
      #expect(text.split(separator: "\n").map(String.init) == found, "\(stated)")
    }
    for (shell, line) in [
      ("zsh", "'*:subcommands:("),
      ("fish", "'__hark_should_offer_completions_for_positional \"hark help\" -eq 1' -fka '"),
    ] {
      let script = try OtherProgram.run(
        HarkProgram.url.path, ["--generate-completion-script", shell]
      ).text
      #expect(script.contains(line + topics.joined(separator: " ")))
    }
  }

  @Test func `columns are no names of filters`() throws {
    let all = try Self.candidates("bash", "packets", "--field", ["-e", ""])
    #expect(all.contains("frame.number") && all.contains("att.opcode"))
    #expect(!all.contains("number") && !all.contains("device"))
  }

  @Test func `quotes of the shell are none of the filter's`() throws {
    // zsh counts from the last blank.
    for (shell, cursor) in [("bash", 14), ("zsh", 9)] {
      #expect(
        try Self.candidates(shell, "packets", "--filter", ["-Y", "'not att.opcod"], at: cursor)
          == ["not att.opcode"], "\(shell)")
    }
    #expect(
      try Self.candidates(
        "zsh", "packets", "--filter", ["-Y", "'device == \"A\" and att.opcod"], at: 9)
        == ["device == \"A\" and att.opcode"])
    #expect(
      try Self.candidates("bash", "packets", "--filter", ["-Y", "not\\ att.opcod"])
        == ["not att.opcode"])
  }

  @Test func `devices are escaped as the shell reads them`() throws {
    for (shell, address) in [
      ("bash", "E2:4F:2A:22:22:22"), ("zsh", "E2\\:4F\\:2A\\:22\\:22\\:22"),
      ("fish", "E2:4F:2A:22:22:22"),
    ] {
      #expect(
        try Self.candidates(shell, "timeline", "--device", [Self.capture, "--device", "E2"])
          == [address], "\(shell)")
    }
    for shell in ["bash", "zsh"] {
      #expect(
        try Self.candidates(shell, "timeline", "--device", [Self.capture, "--device", "\"Ac"])
          == ["Acme Watch 4F2A"], "\(shell)")
    }
  }

  @Test func `a word as the shell reads it`() {
    for (word, plain) in [
      ("a\\ b", "a b"), ("'a b", "a b"), ("\"a \\\"b\\\"", "a \"b\""), ("'a\\b'", "a\\b"),
      ("\"a\\b", "a\\b"), ("a'b c'd", "ab cd"), ("\\", "\\"), ("", ""),
    ] {
      #expect(ShellCompletion.unquoted(word) == plain)
    }
  }
}
