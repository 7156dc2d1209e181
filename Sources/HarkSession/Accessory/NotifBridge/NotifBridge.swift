import HarkCore
import HarkCrypto

/// NotifBridge, a public demonstration of notification forwarding (github.com/shinvou/NotifBridge):
/// X-Wing, JSON between sentinel values, both its versions. The accessory is a relay, so that its
/// characteristics come in two sets: one for the phone and one for the computer behind it.
public struct NotifBridge: BuiltInAssembler {
  public static let name = "NotifBridge"
  public static let service = uuid(0x44)

  /// The last byte of the characteristics' UUIDs.
  enum Role: UInt64, CaseIterable {
    case keySharing = 0x46
    case notification = 0x47
    case keySharingNotify = 0x48
    case notificationNotify = 0x49
    case reverseWrite = 0x4A
    case reverseNotify = 0x4B

    init?(_ characteristic: BluetoothUUID) {
      guard let role = Self.allCases.first(where: { uuid($0.rawValue) == characteristic }) else {
        return nil
      }
      self = role
    }

    /// Whether a private key passes here.
    var isSecret: Bool { self == .keySharing || self == .keySharingNotify }

    /// Which way Apple's message goes. The relay passes the phone's messages on to the computer, so
    /// that this is not the way of the ATT value.
    var direction: MessageDirection {
      switch self {
      case .keySharing, .notification, .keySharingNotify, .notificationNotify: .hostToAccessory
      case .reverseWrite, .reverseNotify: .accessoryToHost
      }
    }
  }

  private var sentinels: [Role: Sentinels] = [:]
  private var slices = SliceReceipts()

  public init() {}

  /// D5E12B7A-7D8E-4F12-9B5C-3F0A1E6D8Cxx.
  static func uuid(_ last: UInt64) -> BluetoothUUID {
    BluetoothUUID(high: 0xD5E1_2B7A_7D8E_4F12, low: 0x9B5C_3F0A_1E6D_8C00 | last)
  }

  public static let characteristics = Role.allCases.map { uuid($0.rawValue) }

  public static func carriesKeys(characteristic: BluetoothUUID) -> Bool {
    Role(characteristic)?.isSecret ?? false
  }

  public mutating func receive(_ value: VendorValue) -> [Framed] {
    guard let role = Role(value.characteristic) else { return [] }
    switch value.operation {
    // A read gives the last indication once more.
    case .read, .subscribe, .refused, .data: return []
    case .write, .writeCommand, .notification, .indication: break
    }
    let direction = role.direction
    if role == .reverseNotify, SliceReceipts.isReceipt(value.bytes) {
      return slices.received(value, direction)
    }
    var framed: [Framed] = []
    var header = 0
    if role == .notification, SliceReceipts.isSlice(value.bytes) {
      guard value.bytes.count >= SliceReceipts.header else {
        let problem = FramingProblem.tooShort(
          field: "Slice", needed: SliceReceipts.header, available: value.bytes.count)
        return [unreadable(value, direction, problem)]
      }
      header = SliceReceipts.header
      let isEnd = Sentinels.isEnd(value.bytes.dropFirst(header))
      framed = slices.sent(value, direction, endsMessage: isEnd)
    }
    let outcomes = sentinels[role, default: Sentinels()].receive(value, header: header, direction)
    return framed + outcomes.flatMap { read($0, role) }
  }

  public mutating func reset(_ reason: Interruption) -> [Framed] {
    var framed: [Framed] = []
    for role in Role.allCases {
      guard var partial = sentinels.removeValue(forKey: role) else { continue }
      framed += partial.interrupt(reason).flatMap { read($0, role) }
    }
    return framed + slices.interrupt(reason)
  }

  private func unreadable(
    _ value: VendorValue, _ direction: MessageDirection, _ problem: FramingProblem
  ) -> Framed {
    Framed(
      MessageOrigin(value, direction),
      .unreadable(UnreadableMessage(problem, bytes: value.bytes)))
  }

  private func read(_ outcome: Sentinels.Outcome, _ role: Role) -> [Framed] {
    switch outcome {
    case .gap(let gap, let origin): [Framed(origin, .incomplete(gap))]
    case .message(let message): NotifBridgeObjects.read(message, isSecret: role.isSecret)
    }
  }
}
