/// Commands and events of a manufacturer, or of a platform that asks for some of every manufacturer.
/// Manufacturers share the vendor-specific codes: the Company_Identifier that a Controller gives says
/// whose they are.
struct HCIVendor: Sendable {
  let commands: Rows
  let events: Rows

  /// - Parameters:
  ///   - commands: By opcode, 0xFC00 and above. 5.4.1
  ///   - events: By their first parameter, by which manufacturers distinguish them.
  init(_ commands: [Row], events: [Row] = []) {
    self.commands = Rows([commands], base: 0xFC00)
    self.events = Rows([events])
  }

  /// All of them, as one number per vendor: `HCIVendorFields` has a field for each.
  enum Kind: CaseIterable {
    case android, broadcom, intel, mediaTek, qualcomm, realtek, zephyr
  }

  static let android = HCIVendor(
    HCICommand.android + HCICommand.androidFilters, events: HCIEvent.android)
  static let broadcom = HCIVendor(HCICommand.broadcom, events: HCIEvent.broadcom)
  static let intel = HCIVendor(
    HCICommand.intel + [HCICommand.microsoft(0xFC1E)],
    events: HCIEvent.intel + [HCIEvent.microsoftOfIntel])
  static let mediaTek = HCIVendor([HCICommand.microsoft(0xFD30)])
  static let qualcomm = HCIVendor([HCICommand.microsoft(0xFD70)])
  static let realtek = HCIVendor(HCICommand.realtek + [HCICommand.microsoft(0xFCF0)])
  static let zephyr = HCIVendor(HCICommand.zephyr, events: HCIEvent.zephyr)

  /// Manufacturers with vendor-specific codes of their own. Assigned Numbers, 7.1.
  static func kind(of manufacturer: UInt16?) -> Kind? {
    switch manufacturer {
    case 0x0002: .intel
    // Broadcom; Infineon and Cypress, who make some of its Controllers.
    case 0x000F, 0x0009, 0x0131: .broadcom
    case 0x001D: .qualcomm
    case 0x0046: .mediaTek
    case 0x005D: .realtek
    // Nordic Semiconductor; the Linux Foundation.
    case 0x0059, 0x05F1: .zephyr
    default: nil
    }
  }

  static func of(_ kind: Kind) -> HCIVendor {
    switch kind {
    case .android: android
    case .broadcom: broadcom
    case .intel: intel
    case .mediaTek: mediaTek
    case .qualcomm: qualcomm
    case .realtek: realtek
    case .zephyr: zephyr
    }
  }

  static var commands: [Rows] { Kind.allCases.map { of($0).commands } }
  static var events: [Rows] { Kind.allCases.map { of($0).events } }

  /// The owner of the command: the manufacturer, otherwise Android. While the manufacturer is not known,
  /// no vendor's: all have commands under the same numbers.
  static func command(_ opcode: UInt16, _ manufacturer: UInt16?) -> (kind: Kind, line: Rows.Line)? {
    guard let manufacturer else { return nil }
    if let kind = kind(of: manufacturer), let line = of(kind).commands[opcode] {
      return (kind, line)
    }
    guard hasAndroids(opcode, manufacturer) else { return nil }
    return android.commands[opcode].map { (.android, $0) }
  }

  /// Whether the manufacturer leaves to Android the commands or, with nil, the events that Android asks of all.
  ///
  /// Texas Instruments has its own under these numbers: HCI_VS_BLE_Enable is 0xFD5B (CC256x,
  /// Vendor-Specific HCI Commands). MediaTek takes 32 parameters with 0xFD5F, some of which name a
  /// state (`BR_INQURY_SCAN`), and answers with the Status alone.
  private static func hasAndroids(_ opcode: UInt16?, _ manufacturer: UInt16) -> Bool {
    switch manufacturer {
    case 0x000D: false
    case 0x0046: opcode != 0xFD5F
    default: true
    }
  }

  /// The owner of the event that begins with `code`.
  static func event(_ code: UInt8, _ manufacturer: UInt16?) -> (kind: Kind, line: Rows.Line)? {
    guard let manufacturer else { return nil }
    if let kind = kind(of: manufacturer), let line = of(kind).events[UInt16(code)] {
      return (kind, line)
    }
    guard hasAndroids(nil, manufacturer) else { return nil }
    return android.events[UInt16(code)].map { (.android, $0) }
  }
}

/// A field for each vendor, whose codes have the vendor's names.
struct HCIVendorFields: Sendable {
  let android: Of
  let broadcom: Of
  let intel: Of
  let mediaTek: Of
  let qualcomm: Of
  let realtek: Of
  let zephyr: Of

  /// Its label is that of the field it stands for: one path for all vendors.
  struct Of: Sendable {
    let opcode: Field
    let subevent: Field

    init(_ vendor: HCIVendor, _ name: StaticString) {
      opcode = Field(name, .hex, names: vendor.commands.names(), title: true)
      subevent = Field("Subevent Code", .hex, names: vendor.events.names(), title: true)
    }
  }

  /// - Parameter name: What the opcode is called where it stands.
  init(_ name: StaticString) {
    android = Of(.android, name)
    broadcom = Of(.broadcom, name)
    intel = Of(.intel, name)
    mediaTek = Of(.mediaTek, name)
    qualcomm = Of(.qualcomm, name)
    realtek = Of(.realtek, name)
    zephyr = Of(.zephyr, name)
  }

  subscript(kind: HCIVendor.Kind) -> Of {
    switch kind {
    case .android: android
    case .broadcom: broadcom
    case .intel: intel
    case .mediaTek: mediaTek
    case .qualcomm: qualcomm
    case .realtek: realtek
    case .zephyr: zephyr
    }
  }
}
