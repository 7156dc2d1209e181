import HarkCrypto
import HarkSession

extension Profile {
  /// What passes at one place, for people.
  public struct Outline: Sendable {
    /// What a message may be. Those inside of it follow, one deeper.
    public struct Message: Hashable, Sendable {
      /// The value of `is`.
      public let kind: String
      public let depth: Int
      /// How what is inside is read; nil if it holds nothing.
      public let encoding: String?
    }

    /// Nil for what is inside of sealed messages.
    public let channel: VendorChannel?
    /// Nil if it passes both ways.
    public let direction: MessageDirection?
    /// Whether private keys pass.
    public let isSecret: Bool
    /// How values make messages; nil if each is one.
    public let assembly: String?
    public let encoding: String
    public let messages: [Message]
  }

  /// Its channels, and then what is sealed.
  public var outlines: [Outline] {
    channels.map { channel in
      Outline(
        channel: channel.channel, direction: channel.direction, isSecret: channel.isSecret,
        assembly: channel.assembly.title, encoding: channel.contents.encoding.title,
        messages: channel.contents.outline(depth: 0))
    }
      + plaintexts.map { plaintext in
        Outline(
          channel: nil, direction: plaintext.direction, isSecret: false, assembly: nil,
          encoding: plaintext.contents.encoding.title,
          messages: plaintext.contents.outline(depth: 0))
      }
  }
}

extension Profile.Contents {
  /// Each kind once.
  fileprivate func outline(depth: Int) -> [Profile.Outline.Message] {
    var messages: [Profile.Outline.Message] = []
    for rule in rules {
      let message = Profile.Outline.Message(
        kind: rule.kind.rawValue, depth: depth, encoding: rule.contents?.encoding.title)
      guard rule.contents != nil || !messages.contains(message) else { continue }
      messages.append(message)
      messages += rule.contents?.outline(depth: depth + 1) ?? []
    }
    return messages
  }
}

extension Assembly {
  fileprivate var title: String? {
    switch self {
    case .none: nil
    case .sentinels: "sentinels"
    case .length: "length"
    case .sequence: "sequence"
    case .cobs: "COBS"
    case .slip: "SLIP"
    case .lines: "lines"
    case .terminator: "terminator"
    }
  }
}

extension Encoding {
  var title: String {
    switch self {
    case .layout(let source, let type):
      [source.layout.id, source.layout.name(ofType: type)].filter { !$0.isEmpty }
        .joined(separator: "::")
    case .json: "JSON"
    case .cbor: "CBOR"
    case .propertyList: "property list"
    case .opack: "OPACK"
    case .messagePack: "MessagePack"
    case .protobuf(let schema, let type):
      ["Protocol Buffers", schema?.name(ofType: type) ?? ""].filter { !$0.isEmpty }
        .joined(separator: " ")
    case .raw: "raw"
    }
  }
}
