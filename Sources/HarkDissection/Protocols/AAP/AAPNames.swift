/// The names of AAP's codes, for code that describes messages.
public enum AAPNames {
  /// `Listening Mode`; nil if the control command is not known.
  public static func setting(_ identifier: UInt8) -> String? {
    AAPControl.identifiers[UInt64(identifier)]?.description
  }

  /// What a control command's value means: `noise cancellation`, `50 %`, `0x07`.
  public static func value(_ value: UInt8, of identifier: UInt8) -> String {
    let definition = AAPControl.shared.value(identifier).definition
    if let name = definition.name(of: UInt64(value)) { return name }
    if !definition.flags.isEmpty {
      let names = (0..<UInt64(8)).filter { value >> $0 & 1 == 1 }.map {
        definition.flags[$0]?.description ?? "bit \($0)"
      }
      return names.isEmpty ? "none" : names.joined(separator: " + ")
    }
    let unit = definition.unit.description
    if !unit.isEmpty { return "\(value) \(unit)" }
    let digits = String(value, radix: 16)
    return "0x" + (digits.count < 2 ? "0" : "") + digits
  }
}
