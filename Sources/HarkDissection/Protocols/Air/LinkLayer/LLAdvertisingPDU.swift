import HarkCore

/// An Advertising Physical Channel PDU. Core Specification, Vol 6, Part B, 2.3.
package struct LLAdvertisingPDU: Message {
  /// Nil if no PDU has that type.
  package internal(set) var type: PDUType?
  /// AdvA, where the PDU has it.
  package internal(set) var advertiser: BluetoothAddress?
  /// Where AdvData or ScanRspData is in the bytes.
  package internal(set) var data = 0..<0
  /// Where ACAD is in the bytes. 2.3.4.8
  package internal(set) var acad = 0..<0
  /// Whether `data` is a part of more.
  package internal(set) var isPart = false
  /// What SyncInfo says. 2.3.4.6
  package internal(set) var train: PeriodicTrain?
  package internal(set) var connection: Connection?
  /// ADI, where the PDU has it. 2.3.4.4
  package internal(set) var dataInfo: UInt16?
  /// Where the PDU is that continues this one. 2.3.4.5
  package internal(set) var pointer: Pointer?

  /// AuxPtr.
  package struct Pointer: Sendable {
    /// The channel index.
    package let channel: UInt8
    /// From the start of the PDU that points to the start of the other one, in nanoseconds.
    package let offset: Int64
    /// How inexact the offset is, in nanoseconds.
    package let unit: Int64
  }

  /// 2.3, table 2.3; in comments those of other physical channels.
  package enum PDUType: UInt8, Sendable {
    case advInd = 0
    case advDirectInd = 1
    case advNonconnInd = 2
    // AUX_SCAN_REQ
    case scanReq = 3
    case scanRsp = 4
    // AUX_CONNECT_REQ
    case connectInd = 5
    case advScanInd = 6
    // AUX_ADV_IND, AUX_SCAN_RSP, AUX_SYNC_IND, AUX_CHAIN_IND
    case advExtInd = 7
    case auxConnectRsp = 8
    case advDecisionInd = 9

    /// Whether its data is all that there is: that of extended advertising may continue in other PDUs.
    package var hasWholeData: Bool {
      switch self {
      case .advInd, .advNonconnInd, .advScanInd, .scanRsp: true
      default: false
      }
    }
  }

  package struct PeriodicTrain: Sendable {
    package let accessAddress: UInt32
    package let crcInit: UInt32
  }

  /// CONNECT_IND and AUX_CONNECT_REQ. 2.3.3.1
  package struct Connection: Sendable {
    /// InitA.
    package let central: BluetoothAddress
    /// AdvA.
    package let peripheral: BluetoothAddress
    package let parameters: ConnectionParameters
  }

  /// LLData.
  package struct ConnectionParameters: Sendable {
    package let accessAddress: UInt32
    package let crcInit: UInt32
    /// In units of 1.25 ms.
    package let interval: UInt16
    /// In connection events.
    package let latency: UInt16
    /// In units of 10 ms.
    package let timeout: UInt16
    /// A bit for each channel that is used.
    package let channelMap: UInt64
    /// The hop increment.
    package let hop: UInt8
    /// Where the first anchor point is, in units of 1.25 ms. 4.5.3
    package let winSize: UInt8
    package let winOffset: UInt16
    /// SCA.
    package let sleepClockAccuracy: UInt8

    /// The greatest error of the Central's sleep clock, in parts per million. 2.3.3.1, table 2.13
    package var clockError: Int64 {
      switch sleepClockAccuracy & 7 {
      case 0: 500
      case 1: 250
      case 2: 150
      case 3: 100
      case 4: 75
      case 5: 50
      case 6: 30
      default: 20
      }
    }
  }

  package init() {}

  /// Reads the packet in the record `bytes`, which `header` found. Ranges are those of `bytes`.
  package static func read(
    _ bytes: RawSpan, _ header: AirHeader, _ context: Context
  ) -> (pdu: LLAdvertisingPDU, facts: Facts) {
    PDU.reading(bytes, out: Summary(), context) { pdu in
      pdu.moveOn(to: header.start)
      var message = LLAdvertisingPDU()
      do throws(Malformed) { try LinkLayer.read(&pdu, &message) } catch {
        let isCut = pdu.isCut(error.reason)
        pdu.facts.fail(isCut: isCut)
      }
      if pdu.facts.isMalformed, pdu.facts.malformedLayer == nil {
        pdu.facts.malformedLayer = Catalog.shared.entry(at: .record(.leLinkLayer))?.layer
      }
      return (message, pdu.facts)
    }
  }
}
