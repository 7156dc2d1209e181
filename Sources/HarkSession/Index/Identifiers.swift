/// One life of a connection: handles are reused, a `LinkID` never is.
public struct LinkID: Hashable, Sendable {
  public let index: UInt16

  init(_ index: Int) { self.index = UInt16(truncatingIfNeeded: index) }
}

/// One life of an L2CAP channel: CIDs are reused, a `ChannelID` never is.
public struct ChannelID: Hashable, Sendable {
  public let index: UInt32

  init(_ index: Int) { self.index = UInt32(truncatingIfNeeded: index) }
}

/// A stream of data of an L2CAP channel, or of its payload.
public struct StreamID: Hashable, Sendable {
  public let index: UInt32

  /// - Parameter number: Its place among the streams of the capture; the first is 1.
  public init(number: UInt32) { index = max(1, number) - 1 }

  init(_ index: Int) { self.index = UInt32(truncatingIfNeeded: index) }
}

/// One device, under whatever addresses it was seen.
public struct DeviceID: Hashable, Sendable {
  public let index: UInt32

  init(_ index: Int) { self.index = UInt32(truncatingIfNeeded: index) }
}

/// How certain a fact is.
public enum Certainty: Sendable {
  /// The capture shows it.
  case seen
  /// It follows from the capture, which lacks the packet that states it.
  case inferred
  /// It was seen on an earlier link of the same device.
  case borrowed
}
