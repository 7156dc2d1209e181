import HarkCore
import HarkSession

struct ClassicOnlyBond: Rule {
  static let about = RuleDescription(
    id: "link.classic-only-bond", title: "The bond covers BR/EDR only",
    severity: .warning, needs: .pairing,
    meaning:
      "The LE link to the same device stays unencrypted: features that need an LE bond, "
      + "such as ANCS, never work, although the device appears connected.",
    source:
      "Core Specification, Vol 3, Part H, 2.4.2.5 (cross-transport key derivation); Vol 3, Part "
      + "C, 14.1",
    fix:
      "Pair over LE, or derive the LTK across the transports: this requires Secure "
      + "Connections on BR/EDR (a P-256 link key) and pairing over the BR/EDR SMP channel.")
  static let wants: Set<Event.Family> = [.link, .security]

  private struct Bonds {
    var brEDR: Place?
    var isCrossTransport = false
    /// An LE link that was never encrypted.
    var plain: Place?
    var isEncryptedOnLE = false
    /// Whether the LE address is one that changes, and no key resolves it.
    var isUnresolved = false
  }

  private var bonds: [Owner: Bonds] = [:]
  private static let most = 1024

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    let isRelevant =
      switch event.content {
      case .security(.pairing(.linkKey)), .security(.pairing(.requested)),
        .security(.pairing(.complete)), .link(.opened):
        true
      case .security(.encryption(let encryption)): encryption.isOn
      default: false
      }
    guard isRelevant else { return }
    let owner = Owner(event, session)
    guard bonds[owner] != nil || bonds.count < Self.most else { return }
    switch (event.content, session.link(event)?.transport) {
    case (.security(.pairing(.linkKey)), _): bonds[owner, default: Bonds()].brEDR = Place(event)
    case (.security(.pairing(.requested)), .brEDR?):
      bonds[owner, default: Bonds()].isCrossTransport = true
    case (.link(.opened), .le?):
      if bonds[owner]?.plain == nil {
        bonds[owner, default: Bonds()].plain = Place(event)
        // Phones connect from such addresses, and without a bond over LE no one has their IRK.
        bonds[owner]?.isUnresolved = session.link(event)?.peer?.isResolvablePrivate ?? false
      }
    case (.security(.encryption), .le?), (.security(.pairing(.complete)), .le?):
      bonds[owner, default: Bonds()].isEncryptedOnLE = true
    default: break
    }
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    for bond in bonds.values {
      guard let brEDR = bond.brEDR, let plain = bond.plain, !bond.isCrossTransport,
        !bond.isEncryptedOnLE
      else { continue }
      var place = plain
      place.frames = Array(Set(plain.frames + brEDR.frames).sorted().prefix(Place.mostFrames))
      report.missing(
        place,
        observed: "a link key over BR/EDR, but no LE key, and an LE link without encryption",
        expected: "an LTK derived from the link key, or pairing over LE", confidence: .possible)
    }
    judgeUnresolved(&report)
  }

  /// The device of a bond over BR/EDR may be the one that connected over LE from an address that is
  /// of no known device.
  private func judgeUnresolved(_ report: inout RuleReport) {
    let isBonded = bonds.values.contains {
      $0.brEDR != nil && !$0.isCrossTransport && !$0.isEncryptedOnLE && $0.plain == nil
    }
    guard isBonded else { return }
    for bond in bonds.values where bond.isUnresolved && bond.brEDR == nil && !bond.isEncryptedOnLE {
      guard let plain = bond.plain else { continue }
      report.cannotTell(
        plain,
        "an LE link without encryption from an address that cannot be resolved: it may belong to the device "
          + "with the BR/EDR bond, which its IRK would show")
    }
  }
}
