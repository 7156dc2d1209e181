/// The parameters that commands and events share, under the specification's names.
/// Core Specification, Vol 4, Part E, 7.
struct HCIParameters: Sendable {
  static let shared = HCIParameters()

  let status = Field("Status", .hex, names: HCIError.names, inLine: true)
  let handle = Field("Connection_Handle", .hex, inLine: true)
  let reason = Field("Reason", .hex, names: HCIError.names, inLine: true)
  let address = Field("BD_ADDR", .address, inLine: true)
}
