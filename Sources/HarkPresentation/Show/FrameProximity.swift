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
    // One report of LE advertising; several in one event are rare. Vol 4, Part E, 7.7.65.
    guard row.kind == .event, bytes.count > 12, bytes[0] == 0x3E,
      [0x02, 0x0B, 0x0D].contains(bytes[2]), bytes[3] == 1
    else { return }
    let facts = session.catalog.summarize(bytes.raw, .record(row.kind), context)
    let address = BluetoothAddress(facts.address, hciType: facts.addressType)
    guard let plaintext = session.openProximity(bytes.raw, from: address) else { return }
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
