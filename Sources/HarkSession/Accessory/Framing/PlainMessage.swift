import HarkCore

/// A message that is not sealed: what Apple's own services say.
public struct PlainMessage: Hashable, Sendable {
  public var contents: [AccessoryContent]
  /// The characteristic that it came over.
  public var characteristic: BluetoothUUID
  /// All its values put together.
  public var bytes: [UInt8]
  /// The request it answers, or what the phone last said of the same.
  public var answers: EarlierMessage?
  /// An answer to a request that the capture does not show.
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

/// What passes over AMS. Numbers are its RemoteCommandID, EntityID and AttributeID.
public enum MediaMessage: Hashable, Sendable {
  // From the phone
  case supportedCommands([UInt8])
  case update(entity: UInt8, attribute: UInt8, value: String, isTruncated: Bool)
  /// An attribute that was chosen before the capture began.
  case unknownValue(String)
  // From the accessory
  case command(UInt8)
  /// It wants to know these.
  case watch(entity: UInt8, attributes: [UInt8])
  /// It is going to read this one whole.
  case choose(entity: UInt8, attribute: UInt8)
}

extension VendorValue {
  /// Throws unless the recorder kept all of the value and it has `count` bytes.
  func checkWhole(count: Int, _ field: String) throws(FramingProblem) {
    guard missingBytes <= 0 else { throw .cutByCapture(missingBytes: missingBytes) }
    guard bytes.count >= count else {
      throw bytes.isEmpty
        ? .empty : .tooShort(field: field, needed: count, available: bytes.count)
    }
  }

  /// Says that bytes are left behind the first `count`, if they are.
  func trailing(behind count: Int, _ origin: MessageOrigin) -> [Framed] {
    guard bytes.count > count else { return [] }
    let problem = FramingProblem.trailing(offset: count, count: bytes.count - count)
    return [Framed(origin, .unreadable(UnreadableMessage(problem, bytes: bytes)))]
  }
}
