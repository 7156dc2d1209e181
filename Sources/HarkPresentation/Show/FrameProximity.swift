import HarkCore
import HarkCrypto
import HarkDissection
import HarkSession

// The batteries that an accessory advertises to those who have its key.
extension FrameView {
  /// Adds what the encrypted end of a proximity pairing advertisement says, where a key opens it.
  mutating func appendProximity(
    _ bytes: [UInt8], _ context: Context, _ session: borrowing Session
  ) {
    // Several reports in one event are rare.
    guard row.kind == .event,
      case .leMeta(.advertising(.report)) = HCIEventMessage(bytes.raw, context),
      LEAdvertisingReports.count(bytes.raw) == 1
    else { return }
    var reports = LEAdvertisingReports(bytes.raw)
    guard let report = reports.next(bytes.raw),
      let plaintext = session.openProximity(bytes.raw, from: report.address)
    else { return }
    append(Section(plaintext))
  }
}

extension FrameView.Section {
  fileprivate init(_ plaintext: ProximityPlaintext) {
    title =
      "Decrypted with proximity pairing key \(plaintext.key) "
      + "(\(Names.count(plaintext.bytes.count, "byte")))"
    bytes = plaintext.bytes
    let rest = Tree.undecodedField.name.description
    content = .parts([
      FrameView.Part(rest, 0..<1, of: plaintext.bytes),
      FrameView.Part("First Bud", 1, plaintext.buds[0]),
      FrameView.Part("Second Bud", 2, plaintext.buds[1]),
      FrameView.Part("Case", 3, plaintext.box),
      FrameView.Part(rest, 4..<plaintext.bytes.count, of: plaintext.bytes),
    ])
  }
}

extension FrameView.Part {
  fileprivate init(_ name: String, _ offset: Int, _ battery: ProximityPlaintext.Battery) {
    let text = battery.level.map { "\($0) %" + (battery.isCharging ? ", charging" : "") }
    self.init(name: name, range: offset..<(offset + 1), text: text ?? "absent")
  }
}
