import HarkCore

/// What happens to periodic advertising trains: those of this host, by their Advertising_Handle, and
/// those it listens to, by their Sync_Handle. Core Specification, Vol 4, Part E, 7.7.65.14 to
/// 7.7.65.16, 7.7.65.24, 7.7.65.34 to 7.7.65.37, 7.8.61 to 7.8.70, 7.8.89 to 7.8.92, 7.8.125.
public enum PeriodicEvent: Equatable, Sendable {
  // This host advertises

  /// Without what the capture does not have: HCI_LE_Set_Periodic_Advertising_Parameters.
  case started(set: UInt8, Parameters?)
  /// `wasOn`: whether the capture tells that it was on before.
  case stopped(set: UInt8, wasOn: Bool = true)
  /// Data other than before, of so many octets, and the services that its Service Data names.
  case data(set: UInt8, count: Int, services: [BluetoothUUID])
  /// How often the Controller asked for the data of a subevent, how many responses it heard, and how
  /// many it did not, or not whole.
  case responses(set: UInt8, requests: Int, heard: Int, missing: Int)
  /// The peer is told where the train is.
  case handedOver(Source)

  // This host listens

  /// Nil: those of the Periodic Advertiser List.
  case requested(Advertiser?)
  case synchronized(sync: UInt16, Train)
  /// The peer told where the train is.
  case received(sync: UInt16, Train)
  case failed(status: UInt8, isTransfer: Bool)
  /// Data other than before, as `data`; `isFirst` where nothing came before.
  case changed(sync: UInt16, count: Int, services: [BluetoothUUID], isFirst: Bool)
  case group(sync: UInt16, Group)
  case lost(sync: UInt16, Account)
  /// By the host.
  case ended(sync: UInt16, Account)
  /// At the end of the capture, of a train with subevents.
  case heard(sync: UInt16, Account)

  public enum Source: Equatable, Sendable {
    case set(UInt8)
    case sync(UInt16)
  }

  public struct Advertiser: Equatable, Sendable {
    public let sid: UInt8
    public let address: BluetoothAddress

    public init(sid: UInt8, address: BluetoothAddress) { (self.sid, self.address) = (sid, address) }
  }

  /// Of periodic advertising with responses; the interval is in units of 1.25 ms.
  public struct Subevents: Equatable, Sendable {
    public let count: UInt8
    public let interval: UInt8

    public init(count: UInt8, interval: UInt8) { (self.count, self.interval) = (count, interval) }
  }

  /// Intervals in units of 1.25 ms.
  public struct Parameters: Equatable, Sendable {
    public let shortest: UInt16
    public let longest: UInt16
    public let subevents: Subevents?

    public init(shortest: UInt16, longest: UInt16, subevents: Subevents?) {
      (self.shortest, self.longest, self.subevents) = (shortest, longest, subevents)
    }
  }

  /// The interval is in units of 1.25 ms.
  public struct Train: Equatable, Sendable {
    public let advertiser: Advertiser
    public let phy: UInt8
    public let interval: UInt16
    public let subevents: Subevents?

    public init(advertiser: Advertiser, phy: UInt8, interval: UInt16, subevents: Subevents?) {
      (self.advertiser, self.phy) = (advertiser, phy)
      (self.interval, self.subevents) = (interval, subevents)
    }
  }

  /// What BIGInfo says of a broadcast. The ISO_Interval is in units of 1.25 ms, the SDU_Interval in
  /// microseconds, sizes in octets. 7.7.65.34
  public struct Group: Equatable, Sendable {
    public let streams: UInt8
    public let isoInterval: UInt16
    public let maxPDU: UInt16
    public let sduInterval: UInt32
    public let maxSDU: UInt16
    public let phy: UInt8
    public let isEncrypted: Bool

    public init(
      streams: UInt8, isoInterval: UInt16, maxPDU: UInt16, sduInterval: UInt32, maxSDU: UInt16,
      phy: UInt8, isEncrypted: Bool
    ) {
      (self.streams, self.isoInterval, self.maxPDU) = (streams, isoInterval, maxPDU)
      (self.sduInterval, self.maxSDU, self.phy) = (sduInterval, maxSDU, phy)
      self.isEncrypted = isEncrypted
    }
  }

  /// What was heard of a train: reports, those whose data is not whole, how often its data changed
  /// without being told, and the subevents of periodic advertising with responses.
  public struct Account: Equatable, Sendable {
    public internal(set) var reports = 0
    public internal(set) var truncated = 0
    public internal(set) var untold = 0
    public internal(set) var subevents: [UInt8] = []

    public init(reports: Int = 0, truncated: Int = 0, untold: Int = 0, subevents: [UInt8] = []) {
      (self.reports, self.truncated) = (reports, truncated)
      (self.untold, self.subevents) = (untold, subevents)
    }
  }
}
