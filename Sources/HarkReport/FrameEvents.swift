import HarkCore
import HarkSession

/// What accessories did with one packet: collected while the capture is indexed.
public struct FrameEvents: Sendable {
  public let packet: PacketID
  /// The messages that the packet is a part of.
  public private(set) var messages: [AccessoryEvent] = []

  /// Whether the packet is a part of a message with a private key in it.
  public private(set) var exposesKey = false

  public init(_ packet: PacketID) { self.packet = packet }

  /// Takes what happened since the last call.
  public mutating func take(_ events: [Event]) {
    for event in events {
      guard case .accessory(let event) = event.content, event.frames.contains(packet) else {
        continue
      }
      switch event.content {
      case .message: messages.append(event)
      case .exposedKey: exposesKey = true
      default: break
      }
    }
  }
}
