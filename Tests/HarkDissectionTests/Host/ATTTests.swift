import HarkCore
import Testing

@testable import HarkDissection

@Suite struct ATTTests {
  static var declarations: Context {
    var context = Context()
    context.requestedType = BluetoothUUID(0x2803 as UInt16)
    return context
  }

  static func about(_ type: UInt16) -> Context {
    var context = Context()
    context.attributeType = BluetoothUUID(type)
    return context
  }

  static var controlPoint: Context {
    var context = Context()
    context.attributeType = BluetoothUUID("69D1D8F3-45E1-49A8-9821-9BBDFDAAD9D9")
    return context
  }

  /// Of a PDU with the values of several attributes.
  static func several(_ types: UInt16?...) -> Context {
    var context = Context()
    for type in types { context.attributeTypes.append(type.map { BluetoothUUID($0) }) }
    return context
  }

  static let vectors = [
    Vector(
      "Vol 3, Part F, 3.4.7.1, of a Battery Level", .channel(4), "1b 10 00 50",
      context: about(0x2A19),
      [
        "ATT", "  Attribute Opcode: ATT_HANDLE_VALUE_NTF (0x1b)", "  Attribute Handle: 0x0010",
        "  Attribute: 0x2A19 (Battery Level) [inferred]", "  Attribute Value", "    GATT",
        "      Battery Level: 80 %",
      ]),
    Vector(
      "Vol 3, Part F, 3.4.4.4, of a characteristic nobody reads further", .channel(4),
      "0b 00 46", context: about(0x2A64),
      [
        "ATT", "  Attribute Opcode: ATT_READ_RSP (0x0b)",
        "  Attribute: 0x2A64 (Cycling Power Vector) [inferred]", "  Attribute Value: 0046",
      ]),
    Vector(
      "Vol 3, Part F, 3.4.4.6: what Read Blob gives is a part", .channel(4), "0d 50",
      context: about(0x2A19),
      [
        "ATT", "  Attribute Opcode: ATT_READ_BLOB_RSP (0x0d)",
        "  Attribute: 0x2A19 (Battery Level) [inferred]", "  Attribute Value: 50",
      ]),
    Vector(
      "ANCS Specification, Appendix: Error Codes", .channel(4), "01 12 2a 00 a2",
      context: controlPoint,
      [
        "ATT", "  Attribute Opcode: ATT_ERROR_RSP (0x01)",
        "  Request Opcode In Error: ATT_WRITE_REQ (0x12)", "  Attribute Handle: 0x002a",
        "  Attribute: 69D1D8F3-45E1-49A8-9821-9BBDFDAAD9D9 (ANCS Control Point) [inferred]",
        "  Error Code: Invalid parameter (0xa2)",
      ]),
    Vector(
      "Vol 3, Part F, 3.4.2.1", .channel(4), "02 17 00",
      [
        "ATT", "  Attribute Opcode: ATT_EXCHANGE_MTU_REQ (0x02)", "  Client Rx MTU: 23",
      ]),
    Vector(
      "Vol 3, Part F, 3.4.1.1", .channel(4), "01 10 01 00 0a",
      [
        "ATT", "  Attribute Opcode: ATT_ERROR_RSP (0x01)",
        "  Request Opcode In Error: ATT_READ_BY_GROUP_TYPE_REQ (0x10)",
        "  Attribute Handle: 0x0001", "  Error Code: Attribute Not Found (0x0a)",
      ]),
    Vector(
      "Vol 3, Part F, 3.4.4.2 with Part G, 3.3.1", .channel(4), "09 07 02 00 0a 03 00 00 2a",
      context: declarations,
      [
        "ATT", "  Attribute Opcode: ATT_READ_BY_TYPE_RSP (0x09)", "  Length: 7", "  Entry",
        "    Attribute Handle: 0x0002", "    Characteristic Properties: 0x0a: Read, Write",
        "    Characteristic Value Handle: 0x0003", "    UUID: 0x2A00 (Device Name)",
      ]),
    Vector(
      "Vol 3, Part F, 3.4.7.4: of a Battery Level, and of an attribute nobody knows", .channel(4),
      "23 03 00 01 00 52 04 00 02 00 01 00", context: several(0x2A19, nil),
      [
        "ATT", "  Attribute Opcode: ATT_MULTIPLE_HANDLE_VALUE_NTF (0x23)",
        "  Attribute Handle: 0x0003", "  Value Length: 1",
        "  Attribute: 0x2A19 (Battery Level) [inferred]", "  Attribute Value", "    GATT",
        "      Battery Level: 82 %", "  Attribute Handle: 0x0004", "  Value Length: 2",
        "  Attribute Value: 0100",
      ]),
    Vector(
      "Vol 3, Part F, 3.4.4.12: a Battery Level, and one that is cut by the sender", .channel(4),
      "21 01 00 53 02 00 01", context: several(0x2A19, 0x2A19),
      [
        "ATT", "  Attribute Opcode: ATT_READ_MULTIPLE_VARIABLE_RSP (0x21)", "  Value Length: 1",
        "  Attribute: 0x2A19 (Battery Level) [inferred]", "  Attribute Value", "    GATT",
        "      Battery Level: 83 %", "  Value Length: 2", "  Attribute Value: 01",
      ]),
    Vector(
      "Vol 3, Part F, 3.4.7.4: a value cut by the sender", .channel(4), "23 03 00 04 00 aa bb",
      [
        "ATT", "  Attribute Opcode: ATT_MULTIPLE_HANDLE_VALUE_NTF (0x23)",
        "  Attribute Handle: 0x0003", "  Value Length: 4", "  Attribute Value: aabb",
      ]),
    Vector(
      "whole frame", .record(.acl), "40 20 07 00 03 00 04 00 1b 03 00",
      [
        "HCI ACL", "  Connection_Handle: 0x0040",
        "  PB Flag: first, automatically flushable (2)", "  BC Flag: point-to-point (0)",
        "  Data Total Length: 7", "  L2CAP", "    PDU Length: 3",
        "    Channel ID: Attribute Protocol (0x0004)", "    ATT",
        "      Attribute Opcode: ATT_HANDLE_VALUE_NTF (0x1b)", "      Attribute Handle: 0x0003",
      ]),
  ]

  /// What the index takes for the value does not depend on who reads it.
  @Test func payloadOfADecodedValue() {
    let bytes: [UInt8] = [0x1B, 0x10, 0x00, 0x50]
    let facts = Catalog.shared.summarize(bytes.raw, .channel(4), Self.about(0x2A19))
    #expect(facts.payload == 3..<4)
    #expect(facts.code == 0x1B)
  }

  /// 16 bytes are too many for a node: of a UUID without a name nothing is inferred.
  @Test func typeWithoutAName() {
    var context = Context()
    context.attributeType = BluetoothUUID("12345678-1234-1234-1234-123456789ABC")
    let bytes: [UInt8] = [0x0A, 0x10, 0x00]
    var tree = Tree()
    Catalog.shared.describe(bytes.raw, .channel(4), context, into: &tree)
    #expect(!tree.nodes.contains { $0.kind == .inferred })
  }

  @Test func errorsByService() {
    #expect(AssignedNumbers.attError(0xA2, of: nil) == nil)
    #expect(AssignedNumbers.attError(0x05, of: nil) == "Insufficient Authentication")
    let command = BluetoothUUID("9B3C81D8-57B1-4A8A-B8DF-0E56F7CA51C2")
    #expect(AssignedNumbers.attError(0xA0, of: command) == "Invalid state")
    #expect(AssignedNumbers.attError(0xA2, of: command) == "Absent attribute")
    #expect(AssignedNumbers.attError(0x05, of: command) == "Insufficient Authentication")
  }

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }

  /// Vol 3, Part F, 3.4.5.4: a signature has 12 octets.
  @Test func signedWriteWithoutSignature() {
    let bytes: [UInt8] = [0xD2, 0x03, 0x00, 0xAA, 0xBB]
    var tree = Tree()
    Catalog.shared.describe(bytes.raw, .channel(4), Context(), into: &tree)
    #expect(
      tree.failures.map(\.description) == [
        "ATT: Authentication Signature needs 12 bytes, 2 available (limited by the record) at byte 3"
      ])
  }

  @Test func truncationNamesWhatLimitedIt() {
    let bytes: [UInt8] = [0x40, 0x20, 0x06, 0x00, 0x02, 0x00, 0x04, 0x00, 0x02, 0x17]
    var tree = Tree()
    Catalog.shared.describe(bytes.raw, .record(.acl), Context(), into: &tree)
    #expect(
      tree.failures.map(\.description) == [
        "ATT: Client Rx MTU needs 2 bytes, 1 available (limited by PDU Length) at byte 9"
      ])
  }

  /// An attribute type has 2 or 16 octets. Vol 3, Part F, 3.4.4.1.
  @Test func typesHaveOneOfTwoLengths() {
    let bytes: [UInt8] = [0x08, 0x2A, 0x00, 0x00, 0x00, 0, 0, 0, 0, 0, 0, 0]
    var tree = Tree()
    Catalog.shared.describe(bytes.raw, .channel(4), Context(), into: &tree)
    #expect(
      tree.failures.map(\.description) == [
        "ATT: Attribute Type needs 16 bytes, 7 available (limited by the record) at byte 5"
      ])
  }
}
