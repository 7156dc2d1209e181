/// Commands of Realtek's Controllers. No public specification: what drivers of Linux send.
extension HCIParameters {
  struct Realtek: Sendable {
    let realtekIndex = Field("Index", .hex, inLine: true)
    let realtekData = Field("Data", .bytes)
    let realtekVersion = Field("ROM_Version", inLine: true)
  }
}

extension HCICommand {
  private static let p = HCIParameters.shared
  private static let r = HCIParameters.shared.realtek

  static let realtek: [Row] = [
    Row(
      0xFC20, "Realtek Download", [.u8(r.realtekIndex), .rest(r.realtekData)],
      returns: [.u8(p.status), .u8(r.realtekIndex)]),
    Row(
      0xFC6D, "Realtek Read ROM Version", [],
      returns: [.u8(p.status), .u8(r.realtekVersion)]),
  ]
}
