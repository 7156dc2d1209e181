import HarkPresentation
import HarkSamples
import Testing

/// Which command an answer belongs to. Core Specification, Vol 4, Part E, 4.4, 7.7.14, 7.7.15.
@Suite struct CommandAnswerTests {
  private static func opened(_ handle: String, _ peer: String) -> String {
    "043e1301 00 \(handle) 00 00 \(peer) 1800 0000 4800 00"
  }

  /// The controller takes two commands, and answers them in another order: the handle tells. 7.8.33
  @Test func byHandle() {
    let it = HCIPackets([
      Self.opened("4000", "010000000011"), Self.opened("4100", "020000000011"),
      "040e03020000", "012220064000 fb00 4808", "012220064100 fb00 4808",
      "040e06 01 2220 12 4100", "040e06 01 2220 00 4000",
    ])
    let failed = it.json("command-failed")
    #expect(failed.count == 1)
    #expect(failed.first?.contains(#""handle":65"#) == true)
    #expect(failed.first?.contains(#""frames":[5,6]"#) == true)
  }

  /// The same with addresses: HCI_IO_Capability_Request_Negative_Reply. 7.1.36
  @Test func byAddress() {
    let it = HCIPackets([
      "040e03020000", "01340407 010000000011 37", "01340407 020000000011 37",
      "040e0a 01 3404 02 020000000011", "040e0a 01 3404 00 010000000011",
    ])
    #expect(
      it.texts() == [
        "Secure Simple Pairing not refused: Unknown Connection Identifier (0x02)",
        "Secure Simple Pairing refused by this host: Secure Simple Pairing Not Supported By Host (0x37)",
      ])
    #expect(it.json("secure-simple-pairing").first?.contains("11:00:00:00:00:01") == true)
  }

  /// An answer about another link is not that to the command that waits.
  @Test func ofAnotherHandle() {
    let it = HCIPackets([
      Self.opened("4000", "010000000011"), "012120034000 3b", "040e06 01 2120 00 4100",
    ])
    #expect(it.texts(after: 1).allSatisfy { !$0.contains("refuses") })
  }

  /// The answer to a command that failed repeats the handle (4.5); some controllers send 0 or leave it out.
  @Test(arguments: ["0000", "4100", "ffff", ""]) func ofErrors(_ handle: String) {
    let length = handle.isEmpty ? "04" : "06"
    for others in [[], [Self.opened("0000", "020000000011")]] {
      let it = HCIPackets(
        [Self.opened("4000", "010000000011")] + others + [
          "012220064000 fb00 4808", "040e\(length) 01 2220 12 \(handle)",
        ])
      let failed = it.json("command-failed")
      let frames = "[\(others.count + 2),\(others.count + 3)]"
      #expect(failed.count == 1)
      #expect(failed.first?.contains(#""handle":64"#) == true)
      #expect(failed.first?.contains(#""frames":\#(frames)"#) == true)
      #expect(failed.first?.contains("11:00:00:00:00:01") == true)
    }
    // Of two commands it is the first: controllers begin with that.
    let two = HCIPackets([
      Self.opened("4000", "010000000011"), Self.opened("4100", "020000000011"),
      "040e03020000", "012220064000 fb00 4808", "012220064100 fb00 4808",
      "040e06 01 2220 12 0000", "040e06 01 2220 00 4100",
    ])
    #expect(two.json("command-failed").first?.contains(#""frames":[4,6]"#) == true)
  }

  /// A host that sends more than the controller takes: which command is answered no one knows.
  @Test func beyondCredits() {
    let (on, off, answer) = ("010a200101", "010a200100", "040e04010a2000")
    let one = "040e03010000"
    #expect(HCIPackets([one, on, off, answer, answer]).texts().isEmpty)
    #expect(
      HCIPackets([one, on, off, "040e04010a200c", answer]).texts()
        == ["HCI_LE_Set_Advertising_Enable failed: Command Disallowed (0x0c)"])
    // The same asked for twice is done, whichever is answered.
    #expect(HCIPackets([one, on, on, answer, answer]).texts() == ["advertising started"])
    // What comes later is reported again.
    #expect(
      HCIPackets([one, on, off, answer, answer, "@10 \(on)", answer]).texts()
        == ["advertising started"])
    // Commands of different opcodes are never mistaken for each other.
    #expect(
      HCIPackets([one, on, "010c20020100", "040e04010c2000", answer]).texts()
        == ["scanning started", "advertising started"])
  }

  /// Inquiry is started and stopped with commands of different opcodes, so their answers are never mistaken,
  /// also where the controller took no more. 7.1.1, 7.1.2
  @Test func inquiryBeyondCredits() {
    let (one, start, stop) = ("040e03010000", "01010405 338b9e 08 00", "01020400")
    #expect(
      HCIPackets([one, start, stop, "040f04 00 01 0104", "040e0401020400"]).texts()
        == ["inquiry started", "inquiry stopped: nothing received"])
    #expect(
      HCIPackets([one, start, stop, "040e0401020400", "040f04 00 01 0104"]).texts()
        == ["inquiry stopped", "inquiry started"])
    #expect(
      HCIPackets([one, start, start, "040f04 00 01 0104", "040f04 0c 01 0104"]).texts()
        == ["inquiry started", "inquiry not started: Command Disallowed (0x0c)"])
  }

  /// A Command Status without a command says only how many the controller takes. 7.7.15
  @Test func creditsAlone() {
    let (on, off, answer) = ("010a200101", "010a200100", "040e04010a2000")
    let (none, two) = ("040f04 00 00 0000", "040f04 00 02 0000")
    let both = ["advertising started", "advertising stopped"]
    #expect(HCIPackets([on, off, answer, answer]).texts() == both)
    #expect(HCIPackets([none, on, off, answer, answer]).texts().isEmpty)
    #expect(HCIPackets([none, two, on, off, answer, answer]).texts() == both)
    // One that is not whole says nothing of it.
    #expect(
      HCIPackets(["040f01 00", on, off, answer, answer]).texts().contains("advertising stopped"))
    // One command is answered by its answer, whenever it was sent.
    #expect(HCIPackets([none, on, answer]).texts() == ["advertising started"])
    // HCI_Host_Number_Of_Completed_Packets takes no credit, and is not answered. 7.3.40
    let completed = "01350c05 01 4000 0100"
    #expect(HCIPackets([two, completed, on, off, answer, answer]).texts() == both)
    let many = [String](repeating: "@0.5 \(completed)", count: 40)
    #expect(HCIPackets([on] + many + ["@0.6 \(answer)"]).texts() == ["advertising started"])
  }

  // MARK: What resets and failures say

  /// 7.3.2
  @Test func resetClosesLinks() {
    let it = HCIPackets([Self.opened("4000", "010000000011"), "01030c00", "040e0401030c00"])
    #expect(
      it.texts(after: 1)
        == ["controller reset", "LE link 0x0040 closed by HCI_Reset after 200 ms"])
    #expect(it.json("link-closed").first?.contains(#""by_reset":true"#) == true)
    let other = HCIPackets([Self.opened("4000", "010000000011"), "04050400400013"])
    #expect(other.json("link-closed").first?.contains(#""by_reset":false"#) == true)
  }

  /// HCI_Role_Change names its peer, whether or not the capture has the link. 7.7.18
  @Test func roleOfUnknownLink() {
    let it = HCIPackets(["04120821 665544332211 00"])
    #expect(it.json("role-failed").first?.contains("11:22:33:44:55:66") == true)
  }
}
