import HarkCore

/// The periodic advertising trains that controllers send and follow. Only a digest of their data is kept.
struct PeriodicTrains: Sendable {
  struct Key: Hashable, Sendable {
    let controller: UInt16
    /// The Sync_Handle, or the Advertising_Handle.
    let number: UInt16
  }

  /// A train that a controller follows.
  struct Followed: Sendable {
    var device: DeviceID?
    var data = Digest()
    /// The content of the last BIGInfo.
    var group: PeriodicEvent.Group?
    var reports = 0
    var truncated = 0
    /// Subevents whose PDU the controller missed.
    var notReceived = 0
    var unreported = 0
    /// A bit for each subevent received.
    var subevents: (low: UInt64, high: UInt64) = (0, 0)

    var account: PeriodicEvent.Account {
      PeriodicEvent.Account(
        reports: reports, truncated: truncated, notReceived: notReceived, unreported: unreported,
        subevents: (0..<UInt8(128)).filter {
          ($0 < 64 ? subevents.low : subevents.high) >> UInt64($0 & 63) & 1 == 1
        })
    }
  }

  /// A train that this host sends.
  struct Own: Sendable {
    var parameters: PeriodicEvent.Parameters?
    /// Nil if the capture does not show it.
    var isOn: Bool?
    var data = Digest()
    /// The fragments of data that is not complete yet; nil if its beginning is unknown.
    var fragments: [UInt8]?
    var requests = 0
    var heard = 0
    var missing = 0
  }

  /// Whether data is unchanged, as advertisers repeat it for minutes: parts are combined as numbers, not as bytes.
  struct Digest: Sendable {
    private(set) var count = 0
    private(set) var changes = 0
    private var isBegun = false
    private var digest = FNV1a()
    private var last: UInt64?

    /// Whether the next part is not the first one.
    var isInParts: Bool { isBegun }

    mutating func add(_ part: RawSpan) {
      if !isBegun { (digest, count, isBegun) = (FNV1a(), 0, true) }
      digest.add(part, 0..<part.byteCount)
      count += part.byteCount
    }

    /// Forgets the received parts.
    mutating func discard() { isBegun = false }

    /// Ends the data; returns whether it differs from the previous data.
    mutating func isChanged() -> Bool {
      isBegun = false
      guard last != digest.value else { return false }
      last = digest.value
      changes += 1
      return true
    }
  }

  /// Hostile captures name any number of trains: beyond a limit, all are forgotten.
  static let most = 1_024
  /// A sensor's reports all differ: only a limited number of changes per train is reported.
  static let mostChanges = 8

  var followed: [Key: Followed] = [:]
  var own: [Key: Own] = [:]
  /// The train that led to a broadcast group, by the BIG_Handle.
  var groups: [Key: Key] = [:]

  mutating func follow(_ key: Key, _ device: DeviceID?) {
    if followed.count >= Self.most { followed = [:] }
    followed[key] = Followed(device: device)
  }

  mutating func makeRoom(forOwn key: Key) {
    if own.count >= Self.most { own = [:] }
    if own[key] == nil { own[key] = Own() }
  }
}
