import HarkSession

/// What the two sides of a link are called: HCI is recorded at one of them, and the air is told from the
/// Central's side.
struct Sides {
  /// `this host`, `the Central`
  let host: StaticString
  /// `this host's`, `the Central's`
  let hosts: StaticString
  /// `peer`, `Peripheral`
  let peer: StaticString
  /// `the peer`, `the Peripheral`
  let thePeer: StaticString

  let isAir: Bool

  init(of event: Event, _ session: borrowing Session) {
    isAir = event.link.map { session.links[Int($0.index)].air != nil } ?? false
    (host, hosts) = isAir ? ("the Central", "the Central's") : ("this host", "this host's")
    (peer, thePeer) = isAir ? ("Peripheral", "the Peripheral") : ("peer", "the peer")
  }
}
