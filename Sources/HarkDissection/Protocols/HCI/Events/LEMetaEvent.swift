import HarkCore

/// A subevent of HCI_LE_Meta, as far as somebody follows it. Subevents that are cut off in front of what
/// their case has are `other`. Core Specification, Vol 4, Part E, 7.7.65.
package enum LEMetaEvent: Sendable {
  /// Also enhanced. 7.7.65.1, 7.7.65.10
  case connectionComplete(ConnectionComplete)
  /// `LEAdvertisingReports` reads it.
  case advertisingReport
  case connectionUpdateComplete(status: UInt8, Timing?)
  case readRemoteFeaturesComplete(status: UInt8)
  case remoteConnectionParameterRequest(ParameterRequest)
  /// In octets.
  case dataLengthChange(maxTxOctets: UInt16, maxRxOctets: UInt16)
  case phyUpdateComplete(PHYUpdate)
  case subrateChange(SubrateChange)
  case periodicAdvertisingSyncEstablished(SyncEstablished)
  case periodicAdvertisingSyncTransferReceived(SyncEstablished)
  case periodicAdvertisingReport(LEPeriodicAdvertisingReport)
  case periodicAdvertisingSyncLost(syncHandle: UInt16)
  case scanTimeout
  case advertisingSetTerminated(AdvertisingSetTerminated)
  case cisEstablished(CISEstablished)
  case cisRequest(CISRequest)
  case createBIGComplete(BIG)
  case terminateBIGComplete(big: UInt8, reason: UInt8)
  case bigSyncEstablished(BIG)
  case bigSyncLost(big: UInt8, reason: UInt8)
  case bigInfoAdvertisingReport(BIGInfo)
  case periodicAdvertisingSubeventDataRequest(advertisingHandle: UInt8, count: UInt8)
  case periodicAdvertisingResponseReport(LEPeriodicAdvertisingResponses)
  case other(UInt8)

  package struct ConnectionComplete: Sendable {
    package let status: UInt8
    package let handle: UInt16?
    package let role: HCIEventMessage.Role?
    package let peer: BluetoothAddress?
    /// The Resolvable Private Address of the peer, where the Controller resolved it.
    package let resolvedFrom: BluetoothAddress?
    package let timing: Timing?
  }

  package struct Timing: Sendable {
    /// In units of 1.25 ms.
    package let interval: UInt16
    package let latency: UInt16
    /// In units of 10 ms.
    package let supervisionTimeout: UInt16
  }

  package struct ParameterRequest: Sendable {
    /// In units of 1.25 ms.
    package let intervalMin: UInt16
    package let intervalMax: UInt16
    package let latency: UInt16
    /// In units of 10 ms.
    package let supervisionTimeout: UInt16
  }

  package struct PHYUpdate: Sendable {
    package let status: UInt8
    package let tx: UInt8?
    package let rx: UInt8?
  }

  /// 7.7.65.35
  package struct SubrateChange: Sendable {
    package let status: UInt8
    /// Of this many connection events, one is used.
    package let factor: UInt16
    /// In subrated events.
    package let latency: UInt16
    /// How many connection events stay in use after a packet that is not empty.
    package let continuation: UInt16
    /// In units of 10 ms.
    package let supervisionTimeout: UInt16
  }

  /// 7.7.65.14, 7.7.65.24
  package struct SyncEstablished: Sendable {
    package let status: UInt8
    package let syncHandle: UInt16
    package let sid: UInt8
    package let advertiser: BluetoothAddress
    package let phy: UInt8
    /// In units of 1.25 ms.
    package let interval: UInt16
    /// Nil for trains without subevents.
    package let subevents: LEPeriodicSubevents?
  }

  package struct AdvertisingSetTerminated: Sendable {
    package let status: UInt8
    package let advertisingHandle: UInt8
    package let completedEvents: UInt8
  }

  /// 7.7.65.25
  package struct CISEstablished: Sendable {
    package struct Way: Sendable {
      /// In microseconds.
      package let latency: UInt32
      package let phy: UInt8
      package let maxPDU: UInt16
    }

    package let status: UInt8
    package let handle: UInt16
    package let toPeripheral: Way
    package let toCentral: Way
    /// In units of 1.25 ms.
    package let isoInterval: UInt16
  }

  /// 7.7.65.26
  package struct CISRequest: Sendable {
    package let handle: UInt16
    package let cig: UInt8
    package let cis: UInt8
  }

  /// A broadcast group that was made, or synchronized to. 7.7.65.27, 7.7.65.29
  package struct BIG: Sendable {
    package let status: UInt8
    package let big: UInt8
    package let maxPDU: UInt16
    /// In units of 1.25 ms.
    package let isoInterval: UInt16
    package let handles: [UInt16]
  }

  /// 7.7.65.34
  package struct BIGInfo: Sendable {
    package let syncHandle: UInt16
    package let streams: UInt8
    /// In units of 1.25 ms.
    package let isoInterval: UInt16
    package let maxPDU: UInt16
    /// In microseconds.
    package let sduInterval: UInt32
    package let maxSDU: UInt16
    package let phy: UInt8
    package let isEncrypted: Bool
  }
}

/// The subevents of a periodic advertising train with responses.
package struct LEPeriodicSubevents: Sendable {
  package let count: UInt8
  /// In units of 1.25 ms.
  package let interval: UInt8

  init?(_ values: ParameterValues) {
    let a = HCIParameters.shared.advertising
    guard let count = values.u8(a.numSubevents), count > 0,
      let interval = values.u8(a.subeventInterval)
    else { return nil }
    (self.count, self.interval) = (count, interval)
  }
}
