/// Why a capture was not redacted.
public enum RedactionError: Error, CustomStringConvertible {
  /// A packed file in a packed file.
  case packed(String)
  /// A file that is damaged so that its packets cannot be found once the damaged places are zeros.
  case damaged(String)
  /// More memory than hark may take.
  case tooLarge(String)
  /// What the proof found, a line each.
  case unproven([String])
  /// A file of which only Bluetooth packets are written, and that has none.
  case withoutPackets(String)

  /// Whether damage of the capture may be the reason, if there is any.
  var isOfDamage: Bool {
    switch self {
    case .damaged, .unproven: true
    case .packed, .tooLarge, .withoutPackets: false
    }
  }

  public var description: String {
    switch self {
    case .packed(let name): "\(name): compressed twice; decompress it once, with gunzip"
    case .damaged(let name):
      "\(name): damaged so that it cannot be redacted as it is; write its packets to a new file and redact that: "
        + "hark convert \(name) OUT.pcapng"
    case .tooLarge(let reason): reason
    case .unproven(let lines): lines.joined(separator: "\n")
    case .withoutPackets(let name):
      "\(name): no Bluetooth packets, the only part of such a file that hark redacts"
    }
  }
}
