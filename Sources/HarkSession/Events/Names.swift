import HarkCore
import HarkDissection

/// Names of codes, as in the specification and the Assigned Numbers.
package enum Names {
  /// The name of a field's value, or nil. The path is one that users can type.
  package static func of(_ value: some FixedWidthInteger, _ path: String) -> String? {
    for field in Catalog.shared.fields(at: path) {
      if let name = field.definition.name(of: UInt64(truncatingIfNeeded: value)) { return name }
    }
    return nil
  }

  /// A controller error code: `Connection Timeout (0x08)`.
  package static func status(_ code: UInt8) -> String {
    // Not by its path, because most captures need it: a look-up by path searches all fields of events.
    (HCIError.names[UInt64(code)]?.description ?? "Unknown") + " (\(hex(code)))"
  }

  /// `Name (0x08)`, or `Unknown (0x08)` if it has no name.
  package static func named(_ code: UInt8, _ path: String) -> String {
    (of(code, path) ?? "Unknown") + " (\(hex(code)))"
  }

  /// `Name (0x0008)`
  package static func named(_ code: UInt16, _ path: String) -> String {
    (of(code, path) ?? "Unknown") + " (\(hex(code)))"
  }

  /// `HCI_LE_Set_Random_Address`, or the opcode if it has no name.
  package static func command(_ opcode: UInt16) -> String {
    guard !HCIOpcode.isVendorSpecific(opcode) else {
      return "vendor-specific command \(hex(opcode))"
    }
    return of(opcode, "hci.cmd.opcode") ?? "HCI command \(hex(opcode))"
  }

  /// An Error Code of ATT about an attribute of the type `type`.
  package static func attError(_ code: UInt8, _ type: BluetoothUUID?) -> String {
    (AssignedNumbers.attError(code, of: type) ?? "Unknown") + " (\(hex(code)))"
  }

  package static func hex(_ value: UInt8) -> String {
    var text = TextBuffer()
    text.hex(UInt64(value), digits: 2)
    return text.string
  }

  /// Four digits, as handles, CIDs and PSMs are written.
  package static func hex(_ value: UInt16) -> String {
    var text = TextBuffer()
    text.hex(UInt64(value), digits: 4)
    return text.string
  }

  /// Six digits, as Model IDs and Broadcast_IDs are written.
  package static func hex24(_ value: UInt32) -> String {
    var text = TextBuffer()
    text.hex(UInt64(value & 0xFF_FFFF), digits: 6)
    return text.string
  }

  /// Eight digits, as access addresses are written.
  package static func hex(_ value: UInt32) -> String {
    var text = TextBuffer()
    text.hex(UInt64(value), digits: 8)
    return text.string
  }

  /// Sixteen digits, as Network IDs are written.
  package static func hex16(_ value: UInt64) -> String {
    var text = TextBuffer()
    text.hex(value, digits: 16)
    return text.string
  }

  /// A mask, in as many digits as it needs.
  package static func hex(_ value: UInt64) -> String {
    "0x" + String(value, radix: 16)
  }

  /// `Bluetooth 5.4`, or `Bluetooth version 99`.
  package static func version(_ code: UInt8) -> String {
    AssignedNumbers.coreVersion(code).map { "Bluetooth \($0)" } ?? "Bluetooth version \(code)"
  }

  /// `Audio/Video: Headphones; Rendering, Audio`
  package static func classOfDevice(_ value: UInt32) -> String {
    ClassOfDevice.description(UInt64(value))
  }

  package static func company(_ code: UInt16) -> String {
    // 0xFFFF does not belong to a company: it is for use before products ship. Assigned Numbers, 7.1.
    code == 0xFFFF
      ? "company 0xffff (internal use)"
      : AssignedNumbers.company(code) ?? "company \(hex(code))"
  }

  /// The Reason of an L2CAP Command Reject. Core Specification, Vol 3, Part A, 4.1
  package static func commandReject(_ reason: UInt16) -> String {
    let names: [UInt16: String] = [
      0: "command not understood", 1: "signaling MTU exceeded", 2: "invalid CID in request",
    ]
    return names[reason] ?? "command rejected, reason \(Names.hex(reason))"
  }

  /// `ATT_READ_REQ`.
  package static func request(_ opcode: ATTPDU.Opcode) -> String {
    of(opcode.rawValue, "att.opcode") ?? "request \(hex(opcode.rawValue))"
  }

  package static func phy(_ code: UInt8) -> String {
    // Not by its path, like that of `status`.
    HCICodes.phys[UInt64(code)]?.description ?? "PHY \(code)"
  }

  /// - Parameters:
  ///   - service: Its name in a service record of the capture.
  ///   - isSimplified: Whether it is the PSM of a credit-based channel. Vol 3, Part A, 4.22.
  package static func psm(_ psm: UInt16, _ service: String? = nil, isSimplified: Bool = false)
    -> String
  {
    let number =
      psm == Channel.unknownPSM
      ? "PSM not in the capture" : "\(isSimplified ? "SPSM" : "PSM") \(hex(psm))"
    return (service ?? of(psm, "l2cap.psm")).map { "\($0) (\(number))" } ?? number
  }

  /// `Battery Level`, `Nordic UART TX (6E400003-…)`, or only the UUID if it has no name.
  package static func uuid(_ uuid: BluetoothUUID) -> String {
    AssignedNumbers.name(of: uuid) ?? uuid.description
  }

  /// Like `uuid`, for the type of an attribute.
  package static func attributeType(_ uuid: BluetoothUUID) -> String {
    if let handle = uuid.handle { return "attribute \(hex(handle))" }
    return AssignedNumbers.name(ofAttributeType: uuid) ?? uuid.description
  }

  /// An attribute by its type, if that is known, and by its handle in any case.
  package static func attribute(_ uuid: BluetoothUUID?, _ handle: UInt16) -> String {
    uuid.flatMap { $0.handle == nil ? "\(attributeType($0)) (\(hex(handle)))" : nil }
      ?? "attribute \(hex(handle))"
  }

  /// The usage of a HID device, with its page in the upper 16 bits: `Keyboard`.
  package static func usage(_ usage: UInt32) -> String {
    of(usage, "hid.control") ?? hex(usage)
  }

  /// A passkey, or a number to compare, with its leading zeros.
  package static func sixDigits(_ value: UInt32) -> String {
    var text = TextBuffer()
    text.decimal(UInt64(value), width: 6)
    return text.string
  }

  /// Thousands separated by spaces, as in `12 345 678`; only digits below 10 000.
  /// - Parameter isBesideLarger: Whether a number from 10 000 on is in the same row: then all have spaces.
  package static func count(
    _ value: some BinaryInteger, isBesideLarger: Bool = false
  ) -> String {
    let digits = String(value)
    guard digits.utf8.count > (isBesideLarger ? 3 : 4) else { return digits }
    var result = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.utf8.count - index) % 3 == 0 { result.append(" ") }
      result.append(digit)
    }
    return result
  }

  /// `1 packet`, `12 345 packets`.
  package static func count(
    _ value: Int, _ one: String, _ many: String? = nil, isBesideLarger: Bool = false
  ) -> String {
    value == 1
      ? "1 \(one)" : "\(count(value, isBesideLarger: isBesideLarger)) \(many ?? one + "s")"
  }

  /// A length of time in the unit that fits: `7.5 ms`, `41.8 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`.
  package static func duration(_ nanoseconds: Int64) -> String {
    let sign = nanoseconds < 0 ? "-" : ""
    /// Rounded, also where that makes the next unit fit.
    func units(_ size: UInt64) -> UInt64 { (nanoseconds.magnitude + size / 2) / size }
    let (microseconds, tenthsOfSeconds, seconds) = (
      units(1_000), units(100_000_000), units(1_000_000_000)
    )
    if microseconds < 1_000 { return "\(sign)\(microseconds) µs" }
    if units(100_000) < 10_000 { return sign + tenths(units(100_000)) + " ms" }
    if tenthsOfSeconds < 1_200 { return sign + tenths(tenthsOfSeconds) + " s" }
    if seconds < 7_200 { return "\(sign)\(seconds / 60) min \(seconds % 60) s" }
    let minutes = units(60_000_000_000)
    if minutes < 2_880 { return "\(sign)\(minutes / 60) h \(minutes % 60) min" }
    let hours = units(3_600_000_000_000)
    return "\(sign)\(hours / 24) d \(hours % 24) h"
  }

  /// A number of tenths: `7.5`, `30`.
  package static func tenths(_ value: UInt64) -> String {
    value % 10 == 0 ? "\(value / 10)" : "\(value / 10).\(value % 10)"
  }

  /// Connection intervals come in units of 1.25 ms: `30 ms`, `11.25 ms`.
  package static func interval(_ units: UInt16) -> String {
    interval(nanoseconds: Link.nanoseconds(interval: units))
  }

  /// As above; HCI_LE_Connection_Rate_Change has units of 125 µs: `0.375 ms`.
  package static func interval(nanoseconds: Int64) -> String {
    let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
    guard rest > 0 else { return "\(whole) ms" }
    var digits = String(rest + 1_000_000).dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return "\(whole).\(digits) ms"
  }

  /// `#12`, or `#12–15`.
  package static func packets(_ first: PacketID, _ last: PacketID) -> String {
    first == last ? "#\(first.number)" : "#\(first.number)–\(last.number)"
  }

  /// The first of many names, and the number of the others: JSON contains all of them.
  package static func few(
    _ names: [String], most: Int = 4, separator: String = ", "
  ) -> String {
    guard names.count > most + 1 else { return names.joined(separator: separator) }
    return names.prefix(most).joined(separator: separator) + " and \(names.count - most) more"
  }

  /// A list in a sentence: `A, B or C`.
  package static func list(_ names: [String], _ last: String) -> String {
    guard names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " \(last) \(names[names.count - 1])"
  }

  /// The names of the set bits, in the field at `path`.
  package static func flags(_ value: UInt32, _ path: String) -> [String] {
    guard let field = Catalog.shared.fields(at: path).first else { return [] }
    let names = field.definition.flags
    return (0..<UInt64(32)).filter { value >> UInt32($0) & 1 == 1 }
      .map { names[$0]?.description ?? "bit \($0)" }
  }

  /// The interval of something periodic, in units of 1.25 ms: `every 7.5 ms`.
  package static func every(_ units: UInt16) -> String {
    guard units > 0 else { return "unknown interval" }
    let hundredths = Int(units) * 125
    let fraction = hundredths % 100
    let digits =
      fraction == 0 ? "" : "." + (fraction % 10 == 0 ? "\(fraction / 10)" : "\(fraction)")
    return "every \(hundredths / 100)\(digits) ms"
  }

  package static func milliseconds(microseconds: UInt32) -> String {
    microseconds % 1_000 == 0 ? "\(microseconds / 1_000) ms" : "\(microseconds) µs"
  }

  /// Sizes for people: `817 bytes`, `12.3 kB`, `1.4 GB`.
  package static func size(_ bytes: Int64) -> String {
    guard bytes >= 10_000 else { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
    var unitSize: UInt64 = 1_000
    for unit in ["kB", "MB", "GB"] {
      let tenthsOf = (UInt64(bytes) + unitSize / 20) / (unitSize / 10)
      if tenthsOf < 10_000 || unit == "GB" { return "\(tenths(tenthsOf)) \(unit)" }
      unitSize *= 1_000
    }
    return "\(bytes) bytes"
  }
}
