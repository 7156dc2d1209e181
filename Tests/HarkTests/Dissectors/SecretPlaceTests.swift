import Foundation
import HarkTestSupport
import Testing

/// Advertising, and vendor-specific commands and events, that a profile declares to be secret, or whose layout marks a
/// key: no output has their bytes.
@Suite struct SecretPlaceTests {
  /// Advertising reports with 11 and PIN654 as manufacturer data of 0xFFFF and as service data, also with an AD structure
  /// that is longer than the data, in two reports of one event, and in two parts; own advertising data; a vendor-specific
  /// event, command and its return parameters. Core Specification, Vol 4, Part E, 5.4, 7.7.14, 7.7.65.2, 7.7.65.13, 7.8.7,
  /// 7.8.54
  private static let packets = [
    "04 3e 17 02 01 00 01 0100000000d1 0b 0affffff 11 50494e363534 c4",
    "04 3e 25 02 01 00 01 0200000000d1 19 1821 427e1b6d0c2f539a1d4c7c3a00000e7c 11 50494e363534 c4",
    "04 3e 17 02 01 00 01 0300000000d1 0b 1effffff 11 50494e363534 c4",
    "04 3e 24 02 02 00 01 0400000000d1 0b 0affffff 11 50494e363534 c4"
      + "00 01 0500000000d1 03 020106 c4",
    "04 3e 20 0d 01 2000 01 0600000000d1 01 00 01 7f c4 0000 00 000000000000 06 0affffff 1150",
    "04 3e 1f 0d 01 0000 01 0600000000d1 01 00 01 7f c4 0000 00 000000000000 05 494e363534",
    "01 08 20 20 0b 0affffff 11 50494e363534 0000000000000000000000000000000000000000",
    "01 37 20 0a 01 01 01 06 0affffff 1150", "01 37 20 09 01 02 01 05 494e363534",
    "04 ff 08 42 11 50494e363534", "01 01 fd 07 11 50494e363534",
    "04 0e 0a 01 01 fd 11 50494e363534",
  ]

  /// A capture in the format of btsnoop: RFC 1761 with datalink 1002, HCI UART.
  private static func capture(_ packets: [String]) -> Data {
    func number(_ value: UInt64, _ count: Int) -> [UInt8] {
      (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }
    var bytes = Array("btsnoop\0".utf8) + number(1, 4) + number(1002, 4)
    for (index, text) in packets.enumerated() {
      let digits = Array(text.filter { $0 != " " })
      let packet = stride(from: 0, to: digits.count, by: 2).compactMap {
        UInt8(String(digits[$0...($0 + 1)]), radix: 16)
      }
      let flags: UInt64 = packet[0] == 1 ? 2 : 3
      bytes += number(UInt64(packet.count), 4) + number(UInt64(packet.count), 4) + number(flags, 4)
      bytes += number(0, 4) + number(0x00E2_F6F6_9A8B_9000 + UInt64(index) * 10_000, 8) + packet
    }
    return Data(bytes)
  }

  private static let service = "7c0e0000-3a7c-4c1d-9a53-2f0c6d1b7e42"
  private static let places = """
    -hark-attach:
      - manufacturer-data: 0xFFFF
      - service-data: \(service)
      - hci-vendor-event: 0x42
      - hci-vendor-command: 0xfd01
    """

  private static let secretProfile =
    "profile: {id: zeta, name: Zeta}\nchannels:\n"
    + [
      "advertising-company: 0xFFFF", "advertising-service-data: \(service)",
      "hci-vendor-event: 0x42", "hci-vendor-command: 0xfd01",
    ].map { "  - {\($0), secret: true, encoding: zeta_adv.ksy, messages: [{is: nothing}]}\n" }
    .joined()

  /// PIN, its digits and the rest of it, as bytes and as text.
  private static let needles = ["50494e", "50 49 4e", "4e363534", "4e 36 35 34", "pin6", "n654"]

  private static let outputs = [
    ["packets"], ["packets", "--format", "json"], ["timeline"], ["timeline", "--format", "json"],
    ["info"], ["findings"],
    [
      "packets", "-e", "hci.evt.data", "-e", "hci.cmd.data", "-e", "hci.evt.dataFragment", "-e",
      "hci.cmd.dataFragment", "-e", "hci.evt.parameters", "-e", "hci.evt.returns", "-e",
      "hci.cmd.parameters", "-e", "ad.data", "-e", "ad.serviceData", "-e", "zeta_adv.pin",
    ],
  ]

  @Test(arguments: [true, false])
  func concealed(_ isProfile: Bool) throws {
    let folder = try TestFolder()
    let pin =
      isProfile
      ? "{id: pin, type: str, size-eos: true, encoding: UTF-8}"
      : "{id: pin, size-eos: true, -hark-personal: key}"
    // The parameters of an event begin with the octet that distinguishes it.
    try
      "meta: {id: zeta_adv, title: Zeta, endian: le}\n\(Self.places)\nseq:\n  - {id: kind, type: u1}\n  - \(pin)\n"
      .write(toFile: folder.path("zeta_adv.ksy"), atomically: true, encoding: .utf8)
    if isProfile {
      try Self.secretProfile.write(
        toFile: folder.path("profile.yaml"), atomically: true, encoding: .utf8)
    }
    let capture = folder.path("capture.btsnoop")
    // Return parameters are no place of a layout.
    let packets = isProfile ? Self.packets : Self.packets.dropLast()
    try Self.capture(packets).write(to: URL(filePath: capture))
    let shown = (1...packets.count).flatMap {
      [["show", "\($0)"], ["show", "\($0)", "--format", "json"]]
    }
    for output in Self.outputs + shown {
      let arguments =
        [output[0], capture] + output.dropFirst() + ["--dissectors", folder.path("")]
      let (text, error, code) = try OtherProgram.run(HarkProgram.url.path, arguments)
      #expect(code == 0, "\(arguments): \(error)")
      for needle in Self.needles where text.lowercased().contains(needle) {
        Issue.record("\(output) shows \(needle): \(text)")
      }
    }
  }
}
