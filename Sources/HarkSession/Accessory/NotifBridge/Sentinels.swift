import HarkCore
import HarkCrypto

/// Puts together what NotifBridge writes between two values of their own, `--START--` and
/// `--END--`. A sentinel counts only as a whole value; there are no lengths or numbers.
struct Sentinels: Sendable {
  enum Outcome {
    case message(PartialMessage)
    case gap(Gap, MessageOrigin)
  }

  private static let start = Array("--START--".utf8)
  private static let end = Array("--END--".utf8)

  /// Between the sentinels.
  private var message: PartialMessage?
  /// Values outside of them, reported once for all.
  private var strays: PartialMessage?

  /// Takes a value of which the first `header` bytes belong to the wrapper. Gives what it ends:
  /// at most one message or gap, two when a value does both.
  mutating func receive(
    _ value: VendorValue, header: Int, _ direction: MessageDirection
  ) -> [Outcome] {
    let content = value.bytes.dropFirst(header)
    if value.missingBytes == 0, content.elementsEqual(Self.start) {
      let left = interrupt(.startedAgain)
      // The sentinel is a frame of the message and none of its bytes.
      message = PartialMessage(value, direction, header: value.bytes.count)
      return left
    }
    if value.missingBytes == 0, content.elementsEqual(Self.end) { return finish(value, direction) }
    return append(value, header: header, direction)
  }

  /// Whether `value` ends a message.
  static func isEnd(_ content: some Sequence<UInt8>) -> Bool { content.elementsEqual(end) }

  /// Reports what is in the making.
  mutating func interrupt(_ reason: Interruption) -> [Outcome] {
    var outcomes: [Outcome] = []
    if let message { outcomes.append(.gap(.startWithoutEnd(reason), message.origin)) }
    if let strays { outcomes.append(.gap(.outsideMessage(reason), strays.origin)) }
    message = nil
    strays = nil
    return outcomes
  }

  private mutating func finish(
    _ value: VendorValue, _ direction: MessageDirection
  ) -> [Outcome] {
    defer {
      message = nil
      strays = nil
    }
    if var message {
      _ = message.append(value, header: value.bytes.count)
      return [.message(message)]
    }
    if var strays {
      _ = strays.append(value, header: value.bytes.count)
      return [.gap(.endWithoutStart, strays.origin)]
    }
    let empty = PartialMessage(value, direction, header: value.bytes.count)
    return [.gap(.endWithoutStart, empty.origin)]
  }

  private mutating func append(
    _ value: VendorValue, header: Int, _ direction: MessageDirection
  ) -> [Outcome] {
    // Moved out while it grows, so that the bytes are not copied.
    if var growing = message.take() {
      guard growing.append(value, header: header) else {
        return [.gap(.tooLarge(limit: PartialMessage.byteLimit), growing.origin)]
      }
      message = growing
    } else if var growing = strays.take() {
      guard growing.append(value, header: header) else {
        return [.gap(.tooLarge(limit: PartialMessage.byteLimit), growing.origin)]
      }
      strays = growing
    } else {
      strays = PartialMessage(value, direction, header: header)
    }
    return []
  }
}
