/// One life of a connection: a handle is used again, a `LinkID` never is.
public struct LinkID: Hashable, Sendable {
  public let index: UInt16

  init(_ index: Int) { self.index = UInt16(truncatingIfNeeded: index) }
}

/// One life of an L2CAP channel: a CID is used again, a `ChannelID` never is.
public struct ChannelID: Hashable, Sendable {
  public let index: UInt32

  init(_ index: Int) { self.index = UInt32(truncatingIfNeeded: index) }
}

/// One stream of data: of an L2CAP channel or of what it carries.
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

/// How sure a fact is.
public enum Certainty: Sendable {
  /// The capture shows it.
  case seen
  /// It follows from what the capture shows; the packet that says it is not there.
  case inferred
  /// It was seen on an earlier link of the same device.
  case borrowed
}
