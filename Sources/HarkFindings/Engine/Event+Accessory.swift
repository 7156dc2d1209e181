import HarkCrypto
import HarkSession

// What rules ask of events again and again.
extension Event {
  /// What a message says, sealed or not.
  var accessoryContents: [AccessoryContent] {
    guard case .accessory(let event) = content else { return [] }
    switch event.content {
    case .plain(let message): return message.contents
    case .message(let message): return message.opened?.decoded.contents ?? []
    default: return []
    }
  }

  /// Nil if it is no message, or one that stays locked.
  var keyUse: KeyUse? {
    guard case .accessory(let event) = content, case .message(let message) = event.content else {
      return nil
    }
    return message.opened?.keyUse
  }

  /// What is said about an audio accessory's configuration: reports of vendors' framings, and the app's calls
  /// of AudioAccessoryKit.
  var configurations: [AccessoryControlDevice.Report] {
    if let app { return app.configuration.map { [$0] } ?? [] }
    return accessoryContents.compactMap { content in
      if case .configuration(let report) = content { report } else { nil }
    }
  }
}

/// The identifier of a receipt. The sender of a message chooses it: both sides of a link may count, and start again on
/// each link.
struct ReceiptID: Hashable, Sendable {
  let link: LinkID?
  /// Of what no link carries.
  let device: DeviceID?
  /// The side that expects the receipt.
  let sender: MessageDirection
  let id: String

  init(_ id: String, expectedBy sender: MessageDirection, _ event: Event) {
    link = event.link
    device = event.link == nil ? event.device : nil
    (self.sender, self.id) = (sender, id.uppercased())
  }
}

/// A notification of one phone on one accessory: another accessory has the same notification with the same identifier.
struct OwnedNotification: Hashable, Sendable {
  let owner: Owner
  let name: String

  init(
    _ id: AccessoryNotification.Identifier, _ event: Event, _ session: borrowing Session
  ) {
    (owner, name) = (Owner(event, session), id.words.text)
  }
}

/// A session. A UUID names the same one everywhere, any other name only one of its device.
struct SessionName: Hashable, Sendable {
  /// Nil also in an app's log, which does not name the device.
  let owner: Owner?
  let id: String

  private init(_ owner: Owner?, _ id: String) { (self.owner, self.id) = (owner, id) }

  init(_ id: String, _ event: Event, _ session: borrowing Session) {
    owner = event.app != nil || TransportMessage.isUUID(id) ? nil : Owner(event, session)
    self.id = id.uppercased()
  }

  /// As an app's log names it.
  var inLogs: SessionName { SessionName(nil, id) }

  /// Whether both may be the same session.
  func matches(_ other: SessionName) -> Bool {
    id == other.id && (owner == other.owner || owner == nil || other.owner == nil)
  }
}

/// The accessory that a line of the app's side names.
enum NamedAccessory: Hashable, Sendable {
  case device(DeviceID)
  /// One whose device the capture does not show, by its address or CoreBluetooth's identifier.
  case other(String)

  init?(_ event: Event, _ session: borrowing Session) {
    if let device = event.device {
      self = .device(session.current(device))
    } else if let name = event.app?.address?.description ?? event.app?[.identifier]?.uppercased() {
      self = .other(name)
    } else {
      return nil
    }
  }
}

/// What a rule knows of each accessory that the app's side and the accessory itself configure. Lines of logs rarely
/// name the accessory: as long as there is only one, they are about that one.
struct AccessoryStates<State: Sendable>: Sendable {
  private struct Entry: Sendable {
    /// Nil if no packet was about it so far.
    var owner: Owner?
    /// Nil if no line named it so far.
    var name: NamedAccessory?
    var state: State

    /// Whether a line named it as a device of the capture.
    var isOfDevice: Bool { if case .device? = name { true } else { false } }
  }

  private static var most: Int { 64 }

  private let fresh: State
  private var entries: [Entry] = []

  init(_ fresh: State) { self.fresh = fresh }

  var indices: Range<Int> { entries.indices }

  subscript(index: Int) -> State {
    get { entries[index].state }
    _modify { yield &entries[index].state }
  }

  /// The states that a report changes. One that names no accessory, if there are several, may be about any: an update
  /// may end each wait, and a registration begins none.
  mutating func places(
    of stated: AccessoryControlDevice.Report, _ event: Event, _ session: borrowing Session
  ) -> [Int] {
    guard event.app != nil else { return [place(of: Owner(event, session), session)] }
    guard let name = NamedAccessory(event, session) else {
      if entries.isEmpty { entries.append(Entry(owner: nil, name: nil, state: fresh)) }
      if entries.count == 1 { return [0] }
      if case .register = stated.event { return [] }
      return Array(entries.indices)
    }
    return [place(of: name, session)]
  }

  private mutating func place(of owner: Owner, _ session: borrowing Session) -> Int {
    for index in entries.indices {
      guard let known = entries[index].owner else { continue }
      if known == owner { return index }
      if let device = known.device {
        if session.current(device) == owner.device { return index }
      } else if let link = known.link,
        owner.device.map({ session.device(of: link) == $0 })
          ?? (session.links[Int(link.index)].closed != nil)
      {
        // Its device is known now, or, as far as is known, it has connected again.
        entries[index].owner = owner
        return index
      }
    }
    if let device = owner.device,
      let index = entries.firstIndex(where: { $0.name == .device(device) })
    {
      entries[index].owner = owner
      return index
    }
    // The only one that no packet was about.
    return claim({ $0.owner = owner }, where: { $0.owner == nil && !$0.isOfDevice })
  }

  private mutating func place(of name: NamedAccessory, _ session: borrowing Session) -> Int {
    if let index = entries.firstIndex(where: { $0.name == name }) { return index }
    if case .device(let device) = name {
      for index in entries.indices
      where entries[index].owner?.device.map({ session.current($0) }) == device {
        entries[index].name = name
        return index
      }
      return claim({ $0.name = name }, where: { $0.owner == nil && $0.name == nil })
    }
    return claim({ $0.name = name }, where: { $0.name == nil })
  }

  /// Changes the only entry for which this `isPossible`, otherwise a new one.
  private mutating func claim(
    _ change: (inout Entry) -> Void, where isPossible: (Entry) -> Bool
  ) -> Int {
    let possible = entries.indices.filter { isPossible(entries[$0]) }
    if possible.count == 1 {
      change(&entries[possible[0]])
      return possible[0]
    }
    if entries.count == Self.most { entries.removeLast() }
    var entry = Entry(owner: nil, name: nil, state: fresh)
    change(&entry)
    entries.append(entry)
    return entries.count - 1
  }
}
