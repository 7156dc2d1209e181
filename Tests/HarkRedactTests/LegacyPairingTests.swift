import HarkCapture
import HarkCore
import HarkCrypto
import HarkDissection
import Testing

@testable import HarkRedact

/// Legacy pairing on the air: who has the capture finds the passkey by trying, and with it the key and all
/// that was said. Who has the redacted one does not. Core Specification, Vol 3, Part H, 2.3.5.
@Suite struct LegacyPairingTests {
  /// What both sides show. As on the air, least significant octet first.
  private struct Pairing {
    static let central: [UInt8] = [1, 2, 3, 4, 5, 0xC6]
    static let peripheral: [UInt8] = [0x11, 0x22, 0x33, 0x44, 0x55, 0xC7]
    static let request: [UInt8] = [1, 4, 0, 5, 16, 7, 7]
    static let response: [UInt8] = [2, 2, 0, 5, 16, 7, 7]

    var confirms: [[UInt8]] = []
    var randoms: [[UInt8]] = []
    var skds: [[UInt8]] = []
    var ivs: [[UInt8]] = []

    /// 2.2.3
    func confirm(_ side: Int, _ passkey: UInt32) -> [UInt8]? {
      SMPToolbox.c1(
        k: Self.key(passkey), r: randoms[side].reversed(), request: Self.request.reversed(),
        response: Self.response.reversed(), initiatorType: 1, responderType: 1,
        initiator: Self.central.reversed(), responder: Self.peripheral.reversed()
      )?.reversed()
    }

    /// 2.2.4; Vol 6, Part B, 5.1.3.1
    func cipher(_ passkey: UInt32) -> LinkLayerCipher? {
      let key = SMPToolbox.s1(
        k: Self.key(passkey), r1: randoms[1].reversed(), r2: randoms[0].reversed())
      guard var key else { return nil }
      return LinkLayerCipher(
        ltk: Secret(taking: &key),
        LinkLayerDiversifiers(
          centralSKD: skds[0].reversed(),
          peripheralSKD: skds[1].reversed(), centralIV: ivs[0].reversed(),
          peripheralIV: ivs[1].reversed()))
    }

    private static func key(_ passkey: UInt32) -> [UInt8] {
      (0..<16).map { $0 < 12 ? 0 : UInt8(truncatingIfNeeded: passkey >> (8 * (15 - $0))) }
    }
  }

  private static let access: [UInt8] = [0xE9, 0xC3, 0xA7, 0x50]
  private static let start: UInt32 = 0x5A_17C3

  /// A packet of an LE data channel with its CRC.
  private static func packet(_ llid: UInt8, _ payload: [UInt8]) -> [UInt8] {
    air(access, [llid, UInt8(payload.count)] + payload, start)
  }

  private static func air(_ access: [UInt8], _ pdu: [UInt8], _ start: UInt32) -> [UInt8] {
    let crc = LinkLayerCRC.compute(pdu.raw, 0..<pdu.count, initial: start)
    return access + pdu + (0..<3).map { UInt8(truncatingIfNeeded: crc >> ($0 * 8)) }
  }

  private static func smp(_ pdu: [UInt8]) -> [UInt8] {
    packet(2, [UInt8(pdu.count), 0, 6, 0] + pdu)
  }

  /// The packets, of which the last says `text` encrypted.
  private static func packets(_ passkey: UInt32, _ text: [UInt8]) throws -> [[UInt8]] {
    var dice = Dice(state: UInt64(passkey) + 1)
    var pairing = Pairing()
    pairing.randoms = [dice.bytes(16), dice.bytes(16)]
    pairing.skds = [dice.bytes(8), dice.bytes(8)]
    pairing.ivs = [dice.bytes(4), dice.bytes(4)]
    pairing.confirms = try (0...1).map { try #require(pairing.confirm($0, passkey)) }
    // CONNECT_IND. Vol 6, Part B, 2.3.3.1
    let request =
      [0xC5, 34] + Pairing.central + Pairing.peripheral + access + [0xC3, 0x17, 0x5A]
      + [2, 9, 0, 24, 0, 0, 0, 72, 0] + [0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 0x2B]
    var packets = [air([0xD6, 0xBE, 0x89, 0x8E], request, LinkLayerCRC.advertising)]
    packets += [smp(Pairing.request), smp(Pairing.response)]
    packets += pairing.confirms.map { smp([3] + $0) }
    packets += pairing.randoms.map { smp([4] + $0) }
    let zeros = [UInt8](repeating: 0, count: 10)
    packets.append(packet(3, [3] + zeros + pairing.skds[0] + pairing.ivs[0]))
    packets.append(packet(3, [4] + pairing.skds[1] + pairing.ivs[1]))
    packets.append(packet(3, [5]))
    let cipher = try #require(pairing.cipher(passkey))
    for (side, llid, counter, payload) in [
      (0, UInt8(3), UInt64(0), [UInt8(6)]), (1, 3, 0, [6]),
      (1, 2, 1, [UInt8(text.count + 3), 0, 4, 0, 0x1B, 9, 0] + text),
    ] {
      let sealed = cipher.seal(payload, header: llid, counter: counter, fromCentral: side == 0)
      packets.append(packet(llid, try #require(sealed)))
    }
    return packets
  }

  /// Of link type 251. https://www.tcpdump.org/linktypes.html
  private static func file(_ packets: [[UInt8]]) -> [UInt8] {
    func little(_ value: Int) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    let head =
      [0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0] + [UInt8](repeating: 0, count: 8)
      + [0xFF, 0xFF, 0, 0, 251, 0, 0, 0]
    return packets.enumerated().reduce(head) { file, packet in
      let count = little(packet.element.count)
      return file + little(1_700_000_000) + little(packet.offset * 1_000) + count + count
        + packet.element
    }
  }

  /// The packets of such a file, read without hark.
  private static func packets(of file: [UInt8]) -> [[UInt8]] {
    var (packets, place): ([[UInt8]], Int) = ([], 24)
    while place + 16 <= file.count {
      let count = file[(place + 8)..<(place + 12)].reversed().reduce(0) { $0 << 8 | Int($1) }
      packets.append(Array(file[(place + 16)..<(place + 16 + count)]))
      place += 16 + count
    }
    return packets
  }

  /// What an attacker has: all but the passkey; and by what he sees that he guessed right.
  private static func attack(_ file: [UInt8], _ passkeys: [UInt32]) throws -> [String] {
    let payloads = packets(of: file).map { Array($0[6..<($0.count - 3)]) }
    try #require(payloads.count == 13)
    var pairing = Pairing()
    pairing.confirms = payloads[3...4].map { Array($0[5...]) }
    pairing.randoms = payloads[5...6].map { Array($0[5...]) }
    pairing.skds = [Array(payloads[7][11..<19]), Array(payloads[8][1..<9])]
    pairing.ivs = [Array(payloads[7][19...]), Array(payloads[8][9...])]
    var found: [String] = []
    for passkey in passkeys {
      for side in 0...1 where pairing.confirm(side, passkey) == pairing.confirms[side] {
        found.append("Confirm \(side)")
      }
      let opened = pairing.cipher(passkey)?
        .open(payloads[10], header: 3, counter: 0, fromCentral: true)
      if opened == [6] { found.append("LL_START_ENC_RSP") }
    }
    return found
  }

  /// Who has the capture finds the passkey in three ways; the redacted one shows none, nor the text. What was
  /// sent before the link is encrypted still tells what happened.
  @Test(arguments: [UInt32(0), 777], RedactionLevel.allCases)
  func passkey(_ passkey: UInt32, _ level: RedactionLevel) throws {
    let text = Array("Hlubwekxoj".utf8)
    let file = Self.file(try Self.packets(passkey, text))
    let passkeys = Array(Set([passkey, 0] + stride(from: 0, to: 1_000_000, by: 49_999)))
    let ways = ["Confirm 0", "Confirm 1", "LL_START_ENC_RSP"]
    #expect(try Self.attack(file, passkeys) == ways)
    let redacted = try redact(CaptureBytes(file, name: "pairing"), level).bytes
    #expect(try Self.attack(redacted, passkeys) == [])
    // Nothing of what was made with the passkey is there, nor could other randoms make it.
    let (old, new) = (Self.packets(of: file), Self.packets(of: redacted))
    for index in 3..<13 where index != 9 {
      // Behind the code of the PDU, but for what is encrypted.
      let body = index < 7 ? 11 : index < 9 ? 7 : 6
      #expect(new[index][..<body] == old[index][..<body])
      #expect(new[index][body..<(new[index].count - 3)].allSatisfy { $0 == 0 })
    }
    #expect(new[9] == old[9])
  }
}
