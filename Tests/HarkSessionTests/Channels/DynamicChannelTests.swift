import HarkCore
import HarkDissection
import Testing

@testable import HarkSession

/// What a channel carries whose PSM the device handed out: told by a service record or by the form of its
/// messages, and by nothing else. Core Specification, Vol 3, Part A, 4.2.
@Suite struct DynamicChannelTests {
  /// A channel whose request this host sends, from CID 0x41 to CID 0x60.
  private static func opening(_ psm: String = "01 10", byPeer: Bool = false) -> [MadeRecord] {
    [
      MadeRecord.pdu(0x0001, "02 01 04 00 \(psm) \(byPeer ? "60" : "41") 00", received: byPeer),
      MadeRecord.pdu(
        0x0001,
        byPeer ? "03 01 08 00 41 00 60 00 00 00 00 00" : "03 01 08 00 60 00 41 00 00 00 00 00",
        received: !byPeer),
    ]
  }

  /// A service record, as the answer to a search: of the peer, or where the peer asks of this host.
  private static func record(_ attributes: String, ofPeer: Bool = true) -> [MadeRecord] {
    func sized(_ bytes: [UInt8]) -> [UInt8] { [0x35, UInt8(bytes.count)] + bytes }
    let lists = sized(sized(Hex.bytes(attributes) ?? []))
    let response =
      [0x07, 0, 1, 0, UInt8(lists.count + 3), 0, UInt8(lists.count)] + lists + [0x00]
    return [
      MadeRecord.pdu(0x0001, "02 02 04 00 01 00 \(ofPeer ? "50" : "51") 00", received: !ofPeer),
      MadeRecord.pdu(
        0x0001,
        ofPeer ? "03 02 08 00 51 00 50 00 00 00 00 00" : "03 02 08 00 50 00 51 00 00 00 00 00",
        received: ofPeer),
      MadeRecord.pdu(ofPeer ? 0x50 : 0x51, Hex.text(response), received: ofPeer),
    ]
  }

  /// The class of the service, and its PSM in the Protocol Descriptor List. Vol 3, Part B, 5.1.2, 5.1.5
  private static let aap =
    "09 0001 35 11 1c 74ec2172 0bad 4d01 8f77 997b2be0722a 09 0004 35 08 35 06 19 0100 09 1001"
  /// OBEX Object Push, and its GoepL2capPsm. GOEP 2.1.1, 8.
  private static let push = "09 0001 35 03 19 1105 09 0200 09 1001"
  private static let ears = "04 00 04 00 06 00 00 01"
  private static let mode = "04 00 04 00 09 00 0d 02 00 00 00"

  /// Connect, a Put of a vCard in two packets, and what is answered. IrOBEX 1.5, 3.4.1, 3.4.3
  private static let pushed =
    [
      ("80 0007 10 00 1000", false), ("a0 0007 10 00 1000", true),
      ("02 000c 01 0009 0061 0062 0000", false), ("90 0003", true),
      ("82 0009 49 0006 42 45 47", false), ("a0 0003", true),
    ].map { MadeRecord.pdu($0.1 ? 0x41 : 0x60, $0.0, received: $0.1) }

  private struct Reported {
    var aap: [UInt32] = []
    var recognized: [String] = []
    var puts = 0
    var path: String?
    var name: String?
  }

  private func read(_ records: [MadeRecord], psm: UInt16 = 0x1001) throws -> Reported {
    var reported = Reported()
    let session = MadeRecord.session(records) { session, _ in
      for event in session.events {
        switch event.content {
        case .accessoryProtocol: reported.aap.append(event.frames.first.number)
        case .channel(.recognized(let it)): reported.recognized.append(it.protocolName)
        case .obex(let operation): if operation.operation & 0x7F == 0x02 { reported.puts += 1 }
        default: break
        }
      }
      session.dropEvents()
    }
    let channels = session.channels
    let channel = try #require(channels.first { $0.psm == psm })
    reported.path = channel.entry?.path.description
    reported.name = session.name(of: channel.stream)
    return reported
  }

  /// A vCard that a phone pushes to another over GOEP 2.0.
  @Test(arguments: [true, false]) func objectPush(hasRecord: Bool) throws {
    let before = hasRecord ? Self.record(Self.push) : []
    let reported = try read(before + Self.opening() + Self.pushed)
    #expect(reported.aap == [])
    #expect(reported.path == "obex")
    #expect(reported.recognized == (hasRecord ? [] : ["OBEX"]))
    #expect(reported.puts == 1)
  }

  @Test func objectPushFromThePeer() throws {
    let frames =
      [
        ("80 0007 10 00 1000", true), ("a0 0007 10 00 1000", false),
        ("82 0009 49 0006 42 45 47", true), ("a0 0003", false),
      ].map { MadeRecord.pdu($0.1 ? 0x41 : 0x60, $0.0, received: $0.1) }
    for before in [[], Self.record(Self.push, ofPeer: false)] {
      let reported = try read(before + Self.opening(byPeer: true) + frames)
      #expect(reported.aap == [])
      #expect(reported.path == "obex")
      #expect(reported.puts == 1)
    }
  }

  /// Bytes that are no message of anything known, among them what AAP would take for a disconnection.
  @Test(arguments: [
    "02 00 04 00 00 00", "01 02 03 04 05 06", "04 00 04 00 06 00 00 09", "80 0008 10 00 1000",
  ])
  func theUnknownStaysUnknown(_ bytes: String) throws {
    let frames = [true, false, true, false].map {
      MadeRecord.pdu($0 ? 0x41 : 0x60, bytes, received: $0)
    }
    let reported = try read(Self.opening() + frames)
    #expect(reported.aap == [])
    #expect(reported.recognized == [])
    #expect(reported.path == nil)
    #expect(reported.name == nil)
  }

  @Test func accessoryProtocolByItsRecord() throws {
    let frame = [MadeRecord.pdu(0x41, Self.ears, received: true)]
    let before = try read(Self.record(Self.aap) + Self.opening() + frame)
    #expect(before.aap == [6])
    #expect(before.path == "aap")
    #expect(before.name == "Apple Accessory Protocol")
    #expect(before.recognized == [])
    // The record may also come when the channel is open.
    let after = try read(Self.opening() + Self.record(Self.aap) + frame)
    #expect(after.aap == [6])
    #expect(after.path == "aap")
    // That of this host says nothing of a channel to the peer.
    let other = try read(Self.record(Self.aap, ofPeer: false) + Self.opening() + frame)
    #expect(other.aap == [])
    // Of the accessory's side, where the capture was made there.
    let there = try read(
      Self.record(Self.aap, ofPeer: false) + Self.opening(byPeer: true)
        + [MadeRecord.pdu(0x60, Self.ears, received: false)])
    #expect(there.aap == [6])
  }

  /// The connect request alone has a shape that nothing else has; of other messages it takes three.
  @Test func accessoryProtocolByItsShape() throws {
    let connect = MadeRecord.pdu(
      0x60, "00 00 04 00 01 00 02 00 00 00 00 00 00 00 00 00", received: false)
    let ears = MadeRecord.pdu(0x41, Self.ears, received: true)
    let first = try read(Self.opening() + [connect, ears])
    #expect(first.aap == [3, 4])
    #expect(first.recognized == ["AAP"])
    let messages = [Self.ears, Self.mode].map { MadeRecord.pdu(0x41, $0, received: true) }
    let set = MadeRecord.pdu(0x60, "04 00 04 00 09 00 0d 03 00 00 00", received: false)
    #expect(try read(Self.opening() + messages).aap == [])
    #expect(try read(Self.opening() + messages + [set]).aap == [3, 4, 5])
    // Also on another PSM than the one that Apple's buds have.
    let other = try read(Self.opening("03 10") + [connect], psm: 0x1003)
    #expect(other.path == "aap")
    #expect(other.aap == [3])
  }

  /// Numbers that the SIG assigned say what they are, whatever passes there.
  @Test func assignedNumbersCount() throws {
    let frames = [Self.ears, Self.mode, Self.ears].map { MadeRecord.pdu(0x41, $0, received: true) }
    let reported = try read(Self.opening("0f 00") + frames, psm: 0x000F)
    #expect(reported.aap == [])
    #expect(reported.path == "bnep")
  }

  /// No dissector that comes with hark hangs at a number that devices hand out.
  @Test func dissectorsHangAtAssignedNumbers() {
    var places = 0
    for entry in Catalog.shared.entries {
      for place in entry.places {
        #expect(place.assignment == .universal, "\(entry.name): \(place)")
        places += 1
      }
    }
    #expect(places > 200)
    #expect(AttachmentPoint.psm(0x1001).assignment == .dynamic)
    #expect(AttachmentPoint.psm(0x0080).assignment == .dynamic)
    #expect(AttachmentPoint.psm(0x00FF).assignment == .dynamic)
    #expect(AttachmentPoint.psm(0x001F).assignment == .universal)
    #expect(AttachmentPoint.channel(0x0040).assignment == .dynamic)
    #expect(AttachmentPoint.serverChannel(1).assignment == .dynamic)
    #expect(AttachmentPoint.vendorCommand(0xFC01).assignment == .manufacturer)
  }
}
