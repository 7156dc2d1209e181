import HarkCore
import HarkCrypto
import HarkLayout
import HarkSession

/// A vendor's protocol as a file describes it: its channels, how messages are put together, and
/// what they mean. Made by `Profile.load`; used through `framing`. Immutable.
public final class Profile: Sendable {
  public let id: String
  /// For people: `Pebble`.
  public let name: String
  public let documentation: String
  /// The GATT service that it is recognised by.
  public let service: BluetoothUUID?
  /// What its author should know though it works.
  public let warnings: [Diagnostic]

  let channels: [Channel]
  let places: [VendorChannel: Int]
  let plaintexts: [Plaintext]

  init(
    id: String, name: String, documentation: String, service: BluetoothUUID?,
    warnings: [Diagnostic], channels: [Channel], plaintexts: [Plaintext]
  ) {
    (self.id, self.name, self.documentation) = (id, name, documentation)
    (self.service, self.warnings) = (service, warnings)
    (self.channels, self.plaintexts) = (channels, plaintexts)
    var places: [VendorChannel: Int] = [:]
    for (place, channel) in channels.enumerated() { places[channel.channel] = place }
    self.places = places
  }

  public var framing: any VendorFraming { ProfileFraming(self) }

  /// A channel and what passes there. A class, as it is looked at with each value.
  final class Channel: Sendable {
    let channel: VendorChannel
    /// Which way its messages go; nil where each side sends.
    let direction: MessageDirection?
    /// Whether private keys pass, so that nothing of what cannot be read is kept.
    let isSecret: Bool
    /// The most bytes of a value that the receiver takes.
    let longest: Int?
    let wrapper: Wrapper?
    let assembly: Assembly
    let contents: Contents

    init(
      channel: VendorChannel, direction: MessageDirection?, isSecret: Bool, longest: Int?,
      wrapper: Wrapper?, assembly: Assembly, contents: Contents
    ) {
      (self.channel, self.direction, self.isSecret) = (channel, direction, isSecret)
      (self.longest, self.wrapper) = (longest, wrapper)
      (self.assembly, self.contents) = (assembly, contents)
    }
  }

  /// What precedes single values: they are taken without it.
  struct Wrapper: Sendable {
    var prefix: [UInt8]
    /// Bytes, the prefix included.
    var size: Int
  }

  /// How a message is read, and what it may be; the first rule that holds.
  struct Contents: Sendable {
    var encoding: Encoding
    var rules: [Rule]
  }

  struct Plaintext: Sendable {
    /// Nil for both.
    var direction: MessageDirection?
    /// Whether passwords pass, so that its bytes are not shown.
    var isSecret: Bool
    var contents: Contents
  }
}

/// How values make messages.
enum Assembly: Sendable {
  /// Each value is one, or says itself which part of one it is.
  case none
  /// What stands between two values.
  case sentinels(start: [UInt8], end: [UInt8])
  /// Of a stream: so many bytes tell how many a message has, those included.
  case length(header: Int, encoding: Encoding, total: Formula)
  /// Of a stream, by Consistent Overhead Byte Stuffing: a zero ends a message.
  case cobs
  /// Of a stream, by RFC 1055.
  case slip
}

/// `when` something holds, a message `is` something. A class, as it is looked at with each message.
final class Rule: Sendable {
  /// Different for each rule of a profile.
  let number: Int
  let when: Formula?
  let kind: Kind
  let suite: CipherSuite?
  /// Whether a key of another size than its suite's makes the message unreadable.
  let needsExactSize: Bool
  /// Whether it also says what a message is that was not read to its end.
  let takesPart: Bool
  let members: [Member: Formula]
  /// When a member of a configuration is said to be no more.
  let cleared: [Member: Formula]
  /// Of the addresses in a configuration.
  let addressOrder: AccessoryControlDevice.AddressOrder?
  let lists: [ItemList: Items]
  /// Of what is inside.
  let contents: Profile.Contents?

  init(
    number: Int, when: Formula?, kind: Kind, suite: CipherSuite?, needsExactSize: Bool,
    takesPart: Bool, members: [Member: Formula], cleared: [Member: Formula],
    addressOrder: AccessoryControlDevice.AddressOrder?, lists: [ItemList: Items],
    contents: Profile.Contents?
  ) {
    (self.number, self.when, self.kind) = (number, when, kind)
    (self.suite, self.needsExactSize, self.takesPart) = (suite, needsExactSize, takesPart)
    (self.members, self.cleared, self.addressOrder) = (members, cleared, addressOrder)
    (self.lists, self.contents) = (lists, contents)
  }

  struct Items: Sendable {
    var each: Formula
    var when: Formula?
    var members: [Member: Formula]
  }
}

extension Profile.Contents {
  enum Choice {
    case rule(Rule)
    /// No rule holds; `isUndecided` where one could not be decided.
    case none(isUndecided: Bool)
  }

  func choose(_ evaluator: inout Evaluator) -> Choice {
    var isUndecided = false
    for rule in rules {
      guard let when = rule.when else { return .rule(rule) }
      switch evaluator.value(when).bool {
      case true: return .rule(rule)
      case false: break
      case nil: isUndecided = true
      }
    }
    return .none(isUndecided: isUndecided)
  }
}
