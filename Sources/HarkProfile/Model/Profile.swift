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
  /// The GATT service that it is recognized by.
  public let service: BluetoothUUID?
  /// What its author should know though it works.
  public let warnings: [Diagnostic]

  let channels: [Channel]
  let places: [VendorChannel: Int]
  let plaintexts: [Plaintext]
  /// What members are called that hold private keys: no unreadable message with such a name in it
  /// is shown.
  let secretNames: [[UInt8]]

  init(
    id: String, name: String, documentation: String, service: BluetoothUUID?,
    warnings: [Diagnostic], channels: [Channel], plaintexts: [Plaintext], secretNames: Set<String>
  ) {
    (self.id, self.name, self.documentation) = (id, name, documentation)
    (self.service, self.warnings) = (service, warnings)
    (self.channels, self.plaintexts) = (channels, plaintexts)
    var places: [VendorChannel: Int] = [:]
    for (place, channel) in channels.enumerated() { places[channel.channel] = place }
    self.places = places
    self.secretNames = secretNames.sorted().map { Array($0.utf8) }
  }

  /// The same, which reads other channels over Bluetooth as its only one, too; nil if it has several.
  public func attached(at places: [VendorChannel]) -> Profile? {
    let candidates = channels.filter { !$0.channel.isOverNetwork }
    guard candidates.count == 1, let own = candidates.first else { return nil }
    return Profile(
      id: id, name: name, documentation: documentation, service: service, warnings: warnings,
      channels: channels + places.filter { $0 != own.channel }.map { Channel(own, at: $0) },
      plaintexts: plaintexts,
      secretNames: Set(secretNames.map { String(decoding: $0, as: UTF8.self) }))
  }

  public var framing: any VendorFraming { ProfileFraming(self) }

  /// A channel and what passes there. A class, as it is looked at with each value.
  final class Channel: Sendable {
    let channel: VendorChannel
    /// Which way its messages go; nil if each side sends.
    let direction: MessageDirection?
    /// Whether private keys pass, so that nothing that cannot be read is kept.
    let isSecret: Bool
    /// The most bytes of a value that the receiver takes.
    let longest: Int?
    let wrapper: Wrapper?
    /// What confirms wrapped values, of whatever channel.
    let receipts: Receipt?
    let assembly: Assembly
    let contents: Contents
    /// Whether a layout marks keys in its messages, or in what is inside of them.
    let holdsKeys: Bool
    /// Whether no bytes of its values are shown: a value may contain a part of a key, or a layout other than the
    /// one that marks the keys may read it.
    let hidesValues: Bool

    init(
      channel: VendorChannel, direction: MessageDirection?, isSecret: Bool, longest: Int?,
      wrapper: Wrapper?, receipts: Receipt?, assembly: Assembly, contents: Contents
    ) {
      (self.channel, self.direction, self.isSecret) = (channel, direction, isSecret)
      (self.longest, self.wrapper, self.receipts) = (longest, wrapper, receipts)
      (self.assembly, self.contents) = (assembly, contents)
      holdsKeys = contents.marksKeys || contents.marksKeysInside || assembly.marksKeys
      let isWhole = if case .none = assembly { wrapper == nil } else { false }
      let isMarked =
        isWhole && !contents.marksKeysInside && contents.encoding.isAttached(to: channel)
      hidesValues = isSecret || holdsKeys && !isMarked
    }

    /// What passes at another place in the same way.
    convenience init(_ other: Channel, at channel: VendorChannel) {
      self.init(
        channel: channel, direction: other.direction, isSecret: other.isSecret,
        longest: other.longest, wrapper: other.wrapper, receipts: other.receipts,
        assembly: other.assembly, contents: other.contents)
    }
  }

  /// What precedes single values: they are taken without it.
  struct Wrapper: Sendable {
    var prefix: [UInt8]
    /// Bytes, the prefix included.
    var size: Int
    /// What its receipt repeats, of its bytes; nil if no receipt comes.
    var id: Formula?
  }

  /// A value that is no message and confirms a wrapped one.
  struct Receipt: Sendable {
    var prefix: [UInt8]
    /// Bytes, all of them.
    var size: Int
    var id: Formula
  }

  struct Plaintext: Sendable {
    /// Nil for both.
    var direction: MessageDirection?
    /// Whether passwords pass, so that its bytes are not shown.
    var isSecret: Bool
    /// Whether it is for these bytes.
    var when: Formula?
    var contents: Contents

    /// Whether a password or a key may be in it.
    var mayBeSecret: Bool { isSecret || contents.marksKeys || contents.marksKeysInside }
  }
}

/// How values make messages.
enum Assembly: Sendable {
  /// Each value is one, or says itself which part of one it is.
  case none
  /// What is between two values.
  case sentinels(start: [UInt8], end: [UInt8])
  /// Of a stream: this many bytes determine the length of a message, including themselves.
  case length(header: Int, encoding: Encoding, total: Formula)
  /// What numbered values hold.
  case sequence(FragmentSequence)
  /// Of a stream, by Consistent Overhead Byte Stuffing: a zero ends a message.
  case cobs
  /// Of a stream, by RFC 1055.
  case slip
  /// Of a stream: a line feed ends a message, also with a carriage return before it; empty lines are none.
  case lines
  /// Of a stream: these bytes end a message.
  case terminator([UInt8])
}
