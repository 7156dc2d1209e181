import HarkCore
import HarkSession

/// The names of links in the list of packets: their devices, or else their handles. Writers read them here instead
/// of in the session, so that they can write while the session reads on.
public struct LinkNames: Sendable {
  struct Name: Sendable {
    /// Nil if the device is unknown: then `text` is the link's own name.
    let device: DeviceID?
    let text: String
  }

  /// By the index of the link; nil for links that no packet has needed yet.
  private var names: [Name?] = []
  private var changes = 0
  /// Increases when a link may have another name than before: writers then discard what they derived.
  private(set) var generation = 0

  public init() {}

  /// Whether `add` changes no name.
  public func agrees(with session: borrowing Session, on link: LinkID?) -> Bool {
    guard changes == session.nameChanges else { return names.isEmpty }
    guard let link, Int(link.index) < names.count, let name = names[Int(link.index)] else {
      return true
    }
    return name.device == session.device(of: link)
  }

  /// Looks up the name of the link of a packet that `session` has indexed last.
  public mutating func note(_ link: LinkID?, _ session: borrowing Session) {
    if !agrees(with: session, on: link) { forget() }
    add(link, session)
  }

  /// Discards all names.
  public mutating func forget() {
    names.removeAll(keepingCapacity: true)
    generation += 1
  }

  /// The same as `note` after `agrees` or `forget`.
  public mutating func add(_ link: LinkID?, _ session: borrowing Session) {
    changes = session.nameChanges
    guard let link else { return }
    let index = Int(link.index)
    while names.count <= index { names.append(nil) }
    if names[index] == nil { names[index] = Self.name(link, session) }
  }

  subscript(link: LinkID) -> Name? {
    Int(link.index) < names.count ? names[Int(link.index)] : nil
  }

  private static func name(_ link: LinkID, _ session: borrowing Session) -> Name {
    if let device = session.device(of: link) {
      return Name(device: device, text: session.devices[Int(device.index)].label)
    }
    let link = session.links[Int(link.index)]
    if link.peerName != nil { return Name(device: nil, text: link.label) }
    let kind = link.hasHandle ? "handle " : ""
    return Name(device: nil, text: kind + link.designation)
  }
}
