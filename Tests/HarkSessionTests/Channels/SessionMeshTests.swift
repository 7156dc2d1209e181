import HarkCore
import HarkDissection
import HarkSession
import Testing

/// Bluetooth Mesh, with sample data of Mesh Protocol 1.1, 8.4, and PDUs of 5.3 and 5.4.
@Suite struct SessionMeshTests {
  private static let device = "70CF7C97-32A3-45B6-9149-4810D2E9CBF4"
  private static let link = "23 af 58 50"

  /// HCI_LE_Advertising_Report of ADV_NONCONN_IND. Core Specification, Vol 4, Part E, 7.7.65.2
  private static func report(_ data: String) -> MadeRecord {
    let bytes = Hex.bytes(data) ?? []
    let report = [0x03, 0x00, 1, 2, 3, 4, 5, 6, UInt8(bytes.count)] + bytes + [0xC0]
    return .event(Hex.text([0x3E, UInt8(report.count + 2), 0x02, 1] + report))
  }

  /// A packet of PB-ADV: AD type 0x29.
  private static func bearer(_ hex: String) -> MadeRecord {
    let bytes = Hex.bytes("\(link) \(hex)") ?? []
    return report(Hex.text([UInt8(bytes.count + 1), 0x29] + bytes))
  }

  private static func reported(_ records: [MadeRecord]) -> [String] {
    let session = MadeRecord.session(records)
    return session.events.compactMap { event in
      guard case .mesh = event.content else { return nil }
      let mark = event.severity == .info ? "" : "\(event.severity): "
      return mark + EventText.sentence(event, session)
    }
  }

  private static let open = bearer("00 03 70 cf 7c 97 32 a3 45 b6 91 49 48 10 d2 e9 cb f4")

  @Test func provisioning() {
    let beacon = Self.report(
      "18 2b 00 70 cf 7c 97 32 a3 45 b6 91 49 48 10 d2 e9 cb f4 40 20 d9 74 78 b3")
    let invite = Self.bearer("00 00 00 02 14 00 00")
    let capabilities = Self.bearer("80 00 00 0c d6 01 01 0001 00 00 00 0000 00 0000")
    let found = Self.reported([
      beacon, beacon, Self.open, Self.open, Self.bearer("00 07"), invite, invite,
      // Transaction Acknowledgment
      Self.bearer("00 01"), capabilities, capabilities,
      // Provisioning Start: Static OOB
      Self.bearer("01 00 00 06 b4 02 00 00 01 00 00"),
      // Provisioning Failed: Confirmation Failed
      Self.bearer("81 00 00 02 94 09 04"), Self.bearer("00 0b 02"), Self.bearer("00 0b 02"),
    ])
    let end = "; device \(Self.device)"
    #expect(
      found == [
        "Mesh: device \(Self.device) can be provisioned",
        "Mesh: provisioning link to device \(Self.device) opened",
        "Mesh: Provisioning Invite from the provisioner\(end)",
        "Mesh: Provisioning Capabilities from the device\(end)",
        "Mesh: Provisioning Start from the provisioner, Static OOB\(end)",
        "error: Mesh: Provisioning Failed from the device: Confirmation Failed (0x04)\(end)",
        "warning: Mesh: provisioning link to device \(Self.device) closed: Fail",
      ])
  }

  /// Provisioning Public Key in three segments, the octets 0 to 63 as coordinates. 5.3.1, 5.4.1.4
  private static let segments = [
    bearer("02 08 00 41 c0 03000102030405060708090a0b0c0d0e0f101112"),
    bearer("02 06 131415161718191a1b1c1d1e1f20212223242526272829"),
    bearer("02 0a 2a2b2c2d2e2f303132333435363738393a3b3c3d3e3f"),
  ]
  private static let acknowledged = bearer("02 01")
  private static let close = bearer("00 0b 00")

  /// The key is reported when all segments have arrived, in any order, or when its receiver acknowledges it.
  @Test(
    arguments: [
      ([0, 1, 2], "", ["whole 3"]), ([1, 0, 2], "", ["whole 3"]),
      ([2, 1, 2, 0, 0, 1], "", ["whole 3"]),
      ([0, 1], "", ["incomplete 2 of 3"]), ([1, 2], "", ["incomplete 2 of ?"]),
      ([0, 1], "acknowledged", ["incomplete 2 of 3", "whole 2"]),
      ([0, 1], "next", ["incomplete 2 of 3", "whole 2", "next"]),
      ([1], "acknowledged", ["incomplete 1 of ?"]),
      ([0, 1, 2, 0], "acknowledged", ["whole 3"]), ([0, 1, 2], "next", ["whole 3", "next"]),
    ] as [([Int], String, [String])])
  func segmented(_ order: [Int], _ then: String, _ reported: [String]) {
    var records = [Self.open, Self.bearer("00 07")] + order.map { Self.segments[$0] }
    if then == "acknowledged" { records.append(Self.acknowledged) }
    // Provisioning Complete, as another transaction of the provisioner
    if then == "next" { records.append(Self.bearer("03 00 00 01 3e 08")) }
    let session = MadeRecord.session(records + [Self.close])
    let found = session.events.compactMap { event -> String? in
      switch event.content {
      case .mesh(.step(let step)): step.type == 3 ? "whole \(event.frames.count)" : "next"
      case .mesh(.incomplete(let it)):
        "incomplete \(it.received) of \(it.segments.map { "\($0)" } ?? "?")"
      default: nil
      }
    }
    #expect(found == reported)
  }

  /// The receiver ignores a PDU with a wrong FCS, and its sender repeats it. 5.3.1.1
  @Test func wrongFCS() {
    let wrong = Self.bearer("02 08 00 41 c1 03000102030405060708090a0b0c0d0e0f101112")
    let found = Self.reported(
      [Self.open, wrong] + Self.segments.dropFirst() + Self.segments + [Self.close])
    #expect(
      found.dropFirst().dropLast() == [
        "Mesh: Provisioning Public Key from the provisioner has a wrong FCS; device \(Self.device)",
        "Mesh: Provisioning Public Key from the provisioner; device \(Self.device)",
      ])
  }

  /// Its fields are those of the whole PDU.
  @Test func completed() {
    var lines: [String] = []
    _ = MadeRecord.session([Self.open] + Self.segments) { session, _ in
      session.keepsFields = true
      for pdu in session.completed.all where "\(pdu.name)" == "Mesh provisioning PDU" {
        let bytes = Array(session.completed.bytes(of: pdu))
        var tree = Tree()
        session.describe(pdu, bytes.raw, Context(), into: &tree)
        lines = Catalog.shared.lines(tree, of: bytes.raw)
      }
    }
    #expect(
      lines == [
        "Mesh Provisioning PDU", "  Provisioning PDU Type: Provisioning Public Key (0x03)",
        "  Public Key X: 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        "  Public Key Y: 202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f",
      ])
  }

  /// The capture begins after the link was opened.
  @Test func middle() {
    let found = Self.reported([Self.bearer("88 00 00 01 3e 08"), Self.bearer("00 0b 00")])
    #expect(
      found == [
        "Mesh: provisioning link 0x23af5850 opened",
        "Mesh: Provisioning Complete from the device; link 0x23af5850",
        "Mesh: provisioning link 0x23af5850 closed: Success",
      ])
  }

  @Test func networks() {
    let beacon = Self.report(
      "17 2b 01 00 3e ca ff 67 2f 67 33 70 12 34 56 78 8e a2 61 58 2f 36 4f 6f")
    let message = Self.report(
      "1d 2a 68 ec a4 87 51 67 65 b5 e5 bf da cb af 6c b7 fb 6b ff 87 1f 03 54 44 ce 83 a6 70 df")
    #expect(
      Self.reported([beacon, message, beacon, message]) == [
        "Mesh: Secure Network beacon of network 0x3ecaff672f673370",
        "Mesh: encrypted network PDUs with NID 0x68",
      ])
  }

  /// The zeros of a Network ID belong to it. 3.10.3
  @Test func zeros() {
    #expect(
      Self.reported([
        Self.report(
          "17 2b 01 00 00 01 02 03 04 05 06 07 12 34 56 78 8e a2 61 58 2f 36 4f 6f")
      ]) == ["Mesh: Secure Network beacon of network 0x0001020304050607"])
  }

  /// Mesh Provisioning Data In at handle 3, Mesh Provisioning Data Out at 6.
  @Test func bearerOverGATT() {
    let found = Self.reported([
      .pdu(4, "08 0100 ffff 0328", received: false),
      .pdu(4, "09 07 0200 04 0300 db2a 0500 10 0600 dc2a", received: true),
      .pdu(4, "52 0300 03 00 05", received: false),
      .pdu(4, "1b 0600 03 01 01 0001 00 00 00 0000 00 0000", received: true),
      .pdu(4, "52 0300 03 02 00 00 00 00 00", received: false),
      // A public key in three segments, and one of which the last is missing.
      .pdu(4, "52 0300 43 03000102030405060708090a0b0c0d0e0f101112", received: false),
      .pdu(4, "52 0300 83 131415161718191a1b1c1d1e1f20212223242526272829", received: false),
      .pdu(4, "52 0300 c3 2a2b2c2d2e2f303132333435363738393a3b3c3d3e3f", received: false),
      .pdu(4, "1b 0600 43 03000102030405060708090a0b0c0d0e0f101112", received: true),
    ])
    #expect(
      found == [
        "Mesh: Provisioning Invite from the provisioner",
        "Mesh: Provisioning Capabilities from the device",
        "Mesh: Provisioning Start from the provisioner, No OOB",
        "Mesh: Provisioning Public Key from the provisioner",
      ])
  }
}
