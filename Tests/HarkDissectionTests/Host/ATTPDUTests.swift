import HarkCore
import Testing

@testable import HarkDissection

/// Core Specification, Vol 3, Part F; sections in the comments are of it.
@Suite struct ATTPDUTests {
  private static let handleValue: [UInt8] = [0x1B, 0x2A, 0x00, 0x57]

  /// 3.3: the suffix of the name says the type of the PDU, and a response has the name of its request.
  @Test func kinds() throws {
    let suffixes: [ATTPDU.Opcode.Kind: String] = [
      .command: "CMD", .request: "REQ", .response: "RSP", .notification: "NTF",
      .indication: "IND", .confirmation: "CFM",
    ]
    #expect(ATT.opcodes.count == 31)
    for (number, name) in ATT.opcodes {
      let opcode = try #require(ATTPDU.Opcode(rawValue: UInt8(number)))
      let suffix = try #require(suffixes[opcode.kind])
      #expect(name.description.hasSuffix(suffix))
      if opcode.kind == .request {
        let response = try #require(opcode.response)
        let stem = name.description.dropLast(3)
        #expect(ATT.opcodes[UInt64(response.rawValue)]?.description == stem + "RSP")
      } else {
        #expect(opcode.response == nil)
      }
    }
    #expect(ATTPDU.Opcode(rawValue: 0x14) == nil)
  }

  /// 3.4.1.1: nothing was found by a Read By Type Request from handle 0x0010 on.
  @Test func refusal() {
    let bytes: [UInt8] = [0x01, 0x08, 0x10, 0x00, 0x0A]
    let pdu = ATTPDU(bytes.raw, isCut: false)
    #expect(pdu.opcode == .errorResponse && pdu.isWhole && pdu.handle == 0x0010)
    #expect(pdu.failure?.error == ATTPDU.attributeNotFound)
    #expect(pdu.answers(.readByTypeRequest) && !pdu.answers(.readRequest))
    #expect(ATTPDU(Array(bytes[..<1]).raw, isCut: false).failure == nil)
    let cut = ATTPDU(Array(bytes[..<2]).raw, isCut: true)
    #expect(cut.failure?.request == .readByTypeRequest && !cut.isWhole)
  }

  /// 3.4.2: ATT_MTU of 247.
  @Test func mtu() {
    let pdu = ATTPDU(([0x03, 0xF7, 0x00] as [UInt8]).raw, isCut: false)
    #expect(pdu.mtu == 247 && pdu.answers(.exchangeMTURequest) && pdu.isWhole)
  }

  /// Part G, 4.4.2: the Heart Rate service.
  @Test func search() {
    let bytes: [UInt8] = [0x06, 0x01, 0x00, 0xFF, 0xFF, 0x00, 0x28, 0x0D, 0x18]
    let pdu = ATTPDU(bytes.raw, isCut: false)
    #expect(pdu.opcode?.isSearch == true && pdu.startingHandle == 1 && pdu.handle == 0)
    #expect(pdu.type == BluetoothUUID(0x2800 as UInt16))
    #expect(pdu.service == BluetoothUUID(0x180D as UInt16))
  }

  /// 3.4.6.1, 3.4.6.3
  @Test func preparedWrites() {
    let prepare = ATTPDU(([0x16, 0x2A, 0x00, 0x12, 0x00, 0xAA, 0xBB] as [UInt8]).raw, isCut: false)
    #expect(prepare.handle == 0x2A && prepare.offset == 0x12 && prepare.value == 5..<7)
    #expect(ATTPDU(([0x18, 0x01] as [UInt8]).raw, isCut: false).execution == .write)
    #expect(ATTPDU(([0x18, 0x00] as [UInt8]).raw, isCut: false).execution == .cancel)
  }

  /// What the index pass learned of a record says the same as the PDU itself.
  @Test func ofARecord() {
    let record: [UInt8] = [0x40, 0x20, 0x08, 0x00, 0x04, 0x00, 0x04, 0x00] + Self.handleValue
    let facts = Catalog.shared.summarize(record.raw, .record(.acl), Context())
    let pdu = ATTPDU(facts, in: record.raw, at: facts.information, isCut: false)
    #expect(pdu.opcode == .handleValueNotification && pdu.handle == 0x2A && pdu.isWhole)
    #expect(pdu.value == 11..<12)
    let alone = ATTPDU(Self.handleValue.raw, isCut: false)
    #expect(alone.opcode == .handleValueNotification && alone.handle == 0x2A)
    #expect(alone.value == 3..<4)
    let search: [UInt8] =
      [0x40, 0x20, 0x0B, 0x00, 0x07, 0x00, 0x04, 0x00]
      + [0x10, 0x01, 0x00, 0xFF, 0xFF, 0x00, 0x28]
    let learned = Catalog.shared.summarize(search.raw, .record(.acl), Context())
    let again = ATTPDU(learned, in: search.raw, at: learned.information, isCut: false)
    #expect(again.opcode == .readByGroupTypeRequest && again.startingHandle == 1)
    #expect(again.type == BluetoothUUID(0x2800 as UInt16) && again.isWhole)
  }

  /// Part G, 4.6.1: two characteristics; the recorder cut the second.
  @Test func characteristics() {
    let bytes: [UInt8] = [
      0x09, 0x07, 0x02, 0x00, 0x12, 0x03, 0x00, 0x00, 0x2A, 0x04, 0x00, 0x02, 0x05, 0x00, 0x01,
      0x2A,
    ]
    let type = BluetoothUUID(0x2803 as UInt16)
    let entries = ATTPDU(bytes.raw, isCut: false)
      .entries(bytes.raw, requestedType: type, isCut: false)
    #expect(entries.map(\.handle) == [2, 4] && entries.map(\.valueHandle) == [3, 5])
    #expect(entries.map(\.properties) == [0x12, 0x02])
    #expect(entries.last?.uuid == BluetoothUUID(0x2A01 as UInt16))
    let cut = Array(bytes.dropLast())
    let kept = ATTPDU(cut.raw, isCut: true).entries(cut.raw, requestedType: type, isCut: true)
    #expect(kept.map(\.handle) == [2])
  }

  /// 3.4.3.2, 3.4.3.4, 3.4.4.10
  @Test func otherEntries() {
    let information: [UInt8] = [0x05, 0x01, 0x04, 0x00, 0x02, 0x29]
    let descriptors = ATTPDU(information.raw, isCut: false)
      .entries(information.raw, requestedType: nil, isCut: false)
    #expect(descriptors.map(\.uuid) == [BluetoothUUID(0x2902 as UInt16)])
    let found: [UInt8] = [0x07, 0x10, 0x00, 0x1F, 0x00]
    let services = ATTPDU(found.raw, isCut: false)
      .entries(found.raw, requestedType: nil, isCut: false)
    #expect(services.map(\.handle) == [0x10] && services.map(\.end) == [0x1F])
    let groups: [UInt8] = [0x11, 0x06, 0x01, 0x00, 0x07, 0x00, 0x00, 0x18]
    let group = ATTPDU(groups.raw, isCut: false)
      .entries(groups.raw, requestedType: BluetoothUUID(0x2800 as UInt16), isCut: false)
    #expect(group.map(\.end) == [7] && group.first?.uuid == BluetoothUUID(0x1800 as UInt16))
  }

  /// 3.4.4.11, 3.4.7.4: the second value is longer than what is left of the PDU.
  @Test func severalAttributes() {
    let request: [UInt8] = [0x20, 0x03, 0x00, 0x05, 0x00]
    #expect(ATTPDU(request.raw, isCut: false).handles(request.raw) == [3, 5])
    let bytes: [UInt8] = [0x23, 0x03, 0x00, 0x01, 0x00, 0xAA, 0x05, 0x00, 0x04, 0x00, 0xBB]
    let values = ATTPDU(bytes.raw, isCut: false).values(bytes.raw, isCut: false)
    #expect(values.map(\.handle) == [3, 5] && values.map(\.range) == [5..<6, 10..<11])
    #expect(values.map(\.isWhole) == [true, false] && values.last?.length == 4)
  }
}
