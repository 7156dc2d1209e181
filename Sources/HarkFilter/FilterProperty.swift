import HarkCore

/// What a filter can ask besides the fields of protocols: of a packet, or of an event of the
/// timeline and its packets.
public enum FilterProperty: String, CaseIterable, Sendable {
  case number = "frame.number"
  case time = "frame.time"
  case timeRelative = "frame.time_relative"
  case timeDelta = "frame.time_delta"
  case kind = "frame.kind"
  case direction = "frame.direction"
  case directionInferred = "frame.direction_inferred"
  case length = "frame.length"
  case originalLength = "frame.original_length"
  case controller = "frame.controller"
  case link = "frame.link"
  case channel = "frame.channel"
  case device = "frame.device"
  /// What `--device` asks for besides: advertising has no link.
  case address = "frame.address"
  case airChannel = "frame.air_channel"
  case related = "frame.related"
  case fragments = "frame.fragments"
  case malformed = "frame.malformed"
  /// The bytes of the record.
  case frame
  case note
  case service
  case lane
  case severity
  case text
  /// What kind of event it is, as the timeline's JSON calls it.
  case event
  /// The id of a finding's rule.
  case rule

  /// The shorter name that most have.
  public var alias: String? {
    switch self {
    case .number, .time, .timeRelative, .timeDelta, .kind, .direction, .controller, .link, .channel,
      .device, .address, .malformed:
      String(rawValue.dropFirst("frame.".count))
    case .directionInferred, .length, .originalLength, .airChannel, .related, .fragments, .frame,
      .note, .service, .lane, .severity, .text, .event, .rule:
      nil
    }
  }

  /// What to write: the shortest name.
  public var name: String { alias ?? rawValue }

  /// By its name or its shorter one, both in lower case.
  public init?(named name: String) {
    guard let found = Self.allCases.first(where: { $0.rawValue == name || $0.alias == name })
    else { return nil }
    self = found
  }

  /// What it is, for lists.
  public var description: StaticString {
    switch self {
    case .number: "Number in the capture, from 1"
    case .time: "Date and time of the capture's clock, or time of day"
    case .timeRelative: "Seconds since the first packet"
    case .timeDelta: "Seconds since the previous packet"
    case .kind: "Kind of record: command, event, acl, sco, iso, …"
    case .direction: "sent, received, or unknown"
    case .directionInferred: "1 if the direction is inferred from the data"
    case .length: "Bytes captured"
    case .originalLength: "Bytes of the packet before truncation"
    case .controller: "Index of the controller"
    case .link: "Number of the link, from 1"
    case .channel: "Number of the dynamic L2CAP channel, from 1"
    case .device: "Name of the device, and each of its addresses"
    case .address: "Addresses in the packet or event, and identities of resolvable private ones"
    case .airChannel: "Channel index of an over-the-air packet"
    case .related: "Number of the request this packet answers, or of its response"
    case .fragments: "Numbers of the packets whose PDU this one completes"
    case .malformed: "Bytes that could not be decoded, and why"
    case .frame: "The bytes of the packet"
    case .note: "Violations of the specification"
    case .service:
      "Service of the attribute, data link or channel: UUID or name; External Accessory protocol"
    case .lane: "Lane of the event, or of the events a packet shows"
    case .severity: "info < warning < error; for a packet, the worst of its events and notes"
    case .text: "Sentence of the event, or of the events a packet shows"
    case .event: "Kind of the event, or of the events a packet shows: link-opened, message, …"
    case .rule: "Rule of a finding, and of the packets that are evidence of it"
    }
  }

  enum Form {
    case number, text, bytes
    /// A UUID, or the name of an External Accessory protocol.
    case service
    /// Nanoseconds.
    case duration, moment
    /// A text, or an address.
    case device
    case choice([String], isOrdered: Bool)
  }

  var form: Form {
    switch self {
    case .number, .directionInferred, .length, .originalLength, .controller, .link, .channel,
      .airChannel, .related, .fragments:
      .number
    case .time: .moment
    case .timeRelative, .timeDelta: .duration
    case .kind: .choice(Self.kinds, isOrdered: false)
    case .direction: .choice(Self.directions, isOrdered: false)
    case .lane: .choice(Self.lanes, isOrdered: false)
    case .severity: .choice(["info", "warning", "error"], isOrdered: true)
    case .device, .address: .device
    case .malformed, .note, .text, .event, .rule: .text
    case .frame: .bytes
    case .service: .service
    }
  }

  /// The values that are asked for by name; empty if there are none.
  public var choices: [String] {
    if case .choice(let names, _) = form { names } else { [] }
  }

  /// By the kind's number; empty if no kind has it.
  static let kinds: [String] = {
    var names = [String](repeating: "", count: 256)
    for kind in PacketKind.allCases { names[Int(kind.rawValue)] = kind.name.description }
    return names
  }()

  public static let directions = ["sent", "received", "unknown"]

  /// As the JSON of the timeline calls them.
  public static let lanes = [
    "host", "link", "pairing", "l2cap", "sdp", "rfcomm", "call", "audio", "iap2", "gatt", "keys",
    "session", "notification", "reply", "configuration", "app", "note", "gap",
    "finding",
  ]

  /// Short names of lanes, which filters and `--lane` also accept.
  public static let laneAliases = [
    "pair": "pairing", "notify": "notification", "config": "configuration",
  ]

  /// Whether it is known only once the fields of the packet are.
  public var needsFields: Bool {
    switch self {
    case .address, .airChannel, .fragments, .malformed, .note, .severity: true
    default: false
    }
  }

  /// Whether an event of the timeline has it itself; all others are asked of its packets.
  public var isOfEvent: Bool {
    switch self {
    case .time, .timeRelative, .controller, .link, .device, .address, .lane, .severity, .text,
      .event, .rule:
      true
    default: false
    }
  }

  /// Whether a packet has it from the events it shows.
  public var isOfShownEvents: Bool {
    switch self {
    case .lane, .severity, .text, .event, .rule: true
    default: false
    }
  }
}
