import HarkCore

/// One record of a capture, as its format describes it; its bytes travel beside it.
///
/// The bytes of an HCI packet begin behind the H4 packet indicator, whatever container they came
/// from, so that the same packet looks the same in every format.
public struct CaptureRecord: Sendable {
  /// Where the bytes begin in the capture's store, for `Capture.bytes(at:count:)`.
  public var offset: Int64 = 0
  /// How many bytes the capture holds.
  public var count = 0
  /// How many bytes the packet had: more than `count` when the capture was sliced.
  public var originalCount = 0
  public var time = Timestamp(nanoseconds: 0)
  public var kind = PacketKind.other
  public var direction = Direction.hostToController
  /// The controller's index, where the format tells several apart.
  public var controller: UInt16 = 0
  /// How many packets the recorder says it lost right before this one.
  public var dropped: UInt32 = 0
  /// The format's own number for the record type (a monitor opcode, a PacketLogger type, ...).
  public var formatCode: UInt32 = 0

  public init() {}
}
