import HarkCore
import HarkSelection

/// A format for packets, one piece of text each, written as they come.
public protocol PacketWriter: SendableMetatype {
  /// The first parts of the paths of the fields it is asked for; empty if it is asked for all.
  var protocols: Set<String> { get }

  /// What precedes the first packet.
  mutating func header(to text: inout TextPen)

  /// `bytes` are those of the record; `names` has noted its link.
  mutating func write(
    _ packet: borrowing PacketReading, _ bytes: RawSpan, _ names: borrowing LinkNames,
    to text: inout TextPen)
}

extension PacketWriter {
  public var protocols: Set<String> { [] }

  public mutating func header(to text: inout TextPen) {}
}
