import HarkCapture
import HarkCore
import HarkCrypto
import HarkLayout
import HarkProfile
import HarkTestSupport
import Testing

@testable import HarkSession

/// Messages of a profile in streams: their first byte is their length, and each belongs to one stream. RFCOMM 1.2, 5.2;
/// Core Specification, Vol 3, Part A, 4.22: two devices may have several channels of one SPSM.
@Suite struct VendorStreamTests {
  static func framings(_ place: String) throws -> VendorFramings {
    let text = """
      profile:
        id: acme
      channels:
        - \(place)
          assembly: {length: {header: 1, total: '_[0]'}}
          encoding: raw
          messages:
            - is: transport.message
              session-id: '"s"'
              data: _
      """
    return VendorFramings([try Profile.load("p.yaml", from: OneFile(text: text)).framing])
  }

  private struct OneFile: LayoutFiles {
    let text: String
    func text(at path: String) -> String? { text }
  }

  /// The messages with their bytes, and the reasons why others are incomplete.
  static func found(_ records: [MadeRecord], _ place: String) throws -> [String] {
    let session = MadeRecord.session(records, framings: try framings(place))
    return session.events.compactMap { event in
      guard case .accessory(let accessory) = event.content else { return nil }
      switch accessory.content {
      case .message(let message): return Hex.text(message.sealed)
      case .incomplete(let gap): return "\(gap)"
      case .unreadable(let message): return "\(message.problem)"
      default: return nil
      }
    }
  }

  static let closed = "\(Gap.startWithoutEnd(.streamClosed))"

  private func frame(_ received: Bool, _ address: UInt8, _ control: UInt8, _ payload: [UInt8] = [])
    -> MadeRecord
  {
    .pdu(
      received ? 0x40 : 0x41, Hex.text(RFCOMMBytes.frame(address, control, payload)),
      received: received)
  }

  private var multiplexer: [MadeRecord] {
    [
      .pdu(0x0001, "02 01 04 00 03 00 40 00", received: false),
      .pdu(0x0001, "03 01 08 00 41 00 40 00 00 00 00 00", received: true),
      frame(false, 0x03, 0x3F), frame(true, 0x03, 0x73),
    ]
  }

  private var dataLink: [MadeRecord] { [frame(false, 0x23, 0x3F), frame(true, 0x23, 0x73)] }

  /// DISC and UA in the middle of a message; the data link that is opened again begins with another one.
  @Test func dataLinkOpenedAgain() throws {
    let records =
      multiplexer + dataLink + [frame(false, 0x23, 0xEF, [9, 1, 2])]
      + [frame(false, 0x23, 0x53), frame(true, 0x23, 0x73)]
      + dataLink + [frame(false, 0x23, 0xEF, [3, 7, 8])]
    #expect(try Self.found(records, "rfcomm-channel: 4") == [Self.closed, "030708"])
  }

  /// The same with the L2CAP channel of the multiplexer.
  @Test func multiplexerOpenedAgain() throws {
    let records =
      multiplexer + dataLink + [frame(false, 0x23, 0xEF, [9, 1, 2])] + [
        .pdu(0x0001, "06 03 04 00 41 00 40 00", received: false),
        .pdu(0x0001, "07 03 04 00 41 00 40 00", received: true),
      ] + multiplexer + dataLink + [frame(false, 0x23, 0xEF, [3, 7, 8])]
    #expect(try Self.found(records, "rfcomm-channel: 4") == [Self.closed, "030708"])
  }

  /// LE credit based channels of the SPSM 0x0080.
  private func channel(_ identifier: String, _ cid: String) -> [MadeRecord] {
    [
      .pdu(0x0005, "14 \(identifier) 0a 00 80 00 \(cid) 00 40 00 17 00 09 00", received: false),
      .pdu(0x0005, "15 \(identifier) 0a 00 \(cid) 00 40 00 17 00 09 00 00 00", received: true),
    ]
  }

  private func sdu(_ cid: UInt16, _ bytes: [UInt8]) -> MadeRecord {
    .pdu(cid, Hex.text([UInt8(bytes.count), 0] + bytes), received: false)
  }

  @Test func channelOpenedAgain() throws {
    let records =
      channel("01", "40") + [sdu(0x40, [9, 1, 2])] + [
        .pdu(0x0005, "06 02 04 00 40 00 40 00", received: false),
        .pdu(0x0005, "07 02 04 00 40 00 40 00", received: true),
      ] + channel("03", "40") + [sdu(0x40, [3, 7, 8])]
    #expect(try Self.found(records, "l2cap-psm: 0x80") == [Self.closed, "030708"])
  }

  @Test func twoChannelsOfOneService() throws {
    let records =
      channel("01", "40") + channel("02", "41") + [
        sdu(0x40, [4, 1]), sdu(0x41, [4, 5]), sdu(0x40, [2, 3]), sdu(0x41, [6, 7]),
      ]
    #expect(try Self.found(records, "l2cap-psm: 0x80") == ["04010203", "04050607"])
  }

  /// The end of the link ends all its streams, and is the reason.
  @Test func linkCloses() throws {
    let records =
      channel("01", "40") + [sdu(0x40, [9, 1, 2]), .event("05 04 00 40 00 13")]
    #expect(
      try Self.found(records, "l2cap-psm: 0x80") == ["\(Gap.startWithoutEnd(.linkClosed))"])
  }
}
