import HarkCore
import HarkDissection

/// Advertising data that continues in other PDUs: each points to the next one. Core Specification, Vol 6, Part B,
/// 2.3.1.6, 2.3.4.5
struct AirChains {
  private struct Key: Hashable {
    let sniffer: UInt16
    let accessAddress: UInt32
    /// ADI. 2.3.4.4
    let dataInfo: UInt16?
  }

  private struct Chain {
    var joined = AdvertisingFragments.Joined()
    /// AdvA, and the type of the first PDU.
    let advertiser: BluetoothAddress?
    var pointer: LLAdvertisingPDU.Pointer
    /// Of the PDU that points.
    var time: AirTime

    /// Whether the PDU that `pointer` describes may be received at `time`.
    func mayContinue(at time: AirTime, on channel: UInt8?) -> Bool {
      if let channel, channel != pointer.channel { return false }
      guard let passed = time.since(self.time), passed >= 0 else { return false }
      return passed - pointer.offset <= pointer.unit + Self.tolerance
    }

    /// How exact the times of sniffers are, in nanoseconds.
    private static let tolerance: Int64 = 10_000_000
  }

  private static let most = 256
  private var chains: [Key: Chain] = [:]

  var isEmpty: Bool { chains.isEmpty }

  /// Whether a PDU continues the data of an earlier one.
  func continues(
    _ pdu: LLAdvertisingPDU, _ accessAddress: UInt32, at time: AirTime, on channel: UInt8?,
    _ sniffer: UInt16
  ) -> Bool {
    let key = Key(sniffer: sniffer, accessAddress: accessAddress, dataInfo: pdu.dataInfo)
    return pdu.type == .advExtInd && (chains[key]?.mayContinue(at: time, on: channel) ?? false)
  }

  /// Takes a PDU, and returns the data that it completes.
  /// - Parameter part: Nil if the recorder cut it.
  mutating func take(
    _ pdu: LLAdvertisingPDU, _ part: [UInt8]?, continues: Bool, _ accessAddress: UInt32,
    at time: AirTime, _ moment: PacketContext
  ) -> (data: AdvertisingFragments.Joined, advertiser: BluetoothAddress?)? {
    let key = Key(
      sniffer: moment.controller, accessAddress: accessAddress, dataInfo: pdu.dataInfo)
    if continues {
      guard var chain = chains.removeValue(forKey: key) else { return nil }
      chain.joined.add(part, moment)
      guard let pointer = pdu.pointer else {
        return chain.joined.whole.map { ($0, chain.advertiser) }
      }
      (chain.pointer, chain.time) = (pointer, time)
      chains[key] = chain
    } else if let pointer = pdu.pointer, !pdu.data.isEmpty {
      if chains.count >= Self.most { chains = [:] }
      var chain = Chain(advertiser: pdu.advertiser, pointer: pointer, time: time)
      chain.joined.add(part, moment)
      chains[key] = chain
    }
    return nil
  }
}
