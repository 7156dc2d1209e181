import HarkCrypto

/// A key, a message or a value of nothing but zeros, as redaction leaves them.
public struct BlankMessage: Hashable, Sendable {
  public enum Subject: Hashable, Sendable {
    case key(SecurityMessage.KeyType, CipherSuite)
    case message(sessionID: String)
    /// What the framing cannot read, as far as zeros begin it.
    case value
  }

  public var subject: Subject
  /// In bytes.
  public var size: Int

  /// This many zeros show that a value was overwritten, whatever follows them.
  static let beginning = 16

  public static func isBlank(_ bytes: [UInt8]) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy { $0 == 0 }
  }
}

extension VendorAssembler {
  /// Where a value of zeros goes of which it makes nothing, not even the beginning of a message; nil for any
  /// other value.
  func direction(ofBlank value: VendorValue) -> MessageDirection? {
    guard value.missingBytes == 0, BlankMessage.isBlank(value.bytes) else { return nil }
    // A message that was begun continues with it.
    var before = self
    guard before.reset(.captureEnded).isEmpty else { return nil }
    var after = self
    let framed = after.receive(value)
    // Of a stream, what is left after messages that cannot be read is no beginning of one either.
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
