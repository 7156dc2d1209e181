import HarkCore
import HarkDissection

/// What accessories have last advertised by Apple's formats.
struct AppleAdvertisers {
  private struct Advertiser: Sendable {
    /// As if one side always advertised it.
    var content: ContinuityMessage.Content
    var changes = 0
  }

  /// The most advertisers that are remembered, and the most changes of each that are reported.
  private static let most = 4_096
  private static let mostChanges = 1_024
  private var known = RecentValues<BluetoothAddress, Advertiser>(capacity: Self.most)

  /// The same by the address over the air: most advertising repeats itself, and to resolve an address takes time.
  private var heard = RecentValues<BluetoothAddress, ContinuityMessage.Content>(capacity: Self.most)

  /// Whether the address did not advertise this last.
  mutating func isNew(_ content: ContinuityMessage.Content, at address: BluetoothAddress) -> Bool {
    if heard[address] == content { return false }
    heard.set(address, content)
    return true
  }

  /// What this host has last set as advertising data, by controller, set and whether it is a scan response.
  private var own = RecentValues<OwnData, Advertiser>(capacity: 256)

  struct OwnData: Hashable {
    let controller: UInt16
    /// Nil for legacy advertising.
    let set: UInt8?
    let isScanResponse: Bool
  }

  enum News { case first, change }

  /// Nil if it is what the address last advertised.
  mutating func take(_ content: ContinuityMessage.Content, from address: BluetoothAddress) -> News?
  {
    Self.take(content, from: address, &known)
  }

  /// Nil if this host has last set the same.
  mutating func take(_ content: ContinuityMessage.Content, as data: OwnData) -> News? {
    Self.take(content, from: data, &own)
  }

  private static func take<Source>(
    _ content: ContinuityMessage.Content, from source: Source,
    _ known: inout RecentValues<Source, Advertiser>
  ) -> News? {
    let content = content.independentOfSide
    guard let before = known[source] else {
      known.set(source, Advertiser(content: content))
      return .first
    }
    guard before.content != content, before.changes < Self.mostChanges else { return nil }
    known.set(source, Advertiser(content: content, changes: before.changes + 1))
    return .change
  }
}

extension ContinuityMessage.Content {
  fileprivate var independentOfSide: Self {
    if case .proximityPairing(let it) = self {
      .proximityPairing(it.independentOfSide)
    } else {
      self
    }
  }
}

extension AccessoryFollower {
  /// Reports what an accessory advertises by Apple's formats when it is new.
  /// - Parameter data: Where in `bytes` the AD structures are.
  mutating func appleAdvertising(
    _ bytes: RawSpan, _ data: Range<Int>, _ address: BluetoothAddress, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    // An anonymous advertiser has no address.
    guard let content = ContinuityMessage.find(bytes, data), address.value != 0,
      appleAdvertisers.isNew(content, at: address)
    else { return }
    // A private address is one of many that a known device has.
    let device = tables.devices.resolve(address)
    let known = device.map { tables.devices[$0].address } ?? address
    guard let news = appleAdvertisers.take(content, from: known) else { return }
    tables.emit(
      .accessoryProtocol(
        .advertised(.init(address: known, content: content, isFirst: news == .first))), moment,
      device: device)
  }

  /// The same for what this host sets as its own advertising data, which others receive while it advertises.
  /// - Parameter data: Complete.
  mutating func ownAppleAdvertising(
    _ bytes: RawSpan, _ data: Range<Int>, _ own: AppleAdvertisers.OwnData, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    guard data.upperBound <= bytes.byteCount, let content = ContinuityMessage.find(bytes, data),
      let news = appleAdvertisers.take(content, as: own)
    else { return }
    tables.emit(
      .accessoryProtocol(
        .advertised(.init(address: nil, content: content, isFirst: news == .first))), moment)
  }
}
