/// The names of the two sides of a link: HCI is recorded on one of them, and over-the-air captures are shown from the
/// Central's side.
package struct Sides {
  /// `this host`, `the Central`
  package let host: StaticString
  /// `this host's`, `the Central's`
  package let hosts: StaticString
  /// `peer`, `Peripheral`
  package let peer: StaticString
  /// `the peer`, `the Peripheral`
  package let thePeer: StaticString

  package let isAir: Bool

  package init(of event: Event, _ session: borrowing Session) {
    isAir = event.link.map { session.links[Int($0.index)].air != nil } ?? false
    (host, hosts) = isAir ? ("the Central", "the Central's") : ("this host", "this host's")
    (peer, thePeer) = isAir ? ("Peripheral", "the Peripheral") : ("peer", "the peer")
  }
}
