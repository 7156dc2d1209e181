import HarkCore

/// One record of a capture, as its format describes it; its bytes travel beside it.
///
/// The bytes of an HCI packet begin after the H4 packet indicator, whatever container they came
/// from, so that the same packet looks the same in every format.
public struct CaptureRecord: Sendable {
  /// Where the bytes begin in the capture's store, for `Capture.bytes(at:count:)`.
  public var offset: Int64 = 0
  /// How many bytes the capture holds.
  public var count = 0
  /// How many bytes the packet had: more than `count` when the capture was sliced.
  public var originalCount = 0
  public var time = Timestamp(nanoseconds: 0)
  /// The record's number in its capture, from 1.
  public var number: UInt32 = 0
  /// How many packets the recorder says it lost right before this one.
  public var dropped: UInt32 = 0
  /// The format's own number for the record type (a monitor opcode, a PacketLogger type, ...).
  public var formatCode: UInt32 = 0
  /// The controller's index, where the format distinguishes several; in pcapng the interface's
  /// number, unless the packets bring an index of their own.
  public var controller: UInt16 = 0
  public var kind = PacketKind.other
  public var direction = Direction.hostToController
  public var flags = Flags()

  public init() {}

  /// What else is to be known about a record.
  public struct Flags: OptionSet, Sendable {
    public let rawValue: UInt8

    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The format does not say which way the packet went; `direction` is a guess.
    @inlinable public static var directionUnknown: Flags { Flags(rawValue: 1) }
    /// The format gives this record no time; `time` is the record's before.
    @inlinable public static var timeUnknown: Flags { Flags(rawValue: 2) }
    /// A checksum or length of the record's frame is wrong, so its bytes cannot be trusted: see
    /// `Capture.damage`.
    @inlinable public static var damaged: Flags { Flags(rawValue: 4) }
    /// Part of the capture right before this record is unreadable: see `Capture.damage`.
    @inlinable public static var afterDamage: Flags { Flags(rawValue: 8) }
    /// Someone wrote a comment on this packet: see `Capture.comments`.
    @inlinable public static var commented: Flags { Flags(rawValue: 16) }
    /// What its bytes are follows from them alone.
    @inlinable public static var inferred: Flags { Flags(rawValue: 32) }
  }
}

extension CaptureRecord {
  /// Takes the H4 packet indicator off the front, if it is one, and returns how many bytes that is.
  @inline(__always)
  mutating func takeIndicator(_ indicator: UInt8) -> Int {
    formatCode = UInt32(indicator)
    switch indicator {
    case 1:
      kind = .command
      direction = .hostToController
    case 2: kind = .acl
    case 3: kind = .sco
    case 4:
      kind = .event
      direction = .controllerToHost
    case 5: kind = .iso
    default:
      kind = .h4
      return 0
    }
    take(1)
    return 1
  }

  /// Leaves out the first `prefix` bytes; the caller has made sure that they are there.
  @inline(__always)
  mutating func take(_ prefix: Int) {
    offset += Int64(prefix)
    count -= prefix
    originalCount -= prefix
  }
}

extension PacketKind {
  /// The kind an H4 packet indicator stands for.
  @inline(__always)
  init?(indicator: UInt8) {
    switch indicator {
    case 1: self = .command
    case 2: self = .acl
    case 3: self = .sco
    case 4: self = .event
    case 5: self = .iso
    default: return nil
    }
  }

  /// As below, of a packet in memory.
  func ownLength(_ packet: [UInt8]) -> Int? {
    func byte(_ index: Int) -> Int { Int(packet[index]) }
    switch self {
    case .command, .sco: return packet.count < 3 ? nil : 3 + byte(2)
    case .event: return packet.count < 2 ? nil : 2 + byte(1)
    case .acl, .iso:
      guard packet.count >= 4 else { return nil }
      let field = byte(3) << 8 | byte(2)
      return 4 + (self == .iso ? field & 0x3FFF : field)
    default: return nil
    }
  }

  /// The length an HCI packet of this kind gives itself, from its first bytes; nil if they do
  /// not reach or the kind has no length field. Core Specification, Vol 4, Part E, 5.4.
  @inline(__always)
  func ownLength(_ window: borrowing Window, at position: Int, count: Int) -> Int? {
    switch self {
    case .command, .sco:
      guard count >= 3 else { return nil }
      return 3 + Int(window.byte(at: position + 2))
    case .event:
      guard count >= 2 else { return nil }
      return 2 + Int(window.byte(at: position + 1))
    case .acl, .iso:
      guard count >= 4 else { return nil }
      let field = Int(window.byte(at: position + 3)) << 8 | Int(window.byte(at: position + 2))
      // An ISO length has 14 bits.
      return 4 + (self == .iso ? field & 0x3FFF : field)
    default: return nil
    }
  }
}
