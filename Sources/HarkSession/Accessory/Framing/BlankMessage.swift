import HarkCrypto

/// A key, a message or a value of zeros, as after redaction.
public struct BlankMessage: Hashable, Sendable {
  public enum Subject: Hashable, Sendable {
    case key(SecurityMessage.KeyType, CipherSuite)
    case message(sessionID: String)
    /// An unreadable message that begins with zeros.
    case value
  }

  public var subject: Subject
  /// In bytes.
  public var size: Int

  /// This many zeros prove that a value was overwritten, whatever follows them.
  static let beginning = 16

  public static func isBlank(_ bytes: [UInt8]) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy { $0 == 0 }
  }
}

extension VendorAssembler {
  /// The place of a value of zeros that is neither a message nor the beginning of one; nil for any other value.
  func direction(ofBlank value: VendorValue) -> MessageDirection? {
    guard !keepsValues, value.missingBytes == 0, BlankMessage.isBlank(value.bytes) else {
      return nil
    }
    // An unfinished message continues with it.
    var before = self
    guard before.reset(.captureEnded).isEmpty else { return nil }
    var after = self
    let framed = after.receive(value)
    // In a stream, the bytes after unreadable messages are not the beginning of a message either.
    let isUnreadable =
      !framed.isEmpty
      && framed.allSatisfy { if case .unreadable = $0.content { true } else { false } }
    if isUnreadable { return framed[0].origin.direction }
    let all = framed + after.reset(.captureEnded)
    let isNothing = all.allSatisfy { framed in
      switch framed.content {
      case .unreadable, .incomplete(.outsideMessage), .incomplete(.endWithoutStart),
        .incomplete(.continuationWithoutFirst):
        true
      default: false
      }
    }
    return isNothing ? all.first?.origin.direction : nil
  }
}
