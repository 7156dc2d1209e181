import HarkCore

/// A message that is not sealed, from one of Apple's own services.
public struct PlainMessage: Hashable, Sendable {
  public var contents: [AccessoryContent]
  /// Its characteristic.
  public var characteristic: BluetoothUUID
  /// All of its values, concatenated.
  public var bytes: [UInt8]
  /// The request it answers, or the phone's last message about the same thing.
  public var answers: EarlierMessage?
  /// An answer to a request that is not in the capture.
  public var isUnasked = false

  package init(
    _ content: AccessoryContent, _ characteristic: BluetoothUUID, bytes: [UInt8],
    answers: EarlierMessage? = nil
  ) {
    contents = [content]
    (self.characteristic, self.bytes, self.answers) = (characteristic, bytes, answers)
  }

  init(_ content: AccessoryContent, _ value: VendorValue, answers: EarlierMessage? = nil) {
    self.init(content, value.characteristic, bytes: value.bytes, answers: answers)
  }
}

/// Requests of an accessory to ANCS.
public enum ServiceRequest: Hashable, Sendable {
  /// By NotificationAttributeID, in order.
  case notificationAttributes(AccessoryNotification.Identifier, [UInt8])
  /// Of an application, by AppAttributeID.
  case appAttributes(String, [UInt8])
}

/// AMS messages. Numbers are its RemoteCommandID, EntityID and AttributeID.
public enum MediaMessage: Hashable, Sendable {
  // From the phone
  case supportedCommands([UInt8])
  case update(entity: UInt8, attribute: UInt8, value: String, isTruncated: Bool)
  /// An attribute that was chosen before the capture began.
  case unknownValue(String)
  // From the accessory
  /// Whether the phone announced the command; true too if the capture does not show what it supports.
  case command(UInt8, isOffered: Bool = true)
  /// It registers for these.
  case watch(entity: UInt8, attributes: [UInt8])
  /// It is about to read all of this one.
  case choose(entity: UInt8, attribute: UInt8)
}

extension VendorValue {
  /// Throws unless the value is complete and has `count` bytes; `field` are those from `offset` on.
  func checkWhole(count: Int, _ field: String, at offset: Int = 0) throws(FramingProblem) {
    guard missingBytes <= 0 else { throw .cutByCapture(missingBytes: missingBytes) }
    guard bytes.count >= count else {
      throw bytes.isEmpty
        ? .empty
        : .tooShort(
          field: field, offset: offset, needed: count - offset,
          available: max(0, bytes.count - offset))
    }
  }

  /// Notes any bytes after the first `count`.
  func trailing(behind count: Int, _ origin: MessageOrigin) -> [Framed] {
    guard bytes.count > count else { return [] }
    let problem = FramingProblem.trailing(offset: count, count: bytes.count - count)
    return [Framed(origin, .unreadable(UnreadableMessage(problem, bytes: bytes)))]
  }
}
