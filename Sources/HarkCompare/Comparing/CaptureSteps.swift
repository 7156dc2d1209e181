import HarkCore
import HarkPresentation
import HarkSession

/// What happened in a capture, device by device. What it keeps is bounded.
public struct CaptureSteps: Sendable {
  /// One device, or this host.
  package struct Party: Sendable {
    package let label: String
    let addresses: Set<BluetoothAddress>
    let isHost: Bool
    var steps: [Step] = []
    /// Steps that are not kept, as there were so many.
    var omitted = 0

    /// Whether its first link was there before the capture began.
    var beginsLate: Bool { links.first == .linkInferred }

    /// When the capture ends, and the last packet at which its clock was set.
    var end: Timestamp?
    var clockStep = PacketID(0)

    /// Whether its last link is still there when the capture ends.
    var endsEarly: Bool { links.last.map { $0 != .linkClosed } ?? false }

    private var links: [Step.Act] {
      steps.map(\.act).filter { [.linkOpened, .linkInferred, .linkClosed].contains($0) }
    }
  }

  public let name: String
  var parties: [Party] = []
  /// Where it was recorded; nil if that is both, or neither.
  private(set) var source: Source?
  private var owners: [Owner: Int] = [:]
  private var gathered: [(owner: Owner, steps: [Step], omitted: Int)] = []

  enum Source: Sendable {
    case host, air
  }

  private enum Owner: Hashable {
    case host
    case device(DeviceID)
    case link(LinkID)
  }

  /// Steps of one device that are compared.
  static let mostSteps = 2_000
  static let mostOwners = 1_000

  public init(_ name: String) { self.name = Timeline.printable(name) }

  /// Takes the session's events since they were last dropped.
  public mutating func take(_ session: borrowing Session) {
    for event in session.events {
      guard Step.isStep(event), let place = place(of: event) else { continue }
      guard gathered[place].steps.count < Self.mostSteps else {
        gathered[place].omitted += 1
        continue
      }
      guard let step = Step(event, session) else { continue }
      if let last = gathered[place].steps.last, last.isRepeated(by: step) { continue }
      gathered[place].steps.append(step)
    }
  }

  private mutating func place(of event: Event) -> Int? {
    let owner = event.device.map(Owner.device) ?? event.link.map(Owner.link) ?? .host
    if let place = owners[owner] { return place }
    guard gathered.count < Self.mostOwners else { return nil }
    owners[owner] = gathered.count
    gathered.append((owner, [], 0))
    return gathered.count - 1
  }

  /// Call it after the last event: links and devices may have turned out to be others.
  public mutating func finish(_ session: borrowing Session) {
    source = Self.source(of: session)
    var partyAt: [Owner: Int] = [:]
    let ends = Set(gathered.flatMap { $0.steps.map(\.frames.last.number) })
    for (owner, gatheredSteps, omitted) in gathered {
      var steps = gatheredSteps
      for index in steps.indices { steps[index].measure(session, ends) }
      let owner = Self.current(owner, session)
      let index = partyAt[owner] ?? parties.count
      if partyAt.updateValue(index, forKey: owner) == nil {
        parties.append(Self.party(owner, session))
      }
      parties[index].steps += steps
      parties[index].omitted += omitted
    }
    for index in parties.indices {
      parties[index].steps.sort { $0.frames.last < $1.frames.last }
      parties[index].omitted += max(0, parties[index].steps.count - Self.mostSteps)
      parties[index].steps = Array(parties[index].steps.prefix(Self.mostSteps))
      (parties[index].end, parties[index].clockStep) = (
        session.counts.lastTime, session.lastClockStep
      )
    }
    (gathered, owners) = ([], [:])
  }

  private static func source(of session: borrowing Session) -> Source? {
    let counts = session.counts.kinds
    let kinds = PacketKind.allCases.filter { counts[Int($0.rawValue)] > 0 }
    let isHeard = kinds.contains(where: \.isAir)
    let isOfHost = kinds.contains { [.command, .event, .acl, .sco, .iso].contains($0) }
    return isHeard == isOfHost ? nil : isHeard ? .air : .host
  }

  /// Leaves out all devices but that of a name or address, in whatever case.
  /// - Returns: False if there is none; then nothing is left out.
  public mutating func keepOnly(_ device: String) -> Bool {
    let wanted = device.lowercased()
    let some = parties.filter { party in
      !party.isHost
        && ([party.label, Device.name(ofLabel: party.label)].contains { $0.lowercased() == wanted }
          || party.addresses.contains { $0.description.lowercased() == wanted })
    }
    guard !some.isEmpty else { return false }
    parties = some
    return true
  }

  /// The devices, as they may be named.
  public var devices: [String] { parties.filter { !$0.isHost }.map(\.label) }

  private static func current(_ owner: Owner, _ session: borrowing Session) -> Owner {
    var owner = owner
    if case .link(let link) = owner, let device = session.device(of: link) {
      owner = .device(device)
    }
    while case .device(let device) = owner,
      let kept = session.devices[Int(device.index)].mergedInto
    {
      owner = .device(kept)
    }
    return owner
  }

  private static func party(_ owner: Owner, _ session: borrowing Session) -> Party {
    switch owner {
    case .host: return Party(label: "this host", addresses: [], isHost: true)
    case .device(let id):
      let device = session.devices[Int(id.index)]
      return Party(
        label: Timeline.printable(device.label), addresses: Set(device.addresses), isHost: false)
    case .link(let id):
      return Party(
        label: Timeline.printable(session.label(of: id)), addresses: [], isHost: false)
    }
  }
}
