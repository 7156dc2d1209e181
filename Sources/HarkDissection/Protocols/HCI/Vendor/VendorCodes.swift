/// The vendor-specific commands and events that have names here, of a manufacturer or a platform.
public struct VendorCodes: Sendable {
  /// As people know it: `Android`.
  public let name: String
  /// By opcode, in order.
  public let commands: [(code: UInt64, name: String)]
  /// By the first parameter of a vendor-specific event, in order.
  public let events: [(code: UInt64, name: String)]

  private init(_ name: String, _ vendor: HCIVendor) {
    self.name = name
    commands = Self.sorted(vendor.commands.names())
    events = Self.sorted(vendor.events.names())
  }

  private static func sorted(_ names: [UInt64: StaticString]) -> [(code: UInt64, name: String)] {
    names.map { (code: $0.key, name: $0.value.description) }.sorted { $0.code < $1.code }
  }

  /// All of them.
  public static let all: [VendorCodes] = HCIVendor.Kind.allCases.map { kind in
    let name =
      switch kind {
      case .android: "Android"
      case .broadcom: "Broadcom"
      case .intel: "Intel"
      case .mediaTek: "MediaTek"
      case .qualcomm: "Qualcomm"
      case .realtek: "Realtek"
      case .zephyr: "Zephyr"
      }
    return VendorCodes(name, .of(kind))
  }
}
