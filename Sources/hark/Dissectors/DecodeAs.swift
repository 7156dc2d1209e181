import ArgumentParser
import HarkCore
import HarkDissection
import HarkProfile
import HarkSession
import Synchronization

/// `--decode-as 'handle 0x0864 = acme_frame'`: how an attribute or a channel is read in this run.
struct DecodeAs {
  static let option = "--decode-as"

  let text: String
  let place: Place
  /// The id of a layout or profile, or a UUID.
  let target: String

  enum Place {
    case handle(UInt16)
    case cid(UInt16)
    case psm(UInt16)
    case uuid(BluetoothUUID)

    /// Nil for a channel that nothing attaches to.
    init?(_ channel: VendorChannel) {
      switch channel {
      case .characteristic(let uuid): self = uuid.handle.map { .handle($0) } ?? .uuid(uuid)
      // Lower ones have their own protocols. Core Specification, Vol 3, Part A, 2.1
      case .cid(let cid) where cid >= 8: self = .cid(cid)
      case .psm(let psm): self = .psm(psm)
      default: return nil
      }
    }

    /// Where a layout attaches.
    var points: [AttachmentPoint] {
      switch self {
      case .handle(let handle): [.handle(handle)]
      case .cid(let cid): [.channel(cid)]
      case .psm(let psm): [.psm(psm)]
      case .uuid(let uuid): [.attribute(uuid), .service(uuid)]
      }
    }

    /// The same for a profile.
    var channels: [VendorChannel] {
      switch self {
      case .handle(let handle): [.handle(handle)]
      case .cid(let cid): [.cid(cid)]
      case .psm(let psm): [.psm(psm)]
      case .uuid(let uuid): [.characteristic(uuid), .service(uuid)]
      }
    }
  }

  struct Problem: Error, CustomStringConvertible {
    let description: String
  }

  private static let kinds = ["handle", "cid", "psm", "uuid"]

  /// - Throws: `Problem`.
  init(_ text: String) throws {
    self.text = text
    let sides = text.split(separator: "=", maxSplits: 1).map {
      $0.split(whereSeparator: { $0 == " " || $0 == ":" }).map(String.init)
    }
    guard sides.count == 2, sides[0].count == 2, sides[1].count == 1 else {
      throw Problem(
        description: "'\(text)' is not written as 'handle 0x0864 = LAYOUT'; in place of handle: "
          + Self.kinds.dropFirst().joined(separator: ", "))
    }
    let kind = ChannelSelector.kind(sides[0][0])
    guard Self.kinds.contains(kind) else {
      let nearest = MissingCommand.nearest(to: kind, among: Self.kinds)
      throw Problem(
        description: "'\(kind)' is not a place to attach to; "
          + (nearest.map { "did you mean '\($0)'?" }
            ?? "expected \(Self.kinds.joined(separator: ", "))"))
    }
    let channel = try ChannelSelector.channel(kind, sides[0][1])
    guard let place = Place(channel) else {
      throw Problem(
        description: "'\(sides[0][1])' is the CID of a channel that has its own protocol; expected "
          + "a number from 8 to 65535, such as 0x0864")
    }
    self.place = place
    target = sides[1][0]
  }

  // MARK: Those of the command line

  /// What the command line asks for. Ends the program where that cannot be read.
  static let all: [DecodeAs] = {
    do {
      return try texts(in: CommandLine.arguments).map { try DecodeAs($0) }
    } catch {
      refuse("\(error)")
    }
  }()

  private static func texts(in arguments: [String]) -> [String] {
    var found: [String] = []
    for (argument, next) in zip(arguments, arguments.dropFirst() + [""]) {
      if argument == option { found.append(next) }
      if argument.hasPrefix(option + "=") {
        found.append(String(argument.dropFirst(option.count + 1)))
      }
    }
    return found
  }

  private static func refuse(_ complaint: String) -> Never {
    // `hark show`, or `hark dissectors try`.
    let words = CommandLine.arguments.dropFirst()
    let command = words.prefix(words.first == "dissectors" ? 2 : 1).joined(separator: " ")
    CommandLineMistake.refuse("\(option): \(complaint)", see: "hark \(command) --help")
  }

  /// Where the layout called `id` attaches, besides its own places.
  static func places(of id: String) -> [AttachmentPoint] {
    all.filter { $0.target == id }.flatMap(\.place.points)
  }

  // MARK: What comes of them

  private static let resolved = Mutex<(places: AssignedPlaces, profiles: [Profile])>(
    (AssignedPlaces(), []))

  /// The attributes and channels that they name.
  static var assigned: AssignedPlaces { resolved.withLock { $0.places } }

  /// The profiles that they name, with the channels that they add to them.
  static var profiles: [Profile] { resolved.withLock { $0.profiles } }

  /// Finds what they name, once layouts and profiles are loaded. Ends the program where there is no such thing.
  static func resolve() {
    guard !all.isEmpty else { return }
    var places = AssignedPlaces()
    var channels: [String: [VendorChannel]] = [:]
    for one in all {
      if let uuid = BluetoothUUID(written: one.target), !isKnown(one.target) {
        guard case .handle(let handle) = one.place else {
          refuse("'\(one.text)': a UUID is the type of an attribute, so it needs handle")
        }
        places.types[handle] = uuid
        continue
      }
      switch one.place {
      case .handle(let handle): places.types[handle] = BluetoothUUID(handle: handle)
      case .cid(let cid): places.cids.insert(cid)
      case .psm, .uuid: break
      }
      if profile(one.target) != nil {
        channels[one.target, default: []] += one.place.channels
      } else if !Dissectors.all.contains(where: { $0.layout.id == one.target }) {
        refuse(unknown(one.target))
      }
    }
    let profiles = channels.sorted { $0.key < $1.key }.compactMap { id, channels in
      profile(id).map { attach($0, channels) }
    }
    let found = (places, profiles)
    resolved.withLock { $0 = found }
  }

  private static func isKnown(_ id: String) -> Bool {
    Dissectors.all.contains { $0.layout.id == id } || profile(id) != nil
  }

  private static func profile(_ id: String) -> Profile? {
    Dissectors.profiles.last { $0.profile.id == id }?.profile
      ?? Profile.bundled.first { $0.id == id }
  }

  private static func attach(_ profile: Profile, _ channels: [VendorChannel]) -> Profile {
    if let wider = profile.attached(at: channels) { return wider }
    let own = profile.framing.channels.map(\.described).joined(separator: ", ")
    refuse(
      "the profile \(profile.id) has several channels (\(own)): choose the characteristic "
        + "of an attribute, as in 'handle 0x0864 = UUID'")
  }

  // MARK: Completion

  /// What an argument that begins with `prefix` may continue with.
  static func completions(of prefix: String) -> [String] {
    kinds.map { "\($0) " }.filter { $0.hasPrefix(prefix) }
  }

  private static func unknown(_ id: String) -> String {
    let layouts = Dissectors.all.map(\.layout.id) + Dissectors.unattached
    let known = layouts + (Dissectors.profiles.map(\.profile) + Profile.bundled).map(\.id)
    let names = Array(Set(known)).sorted()
    if let nearest = MissingCommand.nearest(to: id, among: names) {
      return "no layout or profile is called '\(id)'; did you mean '\(nearest)'?"
    }
    return "no layout or profile is called \(id); name its folder with \(Dissectors.option) "
      + "(known: \(names.joined(separator: ", ")))"
  }
}
