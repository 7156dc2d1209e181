import Foundation
import HarkCore

@testable import HarkDissection

/// Records that follow from the tables of HCI: each command, each event and each answer, with each of the
/// forms that its parameters can have.
enum TableRecords {
  static var all: [FieldRecord] {
    let catalog = FieldRecord.catalog
    guard let command = catalog.entry(at: .record(.command)),
      let event = catalog.entry(at: .record(.event))
    else { return [] }
    var records: [FieldRecord] = []
    func add(
      _ entry: Entry, _ header: [UInt8], _ code: [UInt8], _ parameters: [UInt8], _ company: UInt16?
    ) {
      let body = code + parameters
      let bytes = header + [UInt8(truncatingIfNeeded: body.count)] + body
      records.append(FieldRecord(entry: entry, bytes: bytes) { $0.manufacturer = company })
    }
    func addCommands(_ rows: Rows, _ codes: ClosedRange<UInt16>, _ company: UInt16?) {
      for code in codes {
        guard let line = rows[code] else { continue }
        let opcode = [UInt8(truncatingIfNeeded: code), UInt8(code >> 8)]
        for form in line.parameters.map({ forms($0, of: rows) }) ?? [[0]] {
          add(command, opcode, [], form, company)
        }
        for form in line.returns.map({ forms($0, of: rows) }) ?? [[0, 1]] {
          add(event, [0x0E], [1] + opcode, form, company)
        }
      }
    }
    func addEvents(_ rows: Rows, _ header: [UInt8], _ company: UInt16?) {
      for code in UInt16(0)...0xFF {
        guard let line = rows[code] else { continue }
        for form in line.parameters.map({ forms($0, of: rows) }) ?? [[]] {
          if header.isEmpty {
            add(event, [UInt8(code)], [], form, company)
          } else {
            add(event, header, [UInt8(code)], form, company)
          }
        }
      }
    }
    addCommands(HCICommand.rows, 0...0xFBFF, nil)
    addEvents(HCIEvent.rows, [], nil)
    addEvents(HCIEvent.subevents, [0x3E], nil)
    func addManagement(_ kind: PacketKind, _ code: UInt16, _ parameters: [UInt8]) {
      guard let entry = catalog.entry(at: .record(kind)) else { return }
      let bytes = [1, 0, 0, 0, UInt8(truncatingIfNeeded: code), UInt8(code >> 8)] + parameters
      records.append(FieldRecord(entry: entry, bytes: bytes) { _ in })
    }
    let (asked, reported) = (MonitorControlCommand.rows, MonitorControlEvent.rows)
    for code in UInt16(0)...0xFF {
      for form in asked[code]?.parameters.map({ forms($0, of: asked) }) ?? [] {
        addManagement(.controlCommand, code, form)
      }
      // Command Complete: the command and its Status in front.
      for form in asked[code]?.returns.map({ forms($0, of: asked) }) ?? [] {
        addManagement(.controlEvent, 1, [UInt8(code), 0, 0] + form)
      }
      for form in reported[code]?.parameters.map({ forms($0, of: reported) }) ?? [] {
        addManagement(.controlEvent, code, form)
      }
    }
    if let control = catalog.entry(at: .iap2(0)) {
      for message in IAP2Messages.names.keys.map({ UInt16($0) }) {
        let body = parameters(IAP2ParameterSet.of(message))
        let code = [UInt8(message >> 8), UInt8(truncatingIfNeeded: message)]
        let bytes = [0x40, 0x40] + big(body.count + 6) + code + body
        records.append(FieldRecord(entry: control, bytes: bytes) { _ in })
      }
    }
    for (kind, company) in companies {
      addCommands(HCIVendor.of(kind).commands, 0xFC00...0xFFFF, company)
      addEvents(HCIVendor.of(kind).events, [0xFF], company)
    }
    return records
  }

  /// Company Identifiers of the vendors. Assigned Numbers, 7.1. Android's codes are those of any other.
  static let companies: [(HCIVendor.Kind, UInt16)] = [
    (.android, 0x0001), (.broadcom, 0x000F), (.intel, 0x0002), (.mediaTek, 0x0046),
    (.qualcomm, 0x001D),
    (.realtek, 0x005D), (.zephyr, 0x0059),
  ]

  private static func big(_ number: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
  }

  /// The parameters of a message of iAP2, each once.
  private static func parameters(_ set: IAP2ParameterSet) -> [UInt8] {
    var forms = set.forms.map { (id: $0.key, form: $0.value) }.sorted { $0.id < $1.id }
    // One that has no form.
    forms.append((0x7FFF, set.otherwise))
    return forms.flatMap { id, form in
      let value: [UInt8] =
        switch form {
        case .text: [0x61, 0]
        case .number, .octets: [1]
        case .bytes, .words, .data, .secret: [0, 1]
        case .address: [1, 2, 3, 4, 5, 6]
        case .group(let inner): parameters(inner)
        }
      return big(value.count + 4) + big(Int(id)) + value
    }
  }

  /// Bytes that the steps read, in each of the forms that there are.
  private static func forms(_ block: Rows.Block, of rows: Rows) -> [[UInt8]] {
    var all: [[UInt8]] = [[]]
    for index in block.start..<block.end {
      let step = rows.steps[Int(index)]
      let parts = forms(step, of: rows)
      // The first form of what is beside it will do.
      all = parts.map { all[0] + $0 } + all.dropFirst().map { $0 + parts[0] }
    }
    return all
  }

  private static func forms(_ step: Rows.Step, of rows: Rows) -> [[UInt8]] {
    func octets(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 % 2) } }
    let flags: [UInt8] = [2, 1, 6]
    return switch step.kind {
    case .octets, .classOfDevice: [octets(Int(step.count))]
    case .address: [[1, 2, 3, 4, 5, 6]]
    case .handle, .twelveBits: [[0x40, 0]]
    case .nibbles: [[0x21]]
    case .rest: [octets(8)]
    case .counted: [[4] + octets(4)]
    case .group, .untilEnd: forms(step.inner, of: rows)
    case .each: forms(step.inner, of: rows).map { (step.count == 2 ? [1, 0] : [1]) + $0 }
    case .perBit: forms(step.inner, of: rows).map { [1] + $0 }
    case .advertisingData:
      step.counter == step.field
        ? [flags + octets(Int(step.count) - 3)]
        : [[3] + flags + octets(max(0, Int(step.count) - 3)), [0] + octets(Int(step.count))]
    case .longAdvertisingData: [[3, 0] + flags]
    case .reportedData, .followedData, .ownData: [[3] + flags]
    case .choice:
      (step.inner.start..<step.inner.end).flatMap { index in
        let option = rows.steps[Int(index)]
        return forms(option.inner, of: rows).map { [option.count] + $0 }
      } + [[0xEE] + octets(4)]
    // Each has a form of its own: `made`.
    case .special: [octets(24), []]
    case .option, .optional: [[]]
    }
  }
}

/// The bytes and lines of text that the tests of dissectors read, from whatever document they are.
struct TestLiterals {
  let bytes: [[UInt8]]
  let lines: [[UInt8]]

  init(in folder: URL) throws {
    var (found, texts): (Set<[UInt8]>, Set<[UInt8]>) = ([], [])
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    for name in names where name.hasSuffix(".swift") {
      let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
        .replacing(/"\s*\+\s*"/, with: "")
      let blocks = text.matches(of: /"""\n([^"]*)"""/).map {
        String($0.1).replacing("\\\n", with: " ")
      }
      let lines = text.replacing("\"\"\"", with: "")
        .matches(of: /"((?:[^"\\\n]|\\.)*)"/).map { String($0.1) }
      for literal in blocks + lines {
        if literal.contains("\\(") { continue }
        if let bytes = Hex.bytes(literal.filter { !$0.isWhitespace }) {
          if bytes.count > 1 { found.insert(bytes) }
        } else if literal.hasSuffix("\\r") || literal.hasSuffix("\\n") {
          let line = literal.replacing("\\r", with: "\r").replacing("\\n", with: "\n")
          texts.insert(Array(line.replacing("\\\"", with: "\"").utf8))
        }
      }
    }
    bytes = found.sorted { $0.lexicographicallyPrecedes($1) }
    lines = texts.sorted { $0.lexicographicallyPrecedes($1) }
  }
}

/// Records that neither a table nor a test gives: by hand, from the documents.
enum MadeRecords {
  static var all: [FieldRecord] {
    bytes.compactMap { place, type, hex in
      guard let entry = FieldRecord.catalog.entry(at: place), let bytes = Hex.bytes(hex) else {
        return nil
      }
      return FieldRecord(entry: entry, bytes: bytes) { context in
        if let type { context.attributeType = BluetoothUUID(type) }
      }
    }
      + lines.compactMap { line in
        FieldRecord.catalog.entry(at: .service(BluetoothUUID(UInt16(0x111E))))
          .map { FieldRecord(entry: $0, bytes: Array(line.utf8)) { _ in } }
      }
  }

  /// Where the bytes hang, the type of the attribute that they are the value of, and the bytes.
  private static let bytes: [(AttachmentPoint, UInt16?, String)] = [
    // CONNECT_IND. Vol 6, Part B, 2.3.3.1
    (
      .record(.leLinkLayer), nil,
      """
      d6be898e 4522 060504030201 0c0b0a090807 78563412 aabbcc 02 0f00 1800 0000 4800 ffffffff1f a5 000000
      """
    ),
    // Diagnostics of a Broadcom controller: it sent LMP_NOT_ACCEPTED. Vol 2, Part C, 4.1.1
    (.record(.h4), nil, "07 00 00000000 11223344 1b 09330f" + String(repeating: "00", count: 50)),
    // SDP_SERVICE_ATTR_RSP: the classes, protocols and browse groups of a service on ATT, and Device ID.
    // Vol 3, Part B, 4.6.2; Device Identification Profile 1.3, 5
    (
      .psm(0x0001), nil,
      """
      05 0001 004b 0048 3546 090001 3503 191200 090004 3513 3506 190100 09001f 3509 190007 090001 090005
      090005 3503 191002 090200 090103 090201 09004c 090202 091234 090203 090100 090205 090001 00
      """
    ),
    // Notifications of control points. ASCS 1.0, 5; MCS 1.0, 3.20 and 3.22; TBS 1.0, 3.14
    (.channel(0x0004), 0x2BC6, "1b 1000 01 01 01 07 02"),
    (.channel(0x0004), 0x2BA4, "1b 1000 01 01"),
    (.channel(0x0004), 0x2BA7, "1b 1000 01"), (.channel(0x0004), 0x2BBE, "1b 1000 00 01 01"),
    // Config Codec. ASCS 1.0, 5.1; Assigned Numbers, 6.12.5
    (.attribute(BluetoothUUID(UInt16(0x2BC6))), 0x2BC6, configuration),
    // A PAC record with metadata of an extended type. PACS 1.0, 3.1; Assigned Numbers, 6.12.6
    (.attribute(BluetoothUUID(UInt16(0x2BC9))), 0x2BC9, "01 06 00000000 00 05 04 fe 0100 aa"),
    // Responses of Cycling Power 1.1, 3.4, and of Fitness Machine 1.0, 4.16
    (.attribute(BluetoothUUID(UInt16(0x2A66))), 0x2A66, "20 0c 01 1027"),
    (.attribute(BluetoothUUID(UInt16(0x2A66))), 0x2A66, "20 0e 01 20"),
    (.attribute(BluetoothUUID(UInt16(0x2AD9))), 0x2AD9, "80 13 01 b004 8403"),
    // The CRC-32 of an object. OTS 1.0, 3.3.2
    (.attribute(BluetoothUUID(UInt16(0x2AC5))), 0x2AC5, "60 03 01 2639f4cb"),
    // Object List Filters of names and of sizes. OTS 1.0, 3.5
    (.attribute(BluetoothUUID(UInt16(0x2AC7))), 0x2AC7, "03 616263"),
    (.attribute(BluetoothUUID(UInt16(0x2AC7))), 0x2AC7, "08 10000000 00020000"),
    // The time of a device, a proposed one, and its rejection. Device Time Service 1.0, 3.2 to 3.7
    (.attribute(BluetoothUUID(UInt16(0x2B8F))), 0x2B8F, "0100"),
    (.attribute(BluetoothUUID(UInt16(0x2B90))), 0x2B90, "80510100 04 00 1200"),
    (.attribute(BluetoothUUID(UInt16(0x2B91))), 0x2B91, "02 5100 80510100 fc 04 01 08"),
    (.attribute(BluetoothUUID(UInt16(0x2B91))), 0x2B91, "09 02 05 4000"),
    // Metadata of a vendor. Public Broadcast Profile 1.0, 5.1
    (.serviceData(BluetoothUUID(UInt16(0x1856))), nil, "01 05 04 ff 5900 01"),
    // BNEP 1.0, 2.6.1; IEEE 802.1Q
    (.psm(0x000F), nil, "00 010203040506 0a0b0c0d0e0f 8100 0001 0800 45"),
    // UDP and TCP over IP. RFC 791, 768, 793
    (
      .psm(0x000F), nil,
      """
      00 010203040506 0a0b0c0d0e0f 0800 4500001c 00010000 40110000 0a000001 0a000002 0044 0043 0008 0000
      """
    ),
    (
      .psm(0x000F), nil,
      """
      00 010203040506 0a0b0c0d0e0f 0800 45000028 00010000 40060000 0a000001 0a000002
      0050 c000 00000001 00000002 5012 2000 0000 0001
      """
    ),
    // Modem Status Command with the octet of the break signal. TS 27.010, 5.4.6.3.7
    (.psm(0x0003), nil, "03 ef 0b e3 07 0b 8d 03 70"),
    // PullvCardListing: Order and SearchProperty. Phone Book Access Profile 1.2.3, 6.2.1
    (.service(BluetoothUUID(UInt16(0x112F))), nil, "83 0011 cb 00000001 4c 0009 01 01 01 03 01 01"),
    // SetNotificationRegistration, and an indicator. Message Access Profile 1.4.2, 6.3.1
    (.service(BluetoothUUID(UInt16(0x1132))), nil, "82 000c 4c 0009 0e 01 01 17 01 01"),
    // Head tracking: known by its size.
    (
      .service(BluetoothUUID(high: 0x74EC_2172_0BAD_4D01, low: 0x8F77_997B_2BE0_722A)), nil,
      "0400 0400 1700 00001000 3a00" + String(repeating: "01", count: 58)
    ),
    // Devices that a phone knows when PacketLogger begins.
    (
      .record(.note), nil,
      "01 4000 04 41626364 010203040506 00112233445566778899aabbccddeeff"
    ),
    (.record(.note), nil, "07 00 4000 060504030201 0000 04 41626364 00"),
  ]

  private static let configuration =
    "01 01 01 02 02 06 00000000 10 020108 020201 050301000000 03042800"

  /// Hands-Free Profile 1.9, 4.34; Accessory Design Guidelines for Apple Devices.
  private static let lines = [
    "AT+CHLD=1\r", "AT+CMEE=1\r", "AT+BTRH=1\r", "\r\n+CLCC: 1,1,4,0,0,\"5551234\",129\r\n",
    "AT+VGS=9\r", "AT+BIEV=2,50\r", "\r\n+APLSIRI:1\r\n", "AT+CMER=3,0,0,1\r",
    "\r\n+COPS: 0,0,\"Net\"\r\n",
  ]

  /// For each usage a report of one octet, and for each page one of eight that are on or off.
  /// HID Usage Tables 1.5, 4 to 16; Device Class Definition for HID 1.11, 6.2.2.
  static let reportDescriptors: [[UInt8]] = {
    let usages: [(page: UInt8, usages: [UInt16])] = [
      (0x01, Array(0x30...0x39) + [0x40]), (0x02, [0xC4, 0xC5, 0xC8]), (0x06, [0x20]),
      (0x0C, [0xE0, 0x238]),
      (0x0D, [0x30, 0x3D, 0x3E, 0x51, 0x54, 0x56]),
    ]
    var all: [[UInt8]] = []
    for (page, usages) in usages {
      for usage in usages {
        // 0 to 127; -127 to 127
        for least in [UInt8(0x00), 0x81] {
          let named = [0x05, page, 0x0A, UInt8(truncatingIfNeeded: usage), UInt8(usage >> 8)]
          all.append(named + [0x15, least, 0x25, 0x7F, 0x75, 0x08, 0x95, 0x01, 0x81, 0x02])
        }
      }
    }
    for page in [UInt8(0x01), 0x02, 0x08, 0x09, 0x0C, 0x0D] {
      let named = [0x05, page, 0x19, 0x01, 0x29, 0x08]
      all.append(named + [0x15, 0x00, 0x25, 0x01, 0x75, 0x01, 0x95, 0x08, 0x81, 0x02])
    }
    return all
  }()
}
