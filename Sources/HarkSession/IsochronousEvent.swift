/// What happens to isochronous streams. Core Specification, Vol 4, Part E, 5.4.5, 7.7.65.25 to
/// 7.7.65.30.
public enum IsochronousEvent: Equatable, Sendable {
  /// A Central asks for a CIS.
  case requested(handle: UInt16, cig: UInt8, cis: UInt8)
  /// A CIS is there. Intervals are in units of 1.25 ms, latencies in microseconds, PDUs in octets.
  /// Without a name where the capture does not have the request for it.
  case established(
    handle: UInt16, name: Name? = nil, interval: UInt16, toPeripheral: Way, toCentral: Way)
  case failed(handle: UInt16, status: UInt8)
  case ended(handle: UInt16, reason: UInt8)
  /// This host broadcasts, or listens to a broadcast; `handles` are those of its BISes.
  case group(big: UInt8, isOurs: Bool, interval: UInt16, maxPDU: UInt16, handles: [UInt16])
  case groupFailed(big: UInt8, isOurs: Bool, status: UInt8)
  case groupEnded(big: UInt8, isOurs: Bool, reason: UInt8)
  /// Packet_Sequence_Numbers are missing, in what this host sends or in what it receives.
  case gap(handle: UInt16, missing: Int, isSent: Bool = false)
  /// The controller did not receive so many SDUs in a row, or not surely right; whether it did receive
  /// some before them and behind them: streams begin before there is data, and end after it.
  case lost(handle: UInt16, count: Int, isBetween: Bool)
  /// The Time_Stamp went back, or stood still, while the sequence number went on.
  case timestampBack(handle: UInt16, by: UInt32)
  /// An SDU lacks so many octets of its ISO_SDU_Length, or has more of them.
  case sduLength(handle: UInt16, expected: Int, found: Int)

  /// What a CIS is called on the air: the stream of a group.
  public struct Name: Equatable, Sendable {
    public let cig: UInt8
    public let cis: UInt8

    public init(cig: UInt8, cis: UInt8) { (self.cig, self.cis) = (cig, cis) }
  }

  /// One direction of a CIS.
  public struct Way: Equatable, Sendable {
    public let latency: UInt32
    public let phy: UInt8
    public let maxPDU: UInt16

    public init(latency: UInt32, phy: UInt8, maxPDU: UInt16) {
      (self.latency, self.phy, self.maxPDU) = (latency, phy, maxPDU)
    }
  }
}
