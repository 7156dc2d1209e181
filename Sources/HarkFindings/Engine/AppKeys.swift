import HarkCore
import HarkCrypto
import HarkSession

/// A `SecurityMessage` as the app's side logs it: its size, not its key.
struct ReportedKey: Sendable {
  let type: SecurityMessage.KeyType
  let suite: CipherSuite?
  /// In bytes.
  let size: Int?
  /// Whether it is of a suite that hark does not know.
  var isOfOtherSuite = false

  /// Bytes that `SecurityMessage.key` has.
  static func size(_ type: SecurityMessage.KeyType, _ suite: CipherSuite) -> Int {
    type == .publicKey ? suite.publicKeySize : suite.encapsulatedKeySize
  }

  /// The right size; nil if the size is right, or not logged.
  var expectedSize: String? {
    guard let size, !isOfOtherSuite else { return nil }
    if let suite {
      let right = Self.size(type, suite)
      return size == right ? nil : "\(right) bytes"
    }
    let sizes = [CipherSuite.xWing, .p256].map { Self.size(type, $0) }
    return sizes.contains(size)
      ? nil : "\(sizes[0]) bytes (X-Wing) or \(sizes[1]) (P-256)"
  }
}

extension AppEvent {
  var key: ReportedKey? {
    guard kind == .securityMessage,
      let type = self[.keyType].flatMap(SecurityMessage.KeyType.init)
    else { return nil }
    let suite = self[.cipherSuite].flatMap { CipherSuite(spelling: $0) }
    return ReportedKey(
      type: type, suite: suite, size: self[.size].flatMap { Int($0) },
      isOfOtherSuite: suite == nil && self[.cipherSuite] != nil)
  }

  /// The writer of the line: lines of one writer belong to one exchange.
  var reporter: String { self[.bundle] ?? process ?? origin.file }
}

/// Public keys in the app's logs, until an encapsulated key answers them.
struct ReportedExchange: Sendable {
  struct Unanswered: Sendable {
    let place: Place
    let app: AppEvent
  }

  private static let most = 64
  private var pending: [String: Unanswered] = [:]
  /// Whether a key or a message of an exchange came from anywhere: later public keys may be those of
  /// an exchange that is done.
  private var isAnswered = false

  /// - Returns: What was not answered in time, where its own log continues afterwards.
  mutating func take(_ event: Event, waitLimit: Int64) -> Unanswered? {
    guard let app = event.app else {
      if case .accessory(let accessory) = event.content {
        switch accessory.content {
        case .encapsulatedKey, .message: answer()
        default: break
        }
      }
      return nil
    }
    switch (app.kind, app.key?.type) {
    case (_, .encapsulatedKey?), (.transportMessage, _): answer()
    case (_, .publicKey?):
      if !isAnswered, pending[app.reporter] == nil, pending.count < Self.most {
        pending[app.reporter] = Unanswered(place: Place(event), app: app)
        return nil
      }
    default: break
    }
    guard let waiting = pending[app.reporter], event.time.since(waiting.place.time) >= waitLimit
    else { return nil }
    pending[app.reporter] = nil
    return waiting
  }

  private mutating func answer() {
    isAnswered = true
    pending = [:]
  }

  /// What can no longer be known.
  var rest: [Place] { pending.values.map(\.place) }
}
