import HarkCore
import HarkCrypto
import HarkDissection

// Keys in values that no framing describes: `hark dissectors guess` finds out what they decrypt.
extension Tables {
  /// Reports once per server that a value contains a key, as its bytes prove.
  mutating func hintAtKey(
    _ value: RawSpan, _ handle: UInt16, _ uuid: BluetoothUUID?, _ key: Session.DatabaseKey,
    isLocal: Bool, _ moment: PacketContext
  ) {
    guard value.byteCount >= KeyShape.p256.size, uuid?.short == nil, !moment.isTruncated,
      devices.borrowing.mayHintAtKey(of: key),
      let shape = KeyShape.provable(in: value),
      uuid.flatMap({ catalog.entry(at: .attribute($0)) }) == nil
    else { return }
    devices.borrowing.hintAtKey(of: key)
    emit(
      .attribute(
        .unframedKey(.init(handle: handle, uuid: uuid, shape: shape, isLocal: isLocal))), moment)
  }
}

extension KeyShape {
  /// How far from its beginning a value is searched for a key.
  private static let reach = 48

  /// The key in a value whose bytes prove that it is one.
  static func provable(in value: RawSpan) -> KeyShape? {
    if value.byteCount >= xWing.size {
      for offset in 0...min(reach, value.byteCount - xWing.size)
      where xWing.fits(value.array(offset..<offset + xWing.size)) { return .xWing }
    }
    guard value.byteCount >= p256.size else { return nil }
    for offset in 0..<min(reach, max(0, value.byteCount - p256.size))
    where value.unsigned(at: offset, 1) == 4
      && p256Uncompressed.fits(value.array(offset..<offset + p256Uncompressed.size))
    {
      return .p256Uncompressed
    }
    // Without the octet that marks it, only at the end.
    let begin = value.byteCount - p256.size
    return begin < 8 && p256.fits(value.array(begin..<value.byteCount)) ? .p256 : nil
  }
}
