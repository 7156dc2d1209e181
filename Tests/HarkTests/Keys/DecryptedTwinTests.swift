import Foundation
import HarkTestSupport
import Testing

/// Over-the-air captures that crackle and whad decrypted: hark decrypts them to the same bytes.
@Suite struct DecryptedTwinTests {
  struct Twin: Sendable, CustomTestStringConvertible {
    let encrypted, plain: String
    var arguments: [String] = []
    /// Encrypted packets, and those that the other program left as they were.
    let count: Int
    var left: [Int] = []

    var testDescription: String { encrypted }
  }

  private static let corpus = Project.root.appending(path: "../shared/corpus").standardized
  private static let crackle = "mikeryan+crackle/tests/"
  private static let whad = "whad-team+whad-client/@ebda323332/ressources/pcaps/"

  /// Keys as the projects publish them: crackle in args.txt, whad in ltk.txt. Of 01 and of whad's pairing, the temporary
  /// key is 0.
  static let twins = [
    Twin(
      encrypted: crackle + "01_crack/pairing_and_ltk_exchange.pcap",
      plain: crackle + "01_crack/out/expected_output.pcap", count: 3),
    Twin(
      encrypted: crackle + "02_ltk_decrypt/known_ltk.pcap",
      plain: crackle + "02_ltk_decrypt/out/expected_output.pcap",
      arguments: ["--ltk", "7f62c053f104a5bbe68b1d896a2ed49c"], count: 7),
    Twin(
      encrypted: crackle + "05_numeric_pin/numeric_pin.pcap",
      plain: crackle + "05_numeric_pin/out/expected_output.pcap",
      arguments: ["--passkey", "461140"], count: 55, left: [197]),
    Twin(
      encrypted: whad + "comm.pcap", plain: whad + "comm_dec.pcap",
      arguments: ["--ltk", "0e0596ef16cf17cc48357ee19da96728"], count: 8),
    Twin(
      encrypted: whad + "pairing.pcap", plain: whad + "pairing_dec.pcap", count: 81, left: [1527]),
  ]

  /// What was on the air, without the CRC: whad and crackle write zeros for it.
  private static func packets(_ file: String) throws -> [Data] {
    let bytes = try Data(contentsOf: URL(filePath: file))
    func number(_ place: Int, _ size: Int) -> Int {
      bytes[place..<(place + size)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    try #require(bytes.count > 24 && [0xA1B2_C3D4, 0xA1B2_3C4D].contains(number(0, 4)))
    let isPPI = number(20, 4) == 192
    var packets: [Data] = []
    var place = 24
    while place + 16 <= bytes.count {
      let size = number(place + 8, 4)
      try #require(size > 13 && place + 16 + size <= bytes.count)
      // The length of PPI's header is in it; LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR has ten octets.
      let header = isPPI ? number(place + 18, 2) : 10
      packets.append(bytes[(place + 16 + header)..<(place + 16 + size - 3)])
      place += 16 + size
    }
    return packets
  }

  @Test(
    .enabled(
      if: FileManager.default.fileExists(atPath: corpus.appending(path: "MANIFEST.tsv").path),
      "no corpus of real captures here"),
    arguments: twins)
  func sameBytes(_ twin: Twin) throws {
    let folder = try TestFolder()
    let (source, plain) = (
      Self.corpus.appending(path: twin.encrypted).path, Self.corpus.appending(path: twin.plain).path
    )
    let run = try OtherProgram.run(
      HarkProgram.url.path,
      ["convert", "--decrypt", source, folder.path("o.pcap")] + twin.arguments)
    #expect(run.code == 0)
    let stated = "\(twin.count) of \(twin.count) encrypted packets are in the clear"
    #expect(run.stated.contains { $0.contains(stated) }, "\(run.stated)")
    let (before, ours, theirs) = try (
      Self.packets(source), Self.packets(folder.path("o.pcap")), Self.packets(plain)
    )
    try #require(ours.count == theirs.count && ours.count == before.count)
    let different = ours.indices.filter { ours[$0] != theirs[$0] }.map { $0 + 1 }
    #expect(different == twin.left)
    // What the other program could not decrypt is as it was sent.
    for number in twin.left { #expect(theirs[number - 1] == before[number - 1]) }
    let changed = ours.indices.filter { before[$0] != ours[$0] }
    #expect(
      changed == ours.indices.filter { before[$0] != theirs[$0] || different.contains($0 + 1) })
  }
}
