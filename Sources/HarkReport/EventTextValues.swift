import HarkCore
import HarkDissection

// Values of characteristics that stand for names. Their bytes come least significant first.
extension EventText {
  /// What the whole value of `count` bytes says; nil where hark knows no form for it.
  static func meaning(_ bytes: [UInt8], count: Int, _ uuid: BluetoothUUID?) -> String? {
    guard bytes.count == count else { return nil }
    func number(at offset: Int) -> UInt16 { UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8 }
    switch (uuid?.short, count) {
    // Core Specification, Vol 3, Part C, 12.2.
    case (0x2A01, 2):
      let code = number(at: 0)
      let name = AssignedNumbers.appearance(code) ?? "unknown category"
      return "\(name) (\(Names.hex(code)))"
    // Device Information Service 1.2, 3.9: PnP ID.
    case (0x2A50, 7):
      let vendor = number(at: 1)
      let version = number(at: 5)
      // Binary-coded decimal: JJ.M.N.
      let release =
        "\(String(version >> 8, radix: 16)).\(version >> 4 & 15).\(version & 15)"
      return "\(source(bytes[0], vendor)), product \(Names.hex(number(at: 3))), version \(release)"
    default: return nil
    }
  }

  /// Vendor ID Source and Vendor ID.
  private static func source(_ source: UInt8, _ vendor: UInt16) -> String {
    switch source {
    case 1: "\(Names.company(vendor)) (\(Names.hex(vendor)))"
    case 2: "USB vendor \(Names.hex(vendor))"
    default: "vendor \(Names.hex(vendor)) of unknown source \(source)"
    }
  }
}
