import HarkCore
import Testing

@testable import HarkDissection

/// Headers that the index pass reads by place, and what channels carry by their first octets. Bytes by hand
/// from the sections named.
@Suite struct BeginningTests {
  /// Core Specification, Vol 4, Part E, 5.4.2; Vol 3, Part A, 3.1
  @Test func aclHeader() {
    let bytes = hex("40 20 09 00 05 00 04 00 52 03 00 01 02")
    let data = ACLBeginning(bytes.raw)
    #expect(data.handle == 0x0040 && data.boundary == .firstFlushable)
    #expect(data.frame.cid == 0x0004 && data.frame.size == 9)
    #expect(data.frame.information == 8..<13 && data.frame.code(bytes.raw) == 0x52)
    #expect(ACLBeginning(hex("40 10 02 00 aa bb").raw).boundary == .continuing)
    #expect(ACLBeginning.handle(bytes.raw) == 0x0040)
  }

  @Test(arguments: ["", "40", "40 20", "40 20 09 00", "40 20 09 00 05", "40 20 09 00 05 00 04"])
  func cutHeader(text: String) {
    let bytes = hex(text)
    let frame = ACLBeginning(bytes.raw).frame
    #expect(frame.cid == nil && frame.rest.isEmpty && frame.code(bytes.raw) == 0)
    #expect(frame.rest.upperBound <= bytes.count && frame.information.isEmpty)
  }

  /// Vol 3, Part A, 3.1: what is behind the PDU Length is none of the PDU's.
  @Test func frameWithMoreThanItsLength() {
    let bytes = hex("01 00 06 00 06 aa bb")
    let frame = L2CAPBeginning(bytes.raw)
    #expect(frame.size == 5 && frame.information == 4..<5 && frame.rest == 4..<7)
    #expect(SMPMessage.Code(rawValue: frame.code(bytes.raw))?.holdsKey == true)
  }

  /// Vol 3, Part F, 3.3.1, 3.4.7.1, 3.4.2.1
  @Test func attHeader() {
    let notification = ATTBeginning(hex("1b 2a 00 01 02").raw)
    #expect(notification.opcode == .handleValueNotification && notification.handle == 0x002A)
    #expect(ATTBeginning(hex("03").raw).opcode == .exchangeMTUResponse)
    #expect(ATTBeginning(hex("").raw).opcode == nil && ATTBeginning(hex("ff 01").raw).opcode == nil)
  }

  /// Vol 3, Part A, 3.4.3
  @Test func kFrame() {
    #expect(KFrameBeginning(hex("03 00 01 02 03").raw).size == 5)
    #expect(KFrameBeginning(hex("03").raw).size == nil)
  }

  /// Vol 3, Part F, 3.4.8; Part A, 4, table 4.2
  @Test func codesOfAnswers() {
    #expect(ATTOpcode.isOfServer(0x1B) && !ATTOpcode.isOfServer(0x1E))
    for code in 0x01...0x1A {
      guard let known = SignalingCommand.Code(rawValue: UInt8(code)) else { continue }
      let isAnswer = (1...0x1A).contains { request in
        SignalingCommand.Code(rawValue: UInt8(request)).map { known.answers($0) } ?? false
      }
      // Credits are given unasked.
      if known == .flowControlCredit { continue }
      #expect(SignalingCommand.Code.isResponse(UInt8(code)) == isAnswer)
    }
  }

  /// HID Profile 1.1.1, 3.1
  @Test(arguments: [
    ("00", HIDPMessage.handshake(result: 0)), ("03", .handshake(result: 3)),
    ("15", .control(operation: 5)), ("41 01", .request(.getReport)),
    ("52 01 00", .request(.setReport)), ("70", .setProtocol(isBoot: true)),
    ("71", .setProtocol(isBoot: false)), ("a1 01 00", .data(.input)),
    ("b1 00", .dataContinued(.input)), ("20", .other), ("", .other),
  ])
  func hidp(text: String, message: HIDPMessage) {
    #expect(HIDPMessage(hex(text).raw) == message)
  }

  /// IrOBEX 1.5, 3.4.1; PBAP 1.2.3, 6.4; MAP 1.4.2, 6.4
  @Test func obexConnect() {
    let connect =
      "80 00 23 10 00 20 00 46 00 13 79 61 35 f0 f0 c5 11 d8 09 66 08 00 20 0c 9a 66 4c 00 09 "
      + "10 04 00 00 00 03"
    let bytes = hex(connect)
    #expect(
      OBEXMessage.service(ofConnect: bytes.raw, cut: 0) == BluetoothUUID(0x112F as UInt16))
    #expect(OBEXMessage.service(ofConnect: bytes.raw, cut: 1) == nil)
    let cut = Array(bytes.prefix(28))
    #expect(
      OBEXMessage.service(ofConnect: cut.raw, cut: 7) == BluetoothUUID(0x112F as UInt16))
    #expect(
      OBEXMessage.service(ofConnect: hex("80 00 07 10 00 20 00").raw, cut: 0)
        == BluetoothUUID(0x1105 as UInt16))
    // A packet of less than 255 octets, and one of another version, no one asks for.
    for text in ["80 00 07 10 00 00 fe", "80 00 07 20 00 20 00", "82 00 07 10 00 20 00", "80 00"] {
      #expect(OBEXMessage.service(ofConnect: hex(text).raw, cut: 0) == nil)
    }
  }

  /// The beginning of a message with keys, as far as it is there. Observed.
  @Test(arguments: [
    ("04 00 04 00 31 00 02", true), ("04 00 04 00 31 00", true), ("04 00 04 00 31", true),
    ("04 00", true), ("04", true), ("04 00 04 00 30 00", false), ("05", false), ("", false),
  ])
  func accessoryKeys(text: String, mayHoldKeys: Bool) {
    let isBeginning = AAPMessage.mayBeginWithKeys(hex(text).raw)
    #expect(isBeginning == mayHoldKeys)
  }

  /// HID Service 1.0, 4.1; Core Specification, Vol 3, Part G, 3.3.3.3
  @Test func descriptors() {
    let reference = HIDReportReference(hex("02 01").raw)
    #expect(reference?.id == 2 && reference?.type == 1)
    #expect(HIDReportReference(hex("02").raw) == nil)
    #expect(ClientConfiguration(hex("02 00").raw) == .indication)
    #expect(ClientConfiguration(hex("01").raw).isOn && !ClientConfiguration(hex("00 01").raw).isOn)
  }

  /// Core Specification Supplement, Part A, 1.1, 1.2, 1.4, 1.11; Vol 3, Part C, 11
  @Test func advertisingStructures() {
    let bytes = hex("03 03 0f 18 04 08 68 61 72 05 ff 4c 00 10 05 04 16 0d 18 05 06 09 68 61 72")
    var structures = ADStructures(bytes.raw)
    var all: [ADStructures.Structure] = []
    while let structure = structures.next(bytes.raw) { all.append(structure) }
    #expect(all.map(\.isWhole) == [true, true, true, true, false])
    guard case .services([BluetoothUUID(0x180F as UInt16)])? = all[0].content(bytes.raw),
      case .name(6..<9, isComplete: false)? = all[1].content(bytes.raw),
      case .manufacturerData(company: 0x004C, 13..<15)? = all[2].content(bytes.raw),
      case .serviceData(BluetoothUUID(0x180D as UInt16), 19..<20)? = all[3].content(bytes.raw)
    else {
      Issue.record("another content")
      return
    }
    let name = LocalName(bytes.raw, 0..<bytes.count)
    #expect(name?.isComplete == true && name?.isWhole == false && name?.text == 22..<25)
    #expect(LocalName(bytes.raw, 0..<9)?.text == 6..<9)
    // A length of zero ends the data early, and data may be said to end behind the bytes.
    #expect(LocalName(hex("00 02 09 68").raw, 0..<4) == nil)
    #expect(LocalName(hex("04 09 68 61").raw, 0..<60)?.text == 2..<4)
  }
}
