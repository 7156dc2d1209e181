import HarkCore
import HarkSession

/// A format for packets, one piece of text each, written as they come.
public protocol PacketWriter {
  /// What stands in front of the first packet.
  mutating func header(to text: inout TextPen)

  /// `bytes` are those of the record; `session` has indexed it last.
  mutating func write(
    _ packet: borrowing PacketReading, _ bytes: RawSpan, _ session: borrowing Session,
    to text: inout TextPen)
}

extension PacketWriter {
  public mutating func header(to text: inout TextPen) {}
}
