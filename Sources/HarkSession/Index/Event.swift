import HarkCore
import HarkCrypto
import HarkDissection

/// Something that happened: one row of the timeline. Its text is made later.
public struct Event: Sendable {
  public var time: Timestamp
  /// How much earlier its last frame was, in nanoseconds: more than 0 if a later event was reported first.
  public var lag: Int64 = 0
  /// The packets that show it, in order. Events of the app's side have no packet: their count is 0.
  public var frames: Frames
  public var controller: UInt16?
  public var link: LinkID?
  public var device: DeviceID?
  public var severity = Severity.info
  public var content: Content

  public init(
    time: Timestamp, frames: Frames, controller: UInt16? = nil, link: LinkID? = nil,
    device: DeviceID? = nil, severity: Severity = .info, content: Content
  ) {
    (self.time, self.frames, self.controller) = (time, frames, controller)
    (self.link, self.device, self.severity) = (link, device, severity)
    self.content = content
  }

  /// The row of a timeline that the event belongs to.
  public var lane: Lane { content.described.kind.lane }

  public enum Severity: UInt8, Comparable, Sendable {
    case info, warning, error

    public static func < (a: Severity, b: Severity) -> Bool { a.rawValue < b.rawValue }
  }

  /// The packets of an event: the first, the last, and how many.
  public struct Frames: Equatable, Sendable {
    public var first: PacketID
    public var last: PacketID
    public var count: Int

    public init(_ packet: PacketID) {
      (first, last, count) = (packet, packet, 1)
    }

    /// No packets: an event after `packet`, which is 0 before the first packet.
    init(behind packet: PacketID) { (first, last, count) = (packet, packet, 0) }

    /// In either order: a write may be reported after the notification that answers it.
    public init(_ a: PacketID, _ b: PacketID, count: Int) {
      (first, last, self.count) = (min(a, b), max(a, b), count)
    }

    /// The frames of a list; `fallback` if it is empty.
    init(_ packets: [PacketID], or fallback: PacketID) {
      self.init(
        packets.min() ?? fallback, packets.max() ?? fallback, count: max(1, packets.count))
    }
  }

  /// The lane of the timeline that shows an event.
  public enum Lane: String, Sendable, CaseIterable {
    case host, link, pairing, l2cap, sdp, rfcomm, call, audio, iap2, gatt, keys, session
    case notification, reply, configuration
    /// Events of the app's side, which never use the radio.
    case app
    case note, gap
    /// Conclusions that rules draw from the other events.
    case finding
  }
}
